"""Overlays: a reading or a variant changes, adds and removes parts of a document, by path.

Takes nodes and gives nodes; the old ones stay as they were, and what no path touches is shared.
Every node keeps its own place, so what an overlay brings points into the overlay's file.

A path names keys with dots between them: ``rules.drive.needs.x``. The parameters of a rule are
left out (or written, at the end of a path that adds a rule). A key may have dots of its own, as
under ``labels``. Removals come first, then changes, then additions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import variants as messages
from ruleset.document import Entry, Mapping, Node, Scalar, Sequence
from ruleset.source import Span
from ruleset.syntax import Ident

Verb: TypeAlias = Literal["remove", "change", "add"]

SECTIONS: Final[dict[str, str]] = {
    "words": "kind",
    "kinds": "kind",
    "options": "option",
    "tables": "table",
    "map": "map",
    "places": "kind of place",
    "pieces": "kind of piece",
    "zones": "zone",
    "counters": "counter",
    "marks": "mark",
    "flow": "step",
    "rules": "rule",
    "invariants": "invariant",
    "labels": "label",
    "types": "type",
    "while held": "rule",
}
"""The keys under which records stand by name, and what such a record is called."""
RULES: Final = ("rules", "while held")
"""The keys under which a key may have parameters."""
TOP: Final = (
    *("game", "title", "status", "source", "document", "rulings", "players", "result"),
    *("settled", "open", "information", "seats"),
    *(name for name in SECTIONS if name not in ("types", "while held")),
)
"""The keys of a game file, where a path can begin."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a path, with its place."""

    text: str
    span: Span

    @property
    def name(self) -> str:
        """Without the parameters of a rule."""
        return key_name(self.text)


@dataclass(frozen=True, slots=True, eq=False)
class Edit:
    """One line of an overlay."""

    verb: Verb
    path: tuple[Segment, ...]
    span: Span
    """The path as written."""
    value: Node | None

    @property
    def names(self) -> tuple[str, ...]:
        """The path by names, to compare it with others."""
        return tuple(segment.name for segment in self.path)


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """What one reading or variant does to the base."""

    name: str
    """For people: ``ruling.reading``."""
    span: Span
    edits: tuple[Edit, ...]
    excludes: tuple[Ident, ...] = ()
    requires: tuple[Ident, ...] = ()


def key_name(key: str) -> str:
    """The name in a key: ``drive`` of ``drive(me)``."""
    return key.partition("(")[0].strip()


# ------------------------------------------------------------------ reading an overlay


def overlay_edits(body: Node) -> tuple[Edit, ...]:
    """The edits under ``remove``, ``change`` and ``add``, in the order in which they apply."""
    return tuple(_edits(body))


def _edits(body: Node) -> Iterator[Edit]:
    if not isinstance(body, Mapping):
        return
    removed = body.get("remove")
    listed = removed.items if isinstance(removed, Sequence) else (removed,)
    for item in listed:
        if isinstance(item, Scalar) and item.text:
            yield Edit("remove", split_path(item), item.span, None)
    verbs: tuple[Verb, ...] = ("change", "add")
    for verb in verbs:
        lines = body.get(verb)
        if isinstance(lines, Mapping):
            for entry in lines.entries:
                yield Edit(verb, split_path(entry.key), entry.key.span, entry.value)


def split_path(written: Scalar) -> tuple[Segment, ...]:
    """The parts of a path; a dot inside brackets does not part."""
    text, start, depth = written.text, 0, 0
    base = written.body.start
    found: list[Segment] = []
    for end, char in enumerate(f"{text}."):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "." and (depth <= 0 or end == len(text)):
            span = Span(written.span.source, base + start, base + end)
            found.append(Segment(text[start:end], span))
            start = end + 1
    return tuple(found)


# ------------------------------------------------------------------ applying it


def apply(root: Mapping, overlay: Overlay, report: Report) -> Mapping:
    """The document with an overlay; an edit with a fault is told and left out."""
    for edit in overlay.edits:
        changed = _Walk(edit, overlay.name, report).at(root, 0, "")
        if changed is not None:
            root = _without_labels(changed, edit.names) if edit.verb == "remove" else changed
    return root


def _without_labels(root: Mapping, removed: tuple[str, ...]) -> Mapping:
    """What is gone needs no label."""
    labels = root.entry("labels")
    if labels is None or not isinstance(labels.value, Mapping) or removed[0] == "labels":
        return root
    gone = ".".join(removed)
    kept = tuple(
        each
        for each in labels.value.entries
        if each.key.text != gone and not each.key.text.startswith(f"{gone}.")
    )
    if len(kept) == len(labels.value.entries):
        return root
    return _put(root, labels, Mapping(labels.value.span, kept, labels.value.flow))


@dataclass(frozen=True, slots=True)
class _Walk:
    """One edit on its way down; each step gives the new mapping, or None after a fault."""

    edit: Edit
    overlay: str
    report: Report

    def at(self, mapping: Mapping, index: int, under: str) -> Mapping | None:
        """Go on at a part of the path, inside the mapping that stands under a key."""
        path = self.edit.path
        found = _find(mapping, path, index, under)
        if found is None:
            return self._missing(mapping, index, under)
        entry, after = found
        if after == len(path):
            return self._here(mapping, entry)
        if not isinstance(entry.value, Mapping):
            if self.edit.verb == "add" and _is_empty(entry.value):
                return _put(mapping, entry, self._made(after, entry.key.text))
            self.report.add(messages.nothing_below(self.edit.span, self._trail(after), path[after]))
            return None
        below = self.at(entry.value, after, entry.key.text)
        if below is None:
            return None
        if not below.entries and entry.value.entries and under not in SECTIONS:
            return _without(mapping, entry)
        return _put(mapping, entry, below)

    def _here(self, mapping: Mapping, entry: Entry) -> Mapping | None:
        edit = self.edit
        match edit.verb:
            case "remove":
                return _without(mapping, entry)
            case "change":
                assert edit.value is not None
                if same(entry.value, edit.value):
                    self.report.add(
                        messages.changes_nothing(edit.span, self._trail(), entry.value.span)
                    )
                return _put(mapping, entry, edit.value)
            case "add":
                self.report.add(messages.is_there_already(edit.span, self._trail(), entry.key.span))
                return None

    def _missing(self, mapping: Mapping, index: int, under: str) -> Mapping | None:
        path = self.edit.path
        last = index == len(path) - 1
        by_id = under in SECTIONS and under != "labels"
        unknown_section = index == 0 and path[0].text not in TOP
        if self.edit.verb == "add" and not unknown_section and (last or not by_id):
            key, after = self._new_key(index, under)
            return Mapping(
                mapping.span,
                (*mapping.entries, Entry(key, self._made(after, key.text))),
                mapping.flow,
            )
        known = [key_name(entry.key.text) for entry in mapping.entries]
        if index == 0:
            known.extend(TOP)
        what = SECTIONS.get(under, "") if by_id else ""
        self.report.add(
            messages.no_such_part(
                self.edit.verb,
                path[index].span,
                path[index].name,
                self._trail(index),
                known,
                what,
                addable=last or not by_id,
            )
        )
        return None

    def _new_key(self, index: int, under: str) -> tuple[Scalar, int]:
        """The key to be made; under ``labels`` it is all that is left of the path."""
        path = self.edit.path
        after = len(path) if under == "labels" else index + 1
        span = path[index].span.to(path[after - 1].span)
        return Scalar(span, ".".join(part.text for part in path[index:after]), "plain", span), after

    def _made(self, index: int, under: str) -> Node:
        """The value to be added, inside the mappings that its path still lacks."""
        assert self.edit.value is not None
        if index == len(self.edit.path):
            return self.edit.value
        key, after = self._new_key(index, under)
        return Mapping(key.span, (Entry(key, self._made(after, key.text)),))

    def _trail(self, end: int | None = None) -> str:
        return ".".join(part.text for part in self.edit.path[:end])


def _find(
    mapping: Mapping, path: tuple[Segment, ...], index: int, under: str
) -> tuple[Entry, int] | None:
    """The entry that the path goes through next, and where the path goes on behind its key."""
    part = path[index]
    for entry in mapping.entries:
        key = entry.key.text
        if key == part.text or (under in RULES and key_name(key) == part.name):
            return entry, index + 1
    for end in range(len(path), index + 1, -1):
        joined = ".".join(part.text for part in path[index:end])
        if (entry_ := mapping.entry(joined)) is not None:
            return entry_, end
    return None


def _is_empty(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and not node.text


def _put(mapping: Mapping, entry: Entry, value: Node) -> Mapping:
    changed = Entry(entry.key, value)
    return Mapping(
        mapping.span,
        tuple(changed if each is entry else each for each in mapping.entries),
        mapping.flow,
    )


def _without(mapping: Mapping, entry: Entry) -> Mapping:
    return Mapping(
        mapping.span, tuple(each for each in mapping.entries if each is not entry), mapping.flow
    )


def same(a: Node, b: Node) -> bool:
    """Whether two nodes say the same, wherever they stand."""
    match a, b:
        case Scalar(), Scalar():
            return a.text == b.text
        case Sequence(), Sequence():
            return len(a.items) == len(b.items) and all(map(same, a.items, b.items))
        case Mapping(), Mapping():
            return len(a.entries) == len(b.entries) and all(
                x.key.text == y.key.text and same(x.value, y.value)
                for x, y in zip(a.entries, b.entries, strict=True)
            )
        case _:
            return False


# ------------------------------------------------------------------ two overlays together


def meeting(a: Overlay, b: Overlay) -> tuple[Edit, Edit] | None:
    """The first edits of two overlays that touch one part, or one a part of the other."""
    for mine in a.edits:
        for other in b.edits:
            shorter = min(len(mine.path), len(other.path))
            if mine.names[:shorter] == other.names[:shorter]:
                return mine, other
    return None


def touched(overlay: Overlay) -> set[tuple[str, ...]]:
    """The records that an overlay touches, each as its section and its name."""
    return {edit.names[:2] for edit in overlay.edits}
