"""Constructs of the language, played: a small game for each, and the faults that belong to it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleset
from interpreter import Game

HEAD = "game: small\ntitle: {en: Small}\nplayers: 2\nsource: a test\n"
TAIL = "result: {most: [vp]}\n"


def scores(folder: Path, text: str, players: int = 2) -> list[int]:
    """The points of all players at the end of a game without choices."""
    path = folder / "small.yaml"
    path.write_text(HEAD + text + TAIL, "utf-8")
    state = Game(ruleset.load(path), players).start(seed=1)
    assert state.over
    return [state.ledger("vp", seat + 1)[-1].total for seat in range(players)]


def told(folder: Path, text: str) -> list[tuple[str, str]]:
    """What is said of a game: code and words under the caret."""
    path = folder / "small.yaml"
    path.write_text(HEAD + text + TAIL, "utf-8")
    found = ruleset.check(path).sorted()
    return [(d.code, d.span.text if d.span else "") for d in found]


NESTED = """\
flow:
  game: {steps: [round]}
  round: {each: me in players, steps: [first_half, second_half]}
  first_half: {each: cell in cells, if: cell.row is 1, steps: [inner]}
  inner: {if: me is first(players), do: gain cell.column me.vp}
  second_half: {repeat: once, times: count(players)}
  once: {do: gain 100 me.vp}
map: {board: {kind: cell, grid: 2 x 2}}
counters: {vp: {each: player, range: 0..}}
"""
SEATS = """\
flow: {game: {each: me in players, do: act(me)}}
seats:
  fields: {home: set of cell, far: set of cell, gold: 0..9, base: cell or none}
  defaults: {gold: 3, base: none}
  1: {home: bottom, far: [a1, b2], base: a1}
  2: {home: [a2, b2], far: bottom + a2, gold: 5}
map: {board: {kind: cell, grid: 2 x 2, sets: {bottom: {where: cell.row is 1}}}}
zones: {stone: {each: cell, holds: 0..1}}
pieces: {stone: {each: player, count: 2, starts: owner.home.stone}}
counters: {vp: {each: player, range: 0..}}
rules:
  act(me):
    do: |
      gain me.gold + count(me.home.stone) * 10 + count(me.far) me.vp
      if me.base.stone.owner is me then gain 100 me.vp
"""
BOX = """\
flow: {game: {each: me in players, do: act(me)}}
zones: {hand: {each: player, of: card}}
pieces: {card: {each: player, count: 3, starts: owner.hand}}
counters: {vp: {each: player, range: 0..}}
rules:
  act(me):
    do: |
      for c in first(me.hand) do move c to box
      gain count(box.cards) * 10 + count(those(p.hand for p in players)) me.vp
"""


def test_steps_know_the_names_around_them(tmp_path: Path) -> None:
    """An inner step knows whose turn the steps around it are, however deep it lies."""
    assert scores(tmp_path, NESTED) == [203, 200]


@pytest.mark.parametrize(
    ("was", "now", "fault"),
    [
        ("each: cell in cells", "each: me in players", ("RW210", "me")),
        ("steps: [round]", "steps: [round, once]", ("RW201", "me")),
    ],
)
def test_names_around_steps_that_cannot_be(
    tmp_path: Path, was: str, now: str, fault: tuple[str, str]
) -> None:
    """A name is bound once on the way, and known only where every way binds it."""
    text = NESTED.replace(was, now)
    if fault[0] == "RW210":
        text = text.replace("if: cell.row is 1, ", "").replace("cell.column", "1")
    assert fault in told(tmp_path, text)


def test_seats(tmp_path: Path) -> None:
    """Each player reads the values of the own seat; pieces start on a set of spaces."""
    assert scores(tmp_path, SEATS) == [125, 28]


@pytest.mark.parametrize(
    ("was", "now", "fault"),
    [
        ("gold: 5}", "gold: 12}", ("RW307", "12")),
        ("gold: 5}", "glod: 5}", ("RW280", "glod")),
        ("home: bottom", "home: bottm", ("RW201", "bottm")),
        ("home: [a2, b2]", "home: [a2, b9]", ("RW204", "b9")),
        ("{gold: 3, base: none}", "{base: none}", ("RW362", "0..9")),
        ("  2: {home", "  3: {home", ("RW287", "3")),
        ("gold: 0..9", "gold: effect(me)", ("RW287", "effect(me)")),
        ("gold: 0..9", "gold: 0..9, vp: 0..9", ("RW213", "0..9")),
    ],
)
def test_seats_that_cannot_be(tmp_path: Path, was: str, now: str, fault: tuple[str, str]) -> None:
    """Values that do not fit, fields and seats that do not exist."""
    assert fault in told(tmp_path, SEATS.replace(was, now))


def test_pieces_go_round_the_spaces_where_they_start(tmp_path: Path) -> None:
    """Seven pieces on four spaces: two on each of the first three, one on the last."""
    text = """\
flow: {game: {each: me in players, do: act(me)}}
map: {board: {kind: cell, grid: 2 x 2}}
zones: {stones: {each: cell, of: stone}}
pieces: {stone: {count: 7, starts: (b2 + cells - a1).stones}}
counters: {vp: {each: player, range: 0..}}
rules:
  act(me): {do: gain count(b1.stones) * 100 + count(a2.stones) * 10 + count(b2.stones) me.vp}
"""
    assert scores(tmp_path, text) == [322, 322]


def test_pieces_that_do_not_fit_where_they_start(tmp_path: Path) -> None:
    """More pieces than the spaces have room for are told."""
    text = """\
flow: {game: {each: me in players, do: gain count(spots.stone) me.vp}}
map: {board: {kind: cell, grid: 2 x 2, sets: {spots: {of: [a1, b1]}}}}
zones: {stone: {each: cell, holds: 0..1}}
pieces: {stone: {count: 3, starts: spots.stone}}
counters: {vp: {each: player, range: 0..}}
"""
    assert told(tmp_path, text) == [("RW421", "spots.stone")]


def test_the_box_and_unions(tmp_path: Path) -> None:
    """`box.cards` are the pieces out of the game; `those` puts sets together."""
    assert scores(tmp_path, BOX) == [15, 24]


@pytest.mark.parametrize(
    ("was", "now", "fault"),
    [
        ("box.cards", "box.crads", ("RW202", "crads")),
        ("count(box.cards)", "count(box)", ("RW310", "box")),
        ("first(me.hand)", "p1.hand", ("RW201", "p1")),
        ("do move c to box", "do set c to 2", ("RW110", "c")),
        ("{hand: ", "{swap: {of: card}, hand: ", ("RW103", "swap")),
        ("{card: {", "{card: {fields: {first: 1..2}, defaults: {first: 1}, ", ("RW103", "first")),
    ],
)
def test_slips_with_names(tmp_path: Path, was: str, now: str, fault: tuple[str, str]) -> None:
    """A slip is told at its place; a word of the language where it is declared."""
    assert fault in told(tmp_path, BOX.replace(was, now))
