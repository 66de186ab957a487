"""Whole games of random play: what came of them, and how the reference engine plays them.

Choice number k of the game with seed s is made by number k of the seed ``~s`` (see `chance`): the
same in every engine.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from interpreter.runtime.chance import GOLDEN, MASK, mix64
from interpreter.runtime.errors import GameError
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault

if TYPE_CHECKING:
    from interpreter.runtime.game import Game

WORTH: Final = 1.0
"""Seconds of play for which a compiler is worth its while."""


@dataclass(frozen=True, slots=True)
class Playouts:
    """Many whole games, each with the next seed.

    ``choices``: how many were made in all; ``lengths``: in each game. ``states``: the last states
    one after the other, where they were asked for. A game that went wrong has the status FAULT in
    its last state, with code and site; all else in there is as before the first step.
    """

    choices: int
    lengths: array[int]
    states: bytes


def chosen(seed: int, number: int, allowed: int) -> int:
    """Choice number ``number`` (from 0) of the game with a seed, out of a set that is not empty."""
    way = mix64((mix64(~seed & MASK) + GOLDEN * number) & MASK)
    for _ in range(((way >> 32) * allowed.bit_count()) >> 32):
        allowed &= allowed - 1
    return (allowed & -allowed).bit_length() - 1


def playout(machine: Machine, seed: int, most: int) -> tuple[int, bytes]:
    """One game on the reference engine: how many choices it took, and its last state."""
    try:
        return machine.playout(seed, most), machine.working_state
    except Fault as fault:
        blank = machine.layout.initial(seed)
        return machine.choices, machine.layout.broken(blank, fault.code, fault.site)


def playouts(machine: Machine, games: int, seed: int, most: int, keep: bool) -> Playouts:
    """Games on the reference engine; ``most`` choices in each."""
    return _joined([playout(machine, seed + k, most) for k in range(games)], keep)


def _joined(found: Sequence[tuple[int, bytes]], keep: bool) -> Playouts:
    states = b"".join(state for _, state in found) if keep else b""
    lengths = array("q", [length for length, _ in found])
    return Playouts(sum(lengths), lengths, states)


def some_games(game: Game, games: int, seed: int, threads: int, most: int, keep: bool) -> Playouts:
    """Games on the engine of the game: on the reference until machine code is ready.

    A compiler is only set to work where the reference would be at it for longer than `WORTH`.
    Raises `GameError` for a number of games or threads that cannot be.
    """
    if games < 0:
        raise GameError(f"expected a number of games from 0 on, found {games}")
    if threads < 1:
        raise GameError(f"expected a number of threads from 1 on, found {threads}")
    found: list[tuple[int, bytes]] = []
    started = time.perf_counter()
    machine = game.machine
    while len(found) < games:
        done = len(found)
        took = time.perf_counter() - started
        worth = done > 0 and took / done * (games - done) > WORTH
        native = game.native_now(compile=worth)
        if native is not None:
            rest = native.playouts(games - done, seed + done, threads, most, keep)
            if not found:
                return rest
            first = _joined(found, keep)
            return Playouts(
                first.choices + rest.choices,
                first.lengths + rest.lengths,
                first.states + rest.states,
            )
        found.append(playout(machine, seed + done, most))
    return _joined(found, keep)
