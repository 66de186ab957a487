"""Maps as text: tracks as rings or rows of boxes, drawings with their roads, grids, hexes, lists.

Takes a map's declaration and what lies on each space; gives rows of text at most so many columns
wide. Knows nothing of any game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len

from playtest.boxes import NARROWEST, Roads, boxes
from playtest.labels import fit
from playtest.scene import Scene
from ruleset.syntax import MapDecl

WIDTH: Final = 80


def draw(board: MapDecl, scene: Scene, width: int = WIDTH) -> list[str]:
    """A map as rows of text, at most so many columns wide."""
    names = [space.name for space in board.spaces]
    if board.drawing:
        rows = [[cell.name if cell is not None else None for cell in row] for row in board.drawing]
        return boxes(rows, scene, width, Roads(board, scene.signs))
    match board.shape:
        case "track" if board.loop and len(names) >= 4:
            return boxes(_ring(names, _across(len(names), width)), scene, width)
        case "track":
            return boxes(_path(names), scene, width)
        case "grid" | "hex":
            return _grid(board, scene.marks, width)
        case _:
            return _listed(board, scene)


# ------------------------------------------------------------------ tracks


def _across(n: int, width: int) -> int:
    """How many boxes wide a ring of n spaces is: as square as the page allows."""
    return max(2, min((n + 5) // 4, width // (NARROWEST + 3)))


def _ring(names: Sequence[str], wide: int) -> list[list[str | None]]:
    """The spaces clockwise around a rectangle, the first at the top left."""
    high = max(2, (len(names) - 2 * wide + 1) // 2 + 2)
    around = (
        [(0, x) for x in range(wide)]
        + [(y, wide - 1) for y in range(1, high)]
        + [(high - 1, x) for x in range(wide - 2, -1, -1)]
        + [(y, 0) for y in range(high - 2, 0, -1)]
    )
    rows: list[list[str | None]] = [[None] * wide for _ in range(high)]
    for name, (y, x) in zip(names, around, strict=False):
        rows[y][x] = name
    return rows


def _path(names: Sequence[str]) -> list[list[str | None]]:
    """The spaces of a path from left to right, row under row."""
    wide = min(len(names), 5)
    return [
        list(names[k : k + wide]) + [None] * (wide - len(names[k : k + wide]))
        for k in range(0, len(names), wide)
    ]


# ------------------------------------------------------------------ grids


def _grid(board: MapDecl, marks: Mapping[str, Sequence[str]], width: int) -> list[str]:
    """Columns by letter, rows by number, the first row at the bottom; hexes shifted."""
    names = [space.name for space in board.spaces]
    cells = {name: " ".join(marks[name]) or "." for name in names}
    room = max(1, (width - 4) // board.columns - 1)
    if board.shape == "hex":
        room = max(1, (width - 4 - board.rows) // board.columns - 1)
    inner = min(room, max(cell_len(text) for text in cells.values()))
    step = inner + 1
    columns = [name.rstrip("0123456789") for name in names[: board.columns]]
    found = []
    for row in range(board.rows, 0, -1):
        shift = (row - 1) * step // 2 if board.shape == "hex" else 0
        line = " ".join(
            fit(cells[name], inner)
            for name in names[(row - 1) * board.columns : row * board.columns]
        )
        found.append(f"{row:>3} {' ' * shift}{line}".rstrip())
    found.append("    " + " ".join(fit(column, inner) for column in columns).rstrip())
    return found


# ------------------------------------------------------------------ anything else


def _listed(board: MapDecl, scene: Scene) -> list[str]:
    """A space a line: what lies there, and where its roads lead."""
    width = max(cell_len(title) for title in scene.titles.values())
    roads: dict[str, list[str]] = {}
    for road in board.roads:
        flag = "".join(f" {board.flags.get(letter, letter)}" for letter in road.flags)
        flag = f" ({flag.strip()})" if flag else ""
        roads.setdefault(road.a, []).append(f"{scene.titles[road.b]}{flag}")
        if not road.one_way:
            roads.setdefault(road.b, []).append(f"{scene.titles[road.a]}{flag}")
    found = []
    for space in board.spaces:
        name = space.name
        there = "; ".join(word.full for group in scene.contents[name] for word in group.words)
        ways = f"  → {', '.join(roads[name])}" if name in roads else ""
        found.append(f"{fit(scene.titles[name], width)}  {there}{ways}".rstrip())
    return found
