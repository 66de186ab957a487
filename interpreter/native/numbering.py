"""Numbers for actions: decisions in the order of the program, their stages in order, candidates.

Takes a program; gives a row a stage. Lanes in machine code, lanes on the reference and those who
step them count alike.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.ir.nodes import Program


class Numbered(NamedTuple):
    """The actions of one stage: numbers from ``low`` on, before ``high``."""

    decision: str
    stage: int
    low: int
    high: int


def numbered(program: Program) -> list[Numbered]:
    """All stages with their numbers, which have no gaps."""
    out: list[Numbered] = []
    low = 0
    for decision in program.decisions.values():
        for k, stage in enumerate(decision.stages):
            out.append(Numbered(decision.name, k, low, low + stage.size))
            low += stage.size
    return out


def bases_of(program: Program) -> dict[tuple[str, int], int]:
    """The number of candidate 0 of each decision's stage."""
    return {(row.decision, row.stage): row.low for row in numbered(program)}
