"""What a player is offered may depend only on what that player sees; no secret is rolled openly.

Reported is what is certain: a zone, counter or mark that nobody sees, or that only its owner sees
where the owner is another player. How many pieces lie in a zone may be asked of any zone.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.checking.kinds import UNKNOWN, kind_of
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.linting.graph import Graph
from ruleset.linting.walk import nodes
from ruleset.syntax import (
    Attribute,
    Call,
    Choose,
    Count,
    EffectRule,
    Expr,
    Name,
    RollValue,
    SetMark,
    Test,
)
from ruleset.types import BuiltIn, CounterRef, MarkRef, SetT, ZoneRef


def hidden_reads(graph: Graph) -> Iterator[Diagnostic]:
    """Conditions of actions and of choices."""
    for rule in graph.world.rules.values():
        if not isinstance(rule, EffectRule) or rule.when or not rule.params:
            continue
        asked = rule.params[0].name
        conditions: list[Expr] = [need.test for need in rule.needs]
        conditions += [d.clause.condition for d in rule.choose if d.clause.condition is not None]
        yield from _reads(graph, conditions, asked)
    for unit in graph.units.values():
        for node in unit.parts:
            if not isinstance(node, Choose) or not isinstance(node.who, Name):
                continue
            if node.clause.condition is not None:
                yield from _reads(graph, [node.clause.condition], node.who.name)


def rolled_openly(graph: Graph) -> Iterator[Diagnostic]:
    """Marks that not all see and that are set to what everybody saw chance give."""
    for unit in graph.units.values():
        rolled = {n.clause.name for n in unit.parts if isinstance(n, RollValue)}
        for node in unit.parts if rolled else ():
            if not isinstance(node, SetMark):
                continue
            ref = graph.facts.refs.get(node.target)
            if not isinstance(ref, MarkRef) or graph.world.marks[ref.name].seen_by == "all":
                continue
            for name in nodes(node.value):
                if not isinstance(name, Name) or name.name not in rolled:
                    continue
                if kind_of(graph.facts.types.get(name, UNKNOWN)) not in graph.world.pieces:
                    yield say.rolled_openly(name.span, name.name, graph.world.marks[ref.name])


def _reads(graph: Graph, conditions: list[Expr], asked: str) -> Iterator[Diagnostic]:
    for condition in conditions:
        counted = {id(source) for source in _counted(condition)}
        for node in nodes(condition):
            if isinstance(node, Attribute | Name) and id(node) not in counted:
                who = _hidden_from(graph, node, asked)
                if who:
                    yield say.reads_hidden(node.span, f"`{node.span.text}`", who, asked)


def _counted(condition: Expr) -> Iterator[object]:
    """Sets of which only the number is asked."""
    for node in nodes(condition):
        if isinstance(node, Count | Test):
            yield node.source


def _hidden_from(graph: Graph, node: Attribute | Name, asked: str) -> str:
    """Who sees what a node reads, where the player who is asked certainly does not."""
    world = graph.world
    ref = graph.facts.refs.get(node)
    match ref:
        case ZoneRef(name):
            seen = world.zones[name].seen_by
        case CounterRef(name):
            seen = world.counters[name].seen_by
        case MarkRef(name):
            seen = world.marks[name].seen_by
        case _:
            return ""
    if seen == "nobody":
        return "nobody"
    if seen == "owner" and isinstance(node, Attribute) and _another(graph, node.of, asked):
        return "its owner only"
    return ""


def _another(graph: Graph, of: Expr, asked: str) -> bool:
    """Whether the owner is certainly not only the player who is asked."""
    if isinstance(graph.facts.types.get(of), SetT):
        return True
    if isinstance(of, Call) and graph.facts.refs.get(of) in (BuiltIn("next"), BuiltIn("previous")):
        return isinstance(of.args[0], Name) and of.args[0].name == asked
    return False
