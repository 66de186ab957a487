"""What the parts of one module share: numbers for functions, tables, groups, labels, faults.

Takes a layout; gives the LLVM names and types of everything in the program. Functions that no
decision and no framed function needs are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.flow import calls
from interpreter.ir.layout import Layout
from interpreter.ir.linker import components
from interpreter.ir.verifier import return_type
from interpreter.native.numbering import bases_of

MOST_STACK: Final = 8_000
"""Bytes of frames: where there can be more, what calls itself does so through `run`."""
FOUND, NO_MORE = 1, 2
"""Of a frame: one of those that are looked for; none of those can lie below it."""


class Module:
    """Names and types; ``also``: functions that are wanted besides those that play needs."""

    def __init__(self, layout: Layout, also: Sequence[str] = ()) -> None:
        self.layout = layout
        self.linked = layout.linked
        self.program = layout.program
        self.bits = 64 * self.linked.set_words
        self.sets = f"i{self.bits}"
        self.functions = self._needed(also)
        self.number = {name: k for k, name in enumerate(self.program.functions)}
        self.tables = {name: f"@table{k}" for k, name in enumerate(self.program.tables)}
        self.groups = {name: f"g{k}" for k, name in enumerate(self.program.groups)}
        self.faults = {code: k + 1 for k, code in enumerate(layout.faults)}
        self.recursive = self._recursive() if self.linked.stack > MOST_STACK else frozenset()
        """Framed functions that may come to call themselves: these are called through `run`."""
        self.depths = [name for name in self.functions if self._counted(name)]
        self.answers = self._answers()
        self.searches: dict[str, tuple[str, str]] = {}
        """By function: the name and the text of the table that `search` gives."""
        labels = [
            node.label
            for name in self.functions
            for block in self.program.functions[name].blocks
            for node in block.code
            if isinstance(node, n.Roll)
        ]
        self.labels = list(dict.fromkeys(labels))
        """Labels of chance; the log gives them by number."""

    def _counted(self, name: str) -> bool:
        f = self.program.functions[name]
        return f.depth > 0 and not f.framed

    def _recursive(self) -> frozenset[str]:
        functions = self.program.functions
        framed = {
            name: {t for t in calls(functions[name]) if functions[t].framed}
            for name, f in functions.items()
            if f.framed
        }
        return frozenset(
            name
            for component in components(framed)
            for name in component
            if len(component) > 1 or name in framed[name]
        )

    def search(self, fn: str) -> str:
        """The table that says of a point what looking for frames of a function makes of it."""
        frames = self.linked.frames
        if fn not in self.searches:
            kinds = [0]
            for point in self.linked.points[1:]:
                assert point is not None
                mine, above = point.function == fn, point.function in frames[fn].below
                kinds.append(FOUND if mine else 0 if above else NO_MORE)
            home = f"@search{self.number[fn]}"
            rows = ", ".join(f"i8 {kind}" for kind in kinds)
            text = f"{home} = internal unnamed_addr constant [{len(kinds)} x i8] [{rows}]"
            self.searches[fn] = home, text
        return self.searches[fn][0]

    def _needed(self, also: Sequence[str]) -> list[str]:
        """The functions that stepping can reach, in the order of the program."""
        functions = self.program.functions
        todo = [*also, *solo_of(self.program), *(name for name, f in functions.items() if f.framed)]
        for name in list(todo):
            for block in functions[name].blocks:
                if isinstance(block.end, n.Decide | n.Gather):
                    stages = self.program.decisions[block.end.decision].stages
                    todo += [stage.options for stage in stages]
        seen = set(todo)
        while todo:
            for target in calls(functions[todo.pop()]):
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        return [name for name in functions if name in seen]

    def _answers(self) -> dict[str, n.RegType]:
        """The type that each function answers; constants alone are what the callers want."""
        functions = self.program.functions
        out: dict[str, n.RegType] = {}
        for name in self.functions:
            for block in functions[name].blocks:
                for node in (*block.code, block.end):
                    if isinstance(node, n.CallFn | n.Enter) and (
                        functions[name].types[node.d] == "s"
                    ):
                        out[node.fn] = "s"
        for decision in self.program.decisions.values():
            out |= dict.fromkeys((stage.options for stage in decision.stages), "s")
        for name in self.functions:
            kind = return_type(functions[name])
            out[name] = kind or out.get(name, "i")
        return out

    def type(self, kind: n.RegType) -> str:
        """The LLVM type of a register."""
        return "i32" if kind == "i" else self.sets

    def fn(self, name: str) -> str:
        """The LLVM name of a function."""
        return f"@f{self.number[name]}"

    def leavable(self, name: str) -> bool:
        """Whether a player who leaves may unwind plain calls of this function."""
        return name in self.linked.leaves and self.program.functions[name].player_first

    def action_bases(self) -> dict[tuple[str, int], int]:
        """The first action number of each decision's stage."""
        return bases_of(self.program)


def solo_of(program: n.Program) -> list[str]:
    """The function that decides for one player alone, if it is asked."""
    return [program.result.solo] if program.players == 1 and program.result.solo else []
