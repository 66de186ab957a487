"""Overlays on documents: what a path may name, what is told, and that the base stays as it was."""

from __future__ import annotations

from typing import Any

import pytest

from ruleset.diagnostics.diagnostic import Report
from ruleset.document import Mapping, Node, Scalar, read
from ruleset.source import Source
from ruleset.variants import Overlay, apply, meeting, overlay_edits

BASE = """\
game: small
flow:
  game: {repeat: turn}
  turn: {do: me must draw_card}
pieces:
  card:
    types:
      low: {copies: 2, while held: {extra(me): {if: me.vp > 1, do: nothing}}}
      high: {copies: 1}
rules:
  draw_card(me):
    choose: {card: in market}
    needs: {not_full: count(me.hand) < 3}
    do: move card to me.hand
  worth(me): {is: 3}
labels:
  rules.draw_card.needs.not_full: {en: Your hand is full}
"""


def document(text: str, name: str = "base.yaml") -> Mapping:
    """The nodes of a YAML text without faults."""
    report = Report()
    root = read(Source(name, text), report)
    assert report.ok, report.diagnostics
    assert isinstance(root, Mapping)
    return root


def overlay(text: str, name: str = "ruling.reading") -> Overlay:
    """An overlay from its YAML."""
    root = document(text, "rulings.yaml")
    return Overlay(name, root.span, overlay_edits(root))


def plain(node: Node) -> Any:
    """Nodes as plain data."""
    match node:
        case Scalar():
            return node.text
        case Mapping():
            return {entry.key.text: plain(entry.value) for entry in node.entries}
        case _:
            return [plain(item) for item in node.items]


def changed(text: str) -> Any:
    """The base with an overlay that has no faults, as plain data."""
    report = Report()
    root = apply(document(BASE), overlay(text), report)
    assert not report.diagnostics
    return plain(root)


def faults(text: str) -> list[tuple[str, str, str]]:
    """What is said of an overlay: code, the words under the caret, the message."""
    report = Report()
    apply(document(BASE), overlay(text), report)
    return [(d.code, d.span.text if d.span else "", d.message) for d in report.sorted()]


def test_change_replaces_a_value_by_its_path() -> None:
    """A change leaves the rest of the record alone, and the parameters out of the path."""
    rules = changed("change: {rules.worth.is: 4}")["rules"]
    assert rules["worth(me)"] == {"is": "4"}
    assert rules["draw_card(me)"]["do"] == "move card to me.hand"


def test_parameters_may_be_written_in_a_path() -> None:
    """A path may name a rule with its parameters, too."""
    assert changed("change: {rules.worth(me).is: 4}")["rules"]["worth(me)"] == {"is": "4"}


def test_add_puts_an_entry_at_the_end() -> None:
    """What is added to a mapping stands behind what is there."""
    needs = changed("add: {rules.draw_card.needs.has_time: true}")["rules"]["draw_card(me)"]
    assert list(needs["needs"]) == ["not_full", "has_time"]


def test_add_makes_the_mapping_that_is_missing() -> None:
    """A field of a record that has no such mapping yet gets one."""
    rules = changed("add: {rules.draw_card.costs.fee: 1 me.vp}")["rules"]
    assert rules["draw_card(me)"]["costs"] == {"fee": "1 me.vp"}


def test_add_makes_a_section() -> None:
    """A section that the base lacks is made for the first record in it."""
    assert changed("add: {marks.done: {type: flag, start: false}}")["marks"] == {
        "done": {"type": "flag", "start": "false"}
    }


def test_add_a_rule_with_its_parameters() -> None:
    """The last part of a path may be the header of a new rule."""
    rules = changed('add: {"rules.give(me, other)": {do: nothing}}')["rules"]
    assert rules["give(me, other)"] == {"do": "nothing"}


def test_keys_with_blanks() -> None:
    """A key of two words is one part of a path."""
    types = changed("change: {pieces.card.types.low.while held.extra.do: draw_card(me)}")["pieces"]
    assert types["card"]["types"]["low"]["while held"]["extra(me)"]["do"] == "draw_card(me)"


def test_labels_have_dots_in_their_keys() -> None:
    """Below `labels` the rest of a path is one key, or a key and a language."""
    labels = changed("change: {labels.rules.draw_card.needs.not_full.en: Too many}")["labels"]
    assert labels == {"rules.draw_card.needs.not_full": {"en": "Too many"}}
    added = changed("add: {labels.rules.worth: {en: Worth}}")["labels"]
    assert added["rules.worth"] == {"en": "Worth"}


def test_remove_takes_out_what_it_empties() -> None:
    """The last entry of a field takes the field with it."""
    assert (
        "needs" not in changed("remove: [rules.draw_card.needs.not_full]")["rules"]["draw_card(me)"]
    )


def test_remove_and_add_together() -> None:
    """One overlay may take a field out and put another one in."""
    turn = changed("{remove: [flow.turn.do], add: {flow.turn.steps: [a]}}")["flow"]["turn"]
    assert turn == {"steps": ["a"]}


def test_the_base_stays_and_the_rest_is_shared() -> None:
    """Applying an overlay makes a new document that shares what it does not touch."""
    base = document(BASE)
    after = apply(base, overlay("change: {rules.worth.is: 4}"), Report())
    assert plain(base) == plain(document(BASE))
    assert after.entry("pieces") is base.entry("pieces")


def test_every_node_keeps_its_own_place() -> None:
    """The new value points into the overlay's file."""
    after = apply(document(BASE), overlay("change: {rules.worth.is: 4}"), Report())
    rules = after.get("rules")
    assert isinstance(rules, Mapping)
    worth = rules.get("worth(me)")
    assert isinstance(worth, Mapping)
    value = worth.get("is")
    assert value is not None
    assert (value.span.source.name, value.span.text) == ("rulings.yaml", "4")


@pytest.mark.parametrize(
    ("text", "code", "under", "words"),
    [
        ("change: {rules.wort.is: 4}", "RW501", "wort", "no rule `wort` under `rules`"),
        ("change: {rules.worth.was: 4}", "RW501", "was", "no `was` under `rules.worth`"),
        ("change: {rulse.worth.is: 4}", "RW501", "rulse", "no `rulse`"),
        ("add: {rulse.other: {is: 4}}", "RW501", "rulse", "no `rulse`"),
        ("add: {rules.wort.needs.x: true}", "RW501", "wort", "no rule `wort`"),
        ("remove: [pieces.card.types.hihg]", "RW501", "hihg", "no type `hihg`"),
        ("add: {rules.worth: {is: 4}}", "RW502", "rules.worth", "there already"),
        ("add: {rules.worth.is.x: 4}", "RW503", "rules.worth.is.x", "one value"),
        ("change: {rules.worth.is: 3}", "RW504", "rules.worth.is", "changes nothing"),
    ],
)
def test_faults_of_paths(text: str, code: str, under: str, words: str) -> None:
    """Each fault is told once, at the very part of the path."""
    [(found, caret, message)] = faults(text)
    assert (found, caret) == (code, under)
    assert words in message


def test_the_nearest_name_is_offered() -> None:
    """A misspelt part of a path is answered with the part that was meant."""
    report = Report()
    apply(document(BASE), overlay("change: {rules.wort.is: 4}"), report)
    assert report.diagnostics[0].helps == ("did you mean `worth`?",)


def test_a_condition_cannot_be_added_to_a_single_one() -> None:
    """An `if` without names says how it could take one more."""
    report = Report()
    apply(
        document(BASE), overlay("add: {pieces.card.types.low.while held.extra.if.y: true}"), report
    )
    assert "if: {NAME: ...}" in report.diagnostics[0].helps[0]


@pytest.mark.parametrize(
    ("one", "other", "path"),
    [
        ("change: {rules.a.is: 1}", "change: {rules.a.is: 2}", "rules.a.is"),
        ("remove: [rules.a]", "change: {rules.a(me).is: 2}", "rules.a"),
        ("change: {rules.a.is: 1}", "change: {rules.a.at least: 2}", None),
        ("add: {rules.a.needs.x: true}", "add: {rules.a.needs.y: true}", None),
    ],
)
def test_where_two_overlays_meet(one: str, other: str, path: str | None) -> None:
    """Two overlays meet where one path is the other or leads to it."""
    met = meeting(overlay(one), overlay(other))
    assert (None if met is None else ".".join(met[0].names)) == path
