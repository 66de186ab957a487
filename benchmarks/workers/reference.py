"""Our reference interpreter, in its inner loop and through the Python face."""

from __future__ import annotations

from itertools import count

from benchmarks.serve import Play, Turn
from benchmarks.workers.ours import by_face, load


def playing(game: str, way: str) -> Play:
    """``loop``: the machine picks; ``face``: states, decisions and options, as embedders do."""
    compiled = load(game, "reference")
    if way == "face":
        return by_face(compiled)
    seeds = count(1)
    return lambda: Turn(1, compiled.machine.playout(next(seeds)))
