"""Clauses, ``x in S if C``: the members for which a condition holds.

What of the condition can be answered for all members at once is answered before going through
them: ``any(x.zone)`` by the set of the zones that hold something, ``SPACE in LINE`` by the lines
through a space.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import expressions, iteration, numbers
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import Local, SetT, ZoneRef


@contextmanager
def clause(s: Scope, c: ast.Clause) -> Iterator[iteration.Step]:
    """Each member for which the condition holds, with the clause's name bound."""
    with candidates(s, c) as (member, done, rest), ExitStack() as stack:
        for term in rest:
            stack.enter_context(expressions.when(s, term))
        yield member, done


@contextmanager
def candidates(s: Scope, c: ast.Clause) -> Iterator[tuple[Operand, int, list[ast.Expr]]]:
    """The members left after sifting, bound to the clause's name; the block for leaving early; and
    what of the condition is still to be asked of each."""
    terms = list(_terms(c.condition))
    with ExitStack() as stack:
        through = _wanted_space(s, c, terms)
        sieves = [t for t in terms if _zone_test(s, c, t) is not None and not _in_order(s, c)]
        if through is not None:
            member, done = stack.enter_context(_lines_through(s, c, through))
        elif sieves:
            left = expressions.as_set(s, c.source)
            for term in sieves:
                left = _sieved(s, c, term, left)
                terms.remove(term)
            member, done = stack.enter_context(iteration.members(s, c.source, left, c.name))
        else:
            member, done = stack.enter_context(iteration.each(s, c.source, c.name))
        before = s.names.get(c.name)
        s.names[c.name] = member
        yield member, done, terms
        if before is None:
            del s.names[c.name]
        else:
            s.names[c.name] = before


def those(s: Scope, c: ast.Clause) -> Operand:
    """The members of a clause, as a set."""
    if c.condition is None:
        return expressions.as_set(s, c.source)
    terms = list(_terms(c.condition))
    if all(_zone_test(s, c, term) is not None for term in terms):
        left = expressions.as_set(s, c.source)
        for term in terms:
            left = _sieved(s, c, term, left)
        return left
    result = s.b.copy("those", "s", 0)
    with clause(s, c) as (member, _):
        if isinstance(c.source, ast.Numbers):
            numbers.put(s, result, member, numbers.range_of(s, c.source), c.source.span)
        else:
            s.b.add(ir.With(result, result, member))
    return result


def _terms(condition: ast.Expr | None) -> Iterator[ast.Expr]:
    """What must hold, each on its own."""
    if isinstance(condition, ast.Binary) and condition.op == "and":
        yield from _terms(condition.a)
        yield from _terms(condition.b)
    elif condition is not None:
        yield condition


def _in_order(s: Scope, c: ast.Clause) -> bool:
    """Whether the source has an order other than that of declaration."""
    found = s.type(c.source)
    return isinstance(found, SetT) and found.row and not isinstance(c.source, ast.Name)


# ------------------------------------------------------------------ zones that hold something


def _zone_test(s: Scope, c: ast.Clause, term: ast.Expr) -> tuple[str, bool] | None:
    """The zone whose being filled (True) or empty (False) a term asks of the member."""
    match term:
        case ast.Unary(_, "not", inner):
            found = _zone_test(s, c, inner)
            return None if found is None else (found[0], not found[1])
        case ast.Test(_, "any", ast.Attribute(_, ast.Name(_, name)) as zone) if name == c.name:
            ref, of = s.low.facts.refs.get(zone), s.low.facts.refs.get(zone.of)
            if not isinstance(ref, ZoneRef) or not isinstance(of, Local):
                return None
            each, source = s.box.zones[ref.name].each, s.type(c.source)
            owned = each is not None and isinstance(source, SetT) and each.name == source.kind
            return (ref.name, True) if owned else None
        case _:
            return None


def _sieved(s: Scope, c: ast.Clause, term: ast.Expr, left: Operand) -> Operand:
    found = _zone_test(s, c, term)
    assert found is not None
    name, filled = found
    zone = s.box.zones[name]
    assert zone.each is not None
    d = s.b.register("filled", "s")
    size = s.box.size(zone.each.name)
    s.b.add(ir.Occupied(d, zone.of.name, s.box.zone_base[name], size))
    return s.b.sets("inter" if filled else "minus", left, d)


# ------------------------------------------------------------------ lines through a space


def _wanted_space(s: Scope, c: ast.Clause, terms: list[ast.Expr]) -> ast.Expr | None:
    """X, where the clause goes through lines and a term is ``X in LINE``; the term is removed."""
    if not (isinstance(c.source, ast.Call) and c.source.name == "lines"):
        return None
    for term in terms:
        match term:
            case ast.Binary(_, "in", ast.Name() as space, ast.Name(_, line)) if line == c.name:
                if space.name in s.names:
                    terms.remove(term)
                    return space
            case _:
                pass
    return None


@contextmanager
def _lines_through(s: Scope, c: ast.Clause, space: ast.Expr) -> Iterator[iteration.Step]:
    name, lines = iteration.lines_of(s, c.source)
    size = s.box.size(name.partition(".")[0])
    rows = [
        sum(1 << k for k, line in enumerate(lines.rows) if line >> at & 1) for at in range(size)
    ]
    table = s.box.table(f"{name}.through", rows, 0, "s")
    with s.b.members(s.b.lookup(table, expressions.value(s, space)), "line") as (k, done):
        d = s.b.register(c.name, "s")
        s.b.add(ir.Lookup(d, lines.name, k))
        yield d, done
