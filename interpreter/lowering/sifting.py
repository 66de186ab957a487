"""Clauses, ``x in S if C``: the members for which a condition holds.

What of the condition can be answered for all members at once (see `setwise`) is answered before
going through them, ``SPACE in LINE`` by the lines through a space.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import expressions, iteration, lines, numbers, setwise
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import SetT


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
        space = lines.through(s, c, terms)
        apart = _in_order(s, c) or lines.of_lines(c)
        sieves = [] if apart else _sieves(s, c, terms)
        if space is not None:
            member, done = stack.enter_context(lines.each_through(s, c, space))
        elif sieves:
            left = expressions.as_set(s, c.source)
            for sieve in sieves:
                every = left == s.box.all_of(s.kind(c.source))
                left = sieve if every else s.b.sets("inter", left, sieve)
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


def _sieves(s: Scope, c: ast.Clause, terms: list[ast.Expr]) -> list[Operand]:
    """The members for which a term holds, for each that can be asked of all; these terms go."""
    out = []
    for term in list(terms):
        found = setwise.holding_for(s, c.name, s.kind(c.source), term)
        if found is not None:
            terms.remove(term)
            out.append(found)
    return out


def whole(s: Scope, c: ast.Clause, more: Sequence[ast.Expr] = ()) -> Operand | None:
    """The members for which the condition holds, and ``more``, without going through them; None
    where some of it must be asked of each."""
    if _in_order(s, c) or isinstance(c.source, ast.Numbers) or lines.of_lines(c):
        return None
    terms = [*_terms(c.condition), *more]

    def make() -> Operand | None:
        left: Operand | None = None
        for term in terms:
            found = setwise.holding_for(s, c.name, s.kind(c.source), term)
            if found is None:
                return None
            left = found if left is None else s.b.sets("inter", left, found)
        source = expressions.as_set(s, c.source)
        if left is None or source == s.box.all_of(s.kind(c.source)):
            return source if left is None else left
        return s.b.sets("inter", source, left)

    return setwise.attempt(s, make)


def covered(s: Scope, c: ast.Clause) -> Operand | None:
    """Whether a line lies inside a set, where that is what a clause asks."""
    return lines.covered(s, c, list(_terms(c.condition)))


def those(s: Scope, c: ast.Clause) -> Operand:
    """The members of a clause, as a set."""
    if c.condition is None:
        return expressions.as_set(s, c.source)
    if (found := whole(s, c)) is not None:
        return found
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
