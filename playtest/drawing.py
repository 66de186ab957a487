"""Maps as text: tracks as rings or rows of boxes, grids, hexes, anything else as a list.

Takes a map's declaration and what lies on each space, as short lines; gives rows of text at most
`WIDTH` columns wide. Knows nothing of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rich.cells import cell_len

from playtest.labels import Labels, fit
from ruleset.syntax import MapDecl

WIDTH: Final = 80
NARROWEST: Final = 9
WIDEST: Final = 22
DIRECTIONS: Final = ("→", "↓", "←", "↑")

Contents = Mapping[str, Sequence[str]]
"""Name of a space to the lines that say what lies there."""


def draw(board: MapDecl, contents: Contents, marks: Contents, labels: Labels) -> list[str]:
    """A map as rows of text. ``marks`` are the shortest words for what lies there, for grids."""
    names = [space.name for space in board.spaces]

    def title(name: str) -> str:
        path = f"{board.path}.{name}"
        return labels.of(path) if labels.known(path) else name

    if board.drawing:
        rows = [[cell.name if cell is not None else None for cell in row] for row in board.drawing]
        return _boxes(rows, contents, title)
    match board.shape:
        case "track" if board.loop and len(names) >= 4:
            return _boxes(_ring(names, _across(len(names))), contents, title)
        case "track":
            return _path(names, contents, title)
        case "grid" | "hex":
            return _grid(board, marks)
        case _:
            return _listed(board, contents, title)


# ------------------------------------------------------------------ tracks


def _across(n: int) -> int:
    """How many boxes wide a ring of n spaces is: as square as the page allows."""
    return max(2, min((n + 5) // 4, WIDTH // (NARROWEST + 3)))


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


def _path(names: Sequence[str], contents: Contents, title: Callable[[str], str]) -> list[str]:
    """The spaces of a path from left to right, row under row."""
    wide = min(len(names), 5)
    rows: list[list[str | None]] = [
        list(names[k : k + wide]) + [None] * (wide - len(names[k : k + wide]))
        for k in range(0, len(names), wide)
    ]
    return _boxes(rows, contents, title)


def _boxes(
    rows: Sequence[Sequence[str | None]], contents: Contents, title: Callable[[str], str]
) -> list[str]:
    """Boxes in rows, a gap where there is no space."""
    across = max(map(len, rows))
    longest = max(
        (cell_len(line) for row in rows for n in row if n for line in (title(n), *contents[n])),
        default=1,
    )
    room = (WIDTH - across - 1) // across
    inner = max(NARROWEST, min(room, longest + 2, WIDEST))
    found: list[str] = []
    for y, row in enumerate(rows):
        above = rows[y - 1] if y else ()
        found.append(_edge(above, row, inner))
        height = max([len(contents[name]) for name in row if name is not None] or [0])
        for k in range(height + 1):
            line = ""
            for x, name in enumerate(row):
                left = name is not None or (x > 0 and row[x - 1] is not None)
                line += "│" if left else " "
                text = ""
                if name is not None:
                    text = title(name) if k == 0 else _at(contents[name], k - 1)
                line += fit(f" {text}", inner)
            found.append((line + ("│" if row and row[-1] is not None else "")).rstrip())
    found.append(_edge(rows[-1], (), inner))
    return found


def _at(lines: Sequence[str], k: int) -> str:
    return lines[k] if k < len(lines) else ""


_CORNERS: Final = dict(
    zip(
        (f"{k:04b}" for k in range(16)),
        # bits: left, right, up, down
        (" ", "│", "│", "│", "─", "┌", "└", "├", "─", "┐", "┘", "┤", "─", "┬", "┴", "┼"),
        strict=True,
    )
)


def _edge(above: Sequence[str | None], below: Sequence[str | None], inner: int) -> str:
    """The line between two rows of boxes."""
    width = max(len(above), len(below))

    def box(row: Sequence[str | None], x: int) -> bool:
        return 0 <= x < len(row) and row[x] is not None

    line = ""
    for x in range(width + 1):
        left = box(above, x - 1) or box(below, x - 1)
        right = box(above, x) or box(below, x)
        up = box(above, x - 1) or box(above, x)
        down = box(below, x - 1) or box(below, x)
        line += _CORNERS["".join("01"[bit] for bit in (left, right, up, down))]
        if x < width:
            line += ("─" if right else " ") * inner
    return line.rstrip()


# ------------------------------------------------------------------ grids


def _grid(board: MapDecl, marks: Contents) -> list[str]:
    """Columns by letter, rows by number, the first row at the bottom; hexes shifted."""
    names = [space.name for space in board.spaces]
    cells = {name: " ".join(marks[name]) or "." for name in names}
    room = max(1, (WIDTH - 4) // board.columns - 1)
    if board.shape == "hex":
        room = max(1, (WIDTH - 4 - board.rows) // board.columns - 1)
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


def _listed(board: MapDecl, contents: Contents, title: Callable[[str], str]) -> list[str]:
    """A space a line: what lies there, and where its roads lead."""
    width = max(cell_len(title(space.name)) for space in board.spaces)
    roads: dict[str, list[str]] = {}
    for road in board.roads:
        flag = "".join(f" {board.flags.get(letter, letter)}" for letter in road.flags)
        flag = f" ({flag.strip()})" if flag else ""
        roads.setdefault(road.a, []).append(f"{title(road.b)}{flag}")
        if not road.one_way:
            roads.setdefault(road.b, []).append(f"{title(road.a)}{flag}")
    found = []
    for space in board.spaces:
        name = space.name
        there = "; ".join(contents[name])
        ways = f"  → {', '.join(roads[name])}" if name in roads else ""
        found.append(f"{fit(title(name), width)}  {there}{ways}".rstrip())
    return found
