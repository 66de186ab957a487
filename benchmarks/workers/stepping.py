"""One state of ours at a time, stepped from a Python loop."""

from __future__ import annotations

import random
from itertools import count

from benchmarks.serve import Missing, Play, Turn
from benchmarks.workers.ours import by_face, load


def playing(game: str, way: str) -> Play:
    """``fast``: the functions of the machine code; ``face``: states, decisions and options."""
    compiled = load(game, "native")
    if way == "face":
        return by_face(compiled)
    fast = compiled.fast
    if fast is None:
        raise Missing("this Python takes no functions in machine code")
    start, step, candidates_of, asked = fast.start, fast.step, fast.candidates, fast.asked
    seeds, draw = count(1), random.Random(1).random

    def play() -> Turn:
        state = start(next(seeds))
        moves = 0
        while player := asked(state):
            candidates = candidates_of(state, player)
            state = step(state, player, candidates[int(draw() * len(candidates))])
            moves += 1
        return Turn(1, moves)

    return play
