"""The flow: each step is a function; a step with ``each`` is a loop over frames of that step."""

from __future__ import annotations

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import (
    effects,
    expressions,
    holding,
    iteration,
    loops,
    rules,
    sifting,
    together,
    weaving,
)
from interpreter.lowering.builder import Builder
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.types import CounterRef


def inner_function(low: Lowering, step: ast.Step) -> str:
    """The function of the step itself; of a step with ``each``, of one turn of it."""
    return low.need(step.name, lambda: _make(low, step))


def run(s: Scope, name: str) -> None:
    """Let a step or a rule without parameters happen, once, or once for each of its ``each``."""
    record = rules.find(s.low, name)
    known = _around(s, record) if isinstance(record, ast.Step) else ()
    if isinstance(record, ast.Step) and record.each is not None:
        s.b.call(s.low.need(f"{name}@each", lambda: _make_each(s.low, record)), known)
        return
    s.b.call(rules.outer_function(s.low, name), known)


def _around(s: Scope, step: ast.Step) -> tuple[Operand, ...]:
    """What the step knows from the steps around it."""
    return tuple(s.names[name.name] for name in s.low.around[step.name])


def _scope(low: Lowering, step: ast.Step, name: str, params: list[tuple[str, ir.RegType]]) -> Scope:
    b = Builder(name, params)
    names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=True))
    return Scope(low, b, names, step)


def _make(low: Lowering, step: ast.Step) -> None:
    s = _scope(low, step, step.name, rules.parameters(low, step))
    effects.reset(s, step.name)
    with holding.conditions(s, (), step.conditions):
        weaving.check(low, s.b, step.name, "before")
        _body(s, step)
        s.b.end(ir.Return(0))
    if step.conditions:
        s.b.end(ir.Return(rules.SKIPPED))
    low.add(
        s.b.function(
            rule=step.path,
            begins=True,
            site=low.site(step.path, step.name_span, step.cites),
            player_first=rules.about_a_player(low, step),
        )
    )


def _make_each(low: Lowering, step: ast.Step) -> None:
    """``each``: who is in it, and in what order, is fixed on entry, unless ``order: live``."""
    assert step.each is not None
    known: list[tuple[str, ir.RegType]] = [(name.name, "i") for name in low.around[step.name]]
    s = _scope(low, step, f"{step.name}@each", known)
    order = step.each
    turn = rules.outer_function(low, step.name)
    chosen = sifting.those(s, order.clause)
    if order.start is not None:
        start = order.start
        with loops.turns(s, chosen, lambda: expressions.value(s, start), live=step.live) as seat:
            s.b.call(turn, (seat, *_around(s, step)))
    else:
        source = s.type(order.clause.source)
        with iteration.members(s, order.clause.source, chosen, order.clause.name) as (member, _):

            def once(k: Operand) -> None:
                s.b.call(turn, (k, *_around(s, step)))

            loops.still_in(s, source, member, once)
    low.add(s.b.function(rule=step.path))


def _body(s: Scope, step: ast.Step) -> None:
    if step.together is not None:
        ask = step.do[0]
        assert isinstance(ask, ast.Ask)
        clause = step.together.clause
        together.gather(s, clause, ask, sifting.those(s, clause), step.together.start)
        return
    for name in step.steps:
        run(s, name.name)
    if step.repeat is not None:
        _repeat(s, step, step.repeat.name)
    effects.block(s, step.do)


def _repeat(s: Scope, step: ast.Step, name: str) -> None:
    """Again and again: so many ``times``, or until something holds, or until something stops it."""
    count = s.b.copy("pass", "i", 0)
    times = None if step.times is None else s.b.copy("times", "i", expressions.value(s, step.times))
    with s.b.forever() as done:
        if times is not None:
            go_on = s.b.block()
            s.b.end(ir.Branch(s.b.bin("lt", count, times), go_on, done))
            s.b.seek(go_on)
        if step.until is not None:
            go_on = s.b.block()
            expressions.jump(s, step.until, done, go_on)
            s.b.seek(go_on)
        s.b.add(ir.Bin(count, "add", count, 1))
        if step.counts is not None:
            _count(s, step.counts, count)
        run(s, name)


def _count(s: Scope, counter: ast.Expr, number: Operand) -> None:
    ref = s.low.facts.refs[counter]
    assert isinstance(ref, CounterRef)
    s.b.add(ir.Store(s.box.counters[ref.name].field, 0, number))
