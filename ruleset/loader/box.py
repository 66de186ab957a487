"""What lies in the box besides pieces and maps: kinds, options, tables, zones, counters, marks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from ruleset.diagnostics.messages import loading as messages
from ruleset.diagnostics.messages.names import declared_twice
from ruleset.document import Entry, Mapping, Node
from ruleset.loader.pieces import unknown
from ruleset.loader.reading import Reader, entries, get, head, ident, idents, maybe_number, text
from ruleset.source import Span
from ruleset.syntax import (
    Counter,
    Enumeration,
    Expr,
    Ident,
    Mark,
    NamedType,
    Nothing,
    Number,
    NumberType,
    OptionDecl,
    Piece,
    SetOf,
    Table,
    Truth,
    TypeExpr,
    Words,
    Zone,
)


def words(reader: Reader, node: Node | None, place: Span) -> Words:
    """The names with a type; without any, ``me`` is a player."""
    if not isinstance(node, Mapping):
        return Words(place, {"me": Ident(place, "player")}, {})
    types: dict[str, Ident] = {}
    seen: dict[str, Ident] = {}
    for entry in node.entries:
        kind = Ident(entry.key.span, entry.key.text)
        for name in idents(entry.value):
            first = seen.setdefault(name.name, name)
            if first is not name:
                twice = declared_twice(name.span, name.name, "a word", "a word", first.span)
                reader.report.add(replace(twice, within="words"))
            types.setdefault(name.name, kind)
    return Words(node.span, types, {name: ident.span for name, ident in seen.items()})


def enumeration(reader: Reader, entry: Entry, path: str) -> Enumeration:
    """A kind with listed members; as a mapping it may say its plural."""
    name, body = entry.key.text, entry.value
    members = get(body, "members") if isinstance(body, Mapping) else body
    return Enumeration(
        **head(entry, f"{path}.{name}"),
        members=idents(members),
        plural=text(get(body, "plural"), f"{name}s"),
    )


def option(reader: Reader, entry: Entry, path: str) -> OptionDecl | None:
    """An option of the table."""
    default = get(entry.value, "default")
    if default is None:
        return None
    type = get(entry.value, "type")
    return OptionDecl(
        **head(entry, f"{path}.{entry.key.text}"),
        type=reader.type(type) or unknown(entry.value),
        default=text(default),
        default_span=default.span,
    )


def table(reader: Reader, entry: Entry, path: str) -> Table:
    """One number for each number of players."""
    values: dict[int, int] = {}
    for each in entries(entry.value):
        players = maybe_number(each.key)
        value = maybe_number(each.value)
        if players is not None and value is not None:
            values[players] = value
    return Table(**head(entry, f"{path}.{entry.key.text}"), values=values)


def zone(reader: Reader, entry: Entry, path: str, kinds: Iterable[Piece]) -> Zone | None:
    """Where pieces lie; the kind may be left out where the zone bears its name."""
    body, name = entry.value, entry.key.text
    of = ident(get(body, "of"))
    if of is None:
        kinds = tuple(kinds)
        known = next((kind.name for kind in kinds if name in (kind.name, kind.plural)), "")
        if not known:
            reader.report.add(messages.zone_of_what(entry.key, [kind.name for kind in kinds]))
            reader.cache.mark_broken(entry.key.span)
        of = Ident(entry.key.span, known)
    holds = reader.span(get(body, "holds"))
    return Zone(
        **head(entry, f"{path}.{name}"),
        each=ident(get(body, "each")),
        of=of,
        order=_order(text(get(body, "order"))),
        seen_by=_seen_by(text(get(body, "seen by"))),
        low=(holds.low or 0) if holds else 0,
        high=holds.high if holds else None,
        live=reader.maybe(get(body, "live")),
    )


def _order(written: str) -> Literal["set", "row", "pile", "bag", "slots"]:
    match written:
        case "row" | "pile" | "bag" | "slots":
            return written
        case _:
            return "set"


def _seen_by(written: str) -> Literal["all", "owner", "nobody"]:
    match written:
        case "owner" | "nobody":
            return written
        case _:
            return "all"


def counter(reader: Reader, entry: Entry, path: str) -> Counter:
    """A number; it starts at 0, or as near to it as its range allows."""
    body = entry.value
    written = get(body, "range")
    if written is None:
        span: NumberType = NumberType(entry.key.span, 0, None)
    else:
        span = reader.span(written) or NumberType(written.span, None, None)
    start = get(body, "start")
    return Counter(
        **head(entry, f"{path}.{entry.key.text}"),
        each=ident(get(body, "each")),
        low=span.low,
        high=span.high,
        start=Number(entry.key.span, _nearest_to_zero(span))
        if start is None
        else reader.expr(start),
        resets=ident(get(body, "resets")),
        seen_by=_seen_by(text(get(body, "seen by"))),
    )


def _nearest_to_zero(span: NumberType) -> int:
    if span.low is not None and span.low > 0:
        return span.low
    if span.high is not None and span.high < 0:
        return span.high
    return 0


def mark(reader: Reader, entry: Entry, path: str) -> Mark | None:
    """A flag, a reference, a number or a set; it starts false, none, low or empty."""
    body = entry.value
    if not isinstance(body, Mapping):
        return None
    written = body.get("type")
    type = reader.type(written) or unknown(written or body)
    start = body.get("start")
    return Mark(
        **head(entry, f"{path}.{entry.key.text}"),
        each=ident(body.get("each")),
        type=type,
        start=_start(type) if start is None else reader.expr(start),
        resets=ident(body.get("resets")),
        seen_by=_seen_by(text(body.get("seen by"))),
    )


def _start(type: TypeExpr) -> Expr:
    match type:
        case NumberType():
            return Number(type.span, _nearest_to_zero(type))
        case NamedType(shape="set" | "list"):
            return SetOf(type.span, ())
        case NamedType(shape="one", name="flag"):
            return Truth(type.span, False)
        case _:
            return Nothing(type.span)
