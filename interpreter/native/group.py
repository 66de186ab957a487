"""What the functions of one group of pieces are written with.

Takes a group and where it lies; gives heads of functions, faults, and numbers of each zone.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.native.module import Module
from interpreter.native.text import Code


class GroupPart:
    """The group, its bytes, and the small parts."""

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

    def function(self, head: str) -> Code:
        """A function begins."""
        code = Code(self.module.bits)
        code.lines.append(head)
        code.label("entry")
        return code

    def fault(self, code: Code, name: str, site: str) -> None:
        """Record a fault."""
        code.put(f"call void @fault(ptr %C, i64 {self.module.faults[name]}, i64 {site})")

    def table(self, code: Code, what: str, values: Sequence[int], i: str) -> str:
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

    def test(self, code: Code, value: str) -> str:
        """A number as a bit."""
        return (
            str(int(value != "0")) if not value.startswith("%") else code.compare("ne", value, "0")
        )

    def less(self, code: Code, s: str, p: str) -> str:
        """A set without one piece."""
        type_ = f"i{self.bits}"
        return code.op(f"and {type_} {s}, {code.op(f'xor {type_} {code.bit(p, self.bits)}, -1')}")

    def asking(self, part: str, result: str) -> Code:
        """The head of a function that looks at a set of pieces."""
        return self.function(
            f"define internal {result} @{part}.{self.id}(ptr noalias %S, ptr noalias %C, "
            f"{self.module.sets} %s) nounwind {{"
        )
