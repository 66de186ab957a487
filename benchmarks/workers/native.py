"""Our machine code: whole random games in one call."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import interpreter
import ruleset
from benchmarks.workers.reference import GAMES

AT_ONCE = 5_000
"""Games a call, so that what is measured is play and not the calls."""


def playouts(game: str, way: str) -> Callable[[], int]:
    """``way`` is not used: there is one. Raises ImportError where there is no compiler library."""
    del way
    import llvmlite  # noqa: F401  # without it the games would be played on the reference

    rules = ruleset.load(GAMES / f"{game}.yaml")
    compiled = interpreter.Game(rules, players=rules.file.min_players, engine="native")
    seeds = count(1, AT_ONCE)
    return lambda: compiled.playouts(AT_ONCE, seed=next(seeds)).choices
