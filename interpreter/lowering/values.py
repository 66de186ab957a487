"""Values: a pure function each, with the modifiers that bear on it woven in.

All ``becomes`` come first, then ``times``, then ``add``, then the modifiers' bounds, and last the
bounds of the value itself.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand, RegType
from interpreter.lowering import expressions, holding
from interpreter.lowering.builder import Builder
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.types import RuleRef, SetT


def call(s: Scope, name: str, args: tuple[ast.Expr, ...]) -> Operand:
    """The value of ``name(args)``."""
    rule = next(r for r in s.box.file.rules if r.name == name)
    assert isinstance(rule, ast.ValueRule)
    wanted = s.low.facts.params.get(rule.path, {})
    operands = tuple(
        expressions.as_set(s, arg)
        if isinstance(wanted.get(param.name), SetT)
        else expressions.value(s, arg)
        for arg, param in zip(args, rule.params, strict=True)
    )
    return s.b.call(function(s.low, rule), operands, _register_type(s.low, rule))


def function(low: Lowering, rule: ast.ValueRule) -> str:
    """The function of a value; made when first asked for."""
    return low.need(rule.name, lambda: _make(low, rule))


def _register_type(low: Lowering, rule: ast.ValueRule) -> RegType:
    return "s" if isinstance(low.facts.values.get(rule.name), SetT) else "i"


def parameter_types(
    low: Lowering, path: str, params: tuple[ast.Ident, ...]
) -> list[tuple[str, RegType]]:
    """The registers of a record's parameters."""
    types = low.facts.params.get(path, {})
    return [(p.name, "s" if isinstance(types.get(p.name), SetT) else "i") for p in params]


def _make(low: Lowering, rule: ast.ValueRule) -> None:
    b = Builder(rule.name, parameter_types(low, rule.path, rule.params))
    names: dict[str, Operand] = dict(zip([p.name for p in rule.params], b.params, strict=True))
    s = Scope(low, b, names, rule)
    is_set = _register_type(low, rule) == "s"
    start = expressions.as_set(s, rule.value) if is_set else expressions.value(s, rule.value)
    modifiers = [m for m in holding.all_rules(low.box.file) if _bears_on(low, m, rule.name)]
    if not modifiers and rule.at_least is None and rule.at_most is None:
        result: Operand = start
    else:
        result = _modified(s, rule, start, modifiers)
    b.end(ir.Return(result))
    low.add(b.function(pure=True, rule=rule.path, site=s.site(rule.name_span)))


def _bears_on(low: Lowering, rule: ast.Rule, name: str) -> bool:
    return isinstance(rule, ast.Modifier) and low.facts.patterns.get(rule.target) == RuleRef(name)


def _modified(s: Scope, rule: ast.ValueRule, start: Operand, modifiers: list[ast.Rule]) -> Operand:
    is_set = isinstance(s.low.facts.values.get(rule.name), SetT)
    result = s.b.copy("value", "s" if is_set else "i", start)
    phases: list[tuple[str, Callable[[Scope, Operand], Operand]]] = [
        ("becomes", lambda _, x: x),
        ("times", lambda i, x: i.b.bin("mul", result, x)),
        ("add", lambda i, x: i.b.bin("add", result, x)),
        ("at_least", lambda i, x: i.b.bin("max", result, x)),
        ("at_most", lambda i, x: i.b.bin("min", result, x)),
    ]
    for key, combine in phases:
        for modifier in modifiers:
            assert isinstance(modifier, ast.Modifier)
            given: ast.Expr | None = getattr(modifier, key)
            if given is None:
                continue
            inner = Scope(s.low, s.b, _bound(modifier.target, rule, s), modifier)
            with (
                holding.while_held(inner, modifier.held_by),
                holding.conditions(inner, (), modifier.conditions),
            ):
                read = expressions.as_set if is_set else expressions.value
                s.b.set(result, combine(inner, read(inner, given)))
    for bound, op in ((rule.at_least, "max"), (rule.at_most, "min")):
        if bound is not None:
            limit = expressions.value(s, bound)
            s.b.set(result, s.b.bin("max" if op == "max" else "min", result, limit))
    return result


def _bound(pattern: ast.Header, rule: ast.ValueRule, s: Scope) -> dict[str, Operand]:
    params = [s.names[p.name] for p in rule.params]
    return {p.name: operand for p, operand in zip(pattern.params, params, strict=False)}
