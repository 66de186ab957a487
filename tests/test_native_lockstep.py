"""Machine code against the reference engine: every byte of games and of random programs."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from documents import ROOT
from ir_programs import random_program, sifted_program

from interpreter.ir import nodes as n
from interpreter.lowering import lower
from playtest.drawn_settings import drawn
from ruleset import load

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)

from native_lockstep import agree, both, play, whole_games

FUEL = 5_000
SOAK = int(os.environ.get("RULEWRIGHT_SOAK", "0"))
"""How many random programs are tried, and games played of each game; the first seed is next."""
FIRST = int(os.environ.get("RULEWRIGHT_SEED", "0"))
FILES = (*(ROOT / "games").glob("*.yaml"), *(ROOT / "games" / "cookbook").glob("*.yaml"))
GAMES = sorted(str(path.relative_to(ROOT / "games").with_suffix("")) for path in FILES)


def programs(name: str) -> Iterator[n.Program]:
    """A game for the fewest and for the most players; in a long run for every number of them,
    and under readings and options by chance, too."""
    rules = load(ROOT / "games" / f"{name}.yaml")
    low, high = rules.file.min_players, rules.file.max_players
    for players in range(low, high + 1) if SOAK else sorted({low, min(high, 4)}):
        settings = {**rules.readings, **rules.option_values}
        yield lower(rules, players, settings).program
        for seed in range(FIRST, FIRST + SOAK // 100):
            other = rules.configure(drawn(rules, {}, random.Random(seed)))
            yield lower(other, players, {**other.readings, **other.option_values}).program


@pytest.mark.parametrize("name", GAMES)
def test_games_agree_byte_for_byte(name: str) -> None:
    """Each game for the fewest and the most players: states, options, faults, whole games."""
    for program in programs(name):
        reference, native = both(program, level=0)
        for seed in range(FIRST, FIRST + 2 + SOAK // 100):
            play(reference, native, seed, 2_000 if SOAK else 120)
        whole_games(reference, native, range(FIRST, FIRST + 2 + SOAK // 100))


@pytest.mark.parametrize("block", range(8))
def test_random_programs_agree_byte_for_byte(block: int) -> None:
    """Random programs, optimised in each of the ways that are used; some with little fuel."""
    many = max(5, SOAK // 8)
    for seed in range(FIRST + block * many, FIRST + block * many + many):
        program = sifted_program(seed) if seed % 3 == 1 else random_program(seed)
        program.fuel = FUEL if seed % 5 else 20 + seed % 90
        agree(program, seed % 3, seed, 25)


@pytest.mark.parametrize("level", [1, 2])
def test_tables_of_wide_sets_are_read_alike(level: int) -> None:
    """The optimiser knows how far apart the rows of a table lie."""
    program = random_program(50419)
    reference, native = both(program, level)
    for seed in range(4):
        play(reference, native, seed, 10)


@pytest.mark.parametrize("seed", [1102, 1167, 1235, 1397])
def test_programs_that_once_disagreed(seed: int) -> None:
    """Sets of three words lie 24 bytes apart; nothing is drawn after a fault."""
    program = random_program(seed)
    program.fuel = FUEL
    reference, native = both(program, level=1)
    for k in range(4):
        play(reference, native, seed * 7 + k, 40)
