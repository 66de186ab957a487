"""Writing LLVM text: names for values and labels, loads and stores, loops over a set.

Takes instructions one by one; gives the lines of one function. Values are strings: ``%t4``, ``7``.
``%S`` is the state and ``%C`` the context in every function.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from interpreter.ir.layout import Cells, Words

LIKELY: Final = "!prof !0"


class Code:
    """The lines of one function, with what is needed to write them."""

    def __init__(self, bits: int) -> None:
        self.lines: list[str] = []
        self.sets = f"i{bits}"
        """The LLVM type of a set."""
        self.bits = bits
        self._count = 0

    # ------------------------------------------------------------------ lines

    def put(self, line: str) -> None:
        """One instruction that gives nothing."""
        self.lines.append("  " + line)

    def op(self, text: str) -> str:
        """One instruction; the name of what it gives."""
        self._count += 1
        name = f"%t{self._count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def name(self, stem: str) -> str:
        """A label that no other block has."""
        self._count += 1
        return f"{stem}{self._count}"

    def label(self, name: str) -> None:
        """A block begins."""
        self.lines.append(name + ":")

    def jump(self, to: str) -> None:
        """Go on at a label."""
        self.put(f"br label %{to}")

    def branch(self, c: str, yes: str, no: str, likely: bool = False) -> None:
        """Go on at one of two labels; ``likely``: nearly always at the first."""
        self.put(f"br i1 {c}, label %{yes}, label %{no}" + (f", {LIKELY}" if likely else ""))

    # ------------------------------------------------------------------ values

    def compare(self, how: str, a: str, b: str, type_: str = "i32") -> str:
        """A flag of one bit."""
        return self.op(f"icmp {how} {type_} {a}, {b}")

    def select(self, c: str, a: str, b: str, type_: str = "i32") -> str:
        """One of two values."""
        return self.op(f"select i1 {c}, {type_} {a}, {type_} {b}")

    def flag(self, c: str) -> str:
        """A bit as an integer."""
        return self.op(f"zext i1 {c} to i32")

    def resize(self, value: str, before: int, after: int, signed: bool = False) -> str:
        """A number of ``before`` bits in ``after`` bits."""
        if before == after:
            return value
        how = "trunc" if before > after else "sext" if signed else "zext"
        return self.op(f"{how} i{before} {value} to i{after}")

    def widen(self, value: str) -> str:
        """An integer register as a 64-bit index."""
        return value if not value.startswith("%") else self.resize(value, 32, 64, signed=True)

    def count(self, s: str, bits: int) -> str:
        """How many members a set has, as an integer register."""
        return self.resize(self.op(f"call i{bits} @llvm.ctpop.i{bits}(i{bits} {s})"), bits, 32)

    def lowest(self, s: str, bits: int, sure: bool = False) -> str:
        """The smallest member, as an integer register; ``bits`` of the empty set if not sure."""
        zero = "true" if sure else "false"
        found = self.op(f"call i{bits} @llvm.cttz.i{bits}(i{bits} {s}, i1 {zero})")
        return self.resize(found, bits, 32)

    def bit(self, k: str, bits: int) -> str:
        """The set of k alone."""
        return self.op(f"shl i{bits} 1, {self.resize(k, 32, bits)}")

    def clip(self, how: str, a: str, b: int | str, type_: str = "i32") -> str:
        """smin, smax."""
        return self.op(f"call {type_} @llvm.{how}.{type_}({type_} {a}, {type_} {b})")

    def closed(self) -> Code:
        """The text, with the end of its function."""
        self.lines.append("}")
        return self

    # ------------------------------------------------------------------ memory

    def context(self, slot: int) -> str:
        """Where a word of the context lies."""
        return self.op(f"getelementptr i64, ptr %C, i64 {slot}")

    def get(self, slot: int, type_: str = "i64") -> str:
        """A word of the context."""
        return self.op(f"load {type_}, ptr {self.context(slot)}, align 8")

    def set(self, slot: int, value: str | int, type_: str = "i64") -> None:
        """Write a word of the context."""
        self.put(f"store {type_} {value}, ptr {self.context(slot)}, align 8")

    def at(self, offset: int, base: str = "%S") -> str:
        """A byte of the state (or behind another pointer)."""
        return self.op(f"getelementptr i8, ptr {base}, i64 {offset}") if offset else base

    def load(self, bits: int, place: str, align: int = 0) -> str:
        """A number of so many bits."""
        return self.op(f"load i{bits}, ptr {place}, align {align or min(bits // 8, 8)}")

    def store(self, bits: int, place: str, value: str | int) -> None:
        """Write a number of so many bits."""
        self.put(f"store i{bits} {value}, ptr {place}, align {min(bits // 8, 8)}")

    def header(self, cell: int) -> str:
        """A 32-bit cell of the header."""
        return self.load(32, self.at(4 * cell))

    def set_header(self, cell: int, value: str | int) -> None:
        """Write a 32-bit cell of the header."""
        self.store(32, self.at(4 * cell), value)

    def cell_place(self, cells: Cells, i: str) -> str:
        """Where number ``i`` of a field lies."""
        if not i.startswith("%"):
            return self.at(cells.offset + cells.width * int(i))
        base = self.at(cells.offset)
        return self.op(f"getelementptr i{8 * cells.width}, ptr {base}, i64 {self.widen(i)}")

    def load_cell(self, cells: Cells, i: str) -> str:
        """Number ``i`` of a field."""
        bits = 8 * cells.width
        return self.resize(self.load(bits, self.cell_place(cells, i)), bits, 32, signed=True)

    def store_cell(self, cells: Cells, i: str, value: str | int) -> None:
        """Write number ``i`` of a field."""
        self.put_cell(cells, self.cell_place(cells, i), value)

    def put_cell(self, cells: Cells, place: str, value: str | int) -> None:
        """Write a number at a place that ``cell_place`` gave."""
        bits = 8 * cells.width
        text = str(value)
        self.store(bits, place, self.resize(text, 32, bits) if text.startswith("%") else text)

    def set_place(self, words: Words, i: str) -> str:
        """Where set ``i`` lies."""
        if not i.startswith("%"):
            return self.at(words.offset + 8 * words.words * int(i))
        base = self.at(words.offset)
        return self.op(f"getelementptr [{words.words} x i64], ptr {base}, i64 {self.widen(i)}")

    def load_set(self, words: Words, i: str) -> str:
        """Set ``i`` in the width that it is kept in."""
        return self.load(64 * words.words, self.set_place(words, i))

    # ------------------------------------------------------------------ loops

    @contextmanager
    def members(self, s: str, bits: int) -> Iterator[str]:
        """What is written inside is done for each member of a set, from the smallest."""
        before, head, body, again, after = (
            self.name(k) for k in ("before", "each", "body", "again", "after")
        )
        self.jump(before)
        self.label(before)
        self.jump(head)
        self.label(head)
        rest, less = self.name("%rest"), self.name("%less")
        self.put(f"{rest} = phi i{bits} [ {s}, %{before} ], [ {less}, %{again} ]")
        self.branch(self.compare("eq", rest, "0", f"i{bits}"), after, body)
        self.label(body)
        member = self.lowest(rest, bits, sure=True)
        yield member
        self.jump(again)
        self.label(again)
        fewer = self.op(f"sub i{bits} {rest}, 1")
        self.put(f"{less} = and i{bits} {rest}, {fewer}")
        self.jump(head)
        self.label(after)

    @contextmanager
    def when(self, c: str, likely: bool = False) -> Iterator[None]:
        """What is written inside is done where ``c``; it must not leave."""
        yes, after = self.name("yes"), self.name("on")
        self.branch(c, yes, after, likely)
        self.label(yes)
        yield
        self.jump(after)
        self.label(after)
