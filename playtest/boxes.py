"""Boxes in rows, with what lies in each and the roads between them on their borders.

Takes rows of names and a scene; gives rows of text. A road shows its arrow, the letters of its
flags and the signs of what lies on it; a border without a sign has no road.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.cells import cell_len

from playtest.labels import fit
from playtest.scene import Scene
from ruleset.syntax import MapDecl

NARROWEST: Final = 9
WIDEST: Final = 22

Rows = Sequence[Sequence[str | None]]


class Roads:
    """The roads of a map, as signs for the borders between boxes."""

    def __init__(self, board: MapDecl, signs: Mapping[tuple[str, str], str]) -> None:
        self._found: dict[tuple[str, str], tuple[str, str, str]] = {}
        for road in board.roads:
            way = ">" if road.one_way else "="
            flags, sign = "".join(road.flags), signs.get((road.a, road.b), "")
            self._found[road.a, road.b] = (way, flags, sign)
            self._found[road.b, road.a] = ("<" if road.one_way else "=", flags, sign)
        self.drawn: set[tuple[str, str]] = set()
        """The roads that have a border of their own."""

    def between(self, a: str | None, b: str | None, arrows: str) -> tuple[str, str, str] | None:
        """Arrow, flags and signs of the road from one box to another; arrows for both ways, there
        and back."""
        if a is None or b is None or (a, b) not in self._found:
            return None
        self.drawn |= {(a, b), (b, a)}
        way, flags, sign = self._found[a, b]
        return arrows["=><".index(way)], flags, sign

    def corner(self, rows: Rows, y: int, x: int) -> str:
        """The sign for a road that crosses the corner above and left of a box."""
        down = self._crosses(_cell(rows, y - 1, x - 1), _cell(rows, y, x))
        up = self._crosses(_cell(rows, y, x - 1), _cell(rows, y - 1, x))
        return "╳" if down and up else "╲" if down else "╱" if up else ""

    def _crosses(self, a: str | None, b: str | None) -> bool:
        return a is not None and b is not None and (a, b) in self._found

    def others(self) -> Iterator[tuple[str, str, str, str]]:
        """The roads without a border: an end, the arrow, the other end, flags and signs."""
        told: set[tuple[str, str]] = set()
        for (a, b), (way, flags, sign) in self._found.items():
            if way != "<" and (a, b) not in self.drawn and (b, a) not in told:
                told.add((a, b))
                yield a, "→" if way == ">" else "↔", b, f"{flags}{sign}"


def boxes(rows: Rows, scene: Scene, width: int, roads: Roads | None = None) -> list[str]:
    """Boxes in rows, a gap where there is no space."""
    across = max(map(len, rows))
    room = (width - across - 1) // across
    tight = roads is not None
    longest = max(
        (
            cell_len(text)
            for row in rows
            for name in row
            if name
            for text in (
                scene.titles[name],
                *(w.full for g in scene.contents[name] for w in g.words),
            )
        ),
        default=1,
    )
    inner = max(NARROWEST, min(room, longest + 2, WIDEST))
    found: list[str] = []
    for y, row in enumerate(rows):
        found.append(_edge(rows, y, inner, roads))
        filled = [_lines(scene, name, inner - 1, tight) if name is not None else [] for name in row]
        height = max(map(len, filled))
        for k in range(height):
            line = ""
            for x, name in enumerate(row):
                left = name is not None or (x > 0 and row[x - 1] is not None)
                wall = "│" if left else " "
                if roads is not None and x > 0:
                    wall = _wall(roads.between(row[x - 1], name, "↔→←"), k, height) or wall
                text = filled[x][k] if k < len(filled[x]) else ""
                line += wall + fit(f" {text}", inner)
            found.append((line + ("│" if row and row[-1] is not None else "")).rstrip())
    found.append(_edge(rows, len(rows), inner, roads))
    return found + _other_roads(roads, width)


def _wall(road: tuple[str, str, str] | None, k: int, height: int) -> str:
    """What a road shows in row k of the wall that it crosses."""
    if road is None:
        return ""
    arrow, flags, sign = road
    shown = [arrow, *sign, *flags]
    first = max(0, (height - len(shown)) // 2) if height > len(shown) else 0
    return shown[k - first] if first <= k < first + len(shown) else ""


def _other_roads(roads: Roads | None, width: int) -> list[str]:
    if roads is None:
        return []
    left = [f"{a} {arrow} {b}{f' {rest}' * bool(rest)}" for a, arrow, b, rest in roads.others()]
    return [fit("╲╱ " + ", ".join(left), width).rstrip()] if left else []


def _lines(scene: Scene, name: str, room: int, tight: bool) -> list[str]:
    """What stands in a box, line by line."""
    lines = [scene.titles[name]]
    for group in scene.contents[name]:
        if not group.words:
            continue
        if tight and group.beside:
            text = " ".join(word.brief for word in group.words)
            if cell_len(f"{lines[0]} {text}") <= room:
                lines[0] += f" {text}"
                continue
        if not tight:
            lines += [
                word.full if cell_len(word.full) <= room else word.brief for word in group.words
            ]
            continue
        full = " ".join(word.full for word in group.words)
        lines += [full] if cell_len(full) <= room else _packed([w.brief for w in group.words], room)
    return lines


def _packed(words: Sequence[str], room: int) -> list[str]:
    """Words on as few lines as hold them."""
    lines: list[str] = []
    for word in words:
        if lines and cell_len(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


_CORNERS: Final = dict(
    zip(
        (f"{k:04b}" for k in range(16)),
        # bits: left, right, up, down
        (" ", "│", "│", "│", "─", "┌", "└", "├", "─", "┐", "┘", "┤", "─", "┬", "┴", "┼"),
        strict=True,
    )
)


def _cell(rows: Rows, y: int, x: int) -> str | None:
    return rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else None


def _edge(rows: Rows, y: int, inner: int, roads: Roads | None) -> str:
    """The line above row y of boxes."""
    above = rows[y - 1] if y else ()
    below = rows[y] if y < len(rows) else ()
    width = max(len(above), len(below))

    line = ""
    for x in range(width + 1):
        up_left, up_right = _cell(rows, y - 1, x - 1), _cell(rows, y - 1, x)
        down_left, down_right = _cell(rows, y, x - 1), _cell(rows, y, x)
        left = up_left is not None or down_left is not None
        right = up_right is not None or down_right is not None
        up = up_left is not None or up_right is not None
        down = down_left is not None or down_right is not None
        crossing = roads.corner(rows, y, x) if roads is not None else ""
        line += crossing or _CORNERS["".join("01"[bit] for bit in (left, right, up, down))]
        if x < width:
            road = roads.between(up_right, down_right, "↕↓↑") if roads is not None else None
            sign = "".join(road) if road is not None else ""
            line += _middle(sign, inner, "─" if right else " ")
    return line.rstrip()


def _middle(sign: str, width: int, filler: str) -> str:
    """A sign in the middle of a line."""
    gap = max(0, width - cell_len(sign))
    return filler * (gap // 2) + sign + filler * (gap - gap // 2)
