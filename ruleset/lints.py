"""Checks of a game as a whole, on a file whose names and types are known.

Takes a ``GameFile`` without errors and its ``Facts``; each check gives diagnostics and knows
nothing of the others. ``CHECKS`` is their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.linting.emptiness import choices
from ruleset.linting.endings import circles, decided, frames, repeats
from ruleset.linting.graph import Graph, build_graph
from ruleset.linting.hidden import hidden_reads, rolled_openly
from ruleset.linting.labels import labels
from ruleset.linting.orders import replacements, writers
from ruleset.linting.patterns import named_for_nothing, patterns
from ruleset.linting.piles import dealt_in_order
from ruleset.linting.questions import questions
from ruleset.linting.reachability import not_reached, not_used
from ruleset.linting.totals import capacity, players, totals
from ruleset.linting.walk import Walks
from ruleset.syntax import GameFile
from ruleset.types import Facts
from ruleset.world import build_world

CHECKS: Final[tuple[Callable[[Graph], Iterator[Diagnostic]], ...]] = (
    *(players, totals, capacity),
    *(circles, repeats, decided, frames),
    *(replacements, writers),
    *(questions, choices, hidden_reads, rolled_openly, dealt_in_order),
    *(patterns, named_for_nothing, not_reached, not_used, labels),
)


def check_game(file: GameFile, facts: Facts, report: Report, walks: Walks | None = None) -> None:
    """Report what no single record shows; ``walks`` are kept from one reading to the next."""
    graph = build_graph(file, build_world(file), facts, walks)
    for check in CHECKS:
        for diagnostic in check(graph):
            report.add(replace(diagnostic, within=diagnostic.within or _record(graph, diagnostic)))


def _record(graph: Graph, diagnostic: Diagnostic) -> str:
    """The record in which a diagnostic lies."""
    span = diagnostic.span
    if span is None:
        return ""
    for unit in graph.units.values():
        if unit.record is None:
            continue
        at = unit.record.span
        if at.source is span.source and at.start <= span.start < at.end:
            return unit.path
    return ""
