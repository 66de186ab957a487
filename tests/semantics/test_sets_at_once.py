"""Conditions that are asked of all members at once mean what they mean of each member alone.

The options of a choice are one set. Judges are the same game lowered without steps on whole sets,
and the condition asked from outside for one cell at a time.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest

import ruleset
from interpreter import Game, State
from interpreter.ir import nodes as n
from interpreter.lowering import setwise

GAME = """
game: small
title: {en: Small}
source: made up
players: 2
words: {player: [me], cell: [here, c]}
flow:
  game: {repeat: turn}
  turn: {kind: turn, each: me in players, do: "me must one of place, disturb, rest"}
kinds: {colour: [red, green, blue]}
map:
  board:
    kind: cell
    grid: 4 x 4
seats:
  fields: {home: set of cell, forward: set of direction, first_home: cell or none}
  1: {home: [a1, b1, c1], forward: [north, east], first_home: a1}
  2: {home: [a4, b4], forward: [south], first_home: none}
zones:
  box_of:  {each: player, of: stone}
  stone:   {each: cell, of: stone, holds: 0..1}
  heap:    {each: cell, of: chip}
  store:   {of: chip}
pieces:
  stone: {each: player, count: 8, starts: owner.box_of}
  chip:
    starts: store
    fields: {hue: colour, worth: 0..3}
    types: {low: {copies: 3, hue: red, worth: 1}, high: {copies: 3, hue: blue, worth: 3}}
marks:
  latest: {type: cell or none, start: none}
  kept: {type: set of cell, start: ()}
  tint: {type: colour, start: red}
rules:
  place(me):
    choose: {here: "in cells if COND"}
    do: change(me, here)
  disturb(me):
    choose: {here: in cells}
    do: change(me, here)
  change(me, here):
    do: |
      set game.latest to here
      if here in game.kept then set game.kept to game.kept - here
      else set game.kept to game.kept + here
      let x = here.stone
      if x is not none then move x to x.owner.box_of
      else if any(me.box_of) then draw 1 from me.box_of to here.stone
      let y = first(z in store)
      if y is not none then move y to here.heap
      else move here.heap to store
  rest(me):
    do: |
      set game.tint to blue
      if count(game.kept) is 16 then stop game drawn
  free(c): {is: not any(c.stone), spare: some conditions ask it}
  ways(me, c):
    is: "those(beside(c, d) for d in me.forward if not any(beside(c, d).stone))"
    spare: as above
  mine(me, c): {is: c.stone.owner is me, spare: as above}
result: {by: stop game}
"""

AT_ONCE = (
    "not any(here.stone)",
    "any(here.stone)",
    "any(here.heap)",
    "here.row is 1",
    "here.row in (1, 4) and not any(here.heap)",
    "here.stone.owner is me",
    "here.stone.owner is not me",
    "not (here.stone.owner is me or here.row is 2)",
    "any(beside(here, south).stone)",
    "beside(here, west).stone.owner is not me and here.column < 4",
    "here in me.home or any(beside(here, northeast).heap)",
    "here is game.latest",
    "here is not game.latest",
    "here is me.first_home",
    "here in game.kept",
    "beside(here, east) in game.kept",
    "beside(here, east) not in game.kept",
    "free(here)",
    "mine(me, here)",
    "any(d in directions if any(beside(here, d).stone) and d in me.forward)",
    "all(d in me.forward if not any(beside(here, d).stone))",
    "any(d in me.forward if beside(here, d).stone.owner is me)",
    "any(ways(me, here))",
    "any(near in neighbours(here) if near.stone.owner is me)",
    "all(near in neighbours(here) if not any(near.stone))",
    "game.tint is red and not any(here.stone)",
    "game.tint is blue or any(here.heap)",
    "here.stone is none",
    "beside(here, north) is none",
    "beside(here, north) is not none and beside(here, north) is not game.latest",
)
"""Conditions that need no loop over cells."""

ONE_BY_ONE = (
    "count(here.heap) > 1",
    "not any(here.stone) and count(here.heap) < 2",
    "any(x in here.heap if x.hue is blue)",
)
"""Conditions of which some or all must be asked of each cell."""

CELLS = [f"{column}{row}" for row in "1234" for column in "abcd"]


def made(condition: str, loops: bool = False) -> Game:
    """The game in which cells are chosen so; ``loops``: without steps on whole sets."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "small.yaml"
        path.write_text(GAME.replace("COND", condition), encoding="utf-8")
        if loops:
            patch.setattr(setwise, "attempt", lambda s, make: None)
        return Game(ruleset.load(path), 2)


def offered(state: State) -> set[str]:
    """The cells that can be chosen."""
    (decision,) = state.pending
    texts = [option.text for option in decision.options]
    return {text[len("place(here=") : -1] for text in texts if text.startswith("place")}


def asked_alone(state: State, condition: str) -> set[str]:
    """The cells of which the condition holds, asked one by one."""
    me = f"p{state.pending[0].player}"
    out = set()
    for cell in CELLS:
        words = condition.replace("(me", f"({me}").replace(" me", f" {me}").replace("here", cell)
        if state.game.evaluate(state, words):
            out.add(cell)
    return out


@pytest.mark.parametrize("condition", AT_ONCE + ONE_BY_ONE)
def test_options_are_those_of_each_cell_alone(condition: str) -> None:
    """In a random game the set of options is made of the cells that meet the condition alone."""
    rng = random.Random(condition)
    state, judge = made(condition).start(1), made(condition, loops=True).start(1)
    seen: set[int] = set()
    for _ in range(20):
        found = offered(state)
        seen.add(len(found))
        assert found == asked_alone(state, condition) == offered(judge)
        text = rng.choice(state.pending[0].options).text
        state, judge = state.apply(text), judge.apply(text)
    assert seen != {0}


@pytest.mark.parametrize("condition", AT_ONCE)
def test_no_loop_is_left(condition: str) -> None:
    """The options function has one block, so no loop."""
    function = made(condition).compiled.program.functions["place?0"]
    assert len(function.blocks) == 1


@pytest.mark.parametrize("condition", ONE_BY_ONE)
def test_a_loop_is_left(condition: str) -> None:
    """What cannot be asked at once is asked in a loop."""
    function = made(condition).compiled.program.functions["place?0"]
    assert any(isinstance(x, n.First) for block in function.blocks for x in block.code)
