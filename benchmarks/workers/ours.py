"""How our own workers find a game, and how an embedder plays one.

``NAME``, ``NAME:PLAYERS`` or a path of a file, perhaps with ``:PLAYERS``; without a number as few
play as the game allows.
"""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path
from typing import Literal

import interpreter
import ruleset
from benchmarks.serve import Missing, Play, Turn

GAMES = Path(__file__).resolve().parents[2] / "games"


def path_of(game: str) -> Path:
    """The file of a game."""
    name = game.partition(":")[0]
    return Path(name) if name.endswith(".yaml") else GAMES / f"{name}.yaml"


def load(game: str, engine: Literal["auto", "native", "reference"]) -> interpreter.Game:
    """The game on an engine; raises `Missing` where there is no machine code."""
    rules = ruleset.load(path_of(game))
    players = game.partition(":")[2]
    made = interpreter.Game(
        rules, int(players) if players else rules.file.min_players, engine=engine
    )
    if engine == "native" and made.native is None:
        raise Missing("no machine code: llvmlite is missing, or the program is refused")
    return made


def by_face(game: interpreter.Game) -> Play:
    """States, decisions and options, as embedders use them: one random game a call."""
    seeds, rng = count(1), random.Random(1)

    def play() -> Turn:
        state = game.start(seed=next(seeds))
        moves = 0
        while not state.over:
            options = state.pending[0].options
            state = state.apply(options[rng.randrange(len(options))])
            moves += 1
        return Turn(1, moves)

    return play
