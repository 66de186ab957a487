"""Whole games of random play: what came of them, and how the reference engine plays them.

Choice number k of the game with seed s is made by number k of the seed ``~s`` (see `chance`): the
same in every engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault


@dataclass(frozen=True, slots=True)
class Playouts:
    """Many whole games, each with the next seed.

    ``choices``: how many were made in all; ``lengths``: in each game. ``states``: the last states
    one after the other, where they were asked for. A game that went wrong has the status FAULT in
    its last state, with code and site; what else is in there means nothing.
    """

    choices: int
    lengths: Sequence[int]
    states: bytes


def playouts(machine: Machine, games: int, seed: int, most: int, keep: bool) -> Playouts:
    """Games on the reference engine; ``most`` choices in each."""
    lengths: list[int] = []
    states: list[bytes] = []
    for k in range(games):
        try:
            lengths.append(machine.playout(seed + k, most))
            last = machine.working_state
        except Fault as fault:
            lengths.append(0)
            last = machine.layout.broken(machine.layout.initial(seed + k), fault.code, fault.site)
        if keep:
            states.append(last)
    return Playouts(sum(lengths), lengths, b"".join(states))
