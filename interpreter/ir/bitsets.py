"""Sets as integers: bit k stands for member k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MOST_SHIFTS: Final = 16
"""A column that moves its members by more distances is quicker gone through row by row."""


def members_of(members: int) -> list[int]:
    """The members of a set, smallest first."""
    found = []
    while members:
        low = members & -members
        found.append(low.bit_length() - 1)
        members ^= low
    return found


def nth(members: int, n: int) -> int:
    """Member number n (from 0) of a set, which has one; long sets are halved, short ones walked."""
    base = 0
    width = members.bit_length()
    while width > 16:
        half = width >> 1
        low = members & ((1 << half) - 1)
        count = low.bit_count()
        if n < count:
            members, width = low, half
        else:
            n -= count
            members >>= half
            base += half
            width -= half
    while n:
        members &= members - 1
        n -= 1
    return base + (members & -members).bit_length() - 1


def shifts(rows: Sequence[int]) -> list[tuple[int, int]]:
    """How ``{k : rows[k] in s}`` is made of s: for each distance the members that move so far.

    Gives pairs of a distance up (k - rows[k], may be negative) and the set of members; the union
    of the moved parts is the answer.
    """
    parts: dict[int, int] = {}
    for k, value in enumerate(rows):
        if value >= 0:
            parts[k - value] = parts.get(k - value, 0) | 1 << value
    return sorted(parts.items())
