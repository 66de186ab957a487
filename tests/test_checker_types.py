"""Types of expressions: what fits, what is never equal, what may be none."""

from __future__ import annotations

import pytest
from small_game import SECTIONS, check, effect, rule, value

from ruleset.types import FlagT, NumberT, SetT, ThingT, Type


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("me.vp", NumberT(0, 9)),
        ("me.vp + 1", NumberT(1, 10)),
        ("stake", NumberT(3, 5)),
        ("me.ready", FlagT()),
        ("me.hand", SetT("card")),
        ("me.held", ThingT("item", True)),
        ("players.hand", SetT("card")),
        ("players.held", SetT("item")),
        ("first(players)", ThingT("player")),
        ("first(me.shown)", ThingT("card", True)),
        ("first(me.shown).rank", NumberT(1, 3, True)),
        ("(first(me.shown).rank else 0)", NumberT(0, 3)),
        ("first(me.shown).owner.ready", FlagT()),
        ("me.held.holder.hand", SetT("card")),
        ("if me.ready then start else c1", ThingT("space")),
        ("if me.ready then lamp else none", ThingT("item", True)),
        ("next(start)", ThingT("space")),
        ("neighbours(start)", SetT("space")),
        ("those(p.vp for p in players)", SetT("number")),
        ("highest(p.vp for p in players)", SetT("player")),
        ("sum(card.rank for card in me.hand)", NumberT(0)),
        ("min(p.vp for p in players)", NumberT(0, 9)),
        ("max(card.rank for card in me.hand)", NumberT(1, 3, True)),
        ("max(me.vp, 3)", NumberT(3, 9)),
        ("count(players)", NumberT(0, 4)),
        ("(red, green)", SetT("colour")),
        ("players - me", SetT("player")),
        ("reach(here in start, other_space in neighbours(here))", SetT("space")),
        ("me can act", FlagT()),
        ("within act(me)", FlagT()),
        ("game.led", ThingT("colour", True)),
        ("colours", SetT("colour")),
        ("nth(me.shown, 2)", ThingT("card", True)),
    ],
)
def test_the_type_of_an_expression(text: str, found: Type) -> None:
    """Each form of expression has the type that its parts give it."""
    checked = value(text)
    assert checked.codes == []
    assert checked.facts.values["probe"] == found


@pytest.mark.parametrize(
    ("text", "code", "at", "words"),
    [
        ("me is start", "RW302", "me is start", "player is never space"),
        ("lamp is rope", "RW302", "lamp is rope", "two kinds are never equal"),
        ("me.hue is me.vp", "RW302", "me.hue is me.vp", "colour is never number"),
        ("me in me.hand", "RW302", "me in me.hand", "never in"),
        ("me.hue is red or blue", "RW304", "blue", "must be a condition too"),
        ("me.ready and me.vp", "RW304", "me.vp", "expected a condition, found a number"),
        ("not me.held", "RW304", "me.held", "expected a condition"),
        ("me.hand > 3", "RW305", "me.hand", "a comparison wants numbers, this is a set of card"),
        ("me > 3", "RW305", "me", "this is a player"),
        ("first(me.shown).rank + 1", "RW303", "first(me.shown).rank", "may be none"),
        ("first(me.shown).rank > 1", "RW303", "first(me.shown).rank", "may be none"),
        ("me.hand + 3", "RW305", "3", "wants numbers or sets"),
        ("(1, red)", "RW306", "red", "does not belong in a set of numbers"),
        ("me.hand + me", "RW306", "me", "one kind a set"),
        ("any(me.ready)", "RW310", "me.ready", "this is a condition"),
        ("all(p in players)", "RW310", "all(p in players)", "says nothing"),
        ("players.ready", "RW310", "ready", "of a set is no value"),
        ("any(n in 9..3)", "RW307", "9..3", "no number is in `9..3`"),
        ("first(secret)", "RW312", "first(secret)", "nobody knows the first"),
        ("nth(me.hand, 2)", "RW310", "me.hand", "expected a row"),
        ("if me.ready then 1 else me", "RW313", "me", "after `else` a player"),
        ("(me.held else 3)", "RW313", "3", "after it a number"),
        ("me.vp + me.ready", "RW305", "me.ready", "this is a condition"),
        ("probe(me)", "RW309", "probe", "a value that needs itself"),
        ("-me.hue", "RW301", "me.hue", "expected a number, found a colour"),
    ],
)
def test_what_does_not_fit(text: str, code: str, at: str, words: str) -> None:
    """A value in the wrong place is one fault, on its own words."""
    found = value(text).only()
    assert found[:2] == (code, at)
    assert words in found[2]


def test_one_mistake_is_told_once() -> None:
    """What is built on something wrong is not told again."""
    assert value("me.vq + 1 > 3 and me.vq is 3").codes == ["RW202", "RW202"]
    assert value("count(those(p in players if p.vq > 2)) + 1 > me.vp").codes == ["RW202"]


@pytest.mark.parametrize(
    "text",
    [
        "let x = me.held\nif x is not none then move x to market",
        "let x = me.held\nif x is none then nothing\nelse move x to market",
        "let x = first(me.shown)\nif any(x) and x.rank > 1 then nothing",
        "let x = first(me.shown)\nif x is none or x.rank > 1 then nothing",
        "for x in first(me.shown) do gain x.rank me.vp",
        "gain (first(me.shown).rank else 1) me.vp",
        "move me.held to market",
        "if first(me.shown).suit is red then nothing",
    ],
)
def test_what_makes_sure_that_a_thing_is_there(text: str) -> None:
    """A tested name, a loop, a default and a zone of at most one may be acted on."""
    assert effect(text).codes == []


def test_a_path_that_is_tested_stays_uncertain() -> None:
    """A test on a path makes nothing certain, only a test on a name does."""
    text = "if first(me.shown) is not none then gain first(me.shown).rank me.vp"
    assert effect(text).only()[:2] == ("RW303", "first(me.shown).rank")


def test_names_under_with_are_there() -> None:
    """A rule does not happen where a name under `with` is none."""
    assert rule("with: {item: me.held}\ndo: move item to market").codes == []


def test_comparisons_that_are_always_so() -> None:
    """A comparison outside the known range is a warning that says so."""
    checked = value("me.vp > 12")
    assert [(d.code, d.severity) for d in checked.found] == [("RW308", "warning")]
    assert "always false" in checked.found[0].message
    assert value("me is not none").codes == ["RW308"]


@pytest.mark.parametrize(
    ("section", "text", "code", "at"),
    [
        ("marks", "{hue: {each: player, type: colour, start: none}}", "RW349", "none"),
        ("marks", "{hue: {each: player, type: colour, start: 1}}", "RW301", "1"),
        ("marks", "{ready: {each: player, type: flag, start: 1}}", "RW304", "1"),
        ("marks", "{pace: {type: 1..3, start: 7}}", "RW307", "7"),
        ("counters", "{vp: {each: player, range: 0..9, start: 12}, round: {}}", "RW307", "12"),
        ("zones", "{hand: {of: card, seen by: owner}}", "RW364", "hand"),
    ],
)
def test_declarations_fit_their_types(section: str, text: str, code: str, at: str) -> None:
    """Starts and ranges of counters and marks are checked."""
    found = [(d.code, d.span.text if d.span else "") for d in check(**{section: text}).found]
    assert (code, at) in found


def test_fields_of_pieces() -> None:
    """The value of a field has its type and range, and no type leaves one out."""
    pieces = """
  card:
    each: player
    starts: owner.hand
    fields: {rank: 1..3, suit: colour, play: effect(me)}
    types:
      low: {rank: 7, suit: red, play: nothing}
      mid: {rank: 2, suit: start, play: "gain 1 me.vq"}
      high: {rank: 2, suit: blue}
  item: {starts: market}
  pawn: {each: player, starts: start.pawns}"""
    found = {(d.code, d.span.text if d.span else "") for d in check(pieces=pieces).found}
    assert found >= {("RW307", "7"), ("RW301", "start"), ("RW202", "vq"), ("RW362", "high")}


def test_a_type_as_parameter_has_its_kind_by_a_word() -> None:
    """Without a word a name is a number; the way to declare it is told, and it works."""
    rules = """
  look(me, face):
    do: for card in me.hand if card.type is face do move card to me.shown"""
    (fault,) = check(rules=f"{SECTIONS['rules']}{rules}").found
    assert fault.code == "RW302"
    assert "`words: {card.type: [face]}`" in fault.helps[0]
    call = (
        f"{SECTIONS['rules']}\n  look(me, face): {{do: nothing}}\n  h(me): {{do: 'look(me, high)'}}"
    )
    (fault,) = check(rules=call.replace("'", '"')).found
    assert fault.code == "RW322"
    assert "`words: {card.type: [face]}`" in fault.helps[0]
    words = "{player: [me, other], space: [here], card.type: [face]}"
    assert check(rules=f"{SECTIONS['rules']}{rules}", words=words).found == []
