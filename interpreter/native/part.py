"""What all of the engine's own functions are written with.

Takes the module; gives heads of functions, faults, the top frame.
"""

from __future__ import annotations

from interpreter.ir import nodes as n
from interpreter.ir.layout import TOP
from interpreter.native.module import Module
from interpreter.native.text import Code


class Part:
    """What the engine's own functions are written with."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.layout = module.layout
        self.program = module.program
        self.points = [p for p in module.linked.points if p is not None]
        self.waiting = [p for p in self.points if isinstance(p.end, n.Decide | n.Gather)]
        self.gathers = [p for p in self.points if isinstance(p.end, n.Gather)]

    def begin(self, head: str, attributes: str = "") -> Code:
        """The head of a function."""
        code = Code(self.module.bits)
        code.lines.append(f"define {head} {attributes} nounwind {{")
        code.label("entry")
        return code

    def fault(self, code: Code, name: str) -> None:
        """A fault without a place in the rules."""
        code.put(f"call void @fault(ptr %C, i64 {self.module.faults[name]}, i64 -1)")

    def point(self, code: Code) -> tuple[str, str]:
        """The top frame and where it goes on."""
        fp = code.header(TOP)
        place = code.op(f"getelementptr i64, ptr %S, i64 {code.resize(fp, 32, 64)}")
        return place, code.load(32, code.at(4, place))
