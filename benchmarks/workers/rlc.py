"""RLC: rules in its language, played by a loop in that language or through its Python class.

Needs the environment's commands on the path, and a C compiler to link with.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import random
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.serve import Missing, Play, Turn

RULES = Path(__file__).resolve().parents[1] / "rules"
AT_ONCE = 1_000
SYMBOL = "rl_random_games__int64_t_int64_t_r_int64_t"


def playing(game: str, way: str) -> Play:
    """``loop``: the loop in the language; ``face``: the class that its package gives Python."""
    rules = RULES / f"{game}.rl"
    if not rules.exists():
        raise Missing(f"no rules of `{game}` written for RLC")
    commands = Path(sys.executable).parent
    os.environ["PATH"] = f"{commands}{os.pathsep}{os.environ.get('PATH', '')}"
    library = commands.parent / "lib" / "rlc" / "stdlib"
    return _face(rules) if way == "face" else _loop(rules, library)


def _loop(rules: Path, library: Path) -> Play:
    """One call plays many games."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "game.so"
        command = ["rlc", str(rules), "--shared", "--O2", "-i", str(library), "-o", str(made)]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Missing(f"rlc: {getattr(error, 'stderr', '') or error}") from error
        call = getattr(ctypes.CDLL(str(made)), SYMBOL)
    seeds = count(1)

    def play() -> Turn:
        moves, games, seed = ctypes.c_int64(), ctypes.c_int64(AT_ONCE), ctypes.c_int64(next(seeds))
        call(ctypes.byref(moves), ctypes.byref(games), ctypes.byref(seed))
        return Turn(AT_ONCE, moves.value)

    return play


def _face(rules: Path) -> Play:
    state: Any = importlib.import_module("rlc").compile([str(rules)]).start()
    rng = random.Random(1)

    def play() -> Turn:
        state.reset()
        moves = 0
        while not state.is_done():
            state.step(rng.choice(state.legal_actions))
            moves += 1
        return Turn(1, moves)

    return play
