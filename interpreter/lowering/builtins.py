"""The built-in functions, and ``within``."""

from __future__ import annotations

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import ALIVE
from interpreter.lowering import expressions, iteration
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import BuiltIn


def call(s: Scope, e: ast.Call) -> Operand:
    """The value of a call of a built-in function."""
    ref = s.low.facts.refs[e]
    assert isinstance(ref, BuiltIn)
    if ref.name in ("ahead", "ray", "lines"):
        return _gathered(s, e)
    if ref.name == "nth":
        return _nth(s, e)
    args = [expressions.value(s, arg) for arg in e.args]
    if ref.name == "space_at":
        return _space_at(s, e.name, args)
    kind = s.kind(e.args[0])
    match ref.name:
        case "abs":
            return s.b.bin("max", args[0], s.b.bin("sub", 0, args[0]))
        case "next" | "previous" if kind == "player":
            return _seat(s, args[0], forward=ref.name == "next")
        case "next":
            return s.b.lookup(_table(s, kind, "next"), args[0])
        case "previous":
            return s.b.lookup(_table(s, kind, "previous"), args[0])
        case "neighbours" | "exits":
            return s.b.lookup(_table(s, kind, ref.name), args[0])
        case "beside":
            width = len(s.box.boards[kind].directions)
            row = s.b.bin("add", s.b.bin("mul", args[0], width), args[1])
            return s.b.lookup(_table(s, kind, "beside"), row)
        case "road" | "against":
            row = s.b.bin("add", s.b.bin("mul", args[0], s.box.boards[kind].n), args[1])
            return s.b.lookup(_table(s, kind, ref.name), row)
        case name:
            raise AssertionError(f"no built-in function {name}")


def _table(s: Scope, kind: str, name: str) -> ir.Table:
    board = s.box.boards[kind]
    match name:
        case "neighbours":
            return s.box.table(f"{kind}.neighbours", board.neighbours, 0, "s")
        case "exits":
            return s.box.table(f"{kind}.exits", board.exits, 0, "s")
        case "next":
            return s.box.table(f"{kind}.next", board.next, -1)
        case "previous":
            return s.box.table(f"{kind}.previous", board.previous, -1)
        case "beside":
            return s.box.table(f"{kind}.beside", board.beside, -1)
        case "road":
            return s.box.table(f"{kind}.road", board.roads, -1)
        case _:
            return s.box.table(f"{kind}.against", board.against, 0)


def _gathered(s: Scope, e: ast.Call) -> Operand:
    result = s.b.copy(e.name, "s", 0)
    with iteration.each(s, e, "x") as (member, _):
        s.b.add(ir.With(result, result, member))
    return result


def _nth(s: Scope, e: ast.Call) -> Operand:
    wanted = expressions.value(s, e.args[1])
    place = s.b.copy("place", "i", 0)
    result = s.b.copy("nth", "i", expressions.none_of(s.type(e)))
    with iteration.each(s, e.args[0], "x") as (member, done):
        s.b.add(ir.Bin(place, "add", place, 1))
        with s.b.if_(s.b.bin("eq", place, wanted)):
            s.b.set(result, member)
            s.b.end(ir.Jump(done))
    return result


def _space_at(s: Scope, kind: str, args: list[Operand]) -> Operand:
    board = s.box.boards[kind].decl
    column, row = args
    inside = s.b.bin("and", s.b.bin("le", 1, column), s.b.bin("le", column, board.columns))
    inside = s.b.bin("and", inside, s.b.bin("le", 1, row))
    inside = s.b.bin("and", inside, s.b.bin("le", row, board.rows))
    before = s.b.bin("mul", s.b.bin("sub", row, 1), board.columns)
    return s.b.select(inside, s.b.bin("sub", s.b.bin("add", before, column), 1), -1)


def _seat(s: Scope, player: Operand, forward: bool) -> Operand:
    """The next seat clockwise, or the one before; past those who are out."""
    n = s.box.players
    step = 1 if forward else n - 1
    if not s.box.eliminates:
        return s.b.bin("mod", s.b.bin("add", player, step), n)
    seat = s.b.copy("seat", "i", player)
    alive = s.b.load_set(ALIVE, 0)
    with s.b.forever() as done:
        s.b.set(seat, s.b.bin("mod", s.b.bin("add", seat, step), n))
        stop = s.b.bin("or", s.b.has(alive, seat), s.b.bin("eq", seat, player))
        go_on = s.b.block()
        s.b.end(ir.Branch(stop, done, go_on))
        s.b.seek(go_on)
    return seat


def within(s: Scope, e: ast.Within) -> Operand:
    """Whether a rule is under way, perhaps with these first arguments."""
    from interpreter.lowering import rules  # rules are made of effects, which ask this

    fn = rules.inner_function(s.low, e.name)
    args = tuple(expressions.value(s, arg) for arg in e.args or ())
    d = s.b.register("within", "i")
    s.b.add(ir.Within(d, fn, args))
    return d
