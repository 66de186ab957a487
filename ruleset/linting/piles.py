"""Hidden piles whose order nobody has made unknown: they deal as the file declares."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.linting.graph import Graph
from ruleset.syntax import Draw, Expr, Shuffle
from ruleset.types import ZoneRef


def dealt_in_order(graph: Graph) -> Iterator[Diagnostic]:
    """The first draw from each such pile in which different pieces begin."""
    parts = [node for unit in graph.units.values() for node in unit.parts]
    known = {_zone(graph, node.zone) for node in parts if isinstance(node, Shuffle)}
    for node in parts:
        if not isinstance(node, Draw):
            continue
        name = _zone(graph, node.source)
        zone = graph.world.zones.get(name)
        if zone is None or name in known or zone.order not in ("row", "pile"):
            continue
        known.add(name)
        if zone.seen_by == "nobody" and _differ(graph, name):
            yield say.dealt_in_order(node.source.span, zone)


def _zone(graph: Graph, e: Expr) -> str:
    ref = graph.facts.refs.get(e)
    return ref.name if isinstance(ref, ZoneRef) else ""


def _differ(graph: Graph, zone: str) -> bool:
    """Whether pieces of several types, or of several owners, lie in a zone at first."""
    begin = 0
    for piece in graph.file.pieces:
        for face in piece.types:
            starts = face.starts or piece.starts
            if starts is None or _zone(graph, starts) != zone:
                continue
            owned = (face.each or piece.each) is not None
            begin += 2 if owned and not starts.span.text.startswith("owner.") else 1
    return begin > 1
