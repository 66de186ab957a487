"""Lockstep has teeth: it notices most small faults in the emitter of machine code.

About a third of the mutants survive: most of them only cost time, or change what is never reached
(the room for the log, the shape of a set that fits one word, limits of the passes over loops).
`python -m native_mutants 70 7` lists them; to look through the list is the use of it.

``RULEWRIGHT_SOAK`` is how many mutants are tried, ``RULEWRIGHT_SEED`` which.
"""

from __future__ import annotations

import os

import pytest
from documents import ROOT
from ir_programs import random_program, sifted_program

from interpreter.lowering import lower
from interpreter.runtime.machine import Machine
from ruleset import load

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)
if not hasattr(os, "fork"):
    pytest.skip("a mutant may crash, so it lives in a forked process", allow_module_level=True)

from native_mutants import tried

SOAK = int(os.environ.get("RULEWRIGHT_SOAK", "0"))
SEED = int(os.environ.get("RULEWRIGHT_SEED", "1"))
GAMES = ("tic_tac_toe", "kuhn_poker", "othello")


def references() -> list[Machine]:
    """What the mutants play: games, and random programs, some of which run out of fuel."""
    programs = []
    for name in GAMES:
        rules = load(ROOT / "games" / f"{name}.yaml")
        settings = {**rules.readings, **rules.option_values}
        programs.append(lower(rules, rules.file.min_players, settings).program)
    for seed in range(100, 110):
        programs.append(sifted_program(seed) if seed % 3 == 2 else random_program(seed))
        programs[-1].fuel = 5_000 if seed % 2 else 50 + seed % 10
    return [Machine(program) for program in sorted(programs, key=lambda p: len(p.functions))]


def test_small_faults_of_the_emitter_are_noticed() -> None:
    """Of mutants that emit something else, most are noticed."""
    many = SOAK or 8
    found = tried(many, SEED, references())
    survivors = [str(mutant) for mutant, end in found if end == "survived"]
    assert len(survivors) <= many // 2, "\n".join(survivors)
