"""Assembles the Program: fields, groups, the main function, results, invariants; then all functions
that these ask for, directly or not. Also single expressions and effects, for a game that is lowered
already."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import effects, expressions, flow, queries
from interpreter.lowering.box import Box, all_effects, kind_word
from interpreter.lowering.builder import Builder
from interpreter.lowering.compiled import Compiled, InvariantInfo, ResultInfo
from interpreter.lowering.scope import Lowering, Scope
from interpreter.lowering.static import constant
from ruleset import syntax as ast
from ruleset.model import Ruleset
from ruleset.types import SetT

MAIN = "main"


def lower(
    rules: Ruleset, players: int, options: Mapping[str, str], checks: bool = False
) -> Compiled:
    """The game as a Program. With ``checks``, invariants with a moment of their own are faults."""
    box = Box(rules, players, options)
    program = ir.Program(box.file.name, players, MAIN)
    low = Lowering(box, program)
    low.checks = checks
    program.groups = box.groups()
    program.fields, program.set_fields = box.fields()
    _result_fields(box, program)
    _revealed_fields(box, program)
    _main(low)
    invariants = tuple(_invariant(low, invariant) for invariant in box.file.invariants)
    solo = _solo(low)
    low.finish()
    program.tables = box.tables
    return Compiled(
        ruleset=rules,
        program=program,
        players=players,
        options=dict(options),
        kinds=box.kinds,
        questions=low.questions,
        actions=low.actions,
        counters=tuple(box.counters.values()),
        invariants=invariants,
        result=ResultInfo(
            box.file.result.by_stop,
            tuple(c.name for c in box.file.result.most),
            tuple(c.name for c in box.file.result.least),
            solo,
        ),
        events=low.events,
        box=box,
    )


def _result_fields(box: Box, program: ir.Program) -> None:
    everybody = (1 << box.players) - 1
    program.fields["game.ending"] = ir.Field("game.ending", 1, 0, 3, (0,))
    program.set_fields["game.winners"] = ir.SetField("game.winners", 1, box.players, (0,))
    program.set_fields["game.alive"] = ir.SetField("game.alive", 1, box.players, (everybody,))


def _revealed_fields(box: Box, program: ir.Program) -> None:
    """For each player the pieces that were revealed and have not moved since."""
    for effect in all_effects(box.file):
        if isinstance(effect, ast.Reveal):
            found = box.facts.types.get(effect.what)
            kind = getattr(found, "kind", "")
            name, n = f"{kind}.revealed", box.players
            program.set_fields[name] = ir.SetField(
                name, n, box.size(kind), (0,) * n, "owner", tuple(range(n))
            )


def _main(low: Lowering) -> None:
    """Start values that the box does not fix, then the first step of the flow."""
    first = next((step for step in low.box.file.flow if step.name == "game"), low.box.file.flow[0])
    b = Builder(MAIN, [])
    s = Scope(low, b, {}, first)
    for declared in (*low.box.file.counters, *low.box.file.marks):
        if declared.start is not None and constant(low.box, declared.start, {}) is None:
            _start_value(s, declared, declared.start)
    flow.run(s, first.name)
    b.end(ir.End())
    low.add(b.function(rule=first.path))


def _start_value(s: Scope, declared: ast.Counter | ast.Mark, start: ast.Expr) -> None:
    info = s.box.counters[declared.name]
    is_set = info.kind.startswith("set of ")
    found = expressions.as_set(s, start) if is_set else expressions.value(s, start)
    n = s.box.size(info.each) if info.each else 1
    for k in range(n):
        s.b.add((ir.StoreSet if is_set else ir.Store)(info.field, k, found))


def _invariant(low: Lowering, invariant: ast.Invariant) -> InvariantInfo:
    name = f"invariant.{invariant.name}"
    b = Builder(name, [])
    b.end(ir.Return(expressions.flag(Scope(low, b, {}, invariant), invariant.holds)))
    low.add(b.function(pure=True, rule=invariant.path))
    return InvariantInfo(
        invariant.path,
        name,
        invariant.moment,
        invariant.step.name if invariant.step else "",
        low.site(invariant.path, invariant.holds.span, invariant.cites),
    )


def _solo(low: Lowering) -> str:
    solo = low.box.file.result.solo
    if solo is None:
        return ""
    b = Builder("result.solo", [])
    b.end(ir.Return(expressions.flag(Scope(low, b, {}, low.box.file.result), solo)))
    low.add(b.function(pure=True, rule="result.solo"))
    return "result.solo"


# ------------------------------------------------------------------ into a game that is lowered


def _ad_hoc(compiled: Compiled, facts: object) -> tuple[Lowering, int]:
    """A lowering that adds to a finished Program; new functions are those after the count."""
    low = Lowering(compiled.box, compiled.program)
    low.facts = facts  # type: ignore[assignment]  # facts of the file and of the text
    low.forget_nothing(compiled.program)
    return low, len(compiled.program.functions)


def _names(players: int) -> dict[str, Operand]:
    return {f"p{k + 1}": k for k in range(players)}


def lower_expression(
    compiled: Compiled, expr: ast.Expr, facts: object, name: str
) -> tuple[list[ir.Function], str]:
    """A pure function without arguments for a checked expression; and the kind of its value.

    ``p1``, ``p2``, ... are the players. The first function is the one asked for; the others are
    values that it needs and the game did not.
    """
    low, before = _ad_hoc(compiled, facts)
    b = Builder(name, [])
    s = Scope(low, b, _names(compiled.players), compiled.ruleset.file.result)
    found = s.type(expr)
    read = expressions.as_set if isinstance(found, SetT) else expressions.value
    b.end(ir.Return(read(s, expr)))
    low.add(b.function(pure=True, rule=name))
    low.finish()
    return list(compiled.program.functions.values())[before:], kind_word(found)


def lower_effects(
    compiled: Compiled, block: ast.Block, facts: object, name: str
) -> list[ir.Function]:
    """A function without arguments for checked effects, done as they stand: no hooks run."""
    low, before = _ad_hoc(compiled, facts)
    low.raw = True
    b = Builder(name, [])
    s = Scope(low, b, _names(compiled.players), compiled.ruleset.file.result)
    effects.block(s, block)
    low.add(b.function(rule=name))
    low.finish()
    return list(compiled.program.functions.values())[before:]


__all__ = ["lower", "lower_effects", "lower_expression", "queries"]
