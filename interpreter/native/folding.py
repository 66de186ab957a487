"""Instructions on constants: what one gives, without a state.

Takes an instruction and the values of its operands; gives its value as a register keeps it, or
none where it needs a state (or would be a fault).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interpreter.ir import nodes as n
from interpreter.ir.flow import ROLES
from interpreter.ir.ranges import wrapped

Values = Mapping[str, int]
"""By the name of the field of the instruction."""


def folded(node: n.Instruction, given: Values, program: n.Program) -> int | None:
    """The value of an instruction on constants."""
    match node:
        case n.Copy():
            return given["a"]
        case n.Bin(_, op, _, _):
            return wrapped(_number(op, given["a"], given["b"]))
        case n.SetBin(_, op, _, _):
            return _sets(op, given["a"], given["b"])
        case n.Not():
            return int(given["a"] == 0)
        case n.Select():
            return given["a"] if given["c"] else given["b"]
        case n.Lookup(_, name, _):
            table = program.tables[name]
            i = given["i"]
            if i == -1:
                return table.absent
            return table.rows[i] if 0 <= i < len(table.rows) else None
        case n.Has():
            return int(given["i"] >= 0 and given["s"] >> given["i"] & 1)
        case n.With():
            return given["s"] if given["i"] == -1 else given["s"] | 1 << max(given["i"], 0)
        case n.Without():
            return given["s"] & ~(1 << given["i"]) if given["i"] >= 0 else given["s"]
        case n.First():
            s = given["s"]
            return (s & -s).bit_length() - 1
        case n.Size():
            return given["s"].bit_count()
        case _:
            return None


def _number(op: n.IntOp, a: int, b: int) -> int:
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "div":
            return a // b if b else 0
        case "mod":
            return a % b if b else 0
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case "eq":
            return int(a == b)
        case "ne":
            return int(a != b)
        case "lt":
            return int(a < b)
        case "le":
            return int(a <= b)
        case "and":
            return a & b
        case "or":
            return a | b


def _sets(op: n.SetOp, a: int, b: int) -> int:
    match op:
        case "union":
            return a | b
        case "inter":
            return a & b
        case "minus":
            return a & ~b
        case "same":
            return int(a == b)
        case "differ":
            return int(a != b)
        case "within":
            return int(a & ~b == 0)


def fields_of(node: n.Instruction) -> tuple[str, ...]:
    """The names of the fields that hold operands."""
    return tuple(ROLES[type(node)])


def put_into(node: n.Instruction, d: str, given: Mapping[str, n.Operand]) -> n.Instruction:
    """The instruction on other operands."""
    changes: dict[str, Any] = {"d": d, **given}
    return replace(node, **changes)
