"""The type of every form of expression. One function a form; ``infer`` is the dispatch."""

from __future__ import annotations

from typing import assert_never

from ruleset.checking.attributes import infer_attribute
from ruleset.checking.calls import infer_call, infer_can, infer_code, infer_within
from ruleset.checking.clauses import (
    infer_best,
    infer_count,
    infer_fold,
    infer_pick,
    infer_reach,
    infer_stretch,
    infer_test,
    infer_those,
)
from ruleset.checking.context import Context
from ruleset.checking.kinds import (
    FLAG,
    NO_KIND,
    NUMBER,
    UNKNOWN,
    as_set,
    certain,
    is_unknown,
    join,
    kind_of,
    perhaps,
)
from ruleset.checking.names import infer_name
from ruleset.checking.narrowing import known_if
from ruleset.checking.numbers import greatest, least, negated
from ruleset.checking.operators import infer_binary
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import checking as say
from ruleset.syntax import (
    Attribute,
    Best,
    Binary,
    Call,
    CallOf,
    Can,
    Conditional,
    Count,
    Default,
    Expr,
    Extreme,
    Fold,
    Name,
    Nothing,
    Number,
    Numbers,
    Pick,
    Reach,
    SetOf,
    Stretch,
    Test,
    Those,
    Truth,
    Unary,
    Within,
)
from ruleset.types import NumberT, SetT, ThingT, Type


def infer(context: Context, expr: Expr, scope: Scope, hint: Type | None) -> Type:
    """The type of an expression; ``hint`` is what is wanted, which decides what bare names mean."""
    match expr:
        case Number(value=value):
            return NumberT(value, value)
        case Truth():
            return FLAG
        case Nothing():
            return _nothing(hint)
        case Name():
            return infer_name(context, expr, scope, hint)
        case Attribute():
            return infer_attribute(context, expr, scope)
        case Call():
            return infer_call(context, expr, scope)
        case CallOf():
            return infer_code(context, expr, scope)
        case SetOf():
            return _set_of(context, expr, scope, hint)
        case Numbers():
            return _numbers(context, expr, scope)
        case Unary():
            return _unary(context, expr, scope)
        case Binary():
            return infer_binary(context, expr, scope, hint)
        case Conditional():
            return _conditional(context, expr, scope, hint)
        case Default():
            return _default(context, expr, scope, hint)
        case Extreme():
            return _extreme(context, expr, scope)
        case Can():
            return infer_can(context, expr, scope)
        case Within():
            return infer_within(context, expr, scope)
        case Test() | Count() | Pick() | Those() | Fold() | Best() | Stretch() | Reach():
            return _over_a_set(context, expr, scope)
        case _:
            assert_never(expr)


def _over_a_set(
    context: Context,
    expr: Test | Count | Pick | Those | Fold | Best | Stretch | Reach,
    scope: Scope,
) -> Type:
    match expr:
        case Test():
            return infer_test(context, expr, scope)
        case Count():
            return infer_count(context, expr, scope)
        case Pick():
            return infer_pick(context, expr, scope)
        case Those():
            return infer_those(context, expr, scope)
        case Fold():
            return infer_fold(context, expr, scope)
        case Best():
            return infer_best(context, expr, scope)
        case Stretch():
            return infer_stretch(context, expr, scope)
        case Reach():
            return infer_reach(context, expr, scope)
        case _:
            assert_never(expr)


def _nothing(hint: Type | None) -> Type:
    match hint:
        case ThingT() | NumberT():
            return perhaps(hint)
        case _:
            return ThingT(NO_KIND, True)


def _set_of(context: Context, expr: SetOf, scope: Scope, hint: Type | None) -> Type:
    inner = certain(hint) if hint is not None else None
    if isinstance(inner, SetT):
        inner = NUMBER if inner.kind == "number" else ThingT(inner.kind)
    found: Type | None = None
    for item in expr.items:
        item_type = context.infer(item, scope, inner)
        if is_unknown(item_type):
            continue
        if kind_of(item_type) in ("", "game", "box"):
            context.add(say.not_in_a_set(item.span, item_type))
            continue
        member = as_set(item_type)
        both = member if found is None else join(found, member)
        if both is None and found is not None:
            context.add(say.mixed_set(item.span, found, item_type))
            continue
        found = both
        inner = inner or item_type
    if found is not None:
        return found
    return UNKNOWN if expr.items else (as_set(hint) if hint else SetT(NO_KIND))


def _numbers(context: Context, expr: Numbers, scope: Scope) -> Type:
    low = context.want(expr.low, scope, NUMBER, "the start of a range")
    high = context.want(expr.high, scope, NUMBER, "the end of a range")
    a = low.low if isinstance(low, NumberT) else None
    b = high.high if isinstance(high, NumberT) else None
    if a is not None and b is not None and a > b:
        context.add(say.empty_range(expr.span, a, b))
    return SetT("number")


def _unary(context: Context, expr: Unary, scope: Scope) -> Type:
    if expr.op == "not":
        context.want(expr.a, scope, FLAG, "`not`")
        return FLAG
    found = context.want(expr.a, scope, NUMBER, "`-`")
    return negated(found) if isinstance(found, NumberT) else UNKNOWN


def _conditional(context: Context, expr: Conditional, scope: Scope, hint: Type | None) -> Type:
    context.want(expr.condition, scope, FLAG, "`if`")
    then = scope.knowing(known_if(expr.condition, True))
    other = scope.knowing(known_if(expr.condition, False))
    a = context.infer(expr.a, then, hint)
    b = context.infer(expr.b, other, hint if hint is not None else a)
    both = join(a, b)
    if both is None:
        context.add(say.branches_differ(expr, a, b))
        return UNKNOWN
    return both


def _default(context: Context, expr: Default, scope: Scope, hint: Type | None) -> Type:
    a = context.infer(expr.a, scope, hint)
    b = context.infer(expr.b, scope, hint if hint is not None else certain(a))
    if is_unknown(a):
        return certain(b)
    both = join(certain(a), b)
    if both is None:
        context.add(say.default_differs(expr, a, b))
        return UNKNOWN
    return both


def _extreme(context: Context, expr: Extreme, scope: Scope) -> Type:
    found = [context.want(item, scope, NUMBER, f"`{expr.kind}`") for item in expr.items]
    numbers = [item for item in found if isinstance(item, NumberT)]
    if len(numbers) != len(found) or not numbers:
        return UNKNOWN
    return least(numbers) if expr.kind == "min" else greatest(numbers)
