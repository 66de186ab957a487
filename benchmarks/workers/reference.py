"""Our reference interpreter, in its inner loop and through the Python face."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path

import interpreter
import ruleset

GAMES = Path(__file__).resolve().parents[2] / "games"


def playouts(game: str, way: str) -> Callable[[], int]:
    """``loop``: the machine picks; ``face``: states, decisions and options, as embedders do."""
    rules = ruleset.load(GAMES / f"{game}.yaml")
    compiled = interpreter.Game(rules, players=rules.file.min_players)
    seeds = count(1)
    if way == "loop":
        return lambda: compiled.machine.playout(next(seeds))
    rng = random.Random(1)

    def play() -> int:
        state = compiled.start(seed=next(seeds))
        moves = 0
        while not state.over:
            options = state.pending[0].options
            state = state.apply(options[rng.randrange(len(options))])
            moves += 1
        return moves

    return play
