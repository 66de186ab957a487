"""Kinds of places: what is fixed on the boards of players or on spaces of a map."""

from __future__ import annotations

from typing import Final

from ruleset.document import Entry, Mapping
from ruleset.loader.pieces import field_types, field_values, listed, type_values
from ruleset.loader.reading import Reader, get, head, ident, maybe_number, number, text
from ruleset.syntax import PlaceDecl, PlaceType, TypeExpr

TYPE_KEYS: Final = frozenset({"copies", "at", "cites", "assumed"})
"""The keys of a type of place that are not fields."""


def place(reader: Reader, entry: Entry, path: str) -> PlaceDecl | None:
    """A kind of place; one without ``types`` has one type of its own name."""
    body = entry.value
    each = ident(get(body, "each"))
    if not isinstance(body, Mapping) or each is None:
        return None
    kind = entry.key.text
    own = f"{path}.{kind}"
    fields = field_types(reader, body.get("fields"))
    if (types := body.get("types")) is None:
        count = number(body.get("count"), 1)
        made: tuple[PlaceType, ...] = (
            PlaceType(**head(entry, own), copies=count, at=None, values={}),
        )
    else:
        rows = listed(types)
        made = tuple(_type(reader, row, f"{own}.types", kind, fields) for row in rows)
    return PlaceDecl(
        **head(entry, own),
        plural=text(body.get("plural"), f"{kind}s"),
        each=each,
        fields=fields,
        defaults=field_values(reader, body.get("defaults"), fields, kind),
        types=made,
        total=maybe_number(body.get("total")),
        total_span=total.span if (total := body.get("total")) is not None else None,
    )


def _type(
    reader: Reader, entry: Entry, path: str, kind: str, fields: dict[str, TypeExpr]
) -> PlaceType:
    body = entry.value
    own = f"{path}.{entry.key.text}"
    return PlaceType(
        **head(entry, own),
        copies=number(get(body, "copies"), 1),
        at=ident(get(body, "at")),
        values=type_values(reader, body, fields, TYPE_KEYS, kind, own),
    )
