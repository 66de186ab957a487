"""The order of the pieces in a zone: a place taken, closed or mixed, and the ends of an order.

Takes a group and where it lies; gives the text of functions, with vectors over all places of the
group. Places of an ordered zone run from 0 without a hole, pieces may share one, a zone that keeps
gaps has slots; where there is no order the place is 0.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native.group import GroupPart
from interpreter.native.places import Row
from interpreter.native.text import Code


class Orders(GroupPart):
    """``close``, ``open``, ``mix``, ``least``, ``most``, ``front``."""

    def close(self) -> Code:
        """Take a piece out of the order of a zone."""
        assert self.places is not None
        code = self.function(
            f"define internal void @close.{self.id}(ptr noalias %S, i32 %z, i32 %p) nounwind {{"
        )
        ordered = self.test(code, self.table(code, "ordered", self.ordered, "%z"))
        gaps = self.test(code, self.table(code, "gaps", self.gaps, "%z"))
        row, flat, slot = code.name("row"), code.name("flat"), code.name("slot")
        more = code.name("more")
        # where there is no order the place is 0 already
        code.branch(ordered, more, flat)
        code.label(more)
        code.branch(gaps, slot, row)
        code.label(slot)
        code.store_cell(self.places, "%p", 0)
        code.jump(flat)
        code.label(flat)
        code.put("ret void")
        code.label(row)
        at = code.load_cell(self.places, "%p")
        rest = self.less(code, code.load_set(self.rows, "%z"), "%p")
        places = Row(code, self.places, self.bits)
        shared = code.compare("ne", places.those(rest, "eq", at), "0", f"i{self.bits}")
        above = places.those(rest, "sgt", at)
        places.add(code.select(shared, "0", above, f"i{self.bits}"), -1)
        places.put(code.bit("%p", self.bits), "0")
        places.store()
        code.put("ret void")
        return code.closed()

    def open(self) -> Code:
        """Make room in the order of a zone; whether there is some."""
        assert self.places is not None
        code = self.function(
            f"define internal i1 @open.{self.id}(ptr noalias %S, ptr noalias %C, i32 %z, i32 %p, "
            "i32 %at, i64 %site) nounwind {"
        )
        code.put("%best = alloca i32")
        row, flat, slots, places = (code.name(k) for k in ("row", "flat", "slots", "places"))
        code.branch(self.test(code, self.table(code, "ordered", self.ordered, "%z")), row, flat)
        code.label(flat)
        code.put("ret i1 true")
        code.label(row)
        there = code.load_set(self.rows, "%z")
        gaps = self.test(code, self.table(code, "gaps", self.gaps, "%z"))
        code.branch(gaps, slots, places)
        code.label(slots)
        self.slot(code, there)
        code.label(places)
        held = Row(code, self.places, self.bits)
        end = code.op(f"add i32 {held.best(there, 'smax', -1)}, 1")
        at = code.clip("smin", code.clip("smax", "%at", 0), end)
        held.add(held.those(there, "sge", at), 1)
        held.put(code.bit("%p", self.bits), at)
        held.store()
        code.put("ret i1 true")
        return code.closed()

    def slot(self, code: Code, there: str) -> None:
        """The slot that is asked for, or the first free one."""
        assert self.places is not None
        asked, search, taken, look = (code.name(k) for k in ("asked", "search", "taken", "look"))
        size = self.table(code, "capacity", self.capacities, "%z")
        code.branch(code.compare("ult", "%at", size), asked, search)
        code.label(asked)
        with code.members(there, self.bits) as m:
            on = code.name("on")
            code.branch(code.compare("eq", code.load_cell(self.places, m), "%at"), taken, on)
            code.label(on)
        code.store_cell(self.places, "%p", "%at")
        code.put("ret i1 true")
        code.label(taken)
        self.fault(code, "FULL", "%site")
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

    def mix(self) -> Code:
        """Give all pieces of a zone one place."""
        code = self.function(
            f"define internal void @mix.{self.id}(ptr noalias %S, ptr noalias %C, i32 %z, "
            "i32 %site) nounwind {"
        )
        inside, bad, good = code.name("inside"), code.name("bad"), code.name("good")
        code.branch(code.compare("ult", "%z", str(len(self.group.zones))), inside, bad, likely=True)
        code.label(inside)
        code.branch(self.test(code, self.table(code, "gaps", self.gaps, "%z")), bad, good)
        code.label(bad)
        self.fault(code, "INDEX", code.op("sext i32 %site to i64"))
        code.put("ret void")
        code.label(good)
        if self.places is not None:
            places = Row(code, self.places, self.bits)
            places.put(code.load_set(self.rows, "%z"), "0")
            places.store()
        code.put("ret void")
        return code.closed()

    def unless_several(self, code: Code, s: str, none: str, one: Callable[[str], str]) -> None:
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

    def extreme(self, end: str) -> Code:
        """The piece at one end of the order, of a set."""
        code = self.asking(end, "i32")
        s = code.resize("%s", self.module.bits, self.bits)
        if self.places is None:
            none = code.compare("eq", s, "0", f"i{self.bits}")
            code.put(f"ret i32 {code.select(none, '-1', code.lowest(s, self.bits))}")
            return code.closed()
        self.unless_several(code, s, "ret i32 -1", lambda m: f"ret i32 {m}")
        places = Row(code, self.places, self.bits)
        least = end == "least"
        most = (1 << (places.width - 1)) - 1
        best = places.best(s, "smin" if least else "smax", most if least else -1)
        nearest = places.those(s, "eq", best)
        code.put(f"ret i32 {code.lowest(nearest, self.bits, sure=True)}")
        return code.closed()

    def front(self) -> Code:
        """Those of a set whose place is the highest."""
        code = self.asking("front", self.module.sets)
        if self.places is None:
            code.put(f"ret {self.module.sets} %s")
            return code.closed()
        s = code.resize("%s", self.module.bits, self.bits)
        same = f"ret {self.module.sets} %s"
        self.unless_several(code, s, same, lambda _: same)
        places = Row(code, self.places, self.bits)
        out = places.those(s, "eq", places.best(s, "smax", -1))
        code.put(f"ret {self.module.sets} {code.resize(out, self.bits, self.module.bits)}")
        return code.closed()
