"""Costs of actions: whether they can be paid, and paying them, all or nothing."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import (
    asking,
    attributes,
    changes,
    expressions,
    matching,
    moving,
    queries,
)
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast


def expressions_of(entry: ast.CostEntry) -> Iterable[ast.Expr]:
    """The expressions that a cost is made of."""
    for way in entry.ways:
        match way:
            case ast.CostCounter():
                yield from (way.amount, way.counter)
            case ast.CostPieces():
                yield way.amount
                yield from _of_clause(way.clause)
            case ast.CostEach():
                yield from _of_clause(way.item)
                yield from _of_clause(way.piece)
        if way.to is not None:
            yield way.to


def _of_clause(clause: ast.Clause) -> Iterable[ast.Expr]:
    yield clause.source
    if clause.condition is not None:
        yield clause.condition


def can_pay(s: Scope, rule: ast.EffectRule, entry: ast.CostEntry) -> Operand:
    """Whether some way of paying is open, after the entries before it."""
    earlier = rule.costs[: rule.costs.index(entry)]
    result: Operand = 0
    for way in entry.ways:
        result = s.b.bin("or", result, _open(s, rule, entry, way, earlier))
    return result


def _open(
    s: Scope,
    rule: ast.EffectRule,
    entry: ast.CostEntry,
    way: ast.Cost,
    earlier: tuple[ast.CostEntry, ...],
) -> Operand:
    if isinstance(way, ast.CostEach):
        return matching.can_pay(s, rule, entry, way)
    if isinstance(way, ast.CostCounter):
        also = [
            other.amount
            for entry in earlier
            for other in entry.ways
            if len(entry.ways) == 1
            and isinstance(other, ast.CostCounter)
            and other.counter.span.text == way.counter.span.text
        ]
        return changes.can_pay(s, [*also, way.amount], way.counter)
    amount = expressions.value(s, way.amount)
    return s.b.bin("le", amount, s.b.size(queries.those(s, way.clause)))


def pay(s: Scope, rule: ast.EffectRule) -> None:
    """Pay every entry; where there are several ways the player says which."""
    for entry in rule.costs:
        if len(entry.ways) == 1:
            _pay_way(s, rule, entry, entry.ways[0])
            continue
        open_ways: Operand = s.b.copy("ways", "s", 0)
        for k, way in enumerate(entry.ways):
            with s.b.if_(_open(s, rule, entry, way, ())):
                s.b.add(ir.With(str(open_ways), open_ways, k))
        who = s.names[rule.params[0].name]
        label = f"{entry.name}.way"
        chosen = asking.pick(s, who, open_ways, "number", label, entry.span)
        for k, way in enumerate(entry.ways):
            with s.b.if_(s.b.bin("eq", chosen, k)):
                _pay_way(s, rule, entry, way)


def _pay_way(s: Scope, rule: ast.EffectRule, entry: ast.CostEntry, way: ast.Cost) -> None:
    if isinstance(way, ast.CostCounter):
        changes.pay(s, way.amount, way.counter, way.to, way.span)
        return
    if isinstance(way, ast.CostEach):
        matching.pay(s, rule, entry, way)
        return
    who = s.names[rule.params[0].name]
    amount = expressions.value(s, way.amount)
    kind = s.kind(way.clause.source)
    among = queries.those(s, way.clause)
    chosen = asking.pick_some(s, who, among, kind, (amount, amount), entry.name, entry.span)
    target = attributes.zone(s, way.to) if way.to is not None else 0
    with s.b.members(chosen, kind) as (piece, _):
        moving.place(s, kind, piece, target, moving.END, way.span)
