"""YAML text -> nodes that know their place.

Takes a ``Source``; gives a tree of ``Scalar``, ``Sequence`` and ``Mapping``, and diagnostics for
everything that this project does not read: tags, anchors, aliases, duplicate keys, several
documents, files that are too large or too deep. Nothing is resolved: every scalar is text, and
what kind of value it is follows from the schema. Never raises, whatever the text is.

The tree is built from YAML's events, without recursion, so aliases are never expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

import yaml

from ruleset import yaml_faults
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.messages import document as messages
from ruleset.source import Source, Span

MAX_CHARACTERS: Final = 2_000_000
MAX_DEPTH: Final = 40
MAX_NODES: Final = 200_000
MAX_PARTS: Final = 12
"""Into so many parts commas may cut a value, and it is still put together."""
MAX_TOLD: Final = 1000
"""So many faults of one file are told."""

Style: TypeAlias = Literal["plain", "single", "double", "block", "folded"]

_STYLES: Final[dict[str | None, Style]] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "block",
    ">": "folded",
}
_NULLS: Final = frozenset({"~", "null", "Null", "NULL"})
_FORBIDDEN: Final = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    "|\r(?!\n)"
)
_PROPERTIES: Final = re.compile(r"(?:[&!][^\s,\[\]{}]*\s*)*")
_BYTE_ORDER_MARK: Final = "\ufeff"
# The C parser is ten times as fast; both give the same events and offsets.
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, eq=False)
class Scalar:
    """A value that is no list and no mapping; an empty one is plain and has an empty text.

    ``span`` is the whole value as written, with its quotes or the ``|`` before it; ``body`` is the
    part that is text of the author's: inside the quotes, or the lines below the ``|``.
    """

    span: Span
    text: str
    style: Style
    body: Span

    @property
    def has_escapes(self) -> bool:
        """Whether the body as written differs from the text by escapes (``\\n``, ``''``)."""
        match self.style:
            case "double":
                return "\\" in self.body.text
            case "single":
                return "''" in self.body.text
            case _:
                return False


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """A list; ``flow`` tells ``[a, b]`` from lines that begin with ``-``."""

    span: Span
    items: tuple[Node, ...]
    flow: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One ``key: value`` of a mapping."""

    key: Scalar
    value: Node

    @property
    def span(self) -> Span:
        """From the start of the key to the end of the value."""
        if self.value.span.source is not self.key.span.source:
            return self.key.span
        return self.key.span.to(self.value.span)


@dataclass(frozen=True, slots=True, eq=False)
class Mapping:
    """Keys and values in the order of the file, no key twice; ``flow`` is ``{a: b}``."""

    span: Span
    entries: tuple[Entry, ...]
    flow: bool = False

    def entry(self, name: str) -> Entry | None:
        """The entry of that key."""
        for entry in self.entries:
            if entry.key.text == name:
                return entry
        return None

    def get(self, name: str) -> Node | None:
        """The value of that key."""
        entry = self.entry(name)
        return entry.value if entry else None


Node: TypeAlias = Scalar | Sequence | Mapping


def read(source: Source, report: Report) -> Node | None:
    """The tree of a YAML text, or None where there is none; every fault goes to ``report``."""
    if len(source) > MAX_CHARACTERS:
        report.add(messages.too_long(Span(source, 0, 0), len(source), MAX_CHARACTERS))
        return None
    base = 0
    if source.text.startswith(_BYTE_ORDER_MARK):
        report.add(messages.byte_order_mark(Span(source, 0, 1)))
        base = 1
    bad = [m.start() for m in _FORBIDDEN.finditer(source.text, base)]
    if bad:
        first = Span(source, bad[0], bad[0] + 1)
        report.add(messages.control_character(first, len(bad)))
        return None
    builder = _Builder(source, report, base)
    try:
        builder.run(yaml.parse(source.text[base:] if base else source.text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        report.add(
            yaml_faults.explain(
                source,
                problem=error.problem or "",
                context=error.context or "",
                at=builder.offset(error.problem_mark),
                since=builder.offset(error.context_mark) if error.context_mark else None,
            )
        )
        return None
    except yaml.YAMLError as error:
        end = Span(source, len(source), len(source))
        report.add(messages.not_yaml(end, " ".join(str(error).split())))
        return None
    if builder.failed:
        return None
    if builder.root is None:
        report.add(messages.empty_file(Span(source, 0, 0)))
    return builder.root


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been seen."""

    start: int
    flow: bool
    mapping: bool
    items: list[Node] = field(default_factory=list)
    """Of a mapping: key, value, key, value."""


@dataclass(slots=True)
class _Builder:
    source: Source
    report: Report
    base: int
    root: Node | None = None
    failed: bool = False
    nodes: int = 0
    told: int = 0
    stack: list[_Open] = field(default_factory=list)

    def offset(self, mark: Any) -> int:
        """Where a mark of YAML stands in the source."""
        return min(int(mark.index) + self.base, len(self.source)) if mark else len(self.source)

    def tell(self, fault: Diagnostic) -> None:
        self.told += 1
        if self.told <= MAX_TOLD:
            self.report.add(fault)

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, max(start, end))

    def run(self, events: Iterator[Any]) -> None:
        documents = 0
        for event in events:
            match event:
                case yaml.DocumentStartEvent():
                    documents += 1
                    if documents > 1:
                        start = self.offset(event.start_mark)
                        self.tell(messages.second_document(self.span(start, start + 3)))
                        return
                case yaml.ScalarEvent():
                    self.properties(event)
                    self.place(self.scalar(event))
                case yaml.AliasEvent():
                    start, end = self.offset(event.start_mark), self.offset(event.end_mark)
                    self.tell(messages.alias(self.span(start, end)))
                    self.failed = True
                    self.place(self.blank(start))
                case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                    self.properties(event)
                    start = self.after_properties(event)
                    mapping = isinstance(event, yaml.MappingStartEvent)
                    self.stack.append(_Open(start, bool(event.flow_style), mapping))
                    if len(self.stack) > MAX_DEPTH:
                        self.tell(messages.too_deep(self.span(start, start + 1), MAX_DEPTH))
                        self.failed = True
                        return
                case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                    self.close(self.offset(event.end_mark))
                case _:
                    pass
            self.nodes += 1
            if self.nodes > MAX_NODES:
                start = self.offset(event.start_mark)
                self.tell(messages.too_many_nodes(self.span(start, start + 1), MAX_NODES))
                self.failed = True
                return

    def properties(self, event: Any) -> None:
        """Refuse a tag or an anchor before a node; the node itself is kept."""
        start = self.offset(event.start_mark)
        if event.anchor is not None:
            at = self.source.text.find("&", start)
            self.tell(messages.anchor(self.span(at, at + 1 + len(event.anchor))))
        if event.tag is not None:
            at = self.source.text.find("!", start)
            found = re.compile(r"![^\s,\[\]{}]*").match(self.source.text, at)
            self.tell(messages.tag(self.span(at, found.end() if found else at + 1)))

    def after_properties(self, event: Any) -> int:
        start = self.offset(event.start_mark)
        if event.anchor is None and event.tag is None:
            return start
        found = _PROPERTIES.match(self.source.text, start)
        return found.end() if found else start

    def scalar(self, event: Any) -> Scalar:
        style = _STYLES[event.style]
        start, end = self.after_properties(event), self.offset(event.end_mark)
        whole = self.span(start, end)
        text: str = event.value
        match style:
            case "plain":
                body = whole
            case "single" | "double":
                body = self.span(start + 1, end - 1)
            case "block" | "folded":
                line = self.source.text.find("\n", start, end)
                first = end if line < 0 else line + 1
                last = first + len(self.source.text[first:end].rstrip())
                body = self.span(first, last)
                whole = self.span(start, last)
        return Scalar(whole, text, style, body)

    def blank(self, at: int) -> Scalar:
        span = self.span(at, at)
        return Scalar(span, "", "plain", span)

    def place(self, node: Node) -> None:
        """Put a finished node where it belongs."""
        if not self.stack:
            self.root = node
            return
        items = self.stack[-1].items
        if isinstance(node, Scalar) and not node.text and node.style == "plain":
            node = self.blank(self.place_of_nothing(node.span.start))
        if (
            isinstance(node, Scalar)
            and node.style == "plain"
            and node.text in _NULLS
            and (not self.stack[-1].mapping or len(items) % 2)
        ):
            self.tell(messages.null_word(node.span))
        items.append(node)

    def place_of_nothing(self, at: int) -> int:
        """An empty value stands right after its colon, wherever YAML saw the next thing."""
        top = self.stack[-1]
        if not (top.mapping and len(top.items) % 2):
            return at
        end = top.items[-1].span.end
        found = re.compile(r"\s*:").match(self.source.text, end)
        return found.end() if found else min(at, end)

    def close(self, end: int) -> None:
        top = self.stack.pop()
        if not top.flow:  # a block ends for YAML where the next thing begins
            end = top.items[-1].span.end if top.items else top.start
        whole = self.span(top.start, end)
        if top.mapping:
            pairs = [(top.items[i], top.items[i + 1]) for i in range(0, len(top.items) - 1, 2)]
            if top.flow:
                pairs = self.glue_pairs(pairs)
            self.place(Mapping(whole, self.entries(pairs), top.flow))
        else:
            items = self.glue_items(top.items) if top.flow else top.items
            self.place(Sequence(whole, tuple(items), top.flow))

    def entries(self, pairs: list[tuple[Node, Node]]) -> tuple[Entry, ...]:
        """The entries of a mapping, without the keys that are none and those that come twice."""
        seen: dict[str, Scalar] = {}
        entries = []
        for key, value in pairs:
            if not isinstance(key, Scalar) or key.style in ("block", "folded") or not key.text:
                self.tell(messages.key_is_no_name(key.span, _kind(key)))
            elif key.text == "<<":
                self.tell(messages.merge_key(key.span))
            elif key.text in seen:
                self.tell(messages.duplicate_key(key.text, key.span, seen[key.text].span))
            else:
                seen[key.text] = key
                entries.append(Entry(key, value))
        return tuple(entries)

    # Inside { } and [ ] a comma ends a value, so `{event: take(me, card)}` comes in two parts.
    # An open `(` tells that they belong together: say it once and read on as the author meant it.

    def glue_pairs(self, pairs: list[tuple[Node, Node]]) -> list[tuple[Node, Node]]:
        glued: list[tuple[Node, Node]] = []
        i = 0
        while i < len(pairs):
            key, value = pairs[i]
            in_key = _is_blank(value)
            first = last = key if in_key else value
            depth = _brackets(first)
            j = i
            while depth > 0 and j + 1 < min(len(pairs), i + MAX_PARTS):
                more, ends = pairs[j + 1]
                if not (in_key or _is_blank(ends)):
                    break
                j, last = j + 1, more
                depth += _brackets(more)
                if not _is_blank(ends):
                    break
            if j > i and depth == 0:
                whole = self.joined(first, last)
                glued.append((whole, pairs[j][1]) if in_key else (key, whole))
                i = j + 1
            else:
                glued.append((key, value))
                i += 1
        return glued

    def glue_items(self, items: list[Node]) -> list[Node]:
        glued: list[Node] = []
        i = 0
        while i < len(items):
            depth = _brackets(items[i])
            j = i
            while depth > 0 and j + 1 < min(len(items), i + MAX_PARTS):
                j += 1
                depth += _brackets(items[j])
            if j > i and depth == 0:
                glued.append(self.joined(items[i], items[j]))
                i = j + 1
            else:
                glued.append(items[i])
                i += 1
        return glued

    def joined(self, first: Node, last: Node) -> Scalar:
        whole = first.span.to(last.span)
        self.tell(messages.comma_ends_value(whole))
        return Scalar(whole, whole.text, "plain", whole)


def _brackets(node: Node) -> int:
    """How many ``(`` a plain value opens and does not close; a large negative number for others."""
    if not isinstance(node, Scalar) or node.style != "plain":
        return -MAX_CHARACTERS
    return node.text.count("(") - node.text.count(")")


def _is_blank(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and not node.text


def _kind(node: Node) -> str:
    match node:
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case _:
            return "a block of text" if node.text else "nothing"
