"""Going through a set: rows in their order, numbers one by one, everything else as declared.

The source is read once, on entry. `sifting` goes through the members for which a condition holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import attributes, expressions
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import BuiltIn, FieldRef, ListT, SetT, ZoneRef

Step: TypeAlias = "tuple[Operand, int]"
"""The member at hand, and the block to jump to for leaving early."""


@contextmanager
def each(s: Scope, source: ast.Expr, hint: str) -> Iterator[Step]:
    """Each member of a set, in order."""
    match source:
        case ast.Numbers(_, low, high):
            first, last = expressions.value(s, low), expressions.value(s, high)
            with s.b.counting(first, last, hint) as step:
                yield step
        case ast.Call() if isinstance(s.low.facts.refs.get(source), BuiltIn):
            with _built_in(s, source, hint) as step:
                yield step
        case ast.Attribute() if isinstance(s.type(source), ListT):
            first, length, items = list_of(s, source)
            with s.b.counting(0, s.b.bin("sub", length, 1), "place") as (place, done):
                yield s.b.lookup(items, s.b.bin("add", first, place)), done
        case ast.Those(_, None, c) if _is_row(s, source):
            from interpreter.lowering import sifting  # which goes through what this gives

            with sifting.clause(s, c) as step:
                yield step
        case ast.Stretch(_, c):
            with each(s, c.source, c.name) as (member, done):
                s.names[c.name] = member
                go_on = s.b.block()
                if c.condition is not None:
                    expressions.jump(s, c.condition, go_on, done)
                    s.b.seek(go_on)
                del s.names[c.name]
                yield member, done
        case _:
            with members(s, source, expressions.as_set(s, source), hint) as step:
                yield step


def list_of(s: Scope, source: ast.Expr) -> tuple[Operand, Operand, ir.Table]:
    """A list field of a thing: where it starts, how long it is, and the table of all items."""
    assert isinstance(source, ast.Attribute)
    ref = s.low.facts.refs[source]
    assert isinstance(ref, FieldRef)
    thing = attributes.owner(s, source.of)[1]
    first, length, items = s.box.list_tables(ref.kind, ref.name)
    return s.b.lookup(first, thing), s.b.lookup(length, thing), items


@contextmanager
def members(s: Scope, source: ast.Expr, chosen: Operand, hint: str) -> Iterator[Step]:
    """Each of the chosen members, in the order that ``source`` gives them."""
    walk = _walk_in(source)
    if walk is not None:
        wanted = s.b.copy("wanted", "s", chosen)
        with each(s, walk, hint) as (k, done), s.b.if_(s.b.has(wanted, k)):
            yield k, done
        return
    group = ordered_group(s, source)
    if group is None:
        with s.b.members(chosen, hint) as step:
            yield step
        return
    left = s.b.copy("left", "s", chosen)
    head, body, done = s.b.block(), s.b.block(), s.b.block()
    s.b.end(ir.Jump(head))
    s.b.seek(head)
    k = s.b.order(group, left, "least")
    s.b.end(ir.Branch(s.b.bin("lt", k, 0), done, body))
    s.b.seek(body)
    s.b.add(ir.Without(left, left, k))
    yield k, done
    s.b.end(ir.Jump(head))
    s.b.seek(done)


def _walk_in(source: ast.Expr) -> ast.Call | None:
    """``ahead`` or ``ray``, where the source is one of these or a part of it."""
    match source:
        case ast.Those(_, None, c) | ast.Stretch(_, c):
            return _walk_in(c.source)
        case ast.Call() if source.name in ("ahead", "ray"):
            return source
        case _:
            return None


def ordered_group(s: Scope, source: ast.Expr) -> str | None:
    """The group whose order the source has: it is a row, pile or slots, or part of one."""
    match source:
        case ast.Those(_, None, c) | ast.Stretch(_, c):
            return ordered_group(s, c.source)
        case _:
            ref = s.low.facts.refs.get(source)
            if isinstance(ref, ZoneRef) and _is_row(s, source):
                return s.box.zones[ref.name].of.name
            return None


def _is_row(s: Scope, e: ast.Expr) -> bool:
    found = s.type(e)
    return isinstance(found, SetT) and found.row


def lines_of(s: Scope, source: ast.Expr) -> tuple[str, ir.Table]:
    """All lines of a length: the name of their table, and the table."""
    assert isinstance(source, ast.Call)
    length = expressions.value(s, source.args[0])
    assert isinstance(length, int)
    board = next(b for b in s.box.boards.values() if b.directions)
    name = f"{board.decl.kind}.lines.{length}"
    return name, s.box.table(name, board.lines(length), 0, "s")


@contextmanager
def _built_in(s: Scope, e: ast.Call, hint: str) -> Iterator[Step]:
    match e.name:
        case "lines":
            _, table = lines_of(s, e)
            with s.b.counting(0, len(table.rows) - 1, "line") as (k, done):
                d = s.b.register(hint, "s")
                s.b.add(ir.Lookup(d, table.name, k))
                yield d, done
        case "ahead":
            start = expressions.value(s, e.args[0])
            board = s.box.boards[s.kind(e)]
            table = s.box.table(f"{board.decl.kind}.next", board.next, -1)
            with _walk(s, table, start, 1, 0, start, hint) as step:
                yield step
        case "ray":
            start, direction = (expressions.value(s, a) for a in e.args)
            board = s.box.boards[s.kind(e)]
            table = s.box.table(f"{board.decl.kind}.beside", board.beside, -1)
            with _walk(s, table, start, len(board.directions), direction, -1, hint) as step:
                yield step
        case _:
            with s.b.members(expressions.as_set(s, e), hint) as step:
                yield step


@contextmanager
def _walk(
    s: Scope,
    table: ir.Table,
    start: Operand,
    width: int,
    offset: Operand,
    stop: Operand,
    hint: str,
) -> Iterator[Step]:
    """Each space on the way that a table gives, until there is none or the way comes back."""
    at = s.b.copy("at", "i", start)
    with s.b.forever() as done:
        row = s.b.bin("add", s.b.bin("mul", at, width), offset)
        s.b.add(ir.Lookup(at, table.name, row))
        go_on = s.b.block()
        ended = s.b.bin("or", s.b.bin("lt", at, 0), s.b.bin("eq", at, stop))
        s.b.end(ir.Branch(ended, done, go_on))
        s.b.seek(go_on)
        k = s.b.copy(hint, "i", at)
        yield k, done
