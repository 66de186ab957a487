"""Machine code against the reference engine: every byte of games and of random programs."""

from __future__ import annotations

import pytest
from documents import ROOT
from ir_programs import random_program

from interpreter.ir import nodes as n
from interpreter.lowering import lower
from ruleset import load

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)

from native_lockstep import both, play, whole_games

FUEL = 5_000
GAMES = sorted(path.stem for path in (ROOT / "games").glob("*.yaml"))


def programs(name: str) -> list[n.Program]:
    """A game for the fewest and for the most players."""
    rules = load(ROOT / "games" / f"{name}.yaml")
    numbers = {rules.file.min_players, min(rules.file.max_players, 4)}
    settings = {**rules.readings, **rules.option_values}
    return [lower(rules, players, settings).program for players in sorted(numbers)]


@pytest.mark.parametrize("name", GAMES)
def test_games_agree_byte_for_byte(name: str) -> None:
    """Each game for the fewest and the most players: states, options, faults, whole games."""
    for program in programs(name):
        reference, native = both(program, level=0)
        for seed in range(2):
            play(reference, native, seed, 120)
        whole_games(reference, native, range(2))


@pytest.mark.parametrize("block", range(8))
def test_random_programs_agree_byte_for_byte(block: int) -> None:
    """Random programs, optimised in each of the ways that are used."""
    for seed in range(block * 5, block * 5 + 5):
        program = random_program(seed)
        program.fuel = FUEL
        reference, native = both(program, level=seed % 3)
        try:
            for k in range(3):
                play(reference, native, seed + k, 25)
            whole_games(reference, native, range(seed, seed + 2))
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise


@pytest.mark.parametrize("seed", [1102, 1167, 1235, 1397])
def test_programs_that_once_disagreed(seed: int) -> None:
    """Sets of three words lie 24 bytes apart; nothing is drawn after a fault."""
    program = random_program(seed)
    program.fuel = FUEL
    reference, native = both(program, level=1)
    for k in range(4):
        play(reference, native, seed * 7 + k, 40)
