"""The types of ``a op b``."""

from __future__ import annotations

from ruleset.checking.context import Context
from ruleset.checking.kinds import (
    FLAG,
    NUMBER,
    UNKNOWN,
    as_set,
    certain,
    comparable,
    is_unknown,
    join,
    kind_of,
    maybe_none,
)
from ruleset.checking.narrowing import known_if
from ruleset.checking.numbers import always, combined
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import checking as say
from ruleset.syntax import Binary, Expr, Name, Nothing, Number, SetOf
from ruleset.types import FlagT, NumberT, SetT, ThingT, Type


def infer_binary(context: Context, expr: Binary, scope: Scope, hint: Type | None) -> Type:
    """The type of a binary operation."""
    match expr.op:
        case "and" | "or":
            return _logic(context, expr, scope)
        case "is" | "is not":
            return _equal(context, expr, scope)
        case "in" | "not in":
            return _member(context, expr, scope)
        case "<" | "<=" | ">" | ">=":
            return _compare(context, expr, scope)
        case "+" | "-":
            return _plus(context, expr, scope, hint)
        case _:
            return _arithmetic(context, expr, scope)


def _logic(context: Context, expr: Binary, scope: Scope) -> Type:
    a = context.want(expr.a, scope, FLAG, f"`{expr.op}`")
    right = scope.knowing(known_if(expr.a, expr.op == "and"))
    if _left_out_is(expr) and not is_unknown(a):
        assert isinstance(expr.a, Binary)
        b = context.infer(expr.b, right, context.facts.types.get(expr.a.a))
        if not isinstance(b, FlagT) and not is_unknown(b):
            context.add(say.or_wants_a_condition(expr, expr.a))
        return FLAG
    if is_unknown(a):  # said already
        context.infer(expr.b, right)
        return UNKNOWN
    context.want(expr.b, right, FLAG, f"`{expr.op}`")
    return FLAG


def _left_out_is(expr: Binary) -> bool:
    """Whether this looks like ``x is a or b``."""
    return (
        isinstance(expr.a, Binary)
        and expr.a.op in ("is", "is not")
        and isinstance(expr.b, Name | Number)
    )


def two_sides(context: Context, a: Expr, b: Expr, scope: Scope) -> tuple[Type, Type]:
    """The types of two sides that want to be alike: a bare member takes its kind from the other."""
    if isinstance(a, Name | Nothing | SetOf) and (
        not isinstance(a, Name) or a.name not in scope.names
    ):
        bare = isinstance(b, Name | Nothing) and (
            not isinstance(b, Name) or b.name not in scope.names
        )
        if not bare:
            right = context.infer(b, scope)
            return context.infer(a, scope, right), right
    left = context.infer(a, scope)
    return left, context.infer(b, scope, left)


def _equal(context: Context, expr: Binary, scope: Scope) -> Type:
    a, b = two_sides(context, expr.a, expr.b, scope)
    if is_unknown(a) or is_unknown(b):
        return FLAG
    if not comparable(a, b):
        context.add(say.never_equal(expr, a, b))
        return FLAG
    none_test = isinstance(expr.b, Nothing) or isinstance(expr.a, Nothing)
    if none_test:
        other = a if isinstance(expr.b, Nothing) else b
        if isinstance(other, ThingT | NumberT) and not maybe_none(other):
            context.add(say.never_none(expr))
    elif isinstance(a, NumberT) and isinstance(b, NumberT) and not (a.maybe or b.maybe):
        _told_always(context, expr, a, b)
    return FLAG


def _told_always(context: Context, expr: Binary, a: NumberT, b: NumberT) -> None:
    sure = always(expr.op, a, b)
    if sure is not None and not context.path.startswith("invariants."):
        context.add(say.always_so(expr, sure, a, b))


def _member(context: Context, expr: Binary, scope: Scope) -> Type:
    if isinstance(expr.a, Name) and expr.a.name not in scope.names:
        b = context.infer(expr.b, scope)
        a = context.infer(expr.a, scope, b)
    else:
        a = context.infer(expr.a, scope)
        b = context.infer(expr.b, scope, as_set(a) if not is_unknown(a) else None)
    if is_unknown(a) or is_unknown(b):
        return FLAG
    if isinstance(b, FlagT):
        context.add(say.not_a_set(expr.b.span, b, f"`{expr.op}`"))
    elif not comparable(as_set(a), as_set(b)) or isinstance(a, FlagT):
        context.add(say.never_member(expr, a, b))
    return FLAG


def _compare(context: Context, expr: Binary, scope: Scope) -> Type:
    found = []
    for side in (expr.a, expr.b):
        side_type = context.infer(side, scope, NUMBER)
        if is_unknown(side_type):
            continue
        if not isinstance(side_type, NumberT):
            context.add(say.compares_numbers(side.span, side_type))
        elif side_type.maybe:
            context.may_be_none(side, f"`{expr.op}`")
        else:
            found.append(side_type)
    if len(found) == 2:
        _told_always(context, expr, found[0], found[1])
    return FLAG


def _plus(context: Context, expr: Binary, scope: Scope, hint: Type | None) -> Type:
    if isinstance(expr.a, Name) and expr.a.name not in scope.names and hint is None:
        a, b = two_sides(context, expr.a, expr.b, scope)
    else:
        a = context.infer(expr.a, scope, hint)
        b = context.infer(expr.b, scope, certain(a))
    if is_unknown(a) or is_unknown(b):
        return UNKNOWN
    if isinstance(a, NumberT) and isinstance(b, NumberT):
        if a.maybe or b.maybe:
            at = expr.a if a.maybe else expr.b
            context.may_be_none(at, f"`{expr.op}`")
            return UNKNOWN
        return combined(expr.op, a, b)
    if isinstance(a, SetT | ThingT) and isinstance(b, SetT | ThingT):
        both = join(as_set(a), as_set(b))
        if both is None:
            context.add(say.mixed_set(expr.b.span, a, b))
            return UNKNOWN
        return SetT(kind_of(both))
    odd = expr.b if isinstance(a, NumberT | SetT) else expr.a
    odd_type = b if odd is expr.b else a
    context.add(say.no_arithmetic(odd.span, expr.op, odd_type))
    return UNKNOWN


def _arithmetic(context: Context, expr: Binary, scope: Scope) -> Type:
    a = context.want(expr.a, scope, NUMBER, f"`{expr.op}`")
    b = context.want(expr.b, scope, NUMBER, f"`{expr.op}`")
    if isinstance(a, NumberT) and isinstance(b, NumberT):
        return combined(expr.op, a, b)
    return UNKNOWN
