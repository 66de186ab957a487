"""Loops over sets in a function: which there are, what is around them, what they change.

Takes a linked function; gives its loops, and copies of its blocks that may be changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from interpreter.ir import nodes as n
from interpreter.ir.flow import SUSPENDERS, WRITERS, defined, reachable, successors
from interpreter.ir.linker import Linked, liveness
from interpreter.ir.ranges import Interval
from interpreter.ir.whole import intervals
from interpreter.native.copies import led


@dataclass(slots=True)
class Loop:
    """``for x in left``: its head, all its blocks, where it ends and where a round begins."""

    head: int
    blocks: set[int]
    left: str
    x: str
    exit: int
    body: int


class Loops:
    """The blocks of a function, and what is known of them."""

    def __init__(self, linked: Linked, function: n.Function) -> None:
        self.linked = linked
        self.program = linked.program
        self.resumed = {
            p.block for p in linked.points if p is not None and p.function == function.name
        }
        self.f = replace(
            function,
            types=dict(function.types),
            blocks=[n.Block(list(block.code), block.end) for block in function.blocks],
        )
        self.original = function
        self.fresh = 0
        self.intervals: dict[str, Interval] = {}
        self.checked: dict[str, int] = {}
        """Arguments that the first block has used as an index: at least -1, at most this."""
        self.changed = False

    def look(self) -> None:
        """What is known of the function as it is now."""
        self.intervals = intervals(self.linked, self.f)
        self.live = liveness(self.f)
        self.reached = reachable(self.f)
        self.before: dict[int, set[int]] = {}
        for k in self.reached:
            for to in successors(self.f.blocks[k].end):
                self.before.setdefault(to, set()).add(k)
        self.definitions: dict[str, list[n.Instruction | n.Terminator]] = {}
        for k in self.reached:
            for node in self.nodes(k):
                if (d := defined(node)) is not None:
                    self.definitions.setdefault(d, []).append(node)

        self.checked = {}
        for step in self.f.blocks[0].code:
            found = self.bound(step)
            if found and isinstance(found[0], str) and found[0] not in self.definitions:
                self.checked[found[0]] = min(found[1], self.checked.get(found[0], found[1]))

    def nodes(self, k: int) -> Iterator[n.Instruction | n.Terminator]:
        """The instructions of a block, and its end."""
        yield from self.f.blocks[k].code
        end = self.f.blocks[k].end
        if end is not None:
            yield end

    # ------------------------------------------------------------------ loops

    def loops(self) -> Iterator[Loop]:
        """The loops over sets, in the order of their heads."""
        for head in sorted(self.reached):
            block = self.f.blocks[head]
            match block.code, block.end:
                case [n.First(x, str(left)), n.Bin(c, "lt", y, 0)], n.Branch(c2, out, body) if (
                    x == y and c == c2
                ):
                    inside = self.natural(head)
                    if inside and body in inside and out not in inside:
                        yield Loop(head, inside, left, x, out, body)

    def natural(self, head: int) -> set[int]:
        """The blocks of the loop with this head; empty where it is none."""
        past = self._from(0, without=head)
        todo = [k for k in self.before.get(head, ()) if k not in past]
        if head == 0 or not todo:
            return set()
        inside = {head}
        while todo:
            k = todo.pop()
            if k not in inside:
                inside.add(k)
                todo += self.before.get(k, ())
        return inside if not inside & past else set()

    def _from(self, k: int, without: int) -> set[int]:
        """The blocks that can be reached without going through one of them."""
        seen = {k, without}
        todo = [k]
        while todo:
            for to in successors(self.f.blocks[todo.pop()].end):
                if to not in seen:
                    seen.add(to)
                    todo.append(to)
        return seen - {without}

    def entered_once(self, head: int, inside: set[int]) -> bool:
        """Whether a block can be put in front of the loop, and nothing leads past its head."""
        for k in inside - {head}:
            if self.before.get(k, set()) - inside or k in self.resumed:
                return False
        if head in self.resumed:
            return False
        outside = self.before.get(head, set()) - inside
        return all(not isinstance(self.f.blocks[k].end, SUSPENDERS) for k in outside)

    def still(self, inside: set[int]) -> bool:
        """Whether a loop changes nothing but registers."""
        for k in inside:
            for node in self.nodes(k):
                if isinstance(node, (*WRITERS, *SUSPENDERS)):
                    return False
                if isinstance(node, n.CallFn) and not self.program.functions[node.fn].pure:
                    return False
        return True

    def written(self, inside: set[int]) -> set[str]:
        """The registers that some blocks set."""
        return {d for k in inside for node in self.nodes(k) if (d := defined(node)) is not None}

    def breaks(self, loop: Loop) -> set[int]:
        """Where the loop goes in the middle of a round."""
        return {
            to
            for k in loop.blocks - {loop.head}
            for to in successors(self.f.blocks[k].end)
            if to not in loop.blocks
        }

    def leads_to(self, k: int, head: int) -> bool:
        """Whether nothing but jumps lies between a block and a head."""
        seen: set[int] = set()
        while k not in seen:
            seen.add(k)
            end = self.f.blocks[k].end
            if not isinstance(end, n.Jump):
                return False
            k = end.to
            if k == head:
                return True
            if self.f.blocks[k].code:
                return False
        return False

    def bound(self, node: n.Instruction) -> tuple[n.Operand, int] | None:
        """The index of a step that faults outside -1..bound, and the bound."""
        p = self.program
        match node:
            case n.Load(_, name, i):
                return i, p.fields[name].n - 1
            case n.LoadSet(_, name, i):
                return i, p.set_fields[name].n - 1
            case n.Lookup(_, name, i):
                return i, len(p.tables[name].rows) - 1
            case n.Contents(_, group, i):
                return i, len(p.groups[group].zones) - 1
            case n.Where(_, group, i):
                return i, p.groups[group].n - 1
            case n.With(_, _, i):
                return i, 64 * self.linked.set_words - 1
            case _:
                return None

    # ------------------------------------------------------------------ new blocks

    def new_block(self, code: list[n.Instruction]) -> int:
        """One more block, still open."""
        self.f.blocks.append(n.Block(code))
        return len(self.f.blocks) - 1

    def put_before(self, head: int, inside: set[int], begin: int, end: int) -> None:
        """New blocks between a loop and whatever leads to it."""
        self.changed = True
        blocks = self.f.blocks
        for k in self.before.get(head, set()) - inside:
            leads = blocks[k].end
            assert leads is not None
            ways = {to: begin if to == head else to for to in successors(leads)}
            blocks[k] = n.Block(blocks[k].code, led(leads, ways, {}, "", 0))
        blocks[end].end = n.Jump(head)
        self.before[head] = (self.before.get(head, set()) & inside) | {end}

    def insert(self, loop: Loop, code: list[n.Instruction]) -> int:
        """Steps in front of a loop; their block."""
        only = self.new_block(code)
        self.put_before(loop.head, loop.blocks, only, only)
        return only
