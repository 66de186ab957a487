"""Variants: files that extend a game, what they may say, and what is told where they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from documents import ROOT

import ruleset
from interpreter import Game
from ruleset.diagnostics.diagnostic import RulesetError

GAME = """\
game: base
title: {en: Base}
players: 2
rulings: base_rulings.yaml
flow:
  game: {repeat: turn, times: 3}
  turn: {kind: turn, each: me in players, do: me must take}
zones:
  stock: {of: token}
  store: {each: player, of: token}
counters:
  vp: {each: player, range: 0..}
options:
  goal: {type: 1..9, default: 3}
pieces:
  token: {count: 10, starts: stock}
rules:
  take(me):
    do: |
      draw 1 from stock to me.store
      gain 1 me.vp
  bonus:
    when: after take(me)
    if: count(me.store) is goal
    do: gain 1 me.vp
result: {most: [vp]}
labels:
  rules.bonus: {en: the bonus}
"""
RULINGS = """\
rulings_of: base
rulings:
  big:
    asks: How great is the bonus?
    default: one
    two: {change: {rules.bonus.do: gain 2 me.vp}}
  lucky:
    asks: Is there luck?
    default: no_luck
    luck: {add: {rules.lucky: {when: after take(me), do: gain 1 me.vp}}, requires: [big.two]}
"""
HEAD = "game: house\ntitle: {en: House}\nextends: base\n"


class Table:
    """A folder with the base game, and what is said of files put beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("base", GAME)
        self.write("base_rulings", RULINGS)

    def write(self, name: str, text: str) -> str:
        """Put a file there."""
        path = self.folder / f"{name}.yaml"
        path.write_text(text, "utf-8")
        return str(path)

    def told(self, text: str, name: str = "house") -> list[tuple[str, str, str]]:
        """The faults of a variant: code, file and words under the caret."""
        report = ruleset.check(self.write(name, text))
        return [
            (d.code, Path(d.span.source.name).stem if d.span else "", d.span.text if d.span else "")
            for d in report.sorted()
        ]

    def load(self, text: str, name: str = "house", **options: object) -> ruleset.Ruleset:
        """The ruleset of a variant."""
        return ruleset.load(self.write(name, text), options)


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A folder of its own for each test."""
    return Table(tmp_path)


def test_a_variant_is_a_game_of_its_own(table: Table) -> None:
    """It has its own id and title, plays by what it changes, and keeps all else."""
    rules = table.load(f"{HEAD}change:\n  flow.game.times: 5\n  pieces.token.count: 12\n")
    assert rules.file.name == "house"
    assert rules.title() == "House"
    assert rules.label("rules.bonus") == "the bonus"
    state = Game(rules, 2).start(seed=1)
    made = 0
    while not state.over:
        state = state.apply(state.pending[0].options[0])
        made += 1
    assert made == 10


def test_parts_come_from_the_file_that_wrote_them(table: Table) -> None:
    """What a variant adds has its place in the variant, what it leaves alone in the game."""
    rules = table.load(f"{HEAD}add:\n  rules.more: {{when: after take(me), do: gain 1 me.vp}}\n")
    places = {rule.name: Path(rule.span.source.name).stem for rule in rules.file.rules}
    assert places == {"take": "base", "bonus": "base", "more": "house"}


def test_what_is_removed_takes_its_labels_along(table: Table) -> None:
    """A label of a part that is gone is no fault."""
    assert table.told(f"{HEAD}settings: {{big: one}}\nremove: [rules.bonus, options.goal]\n") == []


def test_a_chain_of_variants(table: Table) -> None:
    """A variant of a variant: the later file has the last word."""
    table.write("house", f"{HEAD}change: {{flow.game.times: 4}}\n")
    text = "game: garden\ntitle: {en: Garden}\nextends: house.yaml\n"
    assert table.told(f"{text}change: {{flow.game.times: 5}}\n", "garden") == []
    rules = table.load(f"{text}change: {{counters.vp.range: 0..9}}\n", "garden")
    assert rules.file.flow[0].times is not None
    assert rules.option_names() == ("big", "lucky", "goal")


def test_a_part_that_the_game_lacks(table: Table) -> None:
    """A path that leads nowhere is told at its part, in the variant."""
    assert table.told(f"{HEAD}change: {{rules.bonsu.do: nothing}}\n") == [
        ("RW501", "house", "bonsu")
    ]


def test_values_of_the_wrong_shape_and_type(table: Table) -> None:
    """What a variant writes is checked like any game, at its place in the variant."""
    assert table.told(f"{HEAD}change: {{flow.game.times: vp}}\n") == [("RW203", "house", "vp")]
    assert table.told(f"{HEAD}add: {{rules.more: {{when: after take(me), doo: nothing}}}}\n") == [
        ("RW020", "house", "doo")
    ]


def test_a_game_that_cannot_be_found(table: Table) -> None:
    """A bare id or a path without a file."""
    assert table.told("game: house\ntitle: {en: H}\nextends: bse\n") == [("RW529", "house", "bse")]
    assert table.told("game: house\ntitle: {en: H}\nextends: bse.yaml\n") == [
        ("RW001", "house", "bse.yaml")
    ]
    assert table.told("game: house\ntitle: {en: H}\nextends: /etc/base.yaml\n") == [
        ("RW528", "house", "/etc/base.yaml")
    ]
    assert table.told("game: house\ntitle: {en: H}\nextends: base_rulings.yaml\n") == [
        ("RW508", "house", "base_rulings.yaml")
    ]


def test_a_circle(table: Table) -> None:
    """Two variants that extend each other."""
    table.write("garden", "game: garden\ntitle: {en: G}\nextends: house\n")
    text = "game: house\ntitle: {en: H}\nextends: garden\n"
    assert table.told(text) == [("RW505", "garden", "house")]


def test_keys_of_a_game_in_a_variant(table: Table) -> None:
    """A section beside the overlay is an unknown key; options and labels are allowed."""
    assert table.told(f"{HEAD}rules: {{take(me): {{do: nothing}}}}\n") == [
        ("RW020", "house", "rules")
    ]
    text = f"{HEAD}options: {{speed: {{type: 1..3, default: 1}}}}\n"
    assert table.told(f"{text}change: {{flow.game.times: speed}}\n") == []


def test_a_ruling_is_settled(table: Table) -> None:
    """The reading is in force, the ruling is gone, and what cannot be any more is gone, too."""
    rules = table.load(f"{HEAD}settings: {{big: two, goal: 2}}\nchange: {{flow.game.times: 4}}\n")
    assert rules.option_names() == ("lucky", "goal")
    assert rules.option_values["goal"] == "2"
    bonus = next(rule for rule in rules.file.rules if rule.name == "bonus")
    assert Path(bonus.span.source.name).stem == "base"
    rules = table.load(f"{HEAD}settings: {{big: one}}\nchange: {{flow.game.times: 4}}\n")
    assert rules.option_names() == ("goal",)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("settings: {bigg: two}", ("RW530", "house", "bigg")),
        ("settings: {big: tow}", ("RW531", "house", "tow")),
        ("settings: {lucky: luck}", ("RW533", "house", "lucky")),
        ("settings: {goal: 20}", ("RW363", "house", "20")),
        ("excludes: [big.three]", ("RW524", "house", "big.three")),
    ],
)
def test_settings_that_cannot_be(table: Table, line: str, told: tuple[str, str, str]) -> None:
    """An unknown name, an unknown value, a reading without the one that it needs."""
    assert [each for each in table.told(f"{HEAD}{line}\n") if each[0] != "RW535"] == [told]


def test_a_variant_and_a_reading_touch_one_part(table: Table) -> None:
    """This is told, unless the variant says how the two go together."""
    text = f"{HEAD}change: {{rules.bonus.do: gain 3 me.vp}}\n"
    assert table.told(text) == [("RW506", "house", "rules.bonus.do")]
    for way in ("excludes: [big.two]", "under: [big.two]", "settings: {big: two}"):
        assert table.told(f"{text}{way}\n") == []
    assert table.load(f"{text}excludes: [big.two]\n").option_names() == ("goal",)


def test_a_reading_that_does_not_fit_the_variant(table: Table) -> None:
    """A fault that a reading brings only on top of a variant says how to leave it out."""
    text = f"{HEAD}remove: [counters.vp]\nchange: {{result: {{by: stop game}}}}\n"
    report = ruleset.check(table.write("house", f"{text}add: {{}}\n"))
    assert not report.ok
    text = f"{HEAD}excludes: [lucky.luck]\nremove: [rules.bonus]\n"
    found = ruleset.check(table.write("house", text)).sorted()
    assert [d.code for d in found] == ["RW506"]


def test_own_rulings(table: Table) -> None:
    """The rulings of a variant stand beside those of the game."""
    table.write(
        "house_rulings",
        "rulings_of: house\nrulings:\n  long:\n    asks: How long?\n    default: three\n"
        "    four: {change: {flow.game.times: 4}}\n",
    )
    text = f"{HEAD}rulings: house_rulings.yaml\n"
    assert table.told(f"{text}change: {{counters.vp.range: 0..99}}\n") == []
    assert table.load(text, long="four").readings["long"] == "four"
    table.write(
        "house_rulings",
        "rulings_of: house\nrulings:\n  big:\n    asks: How long?\n    default: three\n"
        "    four: {change: {flow.game.times: 4}}\n",
    )
    assert table.told(text) == [("RW509", "house_rulings", "big")]


def test_two_variants_side_by_side(table: Table) -> None:
    """They go together where they touch different parts, or where they are put in an order."""
    table.write("one", "game: one\ntitle: {en: A}\nextends: base\nchange: {flow.game.times: 4}\n")
    table.write(
        "two", "game: two\ntitle: {en: B}\nextends: base\nchange: {counters.vp.range: 0..9}\n"
    )
    both = "game: both\ntitle: {en: C}\nextends: [one, two]\n"
    assert table.told(both, "both") == []
    table.write("two", "game: two\ntitle: {en: B}\nextends: base\nchange: {flow.game.times: 5}\n")
    assert table.told(both, "both") == [("RW507", "two", "flow.game.times")]
    assert table.told(f"{both}ordered: true\n", "both") == []


def test_a_broken_variant_does_not_load(table: Table) -> None:
    """Loading raises with the same faults that checking tells."""
    with pytest.raises(RulesetError, match="RW501"):
        table.load(f"{HEAD}remove: [rules.nope]\n")


@pytest.mark.parametrize("path", sorted((ROOT / "games" / "variants").glob("*.yaml")), ids=str)
def test_the_variants_of_the_games_are_clean(path: Path) -> None:
    """Each variant of the repository has no fault, with any reading that it leaves."""
    assert ruleset.check(path).sorted() == []
