"""Every sentence of the reference about the value of an expression, in one small setting."""

from __future__ import annotations

from typing import Any

import pytest
from small_world import get, play

from interpreter import State

SET_UP = """
move ace to line
move trey to line
move two to line at left
move four to p1.one
move those(c in heap if c.type is five) to p2.hand
for x in first(p1.base) do move x to a1.spot
for x in first(p2.base) do move x to b2.spot
gain 3 p1.vp
gain 3 p3.vp
lose 2 p2.debt
"""


@pytest.fixture(scope="module")
def state() -> State:
    """Three players; line: two, ace, trey; p1.one: four; p2.hand: two fives; pawns on a1, b2."""
    return play("nothing", players=3).game.perform(play("nothing", players=3), SET_UP)


TABLE: list[tuple[str, Any]] = [
    # numbers
    ("7 / 2", 3),
    ("-3 / 2", -2),
    ("3 / -2", -2),
    ("-3 % 2", 1),
    ("3 % -2", -1),
    ("5 / 0", 0),
    ("5 % 0", 0),
    ("p2.debt / 2", -1),
    ("p2.vp % p2.vp", 0),
    ("2 + 3 * 4", 14),
    ("10 - 3 - 2", 5),
    ("20 / 3 / 2", 3),
    ("-2 * 3", -6),
    ("-(2 + 3) * 2", -10),
    ("abs(p2.debt)", 2),
    ("abs(3)", 3),
    ("min(p1.vp, 2)", 2),
    ("max(p1.vp, 7, 4)", 7),
    ("min(-1, p2.debt)", -2),
    # flags, in their order of tightness
    ("true or false and false", True),
    ("not false and false", False),
    ("not (false and false)", True),
    ("not p1.vp is 3", False),
    ("1 + 1 is 2", True),
    ("(if p1.vp is 3 then 1 else 2)", 1),
    ("(if p1.vp is 4 then red else blue)", "blue"),
    ("1 + (if p1.ready then 1 else 5)", 6),
    ("p1.mate is none or p1.mate is p2", True),
    # is and in
    ("p1 is p1", True),
    ("p1 is not p2", True),
    ("line is (two, ace, trey)", True),
    ("line is (ace, two)", False),
    ("p1.one is four", True),
    ("p2.one is none", True),
    ("first(p3.hand) is none", True),
    ("ace in line", True),
    ("four in line", False),
    ("ace is in line", True),
    ("ace is not in line", False),
    ("p2.one in line", False),
    ("(ace, two) in line", True),
    ("(ace, four) in line", False),
    ("p2.hand in line", False),
    ("p3.hand in line", True),
    ("p1.vp in 2..4", True),
    ("p1.vp in 4..9", False),
    ("p1.vp not in 4..9", True),
    ("p2.debt in -3..-1", True),
    ("p2.debt in (-2, 4)", True),
    ("p2.debt in (-1, 4)", False),
    ("p1.vp in (1, 3)", True),
    ("none is p2.one", True),
    ("game.hue is none", True),
    ("game.hue in (red, blue)", False),
    # sets
    ("count(1..5)", 5),
    ("count(p1.vp..2)", 0),
    ("count(-2..2)", 5),
    ("sum(n for n in 1..4)", 10),
    ("sum(n for n in -4..-1)", -10),
    ("count(n in -4..4 if n % 2 is 0)", 5),
    ("any(n in -3..-2 if n is p2.debt)", True),
    ("all(n in -3..-2 if n < 0)", True),
    ("count((ace, ace, two))", 2),
    ("count(())", 0),
    ("count(line + heap)", 3),
    ("count(line + p2.hand)", 5),
    ("count(line - ace)", 2),
    ("count(line - (ace, two, four))", 1),
    ("count(line + p1.one)", 4),
    ("count(line + p2.one)", 3),
    ("count(p1.one)", 1),
    ("count(p2.one)", 0),
    ("any(p2.one)", False),
    ("any(p1.one)", True),
    ("count(players - p1)", 2),
    ("players.vp", ["0", "3"]),
    ("count(players.vp)", 2),
    ("sum(p.vp for p in players)", 6),
    ("players.one", ["four"]),
    ("players.hand", ["five#1", "five#2"]),
    ("cells.spot.owner", ["1", "2"]),
    ("count(cells.spot)", 2),
    ("count(p2.hand.tint)", 1),
    # a dot after none
    ("p2.one.value is none", True),
    ("(p2.one.value else 7)", 7),
    ("p2.mate is none", True),
    ("p2.mate.ready", False),
    ("p2.mate.mate is none", True),
    ("count(p2.mate.hand)", 0),
    ("(p2.mate.vp else 8)", 8),
    ("p2.mate.vp is none", True),
    ("p2.mate.one is none", True),
    ("(p2.mate.one.value else 3)", 3),
    ("p2.one.tint is none", True),
    ("p2.one.type is none", True),
    ("p2.one.type is ace", False),
    ("p2.one.holder is none", True),
    ("(beside(a1, west).column else 9)", 9),
    ("(beside(a1, west).row else 9)", 9),
    ("beside(a1, west).spot is none", True),
    ("b1.spot.owner is none", True),
    ("(p1.one else two)", "four"),
    ("(p2.one else two)", "two"),
    ("(min(c.value for c in p3.hand) else 6)", 6),
    ("(max(c.value for c in line) else 6)", 3),
    # clauses
    ("any(c in line if c.value > 2)", True),
    ("any(c in line if c.value > 3)", False),
    ("any(p3.hand)", False),
    ("all(c in p3.hand if false)", True),
    ("all(c in line if c.value < 4)", True),
    ("all(c in line if c.value < 3)", False),
    ("count(c in line if c.value < 3)", 2),
    ("sum(c.value for c in line if c.value < 3)", 3),
    ("sum(c.value for c in p3.hand)", 0),
    ("min(c.value for c in line)", 1),
    ("max(c.value for c in line)", 3),
    ("min(c.value for c in p3.hand) is none", True),
    ("max(c.value for c in p3.hand) is none", True),
    ("min(p.debt for p in players)", -2),
    ("max(p.debt - 3 for p in players)", -3),
    ("highest(p.vp for p in players)", ["1", "3"]),
    ("lowest(p.vp for p in players)", ["2"]),
    ("lowest(p.debt for p in players)", ["2"]),
    ("highest(c.value for c in p3.hand)", []),
    ("highest(p.one.value for p in players)", ["1"]),
    ("lowest(p.one.value for p in players)", ["1"]),
    ("those(c.tint for c in line)", ["red", "green", "blue"]),
    ("those(p.mate for p in players)", []),
    ("those(p.one for p in players)", ["four"]),
    ("those(p.one.value for p in players)", ["4"]),
    ("those(p.vp for p in players)", ["0", "3"]),
    ("count(those(c.tint for c in p2.hand))", 1),
    ("count(those(n % 3 for n in 1..9))", 3),
    ("those(c in line if c.value > 1) is (two, trey)", True),
    # rows
    ("first(line)", "two"),
    ("last(line)", "trey"),
    ("first(c in line if c.value < 2)", "ace"),
    ("last(c in line if c.value < 3)", "ace"),
    ("first(c in line if c.value > 7) is none", True),
    ("first(those(c in line if c.value is not 2))", "ace"),
    ("last(those(c in line if c.value is not 3))", "ace"),
    ("nth(line, 1)", "two"),
    ("nth(line, 3)", "trey"),
    ("nth(line, 4) is none", True),
    ("nth(line, 0) is none", True),
    ("nth(line, -1) is none", True),
    ("nth(those(c in line if c.value is not 2), 2)", "trey"),
    ("stretch(c in line if c.value < 3) is (two, ace)", True),
    ("count(stretch(c in line if c.value < 2))", 0),
    ("last(stretch(c in line if c.value < 3))", "ace"),
    ("nth(stretch(c in line if c.value < 3), 2)", "ace"),
    ("count(stretch(c in line if true))", 3),
    ("first(line + p1.one)", "ace"),
    ("first(highest(c.value for c in line))", "trey"),
    ("first(players)", "1"),
    ("last(players)", "3"),
    ("nth(players, 2)", "2"),
    ("first(colours)", "red"),
    ("last(colours)", "blue"),
    ("last(c in heap) is none", True),
    ("first(3..5)", 3),
    ("last(3..5)", 5),
    ("first(n in 3..9 if n % 4 is 0)", 4),
    ("sum((first(line).value else 0) * n for n in 1..2)", 6),
    # players
    ("next(p1)", "2"),
    ("next(p3)", "1"),
    ("previous(p1)", "3"),
    ("previous(p2)", "1"),
    # pieces
    ("four.holder", "1"),
    ("ace.holder is none", True),
    ("first(a1.spot).owner", "1"),
    ("first(a1.spot).cell", "a1"),
    ("first(p1.base).cell is none", True),
    ("first(a1.spot).holder is none", True),
    ("first(p2.hand).holder", "2"),
    ("ace.type is ace", True),
    ("first(dice).side is blank", True),
    ("count(pawns)", 6),
    ("count(cards)", 6),
    ("count(c in cards if c.type is five)", 2),
    ("four.fits(p1)", True),
    # tables and options
    ("share", 4),
    ("goal", 4),
    # a grid
    ("b3.column", 2),
    ("b3.row", 3),
    ("cell(2, 3)", "b3"),
    ("cell(4, 1) is none", True),
    ("cell(0, 1) is none", True),
    ("cell(1, -1) is none", True),
    ("neighbours(a1) is (b1, a2)", True),
    ("neighbours(b2) is (a2, b1, b3, c2)", True),
    ("beside(b2, north)", "b3"),
    ("beside(b2, south)", "b1"),
    ("beside(b2, east)", "c2"),
    ("beside(b2, west)", "a2"),
    ("beside(b2, northeast)", "c3"),
    ("beside(b2, southwest)", "a1"),
    ("beside(b2, northwest)", "a3"),
    ("beside(b2, southeast)", "c1"),
    ("beside(a1, south) is none", True),
    ("ray(a1, north) is (a2, a3)", True),
    ("first(ray(c1, west))", "b1"),
    ("last(ray(c1, west))", "a1"),
    ("nth(ray(c3, southwest), 1)", "b2"),
    ("nth(ray(c3, southwest), 2)", "a1"),
    ("count(ray(c3, east))", 0),
    ("count(stretch(x in ray(a1, northeast) if not any(x.spot)))", 0),
    ("stretch(x in ray(c3, southwest) if x is not a1) is b2", True),
    ("count(line_ in lines(3))", 8),
    ("count(line_ in lines(2))", 20),
    ("count(line_ in lines(3) if b2 in line_)", 4),
    ("count(directions)", 8),
    ("first(directions)", "north"),
    ("reach(x in a1, y in neighbours(x) if y not in (b2, c1, a3)) is (a1, b1, a2)", True),
    ("count(reach(x in a1, y in neighbours(x)))", 9),
    ("count(reach(x in cells.spot.cell, y in neighbours(x) if y.column is x.column))", 6),
    ("count(reach(x in p3.mate, y in players if true))", 0),
    ("first(cells)", "a1"),
    ("last(cells)", "c3"),
    # a track
    ("next(s4)", "s0"),
    ("previous(s0)", "s4"),
    ("next(s1)", "s2"),
    ("neighbours(s0) is (s1, s4)", True),
    ("first(ahead(s3))", "s4"),
    ("nth(ahead(s3), 2)", "s0"),
    ("last(ahead(s3))", "s2"),
    ("count(ahead(s3))", 4),
    ("first(x in ahead(s3) if x is not s4)", "s0"),
    ("stretch(x in ahead(s3) if x is not s1) is (s4, s0)", True),
    ("last(stretch(x in ahead(s3) if x is not s1))", "s0"),
    ("last(those(x in ahead(s3) if x is not s2))", "s1"),
    ("first(those(x in ahead(s3) if x is not s4))", "s0"),
]


@pytest.mark.parametrize(("text", "wanted"), TABLE, ids=[text for text, _ in TABLE])
def test_values(state: State, text: str, wanted: Any) -> None:
    """An expression has the value that the reference says."""
    assert get(state, text) == wanted


def test_a_kind_may_have_a_name_that_begins_like_set() -> None:
    """The marks of a kind `setting` are things, and the marks of several players are their set."""
    state = play(
        "set bob.level to quiet",
        kinds="{colour: [red, green, blue], setting: [quiet, loud]}",
        more_marks="\n  level: {each: player, type: setting, start: loud}",
    )
    assert get(state, "p2.level") == "quiet"
    assert get(state, "players.level") == ["quiet", "loud"]


MAPS = """
  hive: {kind: hex, plural: hexes, grid: 4 x 4 hex}
  way: {kind: step, track: "path w1..w4"}
  town:
    kind: place
    flags: {t: toll}
    fields: {rank: 0..9}
    values: {rank: {A2: 7}}
    defaults: {rank: 2}
    roads:
      ring: A1 = A2 > A3 = A1
      bridge: |
        A3 >t B1
        B1 < B2
    sets:
      old: {where: place.rank > 2}
      new: {of: [B2, B1]}"""

BOARDS: list[tuple[str, Any]] = [
    # a hex grid leans: the column stays to the northeast
    ("beside(b2, northeast)", "b3"),
    ("beside(b2, northwest)", "a3"),
    ("beside(b2, east)", "c2"),
    ("beside(b2, west)", "a2"),
    ("beside(b2, southwest)", "b1"),
    ("beside(b2, southeast)", "c1"),
    ("neighbours(b2) is (b3, a3, c2, a2, b1, c1)", True),
    ("count(neighbours(a1))", 2),
    ("count(neighbours(d4))", 2),
    ("count(neighbours(a4))", 3),
    ("count(directions)", 6),
    ("last(ray(a1, northeast))", "a4"),
    ("last(ray(d1, northwest))", "a4"),
    ("count(ray(a1, northwest))", 0),
    ("count(run in lines(4))", 9),
    # a path
    ("next(w4) is none", True),
    ("previous(w1) is none", True),
    ("next(w1)", "w2"),
    ("neighbours(w1)", ["w2"]),
    ("count(ahead(w4))", 0),
    ("last(ahead(w2))", "w4"),
    # roads
    ("exits(A1) is (A2, A3)", True),
    ("exits(A2) is (A1, A3)", True),
    ("exits(A3) is (A1, B1)", True),
    ("exits(B2) is B1", True),
    ("count(exits(B1))", 0),
    ("neighbours(B1) is (A3, B2)", True),
    ("road(A3, B1).toll", True),
    ("road(B1, A3).toll", True),
    ("road(A1, A2).toll", False),
    ("road(A1, B2) is none", True),
    ("road(A1, B2).toll", False),
    ("road(A1, A2) is road(A2, A1)", True),
    ("against(A3, A2)", True),
    ("against(A2, A3)", False),
    ("against(A1, A2)", False),
    ("against(A2, A1)", False),
    ("against(B1, B2)", True),
    ("count(roads)", 5),
    ("count(x in roads if x.toll)", 1),
    ("first(places)", "A1"),
    ("last(places)", "B2"),
    ("A2.rank + B1.rank", 9),
    ("old", ["A2"]),
    ("first(new)", "B1"),
]


@pytest.fixture(scope="module")
def boards() -> State:
    """A game with a hex grid, a path and roads."""
    zones = "{spot: {of: pawn}}"
    return play(
        "nothing",
        words="{player: [me, ann, bob]}",
        map=MAPS,
        zones=zones,
        pieces="{pawn: {starts: spot}}",
        marks="{trace: {type: 0.., start: 0}}",
    )


@pytest.mark.parametrize(("text", "wanted"), BOARDS, ids=[text for text, _ in BOARDS])
def test_boards(boards: State, text: str, wanted: Any) -> None:
    """What is built in of a hex grid, a path and roads has the value that the reference says."""
    assert get(boards, text) == wanted
