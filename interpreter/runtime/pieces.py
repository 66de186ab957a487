"""The instructions on groups of pieces, over the machine's working bytes.

Takes a group, where it lies, and views of the working state; gives one function for each
instruction. Places of an ordered zone run from 0 without a hole; pieces that share a place lie
there in an order that nobody knows. In a zone that keeps gaps a place is a slot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import Layout, planes_of
from interpreter.ir.nodes import Plane
from interpreter.runtime.step import Watch, fault


@dataclass(frozen=True, slots=True)
class GroupOps:
    """What generated code calls for one group."""

    move: Callable[[int, int, int, int], None]
    swap: Callable[[int, int, int], None]
    lying: Callable[[int, int], int]
    mix: Callable[[int, int], None]
    least: Callable[[int], int]
    most: Callable[[int], int]
    front: Callable[[int], int]
    distinct: Callable[[int], int]


def group_ops(
    layout: Layout, name: str, views: Mapping[str, memoryview], record: Watch | None
) -> GroupOps:
    """The functions of one group; ``record`` is called for what happens, if anybody watches."""
    group = layout.program.groups[name]
    n, zones, alike = group.n, group.zones, group.alike
    where_cells = layout.zones[name]
    where, w0 = views[where_cells.code], where_cells.base
    rows = layout.contents[name]
    words, q0, width = views["Q"], rows.base, rows.words
    places = layout.places.get(name)
    place = views[places.code] if places is not None else words
    p0 = places.base if places is not None else 0
    plain = places is None and width == 1

    def contents(z: int) -> int:
        out = 0
        for k in range(width):
            out |= words[q0 + z * width + k] << 64 * k
        return out

    planes = [_showing(layout, plane, words, contents) for plane in planes_of(layout.program, name)]
    capacities = [zone.capacity if zone.capacity >= 0 else n for zone in zones]

    def close(z: int, piece: int) -> None:
        """Take a piece out of the order of a zone."""
        at = place[p0 + piece]
        place[p0 + piece] = 0
        if not zones[z].ordered or zones[z].keeps_gaps:
            return
        rest = [m for m in members_of(contents(z)) if m != piece]
        if any(place[p0 + m] == at for m in rest):
            return
        for m in rest:
            if place[p0 + m] > at:
                place[p0 + m] -= 1

    def open_at(z: int, piece: int, at: int, site: int) -> None:
        """Make room in the order of a zone, which does not hold the piece yet."""
        zone = zones[z]
        if not zone.ordered:
            place[p0 + piece] = 0
            return
        there = members_of(contents(z))
        if zone.keeps_gaps:
            taken = {place[p0 + m] for m in there}
            size = zone.capacity if zone.capacity >= 0 else n
            if 0 <= at < size:
                if at in taken:
                    fault("FULL", site)
            else:
                at = next(k for k in range(n + 1) if k not in taken)
            place[p0 + piece] = at
            return
        end = max((place[p0 + m] for m in there), default=-1) + 1
        at = min(max(at, 0), end)
        for m in there:
            if place[p0 + m] >= at:
                place[p0 + m] += 1
        place[p0 + piece] = at

    def move(p: int, z: int, at: int, site: int) -> None:
        if p == -1:
            return
        if not 0 <= p < n or not 0 <= z < len(zones):
            fault("INDEX", site)
        old = where[w0 + p]
        if old == z:
            return
        if plain:
            if words[q0 + z].bit_count() >= capacities[z]:
                fault("FULL", site)
            bit = 1 << p
            words[q0 + old] ^= bit
            words[q0 + z] |= bit
        else:
            if contents(z).bit_count() >= capacities[z]:
                fault("FULL", site)
            if places is not None:
                close(old, p)
                open_at(z, p, at, site)
            word, bit = p >> 6, 1 << (p & 63)
            words[q0 + old * width + word] ^= bit
            words[q0 + z * width + word] |= bit
        where[w0 + p] = z
        for show in planes:
            show(p, old, z)
        if record is not None:
            record("move", name, (p, old, z), site)

    def swap(a: int, b: int, site: int) -> None:
        if a == -1 or b == -1 or a == b:
            return
        if not 0 <= a < n or not 0 <= b < n:
            fault("INDEX", site)
        za, zb = where[w0 + a], where[w0 + b]
        for piece, old, new in ((a, za, zb), (b, zb, za)):
            word, bit = piece >> 6, 1 << (piece & 63)
            words[q0 + old * width + word] &= ~bit
            words[q0 + new * width + word] |= bit
            where[w0 + piece] = new
        for show in planes:
            show(a, za, zb)
            show(b, zb, za)
        if places is not None:
            place[p0 + a], place[p0 + b] = place[p0 + b], place[p0 + a]
        if record is not None and za != zb:
            record("move", name, (a, za, zb), site)
            record("move", name, (b, zb, za), site)

    def lying(first: int, end: int) -> int:
        out = 0
        for z in range(max(first, 0), min(end, len(zones))):
            out |= contents(z)
        return out

    def mix(z: int, site: int) -> None:
        if not 0 <= z < len(zones) or zones[z].keeps_gaps:
            fault("INDEX", site)
        if places is not None:
            for m in members_of(contents(z)):
                place[p0 + m] = 0
        if record is not None:
            record("mix", name, (z,), site)

    def extreme(s: int, sign: int) -> int:
        if s >> n:
            fault("INDEX", -1)
        if places is None:
            return (s & -s).bit_length() - 1
        best, found = 0, -1
        for m in members_of(s):
            value = sign * place[p0 + m]
            if found < 0 or value < best:
                best, found = value, m
        return found

    def front(s: int) -> int:
        if places is None or not s:
            return s
        if s >> n:
            fault("INDEX", -1)
        top = max(place[p0 + m] for m in members_of(s))
        out = 0
        for m in members_of(s):
            if place[p0 + m] == top:
                out |= 1 << m
        return out

    def distinct(s: int) -> int:
        if s >> n:
            fault("INDEX", -1)
        seen: set[tuple[int, int]] = set()
        out = 0
        for m in members_of(s):
            key = (alike[m], where[w0 + m])
            if key not in seen:
                seen.add(key)
                out |= 1 << m
        return out

    return GroupOps(
        move,
        swap,
        lying,
        mix,
        lambda s: extreme(s, 1),
        lambda s: extreme(s, -1),
        front,
        distinct,
    )


def _showing(
    layout: Layout, plane: Plane, words: memoryview, contents: Callable[[int], int]
) -> Callable[[int, int, int], None]:
    """What brings a plane in step after a piece has gone from one zone to another."""
    home, classes, base, size = layout.planes[plane.name], plane.classes, plane.base, plane.n
    kinds = [
        sum(1 << p for p, class_ in enumerate(classes) if class_ == k) for k in range(plane.many)
    ]

    def show(piece: int, old: int, new: int) -> None:
        class_ = classes[piece]
        if class_ < 0:
            return
        first = home.base + class_ * home.words
        for zone in (old, new):
            k = zone - base
            if 0 <= k < size:
                if contents(zone) & kinds[class_]:
                    words[first + (k >> 6)] |= 1 << (k & 63)
                else:
                    words[first + (k >> 6)] &= ~(1 << (k & 63))

    return show
