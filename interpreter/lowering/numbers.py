"""Sets of numbers: they hold 0 to 1023; none is left out, any other number is a fault."""

from __future__ import annotations

from typing import Final

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import NUMBER_NONE
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.source import Span
from ruleset.types import NumberT, Type

MOST: Final = 1023


def room_for(s: Scope, highest: int | None) -> None:
    """Let every set of the Program be large enough for a number."""
    wanted = MOST if highest is None else min(highest, MOST)
    s.low.program.set_bits = max(s.low.program.set_bits, wanted + 1)


def range_of(s: Scope, source: ast.Numbers) -> NumberT:
    """The numbers that can be between the two ends of a range."""
    low, high = s.low.facts.types.get(source.low), s.low.facts.types.get(source.high)
    return NumberT(
        low.low if isinstance(low, NumberT) else None,
        high.high if isinstance(high, NumberT) else None,
    )


def put(s: Scope, result: str, found: Operand, type_: Type, span: Span) -> None:
    """result := result with the number."""
    low, high = (type_.low, type_.high) if isinstance(type_, NumberT) else (None, None)
    room_for(s, high)
    if isinstance(found, int) and found != NUMBER_NONE and not 0 <= found <= MOST:
        s.b.add(ir.Check(0, "NUMBER", s.site(span)))
        return
    with s.b.if_(s.b.bin("ne", found, NUMBER_NONE)):
        if low is None or low < 0:
            s.b.add(ir.Check(s.b.bin("le", 0, found), "NUMBER", s.site(span)))
        if high is None or high > MOST:
            s.b.add(ir.Check(s.b.bin("le", found, MOST), "NUMBER", s.site(span)))
        s.b.add(ir.With(result, result, found))


def one(s: Scope, found: Operand, type_: Type, span: Span) -> Operand:
    """The set of a number alone."""
    result = s.b.copy("number", "s", 0)
    put(s, result, found, type_, span)
    return result
