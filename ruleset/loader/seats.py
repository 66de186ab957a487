"""What is different from seat to seat: fields of the players, with a value for each seat."""

from __future__ import annotations

from ruleset.document import Mapping, Node
from ruleset.loader.pieces import field_types, field_values, type_values
from ruleset.loader.reading import Reader, entries
from ruleset.syntax import FieldValue, Ident, Seats

OWN_KEYS = frozenset({"fields", "defaults", "cites", "assumed"})


def seats(reader: Reader, node: Node | None) -> Seats | None:
    """The section ``seats``; None where the game has none."""
    if not isinstance(node, Mapping):
        return None
    fields = field_types(reader, node.get("fields"))
    values: dict[int, dict[str, FieldValue]] = {}
    numbers: list[Ident] = []
    for entry in entries(node):
        key = entry.key.text
        if key not in OWN_KEYS and key.isascii() and key.isdigit():
            numbers.append(Ident(entry.key.span, key))
            own = f"seats.{key}"
            values[int(key)] = type_values(reader, entry.value, fields, (), "seats", own)
    return Seats(
        span=node.span,
        fields=fields,
        defaults=field_values(reader, node.get("defaults"), fields, "seats"),
        numbers=tuple(numbers),
        values=values,
    )
