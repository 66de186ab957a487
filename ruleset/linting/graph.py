"""What leads to what: a graph over rules, steps and the code on pieces.

A unit is a record that something happens in, named by its path. An edge says that while the one is
under way the other can begin: by a call, an offer, as a step, or as a hook on what happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ruleset.checking.kinds import kind_of
from ruleset.linting.walk import Walks, walk
from ruleset.source import Span
from ruleset.syntax import (
    Action,
    Call,
    CallOf,
    Can,
    CodeType,
    Draw,
    EffectRule,
    Expr,
    FieldValue,
    Forbid,
    Gain,
    GameFile,
    Happen,
    Ident,
    Modifier,
    Move,
    Pay,
    Rule,
    Step,
    Stop,
    Substitute,
    Swap,
    ValueRule,
    Within,
)
from ruleset.types import CounterRef, Facts, FieldRef, Local, Ref, RuleRef, ZoneRef
from ruleset.world import World, listed_actions


@dataclass(slots=True)
class Unit:
    """A record that can be under way."""

    path: str
    name: str
    span: Span
    record: Step | Rule | None
    parts: tuple[object, ...]
    """All nodes of its code."""


@dataclass(slots=True)
class Graph:
    """Units by path, and which can begin while which is under way."""

    file: GameFile
    world: World
    facts: Facts
    units: dict[str, Unit] = field(default_factory=dict)
    edges: dict[str, list[str]] = field(default_factory=dict)
    going: dict[str, list[str]] = field(default_factory=dict)
    """The same for circles, where to ask whether an action is possible is not to do it: that the
    action is looked at is a unit of its own, its path and `?`."""
    by_name: dict[str, str] = field(default_factory=dict)
    """Rules, values and steps: name to path."""
    walks: Walks = field(default_factory=dict)
    """Trees that were walked before, perhaps for another reading of the game."""
    _reach: dict[str, set[str]] = field(default_factory=dict)
    _refs: dict[int, tuple[Ref, ...]] = field(default_factory=dict)
    _all_refs: dict[int, set[Ref]] = field(default_factory=dict)
    _hooks: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)
    """Hooks by what they hang on."""
    _beside: dict[str, list[str]] = field(default_factory=dict)
    """What changes, forbids, counts as or pays for a rule or value, by its name."""

    def reach(self, start: str) -> set[str]:
        """A unit and all that can begin while it is under way."""
        if start not in self._reach:
            self._reach[start] = self.reach_from([start])
        return self._reach[start]

    def reach_from(self, starts: Iterable[str]) -> set[str]:
        """Some units and all that can begin while they are under way."""
        found: set[str] = set()
        left = [start for start in starts if start in self.units]
        while left:
            path = left.pop()
            if path not in found:
                found.add(path)
                left.extend(self.edges.get(path, ()))
        return found

    def refs(self, parts: Iterable[object], through: bool = True) -> set[Ref]:
        """What some nodes mention, also in the values that they ask for."""
        found: set[Ref] = set()
        seen: set[str] = set()
        left = list(parts)
        while left:
            for ref in self._mentioned(left.pop()):
                if ref in found:
                    continue
                found.add(ref)
                if through and isinstance(ref, RuleRef) and ref.name not in seen:
                    seen.add(ref.name)
                    unit = self.units.get(self.by_name.get(ref.name, ""))
                    if unit is not None and isinstance(unit.record, ValueRule):
                        left.append(unit.record.value)
        return found

    def refs_of(self, tree: object) -> set[Ref]:
        """What one tree of the file mentions, also in the values that it asks for."""
        known = self._all_refs.get(id(tree))
        if known is None:
            known = self._all_refs[id(tree)] = self.refs([tree])
        return known

    def _mentioned(self, tree: object) -> tuple[Ref, ...]:
        known = self._refs.get(id(tree))
        if known is None:
            found = (self.facts.refs.get(node) for node in walk(tree, self.walks))
            known = self._refs[id(tree)] = tuple(ref for ref in found if ref is not None)
        return known

    def hooks_on(self, subject: str, name: str, code: str) -> Iterable[str]:
        """The paths of the hooks on an event."""
        return self._hooks.get((subject, name, code), ())

    def beside(self, name: str) -> Iterable[str]:
        """The paths of what changes, forbids, counts as or pays for a rule or value."""
        return self._beside.get(name, ())

    def index(self) -> None:
        """Find out what hangs on what."""
        for rule in self.world.all_rules():
            match rule:
                case EffectRule():
                    for hook in rule.when:
                        key = (hook.subject, hook.name, hook.field)
                        self._hooks.setdefault(key, []).append(rule.path)
                    if rule.counts_as is not None:
                        self._beside.setdefault(rule.counts_as.name, []).append(rule.path)
                case Modifier() | Forbid() | Substitute():
                    self._beside.setdefault(rule.target.name, []).append(rule.path)
                case ValueRule():
                    pass


def build_graph(file: GameFile, world: World, facts: Facts, walks: Walks | None = None) -> Graph:
    """The graph of a file whose names are known."""
    graph = Graph(file, world, facts, walks=walks if walks is not None else {})
    graph.index()
    for step in file.flow:
        _unit(graph, step.path, step.name, step.name_span, step, step)
    for rule in world.all_rules():
        _unit(graph, rule.path, rule.name, rule.name_span, rule, rule)
    for name in (*world.steps, *world.rules, *world.values):
        record = world.steps.get(name) or world.rules.get(name) or world.values.get(name)
        assert record is not None
        graph.by_name.setdefault(name, record.path)
    for piece in file.pieces:
        for piece_type in piece.types:
            for name, value in piece_type.values.items():
                if isinstance(piece.fields.get(name), CodeType):
                    _code(graph, f"{piece_type.path}.{name}", piece_type.name, value)
            for name, block in (("gained", piece_type.gained), ("lost", piece_type.lost)):
                if block is not None:
                    path = f"{piece_type.path}.{name}"
                    _unit(graph, path, piece_type.name, piece_type.name_span, None, block)
        for name, value in piece.defaults.items():
            if isinstance(piece.fields.get(name), CodeType):
                _code(graph, f"{piece.path}.defaults.{name}", piece.name, value)
    for unit in graph.units.values():
        leads = list(_leads_to(graph, unit))
        graph.edges[unit.path] = list(dict.fromkeys(target for _, target in leads))
        tested = {id(node.action) for node in unit.parts if isinstance(node, Can)}
        going = (looked(target) if id(node) in tested else target for node, target in leads)
        graph.going[unit.path] = list(dict.fromkeys(going))
        if isinstance(unit.record, EffectRule):
            graph.going[looked(unit.path)] = list(dict.fromkeys(_looks_at(graph, unit.record)))
    return graph


def looked(path: str) -> str:
    """The unit that an action is looked at."""
    return f"{path}?"


def _looks_at(graph: Graph, rule: EffectRule) -> Iterator[str]:
    """What is looked at to know whether an action is possible."""
    for part in (rule.with_, rule.choose, rule.needs, rule.costs):
        for node in walk(part, graph.walks):
            ref = graph.facts.refs.get(node)
            if isinstance(ref, RuleRef) and isinstance(node, Call | Action):
                for target in _named(graph, ref.name):
                    yield looked(target) if isinstance(node, Action) else target
            elif isinstance(ref, FieldRef) and isinstance(node, CallOf):
                yield from _code_paths(graph, ref)
    for path in graph.beside(rule.name):
        counts = isinstance(graph.units[path].record, EffectRule)
        yield looked(path) if counts else path


def _code(graph: Graph, path: str, name: str, value: FieldValue) -> None:
    _unit(graph, path, name, value.span, None, value.value)


def _unit(
    graph: Graph, path: str, name: str, span: Span, record: Step | Rule | None, tree: object
) -> None:
    graph.units.setdefault(path, Unit(path, name, span, record, walk(tree, graph.walks)))


def _leads_to(graph: Graph, unit: Unit) -> Iterator[tuple[object, str]]:
    """What can begin, each with the node that says so."""
    record = unit.record
    for node in unit.parts:
        if isinstance(node, Stop | Within):
            continue
        ref = graph.facts.refs.get(node)
        targets: Iterable[str] = ()
        if isinstance(ref, RuleRef):
            in_order = isinstance(record, EffectRule) and node in record.over
            if isinstance(node, Call | Happen | Action | Ident) and not in_order:
                targets = _named(graph, ref.name)
        elif isinstance(ref, Local) and isinstance(node, Action):
            listed = dict.fromkeys(ident.name for ident in listed_actions(graph.file))
            targets = [path for name in listed for path in _named(graph, name)]
        elif isinstance(ref, FieldRef) and isinstance(node, CallOf | Happen):
            targets = _code_paths(graph, ref)
        yield from ((node, target) for target in targets)
        yield from ((node, target) for target in _changes(graph, node))
    around: list[str] = []
    if isinstance(record, Step | EffectRule):
        around += graph.hooks_on("rule", unit.name, "")
    if isinstance(record, Step | EffectRule | ValueRule):
        around += graph.beside(unit.name)
    elif record is None:
        around += graph.hooks_on("field", unit.name, unit.path.rpartition(".")[2])
    yield from ((record, path) for path in around)


def _named(graph: Graph, name: str) -> Iterator[str]:
    if name in graph.by_name:
        yield graph.by_name[name]


def _code_paths(graph: Graph, ref: FieldRef) -> Iterator[str]:
    piece = graph.world.pieces.get(ref.kind)
    if piece is None:
        return
    for piece_type in piece.types:
        if ref.name in piece_type.values:
            yield f"{piece_type.path}.{ref.name}"
        elif ref.name in piece.defaults:
            yield f"{piece.path}.defaults.{ref.name}"


def _changes(graph: Graph, node: object) -> Iterator[str]:
    """Hooks on what an effect changes."""
    match node:
        case Gain(kind=kind, counter=counter):
            yield from _counter(graph, kind, counter)
        case Pay(counter=counter, to=to):
            yield from _counter(graph, "lose", counter)
            if to is not None:
                yield from _counter(graph, "gain", to)
        case Move(what=what, to=place):
            yield from _moves(graph, what, place)
        case Draw(source=source, to=place):
            yield from _moves(graph, source, place)
        case Swap(a=a, b=b):
            yield from _moves(graph, a, b)
        case _:
            return


def _counter(graph: Graph, verb: str, counter: Expr) -> Iterator[str]:
    ref = graph.facts.refs.get(counter)
    if isinstance(ref, CounterRef):
        yield from graph.hooks_on(verb, ref.name, "")


def _moves(graph: Graph, what: Expr, to: Expr) -> Iterator[str]:
    kind = kind_of(graph.facts.types[what]) if what in graph.facts.types else ""
    place = graph.facts.refs.get(to)
    zones = graph.world.zones_of(kind)
    entered = place.name if isinstance(place, ZoneRef) else ""
    if entered:
        yield from graph.hooks_on("enter", entered, "")
    for zone in zones:
        if zone.name != entered:
            yield from graph.hooks_on("leave", zone.name, "")
    piece = graph.world.pieces.get(kind)
    if piece is not None and any(zone.live is not None for zone in zones):
        for piece_type in piece.types:
            for name in ("gained", "lost"):
                path = f"{piece_type.path}.{name}"
                if path in graph.units:
                    yield path
