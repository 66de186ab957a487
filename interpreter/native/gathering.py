"""Pieces of neighbouring zones, gathered with one look at where each piece lies.

Takes a linked function; gives one that does the same, or the same object. In

    for x in S: all := all + the pieces in zone x + k

where S is known to be a run of numbers without a hole, the zones that are meant are a run too.
"""

from __future__ import annotations

from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.linker import Linked
from interpreter.native.loops import Loop, Loops

FEWEST: Final = 4
"""Zones that are looked into one by one are fewer."""


def gathered(linked: Linked, function: n.Function) -> n.Function:
    """The function with such loops made one step."""
    return _Gatherer(linked, function).run()


class _Gatherer(Loops):
    def run(self) -> n.Function:
        """Loop by loop."""
        done: set[int] = set()
        while True:
            self.look()
            loop = next((x for x in self.loops() if x.head not in done), None)
            if loop is None:
                return self.f if self.changed else self.original
            done.add(loop.head)
            self._gather(loop)

    def _gather(self, loop: Loop) -> None:
        if not self.leads_to(loop.body, loop.head) or self.breaks(loop):
            return
        if not self.entered_once(loop.head, loop.blocks):
            return
        by = 0
        match self.f.blocks[loop.body].code:
            case [n.Without(left, before, x), n.Bin(z, "add", x2, int(more)), *rest] if (
                left == before == loop.left and x == x2 == loop.x
            ):
                by = more
            case [n.Without(left, before, x), *rest] if left == before == loop.left and (
                x == loop.x
            ):
                z = loop.x
            case _:
                return
        match rest:
            case [n.Contents(c, group, z2), n.SetBin(d, "union", a, b)] if (
                z2 == z and d == a and c == b and d not in (c, loop.left)
            ):
                pass
            case _:
                return
        if {c, z, loop.x} & self.live[loop.exit] or not self._run(loop.left):
            return
        low, many = self.intervals.get(loop.left, (0, 0))
        if low < 0 or many.bit_length() + by > len(self.program.groups[group].zones):
            return
        self._put(loop, by, group, d)

    def _run(self, left: str) -> bool:
        """Whether a set has no hole, and is often large."""
        for node in self.definitions.get(left, ()):
            match node:
                case n.Copy(_, a):
                    rows = (a,) if isinstance(a, int) else self._rows(a)
                    if not rows or not all(_whole(row) for row in rows):
                        return False
                    if max(row.bit_count() for row in rows) < FEWEST:
                        return False
                case n.Without(d, s, _) if d == s:
                    pass
                case _:
                    return False
        return True

    def _rows(self, register: str) -> tuple[int, ...]:
        """All that a register can be; nothing where that is not known."""
        match self.definitions.get(register):
            case [n.Lookup(_, name, _)]:
                table = self.program.tables[name]
                return (*table.rows, table.absent)
            case _:
                return ()

    def _put(self, loop: Loop, by: int, group: str, d: str) -> None:
        names = {}
        for stem, kind in (
            ("low", "i"),
            ("size", "i"),
            ("from", "i"),
            ("end", "i"),
            ("found", "s"),
        ):
            self.fresh += 1
            name = f"{stem}.lying~{self.fresh}"
            self.f.types[name] = "s" if kind == "s" else "i"
            names[stem] = name
        code: list[n.Instruction] = [
            n.First(names["low"], loop.left),
            n.Size(names["size"], loop.left),
            n.Bin(names["from"], "add", names["low"], by),
            n.Bin(names["end"], "add", names["from"], names["size"]),
            n.Lying(names["found"], group, names["from"], names["end"]),
            n.SetBin(d, "union", d, names["found"]),
            n.Copy(loop.left, 0),
        ]
        self.insert(loop, code)


def _whole(s: int) -> bool:
    """Whether a set is a run without a hole."""
    low = s & -s
    return s == 0 or (s // low) & (s // low + 1) == 0
