"""Document nodes -> the records of a game file.

Takes the root of a game's document, one setting of its rulings applied; gives a `GameFile`, or
None where the root is no game. Goes on after a fault: what has the wrong shape (told by the shape
check) is skipped, and a text that does not parse leaves an empty name or block in its place.
"""

from __future__ import annotations

from typing import Final

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import loading as messages
from ruleset.document import Mapping, Node, Scalar
from ruleset.loader import box, flow, maps, pieces, places, rules, seats
from ruleset.loader.reading import Cache, Reader, entries, idents, text
from ruleset.loader.reserved import check_reserved
from ruleset.source import Span
from ruleset.syntax import GameFile

__all__ = ["Cache", "load_document"]


def load_document(root: Node, report: Report, cache: Cache | None = None) -> GameFile | None:
    """The records of a game; with a cache, only what is new in this document is read."""
    if not isinstance(root, Mapping):
        return None
    reader = Reader(report, cache or Cache())
    check_reserved(root, report)
    place = Span(root.span.source, root.span.start, root.span.start)
    name = root.get("game")
    low, high, players_span = _players(reader, root, place)
    kinds = tuple(reader.records(root.get("pieces"), "pieces", pieces.piece))
    zones = (box.zone(reader, entry, "zones", kinds) for entry in entries(root.get("zones")))
    labels = {
        e.key.text: {word.key.text: text(word.value) for word in entries(e.value)}
        for e in entries(root.get("labels"))
    }
    return GameFile(
        span=root.span,
        name=text(name),
        titles=_titles(root.get("title")),
        status=text(root.get("status")),
        min_players=low,
        max_players=high,
        players_span=players_span,
        words=box.words(reader, root.get("words"), place),
        settled=idents(root.get("settled")),
        open=idents(root.get("open")),
        information=idents(root.get("information")),
        flow=tuple(reader.records(root.get("flow"), "flow", flow.step)),
        enumerations=tuple(reader.records(root.get("kinds"), "kinds", box.enumeration)),
        options=tuple(reader.records(root.get("options"), "options", box.option)),
        tables=tuple(reader.records(root.get("tables"), "tables", box.table)),
        maps=tuple(reader.records(root.get("map"), "map", maps.board)),
        zones=tuple(zone for zone in zones if zone is not None),
        counters=tuple(reader.records(root.get("counters"), "counters", box.counter)),
        marks=tuple(reader.records(root.get("marks"), "marks", box.mark)),
        pieces=kinds,
        rules=tuple(reader.records(root.get("rules"), "rules", rules.rule)),
        result=flow.result(reader, root.entry("result"), place),
        invariants=tuple(reader.records(root.get("invariants"), "invariants", flow.invariant)),
        labels=labels,
        label_spans={e.key.text: e.key.span for e in entries(root.get("labels"))},
        places=tuple(reader.records(root.get("places"), "places", places.place)),
        seats=seats.seats(reader, root.get("seats")),
    )


_ANY_NUMBER: Final = 8
"""Where it is not said how many may play."""


def _players(reader: Reader, root: Mapping, place: Span) -> tuple[int, int, Span]:
    node = root.get("players")
    if node is None:
        return 1, _ANY_NUMBER, place
    found = reader.span(node)
    if found is None:
        return 1, _ANY_NUMBER, node.span
    if found.low is None or found.high is None:
        reader.report.add(messages.players_without_end(node.span))
        return found.low or 1, found.low or 1, node.span
    return found.low, found.high, node.span


def _titles(node: Node | None) -> dict[str, str]:
    if isinstance(node, Scalar):
        return {"en": node.text}
    return {entry.key.text: text(entry.value) for entry in entries(node)}
