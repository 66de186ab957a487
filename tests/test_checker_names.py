"""What names mean, and what is said of those that mean nothing."""

from __future__ import annotations

import pytest
from small_game import check, effect, game_text, rule, value

from ruleset.diagnostics.diagnostic import Report
from ruleset.document import read
from ruleset.loader import load_document
from ruleset.source import Source
from ruleset.syntax import Attribute, Name
from ruleset.types import (
    CounterRef,
    Local,
    Member,
    Members,
    NumberT,
    OnlyPiece,
    SetT,
    ThingT,
    ZoneRef,
)


def test_the_small_game_is_clean() -> None:
    """The game that all tests change has no fault of its own."""
    assert check(whole=False).codes == []


@pytest.mark.parametrize(
    ("text", "code", "at", "words"),
    [
        ("me.vq", "RW202", "vq", "player has no `vq`; did you mean `vp`?"),
        ("count(player)", "RW205", "player", "all"),
        ("count(playrs)", "RW201", "playrs", "did you mean `players`?"),
        ("vp + 1", "RW203", "vp", "whose? `me.vp`"),
        ("count(hand)", "RW203", "hand", "whose? `me.hand`"),
        ("game.vp + 1", "RW203", "vp", "whose?"),
        ("game.rond + 1", "RW202", "rond", "did you mean `round`?"),
        ("me.round + 1", "RW202", "round", "belongs to the game"),
        ("act(me)", "RW222", "act", "has no value"),
        ("turn", "RW205", "turn", "step of the flow"),
        ("stake(3)", "RW222", "stake(3)", "is a table: write `stake`"),
        ("prob(me)", "RW221", "prob", "did you mean `probe`?"),
        ("market.owner", "RW202", "owner", "not `each: player`"),
        ("me.vp.high", "RW206", "high", "only things have parts"),
        ("next(me, me)", "RW311", "next(me, me)", "takes 1, this gives 2"),
        ("next(market)", "RW310", "market", "expected one thing"),
        ("beside(start, me)", "RW311", "beside", "made of track"),
        ("lines(3)", "RW311", "lines", "wants a map with `grid`"),
    ],
)
def test_a_name_that_means_nothing_here(text: str, code: str, at: str, words: str) -> None:
    """A fault of a name stands on that very name and says what could be meant."""
    found = value(text).only()
    assert found[:2] == (code, at)
    assert words in found[2] or any(words in help_ for help_ in value(text).found[0].helps)


@pytest.mark.parametrize(
    ("text", "code", "at", "words"),
    [
        ("acts(me)", "RW221", "acts", "no rule `acts`; did you mean `act`?"),
        ("me must acct", "RW221", "acct", "no action `acct`; did you mean `act`?"),
        ("stop trun", "RW225", "trun", "no such rule or step `trun`; did you mean `turn`?"),
        ("turn()", "RW222", "turn", "is a step of the flow"),
        ("over(me)", "RW222", "over", "happens by itself, after act(me)"),
        ("let turn = 3", "RW211", "turn", "a step of the flow"),
        ("let red = 3", "RW211", "red", "a colour"),
        ("let me = next(me)", "RW210", "me", "bound already"),
        ("let here = 3", "RW212", "here", "a space by `words`"),
        ("for card in players do nothing", "RW212", "card", "a card by its own name"),
        ("for p in players do let me = p", "RW210", "me", "bound already"),
    ],
)
def test_names_in_effects(text: str, code: str, at: str, words: str) -> None:
    """Calls, offers and new names are checked on the word."""
    found = effect(text).only()
    assert found[:2] == (code, at)
    assert words in found[2]


def test_a_parameter_without_a_word_is_a_number() -> None:
    """A dot after a parameter of no declared kind says to declare it."""
    code, at, words = value("target.vp", "probe(target)").only()
    assert (code, at) == ("RW206", "target")
    assert "has no declared kind" in words


@pytest.mark.parametrize(
    ("section", "text", "code", "at"),
    [
        ("result", "{most: [pionts]}", "RW204", "pionts"),
        ("result", "{most: [round]}", "RW360", "round"),
        ("counters", "{vp: {each: player, range: 0..9, resets: trun}, round: {}}", "RW204", "trun"),
        ("words", "{playr: [me]}", "RW204", "playr"),
        ("tables", "{stake: {2: 5, 4: 3}}", "RW361", "stake"),
        ("zones", "{hand: {each: plyer, of: card}}", "RW204", "plyer"),
        ("invariants", "{sane: {holds: true, checked: before trun}}", "RW204", "trun"),
        ("options", "{opener: {type: player, default: 7}}", "RW363", "7"),
        ("options", "{tone: {type: colour, default: gren}}", "RW204", "gren"),
        ("kinds", "{colour: [red, green, red]}", "RW213", "red"),
    ],
)
def test_names_in_declarations(section: str, text: str, code: str, at: str) -> None:
    """What a declaration names must exist."""
    found = check(**{section: text}).found
    assert (code, at) in [(d.code, d.span.text if d.span else "") for d in found]


def test_a_name_declared_twice() -> None:
    """One name for a zone and a counter is told at the second, with the first beside it."""
    found = check(marks="{hand: {type: flag, start: false}}").found
    twice = [d for d in found if d.code == "RW213"]
    assert [label.span.line for label in twice[0].labels] != []
    assert "as a mark and as a zone" in twice[0].message


def test_what_names_refer_to() -> None:
    """Each name has its reference in the facts."""
    checked = effect(
        "let n = me.vp + game.round\n"
        "for card in me.hand if card.suit is red do move card to me.shown\n"
        "if lamp.holder is me then gain n me.vp\n"
        "if any(item in market if item.type is rope) then nothing"
    )
    assert checked.codes == []
    refs = {
        n.span.text: r for n, r in checked.facts.refs.items() if isinstance(n, Name | Attribute)
    }
    assert refs["me"] == Local()
    assert refs["me.vp"] == CounterRef("vp")
    assert refs["me.hand"] == ZoneRef("hand")
    assert refs["red"] == Member("colour", "red")
    assert refs["lamp"] == OnlyPiece("item", "lamp")
    assert refs["rope"] == Member("item.type", "rope")
    assert refs["players"] == Members("player")
    assert checked.facts.params["rules.probe"]["card"] == ThingT("card")
    assert checked.facts.params["rules.probe"]["n"] == NumberT(1, 14)


def test_a_type_with_one_copy_is_a_piece_or_a_type() -> None:
    """What is wanted decides whether a bare type name is the piece or the type."""
    checked = effect("if any(item in market if item.type is lamp) then move lamp to me.held")
    assert checked.codes == []
    refs = [r for n, r in checked.facts.refs.items() if isinstance(n, Name) and n.name == "lamp"]
    assert set(refs) == {Member("item.type", "lamp"), OnlyPiece("item", "lamp")}


def test_own_pieces() -> None:
    """A player's only pawn, and all cards of a player, stand after a dot."""
    assert value("me.pawn.space").facts.values["probe"] == ThingT("space")
    assert value("me.cards").facts.values["probe"] == SetT("card")


def test_hooks_bind_names() -> None:
    """A pattern binds names of the right kind, each meaning nothing else."""
    assert rule("when: after act(other)\ndo: gain 1 other.vp", "note").codes == []
    assert rule("when: after act(here)\ndo: gain 1 me.vp", "note").only()[:2] == ("RW332", "here")
    assert rule("when: after acting(me)\ndo: gain 1 me.vp", "note").only()[:2] == (
        "RW231",
        "acting",
    )
    assert rule("when: after gain vp(me)\ndo: set me.ready to true", "note").codes == []
    assert rule("when: after enter held(me, item)\ndo: move item to market", "note").codes == []
    assert rule("modify: probes(me)\nadd: 1", "note").only()[0] == "RW204"
    assert rule("modify: act(me)\nadd: 1", "note").only()[:2] == ("RW232", "act")


def test_a_word_has_one_kind() -> None:
    """A word under two kinds is told where it stands again."""
    report = Report()
    root = read(Source("game.yaml", game_text(words="{player: [me, other], space: [me]}")), report)
    assert root is not None
    load_document(root, report)
    assert [(d.code, d.span.line if d.span else 0) for d in report.diagnostics] == [("RW213", 7)]
