"""The Python functions of a program, each made from the IR when it is first called.

Takes a layout and what generated code may call; gives functions by name, resume functions by
point, options functions by point. Start-up of a large game costs nothing for what is never called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from interpreter.ir import nodes as n
from interpreter.ir.layout import Layout
from interpreter.ir.linker import Point
from interpreter.ir.ranges import wrapped
from interpreter.runtime.codegen import options_source, source
from interpreter.runtime.pieces import group_ops
from interpreter.runtime.step import Ended, Left, MachineError, Stopped, Watch, fault
from interpreter.runtime.templates import clean

Resume: TypeAlias = "Callable[[int, int, int], int | None]"
"""Takes the frame, the point, and what came back there."""

GROUP_PARTS = ("move", "swap", "lying", "mix", "least", "most", "front", "distinct")


class Library:
    """Generated functions, and the names that they see each other by."""

    def __init__(
        self,
        layout: Layout,
        views: Mapping[str, memoryview],
        watch: Watch | None,
        given: Mapping[str, object],
    ) -> None:
        self.layout = layout
        self.watch = watch is not None
        self._names: dict[str, str] = {}
        self._space: dict[str, Any] = dict(given)
        self.depth: dict[str, int] = {}
        """How often each plain function with a depth is under way."""
        self.resume: list[Resume] = [_nowhere] * len(layout.linked.points)
        self.options: dict[int, Callable[[int], int]] = {}
        self._space.update(depth=self.depth, H=views["h"], I=views["i"], Q=views["Q"])
        self._space.update(fault=fault, Stopped=Stopped, Left=Left, Ended=Ended, wrap=wrapped)
        program = layout.program
        for k, name in enumerate(program.groups):
            ops = group_ops(layout, name, views, watch)
            self._names["group " + name] = f"G{k}_{clean(name)}"
            for part in GROUP_PARTS:
                self._space[f"{part}_G{k}_{clean(name)}"] = getattr(ops, part)
        for name, table in program.tables.items():
            self.add_table(name, table)
        for function in program.functions.values():
            self.add(function)
        for point in layout.linked.points:
            if point is not None:
                self.resume[point.id] = self._resume_stub(point)
                if isinstance(point.end, n.Decide):
                    self.options[point.id] = self._options_stub(point)

    def function(self, name: str) -> Callable[..., int]:
        """A plain function of the program."""
        got: Callable[..., int] = self._space[self._names[name]]
        return got

    def add(self, function: n.Function) -> None:
        """A function, or a new body for one of the same name."""
        name = function.name
        if name not in self._names:
            self._names[name] = f"F{len(self._names)}_{clean(name)}"
        if function.depth:
            self.depth[self._names[name]] = 0
        self._space[self._names[name]] = self._stub(function)

    def add_table(self, name: str, table: n.Table) -> None:
        """A table; nothing where it is known."""
        key = "table " + name
        if key not in self._names:
            self._names[key] = f"T{len(self._names)}_{clean(name)}"
            # read at -1, a tuple gives its last item
            self._space[self._names[key]] = (*table.rows, table.absent)

    def text(self, function: n.Function) -> str:
        """The Python text of a function."""
        return source(self.layout, function, self._names, self.watch)

    def _make(self, function: n.Function) -> Callable[..., Any]:
        exec(compile(self.text(function), f"<{function.name}>", "exec"), self._space)
        made: Callable[..., Any] = self._space[self._names[function.name]]
        return made

    def _stub(self, function: n.Function) -> Callable[..., Any]:
        """Stands in for a function until its first call."""

        def stub(*args: int) -> Any:
            return self._make(function)(*args)

        return stub

    def _resume_stub(self, point: Point) -> Resume:
        def stub(fp: int, pt: int, back: int) -> int | None:
            made = self._make(self.layout.program.functions[point.function])
            for k in self.layout.linked.frames[point.function].points:
                self.resume[k] = made
            got: int | None = made(fp, pt, back)
            return got

        return stub

    def _options_stub(self, point: Point) -> Callable[[int], int]:
        def stub(fp: int) -> int:
            name = f"O{point.id}"
            text = options_source(self.layout, point, name, self._names)
            exec(compile(text, f"<options of {point.label}>", "exec"), self._space)
            self.options[point.id] = self._space[name]
            return self.options[point.id](fp)

        return stub


def _nowhere(fp: int, pt: int, back: int) -> int | None:
    raise MachineError(f"point {pt} does not exist in this program")
