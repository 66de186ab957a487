"""Chance: a generator that is a function of a seed and a counter, the same in every engine.

Number k of a seed is ``mix64(seed + golden * k)`` (the finaliser of SplitMix64); a choice among n
is its upper half times n, divided by 2**32 downwards. The bias of that is at most n / 2**32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from interpreter.ir.bitsets import nth
from interpreter.ir.layout import COUNTER, SEED
from interpreter.runtime.step import Dry, MachineError, Watch, fault

MASK: Final = (1 << 64) - 1
GOLDEN: Final = 0x9E3779B97F4A7C15
SEEDS: Final = 1 << 63
"""Seeds that are drawn lie below this."""


def mix64(z: int) -> int:
    """The finaliser of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def below(n: int, seed: int, counter: int) -> int:
    """A number in 0..n-1."""
    return ((mix64((seed + GOLDEN * counter) & MASK) >> 32) * n) >> 32


class Chance:
    """The chance of one step: sampled, or taken from a list of outcomes (the oracle)."""

    def __init__(self, cells: memoryview, words: memoryview, record: Watch | None) -> None:
        self.oracle: list[int] | None = None
        self.rolled: list[tuple[str, int]] = []
        """Label and member of each outcome of the step so far."""
        self._cells, self._words, self._record = cells, words, record

    def begin_step(self, outcomes: Sequence[int] | None) -> None:
        """No outcomes yet; from now on those of the list, if there is one."""
        self.oracle = None if outcomes is None else list(outcomes)
        self.rolled = []

    def roll(self, members: int, label: str, site: int) -> int:
        """A member of a set; an only member is no chance."""
        if not members:
            fault("EMPTY", site)
        size = members.bit_count()
        if size == 1:
            return members.bit_length() - 1
        if self.oracle is None:
            count = self._cells[COUNTER] + 1
            self._cells[COUNTER] = count if count < 1 << 31 else -(1 << 31)
            member = nth(members, below(size, self._words[SEED], count & 0xFFFFFFFF))
        elif self.oracle:
            member = self.oracle.pop(0)
            if member < 0 or not members >> member & 1:
                raise MachineError(f"{member} is not a possible outcome of `{label}`")
        else:
            raise Dry(label, members)
        self.rolled.append((label, member))
        if self._record is not None:
            self._record("roll", label, (member, members), site)
        return member
