"""The meaning of each instruction, as a line of Python.

Takes one instruction; gives the lines that do it. ``H``, ``I`` and ``Q`` are the working state
seen as numbers of 16, 32 and 64 bits; ``fault`` raises; sets are Python integers. A check is left
out where the intervals of the registers make it needless.
"""

from __future__ import annotations

import re
from typing import Final, assert_never

from interpreter.ir import nodes as n
from interpreter.ir.bitsets import MOST_SHIFTS, shifts
from interpreter.ir.flow import COMPARISONS, SET_TESTS
from interpreter.ir.layout import Layout, Words
from interpreter.ir.ranges import FULL, Interval, ranges

BINARY: Final[dict[str, str]] = {
    "add": "{a} + {b}",
    "sub": "{a} - {b}",
    "mul": "{a} * {b}",
    "div": "{a} // {b} if {b} else 0",
    "mod": "{a} % {b} if {b} else 0",
    "min": "{a} if {a} < {b} else {b}",
    "max": "{a} if {a} > {b} else {b}",
    "and": "{a} & {b}",
    "or": "{a} | {b}",
    "eq": "{a} == {b}",
    "ne": "{a} != {b}",
    "lt": "{a} < {b}",
    "le": "{a} <= {b}",
    "union": "{a} | {b}",
    "inter": "{a} & {b}",
    "minus": "{a} & ~{b}",
    "same": "{a} == {b}",
    "differ": "{a} != {b}",
    "within": "not {a} & ~{b}",
}
MAY_WRAP: Final = ("add", "sub", "mul", "div")
MASK: Final = "0xFFFFFFFFFFFFFFFF"


class Templates:
    """The lines for the instructions of one function."""

    def __init__(
        self, layout: Layout, function: n.Function, names: dict[str, str], watch: bool
    ) -> None:
        self.layout = layout
        self.function = function
        self.names = names
        self.watch = watch
        self.site = function.site
        self.intervals = ranges(function, layout.program, layout.linked.set_words)
        self.refined: dict[str, Interval] = {}
        """What the branches on the way here say, where it is narrower."""
        self.bits = 64 * layout.linked.set_words
        self.registers = {
            register: f"r_{clean(register)}_{k}" for k, register in enumerate(function.types)
        }

    def py(self, a: n.Operand) -> str:
        """An operand as Python: a register's name or a constant."""
        if isinstance(a, str):
            return self.registers[a]
        return str(a) if a >= 0 else f"({a})"

    def interval(self, a: n.Operand) -> Interval:
        """What an operand can be."""
        if isinstance(a, int):
            return (a, a)
        return self.refined.get(a) or self.intervals.get(a, FULL)

    def args(self, items: tuple[n.Operand, ...]) -> str:
        """The inside of a call."""
        return ", ".join(self.py(a) for a in items)

    def tuple(self, items: tuple[n.Operand, ...]) -> str:
        """A tuple of operands."""
        return "(" + "".join(self.py(a) + ", " for a in items) + ")"

    def fault(self, code: str, site: int | None = None) -> str:
        """The call that ends the step."""
        return f"fault({code!r}, {self.site if site is None else site})"

    def test(self, node: n.Instruction) -> str | None:
        """The bare condition of an instruction that gives a flag, for use in an ``if``."""
        match node:
            case n.Bin(_, op, a, b) if op in COMPARISONS:
                return BINARY[op].format(a=self.py(a), b=self.py(b))
            case n.SetBin(_, op, a, b) if op in SET_TESTS:
                return BINARY[op].format(a=self.py(a), b=self.py(b))
            case n.Not(_, a):
                return f"not {self.py(a)}"
            case n.Has(_, s, i):
                bit = f"{self.py(s)} >> {self.py(i)} & 1"
                return bit if self.interval(i)[0] >= 0 else f"{self.py(i)} >= 0 and {bit}"
        return None

    def lines(self, node: n.Instruction) -> list[str]:
        """What one instruction does."""
        py = self.py
        match node:
            case n.Copy(d, a):
                return [f"{py(d)} = {py(a)}"]
            case n.Bin(d, op, a, b) | n.SetBin(d, op, a, b):
                return self._binary(d, op, a, b)
            case n.Not(d, a):
                return [f"{py(d)} = 0 if {py(a)} else 1"]
            case n.Select(d, c, a, b):
                return [f"{py(d)} = {py(a)} if {py(c)} else {py(b)}"]
            case n.Load(d, name, i):
                cells = self.layout.fields[name]
                at = self._at(cells.base, i)
                return [f"{py(d)} = " + self._inside(f"{_view(cells.code)}[{at}]", i, -1, cells.n)]
            case n.Store(name, i, a, site):
                cells = self.layout.fields[name]
                out = self._index(i, cells.n) + self._within(a, cells.low, cells.high, site)
                return [*out, f"{_view(cells.code)}[{self._at(cells.base, i)}] = {py(a)}"]
            case n.LoadSet(d, name, i):
                return [f"{py(d)} = " + self._words(self.layout.set_fields[name], i)]
            case n.StoreSet(name, i, a, site):
                return self._store_set(self.layout.set_fields[name], i, a, site)
            case n.Lookup(d, name, i):
                table = self.layout.program.tables[name]
                row = f"{self.names['table ' + name]}[{py(i)}]"
                return [f"{py(d)} = " + self._inside(row, i, -1, len(table.rows))]
            case n.Contents(d, group, z):
                return [f"{py(d)} = " + self._words(self.layout.contents[group], z)]
            case n.Lying(d, group, a, b):
                between = f"lying_{self.names['group ' + group]}({py(a)}, {py(b)})"
                return [f"{py(d)} = {between}"]
            case n.Held(d, name, a):
                return [f"{py(d)} = " + self._held(self.layout.planes[name], a)]
            case n.Preimage(d, name, s):
                return [f"{py(d)} = {preimage(self.layout.program.tables[name].rows, py(s))}"]
            case n.Covers(d, name, i, many, s):
                table = self.layout.program.tables[name]
                rows = f"{self.names['table ' + name]}[{py(i)} : {py(i)} + {many}]"
                any_ = f"int(any(not row & ~{py(s)} for row in {rows}))"
                return [f"{py(d)} = " + self._inside(any_, i, 0, len(table.rows) - many + 1)]
            case n.Where(d, group, p):
                cells = self.layout.zones[group]
                at = self._at(cells.base, p)
                return [f"{py(d)} = " + self._inside(f"{_view(cells.code)}[{at}]", p, -1, cells.n)]
            case n.Move(group, p, z, at_, site):
                return [f"move_{self.names['group ' + group]}({py(p)}, {py(z)}, {py(at_)}, {site})"]
            case n.Swap(group, a, b, site):
                return [f"swap_{self.names['group ' + group]}({py(a)}, {py(b)}, {site})"]
            case n.Mix(group, z, site):
                return [f"mix_{self.names['group ' + group]}({py(z)}, {site})"]
            case n.Has(d, s, i):
                rest = "" if self.interval(i)[0] >= 0 else f" if {py(i)} >= 0 else 0"
                return [f"{py(d)} = {py(s)} >> {py(i)} & 1{rest}"]
            case n.With(d, s, i):
                value = self._inside(f"{py(s)} | 1 << {py(i)}", i, 0, self.bits)
                none = "" if self.interval(i)[0] >= 0 else f"{py(s)} if {py(i)} == -1 else "
                return [f"{py(d)} = {none}{value}"]
            case n.Without(d, s, i):
                low, high = self.interval(i)
                sure = low >= 0 and high < self.bits
                rest = "" if sure else f" if 0 <= {py(i)} < {self.bits} else {py(s)}"
                return [f"{py(d)} = {py(s)} & ~(1 << {py(i)}){rest}"]
            case n.Shift(d, s, by):
                out = [f"{py(d)} = {py(s)} << {by}"]
                if self.interval(s)[1] << by >> self.bits:
                    out.append(f"if {py(d)} >> {self.bits}: {self.fault('INDEX')}")
                return out
            case n.First(d, s):
                return [f"{py(d)} = ({py(s)} & -{py(s)}).bit_length() - 1"]
            case n.Size(d, s):
                return [f"{py(d)} = ({py(s)}).bit_count()"]
            case n.Order(d, group, s, end):
                return [f"{py(d)} = {end}_{self.names['group ' + group]}({py(s)})"]
            case n.Front(d, group, s):
                return [f"{py(d)} = front_{self.names['group ' + group]}({py(s)})"]
            case n.Distinct(d, group, s):
                return [f"{py(d)} = distinct_{self.names['group ' + group]}({py(s)})"]
            case n.Gain(name, i, a, site):
                return self._gain(name, i, a, site)
            case n.Roll(d, s, label, site):
                return [f"{py(d)} = roll({py(s)}, {label!r}, {self._place(site)})"]
            case n.Check(c, code, site):
                return [f"if not {py(c)}: {self.fault(code, site)}"]
            case n.Emit(event, args, site):
                line = f"record('emit', {event!r}, {self.tuple(args)}, {site})"
                return [line] if self.watch else []
            case n.CallFn(d, fn, args, _):
                return [f"{py(d)} = {self.names[fn]}({self.args(args)})"]
            case n.Within(d, fn, args):
                return [f"{py(d)} = within({fn!r}, {self.tuple(args)})"]
            case n.Fuel():
                return ["fuel[0] -= 1", f"if fuel[0] < 0: {self.fault('FUEL')}"]
            case _:
                assert_never(node)

    def _binary(self, d: str, op: str, a: n.Operand, b: n.Operand) -> list[str]:
        text = BINARY[op].format(a=self.py(a), b=self.py(b))
        if op in COMPARISONS or op in SET_TESTS:
            return [f"{self.py(d)} = 1 if {text} else 0"]
        out = [f"{self.py(d)} = {text}"]
        if op in MAY_WRAP and self.intervals.get(d, FULL) == FULL:
            name = self.py(d)
            out.append(f"if not -0x80000000 <= {name} <= 0x7FFFFFFF: {name} = wrap({name})")
        return out

    def _at(self, base: int, i: n.Operand) -> str:
        return str(base + i) if isinstance(i, int) else f"{base} + {self.py(i)}"

    def _sure(self, i: n.Operand, low: int, n_: int) -> bool:
        least, most = self.interval(i)
        return low <= least and most < n_

    def _inside(self, value: str, i: n.Operand, low: int, n_: int) -> str:
        """A value that may be asked for only where ``i`` is in low..n-1."""
        if self._sure(i, low, n_):
            return value
        return f"{value} if {low} <= {self.py(i)} < {n_} else {self.fault('INDEX')}"

    def _index(self, i: n.Operand, n_: int) -> list[str]:
        if self._sure(i, 0, n_):
            return []
        return [f"if not 0 <= {self.py(i)} < {n_}: {self.fault('INDEX')}"]

    def _place(self, site: int) -> int:
        """The place of an instruction, or that of the function where it has none."""
        return site if site >= 0 else self.site

    def _within(self, a: n.Operand, low: int, high: int, site: int) -> list[str]:
        if self._sure(a, low, high + 1):
            return []
        fault = self.fault("RANGE", self._place(site))
        return [f"if not {low} <= {self.py(a)} <= {high}: {fault}"]

    def _words(self, words: Words, i: n.Operand) -> str:
        if words.words == 1:
            return self._inside(f"Q[{self._at(words.base, i)}]", i, -1, words.n)
        at = self._row(words, i)
        parts = [f"Q[{at}]"] + [f"Q[{at} + {k}] << {64 * k}" for k in range(1, words.words)]
        return self._inside("(" + " | ".join(parts) + ")", i, -1, words.n)

    def _held(self, words: Words, a: n.Operand) -> str:
        """A class of a plane; the empty set in front for what is none."""
        if self._sure(a, 0, words.n):
            return self._words(words, a)
        if isinstance(a, int):
            return "0"
        return f"{self._words(words, a)} if 0 <= {self.py(a)} < {words.n} else 0"

    def _row(self, words: Words, i: n.Operand) -> str:
        if isinstance(i, int):
            return str(words.base + words.words * i)
        return f"{words.base} + {words.words} * {self.py(i)}"

    def _store_set(self, words: Words, i: n.Operand, a: n.Operand, site: int) -> list[str]:
        out = self._index(i, words.n) + self._within(a, 0, (1 << words.bits) - 1, site)
        if words.words == 1:
            return [*out, f"Q[{self._at(words.base, i)}] = {self.py(a)}"]
        at = self._row(words, i)
        return out + [
            f"Q[{at} + {k}] = {self.py(a)} >> {64 * k} & {MASK}" for k in range(words.words)
        ]

    def _gain(self, name: str, i: n.Operand, a: n.Operand, site: int) -> list[str]:
        cells = self.layout.fields[name]
        here = f"{_view(cells.code)}[{self._at(cells.base, i)}]"
        low, high = cells.low, cells.high
        out = self._index(i, cells.n)
        out.append(f"new = {here} + {self.py(a)}")
        out.append(f"new = {low} if new < {low} else {high} if new > {high} else new")
        if self.watch:
            out.append(
                f"if {self.py(a)}: record('gain', {name!r}, ({self.py(i)}, new - {here}), {site})"
            )
        return [*out, f"{here} = new"]


def clean(name: str) -> str:
    """A name with only what Python allows inside one."""
    return re.sub(r"[^a-zA-Z0-9]+", "_", name)


def _view(code: str) -> str:
    return code.upper()


def preimage(rows: tuple[int, ...], s: str) -> str:
    """The members that a table leads into a set."""
    parts = shifts(rows)
    if not parts:
        return "0"
    if len(parts) > MOST_SHIFTS:
        return f"sum(1 << k for k, row in enumerate({rows}) if row >= 0 and {s} >> row & 1)"
    return " | ".join(
        f"({s} & {members}) " + (f"<< {by}" if by >= 0 else f">> {-by}") for by, members in parts
    )
