"""Rules that only look, and answer the same in every round of a loop: asked once before it.

Takes a linked function; gives one that does the same, or the same object. Only what can be no fault
is asked before its turn, for nobody might have asked it at all.
"""

from __future__ import annotations

from interpreter.ir import nodes as n
from interpreter.ir.flow import WRITERS
from interpreter.ir.linker import Linked
from interpreter.ir.ranges import FULL
from interpreter.ir.whole import intervals, whole
from interpreter.native.loops import Loop, Loops


def hoisted(linked: Linked, function: n.Function) -> n.Function:
    """The function with such calls in front of its loops."""
    return _Hoister(linked, function).run()


class _Looker(Loops):
    """Tells whether a function can be asked at any time."""

    def quiet(self, depth: int = 8) -> bool:
        """Whether it only looks, comes to an end, and can be no fault where it is called."""
        f = self.f
        if not f.pure or f.depth or f.framed or depth == 0:
            return False
        self.look()
        known = intervals(self.linked, f)
        for k in self.reached:
            here = known.inside(k)
            for node in f.blocks[k].code:
                if isinstance(node, (*WRITERS, n.Check, n.Fuel, n.Shift, n.Covers, n.Within)):
                    return False
                if isinstance(node, n.CallFn):
                    target = self.program.functions[node.fn]
                    if not _Looker(self.linked, target).quiet(depth - 1):
                        return False
                if isinstance(node, n.Order | n.Front | n.Distinct):
                    low, high = (
                        (node.s, node.s) if isinstance(node.s, int) else here.get(node.s, FULL)
                    )
                    if low < 0 or high >> self.program.groups[node.group].n:
                        return False
                if bound := self.bound(node):
                    i, most = bound
                    low, high = (i, i) if isinstance(i, int) else here.get(i, FULL)
                    if low < -1 or high > most:
                        return False
        return True


class _Hoister(Loops):
    def run(self) -> n.Function:
        """Loop by loop, until nothing more can be asked before."""
        if not any(isinstance(x, n.CallFn) for block in self.f.blocks for x in block.code):
            return self.original
        asked: dict[str, bool] = {}
        moved = True
        while moved:
            self.look()
            moved = any(self._hoist(loop, asked) for loop in list(self.loops()))
        return self.f if self.changed else self.original

    def _hoist(self, loop: Loop, asked: dict[str, bool]) -> bool:
        if not self.still(loop.blocks) or not self.entered_once(loop.head, loop.blocks):
            return False
        written = self.written(loop.blocks)
        for k in sorted(loop.blocks):
            for at, node in enumerate(self.f.blocks[k].code):
                if not isinstance(node, n.CallFn) or len(self.definitions[node.d]) > 1:
                    continue
                if node.d in self.f.params or written & set(node.args):
                    continue
                if self._allowed(node, asked):
                    del self.f.blocks[k].code[at]
                    self.insert(loop, [node])
                    return True
        return False

    def _allowed(self, node: n.CallFn, asked: dict[str, bool]) -> bool:
        """Whether the function can be asked now, with these arguments."""
        if node.fn not in asked:
            asked[node.fn] = _Looker(self.linked, self.program.functions[node.fn]).quiet()
        if not asked[node.fn]:
            return False
        wanted = whole(self.linked).params[node.fn]
        for a, known in zip(node.args, wanted, strict=True):
            low, high = (a, a) if isinstance(a, int) else self.intervals.get(a, FULL)
            if known is None or low < known[0] or high > known[1]:
                return False
        return True
