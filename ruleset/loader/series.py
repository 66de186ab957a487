"""Types that differ in a few fields only, written as a series: one for each combination."""

from __future__ import annotations

from itertools import product
from typing import Final

from ruleset.diagnostics.messages import loading as messages
from ruleset.document import Entry, Mapping, Node, Scalar, Sequence
from ruleset.loader.reading import Reader, entries, number
from ruleset.source import Span
from ruleset.syntax import FieldValue, Name, Number, PieceType, TypeExpr

MOST: Final = 500
OWN_KEYS: Final = ("copies",)

Part = tuple[str, FieldValue]
"""A word for the name of the type, and the value."""


def series(
    reader: Reader, node: Node | None, kind: str, fields: dict[str, TypeExpr], path: str
) -> tuple[PieceType, ...]:
    """The types of a series, the field that is written first going slowest."""
    if not isinstance(node, Mapping):
        return ()
    named: list[str] = []
    parts: list[list[Part]] = []
    for entry in entries(node):
        name = entry.key.text
        if name in OWN_KEYS:
            continue
        if name not in fields:
            reader.report.add(messages.no_field(entry.key, kind, fields, OWN_KEYS, path))
            continue
        named.append(name)
        parts.append(_values(reader, entry))
    many = 1
    for part in parts:
        many *= len(part)
    if many > MOST:
        reader.report.add(messages.series_too_long(node.span, many, MOST, path))
        return ()
    copies = number(node.get("copies"), 1)
    return tuple(
        _type(node.span, kind, path, dict(zip(named, row, strict=True)), copies)
        for row in product(*parts)
        if row
    )


def _values(reader: Reader, entry: Entry) -> list[Part]:
    """The values of one field: a list of them, or a range of numbers."""
    node = entry.value
    if isinstance(node, Sequence):
        found = []
        for item in node.items:
            value = reader.expr(item)
            if isinstance(item, Scalar) and isinstance(value, Name | Number):
                found.append((item.text, FieldValue(item.span, value)))
            else:
                reader.report.add(messages.not_in_a_series(item.span, entry.key.text))
        return found
    span = reader.span(node)
    if span is None:
        return []
    if span.low is None or span.high is None:
        reader.report.add(messages.not_in_a_series(node.span, entry.key.text))
        return []
    last = min(span.high, span.low + MOST)
    return [
        (str(k), FieldValue(node.span, Number(node.span, k))) for k in range(span.low, last + 1)
    ]


def _type(span: Span, kind: str, path: str, row: dict[str, Part], copies: int) -> PieceType:
    words = [word.replace("-", "minus_") for word, _ in row.values()]
    if words[0][0].isdigit() or words[0].startswith("minus"):
        words.insert(0, kind)
    name = "_".join(words)
    first = Span(span.source, span.start, min(span.end, span.start + 1))
    return PieceType(
        span=span,
        name=name,
        name_span=next((value.span for _, value in row.values()), first),
        path=f"{path}.types.{name}",
        copies=copies,
        each=None,
        starts=None,
        values={field: value for field, (_, value) in row.items()},
        while_held=(),
        gained=None,
        lost=None,
    )
