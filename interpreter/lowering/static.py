"""Evaluates expressions that the box fixes: where a piece starts, ``where`` of a set, start values.

Takes names bound to integers; answers an integer, or None for what only the state knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from interpreter.ir.ranges import wrapped
from interpreter.lowering.builder import FOLD
from ruleset import syntax as ast
from ruleset.types import (
    BuiltIn,
    FieldRef,
    Local,
    Member,
    Members,
    OnlyPiece,
    OptionRef,
    SetT,
    SpaceSet,
    TableRef,
    ThingT,
)

if TYPE_CHECKING:
    from interpreter.lowering.kinds import Kinds

ARITHMETIC: Mapping[str, str] = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "mod",
    "is": "eq",
    "is not": "ne",
    "<": "lt",
    "<=": "le",
    "and": "and",
    "or": "or",
}


def constant(box: Kinds, expr: ast.Expr, names: Mapping[str, int]) -> int | None:
    """The value of the expression, or None where it is not fixed by the box."""
    match expr:
        case ast.Number(_, value):
            return value
        case ast.Truth(_, truth):
            return int(truth)
        case ast.Nothing():
            return -1
        case ast.Name():
            return _name(box, expr, names)
        case ast.Attribute():
            of = constant(box, expr.of, names)
            return None if of is None else _attribute(box, expr, of)
        case ast.Unary(_, op, a):
            inner = constant(box, a, names)
            if inner is None:
                return None
            return int(not inner) if op == "not" else -inner
        case ast.Binary():
            return _binary(box, expr, names)
        case ast.SetOf(_, items):
            return _set_of(box, items, names)
        case ast.Conditional(_, condition, a, b):
            test = constant(box, condition, names)
            return None if test is None else constant(box, a if test else b, names)
        case _:
            return None


def _name(box: Kinds, expr: ast.Name, names: Mapping[str, int]) -> int | None:
    match box.facts.refs.get(expr):
        case Local():
            return names.get(expr.name)
        case Member(kind, name):
            return box.kinds[kind].ids.index(name)
        case OnlyPiece(kind, type_):
            return box.only(kind, type_)
        case OptionRef(name):
            return box.option(name)
        case TableRef(name):
            return box.table_value(name)
        case Members(kind) if kind != "player":
            return box.all_of(kind)
        case SpaceSet(kind, name):
            return box.space_set(kind, name)
        case _:
            return names.get(expr.name)


def _attribute(box: Kinds, expr: ast.Attribute, of: int) -> int | None:
    owner = box.facts.types.get(expr.of)
    if not isinstance(owner, ThingT):
        return None
    match box.facts.refs.get(expr):
        case BuiltIn(("row" | "column" | "type" | "owner") as name):
            table = box.attribute_table(owner.kind, name)
        case FieldRef(kind, name):
            table = box.field_table(kind, name)
        case _:
            return None
    return table.rows[of] if 0 <= of < len(table.rows) else table.absent


def _as_set(box: Kinds, expr: ast.Expr, found: int) -> int:
    if isinstance(box.facts.types.get(expr), SetT):
        return found
    return 1 << found if found >= 0 else 0


def _set_of(box: Kinds, items: tuple[ast.Expr, ...], names: Mapping[str, int]) -> int | None:
    found = 0
    for item in items:
        value = constant(box, item, names)
        if value is None:
            return None
        found |= _as_set(box, item, value)
    return found


def _binary(box: Kinds, expr: ast.Binary, names: Mapping[str, int]) -> int | None:
    a = constant(box, expr.a, names)
    if isinstance(expr.b, ast.Numbers) and expr.op in ("in", "not in"):
        low, high = constant(box, expr.b.low, names), constant(box, expr.b.high, names)
        if a is None or low is None or high is None:
            return None
        return int((low <= a <= high) == (expr.op == "in"))
    b = constant(box, expr.b, names)
    if a is None or b is None:
        return None
    if isinstance(box.facts.types.get(expr), SetT) and expr.op in ("+", "-"):
        one, other = (_as_set(box, side, found) for side, found in ((expr.a, a), (expr.b, b)))
        return one | other if expr.op == "+" else one & ~other
    match expr.op:
        case ">":
            return int(a > b)
        case ">=":
            return int(a >= b)
        case "in" | "not in":
            return int((a >= 0 and bool(b >> a & 1)) == (expr.op == "in"))
        case op:
            return wrapped(FOLD[ARITHMETIC[op]](a, b))
