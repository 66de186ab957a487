"""What values a register can have: one interval a register, narrower ones behind branches.

Takes a verified function, and what is known of its callers and callees (see `whole`); gives, for
each register, the least and the greatest value (of a set: of its bits read as a number). Code
generators leave out the checks that an interval makes needless. An interval that could leave 32
bits becomes the whole of them, for there the value wraps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

from interpreter.ir import nodes as n
from interpreter.ir.facts import Fact, facts
from interpreter.ir.flow import defined

Interval: TypeAlias = "tuple[int, int]"

FULL: Final = (-(1 << 31), (1 << 31) - 1)
FLAG: Final = (0, 1)
ROUNDS: Final = 4
"""After so many rounds a growing interval is given up."""


def wrapped(value: int) -> int:
    """The value as a register keeps it, in 32 bits."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def widest(kind: n.RegType, words: int) -> Interval:
    """Everything that a register can hold."""
    return (0, (1 << 64 * words) - 1) if kind == "s" else FULL


class Ranges(dict[str, Interval]):
    """The interval of each register wherever it is; `inside` a block it may be narrower."""

    def __init__(self, function: n.Function) -> None:
        super().__init__()
        self._said: dict[int, dict[str, list[Fact]]] = {}
        for k, found in facts(function).items():
            here = self._said[k] = {}
            for fact in found:
                here.setdefault(fact[0], []).append(fact)

    def at(self, k: int, a: n.Operand) -> Interval | None:
        """What an operand can be in a block, by the branches on the way; none: not known."""
        if isinstance(a, int):
            return (a, a)
        out = self.get(a)
        for _, op, other, holds in self._said.get(k, {}).get(a, ()):
            against = (other, other) if isinstance(other, int) else self.get(other)
            if out is None or against is None:
                continue
            if op == "in":
                low, high = max(out[0], 0), min(out[1], against[1].bit_length() - 1)
                out = (low, high) if low <= high and against[0] >= 0 else out
            else:
                out = refine(op, out, against, holds) or out
        return out

    def inside(self, k: int) -> dict[str, Interval]:
        """All intervals, as they are in a block."""
        said = self._said.get(k, {})
        return self if not said else self | {a: i for a in said if (i := self.at(k, a)) is not None}


def ranges(
    function: n.Function,
    program: n.Program,
    words: int,
    params: Sequence[Interval | None] | None = None,
    answers: Mapping[str, Interval] | None = None,
) -> Ranges:
    """The interval of each register that is ever set.

    ``params``: the intervals of the parameters (none: nobody calls the function); anything if not
    given. ``answers``: those of functions that answer at all; anything if not given.
    """
    known = Ranges(function)
    for k, p in enumerate(function.params):
        given = widest(function.types[p], words) if params is None else params[k]
        if given is not None:
            known[p] = given
    nodes = [
        (k, node, name)
        for k, block in enumerate(function.blocks)
        for node in (*block.code, block.end)
        if node is not None and (name := defined(node)) is not None
    ]
    changed = True
    rounds = 0
    while changed:
        changed = False
        rounds += 1
        for k, node, name in nodes:
            top = widest(function.types[name], words)
            got = _value(node, partial(known.at, k), program, top, answers)
            if got is None:
                continue
            if not (top[0] <= got[0] and got[1] <= top[1]):
                got = top
            old = known.get(name)
            new = got if old is None else (min(old[0], got[0]), max(old[1], got[1]))
            if new != old:
                known[name] = new if rounds < ROUNDS else top
                changed = True
    return known


def refine(op: n.IntOp | str, a: Interval, b: Interval, holds: bool) -> Interval | None:
    """What ``a`` can be where its comparison with ``b`` holds, or does not; none: as before."""
    low, high = a
    match op, holds:
        case "lt", True:
            high = min(high, b[1] - 1)
        case "lt", False:
            low = max(low, b[0])
        case "le", True:
            high = min(high, b[1])
        case "le", False:
            low = max(low, b[0] + 1)
        case ("eq", True) | ("ne", False):
            low, high = max(low, b[0]), min(high, b[1])
        case ("eq", False) | ("ne", True):
            if b[0] == b[1] == low:
                low += 1
            elif b[0] == b[1] == high:
                high -= 1
        case _:
            return None
    return (low, high) if low <= high and (low, high) != a else None


def _value(
    node: n.Instruction | n.Terminator,
    of: Callable[[n.Operand], Interval | None],
    program: n.Program,
    top: Interval,
    answers: Mapping[str, Interval] | None,
) -> Interval | None:
    """The interval of what a node gives; none while an operand has no value yet."""
    match node:
        case n.Copy(_, a):
            return of(a)
        case n.Select(_, _, a, b):
            return joined(of(a), of(b))
        case n.Bin(_, op, a, b):
            left, right = of(a), of(b)
            return None if left is None or right is None else _binary(op, left, right)
        case n.SetBin(_, op, a, b):
            left, right = of(a), of(b)
            return None if left is None or right is None else _sets(op, left, right)
        case n.Not() | n.Has() | n.Within() | n.Covers():
            return FLAG
        case n.Load(_, name, _):
            f = program.fields[name]
            return (min(f.low, f.absent), max(f.high, f.absent))
        case n.LoadSet(_, name, _):
            return (0, (1 << program.set_fields[name].bits) - 1)
        case n.Lookup(_, name, _):
            t = program.tables[name]
            values = (*t.rows, t.absent)
            return (min(values), max(values))
        case n.Contents(_, group) | n.Lying(_, group):
            return (0, (1 << program.groups[group].n) - 1)
        case n.Held(_, name, _):
            return (0, (1 << program.planes[name].n) - 1)
        case n.Preimage(_, name, _):
            return (0, (1 << len(program.tables[name].rows)) - 1)
        case n.Where(_, group, _):
            return (-1, len(program.groups[group].zones) - 1)
        case n.With(_, s, i):
            return _with(of(s), of(i), top)
        case n.Without(_, s, _) | n.Front(_, _, s) | n.Distinct(_, _, s):
            before = of(s)
            return before and (0, before[1])
        case n.Shift(_, s, by):
            before = of(s)
            return before and (0, before[1] << by)
        case n.First(_, s) | n.Order(_, _, s, _):
            before = of(s)
            return before and (-1, before[1].bit_length() - 1)
        case n.Roll(_, s, _):
            before = of(s)
            return before and (0, max(0, before[1].bit_length() - 1))
        case n.Size(_, s):
            before = of(s)
            return before and (0, before[1].bit_length())
        case n.Decide(_, decision, _, _):
            return (0, program.decisions[decision].stages[0].size - 1)
        case n.CallFn(_, fn) | n.Enter(_, fn) if answers is not None:
            # 0 is what a call answers that is unwound
            return joined((0, 0), answers.get(fn))
        case _:
            return top


def joined(a: Interval | None, b: Interval | None) -> Interval | None:
    """What is in one of two intervals; none is empty."""
    if a is None or b is None:
        return a or b
    return (min(a[0], b[0]), max(a[1], b[1]))


def _with(s: Interval | None, i: Interval | None, top: Interval) -> Interval | None:
    if s is None or i is None:
        return None
    bits = max(s[1].bit_length(), i[1] + 1, 0)
    return (0, (1 << bits) - 1) if (1 << min(bits, 1 << 16)) - 1 <= top[1] else top


def _binary(op: n.IntOp, a: Interval, b: Interval) -> Interval:
    match op:
        case "add":
            return (a[0] + b[0], a[1] + b[1])
        case "sub":
            return (a[0] - b[1], a[1] - b[0])
        case "mul":
            corners = [x * y for x in a for y in b]
            return (min(corners), max(corners))
        case "div":
            if b[0] <= 0:
                return FULL if b[0] < 0 else (min(a[0], 0), max(a[1], 0))
            corners = [x // y for x in a for y in b]
            return (min(corners), max(corners))
        case "mod":
            return (min(b[0] + 1, 0), max(b[1] - 1, 0))
        case "min":
            return (min(a[0], b[0]), min(a[1], b[1]))
        case "max":
            return (max(a[0], b[0]), max(a[1], b[1]))
        case "and":
            return (0, min(a[1], b[1])) if a[0] >= 0 and b[0] >= 0 else FULL
        case "or":
            if a[0] < 0 or b[0] < 0:
                return FULL
            return (0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1)
        case "eq" | "ne" | "lt" | "le":
            return FLAG


def _sets(op: n.SetOp, a: Interval, b: Interval) -> Interval:
    match op:
        case "union":
            return (0, (1 << max(a[1].bit_length(), b[1].bit_length())) - 1)
        case "inter":
            return (0, min(a[1], b[1]))
        case "minus":
            return (0, a[1])
        case "same" | "differ" | "within":
            return FLAG
