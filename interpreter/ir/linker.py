"""The linker: which functions need frames, where they can be resumed, what a frame keeps.

Takes a verified Program; gives a ``Linked`` copy of it (the Program it was given stays as it is).
A call of a framed function ends its block:

    %x := call pick(%me)          enter pick(%me) -> %x, b7
    %y := add %x 1           =>   b7: %y := add %x 1

Framed is what can ask a player, what ``Within`` looks for, whatever calls such, and the main rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from interpreter.ir import nodes as n
from interpreter.ir.flow import SUSPENDERS, calls, defined, reachable, successors, uses

if TYPE_CHECKING:
    from interpreter.ir.whole import Whole

FRAME_HEAD = 8
"""Bytes of a frame before its slots: the frame below (32 bits), the point (32 bits)."""


@dataclass(frozen=True, slots=True)
class Point:
    """A place where a framed function can be taken up again.

    ``label`` is unique in its function and stable: saves name points by function and label.
    ``live`` are the registers that the frame keeps there. ``end`` is the terminator that stopped
    the function, none at the entry.
    """

    id: int
    function: str
    label: str
    block: int
    live: tuple[str, ...]
    end: n.Terminator | None


@dataclass(frozen=True, slots=True)
class Frame:
    """How a framed function keeps its registers: ``slots`` are byte offsets in the frame."""

    function: str
    entry: int
    points: tuple[int, ...]
    slots: dict[str, int]
    width: int
    kept: tuple[str, ...]
    """Leading parameters that the frame always keeps, for ``Within`` and ``Leave``."""
    depth: int = 0
    """Fewer bytes of frames than this hold fewer of these than the function's depth allows."""
    below: frozenset[str] = frozenset()
    """The functions whose frames can lie above one of these, at any distance; itself too."""


@dataclass(slots=True)
class Linked:
    """A Program ready for an engine. ``points[k]`` has the id k; ``points[0]`` is no point."""

    program: n.Program
    set_words: int
    points: list[Point | None] = field(default_factory=list)
    frames: dict[str, Frame] = field(default_factory=dict)
    unwinds: frozenset[str] = frozenset()
    """Functions that may unwind: after a call of such the engine must test for it."""
    leaves: frozenset[str] = frozenset()
    """Functions that may unwind for a player who leaves."""
    stopped: frozenset[str] = frozenset()
    """Functions that some ``StopRule`` names."""
    stack: int = 0
    """Bytes that the deepest chain of frames can take."""
    known: Whole | None = None
    """What is known of parameters and answers, once somebody has asked for it."""


def link(program: n.Program) -> Linked:
    """Colour, cut, and lay out the frames of a program."""
    linked = copy_of(program)
    functions = linked.functions
    within = _within_arity(functions.values())
    framed = {program.main} | set(within)
    framed |= {name for name, f in functions.items() if f.framed or _asks(f)}
    framed = _closure(functions, framed)
    leaves = _closure(functions, {k for k, f in functions.items() if _ends(f, n.Leave)})
    unwinds = _closure(
        functions, {k for k, f in functions.items() if _ends(f, n.StopRule, n.Leave, n.End)}
    )
    for name, function in functions.items():
        function.framed = name in framed
        if function.framed:
            _cut(function, framed)
    out = Linked(linked, set_words(linked))
    out.unwinds, out.leaves = frozenset(unwinds), frozenset(leaves)
    out.stopped = frozenset(
        block.end.fn
        for f in functions.values()
        for block in f.blocks
        if isinstance(block.end, n.StopRule)
    )
    out.points.append(None)
    for name in functions:
        if name in framed:
            kept = within.get(name, 0)
            if leaves and functions[name].player_first:
                kept = max(kept, 1)
            _add_frame(out, functions[name], functions[name].params[:kept])
    graph = {name: {t for t in calls(functions[name]) if t in out.frames} for name in out.frames}
    out.stack = _stack(functions, out.frames)
    for name, frame in out.frames.items():
        depth = frame.width + max(functions[name].depth - 1, 0) * _round(graph, out.frames, name)
        out.frames[name] = replace(frame, depth=depth, below=_reached(graph, name))
    return out


def copy_of(program: n.Program) -> n.Program:
    """A copy whose functions and blocks can be changed without touching the original."""
    functions = {
        name: replace(
            f,
            types=dict(f.types),
            blocks=[n.Block(list(block.code), block.end) for block in f.blocks],
        )
        for name, f in program.functions.items()
    }
    return replace(program, functions=functions)


def set_words(program: n.Program) -> int:
    """How many 64-bit words hold any set that the program can have."""
    bits = [64, program.players, program.set_bits]
    bits += [f.bits for f in program.set_fields.values()]
    bits += [g.n for g in program.groups.values()]
    bits += [plane.n for plane in program.planes.values()]
    bits += [stage.size for d in program.decisions.values() for stage in d.stages]
    bits += [
        max((row.bit_length() for row in t.rows), default=0)
        for t in program.tables.values()
        if t.type == "s"
    ]
    return (max(bits) + 63) // 64


def _asks(function: n.Function) -> bool:
    return _ends(function, n.Decide, n.Gather)


def _ends(function: n.Function, *kinds: type) -> bool:
    return any(isinstance(block.end, kinds) for block in function.blocks)


def _within_arity(functions: Iterable[n.Function]) -> dict[str, int]:
    """The functions that ``Within`` looks for, with the most arguments it looks at."""
    out: dict[str, int] = {}
    for function in functions:
        for block in function.blocks:
            for node in block.code:
                if isinstance(node, n.Within):
                    out[node.fn] = max(out.get(node.fn, 0), len(node.args))
    return out


def _closure(functions: dict[str, n.Function], seeds: set[str]) -> set[str]:
    """The seeds and all that call them, at any distance."""
    callers: dict[str, set[str]] = {}
    for name, function in functions.items():
        for target in calls(function):
            callers.setdefault(target, set()).add(name)
    out = set(seeds)
    todo = list(seeds)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in out:
                out.add(caller)
                todo.append(caller)
    return out


def _cut(function: n.Function, framed: set[str]) -> None:
    """End a block at each call of a framed function; the rest becomes a new block."""
    k = 0
    while k < len(function.blocks):
        block = function.blocks[k]
        for at, node in enumerate(block.code):
            if isinstance(node, n.CallFn) and node.fn in framed:
                function.blocks.append(n.Block(block.code[at + 1 :], block.end))
                to = len(function.blocks) - 1
                function.blocks[k] = n.Block(
                    block.code[:at], n.Enter(node.d, node.fn, node.args, to, node.label)
                )
                break
        k += 1


def liveness(function: n.Function) -> list[set[str]]:
    """The registers that each block may still read on entry."""
    blocks = function.blocks
    live: list[set[str]] = [set() for _ in blocks]
    gen: list[set[str]] = []
    kill: list[set[str]] = []
    for block in blocks:
        reads: set[str] = set()
        writes: set[str] = set()
        for node in block.code:
            reads |= {r for r in uses(node) if r not in writes}
            if (d := defined(node)) is not None:
                writes.add(d)
        if block.end is not None:
            reads |= {r for r in uses(block.end) if r not in writes}
            if (d := defined(block.end)) is not None:
                writes.add(d)
        gen.append(reads)
        kill.append(writes)
    changed = True
    while changed:
        changed = False
        for k in range(len(blocks) - 1, -1, -1):
            after: set[str] = set()
            for to in successors(blocks[k].end):
                after |= live[to]
            before = gen[k] | (after - kill[k])
            if before != live[k]:
                live[k] = before
                changed = True
    return live


def _add_frame(out: Linked, function: n.Function, kept: tuple[str, ...]) -> None:
    """Points, live registers and slots of one framed function."""
    live = liveness(function)
    places: list[tuple[str, int, set[str], n.Terminator | None]] = [("entry", 0, live[0], None)]
    for k in sorted(reachable(function)):
        end = function.blocks[k].end
        if isinstance(end, SUSPENDERS):
            needed = live[end.to] - {defined(end) or ""}
            if isinstance(end, n.Decide):
                needed |= {a for a in end.args if isinstance(a, str)}
            places.append((end.label, end.to, needed, end))
    order = {register: k for k, register in enumerate(function.types)}
    ids: list[int] = []
    labels: dict[str, int] = {}
    used: set[str] = set()
    for label, block, needed, end in places:
        labels[label] = labels.get(label, 0) + 1
        unique = label if labels[label] == 1 else f"{label}#{labels[label]}"
        saved = tuple(sorted(needed | set(kept), key=order.__getitem__))
        used |= set(saved)
        ids.append(len(out.points))
        out.points.append(Point(ids[-1], function.name, unique, block, saved, end))
    slots: dict[str, int] = {}
    offset = FRAME_HEAD
    for type_, size in (("s", 8 * out.set_words), ("i", 4)):
        for register in sorted(used, key=order.__getitem__):
            if function.types[register] == type_:
                slots[register] = offset
                offset += size
    width = (offset + 7) // 8 * 8
    out.frames[function.name] = Frame(function.name, ids[0], tuple(ids), slots, width, kept)


def _stack(functions: dict[str, n.Function], frames: dict[str, Frame]) -> int:
    """Bytes of the deepest chain of frames.

    Inside a cycle each function with a ``depth`` occurs at most that often, and between two such
    the others form a path without repetition.
    """
    graph = {name: {t for t in calls(functions[name]) if t in frames} for name in frames}
    best: dict[str, int] = {}
    for component in components(graph):
        members = set(component)
        below = max((best[t] for m in members for t in graph[m] - members), default=0)
        bounded = [m for m in members if functions[m].depth]
        if len(members) == 1 and component[0] not in graph[component[0]]:
            own = frames[component[0]].width
        else:
            rounds = sum(functions[m].depth for m in bounded)
            path = _longest(graph, frames, members - set(bounded))
            own = sum(functions[m].depth * frames[m].width for m in bounded)
            own += (rounds + 1) * path
        for member in members:
            best[member] = own + below
    return max(best.values(), default=0)


def _round(graph: dict[str, set[str]], frames: dict[str, Frame], name: str) -> int:
    """Bytes of the frames from one of a function to the next of the same, at least."""
    best = {name: 0}
    todo = [(0, name)]
    while todo:
        weight, at = heappop(todo)
        for to in sorted(graph[at]):
            if to == name:
                return weight + frames[name].width
            more = weight + frames[to].width
            if more < best.get(to, more + 1):
                best[to] = more
                heappush(todo, (more, to))
    return frames[name].width


def _reached(graph: dict[str, set[str]], name: str) -> frozenset[str]:
    """What a function calls, at any distance, and the function itself."""
    seen = {name}
    todo = [name]
    while todo:
        new = graph[todo.pop()] - seen
        seen |= new
        todo += new
    return frozenset(seen)


def _longest(graph: dict[str, set[str]], frames: dict[str, Frame], among: set[str]) -> int:
    """The heaviest path inside ``among``, which has no cycle."""
    memo: dict[str, int] = {}

    def weight(name: str) -> int:
        if name not in memo:
            memo[name] = 0
            rest = max((weight(t) for t in graph[name] & among), default=0)
            memo[name] = frames[name].width + rest
        return memo[name]

    return max((weight(name) for name in among), default=0)


def components(graph: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected components, callees before callers (Tarjan, without recursion)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    out: list[list[str]] = []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(graph[target]))))
                    break
                if target in on_stack:
                    low[name] = min(low[name], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    group: list[str] = []
                    while not group or group[-1] != name:
                        group.append(stack.pop())
                        on_stack.discard(group[-1])
                    out.append(group)
    return out
