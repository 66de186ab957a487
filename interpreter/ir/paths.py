"""What must hold on every path of a function: registers are set before use, loops come to an end.

Takes a function whose blocks and terminators are in order; gives faults as text.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.ir import nodes as n
from interpreter.ir.flow import defined, reachable, successors, uses
from interpreter.ir.linker import components


def unassigned(function: n.Function) -> Iterator[str]:
    """Registers that some path reads before any instruction has set them."""
    blocks = function.blocks
    live = sorted(reachable(function))
    everything = set(function.types)
    known = dict.fromkeys(live, everything)
    known[0] = set(function.params)
    changed = True
    while changed:
        changed = False
        for k in live:
            after = set(known[k])
            for node in (*blocks[k].code, blocks[k].end):
                if node is not None and (d := defined(node)) is not None:
                    after.add(d)
            for to in successors(blocks[k].end):
                met = known[to] & after
                if to != 0 and met != known[to]:
                    known[to] = met
                    changed = True
    for k in live:
        have = set(known[k])
        for node in (*blocks[k].code, blocks[k].end):
            if node is None:
                continue
            for register in uses(node):
                if register not in have:
                    yield f"{function.name} b{k}: %{register} may be read before it is set"
                    have.add(register)
            if (d := defined(node)) is not None:
                have.add(d)


def endless(function: n.Function) -> Iterator[str]:
    """Loops that burn no fuel, ask nobody and use up no set."""
    blocks = function.blocks
    bounded = {
        k
        for k, block in enumerate(blocks)
        if isinstance(block.end, n.Decide | n.Gather)
        or any(isinstance(node, n.Fuel) for node in block.code)
    }
    yield from _endless(function, reachable(function) - bounded)


def _endless(function: n.Function, among: set[int]) -> Iterator[str]:
    graph = {
        str(k): {str(t) for t in successors(function.blocks[k].end) if t in among} for k in among
    }
    for component in components(graph):
        loop = {int(k) for k in component}
        if len(loop) == 1 and component[0] not in graph[component[0]]:
            continue
        shrinks = _shrinking(function, loop)
        if shrinks is None:
            yield (
                f"{function.name}: the loop at b{min(loop)} has no fuel, asks nobody "
                "and takes nothing from a set that it tests"
            )
        else:
            yield from _endless(function, loop - shrinks)


def _shrinking(function: n.Function, loop: set[int]) -> set[int] | None:
    """The blocks that take a member from a set whose emptiness ends the loop."""
    nodes = [node for k in loop for node in function.blocks[k].code]
    for name in dict.fromkeys(x.d for x in nodes if isinstance(x, n.Without) and x.d == x.s):
        writers = [x for x in nodes if defined(x) == name]
        if not all(_only_less(x, name) for x in writers):
            continue
        if any(defined(e) == name for k in loop if (e := function.blocks[k].end) is not None):
            continue
        tested = {name}
        while True:
            more = {
                d
                for x in nodes
                if (d := defined(x)) is not None and tested & set(uses(x)) and d not in tested
            }
            if not more:
                break
            tested |= more
        leaves = any(
            isinstance(end := function.blocks[k].end, n.Branch)
            and end.c in tested
            and not {end.a, end.b} <= loop
            for k in loop
        )
        if leaves:
            return {
                k
                for k in loop
                if any(
                    isinstance(x, n.Without) and x.d == x.s == name for x in function.blocks[k].code
                )
            }
    return None


def _only_less(node: n.Instruction, name: str) -> bool:
    match node:
        case n.Without(d, s, _):
            return d == s == name
        case n.SetBin(d, "inter" | "minus", a, _):
            return d == a == name
        case _:
            return False
