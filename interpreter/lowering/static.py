"""Evaluates expressions that the box fixes: where a piece starts, ``where`` of a set, start values.

Takes names bound to integers; answers an integer, or None for what only the state knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from interpreter.ir.ranges import wrapped
from interpreter.ir.words import NUMBER_NONE
from interpreter.lowering.builder import FOLD
from ruleset import syntax as ast
from ruleset.types import (
    BuiltIn,
    FieldRef,
    Local,
    Member,
    Members,
    NumberT,
    OnlyPiece,
    OptionRef,
    SetT,
    SpaceSet,
    TableRef,
    ThingT,
)

MAP_FUNCTIONS: Final = ("beside", "next", "previous", "neighbours", "exits")

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
        case ast.Call():
            return _call(box, expr, names)
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


def _call(box: Kinds, expr: ast.Call, names: Mapping[str, int]) -> int | None:
    """A built-in function of a map."""
    ref = box.facts.refs.get(expr)
    if not isinstance(ref, BuiltIn) or ref.name not in MAP_FUNCTIONS:
        return None
    args = [constant(box, arg, names) for arg in expr.args]
    first = box.facts.types.get(expr.args[0])
    if None in args or not isinstance(first, ThingT) or first.kind not in box.boards:
        return None
    board = box.boards[first.kind]
    at = args[0] or 0
    rows: list[int] = getattr(board, ref.name)
    if ref.name == "beside":
        at = at * len(board.directions) + (args[1] or 0)
        at = at if (args[0] or 0) >= 0 and (args[1] or 0) >= 0 else -1
    none = 0 if ref.name in ("neighbours", "exits") else -1
    return rows[at] if at >= 0 else none


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


def _side(box: Kinds, side: ast.Expr, other: ast.Expr, names: Mapping[str, int]) -> int | None:
    """A side of an operator; none takes the form that it has in the other side's type."""
    if isinstance(side, ast.Nothing):
        type_ = box.facts.types.get(other)
        return {NumberT: NUMBER_NONE, SetT: 0}.get(type(type_), -1)
    return constant(box, side, names)


def _of_sets(op: str, a: int, b: int) -> int | None:
    match op:
        case "+":
            return a | b
        case "-":
            return a & ~b
        case "is" | "is not":
            return int((a == b) == (op == "is"))
        case "in" | "not in":
            return int((not a & ~b) == (op == "in"))
        case _:
            return None


def _binary(box: Kinds, expr: ast.Binary, names: Mapping[str, int]) -> int | None:
    a = _side(box, expr.a, expr.b, names)
    if isinstance(expr.b, ast.Numbers) and expr.op in ("in", "not in"):
        low, high = constant(box, expr.b.low, names), constant(box, expr.b.high, names)
        if a is None or low is None or high is None:
            return None
        return int((low <= a <= high) == (expr.op == "in"))
    b = _side(box, expr.b, expr.a, names)
    if a is None or b is None:
        return None
    sets = [isinstance(box.facts.types.get(side), SetT) for side in (expr.a, expr.b)]
    # one thing is not taken for a set by `in`: none is in no set
    if sets[0] or (sets[1] and expr.op not in ("in", "not in")):
        found = _of_sets(expr.op, _as_set(box, expr.a, a), _as_set(box, expr.b, b))
        if found is not None:
            return found
    match expr.op:
        case ">":
            return int(a > b)
        case ">=":
            return int(a >= b)
        case "in" | "not in":
            return int((a >= 0 and bool(b >> a & 1)) == (expr.op == "in"))
        case op:
            return wrapped(FOLD[ARITHMETIC[op]](a, b))
