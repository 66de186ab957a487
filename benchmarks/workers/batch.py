"""Our games side by side, stepped from Python with random legal actions."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.serve import Play, Turn
from benchmarks.workers.ours import load


def playing(game: str, way: str) -> Play:
    """``own N``: N lanes, actions as `random_actions` draws them; ``numpy N``: drawn with numpy
    from the mask; ``step N``: as ``own``, without the time that choosing takes."""
    how, _, lanes = way.partition(" ")
    many = int(lanes)
    batch = load(game, "native").batch(many, seed=1)
    random = np.random.default_rng(1)

    def own() -> Turn:
        return _turn(batch.step(batch.random_actions(random)), many)

    def by_numpy() -> Turn:
        return _turn(batch.step(_choose(batch.mask(), random)), many)

    def step() -> Turn:
        wall, cpu = time.perf_counter(), time.process_time()
        actions = batch.random_actions(random)
        cpu_spent, spent = time.process_time() - cpu, time.perf_counter() - wall
        return _turn(batch.step(actions), many)._replace(wall=spent, cpu=cpu_spent)

    return {"own": own, "numpy": by_numpy, "step": step}[how]


def _choose(mask: NDArray[np.bool_], random: np.random.Generator) -> NDArray[Any]:
    """In each lane one of the allowed actions, all alike likely."""
    chosen: NDArray[Any] = (random.random(mask.shape, np.float32) * mask).argmax(axis=1)
    return chosen


def _turn(step: Any, many: int) -> Turn:
    return Turn(int(step.done.sum()), many)
