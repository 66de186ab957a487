"""What can be offered: for each action the options of its choices, and every reason against it.

For an action with the choices a, b the functions are

    ACTION?0 (parameters)      the a for which all that is known then holds, and some b is left
    ACTION?1 (parameters, a)   the b for which the rest holds
    ACTION?  (parameters)      whether it can be offered at all: whether there is some a
    ACTION?1.any (parameters, a)   whether there is some b; both end at the first that they find

(a choice of several is in `several`).

They are made from the same named conditions as ``why`` shows; each condition is asked as soon as
all the names in it are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final, TypeAlias

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import (
    alike,
    costs,
    expressions,
    holding,
    reasons,
    rules,
    several,
    sifting,
    weaving,
)
from interpreter.lowering.builder import Builder
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.source import Span
from ruleset.types import NumberT, RuleRef, SetT, ThingT

Operands: TypeAlias = "tuple[Operand, ...]"
MOST_NUMBERS: Final = 1024
"""A choice of a number has at most so many candidates: 0 to 1023."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One named condition of an action; ``level`` is how many choices it needs to know."""

    path: str
    span: Span
    level: int
    record: ast.Record
    jump: Callable[[Scope, int, int], None]
    tests: tuple[ast.Expr, ...] = ()


def action(low: Lowering, name: str) -> ast.EffectRule:
    """The rule that an offer names."""
    rule = rules.find(low, name)
    assert isinstance(rule, ast.EffectRule)
    return rule


def alternatives(low: Lowering, rule: ast.EffectRule) -> list[ast.EffectRule]:
    """The action, and those that count as it."""
    others = [
        r
        for r in low.box.file.rules
        if isinstance(r, ast.EffectRule)
        and r.counts_as is not None
        and low.facts.patterns.get(r.counts_as) == RuleRef(rule.name)
    ]
    held = [
        r
        for r in holding.all_rules(low.box.file)
        if isinstance(r, ast.EffectRule)
        and r.held_by
        and r.counts_as is not None
        and low.facts.patterns.get(r.counts_as) == RuleRef(rule.name)
    ]
    return [rule, *others, *held]


def arguments(
    asked: ast.EffectRule, rule: ast.EffectRule, args: tuple[Operand, ...]
) -> tuple[Operand, ...]:
    """The arguments of an alternative, from those of the action that it counts as."""
    if rule is asked:
        return args
    assert rule.counts_as is not None
    given = {p.name: args[k] for k, p in enumerate(rule.counts_as.params)}
    return tuple(given[p.name] for p in rule.params or rule.counts_as.params[:1])


def can(s: Scope, e: ast.Can) -> Operand:
    """``P can A``."""
    asked = action(s.low, e.action.name)
    args = (expressions.value(s, e.who), *(expressions.value(s, a) for a in e.action.args))
    result: Operand = 0
    for rule in alternatives(s.low, asked):
        fn = possible(s.low, rule)
        result = s.b.bin("or", result, s.b.call(fn, arguments(asked, rule, args)))
    return result


# ------------------------------------------------------------------ the functions


def possible(low: Lowering, rule: ast.EffectRule) -> str:
    """``ACTION?``."""
    name = f"{rule.name}?"

    def make() -> None:
        s = scope(low, rule, name, 0)
        if not rule.choose:
            with known(s, rule, 0):
                s.b.end(ir.Return(1))
        elif rule.choose[0].amount is not None:
            s.b.end(ir.Return(s.b.sets("differ", first_options(s.b, low, rule, s.b.params), 0)))
        else:
            _some(s, rule, 0)
        low.add(s.b.function(pure=True, rule=rule.path))

    return low.need(name, make)


def options(low: Lowering, rule: ast.EffectRule, k: int) -> str:
    """``ACTION?k``."""
    name = f"{rule.name}?{k}"
    if rule.choose[k].amount is not None:
        return several.options(low, rule, k)

    def make() -> None:
        s = scope(low, rule, name, k)
        source = rule.choose[k].clause.source
        result = s.b.copy("options", "s", 0)
        with _asked(s, rule, k):
            if (found := _whole(s, rule, k)) is not None:
                s.b.set(result, found)
            else:
                _for_each(s, rule, k, lambda member: s.b.add(ir.With(result, result, member)))
        s.b.end(ir.Return(alike.distinct(s, source, s.b.params[0], result)))
        low.add(s.b.function(pure=True, rule=rule.path))

    return low.need(name, make)


def _any(low: Lowering, rule: ast.EffectRule, k: int) -> str:
    """``ACTION?k.any``."""
    name = f"{rule.name}?{k}.any"

    def make() -> None:
        s = scope(low, rule, name, k)
        _some(s, rule, k)
        low.add(s.b.function(pure=True, rule=rule.path))

    return low.need(name, make)


def _some(s: Scope, rule: ast.EffectRule, k: int) -> None:
    """Answer 1 where choice k has an option."""
    with _asked(s, rule, k):
        if (found := _whole(s, rule, k)) is not None:
            s.b.end(ir.Return(s.b.sets("differ", found, 0)))
        else:
            _for_each(s, rule, k, lambda _: s.b.end(ir.Return(1)))


def _asked(s: Scope, rule: ast.EffectRule, k: int) -> ExitStack:
    """What is inside happens where choice k is come to."""
    bind_with(s, rule)
    return known(s, rule, 0) if k == 0 else ExitStack()


def _whole(s: Scope, rule: ast.EffectRule, k: int) -> Operand | None:
    """The options of choice k, where nothing must be asked of each."""
    if any(r.level > k and ".choose." not in r.path for r in all_reasons(s.low, rule)):
        return None
    later = rule.choose[k + 1 :]
    if len(later) > 1 or any(domain.amount is not None for domain in later):
        return None
    more = [ast.Test(domain.span, "any", domain.clause) for domain in later]
    if later and rule.choose[k].name != rule.choose[k].clause.name:
        return None
    return sifting.whole(s, rule.choose[k].clause, more)


def _for_each(s: Scope, rule: ast.EffectRule, k: int, found: Callable[[Operand], None]) -> None:
    """Do something with each option of choice k."""
    domain = rule.choose[k]
    with ExitStack() as stack:
        member, _ = stack.enter_context(sifting.clause(s, domain.clause))
        s.names[domain.name] = member
        demand(s, rule, k + 1, stack)
        demand_later(s, rule, k + 1, stack)
        found(member)


def first_options(b: Builder, low: Lowering, rule: ast.EffectRule, args: Operands) -> str:
    """The options of the first choice of an action, when nothing is chosen yet."""
    return _first_of(b, low, rule, 0, args)


def _first_of(b: Builder, low: Lowering, rule: ast.EffectRule, k: int, args: Operands) -> str:
    none_yet: Operands = () if rule.choose[k].amount is None else (0,)
    return b.call(options(low, rule, k), (*args, *none_yet), "s")


def demand_later(s: Scope, rule: ast.EffectRule, k: int, stack: ExitStack) -> None:
    """What is inside happens where choice k, if there is one, has an option."""
    if k >= len(rule.choose):
        return
    if rule.choose[k].amount is None:
        some: Operand = s.b.call(_any(s.low, rule, k), given(s, rule, k))
    else:
        some = s.b.sets("differ", _first_of(s.b, s.low, rule, k, given(s, rule, k)), 0)
    stack.enter_context(s.b.if_(some))


def scope(
    low: Lowering, rule: ast.EffectRule, name: str, k: int, more: weaving.Params | None = None
) -> Scope:
    """A function of the parameters, the first k choices, and ``more``."""
    more = more or []
    params = rules.parameters(low, rule)
    params = params[: len(params) - len(rule.choose) + k]
    b = Builder(name, [*params, *more])
    names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=False))
    return Scope(low, b, names, rule)


def given(s: Scope, rule: ast.EffectRule, k: int) -> tuple[Operand, ...]:
    """The parameters and the first k choices."""
    params = rules.parameters(s.low, rule)
    return tuple(s.names[n] for n, _ in params[: len(params) - len(rule.choose) + k])


def bind_with(s: Scope, rule: ast.EffectRule) -> None:
    """Give the names under ``with`` their values."""
    for name, expr in rule.with_:
        holding.bind(s, name, expr)


def known(s: Scope, rule: ast.EffectRule, level: int) -> ExitStack:
    """What is inside happens where every condition that needs no choice holds."""
    stack = ExitStack()
    demand(s, rule, level, stack)
    return stack


def demand(s: Scope, rule: ast.EffectRule, level: int, stack: ExitStack) -> None:
    """What is inside happens where the conditions hold that need just so many choices."""
    for reason in all_reasons(s.low, rule):
        if reason.level == level and ".choose." not in reason.path:
            stack.enter_context(_if_holds(s, reason))


def _if_holds(s: Scope, reason: Reason) -> ExitStack:
    stack = ExitStack()
    yes, join = s.b.block(), s.b.block()
    reason.jump(s, yes, join)
    s.b.seek(yes)

    def close() -> None:
        s.b.end(ir.Jump(join))
        s.b.seek(join)

    stack.callback(close)
    return stack


# ------------------------------------------------------------------ reasons


def all_reasons(low: Lowering, rule: ast.EffectRule) -> list[Reason]:
    """Every condition of an action, in the order in which they are asked."""
    found = [*_with_reasons(rule), *_domain_reasons(rule)]
    found += [
        _test(rule, f"{rule.path}.needs.{c.name}", c, _level(rule, (c.test,))) for c in rule.needs
    ]
    found += [_cost(rule, entry) for entry in rule.costs]
    for forbid in holding.all_rules(low.box.file):
        if isinstance(forbid, ast.Forbid):
            target = low.facts.patterns.get(forbid.target)
            named = {rule.name, rule.counts_as.name if rule.counts_as else ""}
            if isinstance(target, RuleRef) and target.name in named:
                found.append(_forbidden(low, rule, forbid, target.name))
    return sorted(found, key=lambda r: r.level)


def _level(rule: ast.EffectRule, tests: Iterable[ast.Expr]) -> int:
    used = set().union(*(reasons.names_in(test) for test in tests))
    places = [k + 1 for k, d in enumerate(rule.choose) if d.name in used]
    return max(places, default=0)


def _with_reasons(rule: ast.EffectRule) -> Iterable[Reason]:
    for name, expr in rule.with_:

        def jump(
            s: Scope, yes: int, no: int, name: ast.Ident = name, expr: ast.Expr = expr
        ) -> None:
            if name.name not in s.names:
                holding.bind(s, name, expr)
            if isinstance(s.type(expr), SetT):
                s.b.end(ir.Jump(yes))
                return
            none = expressions.none_of(s.type(expr))
            s.b.end(ir.Branch(s.b.bin("ne", s.names[name.name], none), yes, no))

        yield Reason(f"{rule.path}.with.{name.name}", expr.span, 0, rule, jump, (expr,))


def _domain_reasons(rule: ast.EffectRule) -> Iterable[Reason]:
    for k, domain in enumerate(rule.choose):

        def jump(s: Scope, yes: int, no: int, domain: ast.Domain = domain) -> None:
            chosen = s.names[domain.name]
            if domain.amount is not None:
                del s.names[domain.name]
                whole = s.b.sets("within", chosen, sifting.those(s, domain.clause))
                s.names[domain.name] = chosen
                s.b.end(ir.Branch(whole, yes, no))
                return
            inside = s.b.block()
            s.b.end(ir.Branch(_is_member(s, domain.clause.source, chosen), inside, no))
            s.b.seek(inside)
            if domain.clause.condition is None:
                s.b.end(ir.Jump(yes))
            else:
                expressions.jump(s, domain.clause.condition, yes, no)

        tests = () if domain.clause.condition is None else (domain.clause.condition,)
        path = f"{rule.path}.choose.{domain.name}"
        yield Reason(path, domain.span, k + 1, rule, jump, tests)


def _is_member(s: Scope, source: ast.Expr, chosen: Operand) -> Operand:
    if isinstance(source, ast.Numbers):
        low = s.b.bin("le", expressions.value(s, source.low), chosen)
        return s.b.bin("and", low, s.b.bin("le", chosen, expressions.value(s, source.high)))
    return s.b.has(expressions.as_set(s, source), chosen)


def _test(rule: ast.EffectRule, path: str, condition: ast.Condition, level: int) -> Reason:
    def jump(s: Scope, yes: int, no: int) -> None:
        expressions.jump(s, condition.test, yes, no)

    return Reason(path, condition.test.span, level, rule, jump, (condition.test,))


def level_of(rule: ast.EffectRule, entry: ast.CostEntry) -> int:
    """How many choices must be known before the price, up to this entry, can be looked at."""
    due = rule.costs[: rule.costs.index(entry) + 1]
    return _level(rule, [e for one in due for e in costs.expressions_of(one)])


def _cost(rule: ast.EffectRule, entry: ast.CostEntry) -> Reason:
    def jump(s: Scope, yes: int, no: int) -> None:
        s.b.end(ir.Branch(costs.can_pay(s, rule, entry), yes, no))

    level = level_of(rule, entry)
    return Reason(f"{rule.path}.costs.{entry.name}", entry.span, level, rule, jump)


def _forbidden(low: Lowering, rule: ast.EffectRule, forbid: ast.Forbid, target: str) -> Reason:
    """Met where the conditions of the forbidding rule do not all hold."""
    params = [n for n, _ in rules.parameters(low, rule)]
    if target == rule.name:
        binds = dict(zip([p.name for p in forbid.target.params], params, strict=False))
    else:
        assert rule.counts_as is not None
        theirs = [p.name for p in rule.counts_as.params]
        binds = dict(zip([p.name for p in forbid.target.params], theirs, strict=False))
    chosen = [d.name for d in rule.choose]
    level = max((chosen.index(n) + 1 for n in binds.values() if n in chosen), default=0)

    def jump(s: Scope, yes: int, no: int) -> None:
        inner = Scope(low, s.b, {p: s.names[n] for p, n in binds.items()}, forbid)
        allowed = s.b.copy("allowed", "i", 1)
        with (
            holding.while_held(inner, forbid.held_by),
            holding.conditions(inner, (), forbid.conditions),
        ):
            s.b.set(allowed, 0)
        s.b.end(ir.Branch(allowed, yes, no))

    tests = tuple(c.test for c in forbid.conditions)
    return Reason(forbid.path, forbid.span, level, forbid, jump, tests)


def domain_size(low: Lowering, domain: ast.Clause) -> tuple[str, int]:
    """The kind of a choice, and how many candidates there can be."""
    found = low.facts.types.get(domain.source)
    if isinstance(found, ThingT | SetT) and found.kind != "number":
        return found.kind, low.box.size(found.kind)
    if isinstance(domain.source, ast.Numbers):
        high = low.facts.types.get(domain.source.high)
        if isinstance(high, NumberT) and high.high is not None:
            return "number", min(high.high + 1, MOST_NUMBERS)
    return "number", MOST_NUMBERS
