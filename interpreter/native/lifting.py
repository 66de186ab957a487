"""Loops over a set whose rounds begin with rules that only look: the members that pass, at once.

Takes a linked function; gives one that does the same, or the same object. In a loop

    for x in left: if not fits(x, ...): next; ...

what is asked of x is worked out for all members before the loop, through the rules that are
called and the loops in them, as a few steps on sets (see `rounds`); ``left`` keeps those that
pass. Where anything could be a fault, or the steps would be many, the loop stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.flow import defined, uses
from interpreter.ir.linker import Linked
from interpreter.ir.ranges import FULL, Interval
from interpreter.ir.whole import intervals
from interpreter.native.loops import Loop, Loops
from interpreter.native.rounds import Body, Env, Round, Walk, many_of
from interpreter.native.symbols import Members, NotLifted, Same, Split, Straight

MOST_STEPS: Final = 160
"""Steps before a loop."""


def lifted(linked: Linked, function: n.Function) -> n.Function:
    """The function with its loops prepared."""
    return _Lifter(linked, function).run()


class _Lifter(Loops):
    def run(self) -> n.Function:
        """Loop by loop, from the outermost."""
        self.bodies: dict[str, Body] = {}
        done: set[int] = set()
        while True:
            self.look()
            loop = next((x for x in self.loops() if x.head not in done), None)
            if loop is None:
                return self.f if self.changed else self.original
            done.add(loop.head)
            if self._worth(loop):
                self._lift(loop)

    def _worth(self, loop: Loop) -> bool:
        """Whether something is called in a round, or a loop lies in it."""
        return any(
            isinstance(node, n.CallFn) for k in loop.blocks for node in self.f.blocks[k].code
        ) or any(x.head in loop.blocks and x.head != loop.head for x in self.loops())

    def _lift(self, loop: Loop) -> None:
        if self.f.blocks[loop.body].code[:1] != [n.Without(loop.left, loop.left, loop.x)]:
            return
        if not self.still(loop.blocks) or not self.entered_once(loop.head, loop.blocks):
            return
        if any(loop.left in self.live[k] for k in self.breaks(loop)):
            return
        many = many_of(self.intervals.get(loop.left))
        if many is None:
            return
        types = dict(self.f.types)
        straight = Straight(self.program, types, "at.once~")
        members = Members(straight, many, None, {})
        written = self.written(loop.blocks)
        env: Env = {r: Same(r) for r in self.f.types if r not in written}
        env[loop.x] = members.row(tuple(range(many)))
        body = Body(self.linked, self.f)
        stops: set[int] = set()
        walk = Walk(stops=stops)
        try:
            Round(self.linked, self.bodies, body, straight).walk(members, loop, env, walk)
        except (NotLifted, Split):
            return
        passes: n.Operand = 0
        for to, ways in walk.ways.items():
            if to != loop.head:
                for active, _ in ways:
                    passes = straight.sets("union", passes, active)
        if passes == members.everybody or loop.body in stops:
            return
        code = _needed(straight.code, passes)
        if len(code) > MOST_STEPS or (len(code) == 0 and not isinstance(passes, int)):
            return
        code.append(n.SetBin(loop.left, "inter", loop.left, passes))
        self._put(loop, types, code, stops)

    def _put(
        self, loop: Loop, types: dict[str, n.RegType], code: list[n.Instruction], stops: set[int]
    ) -> None:
        """New steps in front of the loop, unless one of them could be a fault."""
        before = self.f.types, list(self.f.blocks), dict(self.before), self.changed
        self.f.types = types
        new = self.insert(loop, code)
        known = intervals(self.linked, self.f).inside(new)
        if not all(self._harmless(node, known) for node in code):
            self.f.types, self.f.blocks, self.before, self.changed = before
            return
        if len(stops) == 1:
            (to,) = stops
            seen = self.written(loop.blocks) - {loop.left, loop.x}
            if not seen & self.live[to]:
                first = self.f.blocks[loop.body].code[:1]
                self.f.blocks[loop.body] = n.Block(first, n.Jump(to))

    def _harmless(self, node: n.Instruction, known: Mapping[str, Interval]) -> bool:
        """Whether a step cannot be a fault."""
        bound = self.bound(node)
        if bound is None:
            return True
        i, high = bound
        least, most = (i, i) if isinstance(i, int) else known.get(i, FULL)
        return least >= -1 and most <= high


def _needed(code: list[n.Instruction], what: n.Operand) -> list[n.Instruction]:
    """The steps on which a value hangs."""
    wanted = {what}
    out: list[n.Instruction] = []
    for node in reversed(code):
        if defined(node) in wanted:
            out.append(node)
            wanted |= set(uses(node))
    return out[::-1]
