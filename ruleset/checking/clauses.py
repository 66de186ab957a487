"""What goes through a set: clauses, and the forms that are built on them."""

from __future__ import annotations

from ruleset.checking.context import Context
from ruleset.checking.kinds import (
    FLAG,
    LINE_OF,
    NUMBER,
    UNKNOWN,
    as_set,
    element,
    fits,
    is_unknown,
    kind_of,
    perhaps,
)
from ruleset.checking.narrowing import known_if
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import checking as say
from ruleset.syntax import (
    Attribute,
    Best,
    Clause,
    Count,
    Expr,
    Fold,
    Name,
    Pick,
    Reach,
    Source_,
    Stretch,
    Test,
    Those,
)
from ruleset.types import FieldRef, FlagT, ListT, Members, NumberT, SetT, Type, ZoneRef


def clause_scope(
    context: Context, clause: Clause, scope: Scope, role: str, *, lists: bool = False
) -> tuple[Scope, Type]:
    """Check a clause; the scope in which its name is bound, and the type of the set.

    With ``lists`` the source can be a list field.
    """
    hint = _word_hint(context, clause.name)
    source = context.want_set(clause.source, scope, role, hint, lists=lists)
    inner = context.bind(scope, clause.name, clause.name_span, element(source))
    if clause.condition is not None:
        context.want(clause.condition, inner, FLAG, "`if`")
        inner = inner.knowing(known_if(clause.condition, True))
    bound = inner.names.get(clause.name)
    if bound is not None and is_unknown(bound.type):  # said already
        return inner, UNKNOWN
    return inner, as_set(source)


def _word_hint(context: Context, name: str) -> Type | None:
    kind = context.world.word_kind(name)
    return SetT(kind) if kind else None


def _source(context: Context, source: Source_, scope: Scope, role: str) -> Type:
    if isinstance(source, Clause):
        return clause_scope(context, source, scope, role, lists=True)[1]
    found = context.want_set(source, scope, role, lists=True)
    if isinstance(found, SetT) and found.kind.startswith(LINE_OF):
        context.add(say.lines_in_clause(source.span))
    return as_set(found)


def infer_test(context: Context, expr: Test, scope: Scope) -> Type:
    """``any`` and ``all``."""
    if not isinstance(expr.source, Clause):
        found = context.infer(expr.source, scope, lists=True)
        if isinstance(found, FlagT):
            context.add(say.any_of_a_flag(expr.source.span, expr.kind))
        elif isinstance(found, NumberT):
            context.add(say.not_a_set(expr.source.span, found, f"`{expr.kind}`"))
        return FLAG
    if expr.kind == "any":
        clause_scope(context, expr.source, scope, "`any`", lists=True)
        return FLAG
    clause_scope(context, expr.source, scope, "`all`", lists=True)
    if expr.source.condition is None:
        context.add(say.all_without_condition(expr.span))
    return FLAG


def infer_count(context: Context, expr: Count, scope: Scope) -> Type:
    """``count``: at most as many as the set can have."""
    _source(context, expr.source, scope, "`count`")
    source = expr.source.source if isinstance(expr.source, Clause) else expr.source
    return NumberT(0, most_in(context, source))


def most_in(context: Context, source: Expr) -> int | None:
    """How many members a set can have, where that is certain."""
    world = context.world
    found = context.facts.types.get(source)
    if found is None or is_unknown(found):
        return None
    if isinstance(found, ListT):
        ref = context.facts.refs.get(source)
        return world.longest(ref.kind, ref.name) if isinstance(ref, FieldRef) else None
    if not isinstance(found, SetT):
        return 1 if kind_of(found) not in ("", "number") else None
    ref = context.facts.refs.get(source)
    if isinstance(ref, ZoneRef) and isinstance(source, Name | Attribute):
        high = world.zones[ref.name].high
        many = isinstance(source, Attribute) and isinstance(
            context.facts.types.get(source.of), SetT
        )
        if high is not None and not many:
            return high
    kind = world.kinds.get(found.kind)
    return kind.size if kind is not None else None


def infer_pick(context: Context, expr: Pick, scope: Scope) -> Type:
    """``first`` and ``last``: of the players never none, else perhaps."""
    found = _source(context, expr.source, scope, f"`{expr.kind}`")
    if is_unknown(found):
        return UNKNOWN
    source = expr.source.source if isinstance(expr.source, Clause) else expr.source
    _hidden_order(context, expr, source)
    if isinstance(expr.source, Name) and expr.source.name == "players":
        return element(found)
    return perhaps(element(found))


def _hidden_order(context: Context, expr: Pick, source: Expr) -> None:
    ref = context.facts.refs.get(source)
    if isinstance(ref, ZoneRef):
        zone = context.world.zones[ref.name]
        if zone.order == "pile" and zone.seen_by == "nobody":
            context.add(say.hidden_order(expr.span, expr.kind, zone))


def infer_those(context: Context, expr: Those, scope: Scope) -> Type:
    """``those``: the members, or what is said of each."""
    inner, found = clause_scope(context, expr.clause, scope, "`those`", lists=True)
    if expr.of is None:
        return found
    of = context.infer(expr.of, inner)
    if is_unknown(of):
        return UNKNOWN
    if kind_of(of) in ("", "none", "game", "box"):
        context.add(say.not_in_a_set(expr.of.span, of))
        return UNKNOWN
    return SetT(kind_of(of))


def infer_fold(context: Context, expr: Fold, scope: Scope) -> Type:
    """``sum``, ``min``, ``max`` over a set; the least and the greatest of nothing are none."""
    inner, _ = clause_scope(context, expr.clause, scope, f"`{expr.kind}`", lists=True)
    of = context.want(expr.of, inner, NUMBER, f"`{expr.kind}`")
    if not isinstance(of, NumberT):
        return UNKNOWN
    if expr.kind != "sum":
        ref = context.facts.refs.get(expr.clause.source)
        some = isinstance(ref, Members) and expr.clause.condition is None
        return NumberT(of.low, of.high, maybe=not some)
    return NumberT(0) if of.low is not None and of.low >= 0 else NUMBER


def infer_best(context: Context, expr: Best, scope: Scope) -> Type:
    """``highest`` and ``lowest``; members for which the number is none are left out."""
    inner, found = clause_scope(context, expr.clause, scope, f"`{expr.kind}`", lists=True)
    context.want(expr.of, inner, NUMBER, f"`{expr.kind}`", maybe=True)
    return SetT(found.kind) if isinstance(found, SetT) else UNKNOWN


def infer_stretch(context: Context, expr: Stretch, scope: Scope) -> Type:
    """``stretch``: the front of a row."""
    _, found = clause_scope(context, expr.clause, scope, "`stretch`")
    if isinstance(found, SetT) and not found.row:
        context.add(say.needs_a_row(expr.clause.source.span))
    return found


def infer_reach(context: Context, expr: Reach, scope: Scope) -> Type:
    """``reach``: the second clause may use the name of the first."""
    inner, found = clause_scope(context, expr.start, scope, "`reach`")
    _, step = clause_scope(context, expr.step, inner, "`reach`")
    if not fits(step, found):
        context.add(say.reach_differs(expr.step.source.span, found, step))
        return UNKNOWN
    return SetT(found.kind) if isinstance(found, SetT) else UNKNOWN
