"""Assembles the Program: fields, groups, the main function, results, invariants; then all functions
that these ask for, directly or not."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.ir import nodes as ir
from interpreter.ir.words import ALIVE, ENDING, ENDINGS, REVEALED, WINNERS
from interpreter.lowering import effects, expressions, flow
from interpreter.lowering.blocks import all_effects
from interpreter.lowering.box import Box
from interpreter.lowering.builder import Builder
from interpreter.lowering.compiled import Compiled, InvariantInfo, ResultInfo
from interpreter.lowering.scope import Lowering, Scope
from interpreter.lowering.static import constant
from ruleset import syntax as ast
from ruleset.model import Ruleset
from ruleset.types import SetT

MAIN = "game@start"  # no rule can have this name


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
    program.tables, program.planes = box.tables, box.planes
    box.fixed = True
    program.result = _decides(box, solo)
    kinds = {t.kind for t in box.facts.types.values() if isinstance(t, SetT)} & set(box.kinds)
    program.set_bits = max(program.set_bits, *(box.size(kind) for kind in kinds), 0)
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
        chances=low.chances,
        stand_ins=low.stand_ins,
        box=box,
    )


def _decides(box: Box, solo: str) -> ir.Result:
    """The result, by the fields of the Program."""
    result = box.file.result
    most, least = (
        tuple(box.counters[c.name].field for c in names) for names in (result.most, result.least)
    )
    return ir.Result(result.by_stop, most, least, solo)


def _result_fields(box: Box, program: ir.Program) -> None:
    everybody = (1 << box.players) - 1
    program.fields[ENDING] = ir.Field(ENDING, 1, 0, len(ENDINGS) - 1, (0,))
    program.set_fields[WINNERS] = ir.SetField(WINNERS, 1, box.players, (0,))
    program.set_fields[ALIVE] = ir.SetField(ALIVE, 1, box.players, (everybody,))


def _revealed_fields(box: Box, program: ir.Program) -> None:
    """For each player the pieces that were revealed and have not moved since."""
    for effect in all_effects(box.file):
        if isinstance(effect, ast.Reveal):
            found = box.facts.types.get(effect.what)
            kind = getattr(found, "kind", "")
            name, n = kind + REVEALED, box.players
            program.set_fields[name] = ir.SetField(
                name, n, box.size(kind), (0,) * n, "owner", tuple(range(n))
            )


def _main(low: Lowering) -> None:
    """Start values that the box does not fix, then the first step of the flow."""
    first = next((step for step in low.box.file.flow if step.name == "game"), low.box.file.flow[0])
    b = Builder(MAIN, [])
    s = Scope(low, b, {}, first)
    changing: tuple[ast.Counter | ast.Mark, ...] = (*low.box.file.counters, *low.box.file.marks)
    for declared in changing:
        if declared.start is not None and constant(low.box, declared.start, {}) is None:
            effects.start_anew(s, declared)
    flow.run(s, first.name)
    b.end(ir.End())
    low.add(b.function(rule=first.path))


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
