"""What stands in the way of an action, made ready to be shown: conditions as functions, with the
values of their parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import SET_OF, kind_word
from interpreter.lowering import expressions, holding, offers, rules
from interpreter.lowering.builder import Builder
from interpreter.lowering.compiled import ActionInfo, NamedCondition, Part
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.types import Local, SetT


def walk(node: object) -> Iterator[object]:
    """A syntax node and all nodes inside it."""
    todo = [node]
    while todo:
        at = todo.pop()
        if isinstance(at, tuple):
            todo.extend(at)
        elif is_dataclass(at) and type(at).__module__ == ast.__name__:
            yield at
            todo.extend(getattr(at, f.name) for f in fields(at))


def names_in(e: ast.Expr) -> set[str]:
    """The bare names that an expression mentions."""
    return {node.name for node in walk(e) if isinstance(node, ast.Name)}


def parameter_kinds(low: Lowering, rule: ast.EffectRule) -> tuple[str, ...]:
    """The kind of each parameter and choice of an action."""
    types = low.facts.params.get(rule.path, {})
    own = [kind_word(types[p.name]) if p.name in types else "number" for p in rule.params]
    return (*own, *(choice_kind(low, d) for d in rule.choose))


def choice_kind(low: Lowering, domain: ast.Domain) -> str:
    """The kind of a choice: a set where several are chosen."""
    kind, _ = offers.domain_size(low, domain.clause)
    return kind if domain.amount is None else SET_OF + kind


def describe(low: Lowering, rule: ast.EffectRule) -> ActionInfo:
    """All that is asked of an action, and every reason that can stand against it."""
    names = [n for n, _ in rules.parameters(low, rule)]
    kinds = parameter_kinds(low, rule)
    own = len(names) - len(rule.choose)
    conditions = [_condition(low, rule, reason) for reason in offers.all_reasons(low, rule)]
    return ActionInfo(
        rule.name,
        rule.path,
        tuple(zip(names[:own], kinds[:own], strict=True)),
        tuple(zip(names[own:], kinds[own:], strict=True)),
        tuple(conditions),
        tuple(_most(low, rule, k) for k, d in enumerate(rule.choose) if d.amount is not None),
    )


def _most(low: Lowering, rule: ast.EffectRule, k: int) -> tuple[str, str, tuple[str, ...]]:
    """How many can be chosen at most for choice k, as a function of what is known before."""
    domain = rule.choose[k]
    params = rules.parameters(low, rule)
    params = params[: len(params) - len(rule.choose) + k]
    name = f"{rule.name}!{k}.most"

    def make() -> None:
        b = Builder(name, params)
        names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=True))
        s = Scope(low, b, names, rule)
        for ident, expr in rule.with_:
            holding.bind(s, ident, expr)
        assert domain.amount is not None
        s.b.end(ir.Return(expressions.value(s, domain.amount.high)))
        low.add(s.b.function(pure=True, rule=rule.path))

    low.need(name, make)
    return domain.name, name, tuple(n for n, _ in params)


def _condition(low: Lowering, rule: ast.EffectRule, reason: offers.Reason) -> NamedCondition:
    params = rules.parameters(low, rule)
    params = params[: len(params) - len(rule.choose) + reason.level]
    name = f"{rule.name}!{reason.path}"

    def scope(fn: str) -> Scope:
        b = Builder(fn, params)
        names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=True))
        s = Scope(low, b, names, rule)
        for ident, expr in rule.with_:
            holding.bind(s, ident, expr)
        return s

    def make() -> None:
        s = scope(name)
        yes, no = s.b.block(), s.b.block()
        reason.jump(s, yes, no)
        s.b.seek(yes)
        s.b.end(ir.Return(1))
        s.b.seek(no)
        s.b.end(ir.Return(0))
        low.add(s.b.function(pure=True, rule=reason.path))

    low.need(name, make)
    parts = []
    shown = () if isinstance(reason.record, ast.Forbid) else reason.tests
    known = {n for n, _ in params} | {name.name for name, _ in rule.with_}
    # in the condition of a choice of several its name is one candidate, here it is all of them
    known -= {d.name for d in rule.choose if d.amount is not None and d.clause.condition in shown}
    for k, expr in enumerate(e for test in shown for e in _parts(low, test, known)):
        fn = f"{name}!{k}"
        parts.append(Part(expr.span.text, fn, kind_word(low.facts.types[expr])))

        def make_part(fn: str = fn, expr: ast.Expr = expr) -> None:
            s = scope(fn)
            is_set = isinstance(s.type(expr), SetT)
            read = expressions.as_set if is_set else expressions.value
            s.b.end(ir.Return(read(s, expr)))
            low.add(s.b.function(pure=True, rule=reason.path))

        low.need(fn, make_part)
    return NamedCondition(
        reason.path,
        reason.span.text,
        name,
        tuple(n for n, _ in params),
        low.site(reason.path, reason.span, reason.record.cites),
        tuple(parts),
    )


def _parts(low: Lowering, e: ast.Expr, known: set[str]) -> Iterator[ast.Expr]:
    """The sides of comparisons and the arguments of tests whose values say why it fails."""
    match e:
        case ast.Unary(_, "not", a):
            yield from _parts(low, a, known)
        case ast.Binary(_, "and" | "or", a, b):
            yield from _parts(low, a, known)
            yield from _parts(low, b, known)
        case ast.Binary(_, _, a, b):
            for side in (a, b):
                if not isinstance(side, ast.Number | ast.Truth | ast.Nothing | ast.Numbers):
                    yield from _shown(low, side, known)
        case ast.Test(_, _, source) if not isinstance(source, ast.Clause):
            yield from _shown(low, source, known)
        case _:
            yield from _shown(low, e, known)


def _shown(low: Lowering, e: ast.Expr, known: set[str]) -> Iterator[ast.Expr]:
    free = {
        n.name
        for n in walk(e)
        if isinstance(n, ast.Name) and isinstance(low.facts.refs.get(n), Local)
    }
    bound = {n.name for n in walk(e) if isinstance(n, ast.Clause)}
    is_constant = isinstance(e, ast.Name) and not isinstance(low.facts.refs.get(e), Local)
    if free <= known | bound and not is_constant and e in low.facts.types:
        yield e
