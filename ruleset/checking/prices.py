"""Prices: counters, pieces, one piece for each of many, and what may stand for a part of one."""

from __future__ import annotations

from typing import assert_never

from ruleset.checking.changes import check_pay, check_place
from ruleset.checking.clauses import clause_scope
from ruleset.checking.context import Context
from ruleset.checking.hooks import bind_pattern
from ruleset.checking.kinds import NUMBER, is_unknown, kind_of
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import boards as say
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.diagnostics.suggest import nearest
from ruleset.syntax import Clause, Cost, CostCounter, CostEach, CostPieces, Expr, Substitute
from ruleset.types import NumberT


def check_cost(context: Context, cost: Cost, scope: Scope) -> None:
    """One way to pay a price."""
    match cost:
        case CostCounter():
            check_pay(context, cost.amount, cost.counter, cost.to, scope)
        case CostPieces():
            context.want(cost.amount, scope, NUMBER, "a price")
            _pieces(context, cost.clause, cost.to, scope)
        case CostEach():
            inner, _ = clause_scope(context, cost.item, scope, "`for`", lists=True)
            context.keep_names(inner)
            _pieces(context, cost.piece, cost.to, inner)
        case _:
            assert_never(cost)


def _pieces(context: Context, clause: Clause, to: Expr | None, scope: Scope) -> None:
    inner, found = clause_scope(context, clause, scope, "a price")
    context.keep_names(inner)
    kind = kind_of(found)
    if not is_unknown(found) and kind not in context.world.pieces:
        context.add(say_changes.not_a_piece(clause.source.span, found, "a price"))
        kind = ""
    if to is not None:
        check_place(context, to, scope, kind, "`to`")


def bind_substitute(context: Context, rule: Substitute, scope: Scope) -> Scope:
    """What is replaced: so many items of a price of an action; the scope with its names."""
    scope = bind_pattern(context, rule.target, scope, "replace")
    if rule.amount is not None:
        found = context.want(rule.amount, scope, NUMBER, "`replace`")
        if isinstance(found, NumberT) and found.high is not None and found.high < 1:
            context.add(say.replaces_nothing(rule.amount.span))
    action = context.world.rules.get(rule.target.name)
    if action is None or action.when:
        return scope
    entry = next((each for each in action.costs if each.name == rule.cost.name), None)
    if entry is None:
        names = [each.name for each in action.costs]
        close = nearest(rule.cost.name, names)
        context.add(say.no_price(rule.cost, action.name, names, close))
    elif entry.ways and not any(isinstance(way, CostEach | CostPieces) for way in entry.ways):
        context.add(say.no_items(rule.cost, entry))
    return scope


def check_substitute_ways(context: Context, rule: Substitute, scope: Scope) -> None:
    """What is paid instead, for each item: a counter, or so many pieces."""
    for way in rule.ways:
        if isinstance(way, CostEach):
            context.add(say.each_replaces_each(way.span))
        else:
            check_cost(context, way, scope)
