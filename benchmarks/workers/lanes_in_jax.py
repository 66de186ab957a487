"""What pgx and Ludax have in common: games side by side in JAX, compiled, restarted when over.

``scan N``: many steps of N games in one compiled call; ``step N``: one compiled step a call from
Python. Actions are drawn from the legal ones inside the compiled function.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from benchmarks.serve import Play, Turn

MOVES_A_CALL = 65_536
FEWEST_STEPS, MOST_STEPS = 16, 2_048
Advance = Callable[[Any, Any], tuple[Any, Any]]
"""States of all lanes and a key of chance -> the next states, and in which lanes a game ended."""


def lanes(way: str, begin: Callable[[Any], Any], advance: Callable[[int], Advance]) -> Play:
    """``begin``: a key a lane -> states; ``advance``: for so many lanes, one step."""
    jax: Any = importlib.import_module("jax")
    kind, _, size = way.partition(" ")
    many = int(size)
    step = advance(many)
    steps = 1
    if kind == "scan":
        steps = min(MOST_STEPS, max(FEWEST_STEPS, MOVES_A_CALL // many))

    def one(carry: Any, _: Any) -> tuple[Any, Any]:
        states, key = carry
        key, own = jax.random.split(key)
        states, over = step(states, own)
        return (states, key), over.sum()

    @jax.jit  # type: ignore[untyped-decorator]
    def call(states: Any, key: Any) -> Any:
        if kind == "step":
            (states, key), ended = one((states, key), None)
            return states, key, ended
        (states, key), ended = jax.lax.scan(one, (states, key), None, length=steps)
        return states, key, ended.sum()

    held = [jax.jit(begin)(jax.random.split(jax.random.PRNGKey(0), many)), jax.random.PRNGKey(1)]

    def play() -> Turn:
        held[0], held[1], ended = call(held[0], held[1])
        return Turn(int(ended), steps * many)

    return play
