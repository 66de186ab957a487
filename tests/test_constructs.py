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


SERIES = """\
flow: {game: {each: me in players, do: act(me)}}
kinds: {suit: [red, blue]}
zones: {deck: {of: card}, prizes: {of: prize}}
pieces:
  card:
    starts: deck
    fields: {suit: suit, rank: 1..13, wild: flag}
    defaults: {wild: false}
    series: {suit: [red, blue], rank: 2..4, copies: 2}
    types: {joker: {suit: red, rank: 1, wild: true}}
    total: 13
  prize: {starts: prizes, fields: {value: 0..20}, series: {value: 1..13}}
counters: {vp: {each: player, range: 0..}}
rules:
  act(me):
    do: |
      gain sum(c.rank for c in cards if c.suit is blue) * 100 + sum(p.value for p in prizes) me.vp
      gain count(c in cards if c.type is blue_3) * 10000 me.vp
labels: {pieces.card.types.red_3: {en: red three}, pieces.prize.types.prize_7: {en: seven}}
"""


def test_a_series_of_types(tmp_path: Path) -> None:
    """A type for each combination, with its copies; other types may stand beside them."""
    assert scores(tmp_path, SERIES) == [21891, 21891]
    rules = ruleset.load(tmp_path / "small.yaml")
    names = [face.name for face in rules.file.pieces[0].types]
    assert names == ["joker", "red_2", "red_3", "red_4", "blue_2", "blue_3", "blue_4"]


@pytest.mark.parametrize(
    ("was", "now", "fault"),
    [
        ("rank: 2..4, copies", "rank: 2.., copies", ("RW288", "2..")),
        ("rank: 2..4, copies", "rnak: 2..4, copies", ("RW280", "rnak")),
        ("suit: [red, blue], rank", "suit: [red, bleu], rank", ("RW201", "bleu")),
        ("rank: 2..4, copies", "rank: 2..14, copies", ("RW307", "2..14")),
        ("value: 1..13}", "value: 1..900}", ("RW288", "{")),
        ("{joker: ", "{red_3: ", ("RW213", "red")),
    ],
)
def test_a_series_that_cannot_be(
    tmp_path: Path, was: str, now: str, fault: tuple[str, str]
) -> None:
    """Fields, values and ends that do not fit are told where they stand."""
    assert fault in told(tmp_path, SERIES.replace(was, now))


DICE = """\
flow: {game: {each: me in players, do: act(me)}}
zones: {cup: {each: player, of: die}}
pieces: {die: {each: player, plural: dice, count: 3, sides: 2..6, starts: owner.cup}}
counters: {vp: {each: player, range: 0..}}
rules:
  act(me):
    do: |
      gain sum(d.side for d in me.dice) me.vp
      flip me.dice to 5
      for d in first(me.dice) do flip d to 3
      gain sum(d.side for d in me.dice) * 100 + count(me.dice.side) * 10000 me.vp
"""


def test_dice_with_numbers(tmp_path: Path) -> None:
    """The side of a die is a number: it adds up, and it can be turned to a number."""
    assert scores(tmp_path, DICE) == [21306, 21306]


@pytest.mark.parametrize(
    ("was", "now", "fault"),
    [
        ("sides: 2..6", "sides: 2..", ("RW288", "2..")),
        ("flip d to 3", "flip d to 7", ("RW307", "7")),
        ("flip d to 3", "flip d to me", ("RW301", "me")),
    ],
)
def test_dice_that_cannot_be(tmp_path: Path, was: str, now: str, fault: tuple[str, str]) -> None:
    """Numbers that are on no die."""
    assert fault in told(tmp_path, DICE.replace(was, now))
