"""The loop of a worker process; runs in the environment of a peer, so it needs only Python.

``python -m benchmarks.serve WORKER GAME WAY`` reads lines ``SECONDS`` and answers each with
``RESULT games moves wall cpu``, or with ``MISSING why`` where it cannot play. Without a way on the
command line each line names one: ``SECONDS WAY``.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Callable
from typing import NamedTuple


class Turn(NamedTuple):
    """What one call played; ``wall`` and ``cpu`` are seconds of it that do not count."""

    games: int
    moves: int
    wall: float = 0.0
    cpu: float = 0.0


class Missing(Exception):  # noqa: N818 - no fault: a row that says why it is empty
    """The worker cannot play this here."""


Play = Callable[[], Turn]


def play_for(play: Play, seconds: float) -> tuple[int, int, float, float]:
    """Play for so long: games, moves, seconds on the clock, seconds of processor time."""
    games = moves = 0
    aside = aside_cpu = 0.0
    wall, cpu = time.perf_counter(), time.process_time()
    while True:
        turn = play()
        games += turn.games
        moves += turn.moves
        aside += turn.wall
        aside_cpu += turn.cpu
        spent = time.perf_counter() - wall
        if spent >= seconds:
            return games, moves, spent - aside, time.process_time() - cpu - aside_cpu


def ready(worker: str, game: str, way: str) -> Play:
    """The worker's function that plays; raises `Missing` with a reason."""
    try:
        module = importlib.import_module(f"benchmarks.workers.{worker}")
        made: Play = module.playing(game, way)
    except ImportError as error:
        raise Missing(f"cannot be imported: {error}") from error
    return made


def main() -> None:
    """Answer until the input ends."""
    # libraries print; what they say goes to the errors, so that answers stay readable
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker, game, *ways = sys.argv[1:]
    known: dict[str, Play] = {}
    for line in sys.stdin:
        seconds, _, way = line.strip().partition(" ")
        way = ways[0] if ways else way
        try:
            if way not in known:
                known[way] = ready(worker, game, way)
        except Missing as error:
            print("MISSING", str(error).replace("\n", " "), file=answers, flush=True)
            continue
        games, moves, wall, cpu = play_for(known[way], float(seconds))
        print("RESULT", games, moves, f"{wall:.9f} {cpu:.9f}", file=answers, flush=True)


if __name__ == "__main__":
    # by its name, so that `Missing` is the class that workers raise
    importlib.import_module("benchmarks.serve").main()
