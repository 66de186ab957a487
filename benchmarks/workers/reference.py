"""Our reference interpreter, in its inner loop and through the Python face."""

from __future__ import annotations

import random
from itertools import count

from benchmarks.serve import Play, Turn
from benchmarks.workers.ours import load


def playing(game: str, way: str) -> Play:
    """``loop``: the machine picks; ``face``: states, decisions and options, as embedders do."""
    compiled = load(game, "reference")
    seeds = count(1)
    if way == "loop":
        return lambda: Turn(1, compiled.machine.playout(next(seeds)))
    rng = random.Random(1)

    def play() -> Turn:
        state = compiled.start(seed=next(seeds))
        moves = 0
        while not state.over:
            options = state.pending[0].options
            state = state.apply(options[rng.randrange(len(options))])
            moves += 1
        return Turn(1, moves)

    return play
