"""The instructions on groups of pieces as LLVM functions, for each group its own.

Takes a group and where it lies; gives text. They mean what `interpreter.runtime.pieces` does:
places of an ordered zone run from 0 without a hole, pieces may share one, a zone that keeps gaps
has slots. A fault is recorded and the function returns: what it leaves behind is never looked at.
"""

from __future__ import annotations

from interpreter.ir import nodes as n
from interpreter.ir.layout import planes_of
from interpreter.native.module import Module
from interpreter.native.orders import Orders
from interpreter.native.text import Code


def groups_text(module: Module) -> str:
    """The functions of all groups, and their tables."""
    return "\n".join(_Group(module, name).text() for name in module.program.groups)


class _Group(Orders):
    def text(self) -> str:
        """All of them."""
        parts = [
            self._move(),
            self._swap(),
            self.mix(),
            self.extreme("least"),
            self.extreme("most"),
        ]
        parts += [self.front(), self._distinct()]
        if self.places is not None:
            parts += [self.close(), self.open()]
        return "\n".join([*self.tables, *(line for code in parts for line in code.lines)])

    def _move(self) -> Code:
        code = self.function(
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
        self.fault(code, "INDEX", "%site64")
        code.jump(out)
        code.label(good)
        where = code.cell_place(self.where, "%p")
        width = 8 * self.where.width
        old = code.resize(code.load(width, where), width, 32, signed=True)
        code.branch(code.compare("eq", old, "%z"), out, there)
        code.label(there)
        if min(self.capacities) < self.group.n:
            held = code.count(code.load_set(self.rows, "%z"), self.bits)
            capacity = self.table(code, "capacity", self.capacities, "%z")
            code.branch(code.compare("slt", held, capacity), room, full, likely=True)
            code.label(full)
            self.fault(code, "FULL", "%site64")
            code.jump(out)
        else:
            code.jump(room)
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
        self._show(code, "%p", [(old, False), ("%z", True)])
        code.jump(out)
        code.label(out)
        code.put("ret void")
        return code.closed()

    def _show(self, code: Code, piece: str, zones: list[tuple[str, bool]]) -> None:
        """Bring the planes in step with zones that the piece has left, or come into."""
        for plane in planes_of(self.module.program, self.group.name):
            home = self.module.layout.planes[plane.name]
            bits = 64 * home.words
            classes = [c if c >= 0 else plane.many for c in plane.classes]
            class_ = self.table(code, f"class.{plane.base}", classes, piece)
            counts, out = code.name("counts"), code.name("out")
            if class_.startswith("%"):
                code.branch(code.compare("ult", class_, str(plane.many)), counts, out, likely=True)
            else:
                code.jump(counts)
            code.label(counts)
            place = code.set_place(home, class_)
            shown = code.load(bits, place)
            for zone, comes in zones:
                k = code.op(f"sub i32 {zone}, {plane.base}")
                inside = code.compare("ult", k, str(plane.n))
                bit = code.bit(code.select(inside, k, "0"), bits)
                if not comes and not self._alone(plane):
                    held = code.op(
                        f"and i{self.bits} {self._kind(code, plane, class_)}, "
                        f"{code.load_set(self.rows, zone)}"
                    )
                    last = code.compare("eq", held, "0", f"i{self.bits}")
                    inside = code.op(f"and i1 {inside}, {last}")
                if comes:
                    new = code.op(f"or i{bits} {shown}, {bit}")
                else:
                    new = code.op(f"and i{bits} {shown}, {code.op(f'xor i{bits} {bit}, -1')}")
                shown = code.select(inside, new, shown, f"i{bits}")
            code.store(bits, place, shown)
            code.jump(out)
            code.label(out)

    def _alone(self, plane: n.Plane) -> bool:
        """Whether each zone of a plane is for one piece."""
        zones = self.group.zones[plane.base : plane.base + plane.n]
        return all(zone.capacity in (0, 1) for zone in zones)

    def _kind(self, code: Code, plane: n.Plane, class_: str) -> str:
        """The pieces of a class."""
        kinds = [
            sum(1 << p for p, c in enumerate(plane.classes) if c == k) for k in range(plane.many)
        ]
        type_ = f"i{self.bits}"
        home = f"@kinds.{self.id}.{plane.base}"
        rows = ", ".join(f"{type_} {kind}" for kind in kinds)
        line = f"{home} = internal unnamed_addr constant [{len(kinds)} x {type_}] [{rows}]"
        if line not in self.tables:
            self.tables.append(line)
        place = code.op(f"getelementptr {type_}, ptr {home}, i64 {code.widen(class_)}")
        return code.load(self.bits, place, 8)

    def _swap(self) -> Code:
        code = self.function(
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
        self.fault(code, "INDEX", code.op("sext i32 %site to i64"))
        code.jump(out)
        code.label(good)
        za, zb = code.load_cell(self.where, "%a"), code.load_cell(self.where, "%b")
        for piece, old, new in (("%a", za, zb), ("%b", zb, za)):
            place = code.set_place(self.rows, old)
            code.store(self.bits, place, self.less(code, code.load(self.bits, place), piece))
            place = code.set_place(self.rows, new)
            bit = code.bit(piece, self.bits)
            held = code.load(self.bits, place)
            code.store(self.bits, place, code.op(f"or {type_} {held}, {bit}"))
            code.store_cell(self.where, piece, new)
        self._show(code, "%a", [(za, False), (zb, True)])
        self._show(code, "%b", [(zb, False), (za, True)])
        if self.places is not None:
            pa, pb = code.load_cell(self.places, "%a"), code.load_cell(self.places, "%b")
            code.store_cell(self.places, "%a", pb)
            code.store_cell(self.places, "%b", pa)
        code.jump(out)
        code.label(out)
        code.put("ret void")
        return code.closed()

    def _alike(self, code: Code, piece: str) -> str:
        """The pieces that cannot be told apart from one."""
        alike, type_ = self.group.alike, f"i{self.bits}"
        kinds: dict[int, int] = {}
        for p, number in enumerate(alike):
            kinds[number] = kinds.get(number, 0) | 1 << p
        rows = ", ".join(f"{type_} {kinds[number]}" for number in alike)
        home = f"@alike.{self.id}"
        self.tables.append(
            f"{home} = internal unnamed_addr constant [{len(alike)} x {type_}] [{rows}]"
        )
        place = code.op(f"getelementptr {type_}, ptr {home}, i64 {code.widen(piece)}")
        return code.load(self.bits, place, 8)

    def _collect(self, code: Code, m: str) -> None:
        type_ = f"i{self.bits}"
        out = code.op(f"load {type_}, ptr %out")
        code.put(
            f"store {type_} {code.op(f'or {type_} {out}, {code.bit(m, self.bits)}')}, ptr %out"
        )

    def _distinct(self) -> Code:
        code = self.asking("distinct", self.module.sets)
        type_ = f"i{self.bits}"
        code.put(f"%out = alloca {type_}")
        code.put(f"store {type_} 0, ptr %out")
        s = code.resize("%s", self.module.bits, self.bits)
        if len(set(self.group.alike)) == self.group.n:
            code.put(f"ret {self.module.sets} %s")
            return code.closed()
        # what is like one that is kept goes with it: as many rounds as there are kinds
        before, head, round_, done = (code.name(k) for k in ("before", "each", "round", "done"))
        code.jump(before)
        code.label(before)
        code.jump(head)
        code.label(head)
        left, fewer = code.name("%left"), code.name("%fewer")
        code.put(f"{left} = phi {type_} [ {s}, %{before} ], [ {fewer}, %{round_} ]")
        code.branch(code.compare("eq", left, "0", type_), done, round_)
        code.label(round_)
        first = code.lowest(left, self.bits, sure=True)
        self._collect(code, first)
        there = code.load_set(self.rows, code.load_cell(self.where, first))
        same = code.op(f"and {type_} {there}, {self._alike(code, first)}")
        code.put(f"{fewer} = and {type_} {left}, {code.op(f'xor {type_} {same}, -1')}")
        code.jump(head)
        code.label(done)
        out = code.op(f"load {type_}, ptr %out")
        code.put(f"ret {self.module.sets} {code.resize(out, self.bits, self.module.bits)}")
        return code.closed()
