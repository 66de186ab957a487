"""Kinds of pieces with their types, and values of fields."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from ruleset.diagnostics.messages import loading as messages
from ruleset.document import Entry, Mapping, Node, Scalar, Sequence
from ruleset.loader.reading import (
    Reader,
    entries,
    get,
    head,
    ident,
    idents,
    maybe_number,
    number,
    text,
)
from ruleset.loader.rules import rule
from ruleset.loader.series import series
from ruleset.syntax import (
    Block,
    CodeType,
    FieldValue,
    Ident,
    Name,
    NamedType,
    Piece,
    PieceType,
    Rule,
    SetOf,
    TypeExpr,
)

MOST_SIDES: Final = 100
TYPE_KEYS: Final = frozenset(
    {"copies", "each", "starts", "while held", "gained", "lost", "cites", "assumed"}
)
"""The keys of a piece type that are not fields."""


def piece(reader: Reader, entry: Entry, path: str) -> Piece | None:
    """A kind of piece; one without ``types`` has one type of its own name."""
    body = entry.value
    if not isinstance(body, Mapping):
        return None
    kind = entry.key.text
    fields = field_types(reader, body.get("fields"))
    count = number(body.get("count"), 1)
    types = body.get("types")
    rows = listed(types)
    listed_types = body.get("series")
    if types is None and listed_types is None:
        made: Iterable[PieceType] = (_only_type(reader, entry, f"{path}.{kind}", count),)
    else:
        under = f"{path}.{kind}.types"
        own = f"{path}.{kind}"
        made = (
            *(_type(reader, each, under, kind, fields) for each in rows),
            *series(reader, listed_types, kind, fields, own),
        )
    pips = _pips(reader, body.get("sides"))
    return Piece(
        **head(entry, f"{path}.{kind}"),
        plural=text(body.get("plural"), f"{kind}s"),
        each=ident(body.get("each")),
        count=count,
        starts=reader.maybe(body.get("starts")),
        stays_in=ident(body.get("stays in")),
        in_play=ident(body.get("in play")),
        sides=pips or idents(body.get("sides")),
        pips=int(pips[0].name) if pips else None,
        fields=fields,
        defaults=field_values(reader, body.get("defaults"), fields, kind),
        types=tuple(made),
        total=maybe_number(body.get("total")),
        total_span=total.span if (total := body.get("total")) is not None else None,
    )


def _pips(reader: Reader, node: Node | None) -> tuple[Ident, ...]:
    """The sides of a die that are numbers: ``sides: 1..6``."""
    if not isinstance(node, Scalar):
        return ()
    found = reader.span(node)
    if found is None:
        return ()
    low, high = found.low, found.high
    if low is None or high is None or low < 0 or high - low >= MOST_SIDES:
        reader.report.add(messages.sides_of_a_die(node.span, MOST_SIDES))
        low, high = 1, 6  # so that what uses the numbers is not told, too
    return tuple(Ident(node.span, str(k)) for k in range(low, high + 1))


def listed(node: Node | None) -> tuple[Entry, ...]:
    """The types of a kind; a list of names is types without anything to say of them."""
    if isinstance(node, Sequence):
        keys = (item for item in node.items if not isinstance(item, Mapping | Sequence))
        return tuple(Entry(key, Mapping(key.span, ())) for key in keys)
    return entries(node)


def _only_type(reader: Reader, entry: Entry, path: str, count: int) -> PieceType:
    body = entry.value
    return PieceType(
        **head(entry, path),
        copies=count,
        each=None,
        starts=None,
        values={},
        while_held=_held_rules(reader, body, path, f"{entry.key.text}.{entry.key.text}"),
        gained=_maybe_block(reader, get(body, "gained")),
        lost=_maybe_block(reader, get(body, "lost")),
    )


def _type(
    reader: Reader, entry: Entry, path: str, kind: str, fields: dict[str, TypeExpr]
) -> PieceType:
    body = entry.value
    name = entry.key.text
    own = f"{path}.{name}"
    return PieceType(
        **head(entry, own),
        copies=number(get(body, "copies"), 1),
        each=ident(get(body, "each")),
        starts=reader.maybe(get(body, "starts")),
        values=type_values(reader, body, fields, TYPE_KEYS, kind, own),
        while_held=_held_rules(reader, body, own, f"{kind}.{name}"),
        gained=_maybe_block(reader, get(body, "gained")),
        lost=_maybe_block(reader, get(body, "lost")),
    )


def type_values(
    reader: Reader,
    body: Node,
    fields: dict[str, TypeExpr],
    keys: Collection[str],
    kind: str,
    own: str,
) -> dict[str, FieldValue]:
    """The values that a type gives to fields; ``keys`` are its keys that are no fields."""
    values: dict[str, FieldValue] = {}
    for each in entries(body):
        key = each.key.text
        if key in fields:
            values[key] = field_value(reader, each.value, fields[key])
        elif key not in keys:
            reader.report.add(messages.no_field(each.key, kind, fields, keys, own))
    return values


def _held_rules(reader: Reader, body: Node, path: str, held_by: str) -> tuple[Rule, ...]:
    under = f"{path}.while held"
    found = (rule(reader, each, under, held_by) for each in entries(get(body, "while held")))
    return tuple(each for each in found if each is not None)


def _maybe_block(reader: Reader, node: Node | None) -> Block | None:
    return None if node is None else reader.block(node)


def field_types(reader: Reader, node: Node | None) -> dict[str, TypeExpr]:
    """Declared fields and their types; a type with a fault has an empty name."""
    found = {e.key.text: (e.value, reader.type(e.value)) for e in entries(node)}
    return {name: type or unknown(value) for name, (value, type) in found.items()}


def field_values(
    reader: Reader, node: Node | None, fields: dict[str, TypeExpr], kind: str
) -> dict[str, FieldValue]:
    """Values by field; a field that is not declared is a fault."""
    values: dict[str, FieldValue] = {}
    for each in entries(node):
        if each.key.text in fields:
            values[each.key.text] = field_value(reader, each.value, fields[each.key.text])
        else:
            reader.report.add(messages.no_field(each.key, kind, fields, (), ""))
    return values


def field_value(reader: Reader, node: Node, type: TypeExpr) -> FieldValue:
    """A value, read as the type of its field wants it."""
    if isinstance(node, Sequence):
        return FieldValue(node.span, idents(node))
    if isinstance(type, CodeType) and type.kind == "effect":
        return FieldValue(node.span, reader.block(node))
    if isinstance(node, Mapping):
        return FieldValue(node.span, Name(node.span, ""))
    found = reader.expr(node)
    if isinstance(type, NamedType) and type.shape == "list":
        items = found.items if isinstance(found, SetOf) else (found,)
        names = [Ident(n.span, n.name) for n in items if isinstance(n, Name) and n.name]
        if len(names) == len(items):
            return FieldValue(node.span, tuple(names))
    return FieldValue(node.span, found)


def unknown(node: Node) -> TypeExpr:
    """The type that stands for one with a fault."""
    return NamedType(node.span, "", node.span, "one")
