"""Costs of actions: whether they can be paid, and paying them, all or nothing."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import (
    affording,
    alike,
    asking,
    attributes,
    changes,
    expressions,
    matching,
    moving,
    sifting,
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
    """Whether the entry can be paid together with those before it."""
    earlier = rule.costs[: rule.costs.index(entry)]
    return affording.payable(s, rule, affording.hang_together(s, (entry, entry.ways), earlier))


def pay(s: Scope, rule: ast.EffectRule) -> None:
    """Pay every entry; where there are several ways the player says which."""
    for k, entry in enumerate(rule.costs):
        later = rule.costs[k + 1 :]
        if len(entry.ways) == 1:
            _pay_way(s, rule, entry, entry.ways[0], later)
            continue
        open_ways: Operand = s.b.copy("ways", "s", 0)
        for n, way in enumerate(entry.ways):
            due = affording.hang_together(s, (entry, (way,)), later)
            with s.b.if_(affording.payable(s, rule, due)):
                s.b.add(ir.With(str(open_ways), open_ways, n))
        who = s.names[rule.params[0].name]
        label = f"{entry.name}.way"
        chosen = asking.pick(s, who, open_ways, "number", label, entry.span)
        for n, way in enumerate(entry.ways):
            with s.b.if_(s.b.bin("eq", chosen, n)):
                _pay_way(s, rule, entry, way, later)


def _pay_way(
    s: Scope,
    rule: ast.EffectRule,
    entry: ast.CostEntry,
    way: ast.Cost,
    later: tuple[ast.CostEntry, ...],
) -> None:
    if isinstance(way, ast.CostCounter):
        changes.pay(s, way.amount, way.counter, way.to, way.span)
        return
    if isinstance(way, ast.CostEach):
        matching.pay(s, rule, entry, way)
        return
    who = s.names[rule.params[0].name]
    amount = expressions.value(s, way.amount)
    kind = s.kind(way.clause.source)
    among = sifting.those(s, way.clause)
    _, *rest = affording.hang_together(s, (entry, (way,)), later)

    def leaves_the_rest(left: Operand, chosen: Operand) -> Operand:
        """The pieces without which the later entries can still be paid."""
        able = s.b.copy("able", "s", 0)
        missing = s.b.bin("sub", s.b.bin("sub", amount, 1), s.b.size(chosen))
        with s.b.members(left, kind) as (piece, _):
            gone = s.b.including(chosen, piece)
            wanted = affording.Wanted(kind, missing, s.b.sets("minus", left, s.b.one(piece)))
            with s.b.if_(affording.payable(s, rule, rest, wanted, gone)):
                s.b.add(ir.With(able, able, piece))
        return able

    limits = (amount, amount)
    narrow = leaves_the_rest if rest else None
    merge = alike.merges(s, way.clause.source, who)
    chosen = asking.pick_some(s, who, among, kind, limits, entry.name, entry.span, narrow, merge)
    target = attributes.zone(s, way.to) if way.to is not None else 0
    with s.b.members(chosen, kind) as (piece, _):
        moving.place(s, kind, piece, target, moving.END, way.span)
