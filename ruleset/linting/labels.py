"""Labels stand for what exists: records, their entries, and the questions of players."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.diagnostics.suggest import nearest
from ruleset.linting.graph import Graph
from ruleset.syntax import (
    Ask,
    Choose,
    CodeType,
    EffectRule,
    For,
    Forbid,
    GameFile,
    Modifier,
    Piece,
    Rule,
    Step,
    Substitute,
    Together,
)
from ruleset.types import Local
from ruleset.world import listed_actions


def labels(graph: Graph) -> Iterator[Diagnostic]:
    """Paths under ``labels`` that lead nowhere."""
    known = set(_paths(graph.file))
    for params in graph.facts.params.items():
        known.update(f"{params[0]}.{name}" for name in params[1])
    known.update(_questions(graph))
    for path in graph.file.labels:
        if path not in known and re.sub(r"~\d+$", "", path) not in known:
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


def _questions(graph: Graph) -> Iterator[str]:
    """The ids of questions; a later one of the same name ends in `~2`, `~3` and so on."""
    for unit in graph.units.values():
        asked = [part for node in unit.parts for part in _asked(graph, node)]
        if isinstance(unit.record, Step) and unit.record.together is not None:
            asked += [f"together.{ask}" for ask in _offers(graph, unit.record.do)]
        for path in _paths_of(graph.file, unit.path):
            yield from (f"{path}.{question}" for question in asked)


def _asked(graph: Graph, node: object) -> Iterator[str]:
    """What a node asks, as the end of an id."""
    match node:
        case Ask(kind=kind):
            yield from (f"{kind}.{offers}" for offers in _offers(graph, (node,)))
        case Together(ask=ask):
            yield from (f"together.{offers}" for offers in _offers(graph, (ask,)))
        case Choose(clause=clause):
            yield clause.name
        case For(clause=clause, chooser=chooser) if chooser is not None:
            yield clause.name
        case EffectRule(costs=costs, over_chosen_by=chooser):
            for entry in costs:
                yield from (entry.name, f"{entry.name}.way")
            if chooser is not None:
                yield "replacement"
        case _:
            return


def _offers(graph: Graph, asks: tuple[object, ...]) -> Iterator[str]:
    """The offers of questions, as they stand in ids: `attack|defend`."""
    for ask in asks:
        if not isinstance(ask, Ask):
            continue
        if isinstance(graph.facts.refs.get(ask.offers[0]), Local):
            yield from (ident.name for ident in listed_actions(graph.file))
        else:
            yield "|".join(offer.name for offer in ask.offers)


def _paths_of(file: GameFile, path: str) -> Iterator[str]:
    """The paths of a unit; code that types have by default is each type's own."""
    yield path
    for piece in file.pieces:
        for name, written in piece.fields.items():
            if isinstance(written, CodeType) and path == f"{piece.path}.defaults.{name}":
                yield from (f"{face.path}.{name}" for face in piece.types)
