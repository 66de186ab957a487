"""What is asked of all members at once means what a loop over them means.

Each game is lowered twice, once without steps on whole sets; the loops are the judge. Both are
played on the reference engine. ``RULEWRIGHT_SOAK`` is how many random files are tried,
``RULEWRIGHT_SEED`` the first one.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from documents import ROOT
from random_rules import random_file

from interpreter import Game, RulesFault, State
from interpreter.ir import nodes as n
from interpreter.lowering import Compiled, lower, setwise
from playtest.drawn_settings import drawn
from ruleset import Ruleset, load
from ruleset.diagnostics.diagnostic import Diagnostic

SOAK = int(os.environ.get("RULEWRIGHT_SOAK", "0"))
FIRST = int(os.environ.get("RULEWRIGHT_SEED", "0"))
FILES = sorted([*(ROOT / "games").glob("*.yaml"), *(ROOT / "games" / "cookbook").glob("*.yaml")])
AT_ONCE = (n.Held, n.Preimage, n.Covers)
FUEL = 1_000_000
"""Loops burn more of it, which is no difference here."""


def lowered(rules: Ruleset, seed: int) -> tuple[Compiled, Compiled]:
    """With steps on whole sets, and with loops alone."""
    r = random.Random(seed)
    players = r.randint(rules.file.min_players, rules.file.max_players)
    if chosen := drawn(rules, {}, r):
        rules = rules.configure(chosen)
    values = {**rules.readings, **rules.option_values}
    at_once = lower(rules, players, values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setwise, "attempt", lambda s, make: None)
        loops = lower(rules, players, values)
    assert steps_at_once(loops) == 0
    at_once.program.fuel = loops.program.fuel = FUEL
    return at_once, loops


def steps_at_once(compiled: Compiled) -> int:
    """How many steps on whole sets there are."""
    functions = compiled.program.functions.values()
    blocks = [block for function in functions for block in function.blocks]
    return sum(isinstance(node, AT_ONCE) for block in blocks for node in block.code)


def told(state: State) -> tuple[object, ...] | Diagnostic:
    """All that a state says, or how asking it goes wrong."""
    try:
        asked = [(d.player, d.id, [o.text for o in d.options]) for d in state.pending]
    except RulesFault as fault:
        return fault.diagnostic
    views = [state.view(player) for player in range(1, state.game.players + 1)]
    return asked, views, state.result


def begun(compiled: Compiled, seed: int) -> State | Diagnostic:
    """The first state, or how the game goes wrong before it."""
    try:
        return Game.of_compiled(compiled, "reference").start(seed)
    except RulesFault as fault:
        return fault.diagnostic


def chosen(state: State, player: int, text: str) -> State | Diagnostic:
    """The state after a choice, or how it goes wrong."""
    (decision,) = (d for d in state.pending if d.player == player)
    try:
        return state.apply(next(option for option in decision.options if option.text == text))
    except RulesFault as fault:
        return fault.diagnostic


def agree(pair: tuple[Compiled, Compiled], seed: int, most: int) -> None:
    """A random game goes the same way in both."""
    r = random.Random(seed)
    one, other = (begun(each, seed) for each in pair)
    for _ in range(most):
        if not (isinstance(one, State) and isinstance(other, State)):
            assert one == other
            return
        found = told(one)
        assert found == told(other)
        if one.over or isinstance(found, Diagnostic):
            return
        decision = r.choice(one.pending)
        if not decision.options:
            return
        text, player = r.choice(decision.options).text, decision.player
        one, other = (chosen(state, player, text) for state in (one, other))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_games_mean_the_same_with_loops(path: Path) -> None:
    """Options, views and results of every game are those of its loops."""
    rules = load(path)
    for seed in range(FIRST, FIRST + (4 if SOAK else 1)):
        agree(lowered(rules, seed), seed, 40)


def test_random_files_mean_the_same_with_loops(tmp_path: Path) -> None:
    """So they are in files that nobody wrote, of which some ask at once."""
    some = 0
    for seed in range(FIRST, FIRST + (SOAK or 25)):
        path = tmp_path / "drawn.yaml"
        path.write_text(random_file(seed), "utf-8")
        try:
            pair = lowered(load(path), seed)
            agree(pair, seed, 25)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        some += steps_at_once(pair[0]) > 0
    assert some > 0


LINES = """
game: lines
title: {en: Lines}
players: 2
flow:
  game: {repeat: turn}
  turn: {kind: turn, each: me in players, do: me must put_stone else stop game drawn}
map:
  board: {kind: cell, grid: 3 x 3}
zones:
  supply: {each: player, of: stone}
  stone: {each: cell, holds: 0..1}
pieces:
  stone: {each: player, count: 5, starts: owner.supply}
rules:
  put_stone(me):
    choose: {cell: in cells if not any(cell.stone)}
    do: |
      let corner = first(c in cells if any(c.stone))
      draw 1 from me.supply to cell.stone
      if any(line in lines(3) if corner in line and all(c in line if c.stone.owner is me))
        stop game won by me
result: {by: stop game}
"""


def test_none_lies_in_no_line(tmp_path: Path) -> None:
    """A name that stands for none leaves no line, and is no fault."""
    path = tmp_path / "lines.yaml"
    path.write_text(LINES, "utf-8")
    pair = lowered(load(path), 0)
    for seed in range(10):
        agree(pair, seed, 9)
    state = Game.of_compiled(pair[0], "reference").start(1)
    for cell in ("a1", "a3", "b1", "b3", "c1"):
        state = state.apply(f"put_stone {cell}")
    assert state.result is not None and state.result.winners == (1,)


PILE = """
game: pile
title: {en: Pile}
players: 1
flow:
  game: {steps: [mix, turns]}
  mix: {do: shuffle deck}
  turns: {repeat: turn}
  turn: {kind: turn, each: me in players, do: me must take else stop game drawn}
kinds: {colour: [red, green, blue]}
zones:
  deck: {of: card, order: pile}
  hand: {each: player, of: card}
pieces:
  card:
    starts: deck
    fields: {hue: colour}
    types:
      apple: {copies: 3, hue: red}
      leaf: {copies: 3, hue: green}
      sea: {copies: 3, hue: blue}
rules:
  take(me):
    needs: {some: any(y in deck if y.hue is not red)}
    do: |
      let top = first(y in deck if y.hue is not red)
      if top is not none then move top to me.hand
result: {by: stop game}
"""


def test_the_first_of_a_pile_is_the_one_on_top(tmp_path: Path) -> None:
    """Where a zone has an order, the first member that meets a condition is the first in it."""
    path = tmp_path / "pile.yaml"
    path.write_text(PILE, "utf-8")
    pair = lowered(load(path), 0)
    for seed in range(5):
        agree(pair, seed, 9)
        state = Game.of_compiled(pair[0], "reference").start(seed)
        while not state.over:
            zones = state.view(1)["zones"]
            top = next(name for name in zones["deck"]["pieces"] if not name.startswith("apple"))
            state = state.apply(state.pending[0].options[0])
            assert top in state.view(1)["zones"]["hand"]["1"]["pieces"]
