"""The nearest name to one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable

MAX_LENGTH = 80
"""Names longer than this are not compared: nobody misspells them by a letter."""


def distance(a: str, b: str) -> int:
    """How many letters to add, drop, change or swap with their neighbour to get from a to b."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that ``name`` was most likely meant to be, or None if none is near.

    Near means: at most a third of its letters are wrong, one at least is allowed. Names that
    differ only in case, or in ``_``, ``-`` and blanks, are always near. Of two that are equally
    near the one that begins alike wins, then the first.
    """
    if len(name) > MAX_LENGTH:
        return None
    limit = max(1, len(name) // 3)
    plain = _plain(name)
    best: tuple[int, int, int] | None = None
    found: str | None = None
    for order, candidate in enumerate(candidates):
        if candidate == name:
            continue
        if _plain(candidate) == plain:
            return candidate
        if abs(len(candidate) - len(name)) > limit:
            continue
        far = distance(name, candidate)
        if far > limit or far >= max(len(name), len(candidate)):
            continue
        rank = (far, -_alike(name, candidate), order)
        if best is None or rank < best:
            best, found = rank, candidate
    return found


def _plain(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _alike(a: str, b: str) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
