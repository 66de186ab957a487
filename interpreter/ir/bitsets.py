"""Sets as integers: bit k stands for member k."""

from __future__ import annotations


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
