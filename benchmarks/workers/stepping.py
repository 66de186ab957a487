"""One state of ours at a time, stepped from a Python loop."""

from __future__ import annotations

import random
from itertools import count

from benchmarks.serve import Missing, Play, Turn
from benchmarks.workers.ours import by_face, load

DENSE = 3
"""Where every third candidate is allowed, it is quicker to draw until one is."""


def playing(game: str, way: str) -> Play:
    """``fast``: the functions of the machine code; ``face``: states, decisions and options."""
    compiled = load(game, "native")
    if way == "face":
        return by_face(compiled)
    fast = compiled.fast
    if fast is None:
        raise Missing("this Python takes no functions in machine code")
    start, step, options_of, asked = compiled.start, fast.step, fast.options, fast.asked
    seeds, draw = count(1), random.Random(1).random

    def play() -> Turn:
        state = start(seed=next(seeds)).to_bytes()
        moves = 0
        while player := asked(state):
            options = options_of(state, player)
            size = options.bit_length()
            if options.bit_count() * DENSE > size:
                candidate = int(draw() * size)
                while not options >> candidate & 1:
                    candidate = int(draw() * size)
            else:
                for _ in range(int(draw() * options.bit_count())):
                    options &= options - 1
                candidate = (options & -options).bit_length() - 1
            state = step(state, player, candidate)
            moves += 1
        return Turn(1, moves)

    return play
