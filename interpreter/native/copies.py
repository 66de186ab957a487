"""Copies of instructions on other registers, leading to other blocks.

Takes a node; gives one like it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from interpreter.ir import nodes as n

FIELDS: Final = ("a", "b", "i", "s", "z", "p", "c")
"""Where the instructions that are copied have their operands."""


def renamed(node: n.Instruction, names: dict[str, str], x: str, member: int) -> n.Instruction:
    """A step for one member, on registers of its own."""
    changes: dict[str, Any] = {}
    for name in ("d", *FIELDS):
        value = getattr(node, name, None)
        if isinstance(value, str):
            if name != "d" and value == x:
                changes[name] = member
            elif value in names:
                changes[name] = names[value]
    return replace(node, **changes)


def led(
    end: n.Terminator | None, ways: dict[int, int], names: dict[str, str], x: str, member: int
) -> n.Terminator:
    """A terminator that leads elsewhere."""

    def operand(a: n.Operand) -> n.Operand:
        return a if isinstance(a, int) else member if a == x and x else names.get(a, a)

    match end:
        case n.Jump(to):
            return n.Jump(ways[to])
        case n.Branch(c, a, b):
            return n.Branch(operand(c), ways[a], ways[b])
        case n.Switch(a, to, other):
            return n.Switch(operand(a), tuple(ways[t] for t in to), ways[other])
        case n.Leave(p, to):
            return n.Leave(p, ways[to])
        case _:
            raise AssertionError(end)
