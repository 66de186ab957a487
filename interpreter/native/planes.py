"""Whole boards at once: the members whose zone holds a piece of a kind, in a few steps.

Takes the first block of a round of a loop; gives steps that set the set of the members for which
its condition holds, where the condition is one of

    x has (has not) a value in a table
    the zone of x holds something
    the first piece in the zone of x has (has not) a value in a table       zones of one piece

The rows of pieces of neighbouring zones lie side by side, so that one vector step looks at many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interpreter.ir import nodes as n
from interpreter.ir.flow import RESULTS, ROLES, defined, uses
from interpreter.native.copies import renamed

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
    types: dict[str, n.RegType],
    name: Name,
) -> list[n.Instruction] | None:
    """Steps that set ``wanted`` to {x < many : c}; none where the condition is another one.

    ``code`` computes c from x. ``name`` makes a new register.
    """
    still, moved = _apart(code, x)
    names = {d: name("still", types[d]) for node in still if (d := defined(node)) is not None}
    before: list[n.Instruction] = [renamed(node, names, "", 0) for node in still]
    known = {d: node for node in moved if (d := defined(node)) is not None}
    if len(known) != len(moved) or len(names) != len(still):
        return None
    steps: list[n.Instruction] | None = None
    match known.get(c) if isinstance(c, str) else None:
        case n.SetBin(_, "differ" | "same" as op, str(s), 0):
            home = _zones(program, known, s, x, many)
            if home is None or len(moved) != (2 if home[1] == 0 else 3):
                return None
            steps = [n.Occupied(wanted, home[0].name, home[1], many)]
            if op == "same":
                steps.append(n.SetBin(wanted, "minus", (1 << many) - 1, wanted))
        case n.Bin(_, "eq" | "ne" as op, a, b):
            owner, k = (a, b) if a in known else (b, a)
            if isinstance(owner, str) and owner in known and k not in known and k != x:
                given = names.get(k, k) if isinstance(k, str) else k
                test = (op, owner, given)
                steps = _listed(program, known, test, (x, many, wanted), name)
                steps = steps or _valued(program, known, test, (x, many, wanted), name)
    return None if steps is None else before + steps


def _apart(code: list[n.Instruction], x: str) -> tuple[list[n.Instruction], list[n.Instruction]]:
    """The steps that do not depend on x, and those that do."""
    still: list[n.Instruction] = []
    moved: list[n.Instruction] = []
    depends = {x}
    for node in code:
        if depends & set(uses(node)):
            moved.append(node)
            if (d := defined(node)) is not None:
                depends.add(d)
        else:
            still.append(node)
    return still, moved


def _listed(
    program: n.Program,
    known: dict[str, n.Instruction],
    test: tuple[str, str, n.Operand],
    member: tuple[str, int, str],
    name: Name,
) -> list[n.Instruction] | None:
    """x has the value k in a table."""
    op, owner, k = test
    x, many, wanted = member
    match known.get(owner):
        case n.Lookup(_, table_name, i) if i == x and len(known) == 2:
            table = program.tables[table_name]
        case _:
            return None
    if len(set(table.rows[:many])) > MOST_VALUES or len(table.rows) < many:
        return None
    steps = _mask(table, many, k, wanted, name)
    if op == "ne":
        steps.append(n.SetBin(wanted, "minus", (1 << many) - 1, wanted))
    return steps


def _mask(table: n.Table, many: int, k: n.Operand, wanted: str, name: Name) -> list[n.Instruction]:
    """Set ``wanted`` to the rows that hold k."""
    flag, part = name("same", "i"), name("part", "s")
    steps: list[n.Instruction] = [n.Copy(wanted, 0)]
    for value in sorted(set(table.rows[:many])):
        rows = sum(1 << p for p in range(many) if table.rows[p] == value)
        steps += [n.Bin(flag, "eq", k, value), n.Select(part, flag, rows, 0)]
        steps.append(n.SetBin(wanted, "union", wanted, part))
    return steps


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
    values = set(table.rows[: group.n])
    zones = group.zones[base : base + many]
    if any(zone.capacity not in (0, 1) for zone in zones) or len(values) > MOST_VALUES:
        return None
    mask, flag, part = name("mask", "s"), name("same", "i"), name("part", "s")
    steps = _mask(table, group.n, k, mask, name)
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
