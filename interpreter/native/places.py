"""The places of a group's pieces, many at once: tests and changes on vectors of cells.

Takes where the places lie; writes vector steps. A row is cut into chunks of at most 64 cells, and
a chunk is as wide as a power of two, so that it may reach past the last piece: what lies there is
written back as it was. The layout sees to it that a state is long enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from interpreter.ir.layout import Cells, chunks_of
from interpreter.native.text import Code

REDUCED: Final = ("smax", "smin")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Cells ``first`` to ``first + lanes``; the LLVM types of the numbers and of the tests."""

    first: int
    lanes: int
    number: str
    test: str


def declarations(all_cells: list[Cells]) -> list[str]:
    """The intrinsics that rows of these cells need."""
    out = set()
    for cells in all_cells:
        for _, lanes in chunks_of(cells.n):
            bits = 8 * cells.width
            for how in REDUCED:
                name = f"@llvm.vector.reduce.{how}.v{lanes}i{bits}"
                out.add(f"declare i{bits} {name}(<{lanes} x i{bits}>)")
    return sorted(out)


class Row:
    """The places of one group, read once; sets are numbers of ``bits`` bits."""

    def __init__(self, code: Code, cells: Cells, bits: int) -> None:
        self.code = code
        self.cells = cells
        self.bits = bits
        self.width = 8 * cells.width
        self.chunks = [
            Chunk(first, lanes, f"<{lanes} x i{self.width}>", f"<{lanes} x i1>")
            for first, lanes in chunks_of(cells.n)
        ]
        self.values = [
            code.op(f"load {c.number}, ptr {self._place(c)}, align {cells.width}")
            for c in self.chunks
        ]

    def _place(self, chunk: Chunk) -> str:
        return self.code.at(self.cells.offset + self.cells.width * chunk.first)

    def _tests(self, s: str) -> Iterator[str]:
        """A set as one bit for each cell."""
        for c in self.chunks:
            part = self.code.op(f"lshr i{self.bits} {s}, {c.first}") if c.first else s
            part = self.code.resize(part, self.bits, c.lanes)
            yield self.code.op(f"bitcast i{c.lanes} {part} to {c.test}")

    def _all(self, chunk: Chunk, number: str) -> str:
        """A number in every cell of a chunk; it is a 32-bit number."""
        code, type_ = self.code, chunk.number
        small = code.resize(number, 32, self.width) if number.startswith("%") else number
        one = code.op(f"insertelement {type_} poison, i{self.width} {small}, i32 0")
        zeros = f"<{chunk.lanes} x i32> zeroinitializer"
        return code.op(f"shufflevector {type_} {one}, {type_} poison, {zeros}")

    def best(self, s: str, how: str, none: int) -> str:
        """The largest (smax) or smallest (smin) place of a set; ``none`` where it is empty."""
        code, out = self.code, ""
        for c, value, test in zip(self.chunks, self.values, self._tests(s), strict=True):
            kept = code.op(
                f"select {c.test} {test}, {c.number} {value}, {c.number} {self._all(c, str(none))}"
            )
            name = f"@llvm.vector.reduce.{how}.v{c.lanes}i{self.width}"
            got = code.op(f"call i{self.width} {name}({c.number} {kept})")
            got = code.resize(got, self.width, 32, signed=True)
            out = code.clip(how, out, got) if out else got
        return out

    def those(self, s: str, how: str, number: str) -> str:
        """Those of a set whose place compares with a number."""
        code, out = self.code, ""
        for c, value, test in zip(self.chunks, self.values, self._tests(s), strict=True):
            same = code.op(f"icmp {how} {c.number} {value}, {self._all(c, number)}")
            bits = code.op(
                f"bitcast {c.test} {code.op(f'and {c.test} {same}, {test}')} to i{c.lanes}"
            )
            part = code.resize(bits, c.lanes, self.bits)
            if c.first:
                part = code.op(f"shl i{self.bits} {part}, {c.first}")
            out = code.op(f"or i{self.bits} {out}, {part}") if out else part
        return out

    def between(self, low: str, end: str) -> str:
        """Those whose number is at least ``low`` and before ``end``, as a set."""
        code, out = self.code, ""
        span = code.clip("smax", code.op(f"sub i32 {end}, {low}"), 0)
        for c, value in zip(self.chunks, self.values, strict=True):
            moved = code.op(f"sub {c.number} {value}, {self._all(c, low)}")
            test = code.op(f"icmp ult {c.number} {moved}, {self._all(c, span)}")
            there = min(c.lanes, self.cells.n - c.first)
            part = code.op(f"bitcast {c.test} {test} to i{c.lanes}")
            if there < c.lanes:
                part = code.op(f"and i{c.lanes} {part}, {(1 << there) - 1}")
            part = code.resize(part, c.lanes, self.bits)
            if c.first:
                part = code.op(f"shl i{self.bits} {part}, {c.first}")
            out = code.op(f"or i{self.bits} {out}, {part}") if out else part
        return out

    def add(self, s: str, by: int) -> None:
        """Change the places of a set."""
        for k, test in enumerate(self._tests(s)):
            c, value = self.chunks[k], self.values[k]
            ones = self.code.op(f"sext {c.test} {test} to {c.number}")
            how = "sub" if by == 1 else "add"
            self.values[k] = self.code.op(f"{how} {c.number} {value}, {ones}")

    def put(self, s: str, number: str) -> None:
        """Give the pieces of a set one place."""
        code = self.code
        for k, test in enumerate(self._tests(s)):
            c, value = self.chunks[k], self.values[k]
            given = self._all(c, number)
            self.values[k] = code.op(
                f"select {c.test} {test}, {c.number} {given}, {c.number} {value}"
            )

    def store(self) -> None:
        """Write the row, all of it: what is read after a store of some lanes has to wait, so LLVM
        must not make one of this (it leaves volatile stores as they are)."""
        for c, value in zip(self.chunks, self.values, strict=True):
            self.code.put(
                f"store volatile {c.number} {value}, ptr {self._place(c)}, align {self.cells.width}"
            )
