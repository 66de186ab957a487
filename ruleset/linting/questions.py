"""Questions are known by their rule and their name, so a name is asked for once in a rule."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.linting.graph import Graph
from ruleset.source import Span
from ruleset.syntax import Choose, Domain


def questions(graph: Graph) -> Iterator[Diagnostic]:
    """Choices of one record under one name."""
    for unit in graph.units.values():
        seen: dict[str, Span] = {}
        for node in unit.parts:
            if isinstance(node, Choose | Domain):
                name, span = node.clause.name, node.clause.name_span
                first = seen.setdefault(name, span)
                if first is not span:
                    yield say.chosen_twice(span, name, first)
