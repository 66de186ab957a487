"""pgx on the processor, see `benchmarks.workers.lanes_in_jax`."""

from __future__ import annotations

import importlib
from typing import Any

from benchmarks.serve import Missing, Play
from benchmarks.workers.lanes_in_jax import Advance, lanes


def playing(game: str, way: str) -> Play:
    """``scan N`` or ``step N``."""
    jax: Any = importlib.import_module("jax")
    pgx: Any = importlib.import_module("pgx")
    if game not in pgx.available_envs():
        raise Missing(f"pgx has no `{game}`")
    env = pgx.make(game)
    act: Any = importlib.import_module("pgx.experimental.utils").act_randomly
    again = importlib.import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init)

    def advance(many: int) -> Advance:
        def step(states: Any, key: Any) -> tuple[Any, Any]:
            choice, chance = jax.random.split(key)
            actions = act(choice, states.legal_action_mask)
            states = jax.vmap(again)(states, actions, jax.random.split(chance, many))
            return states, states.terminated

        return step

    return lanes(way, jax.vmap(env.init), advance)
