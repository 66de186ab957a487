"""Changes of counters: gain, lose, pay, with the hooks on them."""

from __future__ import annotations

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import attributes, expressions, iteration, weaving
from interpreter.lowering.builder import Builder
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.source import Span
from ruleset.types import CounterRef, SetT


def gain(s: Scope, e: ast.Gain) -> None:
    """``gain`` and ``lose``: to the bounds of the counter; a negative amount is a fault."""
    amount = expressions.value(s, e.amount)
    ref, of = _counter(s, e.counter)
    if of is not None and isinstance(s.type(of), SetT):
        with iteration.each(s, of, "x") as (owner, _):
            change(s, e.kind, ref, owner, amount, e.span)
        return
    change(s, e.kind, ref, _owner(s, of), amount, e.span)


def pay(s: Scope, amount: ast.Expr, counter: ast.Expr, to: ast.Expr | None, span: Span) -> None:
    """All or nothing: too little is a fault, which a condition before it should have kept away."""
    paid = expressions.value(s, amount)
    ref, of = _counter(s, counter)
    owner = _owner(s, of)
    field = s.box.counters[ref].field
    low = s.low.program.fields[field].low
    left = s.b.bin("sub", s.b.load(field, owner), paid)
    s.b.add(ir.Check(s.b.bin("le", low, left), "SHORT", s.site(span)))
    change(s, "lose", ref, owner, paid, span)
    if to is not None:
        other, of = _counter(s, to)
        change(s, "gain", other, _owner(s, of), paid, span)


def has(s: Scope, amounts: list[Operand], counter: ast.Expr) -> Operand:
    """Whether there is enough for all the amounts together."""
    ref, of = _counter(s, counter)
    field = s.box.counters[ref].field
    left: Operand = s.b.load(field, _owner(s, of))
    for amount in amounts:
        left = s.b.bin("sub", left, amount)
    return s.b.bin("le", s.low.program.fields[field].low, left)


def can_pay_times(s: Scope, amount: ast.Expr, counter: ast.Expr, times: Operand) -> Operand:
    """Whether there is enough to pay the amount so many times."""
    ref, of = _counter(s, counter)
    field = s.box.counters[ref].field
    needed = s.b.bin("mul", expressions.value(s, amount), times)
    left = s.b.bin("sub", s.b.load(field, _owner(s, of)), needed)
    return s.b.bin("le", s.low.program.fields[field].low, left)


def _counter(s: Scope, e: ast.Expr) -> tuple[str, ast.Expr | None]:
    ref = s.low.facts.refs[e]
    assert isinstance(ref, CounterRef)
    return ref.name, e.of if isinstance(e, ast.Attribute) else None


def _owner(s: Scope, of: ast.Expr | None) -> Operand:
    return 0 if of is None else attributes.owner(s, of)[1]


def change(s: Scope, kind: str, name: str, owner: Operand, amount: Operand, span: Span) -> None:
    """Change a counter, through its hooks where there are any."""
    site = s.site(span)
    if not (isinstance(amount, int) and amount >= 0):
        s.b.add(ir.Check(s.b.bin("le", 0, amount), "NEGATIVE", site))
    hooks = [] if s.low.raw else weaving.find_hooks(s.low, kind, name, "", [0, 1])
    if not hooks:
        delta = amount if kind == "gain" else s.b.bin("sub", 0, amount)
        s.b.add(ir.Gain(s.box.counters[name].field, owner, delta, site))
        return
    each = s.box.counters[name].each
    args = (owner, amount) if each else (amount,)
    label = f"{kind}.{name}.{site}"
    inner = s.low.need(label, lambda: _make(s.low, label, kind, name, bool(each), site))
    params: weaving.Params = [("owner", "i"), ("amount", "i")] if each else [("amount", "i")]
    with s.b.if_(amount if isinstance(amount, int) else s.b.bin("ne", amount, 0)):
        s.b.call(weaving.woven(s.low, label, params, inner, hooks), args)


def _make(low: Lowering, label: str, kind: str, name: str, each: bool, site: int) -> None:
    b = Builder(label, [("owner", "i"), ("amount", "i")] if each else [("amount", "i")])
    owner: Operand = b.params[0] if each else 0
    delta = b.params[-1] if kind == "gain" else b.bin("sub", 0, b.params[-1])
    b.add(ir.Gain(low.box.counters[name].field, owner, delta, site))
    low.add(b.function())
