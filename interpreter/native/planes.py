"""Whole boards at once: the members whose zone holds a piece of a kind, in a few steps.

Takes the first block of a round of a loop; gives steps that set the set of the members for which
its condition holds, where the condition is one of

    the zone of x holds something
    the first piece in the zone of x has (has not) a value in a table       zones of one piece

The rows of pieces of neighbouring zones lie side by side, so that one vector step looks at many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.ir import nodes as n
from interpreter.ir.flow import RESULTS, ROLES, defined

MOST_VALUES = 8
"""Values of a table that are told apart."""


@dataclass(frozen=True, slots=True)
class Held(n.Occupied):
    """d := the set of those k < n for which the group's zone base + k holds a piece of ``mask``."""

    mask: n.Operand = 0


# only machine code knows this instruction: it is described where all are described
ROLES[Held] = {"mask": "s"}
RESULTS[Held] = "s"

Name = Callable[[str, n.RegType], str]


def plane(
    program: n.Program,
    code: list[n.Instruction],
    c: n.Operand,
    x: str,
    many: int,
    wanted: str,
    name: Name,
) -> list[n.Instruction] | None:
    """Steps that set ``wanted`` to {x < many : c}; none where the condition is another one.

    ``code`` computes c from x. ``name`` makes a new register.
    """
    known = {d: node for node in code if (d := defined(node)) is not None}
    if len(known) != len(code):
        return None
    match known.get(c) if isinstance(c, str) else None:
        case n.SetBin(_, "differ" | "same" as op, str(s), 0):
            home = _zones(program, known, s, x, many)
            if home is None or len(code) != (2 if home[1] == 0 else 3):
                return None
            steps: list[n.Instruction] = [n.Occupied(wanted, home[0].name, home[1], many)]
            if op == "same":
                steps.append(n.SetBin(wanted, "minus", (1 << many) - 1, wanted))
            return steps
        case n.Bin(_, "eq" | "ne" as op, str(owner), k) if k not in known and k != x:
            return _valued(program, known, (op, owner, k), (x, many, wanted), name)
    return None


def _zones(
    program: n.Program, known: dict[str, n.Instruction], s: str, x: str, many: int
) -> tuple[n.Group, int] | None:
    """The group, and the zone of member 0, where s holds the pieces in the zone of x."""
    match known.get(s):
        case n.Contents(_, name, z):
            group = program.groups[name]
        case _:
            return None
    base = -1
    if z == x:
        base = 0
    elif isinstance(z, str):
        match known.get(z):
            case n.Bin(_, "add", a, int(by)) if a == x:
                base = by
    return (group, base) if base >= 0 and base + many <= len(group.zones) else None


def _valued(
    program: n.Program,
    known: dict[str, n.Instruction],
    test: tuple[str, str, n.Operand],
    member: tuple[str, int, str],
    name: Name,
) -> list[n.Instruction] | None:
    """The first piece in the zone of x has the value k in a table."""
    op, owner, k = test
    x, many, wanted = member
    match known.get(owner):
        case n.Lookup(_, table_name, str(piece)):
            table = program.tables[table_name]
        case _:
            return None
    match known.get(piece):
        case n.First(_, str(s)):
            home = _zones(program, known, s, x, many)
        case _:
            return None
    if home is None or len(known) != (4 if home[1] == 0 else 5):
        return None
    group, base = home
    values = sorted(set(table.rows[: group.n]))
    zones = group.zones[base : base + many]
    if any(zone.capacity not in (0, 1) for zone in zones) or len(values) > MOST_VALUES:
        return None
    mask, flag, part = name("mask", "s"), name("same", "i"), name("part", "s")
    steps: list[n.Instruction] = [n.Copy(mask, 0)]
    for value in values:
        pieces = sum(1 << p for p in range(group.n) if table.rows[p] == value)
        steps += [n.Bin(flag, "eq", k, value), n.Select(part, flag, pieces, 0)]
        steps.append(n.SetBin(mask, "union", mask, part))
    steps.append(Held(wanted, group.name, base, many, mask))
    everything = (1 << many) - 1
    steps.append(n.Bin(flag, "eq", k, table.absent))
    steps.append(n.Occupied(part, group.name, base, many))
    steps.append(n.SetBin(part, "minus", everything, part))
    steps.append(n.Select(part, flag, part, 0))
    steps.append(n.SetBin(wanted, "union", wanted, part))
    if op == "ne":
        steps.append(n.SetBin(wanted, "minus", everything, wanted))
    return steps
