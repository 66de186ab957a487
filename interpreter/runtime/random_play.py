"""Random play on the reference engine: whole games, and games from a state on.

Choice number k of a game with seed s is made by number k of the seed ``~s`` (see `chance`): the
same in every engine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from interpreter.ir.layout import (
    ACTOR,
    COUNTER,
    PENDING,
    SEED,
    STATUS,
    TOP,
    WAITING,
    Layout,
    put_cell,
)
from interpreter.ir.nodes import Program
from interpreter.runtime.chance import GOLDEN, MASK, mix64
from interpreter.runtime.library import Library
from interpreter.runtime.step import fault

NO_LIMIT: Final = 1 << 62


class RandomPlay(ABC):
    """A machine as far as it plays by itself; the rest of it is `Machine`."""

    program: Program
    layout: Layout
    choices: int
    """How many choices the last playout made."""
    _buffer: bytearray
    _cells: memoryview
    _words: memoryview
    _fuel: list[int]
    _library: Library

    @abstractmethod
    def _load(self, state: bytes) -> None:
        """Take a state as the working state."""

    @abstractmethod
    def _first(self) -> None:
        """The first step."""

    @abstractmethod
    def _allowed(self, player: int) -> int:
        """What a player may choose."""

    @abstractmethod
    def _answer(self, player: int, candidate: int) -> None:
        """One choice, and everything up to the next."""

    def playout(self, seed: int, max_steps: int = NO_LIMIT) -> int:
        """One game with random choices; how many choices were made. For benchmarks."""
        self.choices = 0
        self._load(self.layout.initial(seed))
        self._first()
        return self._at_random(seed, max_steps)

    def reseeded(self, state: bytes, seed: int) -> bytes:
        """The same state with another future of chance."""
        buffer = bytearray(state)
        put_cell(buffer, "Q", SEED, seed & MASK)
        put_cell(buffer, "i", COUNTER, 0)
        return bytes(buffer)

    def finish(self, state: bytes, seed: int, most: int = NO_LIMIT) -> bytes:
        """The state after random choices to the end, or after ``most``; Fault where it goes wrong.

        The choices are those that a playout with this seed makes.
        """
        self._load(state)
        self._at_random(seed, most)
        return bytes(self._buffer)

    def _at_random(self, seed: int, max_steps: int) -> int:
        """Random choices from the working state on; how many were made."""
        cells, words, options = self._cells, self._words, self._library.options
        base, count = mix64(~seed & MASK), 0
        while cells[STATUS] == WAITING and count < max_steps:
            player: int = cells[ACTOR]
            if player >= 0:
                fp = cells[TOP]
                members = options[cells[fp + fp + 1]](fp)
            else:
                asked: int = words[PENDING]
                player = (asked & -asked).bit_length() - 1
                members = self._allowed(player)
            size = members.bit_count()
            if not size:
                fault("EMPTY", -1)
            if size > 1:
                for _ in range(((mix64((base + GOLDEN * count) & MASK) >> 32) * size) >> 32):
                    members &= members - 1
            self.choices = count + 1
            self._fuel[0] = self.program.fuel
            self._answer(player, (members & -members).bit_length() - 1)
            count += 1
        return count

    @property
    def working_state(self) -> bytes:
        """The state in which the last playout ended."""
        return bytes(self._buffer)
