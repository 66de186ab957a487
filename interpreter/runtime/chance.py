"""Chance: a generator that is a function of a seed and a counter, the same in every engine.

Number k of a seed is ``mix64(seed + golden * k)`` (the finaliser of SplitMix64); a choice among n
is its upper half times n, divided by 2**32 downwards. The bias of that is at most n / 2**32.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

MASK: Final = (1 << 64) - 1
GOLDEN: Final = 0x9E3779B97F4A7C15


def mix64(z: int) -> int:
    """The finaliser of SplitMix64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def below(n: int, seed: int, counter: int) -> int:
    """A number in 0..n-1."""
    return ((mix64((seed + GOLDEN * counter) & MASK) >> 32) * n) >> 32


def nth(members: int, k: int) -> int:
    """Member number k of a set, counted from the smallest."""
    for _ in range(k):
        members &= members - 1
    return (members & -members).bit_length() - 1


def members_of(members: int) -> Iterator[int]:
    """The members of a set, from the smallest on."""
    while members:
        low = members & -members
        yield low.bit_length() - 1
        members ^= low


def set_of(*members: int) -> int:
    """The set of these members."""
    out = 0
    for member in members:
        out |= 1 << member
    return out
