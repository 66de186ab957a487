"""What all parts of the loader share: heads of records, names, and language text read once.

A text of the language is parsed once for each place and start symbol, and a record is built once
for each entry of a document. A reading of a ruling shares all entries that it does not touch with
the base, so that it costs only what it brings.

A text that does not parse leaves a `Name` that is empty, or an empty block. The cache keeps its
place (`Cache.broken`), so that nothing else is told of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypedDict, TypeVar, cast

from ruleset import parser
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.document import Entry, Mapping, Node, Scalar, Sequence
from ruleset.parser_builder import PricePart
from ruleset.source import Source, Span
from ruleset.syntax import (
    Block,
    Clause,
    Condition,
    Cost,
    Domain,
    Expr,
    Header,
    Hook,
    Ident,
    Name,
    NumberType,
    Order,
    Road,
    TypeExpr,
)

T = TypeVar("T")

_HEADER: Final = re.compile(r"[a-z]\w*( *\([\w, ]*\))?")
_WORD: Final = re.compile(r"[A-Za-z]\w*")


class Head(TypedDict):
    """What every record has."""

    span: Span
    name: str
    name_span: Span
    path: str
    cites: tuple[Ident, ...]
    assumed: tuple[Ident, ...]


@dataclass(slots=True)
class Cache:
    """What was parsed and built before, with the diagnostics that it gave."""

    texts: dict[tuple[Source, int, int, str], tuple[object, tuple[Diagnostic, ...]]] = field(
        default_factory=dict
    )
    records: dict[tuple[int, str], tuple[Entry, object, tuple[Diagnostic, ...]]] = field(
        default_factory=dict
    )

    _broken: set[tuple[Source, int, int]] = field(default_factory=set)

    def mark_broken(self, span: Span) -> None:
        """Keep the place of something that is told to be wrong."""
        self._broken.add((span.source, span.start, span.end))

    def broken(self, span: Span | None) -> bool:
        """Whether what stands exactly there is told to be wrong."""
        return span is not None and (span.source, span.start, span.end) in self._broken


def whole(entry: Entry) -> Span:
    """The key with its value; the value alone where an overlay of another file brought it."""
    key, value = entry.key.span, entry.value.span
    return key.to(value) if key.source is value.source and key.start <= value.start else value


def entries(node: Node | None) -> tuple[Entry, ...]:
    """The entries of a mapping; none where there is something else."""
    return node.entries if isinstance(node, Mapping) else ()


def ident(node: Node | None) -> Ident | None:
    """A name on its own."""
    return Ident(node.span, node.text) if isinstance(node, Scalar) and node.text else None


def idents(node: Node | None) -> tuple[Ident, ...]:
    """A list of names; one name alone is a list of one."""
    items = node.items if isinstance(node, Sequence) else (node,)
    return tuple(found for item in items if (found := ident(item)) is not None)


def text(node: Node | None, default: str = "") -> str:
    """A text as it stands."""
    return node.text if isinstance(node, Scalar) else default


def number(node: Node | None, default: int) -> int:
    """A whole number."""
    found = maybe_number(node)
    return default if found is None else found


def maybe_number(node: Node | None) -> int | None:
    """A whole number, or None for anything else."""
    if not isinstance(node, Scalar):
        return None
    digits = node.text.removeprefix("-")
    return int(node.text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None


def head(entry: Entry, path: str, name: str = "", name_span: Span | None = None) -> Head:
    """The head of a record that stands under a key; a rule's name is only a part of its key."""
    return Head(
        span=whole(entry),
        name=name or entry.key.text,
        name_span=name_span or entry.key.span,
        path=path,
        cites=idents(get(entry.value, "cites")),
        assumed=idents(get(entry.value, "assumed")),
    )


def get(node: Node | None, key: str) -> Node | None:
    """The value under a key of a mapping."""
    return node.get(key) if isinstance(node, Mapping) else None


class Reader:
    """Reads texts and records into a report, through a cache."""

    def __init__(self, report: Report, cache: Cache) -> None:
        self.report = report
        self.cache = cache

    # -------------------------------------------------------------- records

    def records(
        self, section: Node | None, path: str, build: Callable[[Reader, Entry, str], T | None]
    ) -> Iterator[T]:
        """The records of a section, each built once for its entry."""
        for entry in entries(section):
            key = (id(entry), path)
            known = self.cache.records.get(key)
            if known is None:
                report = Report()
                record = build(Reader(report, self.cache), entry, path)
                known = self.cache.records[key] = (entry, record, tuple(report.diagnostics))
            for diagnostic in known[2]:
                self.report.add(diagnostic)
            if known[1] is not None:
                yield cast("T", known[1])

    # -------------------------------------------------------------- texts of the language

    def _parse(self, start: str, node: Node | None, name: Scalar | None = None) -> object:
        """The tree of a scalar, or None; as a domain it needs the name that is chosen."""
        if not isinstance(node, Scalar):
            return None
        key = (node.span.source, node.span.start, node.span.end, name.text if name else start)
        known = self.cache.texts.get(key)
        if known is None:
            report = Report()
            if name is None:
                tree = parser.parse(start, node, report)
            else:
                tree = parser.parse_domain(name.text, name.span, node, report)
            known = self.cache.texts[key] = (tree, tuple(report.diagnostics))
            if tree is None:
                self.cache.mark_broken(node.span)
        for diagnostic in known[1]:
            self.report.add(diagnostic)
        return known[0]

    def maybe(self, node: Node | None) -> Expr | None:
        """An expression, or None where none is written."""
        return None if node is None else self.expr(node)

    def expr(self, node: Node) -> Expr:
        """An expression; an empty name where it has a fault."""
        found = cast("Expr | None", self._parse("expr", node))
        return found or Name(node.span, "")

    def block(self, node: Node | None) -> Block:
        """Effects; none where they are left out."""
        return cast("Block | None", self._parse("effects", node)) or ()

    def domain(self, key: Scalar, node: Node) -> Domain | None:
        """An entry of ``choose``; with a fault its set is an empty name, so that it is bound."""
        found = cast("Domain | None", self._parse("domain", node, key))
        if found is not None or not isinstance(node, Scalar):
            return found
        clause = Clause(node.span, key.text, key.span, Name(node.span, ""), None)
        return Domain(node.span, key.text, None, clause)

    def cost(self, node: Node) -> Cost | None:
        """One way to pay an entry of ``costs``."""
        return cast("Cost | None", self._parse("cost", node))

    def hook(self, node: Node) -> Hook | None:
        """An event that a rule waits for, or a moment at which an invariant is looked at."""
        return cast("Hook | None", self._parse("hook", node))

    def pattern(self, node: Node | None) -> Header | None:
        """A rule with its names."""
        return cast("Header | None", self._parse("pattern", node))

    def header(self, key: Scalar) -> Header:
        """The key of a rule; as many of its words as there are where it has a fault."""
        if _HEADER.fullmatch(key.text):
            found = cast("Header | None", self._parse("header", key))
            if found is not None:
                return found
        # told by the shape check, or just now: what can be read keeps others from seeming wrong
        words = [
            Ident(
                Span(key.span.source, key.span.start + at.start(), key.span.start + at.end()), at[0]
            )
            for at in _WORD.finditer(key.span.text)
        ]
        if not words:
            return Header(key.span, key.text, key.span, ())
        return Header(key.span, words[0].name, words[0].span, tuple(words[1:]))

    def order(self, node: Node | None) -> Order | None:
        """Whose turn it is."""
        return cast("Order | None", self._parse("order", node))

    def over(self, node: Node) -> tuple[tuple[Ident, ...], Expr | None]:
        """What a replacement goes before: names, or the player who orders them."""
        found = self._parse("over", node)
        return cast("tuple[tuple[Ident, ...], Expr | None]", found or ((), None))

    def part(self, node: Node) -> PricePart | None:
        """So many items of a price of an action."""
        return cast("PricePart | None", self._parse("part", node))

    def type(self, node: Node | None) -> TypeExpr | None:
        """A type as it is written."""
        return cast("TypeExpr | None", self._parse("type", node))

    def span(self, node: Node | None) -> NumberType | None:
        """Numbers from one to another."""
        return cast("NumberType | None", self._parse("span", node))

    def track(self, node: Node) -> tuple[bool, tuple[Ident, ...]] | None:
        """Whether a track is a loop, and its spaces."""
        return cast("tuple[bool, tuple[Ident, ...]] | None", self._parse("track", node))

    def spaces(self, node: Node) -> tuple[Ident, ...]:
        """Spaces by name, with ranges written out."""
        return cast("tuple[Ident, ...] | None", self._parse("spaces", node)) or ()

    def grid(self, node: Node) -> tuple[int, int, bool] | None:
        """Columns, rows, and whether the cells are hexagons."""
        return cast("tuple[int, int, bool] | None", self._parse("grid", node))

    def roads(self, node: Node) -> tuple[Road, ...]:
        """The roads of one block."""
        return cast("tuple[Road, ...] | None", self._parse("roads", node)) or ()

    def conditions(self, node: Node | None) -> tuple[Condition, ...]:
        """Named conditions, or one without a name."""
        if node is None:
            return ()
        if isinstance(node, Mapping):
            return tuple(
                Condition(whole(entry), entry.key.text, self.expr(entry.value))
                for entry in node.entries
            )
        return (Condition(node.span, "", self.expr(node)),)
