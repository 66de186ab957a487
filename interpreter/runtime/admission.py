"""Whether bytes from outside are a state of a program.

Takes a layout and bytes; gives the first thing that is wrong, or none. A state that passes can be
stepped without harm; whether play can lead to it is not asked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from interpreter.ir import nodes as n
from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import (
    ACTOR,
    CODE,
    FAULT,
    PENDING,
    SITE,
    STATUS,
    STATUS_NAMES,
    TOP,
    WAITING,
    Layout,
    cell,
)
from interpreter.ir.whole import intervals


def fault_of(layout: Layout, state: bytes) -> str | None:
    """The first fault of a state."""
    if len(state) != layout.size:
        return f"expected {layout.size} bytes, found {len(state)}"
    return next(_faults(layout, state), None)


def _faults(layout: Layout, state: bytes) -> Iterator[str]:
    yield from _values(layout, state)
    yield from _pieces(layout, state)
    yield from _header(layout, state)
    yield from _frames(layout, state)


def _header(layout: Layout, state: bytes) -> Iterator[str]:
    status = cell(state, "i", STATUS)
    if not 0 <= status < len(STATUS_NAMES):
        yield f"no status {status}"
    if status == FAULT and not 1 <= cell(state, "i", CODE) <= len(layout.faults):
        yield "the fault has no name"
    if status != FAULT and (cell(state, "i", CODE) or cell(state, "i", SITE)):
        yield "a fault is named, but the state has none"
    players = layout.program.players
    pending, actor = cell(state, "Q", PENDING), cell(state, "i", ACTOR)
    if pending >> players or not -1 <= actor < players:
        yield f"somebody is asked who is not among the {players} players"
    if status == WAITING and (not pending or (actor >= 0 and pending != 1 << actor)):
        yield "the one who is asked is not the one who is waited for"
    if status != WAITING and (pending or actor >= 0):
        yield "somebody is asked, but nobody is waited for"


def _values(layout: Layout, state: bytes) -> Iterator[str]:
    for name, cells in layout.fields.items():
        if cells.front is not None and layout.value(state, name, -1) != cells.front:
            yield f"the constant before `{name}` has changed"
        for i in range(cells.n):
            value = layout.value(state, name, i)
            if not cells.low <= value <= cells.high:
                yield f"`{name}` holds {cells.low} to {cells.high}, found {value} at index {i}"
    for name, words in layout.set_fields.items():
        if layout.set_value(state, name, -1):
            yield f"the empty set before `{name}` has changed"
        for i in range(words.n):
            if layout.set_value(state, name, i) >> words.bits:
                yield f"`{name}` holds sets of 0 to {words.bits - 1}, found more at index {i}"


def _pieces(layout: Layout, state: bytes) -> Iterator[str]:
    for name, group in layout.program.groups.items():
        if layout.zone_of(state, name, -1) != -1 or layout.pieces_in(state, name, -1):
            yield f"the constants before the zones of `{name}` have changed"
        where = [layout.zone_of(state, name, piece) for piece in range(group.n)]
        for k, zone in enumerate(group.zones):
            inside = {piece for piece, z in enumerate(where) if z == k}
            if set(members_of(layout.pieces_in(state, name, k))) != inside:
                yield f"the pieces of `{name}` in `{zone.name}` do not agree with where they lie"
            if 0 <= zone.capacity < len(inside):
                yield f"`{zone.name}` holds {zone.capacity} of `{name}`, found {len(inside)}"
            places = sorted(layout.place_of(state, name, piece) for piece in inside)
            if zone.keeps_gaps:
                size = zone.capacity if zone.capacity >= 0 else group.n
                good = len(set(places)) == len(places) and all(0 <= p < size for p in places)
            elif zone.ordered:
                good = set(places) == set(range(len(set(places))))
            else:
                good = not any(places)
            if not good:
                yield f"the places of `{name}` in `{zone.name}` have holes or meet"
        if any(not 0 <= z < len(group.zones) for z in where):
            yield f"a piece of `{name}` lies in no zone"
    for name, plane in layout.program.planes.items():
        where = [layout.zone_of(state, plane.group, piece) for piece in range(len(plane.classes))]
        for k in range(-1, plane.many):
            zones = {z - plane.base for z, c in zip(where, plane.classes, strict=True) if c == k}
            shown = {z for z in zones if 0 <= z < plane.n} if k >= 0 else set()
            if set(members_of(layout.held(state, name, k))) != shown:
                yield f"the plane `{name}` does not agree with where the pieces lie"


def _frames(layout: Layout, state: bytes) -> Iterator[str]:
    linked, functions = layout.linked, layout.program.functions
    status, top = cell(state, "i", STATUS), cell(state, "i", TOP)
    chain: list[tuple[int, int]] = []
    fp = top
    while fp:
        if not layout.frames // 8 <= fp < layout.size // 8 or (chain and fp >= chain[-1][0]):
            yield "a frame lies where no frame can be"
            return
        point_id = cell(state, "i", 2 * fp + 1)
        if not 1 <= point_id < len(linked.points):
            yield f"no point {point_id}"
            return
        chain.append((fp, point_id))
        fp = cell(state, "i", 2 * fp)
    if status == WAITING and not chain:
        yield "somebody is asked, but no rule is under way"
        return
    if status != WAITING and chain:
        yield "rules are under way, but nobody is asked"
        return
    at = layout.frames // 8
    caller: n.Terminator | None = None
    for k, (fp, point_id) in enumerate(reversed(chain)):
        point = linked.points[point_id]
        assert point is not None
        frame = linked.frames[point.function]
        if fp != at or fp + frame.width // 8 > layout.size // 8:
            yield "a frame lies where no frame can be"
            return
        expected = caller.fn if isinstance(caller, n.Enter) else layout.program.main
        if point.function != expected:
            yield f"expected a frame of `{expected}`, found one of `{point.function}`"
            return
        last = k + 1 == len(chain)
        if last != isinstance(point.end, n.Decide | n.Gather) or point.end is None:
            yield f"`{point.function}` cannot wait at `{point.label}`"
            return
        if last and isinstance(point.end, n.Gather) != (cell(state, "i", ACTOR) < 0):
            yield f"one player and several are asked at once at `{point.label}`"
        if last and isinstance(point.end, n.Gather):
            yield from _stages(layout, state, point.end.decision)
        types = functions[point.function].types
        known = intervals(linked, functions[point.function]).inside(point.block)
        for register, offset in frame.slots.items():
            size = 4 if types[register] == "i" else 8 * linked.set_words
            begin = 8 * fp + offset
            kept = state[begin : begin + size]
            if register not in point.live and register not in frame.kept:
                if any(kept):
                    yield f"`{point.function}` keeps %{register}, which it does not need"
                continue
            value = int.from_bytes(kept, sys.byteorder, signed=types[register] == "i")
            low, high = known.get(register, (0, 0))
            if not low <= value <= high:  # code relies on it
                yield f"%{register} of `{point.function}` is {low} to {high}, found {value}"
        caller, at = point.end, fp + frame.width // 8
    if any(state[8 * at :]):
        yield "there is something above the last frame"


def _stages(layout: Layout, state: bytes, name: str) -> Iterator[str]:
    """Everybody who is asked at once is at a stage that there is."""
    decision = layout.program.decisions[name]
    if not decision.pending:
        return
    for player in members_of(cell(state, "Q", PENDING)):
        if player >= layout.program.players:
            return  # that is a fault of the header
        stage = layout.value(state, decision.pending, player)
        if not 0 <= stage < len(decision.stages):
            yield f"player {player} is at stage {stage} of `{name}`, which there is not"
