"""The meaning of each instruction as LLVM text.

Takes one instruction of a function; writes what it does. A check that fails records the fault and
leaves the function: callers go on with 0, and the step is void in the end. A check is left out
where the interval of the register makes it needless.
"""

from __future__ import annotations

from typing import Final, assert_never

from interpreter.ir import nodes as n
from interpreter.ir.flow import COMPARISONS, SET_TESTS
from interpreter.ir.layout import TOP, Cells, Words
from interpreter.ir.ranges import FULL, Interval
from interpreter.ir.whole import intervals
from interpreter.native import context
from interpreter.native.division import floored
from interpreter.native.module import FOUND, NO_MORE, Module
from interpreter.native.places import Row
from interpreter.native.text import Code
from interpreter.native.vectors import covers, preimage

PREDICATES: Final = {
    "eq": "eq",
    "ne": "ne",
    "lt": "slt",
    "le": "sle",
    "same": "eq",
    "differ": "ne",
}
WRAPPING: Final = {"add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or"}


class Instructions(Code):
    """Writes the instructions of one function."""

    def __init__(self, module: Module, function: n.Function) -> None:
        super().__init__(module.bits)
        self.module = module
        self.layout = module.layout
        self.function = function
        self.site = function.site
        self.ranges = intervals(module.linked, function)
        self.intervals: dict[str, Interval] = self.ranges
        """What registers can hold in the block that is written."""
        self.registers = {name: f"%r{k}" for k, name in enumerate(function.types)}
        self.leaves = False
        """Whether something goes to the common way out."""

    # ------------------------------------------------------------------ registers

    def read(self, a: n.Operand) -> str:
        """The value of an operand."""
        if isinstance(a, int):
            return str(a)
        type_ = self.module.type(self.function.types[a])
        return self.op(f"load {type_}, ptr {self.registers[a]}")

    def write(self, d: str, value: str) -> None:
        """Set a register."""
        type_ = self.module.type(self.function.types[d])
        if type_ != "i32" and self.bits > 64 and value.startswith("%"):
            low, high = self.ranges.get(d, FULL)
            if low >= 0 and high >> 64 == 0:  # the compiler need not carry the rest
                value = self.resize(self.resize(value, self.bits, 64), 64, self.bits)
        self.put(f"store {type_} {value}, ptr {self.registers[d]}")

    def interval(self, a: n.Operand) -> Interval:
        """What an operand can be."""
        return (a, a) if isinstance(a, int) else self.intervals.get(a, FULL)

    def sure(self, a: n.Operand, low: int, high: int) -> bool:
        """Whether an operand is always in low..high."""
        least, most = self.interval(a)
        return low <= least and most <= high

    # ------------------------------------------------------------------ checks

    def require(self, ok: str, code: str, site: int | None = None) -> None:
        """A fault, and out of the function, where a bit is not set."""
        on, bad = self.name("on"), self.name("bad")
        self.branch(ok, on, bad, likely=True)
        self.label(bad)
        self.fault(code, self.site if site is None else site)
        self.jump("leave")
        self.leaves = True
        self.label(on)

    def _place(self, site: int) -> int:
        """The place of an instruction, or that of the function where it has none."""
        return site if site >= 0 else self.site

    def fault(self, code: str, site: int) -> None:
        """Record a fault; the first one counts."""
        self.put(f"call void @fault(ptr %C, i64 {self.module.faults[code]}, i64 {site})")

    def index(self, i: n.Operand, low: int, count: int) -> str:
        """An index that must be in low..count-1, where low is 0 or -1."""
        value = self.read(i)
        if not self.sure(i, low, count - 1):
            moved = value if low == 0 else self.op(f"add i32 {value}, {-low}")
            self.require(self.compare("ult", moved, str(count - low)), "INDEX")
        return value

    # ------------------------------------------------------------------ instructions

    def instruction(self, node: n.Instruction) -> None:
        """What one instruction does."""
        layout = self.layout
        match node:
            case n.Copy(d, a):
                self.write(d, self.read(a))
            case n.Bin(d, op, a, b):
                self.write(d, self._binary(op, a, b))
            case n.SetBin(d, op, a, b):
                self.write(d, self._sets(op, self.read(a), self.read(b)))
            case n.Not(d, a):
                self.write(d, self.flag(self.compare("eq", self.read(a), "0")))
            case n.Select(d, c, a, b):
                test = self.compare("ne", self.read(c), "0")
                type_ = self.module.type(self.function.types[d])
                self.write(d, self.select(test, self.read(a), self.read(b), type_))
            case n.Load(d, name, i):
                cells = layout.fields[name]
                self.write(d, self.load_cell(cells, self.index(i, -1, cells.n)))
            case n.Store(name, i, a, site):
                self._store(layout.fields[name], i, a, self._place(site))
            case n.LoadSet(d, name, i):
                self._load_words(d, layout.set_fields[name], i)
            case n.StoreSet(name, i, a, site):
                self._store_set(layout.set_fields[name], i, a, self._place(site))
            case n.Lookup(d, name, i):
                self._lookup(d, name, i)
            case n.Lying(d, group, a, b):
                words = layout.contents[group]
                row = Row(self, layout.zones[group], 64 * words.words)
                many = len(self.module.program.groups[group].zones)
                found = row.between(self._clipped(a, many), self._clipped(b, many))
                self.write(d, self.resize(found, 64 * words.words, self.bits))
            case n.Contents(d, group, z):
                self._load_words(d, layout.contents[group], z)
            case n.Held(d, name, a):
                self._held(d, layout.planes[name], a)
            case n.Preimage(d, name, s):
                rows = self.module.program.tables[name].rows
                self.write(d, preimage(self, rows, self.read(s)))
            case n.Covers(d, name, i, many, s):
                rows = self.module.program.tables[name].rows
                at = self.index(i, 0, len(rows) - many + 1)
                found = covers(self, self.module.tables[name], at, many, self.read(s))
                self.write(d, self.flag(found))
            case n.Where(d, group, p):
                cells = layout.zones[group]
                self.write(d, self.load_cell(cells, self.index(p, -1, cells.n)))
            case n.Move(group, p, z, at, site):
                values = ", ".join(f"i32 {self.read(x)}" for x in (p, z, at))
                self._group("void", "move", group, f"{values}, i32 {site}")
            case n.Swap(group, a, b, site):
                values = ", ".join(f"i32 {self.read(x)}" for x in (a, b))
                self._group("void", "swap", group, f"{values}, i32 {site}")
            case n.Mix(group, z, site):
                self._group("void", "mix", group, f"i32 {self.read(z)}, i32 {site}")
            case n.Has(d, s, i):
                self.write(d, self._has(self.read(s), i))
            case n.With(d, s, i):
                self.write(d, self._with(s, i))
            case n.Without(d, s, i):
                self.write(d, self._without(s, i))
            case n.Shift(d, s, by):
                self.write(d, self._shift(s, by))
            case n.First(d, s):
                self.write(d, self._first(s))
            case n.Size(d, s):
                self.write(d, self.count(self.read(s), self.bits))
            case n.Order(d, group, s, end):
                self.write(d, self._group("i32", end, group, self._pieces(group, s)))
            case n.Front(d, group, s):
                if group in layout.places:
                    self.write(d, self._group(self.sets, "front", group, self._pieces(group, s)))
                else:
                    self.write(d, self.read(s))
            case n.Distinct(d, group, s):
                self.write(d, self._group(self.sets, "distinct", group, self._pieces(group, s)))
            case n.Gain(name, i, a, _):
                self._gain(layout.fields[name], i, a)
            case n.Roll(d, s, label, site):
                self._roll(d, s, label, self._place(site))
            case n.Check(c, code, site):
                self.require(self.compare("ne", self.read(c), "0"), code, site)
            case n.Emit():
                pass
            case n.CallFn():
                self._call(node)
            case n.Within(d, fn, args):
                self.write(d, self._within(fn, args))
            case n.Fuel():
                left = self.op(f"sub i64 {self.get(context.FUEL)}, 1")
                self.set(context.FUEL, left)
                self.require(self.compare("sge", left, "0", "i64"), "FUEL")
            case _:
                assert_never(node)

    def _clipped(self, a: n.Operand, high: int) -> str:
        """An integer in 0..high, the next where it is outside."""
        value = self.read(a)
        if self.sure(a, 0, high):
            return value
        return self.clip("smin", self.clip("smax", value, 0), high)

    # ------------------------------------------------------------------ numbers and sets

    def _binary(self, op: n.IntOp, a: n.Operand, b: n.Operand) -> str:
        left, right = self.read(a), self.read(b)
        if op in COMPARISONS:
            return self.flag(self.compare(PREDICATES[op], left, right))
        if op in WRAPPING:
            return self.op(f"{WRAPPING[op]} i32 {left}, {right}")
        if op in ("min", "max"):
            return self.clip("s" + op, left, right)
        return self._divide(op, a, b, left, right)

    def _divide(self, op: str, a: n.Operand, b: n.Operand, left: str, right: str) -> str:
        """Division that floors; 0 for a zero divisor."""
        if self.interval(a)[0] >= 0 and self.interval(b)[0] > 0:
            return self.op(f"{'udiv' if op == 'div' else 'urem'} i32 {left}, {right}")
        return floored(self, op, left, right)

    def _sets(self, op: n.SetOp, a: str, b: str) -> str:
        type_ = self.sets
        match op:
            case "union":
                return self.op(f"or {type_} {a}, {b}")
            case "inter":
                return self.op(f"and {type_} {a}, {b}")
            case "minus" | "within":
                rest = self.op(f"and {type_} {a}, {self.op(f'xor {type_} {b}, -1')}")
                return rest if op == "minus" else self.flag(self.compare("eq", rest, "0", type_))
            case "same" | "differ":
                assert op in SET_TESTS
                return self.flag(self.compare(PREDICATES[op], a, b, type_))

    def _has(self, s: str, i: n.Operand) -> str:
        value = self.read(i)
        inside = self.sure(i, 0, self.bits - 1)
        near = value if inside else self.op(f"and i32 {value}, {self.bits - 1}")
        if not inside and self.bits & (self.bits - 1):
            near = self.select(self.compare("ult", value, str(self.bits)), value, "0")
        moved = self.op(f"lshr {self.sets} {s}, {self.resize(near, 32, self.bits)}")
        got = self.op(f"and i32 {self.resize(moved, self.bits, 32)}, 1")
        if inside:
            return got
        return self.select(self.compare("ult", value, str(self.bits)), got, "0")

    def _with(self, s: n.Operand, i: n.Operand) -> str:
        before, value = self.read(s), self.index(i, -1, self.bits)
        if self.interval(i)[0] >= 0:
            return self.op(f"or {self.sets} {before}, {self.bit(value, self.bits)}")
        none = self.compare("eq", value, "-1")
        bit = self.bit(self.select(none, "0", value), self.bits)
        after = self.op(f"or {self.sets} {before}, {bit}")
        return self.select(none, before, after, self.sets)

    def _without(self, s: n.Operand, i: n.Operand) -> str:
        before, value = self.read(s), self.read(i)
        inside = self.compare("ult", value, str(self.bits))
        sure = self.sure(i, 0, self.bits - 1)
        bit = self.bit(value if sure else self.select(inside, value, "0"), self.bits)
        after = self.op(f"and {self.sets} {before}, {self.op(f'xor {self.sets} {bit}, -1')}")
        return after if sure else self.select(inside, after, before, self.sets)

    def _shift(self, s: n.Operand, by: int) -> str:
        before = self.read(s)
        if by == 0:
            return before
        if self.interval(s)[1] << by >> self.bits:
            lost = self.op(f"lshr {self.sets} {before}, {self.bits - by}")
            self.require(self.compare("eq", lost, "0", self.sets), "INDEX")
        return self.op(f"shl {self.sets} {before}, {by}")

    def _first(self, s: n.Operand) -> str:
        members = self.read(s)
        none = self.compare("eq", members, "0", self.sets)
        return self.select(none, "-1", self.lowest(members, self.bits))

    # ------------------------------------------------------------------ fields and tables

    def _store(self, cells: Cells, i: n.Operand, a: n.Operand, site: int) -> None:
        at = self.index(i, 0, cells.n)
        value = self.read(a)
        if not self.sure(a, cells.low, cells.high):
            span = cells.high - cells.low
            moved = self.op(f"sub i32 {value}, {cells.low}")
            if span < (1 << 32) - 1:
                self.require(self.compare("ule", moved, str(span)), "RANGE", site)
        self.store_cell(cells, at, value)

    def _gain(self, cells: Cells, i: n.Operand, a: n.Operand) -> None:
        place = self.cell_place(cells, self.index(i, 0, cells.n))
        bits = 8 * cells.width
        before = self.resize(self.load(bits, place), bits, 64, signed=True)
        more = self.widen(self.read(a))
        new = self.op(f"add i64 {before}, {more}")
        new = self.clip("smin", self.clip("smax", new, cells.low, "i64"), cells.high, "i64")
        self.store(bits, place, self.resize(new, 64, bits))

    def _load_words(self, d: str, words: Words, i: n.Operand) -> None:
        got = self.load_set(words, self.index(i, -1, words.n))
        self.write(d, self.resize(got, 64 * words.words, self.bits))

    def _held(self, d: str, words: Words, a: n.Operand) -> None:
        """A class of a plane; what is none reads the empty set in front."""
        class_ = self.read(a)
        if not self.sure(a, 0, words.n - 1):
            class_ = self.select(self.compare("ult", class_, str(words.n)), class_, "-1")
        got = self.load_set(words, class_)
        self.write(d, self.resize(got, 64 * words.words, self.bits))

    def _store_set(self, words: Words, i: n.Operand, a: n.Operand, site: int) -> None:
        at = self.index(i, 0, words.n)
        value = self.read(a)
        if words.bits < self.bits and not self.sure(a, 0, (1 << words.bits) - 1):
            above = self.op(f"lshr {self.sets} {value}, {words.bits}")
            self.require(self.compare("eq", above, "0", self.sets), "RANGE", site)
        bits = 64 * words.words
        place = self.set_place(words, at)
        self.store(bits, place, self.resize(value, self.bits, bits) if bits < self.bits else value)

    def _lookup(self, d: str, name: str, i: n.Operand) -> None:
        table = self.module.program.tables[name]
        at = self.index(i, -1, len(table.rows))
        row = self.widen(at) if at.startswith("%") else at
        type_ = self.module.type(table.type)
        home = self.module.tables[name]
        first = self.op(f"getelementptr {type_}, ptr {home}, i64 1")
        place = self.op(f"getelementptr {type_}, ptr {first}, i64 {row}")
        self.write(d, self.op(f"load {type_}, ptr {place}"))

    # ------------------------------------------------------------------ calls

    def _group(self, type_: str, part: str, group: str, args: str) -> str:
        name = f"@{part}.{self.module.groups[group]}"
        if type_ != "void":
            return self.op(f"call {type_} {name}(ptr %S, ptr %C, {args})")
        self.put(f"call void {name}(ptr %S, ptr %C, {args})")
        return ""

    def _pieces(self, group: str, s: n.Operand) -> str:
        """A set that must hold nothing but pieces of the group."""
        many = self.module.program.groups[group].n
        value = self.read(s)
        if many < self.bits and not self.sure(s, 0, (1 << many) - 1):
            above = self.op(f"lshr {self.sets} {value}, {many}")
            self.require(self.compare("eq", above, "0", self.sets), "INDEX", -1)
        return f"{self.sets} {value}"

    def _roll(self, d: str, s: n.Operand, label: str, site: int) -> None:
        members = self.read(s)
        self.require(self.compare("ne", members, "0", self.sets), "EMPTY", site)
        number = self.module.labels.index(label)
        self.write(
            d, self.op(f"call i32 @roll(ptr %S, ptr %C, {self.sets} {members}, i32 {number})")
        )

    def _call(self, node: n.CallFn) -> None:
        target = self.module.program.functions[node.fn]
        given = "".join(
            f", {self.module.type(target.types[p])} {self.read(a)}"
            for p, a in zip(target.params, node.args, strict=True)
        )
        kind = self.module.answers[node.fn]
        type_ = self.module.type(kind)
        got = self.op(f"call {type_} {self.module.fn(node.fn)}(ptr %S, ptr %C{given})")
        if kind == "s" and self.function.types[node.d] == "i":
            got = self.resize(got, self.bits, 32)
        self.write(node.d, got)
        if node.fn in self.module.linked.unwinds:
            self._unwound(node.fn)

    def _unwound(self, fn: str) -> None:
        """After a call that may unwind: go on, or out of this function too."""
        on, some, here, mine = (self.name(k) for k in ("on", "some", "here", "mine"))
        what = self.get(context.UNWIND)
        self.branch(self.compare("eq", what, "0", "i64"), on, some, likely=True)
        self.label(some)
        rule = context.FIRST_RULE + self.module.number[fn]
        stopped = self.compare("eq", what, str(rule), "i64")
        if self.module.leavable(fn):
            self.branch(stopped, mine, here)
            self.label(here)
            left = self.compare("eq", what, str(context.LEAVING_CALL), "i64")
            level = self.compare("eq", self.get(context.TARGET), self.get(context.LEVELS), "i64")
            self.branch(self.op(f"and i1 {left}, {level}"), mine, "leave")
        else:
            self.branch(stopped, mine, "leave")
        self.leaves = True
        self.label(mine)
        self.set(context.UNWIND, 0)
        self.jump(on)
        self.label(on)

    # ------------------------------------------------------------------ frames

    def frame_place(self, fp: str) -> str:
        """Where the frame lies that begins at a 64-bit word of the state."""
        return self.op(f"getelementptr i64, ptr %S, i64 {self.resize(fp, 32, 64)}")

    def _within(self, fn: str, args: tuple[n.Operand, ...]) -> str:
        frame = self.module.linked.frames[fn]
        types = self.module.program.functions[fn].types
        values = [self.read(a) for a in args]
        before, head, look, again, after = (
            self.name(k) for k in ("before", "each", "look", "again", "after")
        )
        self.jump(before)
        self.label(before)
        top = self.header(TOP)
        self.jump(head)
        self.label(head)
        fp, below = self.name("%fp"), self.name("%below")
        self.put(f"{fp} = phi i32 [ {top}, %{before} ], [ {below}, %{again} ]")
        self.branch(self.compare("eq", fp, "0"), after, look)
        self.label(look)
        place = self.frame_place(fp)
        point = self.load(32, self.at(4, place))
        home = self.op(
            f"getelementptr i8, ptr {self.module.search(fn)}, i64 {self.resize(point, 32, 64)}"
        )
        kind, maybe = self.load(8, home), self.name("maybe")
        found = f"i8 {FOUND}, label %{maybe} i8 {NO_MORE}, label %{after}"
        self.put(f"switch i8 {kind}, label %{again} [{found}]")
        self.label(maybe)
        same = "true"
        for param, value in zip(frame.kept, values, strict=False):
            bits = 32 if types[param] == "i" else self.bits
            kept = self.load(bits, self.at(frame.slots[param], place))
            same = self.op(f"and i1 {same}, {self.compare('eq', kept, value, f'i{bits}')}")
        self.branch(same, after, again)
        self.label(again)
        self.put(f"{below} = load i32, ptr {place}, align 4")
        self.jump(head)
        self.label(after)
        return self.op(f"phi i32 [ 0, %{head} ], [ 0, %{look} ], [ 1, %{maybe} ]")
