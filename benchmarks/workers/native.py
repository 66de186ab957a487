"""Our machine code: whole random games in one call."""

from __future__ import annotations

import os
import time
from itertools import count

import interpreter
from benchmarks.serve import Missing, Play, Turn
from benchmarks.workers.ours import load
from interpreter.ir.layout import OVER, STATUS, cell

CALL = 0.02
"""About so many seconds a call, so that what is measured is play and not the calls."""
SAMPLE = 200
"""Games by which the number of games a call is found."""


def playing(game: str, way: str) -> Play:
    """``N``: so many threads, on as many cores."""
    threads = int(way)
    if hasattr(os, "sched_setaffinity") and threads > 1:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    compiled = load(game, "native")
    _sound(compiled)
    start = time.perf_counter()
    compiled.playouts(SAMPLE)
    many = max(threads, round(SAMPLE * CALL * threads / (time.perf_counter() - start)))
    seeds = count(1, many)
    return lambda: Turn(many, compiled.playouts(many, next(seeds), threads).choices)


def _sound(compiled: interpreter.Game) -> None:
    """Raises `Missing` where random games do not end as they should: speed would say nothing."""
    size = compiled.machine.layout.size
    ends = compiled.playouts(SAMPLE, keep=True).states
    for k in range(SAMPLE):
        if cell(ends[k * size : (k + 1) * size], "i", STATUS) != OVER:
            raise Missing(f"the rules go wrong in the game with seed {k}")
