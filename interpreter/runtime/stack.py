"""The frames in the working state: read, looked through, taken off.

Takes the layout and the machine's buffer; knows nothing of what the functions do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from interpreter.ir.layout import TOP, Layout
from interpreter.ir.linker import Point
from interpreter.runtime.step import Left, fault


class Stack:
    """The chain of frames; a frame is named by its first 64-bit word."""

    def __init__(self, layout: Layout, buffer: bytearray, views: dict[str, memoryview]) -> None:
        self.layout = layout
        self.linked = layout.linked
        self._buffer, self._cells, self._words = buffer, views["i"], views["Q"]
        self._zeros = bytes(layout.size)
        points = self.linked.points
        self._function = [p.function if p is not None else "" for p in points]
        self._width = [self.linked.frames[p.function].width if p is not None else 0 for p in points]
        self.under: list[int] = []
        """First arguments of the plain calls under way that a player may leave."""

    def chain(self) -> Iterator[int]:
        """The frames from the top down."""
        fp: int = self._cells[TOP]
        while fp:
            yield fp
            fp = self._cells[fp + fp]

    def function(self, fp: int) -> str:
        """Whose frame it is."""
        return self._function[self._cells[fp + fp + 1]]

    def point(self, fp: int) -> Point:
        """Where a frame goes on."""
        point = self.linked.points[self._cells[fp + fp + 1]]
        assert point is not None
        return point

    def register(self, fp: int, name: str) -> int:
        """A register that the frame keeps."""
        function = self.function(fp)
        at = self.linked.frames[function].slots[name]
        if self.layout.program.functions[function].types[name] == "i":
            number: int = self._cells[2 * fp + at // 4]
            return number
        words = self._words[fp + at // 8 : fp + at // 8 + self.linked.set_words]
        return int.from_bytes(words.tobytes(), sys.byteorder)

    def put_register(self, fp: int, name: str, value: int) -> None:
        """Write a register that the frame keeps."""
        function = self.function(fp)
        at = self.linked.frames[function].slots[name]
        if self.layout.program.functions[function].types[name] == "i":
            self._cells[2 * fp + at // 4] = value
            return
        for k in range(self.linked.set_words):
            self._words[fp + at // 8 + k] = value >> 64 * k & (1 << 64) - 1

    def locals(self, fp: int) -> dict[str, int]:
        """All registers that the frame keeps at its point."""
        return {name: self.register(fp, name) for name in self.point(fp).live}

    # ------------------------------------------------------------------ taking off

    def pop(self, fp: int) -> None:
        """Take off the top frame, which is ``fp``."""
        cells = self._cells
        width = self._width[cells[fp + fp + 1]]
        cells[TOP] = cells[fp + fp]
        self._buffer[8 * fp : 8 * fp + width] = self._zeros[:width]

    def pop_rule(self, rule: str) -> None:
        """Take off frames up to and with the innermost one of a rule."""
        while fp := self._cells[TOP]:
            found = self.function(fp) == rule
            self.pop(fp)
            if found:
                return
        fault("STOP", -1)

    def pop_to(self, frame: int) -> None:
        """Take off frames up to and with this one."""
        while fp := self._cells[TOP]:
            self.pop(fp)
            if fp == frame:
                return

    def clear(self) -> None:
        """Take off everything."""
        self._buffer[self.layout.frames :] = self._zeros[self.layout.frames :]
        self._cells[TOP] = 0

    # ------------------------------------------------------------------ for generated code

    def within(self, function: str, args: tuple[int, ...]) -> int:
        """Whether a frame of the function is under way with these first arguments."""
        kept = self.linked.frames[function].kept
        for fp in self.chain():
            if self.function(fp) == function and all(
                self.register(fp, param) == arg for param, arg in zip(kept, args, strict=False)
            ):
                return 1
        return 0

    def leave(self, player: int) -> None:
        """Unwind for a player who leaves; nothing where no rule is under way for them."""
        found = 0
        functions = self.layout.program.functions
        for fp in self.chain():
            function = functions[self.function(fp)]
            if function.player_first and self.register(fp, function.params[0]) == player:
                found = fp
        if found:
            raise Left(found, -1)
        for level, first in enumerate(self.under):
            if first == player:
                raise Left(0, level)

    def deeper(self, function: str, limit: int, site: int) -> None:
        """Refuse one more frame of a function that is under way as often as it may be."""
        if sum(self.function(fp) == function for fp in self.chain()) >= limit:
            fault("DEPTH", site)
