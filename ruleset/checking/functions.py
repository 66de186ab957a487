"""Types of the built-in functions."""

from __future__ import annotations

from ruleset.builtins import FUNCTIONS
from ruleset.checking.context import Context
from ruleset.checking.kinds import (
    FLAG,
    LINE_OF,
    NUMBER,
    UNKNOWN,
    element,
    is_unknown,
    perhaps,
)
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import checking as say
from ruleset.syntax import Call, Expr, MapDecl
from ruleset.types import BuiltIn, NumberT, SetT, ThingT, Type

THING_FUNCTIONS = ("next", "previous", "neighbours", "exits", "ahead", "beside", "ray")


def infer_function(context: Context, node: Call, scope: Scope) -> Type:
    """The type of a call of a built-in function; assumes that the name is one."""
    function = FUNCTIONS[node.name]
    context.refer(node, BuiltIn(node.name))
    if len(node.args) != function.arity:
        context.add(say.function_arity(node, function.shape, function.arity, len(node.args)))
        for arg in node.args:
            context.infer(arg, scope)
        return UNKNOWN
    if node.name in THING_FUNCTIONS:
        return _of_a_thing(context, node, scope)
    match node.name:
        case "lines":
            return _lines(context, node, scope)
        case "road" | "against":
            return _between(context, node, scope)
        case "nth":
            row = context.want_set(node.args[0], scope, "nth")
            _in_a_row(context, node.args[0], row)
            context.want(node.args[1], scope, NUMBER, "a place in a row")
            return perhaps(element(row))
        case _:
            found = context.want(node.args[0], scope, NUMBER, "abs")
            return NumberT(0) if isinstance(found, NumberT) else UNKNOWN


def _in_a_row(context: Context, expr: Expr, found: Type) -> None:
    if isinstance(found, SetT) and not found.row:
        context.add(say.needs_a_row(expr.span))


def _of_a_thing(context: Context, node: Call, scope: Scope) -> Type:
    x = context.infer(node.args[0], scope)
    if is_unknown(x):
        _rest(context, node, scope)
        return UNKNOWN
    if isinstance(x, SetT):
        context.add(say.one_wanted(node.args[0].span, f"{node.name}(...)", x))
    elif not isinstance(x, ThingT):
        context.add(say.not_for(node, x, FUNCTIONS[node.name].does))
    elif x.maybe:
        context.may_be_none(node.args[0], f"the argument of `{node.name}`")
    elif x.kind == "player" and node.name in ("next", "previous"):
        return ThingT("player")
    elif x.kind in context.world.maps:
        return _of_a_space(context, node, scope, x.kind, context.world.maps[x.kind])
    else:
        context.add(say.not_for(node, x, FUNCTIONS[node.name].does))
    _rest(context, node, scope)
    return UNKNOWN


def _rest(context: Context, node: Call, scope: Scope) -> None:
    for arg in node.args[1:]:
        context.infer(arg, scope)


def _of_a_space(context: Context, node: Call, scope: Scope, kind: str, board: MapDecl) -> Type:
    wants = {
        "next": ("track",),
        "previous": ("track",),
        "ahead": ("track",),
        "exits": ("roads",),
        "beside": ("grid", "hex"),
        "ray": ("grid", "hex"),
        "neighbours": ("track", "roads", "grid", "hex"),
    }[node.name]
    if board.shape not in wants:
        context.add(say.not_on_this_map(node, kind, board.name, board.shape, wants))
        _rest(context, node, scope)
        return UNKNOWN
    match node.name:
        case "next" | "previous":
            return ThingT(kind, maybe=not board.loop)
        case "ahead":
            return SetT(kind, row=True)
        case "beside" | "ray":
            context.want(node.args[1], scope, ThingT("direction"), "a direction")
            return ThingT(kind, True) if node.name == "beside" else SetT(kind, row=True)
        case _:
            return SetT(kind)


def _lines(context: Context, node: Call, scope: Scope) -> Type:
    context.want(node.args[0], scope, NUMBER, "the length of a line")
    grids = [k for k, board in context.world.maps.items() if board.shape in ("grid", "hex")]
    if not grids:
        context.add(say.no_such_map(node, "grid"))
        return UNKNOWN
    return SetT(LINE_OF + grids[0])


def _between(context: Context, node: Call, scope: Scope) -> Type:
    roads = [kind for kind, board in context.world.maps.items() if board.shape == "roads"]
    if not roads:
        context.add(say.no_such_map(node, "roads"))
        _rest(context, node, scope)
        return UNKNOWN
    a = context.infer(node.args[0], scope)
    kind = a.kind if isinstance(a, ThingT) and a.kind in roads else roads[0]
    for arg in node.args:
        context.want(arg, scope, ThingT(kind), f"an end of `{node.name}`")
    return ThingT("road", True) if node.name == "road" else FLAG


def infer_space_at(context: Context, node: Call, scope: Scope) -> Type:
    """The type of ``cell(column, row)``, the function named like the kind of a grid's spaces."""
    context.refer(node, BuiltIn("space_at"))
    if len(node.args) != 2:
        shape = f"{node.name}(column, row)"
        context.add(say.function_arity(node, shape, 2, len(node.args)))
        return UNKNOWN
    for arg in node.args:
        context.want(arg, scope, NUMBER, "a column or row")
    return ThingT(node.name, True)


def is_space_at(context: Context, name: str) -> bool:
    """Whether a name is that of a kind of spaces on a grid."""
    board = context.world.maps.get(name)
    return board is not None and board.shape in ("grid", "hex")
