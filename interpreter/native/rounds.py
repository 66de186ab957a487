"""One round of a loop, or a rule that it calls, walked through for all members at once.

Takes a loop and the members of its set; gives for each way out of a round the members that take it,
as a few steps on sets (see `symbols`). Rules that are called are walked through too, and so are
loops in them that look for a member or collect some. `NotLifted` where that cannot be done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.flow import defined, operands, successors
from interpreter.ir.linker import Linked
from interpreter.ir.ranges import Interval
from interpreter.native.folding import fields_of
from interpreter.native.loops import Loop, Loops
from interpreter.native.symbols import (
    Flag,
    Members,
    NotLifted,
    Outer,
    Row,
    Same,
    Split,
    Straight,
    Value,
    rows_of,
)

MOST_MEMBERS: Final = 128
DEEPEST: Final = 6
"""Rules in rules."""

Env = dict[str, Value]
Way = tuple[n.Operand, Env]


@dataclass(slots=True)
class Walk:
    """What came of walking through some blocks: the ways out of them, the answers."""

    ways: dict[int, list[Way]] = field(default_factory=dict)
    answers: list[tuple[n.Operand, Value]] = field(default_factory=list)
    kept: dict[str, list[n.Operand]] = field(default_factory=dict)
    """Registers that collect members, and the members."""
    stops: set[int] | None = None
    """The blocks where a round may end, for they do more than look; none: it must not."""


class Body(Loops):
    """A function that is looked through."""

    def __init__(self, linked: Linked, function: n.Function) -> None:
        super().__init__(linked, function)
        self.look()
        self.all = {loop.head: loop for loop in self.loops()}


def many_of(interval: Interval | None) -> int | None:
    """How many members a set can have numbers for."""
    if interval is None or interval[0] < 0:
        return None
    many = interval[1].bit_length()
    return many if 2 <= many <= MOST_MEMBERS else None


class Round:
    """Walks through the blocks of a round, or of a function that is called."""

    def __init__(
        self,
        linked: Linked,
        bodies: dict[str, Body],
        body: Body,
        straight: Straight,
        depth: int = 0,
    ) -> None:
        self.linked = linked
        self.bodies = bodies
        self.body = body
        self.blocks = body.f.blocks
        self.straight = straight
        self.depth = depth

    # ------------------------------------------------------------------ blocks

    def walk(self, members: Members, loop: Loop | None, env: Env, walk: Walk) -> None:
        """From the beginning of a round to the ways out of it; of a function: to its answers."""
        begin = loop.body if loop else 0
        inside = loop.blocks - {loop.head} if loop else self.body.reached
        arrive: dict[int, list[Way]] = {begin: [(members.everybody, env)]}
        for k in self._order(begin, inside):
            if not (ways := arrive.pop(k, None)):
                continue
            active, here = self._joined(members, k, ways)
            if active == 0:
                continue
            try:
                out = self._block(members, loop, k, active, dict(here), walk)
            except NotLifted:
                if walk.stops is None:
                    raise
                walk.stops.add(k)
                walk.ways.setdefault(k, []).append((active, here))
                continue
            for to, way in out:
                if to in inside:
                    arrive.setdefault(to, []).append(way)
                else:
                    walk.ways.setdefault(to, []).append(way)
                    if walk.stops is not None and loop and to != loop.head:
                        walk.stops.add(to)

    def _order(self, begin: int, inside: set[int]) -> list[int]:
        """The blocks of a round, each after all that lead to it; a loop in it is one of them."""
        out: list[int] = []
        seen = {begin}
        open_: set[int] = {begin}
        work = [(begin, iter(self._next(begin)))]
        while work:
            k, ways = work[-1]
            for to in ways:
                if to in open_:
                    raise NotLifted
                if to in inside and to not in seen:
                    seen.add(to)
                    open_.add(to)
                    work.append((to, iter(self._next(to))))
                    break
            else:
                open_.discard(k)
                out.append(k)
                work.pop()
        return out[::-1]

    def _next(self, k: int) -> Iterable[int]:
        loop = self.body.all.get(k)
        if loop is None:
            return successors(self.blocks[k].end)
        return sorted({loop.exit, *self.body.breaks(loop)})

    def _joined(self, members: Members, k: int, ways: list[Way]) -> Way:
        if len(ways) == 1:
            return ways[0]
        active: n.Operand = 0
        for some, _ in ways:
            active = self.straight.sets("union", active, some)
        env: Env = {}
        for register in sorted(self.body.live[k]):
            values = [(some, env_[register]) for some, env_ in ways if register in env_]
            if len(values) < len(ways):
                continue
            if all(v == values[0][1] for _, v in values):
                env[register] = values[0][1]
                continue
            try:
                env[register] = members.merged(values)
            except NotLifted:
                continue
        return active, env

    def _block(
        self, members: Members, loop: Loop | None, k: int, active: n.Operand, env: Env, walk: Walk
    ) -> list[tuple[int, Way]]:
        if k in self.body.all and not (loop and loop.head == k):
            within = self.body.all[k]
            if self.body.written(within.blocks) & self._carried(loop, walk):
                raise NotLifted
            return self._loop(members, within, active, env)
        code = self.blocks[k].code
        for node in code[1:] if loop and k == loop.body else code:
            d = defined(node)
            if d is None or d in self._carried(loop, walk):
                raise NotLifted
            if loop and isinstance(node, n.With) and node.d == node.s and node.i == loop.x:
                if walk.stops is not None:
                    raise NotLifted
                walk.kept.setdefault(node.d, []).append(active)
                env.pop(node.d, None)
                continue
            env[d] = self._step(members, node, env)
        match self.blocks[k].end:
            case n.Jump(to):
                return [(to, (active, env))]
            case n.Branch(c, a, b):
                test = members.set_of(self._value(env, c))
                yes = self.straight.sets("inter", active, test)
                no = self.straight.sets("minus", active, test)
                return [(a, (yes, env)), (b, (no, dict(env)))]
            case n.Return(a) if loop is None:
                walk.answers.append((active, self._value(env, a)))
                return []
        raise NotLifted

    def _carried(self, loop: Loop | None, walk: Walk) -> set[str]:
        """What later rounds, or what follows the loop, may read: to write it is not only to look.

        Of the loop that is lifted; others are known to the end.
        """
        return self.body.live[loop.head] if loop and walk.stops is not None else set()

    @staticmethod
    def _value(env: Env, a: n.Operand) -> Value:
        if isinstance(a, int):
            return Same(a)
        if a not in env:
            raise NotLifted
        return env[a]

    def _step(self, members: Members, node: n.Instruction, env: Env) -> Value:
        if isinstance(node, n.CallFn):
            return self._call(members, node, [self._value(env, a) for a in node.args])
        if isinstance(node, n.Within):  # its operands are a list, which has no names
            raise NotLifted
        given = {
            name: self._value(env, a)
            for name, (a, _) in zip(fields_of(node), operands(node), strict=True)
        }
        return members.step(node, given)

    def _call(self, members: Members, node: n.CallFn, given: list[Value]) -> Value:
        f = self.linked.program.functions[node.fn]
        if not f.pure or f.depth or f.framed or self.depth >= DEEPEST:
            raise NotLifted
        bodies = self.bodies
        if node.fn not in bodies:
            bodies[node.fn] = Body(self.linked, f)
        walk = Walk()
        env: Env = dict(zip(f.params, given, strict=True))
        inner = Round(self.linked, bodies, bodies[node.fn], self.straight, self.depth + 1)
        inner.walk(members, None, env, walk)
        if len(walk.answers) == 1:
            return walk.answers[0][1]
        return members.merged(walk.answers)

    # ------------------------------------------------------------------ loops in a round

    def _loop(
        self, members: Members, loop: Loop, active: n.Operand, env: Env
    ) -> list[tuple[int, Way]]:
        """A loop that looks for a member, or collects some."""
        if self.blocks[loop.body].code[:1] != [n.Without(loop.left, loop.left, loop.x)]:
            raise NotLifted
        source = members.inside(self._value(env, loop.left))
        many = many_of(self._range(source, loop.left))
        if many is None:
            raise NotLifted
        rows: list[Row] = list(rows_of(source))
        while True:
            try:
                found, kept, to = self._classes(members, loop, env, (source, many), rows)
                break
            except Split as split:
                if split.home is not members or split.row in rows:
                    raise
                rows.append(split.row)
        after = dict(env)
        for register in sorted(self.body.written(loop.blocks)):
            after.pop(register, None)
        for register, members_kept in kept.items():
            before = self._value(env, register)
            if not isinstance(before, Same) or not self._only_collects(loop, register):
                raise NotLifted
            after[register] = Same(self.straight.sets("union", before.a, members_kept))
        if to is None:
            return [(loop.exit, (active, after))]
        test = members.set_of(found)
        yes = self.straight.sets("inter", active, test)
        no = self.straight.sets("minus", active, test)
        return [(loop.exit, (no, after)), (to, (yes, dict(after)))]

    def _only_collects(self, loop: Loop, register: str) -> bool:
        """Whether nothing happens to a register in a loop but that members are put into it."""
        return all(
            node == n.With(register, register, loop.x)
            for k in loop.blocks
            for node in self.body.nodes(k)
            if defined(node) == register
        )

    def _range(self, source: Value, left: str) -> Interval | None:
        match source:
            case Row(values):
                return (0, max(values))
            case Same(int(a)):
                return (0, a)
        return self.body.intervals.get(left)

    def _classes(
        self,
        members: Members,
        loop: Loop,
        env: Env,
        over: tuple[Value, int],
        rows: list[Row],
    ) -> tuple[Value, dict[str, n.Operand], int | None]:
        """Whether a round leaves the loop, class by class; what is collected; where it goes."""
        source, many = over
        out: n.Operand = 0
        same: Value = Same(0)
        kept: dict[str, n.Operand] = {}
        targets: set[int] = set()
        for fixed, those in members.classes(rows) if rows else [({}, members.everybody)]:
            inner = Members(self.straight, many, members, fixed)
            here: Env = {r: v if isinstance(v, Same) else Outer(v) for r, v in env.items()}
            for register in sorted(self.body.written(loop.blocks)):
                here.pop(register, None)
            here[loop.x] = inner.row(tuple(range(many)))
            walk = Walk()
            self.walk(inner, loop, here, walk)
            if walk.answers:
                raise NotLifted
            left = members.fix(source, fixed)
            hits: n.Operand = 0
            for to, ways in walk.ways.items():
                if to != loop.head:
                    targets.add(to)
                    for some, _ in ways:
                        hits = self.straight.sets("union", hits, some)
            if walk.kept and rows:
                raise NotLifted
            for register, sets in walk.kept.items():
                for some in sets:
                    some = self.straight.sets("inter", some, left)
                    kept[register] = self.straight.sets("union", kept.get(register, 0), some)
            found = self.straight.step(
                n.SetBin("", "differ", 0, 0),
                {"a": self.straight.sets("inter", left, hits), "b": 0},
            )
            same = Same(found)
            out = self.straight.sets("union", out, self.straight.choose(found, those))
        targets -= {loop.exit}
        if len(targets) > 1:
            raise NotLifted
        return (Flag(out) if rows else same), kept, next(iter(targets), None)
