"""The instructions on groups of pieces as LLVM functions, for each group its own.

Takes a group and where it lies; gives text. They mean what `interpreter.runtime.pieces` does:
places of an ordered zone run from 0 without a hole, pieces may share one, a zone that keeps gaps
has slots. A fault is recorded and the function returns: what it leaves behind is never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter.native.module import Module
from interpreter.native.text import Code


def groups_text(module: Module) -> str:
    """The functions of all groups, and their tables."""
    return "\n".join(_Group(module, name).text() for name in module.program.groups)


class _Group:
    def __init__(self, module: Module, name: str) -> None:
        self.module = module
        self.group = module.program.groups[name]
        self.id = module.groups[name]
        layout = module.layout
        self.where = layout.zones[name]
        self.rows = layout.contents[name]
        self.places = layout.places.get(name)
        self.bits = 64 * self.rows.words
        self.tables: list[str] = []
        zones, n = self.group.zones, self.group.n
        self.capacities = [z.capacity if z.capacity >= 0 else n for z in zones]
        self.ordered = [int(z.ordered) for z in zones]
        self.gaps = [int(z.keeps_gaps) for z in zones]

    def text(self) -> str:
        """All of them."""
        parts = [
            self._move(),
            self._swap(),
            self._mix(),
            self._extreme("least"),
            self._extreme("most"),
        ]
        parts += [self._front(), self._distinct()]
        if self.places is not None:
            parts += [self._close(), self._open()]
        return "\n".join([*self.tables, *(line for code in parts for line in code.lines)])

    # ------------------------------------------------------------------ small parts

    def _function(self, head: str) -> Code:
        code = Code(self.module.bits)
        code.lines.append(head)
        code.label("entry")
        return code

    def _fault(self, code: Code, name: str, site: str) -> None:
        code.put(f"call void @fault(ptr %C, i64 {self.module.faults[name]}, i64 {site})")

    def _table(self, code: Code, what: str, values: Sequence[int], i: str) -> str:
        """A number of each zone (or piece); a constant where they are all alike."""
        if len(set(values)) == 1:
            return str(values[0])
        home = f"@{what}.{self.id}"
        line = f"{home} = internal unnamed_addr constant [{len(values)} x i32] "
        line += f"[{', '.join(f'i32 {v}' for v in values)}]"
        if line not in self.tables:
            self.tables.append(line)
        place = code.op(f"getelementptr i32, ptr {home}, i64 {code.widen(i)}")
        return code.load(32, place)

    def _test(self, code: Code, value: str) -> str:
        """A number as a bit."""
        return (
            str(int(value != "0")) if not value.startswith("%") else code.compare("ne", value, "0")
        )

    def _given(self, code: Code, result: str) -> str:
        """The set that was given, in the width of the group; a fault where it holds more."""
        if self.group.n < self.module.bits:
            above = code.op(f"lshr {code.sets} %s, {self.group.n}")
            on, bad = code.name("on"), code.name("bad")
            code.branch(code.compare("eq", above, "0", code.sets), on, bad, likely=True)
            code.label(bad)
            self._fault(code, "INDEX", "-1")
            code.put(result)
            code.label(on)
        return code.resize("%s", self.module.bits, self.bits)

    # ------------------------------------------------------------------ moving

    def _move(self) -> Code:
        code = self._function(
            f"define internal void @move.{self.id}(ptr noalias %S, ptr noalias %C, i32 %p, "
            "i32 %z, i32 %at, i32 %site) nounwind {"
        )
        type_ = f"i{self.bits}"
        code.put("%site64 = sext i32 %site to i64")
        some, out, good, full, room = (
            code.name(k) for k in ("some", "out", "good", "full", "room")
        )
        bad, there = code.name("bad"), code.name("there")
        code.branch(code.compare("eq", "%p", "-1"), out, some)
        code.label(some)
        piece = code.compare("ult", "%p", str(self.group.n))
        zone = code.compare("ult", "%z", str(len(self.group.zones)))
        code.branch(code.op(f"and i1 {piece}, {zone}"), good, bad, likely=True)
        code.label(bad)
        self._fault(code, "INDEX", "%site64")
        code.jump(out)
        code.label(good)
        where = code.cell_place(self.where, "%p")
        width = 8 * self.where.width
        old = code.resize(code.load(width, where), width, 32, signed=True)
        code.branch(code.compare("eq", old, "%z"), out, there)
        code.label(there)
        held = code.count(code.load_set(self.rows, "%z"), self.bits)
        capacity = self._table(code, "capacity", self.capacities, "%z")
        code.branch(code.compare("slt", held, capacity), room, full, likely=True)
        code.label(full)
        self._fault(code, "FULL", "%site64")
        code.jump(out)
        code.label(room)
        if self.places is not None:
            code.put(f"call void @close.{self.id}(ptr %S, i32 {old}, i32 %p)")
            opened = code.op(
                f"call i1 @open.{self.id}(ptr %S, ptr %C, i32 %z, i32 %p, i32 %at, i64 %site64)"
            )
            moves = code.name("moves")
            code.branch(opened, moves, out, likely=True)
            code.label(moves)
        bit = code.bit("%p", self.bits)
        for zone, how in ((old, "xor"), ("%z", "or")):
            place = code.set_place(self.rows, zone)
            code.store(
                self.bits, place, code.op(f"{how} {type_} {code.load(self.bits, place)}, {bit}")
            )
        code.put_cell(self.where, where, "%z")
        code.jump(out)
        code.label(out)
        code.put("ret void")
        return code.closed()

    def _swap(self) -> Code:
        code = self._function(
            f"define internal void @swap.{self.id}(ptr noalias %S, ptr noalias %C, i32 %a, "
            "i32 %b, i32 %site) nounwind {"
        )
        type_ = f"i{self.bits}"
        some, out, good, bad = (code.name(k) for k in ("some", "out", "good", "bad"))
        none = code.op(f"or i1 {code.compare('eq', '%a', '-1')}, {code.compare('eq', '%b', '-1')}")
        none = code.op(f"or i1 {none}, {code.compare('eq', '%a', '%b')}")
        code.branch(none, out, some)
        code.label(some)
        n = str(self.group.n)
        both = code.op(f"and i1 {code.compare('ult', '%a', n)}, {code.compare('ult', '%b', n)}")
        code.branch(both, good, bad, likely=True)
        code.label(bad)
        self._fault(code, "INDEX", code.op("sext i32 %site to i64"))
        code.jump(out)
        code.label(good)
        za, zb = code.load_cell(self.where, "%a"), code.load_cell(self.where, "%b")
        for piece, old, new in (("%a", za, zb), ("%b", zb, za)):
            place = code.set_place(self.rows, old)
            code.store(self.bits, place, self._less(code, code.load(self.bits, place), piece))
            place = code.set_place(self.rows, new)
            bit = code.bit(piece, self.bits)
            held = code.load(self.bits, place)
            code.store(self.bits, place, code.op(f"or {type_} {held}, {bit}"))
            code.store_cell(self.where, piece, new)
        if self.places is not None:
            pa, pb = code.load_cell(self.places, "%a"), code.load_cell(self.places, "%b")
            code.store_cell(self.places, "%a", pb)
            code.store_cell(self.places, "%b", pa)
        code.jump(out)
        code.label(out)
        code.put("ret void")
        return code.closed()

    def _close(self) -> Code:
        """Take a piece out of the order of a zone."""
        assert self.places is not None
        code = self._function(
            f"define internal void @close.{self.id}(ptr noalias %S, i32 %z, i32 %p) nounwind {{"
        )
        at = code.load_cell(self.places, "%p")
        code.store_cell(self.places, "%p", 0)
        ordered = self._test(code, self._table(code, "ordered", self.ordered, "%z"))
        gaps = self._test(code, self._table(code, "gaps", self.gaps, "%z"))
        row, out = code.name("row"), code.name("out")
        code.branch(code.op(f"and i1 {ordered}, {code.op(f'xor i1 {gaps}, true')}"), row, out)
        code.label(row)
        there = code.load_set(self.rows, "%z")
        rest = self._less(code, there, "%p")
        with code.members(rest, self.bits) as m:
            on = code.name("on")
            code.branch(code.compare("eq", code.load_cell(self.places, m), at), out, on)
            code.label(on)
        with code.members(rest, self.bits) as m:
            place = code.load_cell(self.places, m)
            with code.when(code.compare("sgt", place, at)):
                code.store_cell(self.places, m, code.op(f"sub i32 {place}, 1"))
        code.jump(out)
        code.label(out)
        code.put("ret void")
        return code.closed()

    def _less(self, code: Code, s: str, p: str) -> str:
        type_ = f"i{self.bits}"
        return code.op(f"and {type_} {s}, {code.op(f'xor {type_} {code.bit(p, self.bits)}, -1')}")

    def _open(self) -> Code:
        """Make room in the order of a zone; whether there is some."""
        assert self.places is not None
        code = self._function(
            f"define internal i1 @open.{self.id}(ptr noalias %S, ptr noalias %C, i32 %z, i32 %p, "
            "i32 %at, i64 %site) nounwind {"
        )
        code.put("%best = alloca i32")
        row, flat, slots, places = (code.name(k) for k in ("row", "flat", "slots", "places"))
        code.branch(self._test(code, self._table(code, "ordered", self.ordered, "%z")), row, flat)
        code.label(flat)
        code.store_cell(self.places, "%p", 0)
        code.put("ret i1 true")
        code.label(row)
        there = code.load_set(self.rows, "%z")
        gaps = self._test(code, self._table(code, "gaps", self.gaps, "%z"))
        code.branch(gaps, slots, places)
        code.label(slots)
        self._slot(code, there)
        code.label(places)
        code.put("store i32 -1, ptr %best")
        with code.members(there, self.bits) as m:
            best = code.op("load i32, ptr %best")
            code.put(
                f"store i32 {code.clip('smax', best, code.load_cell(self.places, m))}, ptr %best"
            )
        end = code.op(f"add i32 {code.op('load i32, ptr %best')}, 1")
        at = code.clip("smin", code.clip("smax", "%at", 0), end)
        with code.members(there, self.bits) as m:
            place = code.load_cell(self.places, m)
            with code.when(code.compare("sge", place, at)):
                code.store_cell(self.places, m, code.op(f"add i32 {place}, 1"))
        code.store_cell(self.places, "%p", at)
        code.put("ret i1 true")
        return code.closed()

    def _slot(self, code: Code, there: str) -> None:
        """The slot that is asked for, or the first free one."""
        assert self.places is not None
        asked, search, taken, look = (code.name(k) for k in ("asked", "search", "taken", "look"))
        size = self._table(code, "capacity", self.capacities, "%z")
        code.branch(code.compare("ult", "%at", size), asked, search)
        code.label(asked)
        with code.members(there, self.bits) as m:
            on = code.name("on")
            code.branch(code.compare("eq", code.load_cell(self.places, m), "%at"), taken, on)
            code.label(on)
        code.store_cell(self.places, "%p", "%at")
        code.put("ret i1 true")
        code.label(taken)
        self._fault(code, "FULL", "%site")
        code.put("ret i1 false")
        code.label(search)
        code.put("store i32 0, ptr %best")
        code.jump(look)
        code.label(look)
        k = code.op("load i32, ptr %best")
        with code.members(there, self.bits) as m:
            same, on = code.name("same"), code.name("on")
            code.branch(code.compare("eq", code.load_cell(self.places, m), k), same, on)
            code.label(same)
            code.put(f"store i32 {code.op(f'add i32 {k}, 1')}, ptr %best")
            code.jump(look)
            code.label(on)
        code.store_cell(self.places, "%p", k)
        code.put("ret i1 true")

    def _mix(self) -> Code:
        code = self._function(
            f"define internal void @mix.{self.id}(ptr noalias %S, ptr noalias %C, i32 %z, "
            "i32 %site) nounwind {"
        )
        inside, bad, good = code.name("inside"), code.name("bad"), code.name("good")
        code.branch(code.compare("ult", "%z", str(len(self.group.zones))), inside, bad, likely=True)
        code.label(inside)
        code.branch(self._test(code, self._table(code, "gaps", self.gaps, "%z")), bad, good)
        code.label(bad)
        self._fault(code, "INDEX", code.op("sext i32 %site to i64"))
        code.put("ret void")
        code.label(good)
        if self.places is not None:
            with code.members(code.load_set(self.rows, "%z"), self.bits) as m:
                code.store_cell(self.places, m, 0)
        code.put("ret void")
        return code.closed()

    # ------------------------------------------------------------------ asking

    def _asking(self, part: str, result: str) -> Code:
        return self._function(
            f"define internal {result} @{part}.{self.id}(ptr noalias %S, ptr noalias %C, "
            f"{self.module.sets} %s) nounwind {{"
        )

    def _unless_several(self, code: Code, s: str, none: str, one: Callable[[str], str]) -> None:
        """Answer at once where the set has no member, or one."""
        type_ = f"i{self.bits}"
        some, empty, single, several = (
            code.name(k) for k in ("some", "empty", "single", "several")
        )
        code.branch(code.compare("eq", s, "0", type_), empty, some)
        code.label(empty)
        code.put(none)
        code.label(some)
        rest = code.op(f"and {type_} {s}, {code.op(f'sub {type_} {s}, 1')}")
        code.branch(code.compare("eq", rest, "0", type_), single, several)
        code.label(single)
        code.put(one(code.lowest(s, self.bits, sure=True)))
        code.label(several)

    def _extreme(self, end: str) -> Code:
        code = self._asking(end, "i32")
        code.put("%best = alloca i32")
        code.put("%found = alloca i32")
        code.put("store i32 -1, ptr %found")
        code.put("store i32 0, ptr %best")
        s = self._given(code, "ret i32 -1")
        if self.places is None:
            none = code.compare("eq", s, "0", f"i{self.bits}")
            code.put(f"ret i32 {code.select(none, '-1', code.lowest(s, self.bits))}")
            return code.closed()
        self._unless_several(code, s, "ret i32 -1", lambda m: f"ret i32 {m}")
        with code.members(s, self.bits) as m:
            place = code.load_cell(self.places, m)
            best, found = code.op("load i32, ptr %best"), code.op("load i32, ptr %found")
            nearer = code.compare("slt" if end == "least" else "sgt", place, best)
            first = code.compare("slt", found, "0")
            with code.when(code.op(f"or i1 {nearer}, {first}")):
                code.put(f"store i32 {place}, ptr %best")
                code.put(f"store i32 {m}, ptr %found")
        code.put(f"ret i32 {code.op('load i32, ptr %found')}")
        return code.closed()

    def _front(self) -> Code:
        code = self._asking("front", self.module.sets)
        type_ = f"i{self.bits}"
        if self.places is None:
            code.put(f"ret {self.module.sets} %s")
            return code.closed()
        code.put("%best = alloca i32")
        code.put(f"%out = alloca {type_}")
        code.put("store i32 -1, ptr %best")
        code.put(f"store {type_} 0, ptr %out")
        s = self._given(code, f"ret {self.module.sets} 0")
        same = f"ret {self.module.sets} %s"
        self._unless_several(code, s, same, lambda _: same)
        with code.members(s, self.bits) as m:
            best = code.op("load i32, ptr %best")
            code.put(
                f"store i32 {code.clip('smax', best, code.load_cell(self.places, m))}, ptr %best"
            )
        top = code.op("load i32, ptr %best")
        with code.members(s, self.bits) as m:
            highest = code.compare("eq", code.load_cell(self.places, m), top)
            with code.when(highest):
                self._collect(code, m)
        out = code.op(f"load {type_}, ptr %out")
        code.put(f"ret {self.module.sets} {code.resize(out, self.bits, self.module.bits)}")
        return code.closed()

    def _collect(self, code: Code, m: str) -> None:
        type_ = f"i{self.bits}"
        out = code.op(f"load {type_}, ptr %out")
        code.put(
            f"store {type_} {code.op(f'or {type_} {out}, {code.bit(m, self.bits)}')}, ptr %out"
        )

    def _distinct(self) -> Code:
        code = self._asking("distinct", self.module.sets)
        type_ = f"i{self.bits}"
        code.put(f"%out = alloca {type_}")
        code.put(f"store {type_} 0, ptr %out")
        s = self._given(code, f"ret {self.module.sets} 0")
        if len(set(self.group.alike)) == self.group.n:
            code.put(f"ret {self.module.sets} %s")
            return code.closed()
        with code.members(s, self.bits) as m:
            number = self._table(code, "alike", self.group.alike, m)
            zone = code.load_cell(self.where, m)
            known = code.name("known")
            with code.members(code.op(f"load {type_}, ptr %out"), self.bits) as other:
                on = code.name("on")
                same = code.compare(
                    "eq", self._table(code, "alike", self.group.alike, other), number
                )
                there = code.compare("eq", code.load_cell(self.where, other), zone)
                code.branch(code.op(f"and i1 {same}, {there}"), known, on)
                code.label(on)
            self._collect(code, m)
            code.jump(known)
            code.label(known)
        out = code.op(f"load {type_}, ptr %out")
        code.put(f"ret {self.module.sets} {code.resize(out, self.bits, self.module.bits)}")
        return code.closed()
