"""What nothing reaches and what nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.linting.graph import Graph
from ruleset.linting.walk import walk
from ruleset.source import Span
from ruleset.syntax import EffectRule, Forbid, NamedType, Rule, Step, Substitute, ValueRule
from ruleset.types import (
    CounterRef,
    MarkRef,
    Member,
    Members,
    OptionRef,
    Ref,
    SetT,
    SpaceSet,
    TableRef,
    ThingT,
    ZoneRef,
)


def roots(graph: Graph) -> list[str]:
    """Where a game begins, what is kept in store, and what is looked at from outside."""
    found = ["flow.game"]
    for rule in graph.file.rules:
        if isinstance(rule, ValueRule | EffectRule) and rule.spare:
            found.append(rule.path)
    asked = [*(i.holds for i in graph.file.invariants), graph.file.result.solo]
    asked += [value for zone in graph.file.zones for value in (zone.live,)]
    for ref in graph.refs([tree for tree in asked if tree is not None]):
        name = getattr(ref, "name", "")
        if name in graph.by_name:
            found.append(graph.by_name[name])
    return found


def not_reached(graph: Graph) -> Iterator[Diagnostic]:
    """Rules and steps that nothing leads to; hooks on what is never reached are not told.

    What only another of them leads to is not told, either.
    """
    reached = graph.reach_from(roots(graph))
    below = _below(graph, reached)
    for unit in graph.units.values():
        record = unit.record
        if (
            record is None
            or unit.path in reached
            or unit.path in below
            or (isinstance(record, Step) and _first(unit.path))
        ):
            continue
        if isinstance(record, EffectRule) and (record.when or record.counts_as):
            if not record.held_by and not _target_told(graph, record, reached):
                yield say.not_reached(record.name_span, "hook", record.name)
        elif isinstance(record, Step | ValueRule | EffectRule):
            yield say.not_reached(record.name_span, _what(record), record.name)


def _below(graph: Graph, reached: set[str]) -> set[str]:
    """What something that is not reached would lead to; of a circle, all but the first."""
    below: set[str] = set()
    for path in graph.units:
        if path not in reached and path not in below:
            below |= graph.reach_from(graph.edges.get(path, ())) - {path}
    return below


def _first(path: str) -> bool:
    return path == "flow.game"


def _target_told(graph: Graph, rule: EffectRule, reached: set[str]) -> bool:
    """Whether an event of the hook is itself told as not reached."""
    paths = [graph.by_name.get(hook.name, "") for hook in rule.when]
    return any(path and path not in reached for path in paths)


def _what(record: Step | Rule) -> str:
    match record:
        case Step():
            return "step"
        case ValueRule():
            return "value"
        case EffectRule():
            return "action" if record.is_action else "rule"
        case Forbid() | Substitute():
            return "rule"
        case _:
            return "modifier"


def not_used(graph: Graph) -> Iterator[Diagnostic]:
    """Declarations that nothing mentions."""
    file, used = graph.file, set(graph.facts.refs.values())
    plain: list[tuple[str, str, Span, Ref]] = []
    plain += [("zone", z.name, z.name_span, ZoneRef(z.name)) for z in file.zones]
    plain += [("counter", c.name, c.name_span, CounterRef(c.name)) for c in file.counters]
    plain += [("mark", m.name, m.name_span, MarkRef(m.name)) for m in file.marks]
    plain += [("option", o.name, o.name_span, OptionRef(o.name)) for o in file.options]
    plain += [("table", t.name, t.name_span, TableRef(t.name)) for t in file.tables]
    for board in file.maps:
        for space_set in board.sets:
            found = SpaceSet(board.kind, space_set.name)
            plain.append(("set of spaces", space_set.name, space_set.name_span, found))
    for what, name, span, ref in plain:
        if ref not in used:
            yield say.not_used(span, what, name)
    kinds = _kinds_used(graph, used)
    for enumeration in file.enumerations:
        if enumeration.name not in kinds:
            yield say.not_used(enumeration.name_span, "kind", enumeration.name)
    yield from _words(graph)


def _kinds_used(graph: Graph, used: set[Ref]) -> set[str]:
    kinds = {ref.kind for ref in used if isinstance(ref, Member | Members)}
    for found in graph.facts.types.values():
        if isinstance(found, ThingT | SetT):
            kinds.add(found.kind)
    file = graph.file
    for record in (*file.marks, *file.pieces, *file.places, *file.maps, *file.options, file.seats):
        for node in walk(record, graph.walks):
            if isinstance(node, NamedType):
                kinds.add(node.name)
    return kinds


def _words(graph: Graph) -> Iterator[Diagnostic]:
    bound = {name for names in graph.facts.params.values() for name in names}
    for name, kind in graph.file.words.types.items():
        if name not in bound and name != "owner":
            yield say.word_not_used(graph.file.words.places.get(name, kind.span), name)
