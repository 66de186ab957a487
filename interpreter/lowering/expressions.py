"""Expressions: an operand for each; conditions as jumps, so that nothing is worked out for nothing.

`value` gives a number, a flag or a thing as an integer and a set as a set; `as_set` gives a set
also of one thing (none is the empty set). Expressions write nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import NUMBER_NONE
from interpreter.lowering import attributes, builtins, numbers, queries
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import (
    BuiltIn,
    CounterRef,
    Local,
    MarkRef,
    Member,
    Members,
    NumberT,
    OnlyPiece,
    OptionRef,
    RuleRef,
    SetT,
    SpaceSet,
    TableRef,
    Type,
    ZoneRef,
)

INTEGER: Final[Mapping[str, ir.IntOp]] = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "mod",
    "<": "lt",
    "<=": "le",
}
SIMPLE: Final = (ast.Name, ast.Number, ast.Truth, ast.Nothing)


def value(s: Scope, e: ast.Expr) -> Operand:
    """The value of an expression in its own type."""
    match e:
        case ast.Number(_, number):
            return number
        case ast.Truth(_, truth):
            return int(truth)
        case ast.Nothing():
            return 0 if isinstance(s.type(e), SetT) else none_of(s.type(e))
        case ast.Name():
            return _name(s, e)
        case ast.Attribute():
            return attributes.attribute(s, e)
        case ast.Call():
            return _call(s, e)
        case ast.CallOf():
            return attributes.code_call(s, e.of, e.name, tuple(value(s, a) for a in e.args))
        case ast.SetOf() | ast.Numbers() | ast.Those() | ast.Best() | ast.Stretch() | ast.Reach():
            return queries.set_query(s, e)
        case ast.Count() | ast.Pick() | ast.Fold():
            return queries.query(s, e)
        case ast.Extreme(_, kind, items):
            result = value(s, items[0])
            for item in items[1:]:
                result = s.b.bin(kind, result, value(s, item))
            return result
        case ast.Unary(_, "-", a):
            return s.b.bin("sub", 0, value(s, a))
        case ast.Binary() if e.op in ("+", "-", "*", "/", "%"):
            return _arithmetic(s, e)
        case ast.Conditional():
            return _conditional(s, e)
        case ast.Default():
            return _default(s, e)
        case ast.Within():
            return builtins.within(s, e)
        case ast.Can():
            from interpreter.lowering import offers  # offers are made of expressions

            return offers.can(s, e)
        case _:
            return flag(s, e)


def as_set(s: Scope, e: ast.Expr) -> Operand:
    """The value as a set: of one where it is a thing, empty where it is none."""
    if isinstance(e, ast.Nothing):
        return 0
    if isinstance(s.type(e), SetT):
        return value(s, e)
    contents = attributes.contents(s, e)
    if contents is not None:
        return contents
    if isinstance(s.type(e), NumberT):
        return numbers.one(s, value(s, e), s.type(e), e.span)
    if s.kind(e) in s.box.kinds:
        numbers.room_for(s, s.box.size(s.kind(e)) - 1)
    return s.b.one(value(s, e))


def flag(s: Scope, e: ast.Expr) -> Operand:
    """A condition as 0 or 1."""
    match e:
        case ast.Unary(_, "not", a):
            return s.b.negate(flag(s, a))
        case ast.Binary() if e.op not in ("and", "or"):
            return _comparison(s, e)
        case ast.Binary(_, "and" | "or", a, b) if _simple(a) and _simple(b):
            op: ir.IntOp = "and" if e.op == "and" else "or"
            return s.b.bin(op, value(s, a), value(s, b))
        case ast.Test(_, kind, source) if not isinstance(source, ast.Clause):
            members = as_set(s, source)
            assert kind == "any"
            return s.b.sets("differ", members, 0)
        case ast.Test(_, kind, ast.Clause() as c) if (
            holds := queries.at_once(s, kind, c)
        ) is not None:
            return holds
        case ast.Binary() | ast.Test():
            d = s.b.copy("holds", "i", 0)
            with when(s, e):
                s.b.set(d, 1)
            return d
        case _:
            return value(s, e)


def _simple(e: ast.Expr) -> bool:
    match e:
        case ast.Binary(_, op, a, b):
            return op in ("is", "is not", "<", "<=", ">", ">=") and _simple(a) and _simple(b)
        case ast.Unary(_, _, a):
            return _simple(a)
        case _:
            return isinstance(e, SIMPLE)


def jump(s: Scope, e: ast.Expr, yes: int, no: int) -> None:
    """Close the block: go on at ``yes`` where the condition holds, else at ``no``."""
    match e:
        case ast.Unary(_, "not", a):
            jump(s, a, no, yes)
        case ast.Binary(_, "and", a, b):
            middle = s.b.block()
            jump(s, a, middle, no)
            s.b.seek(middle)
            jump(s, b, yes, no)
        case ast.Binary(_, "or", a, b):
            middle = s.b.block()
            jump(s, a, yes, middle)
            s.b.seek(middle)
            jump(s, b, yes, no)
        case ast.Test(_, kind, ast.Clause() as clause):
            queries.test(s, kind, clause, yes, no)
        case _:
            holds = flag(s, e)
            if isinstance(holds, int):
                s.b.end(ir.Jump(yes if holds else no))
            else:
                s.b.end(ir.Branch(holds, yes, no))


@contextmanager
def when(s: Scope, e: ast.Expr | None) -> Iterator[None]:
    """What is inside happens where the condition holds (always, where there is none)."""
    if e is None:
        yield
        return
    yes, join = s.b.block(), s.b.block()
    jump(s, e, yes, join)
    s.b.seek(yes)
    yield
    s.b.end(ir.Jump(join))
    s.b.seek(join)


def none_of(type_: Type) -> int:
    """The integer that stands for none."""
    return NUMBER_NONE if isinstance(type_, NumberT) else -1


# ------------------------------------------------------------------ names and calls


def _name(s: Scope, e: ast.Name) -> Operand:
    box = s.box
    match s.low.facts.refs.get(e):
        case Local():
            return s.names[e.name]
        case Member(kind, name):
            return box.kinds[kind].ids.index(name)
        case OnlyPiece(kind, type_):
            return box.only(kind, type_)
        case Members(kind):
            return queries.all_members(s, kind)
        case SpaceSet(kind, name):
            return box.space_set(kind, name)
        case OptionRef(name):
            return box.option(name)
        case TableRef(name):
            return box.table_value(name)
        case (ZoneRef() | CounterRef() | MarkRef()) as ref:
            return attributes.of_thing(s, ref, "game", 0, maybe=False)
        case other:
            raise AssertionError(f"{e.span}: {e.name} is {other}, which is no value")


def _call(s: Scope, e: ast.Call) -> Operand:
    match s.low.facts.refs.get(e):
        case RuleRef(name):
            from interpreter.lowering import values  # values are made of expressions

            return values.call(s, name, e.args)
        case BuiltIn():
            return builtins.call(s, e)
        case other:
            raise AssertionError(f"{e.span}: {e.name} is {other}, which cannot be called")


# ------------------------------------------------------------------ operators


def _arithmetic(s: Scope, e: ast.Binary) -> Operand:
    if isinstance(s.type(e), SetT):
        op: ir.SetOp = "union" if e.op == "+" else "minus"
        return s.b.sets(op, as_set(s, e.a), as_set(s, e.b))
    return s.b.bin(INTEGER[e.op], value(s, e.a), value(s, e.b))


def _comparison(s: Scope, e: ast.Binary) -> Operand:
    if e.op in ("in", "not in"):
        inside = _member(s, e.a, e.b)
        return inside if e.op == "in" else s.b.negate(inside)
    if e.op in ("is", "is not"):
        return _same(s, e)
    a, b = value(s, e.a), value(s, e.b)
    if e.op in (">", ">="):
        return s.b.bin("lt" if e.op == ">" else "le", b, a)
    return s.b.bin(INTEGER[e.op], a, b)


def _same(s: Scope, e: ast.Binary) -> Operand:
    types = s.type(e.a), s.type(e.b)
    same = e.op == "is"
    if any(isinstance(t, SetT) for t in types):
        return s.b.sets("same" if same else "differ", as_set(s, e.a), as_set(s, e.b))
    a, b = _beside(s, e.a, types[1]), _beside(s, e.b, types[0])
    return s.b.bin("eq" if same else "ne", a, b)


def _beside(s: Scope, e: ast.Expr, other: Type) -> Operand:
    """A side of a comparison; none takes the form that it has in the other side's type."""
    return none_of(other) if isinstance(e, ast.Nothing) else value(s, e)


def _member(s: Scope, a: ast.Expr, source: ast.Expr) -> Operand:
    if isinstance(source, ast.Numbers):
        x = value(s, a)
        low = s.b.bin("le", value(s, source.low), x)
        return s.b.bin("and", low, s.b.bin("le", x, value(s, source.high)))
    if isinstance(s.type(a), SetT):
        return s.b.sets("within", value(s, a), as_set(s, source))
    if isinstance(source, ast.SetOf) and isinstance(s.type(a), NumberT):
        x, found = value(s, a), 0
        result: Operand = found
        for item in source.items:
            result = s.b.bin("or", result, s.b.bin("eq", x, value(s, item)))
        return result
    return s.b.has(as_set(s, source), value(s, a))


def _conditional(s: Scope, e: ast.Conditional) -> Operand:
    is_set = isinstance(s.type(e), SetT)
    read = as_set if is_set else value
    d = s.b.register("chosen", "s" if is_set else "i")
    yes, no, join = s.b.block(), s.b.block(), s.b.block()
    jump(s, e.condition, yes, no)
    for block, branch in ((yes, e.a), (no, e.b)):
        s.b.seek(block)
        chosen = none_of(s.type(e)) if isinstance(branch, ast.Nothing) else read(s, branch)
        s.b.set(d, 0 if is_set and isinstance(branch, ast.Nothing) else chosen)
        s.b.end(ir.Jump(join))
    s.b.seek(join)
    return d


def _default(s: Scope, e: ast.Default) -> Operand:
    type_ = s.type(e)
    if isinstance(type_, SetT):
        d = s.b.copy("sure", "s", as_set(s, e.a))
        with s.b.if_(s.b.sets("same", d, 0)):
            s.b.set(d, as_set(s, e.b))
        return d
    d = s.b.copy("sure", "i", value(s, e.a))
    with s.b.if_(s.b.bin("eq", d, none_of(s.type(e.a)))):
        s.b.set(d, value(s, e.b))
    return d
