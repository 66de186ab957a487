"""Records of the section ``rules``, and the rules that pieces bring."""

from __future__ import annotations

from typing import assert_never

from ruleset.checking.asking import check_amount
from ruleset.checking.clauses import clause_scope
from ruleset.checking.context import Context
from ruleset.checking.effects import check_block
from ruleset.checking.hooks import bind_counts_as, bind_hooks, bind_pattern, check_over
from ruleset.checking.kinds import (
    FLAG,
    NUMBER,
    UNKNOWN,
    as_set,
    certain,
    is_unknown,
    kind_of,
    unordered,
)
from ruleset.checking.narrowing import known_if
from ruleset.checking.prices import bind_substitute, check_cost, check_substitute_ways
from ruleset.checking.scope import Binding, Scope
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.diagnostics.messages import checking as say
from ruleset.syntax import (
    Condition,
    EffectRule,
    Forbid,
    Ident,
    Modifier,
    Rule,
    Substitute,
    ValueRule,
)
from ruleset.types import FlagT, NumberT, ThingT, Type


def param_scope(context: Context, params: tuple[Ident, ...], scope: Scope) -> Scope:
    """A scope with the parameters of a record."""
    world = context.world
    for param in params:
        found = world.param_type(param.name)
        declared = world.word_kind(param.name) is not None
        inner = context.bind(scope, param.name, param.span, found)
        scope = inner.bind(param.name, Binding(found, param.span, declared))
    return scope


def check_rule(context: Context, rule: Rule, scope: Scope) -> None:
    """Check one rule; ``scope`` has what surrounds it: names of the piece that brings it."""
    context.path = rule.path
    match rule:
        case ValueRule():
            context.value_of(context, rule.name)
        case EffectRule():
            _effect_rule(context, rule, scope)
        case Modifier():
            _modifier(context, rule, scope)
        case Forbid():
            inner = bind_pattern(context, rule.target, scope, "forbid")
            _conditions(context, rule.conditions, inner)
            context.keep_names(inner)
        case Substitute():
            inner = bind_substitute(context, rule, scope)
            inner = _conditions(context, rule.conditions, inner)
            context.keep_names(inner)
            check_substitute_ways(context, rule, inner)
        case _:
            assert_never(rule)


def infer_value(context: Context, rule: ValueRule) -> Type:
    """The type of a value rule, with its bounds; assumes that the context is at its record."""
    scope = param_scope(context, rule.params, Scope())
    context.keep_names(scope)
    found = context.infer(rule.value, scope)
    bounds = [
        None if bound is None else context.want(bound, scope, NUMBER, f"`{word}`")
        for word, bound in (("at least", rule.at_least), ("at most", rule.at_most))
    ]
    if kind_of(found) in ("game", "box") or found == ThingT("none", True):
        context.add(say_changes.nothing_to_name(rule.value.span, rule.name))
        return UNKNOWN
    if not isinstance(found, NumberT):
        if any(bounds) and not is_unknown(found):
            context.add(say.bounds_of_no_number(rule.name_span, rule.name, found))
        return unordered(found)
    changed = any(m.target.name == rule.name for m in context.world.modifiers())
    low, high = (None, None) if changed else (found.low, found.high)
    return NumberT(_bound(bounds[0], low, max), _bound(bounds[1], high, min), found.maybe)


def _bound(bound: Type | None, found: int | None, tighter: object) -> int | None:
    if not isinstance(bound, NumberT):
        return found
    limit = bound.low if tighter is max else bound.high
    if limit is None or found is None:
        return limit if found is None else found
    return max(limit, found) if tighter is max else min(limit, found)


def _effect_rule(context: Context, rule: EffectRule, scope: Scope) -> None:
    if rule.when:
        scope = bind_hooks(context, rule, scope)
    scope = param_scope(context, rule.params, scope)
    replacing = any(hook.when == "instead of" for hook in rule.when)
    scope = Scope(scope.names, replacing, scope.broken)
    if rule.is_action and not rule.when:
        _asks_a_player(context, rule)
    for ident, value in rule.with_:
        found = context.infer(value, scope, _hint(context, ident.name))
        scope = context.bind(scope, ident.name, ident.span, certain(found))
    if rule.counts_as is not None:
        bind_counts_as(context, rule, rule.counts_as, scope)
    scope = _choices(context, rule, scope)
    scope = _conditions(context, rule.needs, scope)
    for entry in rule.costs:
        for way in entry.ways:
            check_cost(context, way, scope)
    scope = _conditions(context, rule.conditions, scope)
    context.keep_names(scope)
    check_block(context, rule.do, scope)
    check_over(context, rule, scope)


def _hint(context: Context, name: str) -> Type | None:
    kind = context.world.word_kind(name)
    return ThingT(kind) if kind else None


def _asks_a_player(context: Context, rule: EffectRule) -> None:
    first = rule.params[0] if rule.params else None
    if first is None or context.world.word_kind(first.name) != "player":
        context.add(say_changes.no_player_first(rule.name_span, rule.name, first))


def _choices(context: Context, rule: EffectRule, scope: Scope) -> Scope:
    for domain in rule.choose:
        check_amount(context, domain.amount, scope)
        inner, found = clause_scope(context, domain.clause, scope, "`choose`")
        if domain.amount is not None:
            chosen = Binding(as_set(found), domain.clause.name_span)
        else:
            chosen = inner.names[domain.clause.name]
        scope = scope.bind(domain.name, chosen)
    return scope


def _conditions(context: Context, conditions: tuple[Condition, ...], scope: Scope) -> Scope:
    for condition in conditions:
        context.want(condition.test, scope, FLAG, "a condition")
        scope = scope.knowing(known_if(condition.test, True))
    return scope


def _modifier(context: Context, rule: Modifier, scope: Scope) -> None:
    scope = bind_pattern(context, rule.target, scope, "modify")
    scope = _conditions(context, rule.conditions, scope)
    context.keep_names(scope)
    target = context.value_of(context, rule.target.name)
    context.path = rule.path
    for word, value in (
        ("times", rule.times),
        ("add", rule.add),
        ("at least", rule.at_least),
        ("at most", rule.at_most),
    ):
        if value is None:
            continue
        context.want(value, scope, NUMBER, f"`{word}`")
        if not isinstance(target, NumberT) and not is_unknown(target):
            context.add(say_changes.modifies_no_number(value.span, word, rule.target.name, target))
    if rule.becomes is not None:
        want = NUMBER if isinstance(target, NumberT) else target
        context.want(rule.becomes, scope, want, "`becomes`", maybe=not isinstance(target, FlagT))
