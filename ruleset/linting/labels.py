"""Labels stand for what exists."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.diagnostics.suggest import nearest
from ruleset.linting.graph import Graph
from ruleset.syntax import EffectRule, Forbid, GameFile, Modifier, Piece, Rule, Substitute


def labels(graph: Graph) -> Iterator[Diagnostic]:
    """Paths under ``labels`` that lead nowhere."""
    known = set(_paths(graph.file))
    for params in graph.facts.params.items():
        known.update(f"{params[0]}.{name}" for name in params[1])
    for path in graph.file.labels:
        if path not in known:
            close = nearest(path, known)
            yield say.no_label_path(graph.file.label_spans[path], path, close)


def _paths(file: GameFile) -> Iterator[str]:
    yield from ("game", "players", "box")
    records = (
        *(file.flow, file.options, file.tables, file.enumerations, file.maps, file.zones),
        *(file.counters, file.marks, file.invariants),
    )
    for group in records:
        for record in group:
            yield record.path
    for step in file.flow:
        yield f"{step.path}.offer"
        yield from (f"{step.path}.if.{c.name}" for c in step.conditions if c.name)
    for enumeration in file.enumerations:
        yield from (f"{enumeration.path}.{member.name}" for member in enumeration.members)
    for board in file.maps:
        yield from (f"{board.path}.{space.name}" for space in board.spaces)
        yield from (space_set.path for space_set in board.sets)
        yield from (f"{board.path}.fields.{name}" for name in board.fields)
        yield from (f"{board.path}.flags.{flag}" for flag in board.flags.values())
        yield from (f"{board.path}.places.{name}" for name in board.places)
    for place in file.places:
        yield place.path
        yield from (f"{place.path}.fields.{name}" for name in place.fields)
        yield from (each.path for each in place.types)
    for piece in file.pieces:
        yield from _piece(piece)
    for rule in file.rules:
        yield from _rule(rule)


def _piece(piece: Piece) -> Iterator[str]:
    yield piece.path
    yield from (f"{piece.path}.fields.{name}" for name in piece.fields)
    yield from (f"{piece.path}.sides.{side.name}" for side in piece.sides)
    for piece_type in piece.types:
        yield piece_type.path
        yield from (f"{piece_type.path}.{name}" for name in piece_type.values)
        for rule in piece_type.while_held:
            yield from _rule(rule)


def _rule(rule: Rule) -> Iterator[str]:
    yield rule.path
    if isinstance(rule, EffectRule):
        yield f"{rule.path}.offer"
        yield from (f"{rule.path}.choose.{domain.name}" for domain in rule.choose)
        yield from (f"{rule.path}.needs.{need.name}" for need in rule.needs if need.name)
        yield from (f"{rule.path}.costs.{entry.name}" for entry in rule.costs)
        yield from (f"{rule.path}.with.{ident.name}" for ident, _ in rule.with_)
    if isinstance(rule, EffectRule | Modifier | Forbid | Substitute):
        yield from (f"{rule.path}.if.{c.name}" for c in rule.conditions if c.name)
