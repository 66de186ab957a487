"""Queries over sets: any, all, count, first, those, sum, highest, stretch, reach."""

from __future__ import annotations

from typing import Literal

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import ALIVE, NUMBER_NONE
from interpreter.lowering import expressions, iteration, numbers, sifting
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import ListT, SetT


def all_members(s: Scope, kind: str) -> Operand:
    """All members of a kind; of players those who are still in."""
    if kind == "player" and s.box.eliminates:
        return s.b.load_set(ALIVE, 0)
    return s.box.all_of(kind)


def test(s: Scope, kind: Literal["any", "all"], c: ast.Clause, yes: int, no: int) -> None:
    """Close the block: ``any`` goes to ``yes`` at the first member for which the condition holds,
    ``all`` to ``no`` at the first for which it does not."""
    if c.condition is None:
        some = s.b.sets("differ", expressions.as_set(s, c.source), 0)
        s.b.end(ir.Branch(some, yes, no))
        return
    if kind == "all":
        opposite = ast.Unary(c.condition.span, "not", c.condition)
        test(s, "any", ast.Clause(c.span, c.name, c.name_span, c.source, opposite), no, yes)
        return
    found = at_once(s, kind, c)
    if found is not None:
        known = isinstance(found, int)
        s.b.end(ir.Jump(yes if found else no) if known else ir.Branch(found, yes, no))
        return
    with sifting.candidates(s, c) as (_, _, rest):
        go_on = s.b.block()
        for term in rest:
            holds = s.b.block()
            expressions.jump(s, term, holds, go_on)
            s.b.seek(holds)
        s.b.end(ir.Jump(yes))
        s.b.seek(go_on)
    s.b.end(ir.Jump(no))


def at_once(s: Scope, kind: Literal["any", "all"], c: ast.Clause) -> Operand | None:
    """Whether ``any`` or ``all`` holds, where it needs no going through the members."""
    if c.condition is None:
        return None
    if kind == "all":
        opposite = ast.Unary(c.condition.span, "not", c.condition)
        c = ast.Clause(c.span, c.name, c.name_span, c.source, opposite)
    holds = sifting.covered(s, c)
    if holds is None and (found := sifting.whole(s, c)) is not None:
        holds = s.b.sets("differ", found, 0)
    return s.b.negate(holds) if kind == "all" and holds is not None else holds


def query(s: Scope, e: ast.Count | ast.Pick | ast.Fold) -> Operand:
    """Queries that give a number or one thing."""
    match e:
        case ast.Count(_, source):
            return _count(s, source)
        case ast.Pick():
            return _pick(s, e)
        case ast.Fold():
            return _fold(s, e)


def _count(s: Scope, source: ast.Source_) -> Operand:
    if isinstance(source, ast.Numbers):
        low, high = expressions.value(s, source.low), expressions.value(s, source.high)
        return s.b.bin("max", 0, s.b.bin("add", s.b.bin("sub", high, low), 1))
    if not isinstance(source, ast.Clause) and isinstance(s.type(source), ListT):
        return iteration.list_of(s, source)[1]
    if not isinstance(source, ast.Clause):
        return s.b.size(expressions.as_set(s, source))
    if (found := sifting.whole(s, source)) is not None:
        return s.b.size(found)
    n = s.b.copy("count", "i", 0)
    with sifting.clause(s, source):
        s.b.add(ir.Bin(n, "add", n, 1))
    return n


def _pick(s: Scope, e: ast.Pick) -> Operand:
    source = e.source
    if isinstance(source, ast.Numbers):
        ends = expressions.value(s, source.low), expressions.value(s, source.high)
        some = s.b.bin("le", *ends)
        return s.b.select(some, ends[0 if e.kind == "first" else 1], NUMBER_NONE)
    if not isinstance(source, ast.Clause):
        group = iteration.ordered_group(s, source)
        if group is not None:
            end: Literal["least", "most"] = "least" if e.kind == "first" else "most"
            return s.b.order(group, expressions.as_set(s, source), end)
        found = s.type(source)
        row = isinstance(found, SetT) and found.row and not isinstance(source, ast.Name)
        row = row or isinstance(found, ListT)
        if e.kind == "first" and not row:
            return s.b.first(expressions.as_set(s, source))
    elif e.kind == "first" and iteration.ordered_group(s, source.source) is None:
        those = sifting.whole(s, source)
        if those is not None:
            return s.b.first(those)
    result = s.b.copy(e.kind, "i", expressions.none_of(s.type(e)))
    steps = (
        sifting.clause(s, source)
        if isinstance(source, ast.Clause)
        else iteration.each(s, source, "x")
    )
    with steps as (member, done):
        s.b.set(result, member)
        if e.kind == "first":
            s.b.end(ir.Jump(done))
    return result


def _fold(s: Scope, e: ast.Fold) -> Operand:
    result = s.b.copy(e.kind, "i", 0 if e.kind == "sum" else NUMBER_NONE)
    with sifting.clause(s, e.clause):
        found = expressions.value(s, e.of)
        if e.kind == "sum":
            s.b.add(ir.Bin(result, "add", result, found))
        else:
            fresh = s.b.bin("eq", result, NUMBER_NONE)
            better = s.b.bin(e.kind, result, found)
            s.b.set(result, s.b.select(fresh, found, better))
    return result


def set_query(
    s: Scope, e: ast.SetOf | ast.Numbers | ast.Those | ast.Best | ast.Stretch | ast.Reach
) -> Operand:
    """Queries that give a set."""
    match e:
        case ast.SetOf(_, items):
            result: Operand = 0
            for item in items:
                result = s.b.sets("union", result, expressions.as_set(s, item))
            return result
        case ast.Numbers():
            return _gather(s, e)
        case ast.Stretch():
            return _gather(s, e)
        case ast.Those(_, of, c):
            return _those(s, of, c)
        case ast.Best():
            return _best(s, e)
        case ast.Reach():
            return _reach(s, e)


def _gather(s: Scope, e: ast.Expr) -> Operand:
    result = s.b.copy("those", "s", 0)
    with iteration.each(s, e, "x") as (member, _):
        if isinstance(e, ast.Numbers):
            numbers.put(s, result, member, numbers.range_of(s, e), e.span)
        else:
            s.b.add(ir.With(result, result, member))
    return result


def _those(s: Scope, of: ast.Expr | None, c: ast.Clause) -> Operand:
    if of is None:
        return sifting.those(s, c)
    result = s.b.copy("those", "s", 0)
    with sifting.clause(s, c):
        found = expressions.as_set(s, of)
        s.b.add(ir.SetBin(result, "union", result, found))
    return result


def _best(s: Scope, e: ast.Best) -> Operand:
    result = s.b.copy("best", "s", 0)
    record = s.b.copy("record", "i", NUMBER_NONE)
    with sifting.clause(s, e.clause) as (member, _):
        found = s.b.copy("n", "i", expressions.value(s, e.of))
        with s.b.if_(s.b.bin("ne", found, NUMBER_NONE)):
            a, b = (record, found) if e.kind == "highest" else (found, record)
            better = s.b.bin("or", s.b.bin("eq", record, NUMBER_NONE), s.b.bin("lt", a, b))
            with s.b.if_(better):
                s.b.set(record, found)
                s.b.set(result, 0)
            with s.b.if_(s.b.bin("eq", record, found)):
                if isinstance(e.clause.source, ast.Numbers):
                    known = numbers.range_of(s, e.clause.source)
                    numbers.put(s, result, member, known, e.span)
                else:
                    s.b.add(ir.With(result, result, member))
    return result


def _reach(s: Scope, e: ast.Reach) -> Operand:
    reached = s.b.copy("reached", "s", sifting.those(s, e.start))
    todo = s.b.copy("todo", "s", reached)
    with s.b.forever() as done:
        at = s.b.first(todo)
        go_on = s.b.block()
        s.b.end(ir.Branch(s.b.bin("lt", at, 0), done, go_on))
        s.b.seek(go_on)
        s.b.add(ir.Without(todo, todo, at))
        s.names[e.start.name] = at
        fresh = s.b.sets("minus", sifting.those(s, e.step), reached)
        del s.names[e.start.name]
        s.b.add(ir.SetBin(reached, "union", reached, fresh))
        s.b.add(ir.SetBin(todo, "union", todo, fresh))
    return reached
