"""Ludax on the processor, see `benchmarks.workers.lanes_in_jax`."""

from __future__ import annotations

import importlib
from typing import Any

from benchmarks.serve import Missing, Play
from benchmarks.workers.lanes_in_jax import Advance, lanes


def playing(game: str, way: str) -> Play:
    """``scan N`` or ``step N``."""
    jax: Any = importlib.import_module("jax")
    ludax: Any = importlib.import_module("ludax")
    text = getattr(importlib.import_module("ludax.games"), game, None)
    if text is None:
        raise Missing(f"Ludax has no `{game}`")
    env = ludax.LudaxEnvironment(game_str=text)
    fresh = env.init(jax.random.PRNGKey(0))

    def one(state: Any, key: Any) -> tuple[Any, Any]:
        allowed = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        after = env.step(state, jax.random.categorical(key, allowed))
        over = after.terminated | after.truncated
        return jax.tree_util.tree_map(lambda f, a: jax.numpy.where(over, f, a), fresh, after), over

    def advance(many: int) -> Advance:
        def step(states: Any, key: Any) -> tuple[Any, Any]:
            states, over = jax.vmap(one)(states, jax.random.split(key, many))
            return states, over

        return step

    return lanes(way, jax.vmap(env.init), advance)
