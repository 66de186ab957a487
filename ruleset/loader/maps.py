"""Maps: a track, roads, a grid or spaces alone, with their sets, places and fields."""

from __future__ import annotations

import re
from collections.abc import Mapping as Names
from dataclasses import dataclass, field
from typing import Final, Literal

from ruleset.diagnostics.messages import loading as messages
from ruleset.document import Entry, Mapping, Node, Scalar, Sequence
from ruleset.loader.drawing import rows_of
from ruleset.loader.pieces import field_value, field_values, unknown
from ruleset.loader.reading import Reader, entries, get, head, maybe_number, text
from ruleset.source import Span
from ruleset.syntax import FieldValue, Ident, MapDecl, MapSet, NumberType, Road, TypeExpr

_BESIDE_SPACES: Final = frozenset({"total", "cites", "assumed", "type", "default", "values"})


@dataclass(slots=True)
class _Layout:
    """The spaces of a map and how they hang together."""

    shape: Literal["track", "roads", "grid", "hex", "spaces"] = "spaces"
    loop: bool = False
    spaces: tuple[Ident, ...] = ()
    columns: int = 0
    rows: int = 0
    roads: list[Road] = field(default_factory=list)


def board(reader: Reader, entry: Entry, path: str) -> MapDecl | None:
    """One map."""
    body = entry.value
    kind = text(get(body, "kind"))
    if not isinstance(body, Mapping) or not kind:
        return None
    own = f"{path}.{entry.key.text}"
    flags = {e.key.text: text(e.value) for e in entries(body.get("flags"))}
    layout = _layout(reader, body)
    _check_flags(reader, layout.roads, flags, own)
    names = {space.name for space in layout.spaces}
    types, values, defaults = _fields(reader, body, names, kind, own)
    return MapDecl(
        **head(entry, own),
        kind=kind,
        plural=text(body.get("plural"), f"{kind}s"),
        shape=layout.shape,
        loop=layout.loop,
        spaces=layout.spaces,
        columns=layout.columns,
        rows=layout.rows,
        roads=tuple(layout.roads),
        flags=flags,
        sets=tuple(_sets(reader, body.get("sets"), names, kind, own)),
        places=_places(reader, body.get("places"), names, kind, own),
        fields=types,
        values=values,
        defaults=defaults,
        drawing=rows_of(reader, body.get("drawing"), layout.spaces, kind, own),
    )


# ------------------------------------------------------------------ spaces


def _layout(reader: Reader, body: Mapping) -> _Layout:
    layout = _Layout()
    spaces: list[Ident] = []
    if (track := body.get("track")) is not None:
        layout.shape = "track"
        if (read := reader.track(track)) is not None:
            layout.loop, found = read
            spaces.extend(found)
    elif (grid := body.get("grid")) is not None:
        layout.shape = "grid"
        if (size := reader.grid(grid)) is not None:
            layout.columns, layout.rows, hexagonal = size
            layout.shape = "hex" if hexagonal else "grid"
            spaces.extend(_cells(layout.columns, layout.rows, grid.span))
    if (listed := body.get("spaces")) is not None:
        spaces.extend(_listed(reader, listed))
    if (roads := body.get("roads")) is not None:
        layout.shape = "roads"
        layout.roads = _roads(reader, roads)
        _check_twice(reader, layout.roads)
        known = {space.name for space in spaces}
        closed = bool(known)
        for road in layout.roads:
            for name in (road.a, road.b):
                if name in known:
                    continue
                if closed:
                    reader.report.add(messages.no_space(_end(road, name), name, known))
                else:
                    spaces.append(Ident(_end(road, name), name))
                known.add(name)
    layout.spaces = _once(reader, spaces)
    return layout


def _once(reader: Reader, spaces: list[Ident]) -> tuple[Ident, ...]:
    seen: dict[str, Ident] = {}
    for space in spaces:
        if space.name in seen:
            reader.report.add(messages.space_twice(space, seen[space.name]))
        else:
            seen[space.name] = space
    return tuple(seen.values())


def _cells(columns: int, rows: int, place: Span) -> list[Ident]:
    letters = [column_letters(column) for column in range(columns)]
    return [Ident(place, f"{letter}{row + 1}") for row in range(rows) for letter in letters]


def column_letters(column: int) -> str:
    """The name of a column counted from 0: ``a`` to ``z``, then ``aa``, ``ab``."""
    found = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(ord("a") + rest) + found
    return found


def _listed(reader: Reader, node: Node) -> tuple[Ident, ...]:
    items = node.items if isinstance(node, Sequence) else (node,)
    return tuple(space for item in items for space in reader.spaces(item))


# ------------------------------------------------------------------ roads


def _roads(reader: Reader, node: Node) -> list[Road]:
    blocks = [e.value for e in entries(node)] if isinstance(node, Mapping) else [node]
    return [road for block in blocks for road in reader.roads(block)]


def _check_twice(reader: Reader, roads: list[Road]) -> None:
    """Two spaces have one road at most."""
    known: dict[frozenset[str], Road] = {}
    for road in roads:
        first = known.setdefault(frozenset((road.a, road.b)), road)
        if first is not road:
            reader.report.add(messages.road_twice(road, first))


def _end(road: Road, name: str) -> Span:
    """Where a space is named in a road, whose span runs from one name to the other."""
    return _inside(road.span, rf"\b{re.escape(name)}\b")


def _inside(span: Span, pattern: str) -> Span:
    """Where a pattern first matches in a span; all of it where it does not."""
    found = re.search(pattern, span.text)
    if found is None:
        return span
    return Span(span.source, span.start + found.start(), span.start + found.end())


def _check_flags(reader: Reader, roads: list[Road], flags: Names[str, str], path: str) -> None:
    for road in roads:
        for letter in road.flags:
            if letter not in flags:
                # letters of flags follow the sign at once
                place = _inside(road.span, rf"(?<=[=<>])[a-z]*{letter}")
                place = Span(place.source, place.end - 1, place.end)
                reader.report.add(messages.no_road_flag(place, letter, flags, path))


# ------------------------------------------------------------------ sets, places, fields


def _sets(reader: Reader, node: Node | None, names: set[str], kind: str, path: str) -> list[MapSet]:
    found = []
    for entry in entries(node):
        own = f"{path}.sets.{entry.key.text}"
        body = entry.value
        listed = body if isinstance(body, Sequence | Scalar) else get(body, "of")
        members = None if listed is None else _known(reader, listed, names, kind, own)
        where = reader.maybe(get(body, "where"))
        found.append(MapSet(**head(entry, own), of=members, where=where))
    return found


def _known(reader: Reader, node: Node, names: set[str], kind: str, path: str) -> tuple[Ident, ...]:
    members = _listed(reader, node)
    for member in members:
        if names and member.name not in names:
            reader.report.add(
                messages.no_space(member.span, member.name, names, kind=kind, within=path)
            )
    return tuple(member for member in members if member.name in names)


def _places(
    reader: Reader, node: Node | None, names: set[str], kind: str, path: str
) -> dict[str, Ident]:
    found = {}
    for entry in entries(node):
        for member in _known(reader, entry.value, names, kind, f"{path}.places")[:1]:
            found[entry.key.text] = member
    return found


_Values = dict[str, dict[str, FieldValue]]


def _fields(
    reader: Reader, body: Mapping, names: set[str], kind: str, path: str
) -> tuple[dict[str, TypeExpr], _Values, dict[str, FieldValue]]:
    """Types, values and defaults; a field is a type, or a type with values by space."""
    types: dict[str, TypeExpr] = {}
    values: _Values = {}
    for entry in entries(body.get("fields")):
        name, node = entry.key.text, entry.value
        written = get(node, "type") if isinstance(node, Mapping) else node
        if written is None:
            types[name] = _type_of_numbers(node)
        else:
            types[name] = reader.type(written) or unknown(written)
        values[name] = {}
        if isinstance(node, Mapping):
            apart = node.get("values")
            rows = [e for e in node.entries if e.key.text not in _BESIDE_SPACES]
            rows.extend(entries(apart))
            values[name] = _values(reader, rows, types[name], names, kind, f"{path}.fields.{name}")
    defaults = field_values(reader, body.get("defaults"), types, kind)
    for entry in entries(body.get("fields")):
        if (default := get(entry.value, "default")) is not None:
            name = entry.key.text
            defaults[name] = field_value(reader, default, types[name])
    for entry in entries(body.get("values")):
        name = entry.key.text
        if name in types:
            own = f"{path}.values.{name}"
            rows = list(entries(entry.value))
            values[name].update(_values(reader, rows, types[name], names, kind, own))
        else:
            reader.report.add(messages.no_field(entry.key, kind, types, (), path))
    return types, values, defaults


def _values(
    reader: Reader, rows: list[Entry], type: TypeExpr, names: set[str], kind: str, path: str
) -> dict[str, FieldValue]:
    found = {}
    for row in rows:
        space = row.key.text
        if space in names:
            found[space] = field_value(reader, row.value, type)
        elif names:
            reader.report.add(messages.no_space(row.key.span, space, names, kind=kind, within=path))
    return found


def _type_of_numbers(node: Node) -> TypeExpr:
    """The range of the numbers that stand in a field without a type; 0 is where none stands."""
    found = [0]
    found.extend(
        number
        for e in entries(node)
        if e.key.text not in _BESIDE_SPACES and (number := maybe_number(e.value)) is not None
    )
    return NumberType(node.span, min(found), max(found))
