"""A choice that must be made needs a proof that there is something to choose.

Proofs: a set that is never empty, an action that is always possible, or an invariant that is looked
at before the step that leads here and mentions the same zone, counter, mark or set.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.linting.graph import Graph, Unit
from ruleset.linting.reachability import roots
from ruleset.linting.walk import nodes
from ruleset.syntax import (
    Action,
    Amount,
    Ask,
    Attribute,
    Binary,
    Call,
    Can,
    Choose,
    Clause,
    EffectRule,
    Eliminate,
    Expr,
    For,
    If,
    Let,
    Name,
    Number,
    Numbers,
    SetOf,
    Step,
    Together,
)
from ruleset.types import (
    BuiltIn,
    CounterRef,
    MarkRef,
    Members,
    NumberT,
    PlacesOf,
    Ref,
    RuleRef,
    SetT,
    SpaceSet,
    ThingT,
    ZoneRef,
)


def choices(graph: Graph) -> Iterator[Diagnostic]:
    """Every ``must`` and ``chooses`` without ``else`` that is reached."""
    reached = graph.reach_from(roots(graph))
    for unit in graph.units.values():
        if unit.path not in reached:
            continue
        tested = _tested(unit)
        for node in unit.parts:
            if not isinstance(node, Choose | Ask) or node.otherwise is not None:
                continue
            if isinstance(node, Choose):
                sure = _never_empty(graph, unit, node.clause, node.amount)
                if not sure:
                    yield say.choice_may_be_empty(node)
            else:
                sure = any(
                    (id(node), action.name) in tested or _always_possible(graph, unit, action)
                    for action in node.offers
                )
                if node.kind == "must" and not sure:
                    together = _together(unit, node)
                    yield say.offer_may_be_impossible(node.span, node.offers, together)


def _together(unit: Unit, ask: Ask) -> str:
    """The name of those who are asked together; empty where one is asked alone."""
    step = unit.record
    if isinstance(step, Step) and step.together is not None:
        return step.together.clause.name
    asked = (part for part in unit.parts if isinstance(part, Together) and part.ask is ask)
    return next((part.clause.name for part in asked), "")


def _tested(unit: Unit) -> set[tuple[int, str]]:
    """Offers that stand where it was tested that the player can do the action."""
    found: set[tuple[int, str]] = set()
    for node in (unit.record, *unit.parts):
        match node:
            case If(condition=condition, then=body):
                tests = [condition]
            case For(clause=clause, body=body) if clause.condition is not None:
                tests = [clause.condition]
            case Together(clause=clause, ask=body) if clause.condition is not None:
                tests = [clause.condition]
            case Step(do=body):
                tests = [condition.test for condition in node.conditions]
                order = node.each or node.together
                if order is not None and order.clause.condition is not None:
                    tests.append(order.clause.condition)
            case _:
                continue
        can = {(_text(c.who), c.action.name) for test in tests for c in _surely(test)}
        for ask in nodes(body) if can else ():
            if isinstance(ask, Ask):
                found |= {(id(ask), a.name) for a in ask.offers if (_text(ask.who), a.name) in can}
    return found


def _surely(test: Expr) -> Iterator[Can]:
    """What a condition says that somebody can do, where it is true."""
    match test:
        case Can(action=action) if not action.args:
            yield test
        case Binary(op="and", a=a, b=b):
            yield from _surely(a)
            yield from _surely(b)
        case _:
            pass


def _text(expr: Expr) -> str:
    return "".join(expr.span.text.split())


def _always_possible(graph: Graph, unit: Unit, action: Action) -> bool:
    rule = graph.world.rules.get(action.name)
    if rule is None:
        return True
    if _promised(graph, unit, [rule]):
        return True
    forbidden = any(f.target.name == action.name for f in graph.world.forbids())
    if rule.needs or rule.costs or rule.with_ or forbidden:
        return False
    return all(_domain_never_empty(graph, unit, rule, k) for k in range(len(rule.choose)))


def _domain_never_empty(graph: Graph, unit: Unit, rule: EffectRule, place: int) -> bool:
    domain = rule.choose[place]
    return _never_empty(graph, unit, domain.clause, domain.amount)


def _never_empty(graph: Graph, unit: Unit, clause: Clause, amount: Amount | None) -> bool:
    wanted = _least_wanted(graph, amount)
    if wanted == 0:
        return True
    sure = _least_in(graph, clause.source)
    if sure is not None:
        left_out = _left_out(clause)
        if left_out is not None and wanted is not None and sure - left_out >= wanted:
            return True
    return _promised(graph, unit, [clause, *_names_behind(unit, clause)])


def _least_wanted(graph: Graph, amount: Amount | None) -> int | None:
    """How many there must be; None where that is not known."""
    if amount is None:
        return 1
    if isinstance(amount.low, Number):
        return amount.low.value
    found = graph.facts.types.get(amount.low)
    return found.high if isinstance(found, NumberT) else None


def _left_out(clause: Clause) -> int | None:
    """How many members a condition leaves out at most; None where that is not known."""
    if clause.condition is None:
        return 0
    return _excludes(clause.condition, clause.name)


def _excludes(condition: Expr, name: str) -> int | None:
    match condition:
        case Binary(op="and", a=a, b=b):
            left, right = _excludes(a, name), _excludes(b, name)
            return None if left is None or right is None else left + right
        case Binary(op="is not", a=Name(name=own), b=Name() | Attribute()) if own == name:
            return 1
        case Binary(op="not in", a=Name(name=own), b=SetOf(items=items)) if own == name:
            return len(items)
        case _:
            return None


def _least_in(graph: Graph, source: Expr) -> int | None:
    """How many members a set has at least, where that is certain."""
    ref = graph.facts.refs.get(source)
    match source, ref:
        case _, Members(kind):
            return _least_of_kind(graph, kind)
        case _, PlacesOf(kind) if not _owner_is_a_set(graph, source):
            return _places(graph, kind)
        case _, SpaceSet(kind, name):
            listed = graph.world.sets[name][1].of
            return None if listed is None else len(listed)
        case Numbers(low=low, high=high), _:
            return _numbers(graph, low, high)
        case SetOf(items=items), _:
            sure = [not _maybe_empty(graph, item) for item in items]
            return 1 if any(sure) else 0
        case Call(args=(of,)), BuiltIn(name):
            return _around(graph, name, of)
        case _, ZoneRef(name) if not _owner_is_a_set(graph, source):
            return graph.world.zones[name].low
        case _:
            found = graph.facts.types.get(source)
            return 1 if isinstance(found, ThingT) and not found.maybe else None


def _places(graph: Graph, kind: str) -> int:
    """How many places of a kind lie on each of those that can have some, at least."""
    place = graph.world.places[kind]
    if place.each.name in graph.world.sets:
        return 0  # spaces outside the set have none
    return sum(each.copies for each in place.types if each.at is None)


def _maybe_empty(graph: Graph, item: Expr) -> bool:
    found = graph.facts.types.get(item)
    return not isinstance(found, ThingT | NumberT) or found.maybe


def _owner_is_a_set(graph: Graph, source: Expr) -> bool:
    return isinstance(source, Attribute) and isinstance(graph.facts.types.get(source.of), SetT)


def _least_of_kind(graph: Graph, kind: str) -> int | None:
    if kind != "player":
        known = graph.world.kinds.get(kind)
        return known.size if known is not None else None
    eliminates = any(isinstance(n, Eliminate) for u in graph.units.values() for n in u.parts)
    return 1 if eliminates else graph.file.min_players


def _numbers(graph: Graph, low: Expr, high: Expr) -> int | None:
    a, b = graph.facts.types.get(low), graph.facts.types.get(high)
    if not isinstance(a, NumberT) or not isinstance(b, NumberT):
        return None
    if a.high is None or b.low is None:
        return None
    return max(0, b.low - a.high + 1)


def _around(graph: Graph, name: str, of: Expr) -> int | None:
    """How many spaces ``neighbours`` and the like give at least."""
    found = graph.facts.types.get(of)
    board = graph.world.maps.get(found.kind) if isinstance(found, ThingT) else None
    if board is None:
        return None
    match name, board.shape:
        case "neighbours", "track":
            return 1 if len(board.spaces) > 1 else 0
        case "neighbours", "grid" | "hex":
            return min(board.columns - 1, 1) + min(board.rows - 1, 1)
        case "ahead", "track" if board.loop:
            return len(board.spaces) - 1
        case (("neighbours" | "exits"), "roads"):
            ends = [road.a for road in board.roads]
            twoway = name == "neighbours"
            ends += [road.b for road in board.roads if twoway or not road.one_way]
            return min((ends.count(space.name) for space in board.spaces), default=0)
        case _:
            return None


def _names_behind(unit: Unit, clause: Clause) -> list[Expr]:
    """What the names in a clause stand for: the values of ``let`` and ``with``."""
    used = {node.name for node in nodes(clause) if isinstance(node, Name)}
    found: list[Expr] = [n.value for n in unit.parts if isinstance(n, Let) and n.name in used]
    if isinstance(unit.record, EffectRule):
        found += [value for ident, value in unit.record.with_ if ident.name in used]
    return found


def _promised(graph: Graph, unit: Unit, parts: list[object]) -> bool:
    """Whether an invariant that holds here mentions what the choice depends on."""
    asked = _state(graph.refs(parts))
    asked |= {RuleRef(part.name) for part in parts if isinstance(part, EffectRule)}
    for invariant in graph.file.invariants:
        if invariant.moment != "before" or invariant.step is None:
            continue
        if asked.isdisjoint(graph.refs_of(invariant.holds)):
            continue
        step = graph.by_name.get(invariant.step.name)
        if step is not None and unit.path in graph.reach(step):
            return True
    return False


def _state(refs: set[Ref]) -> set[Ref]:
    return {ref for ref in refs if isinstance(ref, ZoneRef | CounterRef | MarkRef | SpaceSet)}
