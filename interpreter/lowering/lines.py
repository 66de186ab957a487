"""Clauses that go through the straight lines of a board.

``SPACE in LINE`` leaves the lines through a space; ``all(x in LINE if C)`` is asked of all lines at
once, by the set of the spaces that meet C.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import expressions, iteration, reasons, setwise
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import ThingT


def of_lines(c: ast.Clause) -> bool:
    """Whether the members of a clause are lines, which are sets."""
    return isinstance(c.source, ast.Call) and c.source.name == "lines"


def covered(s: Scope, c: ast.Clause, terms: list[ast.Expr]) -> Operand | None:
    """``any(line in lines(n) if all(x in line if C))``, perhaps only lines through a space."""
    if not of_lines(c):
        return None
    rest = list(terms)
    space = through(s, c, rest)
    match rest:
        case [ast.Test(_, "all", ast.Clause(_, x, _, ast.Name(_, line), wanted))]:
            if line != c.name or wanted is None or line in reasons.names_in(wanted):
                return None
            return setwise.attempt(s, lambda: _covered(s, c.source, x, wanted, space))
        case _:
            return None


def _covered(
    s: Scope, source: ast.Expr, x: str, wanted: ast.Expr, space: ast.Expr | None
) -> Operand | None:
    if space is not None and _may_be_none(s, space):
        return None  # none lies in no line, and has no row
    kind, lines = iteration.lines_of(s, source)
    kind = kind.partition(".")[0]
    found = setwise.holding_for(s, x, kind, wanted)
    if found is None or not lines.rows:
        return None
    first: Operand = 0
    many, table = len(lines.rows), lines
    if space is not None:
        cells = range(s.box.size(kind))
        rows = [[row for row in lines.rows if row >> cell & 1] for cell in cells]
        many = max(map(len, rows))
        if not all(rows):
            return None
        # a cell with fewer lines repeats its last
        filled = [row for own in rows for row in own + own[-1:] * (many - len(own))]
        table = s.box.unnamed(f"{lines.name}.through", filled, 0, "s")
        first = s.b.bin("mul", expressions.value(s, space), many)
    d = s.b.register("covers", "i")
    s.b.add(ir.Covers(d, table.name, first, many, found))
    return d


def _may_be_none(s: Scope, e: ast.Expr) -> bool:
    found = s.type(e)
    return not isinstance(found, ThingT) or found.maybe


def through(s: Scope, c: ast.Clause, terms: list[ast.Expr]) -> ast.Expr | None:
    """X, where the clause goes through lines and a term is ``X in LINE``; the term is removed."""
    if not of_lines(c):
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
def each_through(s: Scope, c: ast.Clause, space: ast.Expr) -> Iterator[iteration.Step]:
    """The lines through a space."""
    name, all_lines = iteration.lines_of(s, c.source)
    size = s.box.size(name.partition(".")[0])
    rows = [
        sum(1 << k for k, line in enumerate(all_lines.rows) if line >> at & 1) for at in range(size)
    ]
    table = s.box.table(f"{name}.through", rows, 0, "s")
    with s.b.members(s.b.lookup(table, expressions.value(s, space)), "line") as (k, done):
        d = s.b.register(c.name, "s")
        s.b.add(ir.Lookup(d, all_lines.name, k))
        yield d, done
