"""The geometry of a map as constants: who is beside whom, what comes next, straight lines.

Takes a map's declaration; spaces are numbered in the order of declaration.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from ruleset import syntax as ast

Step = tuple[int, int]
SQUARE: Final[Mapping[str, Step]] = {
    "north": (0, 1),
    "east": (1, 0),
    "south": (0, -1),
    "west": (-1, 0),
    "northeast": (1, 1),
    "southeast": (1, -1),
    "southwest": (-1, -1),
    "northwest": (-1, 1),
}
HEX: Final[Mapping[str, Step]] = {
    "east": (1, 0),
    "west": (-1, 0),
    "northeast": (0, 1),
    "northwest": (-1, 1),
    "southeast": (1, -1),
    "southwest": (0, -1),
}


class Board:
    """A map with its spaces as numbers; -1 is no space."""

    def __init__(self, decl: ast.MapDecl) -> None:
        self.decl = decl
        self.n = len(decl.spaces)
        self.number = {space.name: k for k, space in enumerate(decl.spaces)}
        self.steps: Mapping[str, Step] = (
            SQUARE if decl.shape == "grid" else HEX if decl.shape == "hex" else {}
        )
        self.directions = tuple(self.steps)

    @cached_property
    def columns_rows(self) -> list[tuple[int, int]]:
        """Column and row of each cell, both from 1."""
        width = self.decl.columns or 1
        return [(k % width + 1, k // width + 1) for k in range(self.n)]

    def cell(self, column: int, row: int) -> int:
        """The cell at a column and row."""
        if 1 <= column <= self.decl.columns and 1 <= row <= self.decl.rows:
            return (row - 1) * self.decl.columns + column - 1
        return -1

    @cached_property
    def beside(self) -> list[int]:
        """The cell in each direction: row ``cell * directions + direction``."""
        return [
            self.cell(column + dx, row + dy)
            for column, row in self.columns_rows
            for dx, dy in self.steps.values()
        ]

    @cached_property
    def neighbours(self) -> list[int]:
        """The neighbours of each space, as sets; roads and tracks whatever their arrows."""
        near = [0] * self.n
        for a, b in self._links():
            near[a] |= 1 << b
            near[b] |= 1 << a
        return near

    def _links(self) -> list[tuple[int, int]]:
        if self.steps:
            names = list(self.steps)
            straight = [
                k for k, name in enumerate(names) if self.decl.shape == "hex" or name in _STRAIGHT
            ]
            width = len(names)
            return [
                (c, self.beside[c * width + d])
                for c in range(self.n)
                for d in straight
                if self.beside[c * width + d] >= 0
            ]
        if self.decl.shape == "track":
            return [(a, b) for a, b in enumerate(self.next) if b >= 0]
        return [(self.number[road.a], self.number[road.b]) for road in self.decl.roads]

    @cached_property
    def next(self) -> list[int]:
        """The space after each on a track; -1 at the end of a path."""
        return [(k + 1) % self.n if self.decl.loop or k + 1 < self.n else -1 for k in range(self.n)]

    @cached_property
    def previous(self) -> list[int]:
        """The space before each on a track; -1 at the start of a path."""
        return [(k - 1) % self.n if self.decl.loop or k > 0 else -1 for k in range(self.n)]

    @cached_property
    def exits(self) -> list[int]:
        """The spaces to which a road leads from each, following the arrows."""
        out = [0] * self.n
        for road in self.decl.roads:
            a, b = self.number[road.a], self.number[road.b]
            out[a] |= 1 << b
            if not road.one_way:
                out[b] |= 1 << a
        return out if self.decl.roads else self.neighbours

    @cached_property
    def roads(self) -> list[int]:
        """The road between two spaces: row ``a * spaces + b``."""
        rows = [-1] * (self.n * self.n)
        for k, road in enumerate(self.decl.roads):
            a, b = self.number[road.a], self.number[road.b]
            rows[a * self.n + b] = rows[b * self.n + a] = k
        return rows

    @cached_property
    def against(self) -> list[int]:
        """Whether going from a to b is against the arrow: row ``a * spaces + b``."""
        rows = [0] * (self.n * self.n)
        for road in self.decl.roads:
            if road.one_way:
                rows[self.number[road.b] * self.n + self.number[road.a]] = 1
        return rows

    def lines(self, length: int) -> list[int]:
        """All straight runs of that many cells, as sets, each once."""
        found: dict[int, None] = {}
        for column, row in self.columns_rows:
            for dx, dy in self.steps.values():
                run = [self.cell(column + dx * k, row + dy * k) for k in range(length)]
                if min(run) >= 0:
                    found.setdefault(sum(1 << c for c in run))
        return list(found)


_STRAIGHT: Final = frozenset({"north", "east", "south", "west"})
