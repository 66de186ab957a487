"""What each instruction reads and writes, and where each terminator leads.

Takes single instructions and functions of a Program; gives operands with their types, defined
registers, successors, calls. The linker, the verifier, the printer and the code generators all
read this one table, so a new instruction is described once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from interpreter.ir import nodes as n

Node: TypeAlias = "n.Instruction | n.Terminator"
Role: TypeAlias = Literal["i", "s", "x", "args"]

ROLES: Final[dict[type, dict[str, Role]]] = {
    n.Copy: {"a": "x"},
    n.Bin: {"a": "i", "b": "i"},
    n.SetBin: {"a": "s", "b": "s"},
    n.Not: {"a": "i"},
    n.Select: {"c": "i", "a": "x", "b": "x"},
    n.Load: {"i": "i"},
    n.Store: {"i": "i", "a": "i"},
    n.LoadSet: {"i": "i"},
    n.StoreSet: {"i": "i", "a": "s"},
    n.Lookup: {"i": "i"},
    n.Contents: {"z": "i"},
    n.Lying: {"a": "i", "b": "i"},
    n.Held: {"a": "i"},
    n.Preimage: {"s": "s"},
    n.Covers: {"i": "i", "s": "s"},
    n.Where: {"p": "i"},
    n.Move: {"p": "i", "z": "i", "at": "i"},
    n.Swap: {"a": "i", "b": "i"},
    n.Mix: {"z": "i"},
    n.Has: {"s": "s", "i": "i"},
    n.With: {"s": "s", "i": "i"},
    n.Without: {"s": "s", "i": "i"},
    n.Shift: {"s": "s"},
    n.First: {"s": "s"},
    n.Size: {"s": "s"},
    n.Order: {"s": "s"},
    n.Front: {"s": "s"},
    n.Distinct: {"s": "s"},
    n.Gain: {"i": "i", "a": "i"},
    n.Roll: {"s": "s"},
    n.Check: {"c": "i"},
    n.Emit: {"args": "args"},
    n.CallFn: {"args": "args"},
    n.Within: {"args": "args"},
    n.Fuel: {},
    n.Jump: {},
    n.Branch: {"c": "i"},
    n.Switch: {"a": "i"},
    n.Return: {"a": "x"},
    n.Decide: {"actor": "i", "args": "args"},
    n.Gather: {"players": "s"},
    n.Enter: {"args": "args"},
    n.StopRule: {},
    n.Leave: {"p": "i"},
    n.End: {},
}
"""The operands of each kind of node: an integer, a set, one or the other, a list of any."""

RESULTS: Final[dict[type, Role]] = {
    n.Copy: "x",
    n.Bin: "i",
    n.SetBin: "x",
    n.Not: "i",
    n.Select: "x",
    n.Load: "i",
    n.LoadSet: "s",
    n.Lookup: "x",
    n.Contents: "s",
    n.Lying: "s",
    n.Held: "s",
    n.Preimage: "s",
    n.Covers: "i",
    n.Where: "i",
    n.Has: "i",
    n.With: "s",
    n.Without: "s",
    n.Shift: "s",
    n.First: "i",
    n.Size: "i",
    n.Order: "i",
    n.Front: "s",
    n.Distinct: "s",
    n.Roll: "i",
    n.CallFn: "x",
    n.Within: "i",
    n.Decide: "i",
    n.Enter: "x",
}
"""The type of ``d``, for the kinds that have one."""

COMPARISONS: Final = ("eq", "ne", "lt", "le")
SET_TESTS: Final = ("same", "differ", "within")
TERMINATORS: Final = (
    n.Jump,
    n.Branch,
    n.Switch,
    n.Return,
    n.Decide,
    n.Gather,
    n.Enter,
    n.StopRule,
    n.Leave,
    n.End,
)
WRITERS: Final = (n.Store, n.StoreSet, n.Move, n.Swap, n.Mix, n.Gain, n.Roll, n.Emit)
SUSPENDERS: Final = (n.Decide, n.Gather, n.Enter)


def operands(node: Node) -> Iterator[tuple[n.Operand, Role]]:
    """Every operand of a node with what it must be (``args`` come one by one, as ``x``)."""
    for name, role in ROLES[type(node)].items():
        if role == "args":
            for item in getattr(node, name):
                yield item, "x"
        else:
            yield getattr(node, name), role


def uses(node: Node) -> Iterator[str]:
    """The registers that a node reads."""
    for operand, _ in operands(node):
        if isinstance(operand, str):
            yield operand


def defined(node: Node) -> str | None:
    """The register that a node writes, if it writes one."""
    return getattr(node, "d", None) if type(node) in RESULTS else None


def successors(end: n.Terminator | None) -> tuple[int, ...]:
    """The blocks where a terminator may go on."""
    match end:
        case n.Branch(_, a, b):
            return (a, b)
        case n.Switch(_, to, other):
            return (*to, other)
        case n.Jump() | n.Decide() | n.Gather() | n.Enter() | n.Leave():
            return (end.to,)
        case _:
            return ()


def calls(function: n.Function) -> Iterator[str]:
    """The functions that this one calls, plainly or through a frame (repeated as they occur)."""
    for block in function.blocks:
        for node in block.code:
            if isinstance(node, n.CallFn):
                yield node.fn
        if isinstance(block.end, n.Enter):
            yield block.end.fn


def reachable(function: n.Function) -> set[int]:
    """The blocks that can be reached from the first."""
    seen = {0}
    todo = [0]
    while todo:
        for to in successors(function.blocks[todo.pop()].end):
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return seen
