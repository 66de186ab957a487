"""Checked expressions and effects for a game that is lowered already: of scenarios, of a person.

``p1``, ``p2``, ... are the players.
"""

from __future__ import annotations

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import kind_word
from interpreter.lowering import effects, expressions
from interpreter.lowering.builder import Builder
from interpreter.lowering.compiled import Compiled
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.types import Facts, SetT


def lower_expression(
    compiled: Compiled, expr: ast.Expr, facts: Facts, name: str
) -> tuple[list[ir.Function], str]:
    """A pure function without arguments, the first of the list, and the kind of its value.

    The others are values that it needs and the game itself did not.
    """
    low = _lowering(compiled, facts)
    s = _scope(low, name)
    found = s.type(expr)
    read = expressions.as_set if isinstance(found, SetT) else expressions.value
    s.b.end(ir.Return(read(s, expr)))
    return _finish(low, s, pure=True), kind_word(found)


def lower_effects(
    compiled: Compiled, block: ast.Block, facts: Facts, name: str
) -> list[ir.Function]:
    """A function without arguments that does the effects as they stand: no hooks run."""
    low = _lowering(compiled, facts)
    low.raw = True
    s = _scope(low, name)
    effects.block(s, block)
    return _finish(low, s, pure=False)


def _lowering(compiled: Compiled, facts: Facts) -> Lowering:
    low = Lowering(compiled.box, compiled.program)
    low.facts = facts
    low.know(compiled.program)
    return low


def _scope(low: Lowering, name: str) -> Scope:
    names: dict[str, Operand] = {f"p{k + 1}": k for k in range(low.box.players)}
    return Scope(low, Builder(name, []), names, low.box.file.result)


def _finish(low: Lowering, s: Scope, pure: bool) -> list[ir.Function]:
    functions = low.program.functions
    before = len(functions)
    asked = s.b.function(pure=pure, rule=s.b.name)
    low.finish()
    return [asked, *list(functions.values())[before:]]
