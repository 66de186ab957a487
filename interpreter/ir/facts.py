"""What the branches on the way to a block say about registers.

Takes a function; gives, for each block, comparisons that hold there whatever the path. Only
registers that are set in one place are looked at (or parameters that are never set): what was true
of such a register stays true in every block that can only be reached through the branch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from interpreter.ir import nodes as n
from interpreter.ir.flow import COMPARISONS, defined, reachable, successors

Fact: TypeAlias = "tuple[str, n.IntOp | str, n.Operand, bool]"
"""Register, comparison, what it is compared with, whether it holds; ``in``: member of a set."""


def facts(function: n.Function) -> dict[int, tuple[Fact, ...]]:
    """The facts of each block that can be reached."""
    blocks = function.blocks
    reached = reachable(function)
    once = _defined_once(function, reached)
    before: dict[int, list[int]] = {k: [] for k in reached}
    for k in reached:
        for to in successors(blocks[k].end):
            before[to].append(k)
    own: dict[int, list[Fact]] = {}
    for k in reached:
        match blocks[k].end:
            case n.Branch(str(c), a, b) if a != b:
                for to, holds in ((a, True), (b, False)):
                    if to != 0 and before[to] == [k]:
                        own.setdefault(to, []).extend(_said(c, holds, once))
    if not own:
        return dict.fromkeys(reached, ())
    out: dict[int, tuple[Fact, ...]] = {}
    parent = _dominators(before, blocks)
    for k in _downward(parent):
        above = () if k == 0 else out[parent[k]]
        out[k] = (*above, *own.get(k, ()))
    return out


def _defined_once(
    function: n.Function, reached: set[int]
) -> dict[str, n.Instruction | n.Terminator | None]:
    """The registers that have one value in a round, and what sets them (none: the caller)."""
    out: dict[str, n.Instruction | n.Terminator | None] = dict.fromkeys(function.params)
    many: set[str] = set()
    for k in reached:
        block = function.blocks[k]
        for node in (*block.code, *([block.end] if block.end is not None else ())):
            if (d := defined(node)) is not None:
                if d in out:
                    many.add(d)
                out[d] = node
    return {d: node for d, node in out.items() if d not in many}


def _said(
    c: str, holds: bool, once: Mapping[str, n.Instruction | n.Terminator | None]
) -> list[Fact]:
    """What a flag says."""
    if c not in once:
        return []
    out: list[Fact] = [(c, "ne", 0, holds)]
    match once[c]:
        case n.Not(_, str(a)):
            out += _said(a, not holds, once)
        case n.Has(_, s, str(i)) if holds and i in once and (isinstance(s, int) or s in once):
            out.append((i, "in", s, True))
        case n.Bin(_, op, a, b) if op in COMPARISONS:
            sides = [x for x in (a, b) if isinstance(x, str)]
            if all(x in once for x in sides):
                if isinstance(a, str):
                    out.append((a, op, b, holds))
                if isinstance(b, str):
                    turned = {"lt": "le", "le": "lt"}.get(op)
                    out.append((b, turned, a, not holds) if turned else (b, op, a, holds))
        case _:
            pass
    return out


def _dominators(before: Mapping[int, list[int]], blocks: list[n.Block]) -> dict[int, int]:
    """The nearest block that every path to a block goes through (Cooper, Harvey, Kennedy)."""
    order: list[int] = []
    seen = {0}
    work = [(0, iter(successors(blocks[0].end)))]
    while work:
        k, ways = work[-1]
        for to in ways:
            if to not in seen:
                seen.add(to)
                work.append((to, iter(successors(blocks[to].end))))
                break
        else:
            order.append(k)
            work.pop()
    rank = {k: r for r, k in enumerate(order)}
    parent = {0: 0}

    def meet(a: int, b: int) -> int:
        while a != b:
            if rank[a] < rank[b]:
                a = parent[a]
            else:
                b = parent[b]
        return a

    changed = True
    while changed:
        changed = False
        for k in reversed(order):
            if k == 0:
                continue
            known = [p for p in before[k] if p in parent]
            new = known[0]
            for p in known[1:]:
                new = meet(p, new)
            if parent.get(k) != new:
                parent[k] = new
                changed = True
    return parent


def _downward(parent: Mapping[int, int]) -> list[int]:
    """The blocks, each after the one above it."""
    below: dict[int, list[int]] = {}
    for k, above in parent.items():
        if k != 0:
            below.setdefault(above, []).append(k)
    out = [0]
    for k in out:
        out += below.get(k, ())
    return out
