"""What led to a state: a list of steps that states share, linked from the last to the first.

A step keeps the bytes before it, so that earlier states cost nothing to get back, and what chance
gave, so that the step can be played again with all its events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from interpreter.runtime.step import Event

Rolled: TypeAlias = "Sequence[tuple[str, int]]"


class Beginning:
    """The start of a game: its seed, and what chance gave in the set-up."""

    __slots__ = ("events", "number", "rolled", "seed")

    def __init__(self, seed: int, rolled: Rolled) -> None:
        self.seed = seed
        self.rolled = rolled
        self.number = 0
        self.events: Sequence[Event] | None = None


class Step:
    """One answer, or with ``effects`` something that was done from outside.

    ``player`` and ``candidate`` are numbers from 0; ``number`` counts the steps from 1.
    """

    __slots__ = (
        "before",
        "candidate",
        "effects",
        "events",
        "number",
        "player",
        "previous",
        "rolled",
    )

    def __init__(
        self,
        previous: Step | Beginning,
        before: bytes,
        player: int,
        candidate: int,
        rolled: Rolled,
        effects: str = "",
    ) -> None:
        self.previous = previous
        self.before = before
        self.player = player
        self.candidate = candidate
        self.rolled = rolled
        self.effects = effects
        self.number: int = previous.number + 1
        self.events: Sequence[Event] | None = None


Past: TypeAlias = "Step | Beginning"


def steps_of(past: Past) -> tuple[Beginning, list[Step]]:
    """The beginning, and the steps from the first to the last."""
    steps: list[Step] = []
    while isinstance(past, Step):
        steps.append(past)
        past = past.previous
    steps.reverse()
    return past, steps
