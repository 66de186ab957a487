"""Loops over a set that skip most members: the members worth a round are found beforehand.

Takes a linked function; gives one that does the same, or the same object. In a loop

    for x in left: (quiet steps); if some condition fails: next; ...

the quiet steps read the state and write nothing but registers of this round. They are copied once
for each number that ``left`` can hold, in front of the loop, or of the loop around it that changes
nothing either; the copies give the set of the members that are not skipped, without jumps and with
the tables folded into them. A loop that only collects its members becomes a union of sets.

What may fault, burn fuel, call or write is never a quiet step.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.flow import defined, successors, uses
from interpreter.ir.linker import Linked
from interpreter.ir.ranges import FULL, Interval
from interpreter.ir.whole import intervals
from interpreter.native.copies import led, renamed
from interpreter.native.loops import Loop, Loops

MOST_STEPS: Final = 1_200
"""Quiet steps of all copies of one loop."""
FEW_STEPS: Final = 600
"""The same, where no loop around makes them pay more than once."""
MOST_LOOPS: Final = 12
"""Loops of one function that are looked at."""


@dataclass(slots=True)
class _Region:
    """The quiet blocks of a round: where they begin, and what follows them."""

    blocks: list[int] = field(default_factory=list)
    active: set[int] = field(default_factory=set)
    skips: bool = False


def filtered(linked: Linked, function: n.Function) -> n.Function:
    """The function with its loops prepared."""
    return _Filter(linked, function).run()


class _Filter(Loops):
    def run(self) -> n.Function:
        """Loop by loop, in the order of their heads; each at most once."""
        done: set[int] = set()
        for _ in range(MOST_LOOPS):
            self.look()
            loop = next((x for x in self.loops() if x.head not in done), None)
            if loop is None:
                break
            done.add(loop.head)
            self._prepare(loop)
        return self.f if self.changed else self.original

    # ------------------------------------------------------------------ one loop

    def _prepare(self, loop: Loop) -> None:
        self.intervals = self._inside(loop)
        first = self.f.blocks[loop.body].code[:1]
        if first != [n.Without(loop.left, loop.left, loop.x)]:
            return
        if not self.still(loop.blocks) or not self.entered_once(loop.head, loop.blocks):
            return
        written = self.written(loop.blocks)
        if any(loop.left in self.live[k] for k in self.breaks(loop)):
            return
        low, high = self.intervals.get(loop.left, FULL)
        if low < 0:
            return
        region = self._region(loop)
        if not region.blocks:
            if region.active == {loop.body} and (kept := self._collects(loop, loop.body, 1)):
                self._union(loop, kept, None)
            return
        exposed = self._exposed(loop, region)
        if not region.skips or exposed & written:
            return
        home = self._home(loop, exposed)
        many = high.bit_length()
        steps = sum(len(self.f.blocks[k].code) + 1 for k in region.blocks) * many
        outer = home is not None
        wanted = self._name("wanted", "s")
        if steps > (MOST_STEPS if outer else FEW_STEPS) or (not outer and not self._dense(loop)):
            return
        head, inside = home if home is not None else (loop.head, loop.blocks)
        begin, end = self._copies(loop, region, many, wanted)
        kept = ""
        if len(region.active) == 1:
            kept = self._collects(loop, next(iter(region.active)), 0)
        self.put_before(head, inside, begin, end)
        if kept:
            self._union(loop, kept, wanted)
        else:
            code = [n.SetBin(loop.left, "inter", loop.left, wanted)]
            self.insert(loop, [*code])
            self._shorten(loop, region)

    def _inside(self, loop: Loop) -> dict[str, Interval]:
        """The intervals during a round, where there is a member (as if it came by chance)."""
        blocks = list(self.f.blocks)
        head = blocks[loop.head]
        blocks[loop.head] = n.Block([n.Roll(loop.x, loop.left, ""), *head.code[1:]], head.end)
        return intervals(self.linked, replace(self.f, blocks=blocks))

    def _shorten(self, loop: Loop, region: _Region) -> None:
        """A round goes straight to what is not skipped, where that needs nothing that was seen."""
        if len(region.active) != 1:
            return
        (to,) = region.active
        seen = self.written(set(region.blocks)) - {loop.left}
        if not seen & self.live[to]:
            body = self.f.blocks[loop.body]
            self.f.blocks[loop.body] = n.Block(body.code[:1], n.Jump(to))

    def _collects(self, loop: Loop, k: int, skip: int) -> str:
        """The register that a block puts the member into, where that is all of the round."""
        code = self.f.blocks[k].code[skip:]
        match code:
            case [n.With(d, s, x)] if d == s and x == loop.x and d != loop.left:
                if self.leads_to(k, loop.head) and not self.breaks(loop):
                    return d
        return ""

    def _union(self, loop: Loop, kept: str, wanted: str | None) -> None:
        code: list[n.Instruction] = []
        if wanted is not None:
            code.append(n.SetBin(loop.left, "inter", loop.left, wanted))
        code += [n.SetBin(kept, "union", kept, loop.left), n.Copy(loop.left, 0)]
        self.insert(loop, code)

    # ------------------------------------------------------------------ quiet blocks

    def _region(self, loop: Loop) -> _Region:
        """The quiet blocks that a round begins with; none where they go in circles."""
        out = _Region()
        todo = [loop.body]
        seen = {loop.body}
        while todo:
            k = todo.pop()
            if k not in loop.blocks or not self._quiet(loop, k):
                out.active.add(k)
                continue
            out.blocks.append(k)
            for to in successors(self.f.blocks[k].end):
                if to == loop.head:
                    out.skips = True
                elif to not in seen:
                    seen.add(to)
                    todo.append(to)
        if not out.blocks:
            return out
        graph = {
            k: {to for to in successors(self.f.blocks[k].end) if to in out.blocks}
            for k in out.blocks
        }
        if not _acyclic(graph):
            return _Region(active={loop.body})
        return out

    def _quiet(self, loop: Loop, k: int) -> bool:
        block = self.f.blocks[k]
        if not isinstance(block.end, n.Jump | n.Branch | n.Switch):
            return False
        code = block.code[1:] if k == loop.body else block.code
        carried = self.live[loop.head] | self.live[loop.exit]
        for node in code:
            d = defined(node)
            if d is None or d in carried or d in (loop.left, loop.x):
                return False
            if not self._harmless(node):
                return False
        return True

    def _sure(self, a: n.Operand, low: int, high: int) -> bool:
        least, most = (a, a) if isinstance(a, int) else self.intervals.get(a, FULL)
        if isinstance(a, str) and low == -1 and self.checked.get(a, high + 1) <= high:
            return True
        return low <= least and most <= high

    def _harmless(self, node: n.Instruction) -> bool:
        """Whether a step can neither fault nor change anything but its register."""
        match node:
            case n.Copy() | n.Bin() | n.SetBin() | n.Not() | n.Select() | n.Has() | n.Without():
                return True
            case n.First() | n.Size():
                return True
        bound = self.bound(node)
        return bound is not None and self._sure(bound[0], -1, bound[1])

    def _exposed(self, loop: Loop, region: _Region) -> set[str]:
        """Registers that the quiet blocks take from outside, but for the member.

        What a block reads without setting it, unless the first block of the round sets it.
        """
        out: set[str] = set()
        certain: set[str] = set()
        for k in region.blocks:
            own: set[str] = set()
            for node in list(self.nodes(k))[1 if k == loop.body else 0 :]:
                out |= {register for register in uses(node) if register not in own | certain}
                if (d := defined(node)) is not None:
                    own.add(d)
            if k == loop.body:
                certain = own
        return out - {loop.x}

    def _dense(self, loop: Loop) -> bool:
        """Whether the set is likely to hold much of what it can hold."""
        for node in self.definitions.get(loop.left, ()):
            if isinstance(node, n.Copy):
                if isinstance(node.a, int):
                    return node.a.bit_count() * 2 > node.a.bit_length()
                for source in self.definitions.get(node.a, ()):
                    match source:
                        case n.SetBin(_, "minus", int(), _):
                            return True
        return False

    def _home(self, loop: Loop, exposed: set[str]) -> tuple[int, set[int]] | None:
        """The largest loop around that changes nothing the quiet blocks look at."""
        best: tuple[int, set[int]] | None = None
        for head in sorted(self.reached):
            if head == loop.head:
                continue
            inside = self.natural(head)
            if not loop.blocks < inside or (best is not None and len(inside) <= len(best[1])):
                continue
            if exposed & self.written(inside):
                continue
            if self.still(inside) and self.entered_once(head, inside):
                best = (head, inside)
        return best

    # ------------------------------------------------------------------ new blocks

    def _name(self, stem: str, kind: n.RegType) -> str:
        self.fresh += 1
        name = f"{stem}~{self.fresh}"
        while name in self.f.types:
            self.fresh += 1
            name = f"{stem}~{self.fresh}"
        self.f.types[name] = kind
        return name

    def _copies(self, loop: Loop, region: _Region, many: int, wanted: str) -> tuple[int, int]:
        """The quiet blocks once for each member; the first new block and the last, still open."""
        blocks = self.f.blocks
        names = {
            d: self._name("each", self.f.types[d])
            for d in sorted(self.written(set(region.blocks)) - {loop.left})
        }
        begin = self.new_block([n.Copy(wanted, 0)])
        last = begin
        for member in range(many):
            at = {k: self.new_block([]) for k in region.blocks}
            hit, after = self.new_block([n.With(wanted, wanted, member)]), self.new_block([])
            blocks[hit].end = n.Jump(after)
            blocks[last].end = n.Jump(at[loop.body])
            for k in region.blocks:
                code = blocks[k].code[1:] if k == loop.body else blocks[k].code
                blocks[at[k]].code = [renamed(x, names, loop.x, member) for x in code]
                ways = {
                    to: at.get(to, after if to == loop.head else hit)
                    for to in successors(blocks[k].end)
                }
                blocks[at[k]].end = led(blocks[k].end, ways, names, loop.x, member)
            last = after
        return begin, last


def _acyclic(graph: dict[int, set[int]]) -> bool:
    """Whether nothing leads back to itself."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return False
    return True
