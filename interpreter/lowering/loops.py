"""Loops: over a set, a number of times, until something holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import ALIVE, SET_OF
from interpreter.lowering import (
    alike,
    asking,
    effects,
    expressions,
    iteration,
    numbers,
    sifting,
)
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import ListT, SetT, ThingT


def loop(s: Scope, e: ast.For | ast.Repeat | ast.RepeatUntil) -> None:
    """One loop."""
    match e:
        case ast.For():
            _for(s, e)
        case ast.Repeat():
            with s.b.counting(1, expressions.value(s, e.times), "pass"):
                effects.block(s, e.body)
        case ast.RepeatUntil():
            _until(s, e)


def _for(s: Scope, e: ast.For) -> None:
    clause = e.clause
    source = s.type(clause.source)
    lines = isinstance(source, SetT) and source.kind.startswith(SET_OF)
    unfiltered = isinstance(clause.source, ast.Numbers) and clause.condition is None
    if lines or unfiltered or isinstance(source, ListT):
        with sifting.clause(s.inner(), clause) as (member, _):
            _body(s, e, member)
        return
    if isinstance(clause.source, ast.Numbers) and e.chooser is None:
        _numbers(s, e, clause.source)
        return
    chosen = sifting.those(s, clause)
    if e.chooser is not None:
        _chosen_by(s, e, chosen)
    elif e.start is not None:
        with turns(s, chosen, lambda: expressions.value(s, e.start), live=False) as member:  # type: ignore[arg-type]  # start was tested
            _body(s, e, member)
    else:
        with iteration.members(s, clause.source, chosen, clause.name) as (member, _):
            still_in(s, source, member, lambda k: _body(s, e, k))


def _numbers(s: Scope, e: ast.For, source: ast.Numbers) -> None:
    """A range with a condition, kept as how far each number is from the lowest."""
    low = s.b.copy("low", "i", expressions.value(s, source.low))
    kept = s.b.copy("kept", "s", 0)
    found = numbers.range_of(s, source)
    known = found.low is not None and found.high is not None
    numbers.room_for(s, found.high - found.low if known else None)  # type: ignore[operator]  # both are known
    with sifting.clause(s.inner(), e.clause) as (member, _):
        s.b.add(ir.With(kept, kept, s.b.bin("sub", member, low)))
    with s.b.members(kept, e.clause.name) as (k, _):
        _body(s, e, s.b.bin("add", k, low))


def _body(s: Scope, e: ast.For, member: Operand) -> None:
    inner = s.inner()
    inner.names[e.clause.name] = member
    effects.block(inner, e.body)


def still_in(s: Scope, source: object, member: Operand, body: Callable[[Operand], None]) -> None:
    """The body, unless the member is a player who has been taken out since the loop began."""
    if s.box.eliminates and isinstance(source, SetT | ThingT) and source.kind == "player":
        with s.b.if_(s.b.has(s.b.load_set(ALIVE, 0), member)):
            body(member)
    else:
        body(member)


@contextmanager
def turns(s: Scope, chosen: Operand, start: Callable[[], Operand], live: bool) -> Iterator[Operand]:
    """Players in the order of their seats, clockwise from ``start``.

    ``live``: where the order starts is looked up anew for each.
    """
    below = s.box.table("player.before", ((1 << k) - 1 for k in range(s.box.players)), 0, "s")
    left = s.b.copy("left", "s", chosen)
    first = s.b.copy("from", "i", start())
    head, body, done = s.b.block(), s.b.block(), s.b.block()
    s.b.end(ir.Jump(head))
    s.b.seek(head)
    if s.box.eliminates:
        s.b.add(ir.SetBin(left, "inter", left, s.b.load_set(ALIVE, 0)))
    if live:
        s.b.set(first, start())
    seat = s.b.register("seat", "i")
    s.b.add(ir.First(seat, s.b.sets("minus", left, s.b.lookup(below, first))))
    with s.b.if_(s.b.bin("lt", seat, 0)):
        s.b.add(ir.First(seat, left))
    s.b.end(ir.Branch(s.b.bin("lt", seat, 0), done, body))
    s.b.seek(body)
    s.b.add(ir.Without(left, left, seat))
    yield seat
    s.b.end(ir.Jump(head))
    s.b.seek(done)


def _chosen_by(s: Scope, e: ast.For, chosen: Operand) -> None:
    """The chooser picks the next member each time; the last one is a choice too."""
    assert e.chooser is not None
    left = s.b.copy("left", "s", chosen)
    head, body, done = s.b.block(), s.b.block(), s.b.block()
    s.b.end(ir.Jump(head))
    s.b.seek(head)
    kind = s.kind(e.clause.source)
    if s.box.eliminates and kind == "player":
        s.b.add(ir.SetBin(left, "inter", left, s.b.load_set(ALIVE, 0)))
    s.b.end(ir.Branch(s.b.sets("differ", left, 0), body, done))
    s.b.seek(body)
    who = expressions.value(s, e.chooser)
    merge = alike.merges(s, e.clause.source, who)
    member = asking.pick(s, who, left, kind, e.clause.name, e.clause.name_span, merge)
    s.b.add(ir.Without(left, left, member))
    _body(s, e, member)
    s.b.end(ir.Jump(head))
    s.b.seek(done)


def _until(s: Scope, e: ast.RepeatUntil) -> None:
    passes = s.b.copy("passes", "i", 0)
    limit = s.b.copy("limit", "i", expressions.value(s, e.limit))
    head, body, done = s.b.block(), s.b.block(), s.b.block()
    s.b.end(ir.Jump(head))
    s.b.seek(head)
    s.b.add(ir.Fuel())
    expressions.jump(s, e.condition, done, body)
    s.b.seek(body)
    s.b.add(ir.Check(s.b.bin("lt", passes, limit), "LIMIT", s.site(e.span)))
    s.b.add(ir.Bin(passes, "add", passes, 1))
    effects.block(s, e.body)
    s.b.end(ir.Jump(head))
    s.b.seek(done)
