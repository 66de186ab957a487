"""From one IR function to the text of one Python function.

Takes a linked function and the layout; gives source text. A plain function takes its arguments
and returns its value. A framed one takes its frame, the point to go on at and what came back
there; it returns a value, or None when it called another or waits for a player.

A block with one predecessor is written where it is jumped to. The others are *heads*: with one of
them the body is a plain loop, with more it is a loop over a block number.
"""

from __future__ import annotations

from typing import Final, assert_never

from interpreter.ir import nodes as n
from interpreter.ir.flow import defined, reachable, uses
from interpreter.ir.layout import ACTOR, PENDING, STATUS, TOP, WAITING, Layout
from interpreter.ir.linker import Frame, Point
from interpreter.ir.ranges import refine
from interpreter.runtime.templates import MASK, Templates

DEEPEST: Final = 12
"""A block that would be nested deeper becomes a head."""
SMALL: Final = 2
"""A block of at most so many instructions that leaves the function is copied, never a head."""


def source(layout: Layout, function: n.Function, names: dict[str, str], watch: bool) -> str:
    """The Python text of a function; ``names`` gives the Python names of functions and tables."""
    return _Writer(layout, function, names, watch).text()


class _Writer:
    def __init__(
        self, layout: Layout, function: n.Function, names: dict[str, str], watch: bool
    ) -> None:
        self.layout = layout
        self.linked = layout.linked
        self.function = function
        self.names = names
        self.watch = watch
        self.templates = Templates(layout, function, names, watch)
        self.out: list[str] = []
        self.frame = self.linked.frames.get(function.name) if function.framed else None
        self.points = {
            id(p.end): p
            for p in self.linked.points
            if p is not None and p.function == function.name and p.end is not None
        }
        self.forward = [_forward(function, k) for k in range(len(function.blocks))]
        self.reads: dict[str, int] = {}
        for block in function.blocks:
            for node in (*block.code, block.end):
                for register in uses(node) if node is not None else ():
                    self.reads[register] = self.reads.get(register, 0) + 1
        self.all_heads = self._find_heads()
        self.heads = self.all_heads
        self.single = True
        self.inner: int | None = None
        """The head whose own loop is being written."""
        self.repeats = False
        self.deep: list[int] = []

    # ------------------------------------------------------------------ shape

    def _find_heads(self) -> list[int]:
        blocks = self.function.blocks
        resumed = {p.block for p in self._own_points()} if self.frame else {0}
        count = [0] * len(blocks)
        live = {k for k in reachable(self.function) if k in resumed or self.forward[k] == k}
        for k in live:
            for to in _jumps(blocks[k].end):
                count[self.forward[to]] += 1
        out = [k for k in sorted(live) if k in resumed or (count[k] > 1 and not self._small(k))]
        self.entry_is_head = count[0] > 0 or self.frame is not None
        return out

    def _own_points(self) -> list[Point]:
        assert self.frame is not None
        return [p for k in self.frame.points if (p := self.linked.points[k]) is not None]

    def _small(self, k: int) -> bool:
        block = self.function.blocks[k]
        ends = isinstance(block.end, n.Return | n.StopRule | n.End)
        return ends and len(block.code) <= SMALL

    def text(self) -> str:
        """The whole function."""
        while True:
            self.out, self.deep, self.heads = [], [], self.all_heads
            body = self._body()
            if not self.deep:
                break
            self.all_heads = sorted({*self.all_heads, *self.deep})
        params = ", ".join(self.templates.py(p) for p in self.function.params)
        if self.frame is not None:
            params = "fp, pt, rv"
        lines = [f"def {self.names[self.function.name]}({params}):"]
        lines += self._wrapped(body) if self.frame is None else body
        return "\n".join(lines) + "\n"

    def _body(self) -> list[str]:
        looped = len(self.heads) > 1 or self.entry_is_head
        if not looped:
            self._block(0, 1)
            return self.out
        self.single = len(self.heads) == 1
        if self.frame is not None:
            self._resume()
        elif self.heads[0] == 0 and not self.entry_is_head:
            # the entry is never jumped to: it comes before the loop
            first = self.function.blocks[0]
            rest = self.heads[1:]
            if isinstance(first.end, n.Jump) and self.forward[first.end.to] in rest:
                self.heads = rest
                self.single = len(rest) == 1
                self._code(0, 1)
                if not self.single:
                    self._put(1, f"b = {self.forward[first.end.to]}")
            elif not self.single:
                self._put(1, "b = 0")
        elif not self.single:
            self._put(1, "b = 0")
        self._put(1, "while True:")
        self.templates.refined = {}
        if self.single:
            self._block(self.heads[0], 2)
        else:
            self._choose(self.heads, 2)
        return self.out

    def _choose(self, heads: list[int], depth: int) -> None:
        """A search for the block number."""
        if len(heads) == 1:
            self._head(heads[0], depth)
            return
        middle = len(heads) // 2
        self._put(depth, f"if b == {heads[0]}:" if middle == 1 else f"if b < {heads[middle]}:")
        self._choose(heads[:middle], depth + 1)
        self._put(depth, "else:")
        self._choose(heads[middle:], depth + 1)

    def _head(self, k: int, depth: int) -> None:
        """A head among several; one that jumps to itself gets a loop of its own."""
        start = len(self.out)
        self.inner, self.repeats = k, False
        self._put(depth, "while True:")
        self.templates.refined = {}
        self._block(k, depth + 1)
        self.inner = None
        if not self.repeats:
            del self.out[start:]
            self.templates.refined = {}
            self._block(k, depth)

    def _put(self, depth: int, line: str) -> None:
        self.out.append(" " * depth + line)

    def _wrapped(self, body: list[str]) -> list[str]:
        """What a plain function does at its beginning and at its end, however it ends."""
        f = self.function
        before: list[str] = []
        caught: list[str] = []
        after: list[str] = []
        if f.name in self.linked.stopped:
            caught += ["except Stopped as stop:"]
            caught += [f" if stop.rule != {f.name!r}: raise", " return 0"]
        if f.depth:
            name = self.names[f.name]
            before += [f"if depth[{name!r}] >= {f.depth}: {self.templates.fault('DEPTH')}"]
            before += [f"depth[{name!r}] += 1"]
            after += [f"depth[{name!r}] -= 1"]
        if f.player_first and f.name in self.linked.leaves:
            before += [f"under.append({self.templates.py(f.params[0])})"]
            caught += ["except Left as left:"]
            caught += [" if left.level != len(under) - 1: raise", " return 0"]
            after += ["under.pop()"]
        if self.watch and f.begins:
            args = self.templates.tuple(f.params)
            before += [f"inside = begin({f.rule or f.name!r}, {args}, {f.site})"]
            after += ["leave_event(inside)"]
        if not caught and not after:
            return body
        out = [*before, "try:", *body, *caught]
        if after:
            out += ["finally:", *(" " + line for line in after)]
        return [" " + line for line in out]

    # ------------------------------------------------------------------ blocks

    def _code(self, k: int, depth: int) -> str | None:
        """The instructions of a block; the condition that its branch can test directly."""
        block = self.function.blocks[k]
        code = block.code
        fused: str | None = None
        if code and isinstance(block.end, n.Branch) and isinstance(block.end.c, str):
            last = code[-1]
            if getattr(last, "d", None) == block.end.c and self.reads[block.end.c] == 1:
                fused = self.templates.test(last)
                if fused is not None:
                    code = code[:-1]
        for node in code:
            for line in self.templates.lines(node):
                self._put(depth, line)
            self.templates.refined.pop(defined(node) or "", None)
        return fused

    def _branch(self, k: int, end: n.Branch, fused: str | None, depth: int) -> None:
        """Two ways; on each of them the comparison says more about the registers."""
        code = self.function.blocks[k].code
        compared = code[-1] if code and defined(code[-1]) == end.c else None
        here = self.templates.refined
        self._put(depth, f"if {fused or self.templates.py(end.c)}:")
        for to, holds, inner in ((end.a, True, 1), (end.b, False, 0)):
            self.templates.refined = dict(here)
            if isinstance(compared, n.Bin) and isinstance(compared.a, str):
                known = self.templates.interval(compared.a)
                against = self.templates.interval(compared.b)
                better = refine(compared.op, known, against, holds)
                if better is not None and compared.d != compared.a:
                    self.templates.refined[compared.a] = better
            self._go(to, depth + inner)
        self.templates.refined = here

    def _go(self, to: int, depth: int) -> None:
        """Go on at a block: written here, or a jump to its head."""
        to = self.forward[to]
        if to in self.heads:
            if to == self.inner:
                self.repeats = True
            elif not self.single:
                self._put(depth, f"b = {to}")
            leave = self.inner is not None and to != self.inner
            self._put(depth, "break" if leave else "continue")
        elif depth > DEEPEST:
            self.deep.append(to)
            self._put(depth, "raise NotImplementedError")
        else:
            self._block(to, depth)

    def _block(self, k: int, depth: int) -> None:
        fused = self._code(k, depth)
        end = self.function.blocks[k].end
        py = self.templates.py
        assert end is not None
        match end:
            case n.Jump(to):
                self._go(to, depth)
            case n.Branch():
                self._branch(k, end, fused, depth)
            case n.Switch(a, to, other):
                here = self.templates.refined
                for target in dict.fromkeys(to):
                    self.templates.refined = dict(here)
                    values = [str(k) for k, t in enumerate(to) if t == target]
                    many = f"in ({', '.join(values)})" if len(values) > 1 else f"== {values[0]}"
                    self._put(depth, f"if {py(a)} {many}:")
                    self._go(target, depth + 1)
                self.templates.refined = dict(here)
                self._go(other, depth)
            case n.Return(a):
                self._put(depth, f"return {py(a)}")
            case n.StopRule(fn):
                self._put(depth, f"raise Stopped({fn!r})")
            case n.Leave(p, to):
                self._put(depth, f"leave({py(p)})")
                self._go(to, depth)
            case n.End():
                self._put(depth, "raise Ended")
            case n.Decide():
                self._decide(end, depth)
            case n.Gather():
                self._gather(end, depth)
            case n.Enter():
                self._enter(end, depth)
            case _:
                assert_never(end)

    # ------------------------------------------------------------------ frames

    def _resume(self) -> None:
        """Take the registers of each point out of the frame."""
        self._put(1, "j = fp + fp")
        first = True
        for point in self._own_points():
            self._put(1, f"{'if' if first else 'elif'} pt == {point.id}:")
            first = False
            before = len(self.out)
            for register in point.live:
                self._put(2, f"{self.templates.py(register)} = {self._read(register)}")
            if isinstance(point.end, n.Decide | n.Enter):
                self._put(2, f"{self.templates.py(point.end.d)} = rv")
            if not self.single:
                self._put(2, f"b = {point.block}")
            if len(self.out) == before:
                self._put(2, "pass")

    def _read(self, register: str) -> str:
        assert self.frame is not None
        return slot(self.frame, self.function.types[register], register, self.linked.set_words)

    def _save(self, point: Point, depth: int) -> None:
        """Put the live registers into the frame, and zero into what is dead."""
        frame = self.frame
        assert frame is not None
        for register, offset in frame.slots.items():
            live = register in point.live
            value = self.templates.py(register) if live else "0"
            if self.function.types[register] == "i":
                self._put(depth, f"I[j + {offset // 4}] = {value}")
            else:
                self._save_set("fp", offset, value, depth)
        self._put(depth, f"I[j + 1] = {point.id}")

    def _save_set(self, base: str, offset: int, value: str, depth: int) -> None:
        words = self.linked.set_words
        for k in range(words):
            part = value if words == 1 or value == "0" else f"{value} >> {64 * k} & {MASK}"
            self._put(depth, f"Q[{base} + {offset // 8 + k}] = {part}")

    def _decide(self, end: n.Decide, depth: int) -> None:
        actor = self.templates.py(end.actor)
        players = self.layout.program.players
        low, high = self.templates.interval(end.actor)
        if low < 0 or high >= players:
            fault = self.templates.fault("INDEX")
            self._put(depth, f"if not 0 <= {actor} < {players}: {fault}")
        self._save(self.points[id(end)], depth)
        self._put(depth, f"I[{STATUS}] = {WAITING}; I[{ACTOR}] = {actor}")
        self._put(depth, f"Q[{PENDING}] = 1 << {actor}")
        self._put(depth, "return None")

    def _gather(self, end: n.Gather, depth: int) -> None:
        players = self.templates.py(end.players)
        all_players = (1 << self.layout.program.players) - 1
        self._put(depth, f"if {players} & ~{all_players}: {self.templates.fault('INDEX')}")
        self._put(depth, f"forget({end.decision!r})")
        self._put(depth, f"if {players}:")
        self._save(self.points[id(end)], depth + 1)
        self._put(depth + 1, f"I[{STATUS}] = {WAITING}; Q[{PENDING}] = {players}")
        self._put(depth + 1, "return None")
        self._go(end.to, depth)

    def _enter(self, end: n.Enter, depth: int) -> None:
        self._save(self.points[id(end)], depth)
        assert self.frame is not None
        target = self.linked.frames[end.fn]
        function = self.layout.program.functions[end.fn]
        if function.depth:
            self._put(depth, f"deeper({end.fn!r}, {function.depth}, {self.templates.site})")
        self._put(depth, f"up = fp + {self.frame.width // 8}")
        limit = (self.layout.size - target.width) // 8
        self._put(depth, f"if up > {limit}: {self.templates.fault('STACK')}")
        self._put(depth, "k = up + up")
        self._put(depth, f"I[k] = fp; I[k + 1] = {target.entry}; I[{TOP}] = up")
        for param, arg in zip(function.params, end.args, strict=True):
            if param in target.slots:
                offset = target.slots[param]
                if function.types[param] == "i":
                    self._put(depth, f"I[k + {offset // 4}] = {self.templates.py(arg)}")
                else:
                    self._save_set("up", offset, self.templates.py(arg), depth)
        if self.watch:
            args = self.templates.tuple(end.args)
            self._put(depth, f"enter({end.fn!r}, fp, up, {args})")
        self._put(depth, "return None")


def slot(frame: Frame, type_: str, register: str, words: int) -> str:
    """A register of the frame at word ``fp`` (32-bit cell ``j``), as Python."""
    offset = frame.slots[register]
    if type_ == "i":
        return f"I[j + {offset // 4}]"
    parts = [f"Q[fp + {offset // 8}]"]
    parts += [f"Q[fp + {offset // 8 + k}] << {64 * k}" for k in range(1, words)]
    return " | ".join(parts)


def options_source(layout: Layout, point: Point, name: str, names: dict[str, str]) -> str:
    """The function that gives the options of a ``Decide`` from its frame."""
    assert isinstance(point.end, n.Decide)
    options = layout.program.decisions[point.end.decision].stages[0].options
    values = arguments(layout, point)
    return f"def {name}(fp):\n j = fp + fp\n return {names[options]}({', '.join(values)})\n"


def arguments(layout: Layout, point: Point) -> list[str]:
    """The arguments of a ``Decide``, read from its frame, as Python."""
    assert isinstance(point.end, n.Decide)
    frame = layout.linked.frames[point.function]
    types = layout.program.functions[point.function].types
    return [
        str(a) if isinstance(a, int) else slot(frame, types[a], a, layout.linked.set_words)
        for a in point.end.args
    ]


def _forward(function: n.Function, k: int) -> int:
    """The block where something happens, from one that may only lead on."""
    seen = {k}
    while True:
        block = function.blocks[k]
        if block.code or not isinstance(block.end, n.Jump) or block.end.to in seen:
            return k
        k = block.end.to
        seen.add(k)


def _jumps(end: n.Terminator | None) -> tuple[int, ...]:
    """The blocks that a terminator may go on at within one run of the function."""
    match end:
        case n.Branch(_, a, b):
            return (a, b)
        case n.Switch(_, to, other):
            return (*dict.fromkeys(to), other)
        case n.Jump() | n.Gather() | n.Leave():
            return (end.to,)
        case _:
            return ()
