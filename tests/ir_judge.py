"""A second, slow interpreter of the IR, for the tests to judge the machine by.

It shares nothing with the machine but the nodes: no linker, no layout, no generated code. A state
is Python objects, a set is a frozenset, an ordered zone is a list of layers, a function under way
is a Python generator. It follows the docstrings of the nodes word by word.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from interpreter.ir import nodes as n

Run = Generator["Asked", int, int]


class JudgeFaultError(Exception):
    """A fault, by its code."""


class TooLongError(Exception):
    """The program takes more instructions than a test should."""


class StopSignal(Exception):  # noqa: N818
    """Unwinds to one call."""

    def __init__(self, call: Call) -> None:
        super().__init__()
        self.call = call


class EndSignal(Exception):  # noqa: N818
    """Unwinds everything."""


@dataclass
class Asked:
    """A decision that waits: of one actor, or of several players."""

    decision: str
    actor: int
    args: tuple[int, ...] = ()
    players: set[int] = field(default_factory=set)


@dataclass(eq=False)
class Call:
    """One call under way."""

    function: n.Function
    args: tuple[int, ...]


def to_set(number: int) -> frozenset[int]:
    """The members behind the bits of a number."""
    return frozenset(k for k in range(number.bit_length()) if number >> k & 1)


def to_int(members: frozenset[int] | set[int]) -> int:
    """The bits for members."""
    return sum(1 << k for k in members)


def wrap(value: int) -> int:
    """32 bits."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


class Judge:
    """Plays one program from the start, step by step."""

    def __init__(self, program: n.Program, outcomes: list[int], limit: int = 30_000) -> None:
        self.p = program
        self.outcomes = outcomes
        self.limit = limit
        self.fields = {k: list(f.init) for k, f in program.fields.items()}
        self.sets = {k: [to_set(v) for v in f.init] for k, f in program.set_fields.items()}
        self.layers: dict[str, list[Any]] = {}
        for name, g in program.groups.items():
            zones: list[Any] = []
            for k, zone in enumerate(g.zones):
                inside = [piece for piece, z in enumerate(g.start) if z == k]
                if zone.keeps_gaps:
                    zones.append(dict(enumerate(inside)))
                elif zone.ordered:
                    zones.append([{piece} for piece in inside])
                else:
                    zones.append(set(inside))
            self.layers[name] = zones
        self.calls: list[Call] = []
        self.events: list[tuple[str, str, tuple[int, ...], str]] = []
        self.framed = self._framed()
        most = [f.bits for f in program.set_fields.values()] + [64, program.players]
        most += [g.n for g in program.groups.values()] + [program.set_bits]
        most += [s.size for d in program.decisions.values() for s in d.stages]
        most += [r.bit_length() for t in program.tables.values() if t.type == "s" for r in t.rows]
        self.bits = -(-max(most) // 64) * 64
        self.run: Run | None = None
        self.asked: Asked | None = None
        self.over = False

    def _framed(self) -> set[str]:
        out = {self.p.main}
        for f in self.p.functions.values():
            for block in f.blocks:
                if isinstance(block.end, n.Decide | n.Gather):
                    out.add(f.name)
                out |= {x.fn for x in block.code if isinstance(x, n.Within)}
        while True:
            more = {
                f.name
                for f in self.p.functions.values()
                for block in f.blocks
                for x in block.code
                if isinstance(x, n.CallFn) and x.fn in out
            } | out
            if more == out:
                return out
            out = more

    # ------------------------------------------------------------------ steps

    def start(self) -> None:
        """Up to the first decision."""
        self.run = self.call(self.p.functions[self.p.main], ())
        self._resume(None)

    def apply(self, player: int, candidate: int) -> None:
        """One answer."""
        self.events = []
        asked = self.asked
        assert asked is not None
        if asked.actor >= 0:
            self._resume(candidate)
            return
        decision = self.p.decisions[asked.decision]
        stage = self.stage(player)
        self.fields[decision.stages[stage].answers][player] = candidate
        if decision.pending:
            self.fields[decision.pending][player] += 1
        if stage + 1 == len(decision.stages):
            asked.players.discard(player)
        if not asked.players:
            if decision.pending:
                self.fields[decision.pending] = [0] * self.p.players
            self._resume(0)

    def stage(self, player: int) -> int:
        """How many questions a player has answered."""
        assert self.asked is not None
        pending = self.p.decisions[self.asked.decision].pending
        return self.fields[pending][player] if pending else 0

    def options(self, player: int) -> frozenset[int]:
        """What a player may answer."""
        asked = self.asked
        assert asked is not None
        decision = self.p.decisions[asked.decision]
        if asked.actor >= 0:
            return to_set(self.ask(decision.stages[0].options, asked.args))
        k = self.stage(player)
        args = (player, *(self.fields[s.answers][player] for s in decision.stages[:k]))
        return to_set(self.ask(decision.stages[k].options, args))

    def ask(self, name: str, args: tuple[int, ...]) -> int:
        """The value of a pure function."""
        run = self.call(self.p.functions[name], args)
        try:
            next(run)
        except StopIteration as stop:
            return int(stop.value)
        raise AssertionError("a pure function asked something")

    def _resume(self, back: int | None) -> None:
        assert self.run is not None
        try:
            self.asked = next(self.run) if back is None else self.run.send(back)
        except (StopIteration, EndSignal):
            self.over, self.asked = True, None

    # ------------------------------------------------------------------ calls

    def call(self, f: n.Function, args: tuple[int, ...]) -> Run:
        """One call, as a generator."""
        if f.depth and sum(c.function is f for c in self.calls) >= f.depth:
            raise JudgeFaultError("DEPTH")
        if f.begins:
            self.event("begin", f.rule or f.name, args)
        me = Call(f, args)
        self.calls.append(me)
        try:
            return (yield from self.body(f, dict(zip(f.params, args, strict=True))))
        except StopSignal as signal:
            if signal.call is not me:
                raise
            return 0
        finally:
            while self.calls and self.calls.pop() is not me:
                pass

    def event(self, kind: str, name: str, args: tuple[int, ...]) -> None:
        """Something that a watcher sees, with the rule that it happens inside of."""
        begun = [c.function.rule or c.function.name for c in self.calls if c.function.begins]
        self.events.append((kind, name, args, begun[-1] if begun else ""))

    def body(self, f: n.Function, regs: dict[str, int]) -> Run:
        """Block after block."""
        k = 0
        while True:
            block = f.blocks[k]

            def val(a: n.Operand) -> int:
                return regs[a] if isinstance(a, str) else a

            for x in block.code:
                self.limit -= 1
                if self.limit < 0:
                    raise TooLongError
                if isinstance(x, n.CallFn):
                    args = tuple(val(a) for a in x.args)
                    regs[x.d] = yield from self.call(self.p.functions[x.fn], args)
                else:
                    self.do(x, regs, val)
            end = block.end
            if isinstance(end, n.Jump):
                k = end.to
            elif isinstance(end, n.Branch):
                k = end.a if val(end.c) != 0 else end.b
            elif isinstance(end, n.Switch):
                v = val(end.a)
                k = end.to[v] if 0 <= v < len(end.to) else end.other
            elif isinstance(end, n.Return):
                return val(end.a)
            elif isinstance(end, n.Decide):
                if not 0 <= val(end.actor) < self.p.players:
                    raise JudgeFaultError("INDEX")
                args = tuple(val(a) for a in end.args)
                regs[end.d] = yield Asked(end.decision, val(end.actor), args)
                k = end.to
            elif isinstance(end, n.Gather):
                players = set(to_set(val(end.players)))
                if any(q >= self.p.players for q in players):
                    raise JudgeFaultError("INDEX")
                d = self.p.decisions[end.decision]
                for name in [s.answers for s in d.stages] + [d.pending]:
                    if name:
                        self.fields[name][: self.p.players] = self.p.fields[name].init[
                            : self.p.players
                        ]
                if players:
                    yield Asked(end.decision, -1, (), players)
                k = end.to
            elif isinstance(end, n.StopRule):
                for c in reversed(self.calls):
                    if c.function.name == end.fn:
                        raise StopSignal(c)
                raise JudgeFaultError("STOP")
            elif isinstance(end, n.Leave):
                for c in sorted(self.calls, key=lambda c: c.function.name not in self.framed):
                    if c.function.player_first and c.args[0] == val(end.p):
                        raise StopSignal(c)
                k = end.to
            else:
                assert isinstance(end, n.End)
                raise EndSignal

    # ------------------------------------------------------------------ instructions

    def at(self, i: int, size: int, low: int = 0) -> int:
        """An index, if it is one."""
        if not low <= i < size:
            raise JudgeFaultError("INDEX")
        return i

    def do(self, x: n.Instruction, r: dict[str, int], val: Any) -> None:
        """One instruction that is no call."""
        p = self.p
        match x:
            case n.Copy(d, a):
                r[d] = val(a)
            case n.Bin(d, op, a, b):
                r[d] = wrap(integer(op, val(a), val(b)))
            case n.SetBin(d, op, a, b):
                r[d] = sets(op, to_set(val(a)), to_set(val(b)))
            case n.Not(d, a):
                r[d] = int(val(a) == 0)
            case n.Select(d, c, a, b):
                r[d] = val(a) if val(c) else val(b)
            case n.Load(d, name, i):
                k = self.at(val(i), p.fields[name].n, -1)
                r[d] = p.fields[name].absent if k == -1 else self.fields[name][k]
            case n.Store(name, i, a):
                k = self.at(val(i), p.fields[name].n)
                if not p.fields[name].low <= val(a) <= p.fields[name].high:
                    raise JudgeFaultError("RANGE")
                self.fields[name][k] = val(a)
            case n.LoadSet(d, name, i):
                k = self.at(val(i), p.set_fields[name].n, -1)
                r[d] = 0 if k == -1 else to_int(self.sets[name][k])
            case n.StoreSet(name, i, a):
                k = self.at(val(i), p.set_fields[name].n)
                if any(m >= p.set_fields[name].bits for m in to_set(val(a))):
                    raise JudgeFaultError("RANGE")
                self.sets[name][k] = to_set(val(a))
            case n.Lookup(d, name, i):
                k = self.at(val(i), len(p.tables[name].rows), -1)
                r[d] = p.tables[name].absent if k == -1 else p.tables[name].rows[k]
            case n.Contents(d, group, z):
                k = self.at(val(z), len(p.groups[group].zones), -1)
                r[d] = 0 if k == -1 else to_int(self.inside(group, k))
            case n.Lying(d, group, a, b):
                zones = range(len(p.groups[group].zones))
                inside = [self.inside(group, z) for z in zones if val(a) <= z < val(b)]
                r[d] = to_int(set().union(*inside))
            case n.Held(d, name, a):
                plane = p.planes[name]
                wanted = {m for m, c in enumerate(plane.classes) if c == val(a) >= 0}
                r[d] = to_int(
                    {k for k in range(plane.n) if wanted & self.inside(plane.group, plane.base + k)}
                )
            case n.Preimage(d, name, s):
                rows = p.tables[name].rows
                r[d] = to_int({k for k, row in enumerate(rows) if row in to_set(val(s))})
            case n.Covers(d, name, i, many, s):
                rows = p.tables[name].rows
                first = self.at(val(i), len(rows) - many + 1)
                inside = to_set(val(s))
                r[d] = int(any(to_set(row) <= inside for row in rows[first : first + many]))
            case n.Where(d, group, a):
                piece = self.at(val(a), p.groups[group].n, -1)
                r[d] = -1 if piece == -1 else self.zone(group, piece)
            case n.Move(group, a, z, at, _):
                self.move(group, val(a), val(z), val(at))
            case n.Swap(group, a, b, _):
                self.swap(group, val(a), val(b))
            case n.Mix(group, z, _):
                k = self.at(val(z), len(p.groups[group].zones))
                zone = p.groups[group].zones[k]
                if zone.keeps_gaps:
                    raise JudgeFaultError("INDEX")
                if zone.ordered:
                    inside = self.inside(group, k)
                    self.layers[group][k] = [inside] if inside else []
                self.event("mix", group, (k,))
            case n.Has(d, s, i):
                r[d] = int(val(i) in to_set(val(s)))
            case n.With(d, s, i):
                k = self.at(val(i), self.bits, -1)
                r[d] = val(s) if k == -1 else to_int(to_set(val(s)) | {k})
            case n.Without(d, s, i):
                r[d] = to_int(to_set(val(s)) - {val(i)})
            case n.Shift(d, s, by):
                r[d] = to_int({self.at(m + by, self.bits) for m in to_set(val(s))})
            case n.First(d, s):
                r[d] = min(to_set(val(s)), default=-1)
            case n.Size(d, s):
                r[d] = len(to_set(val(s)))
            case n.Order(d, group, s, end):
                members = sorted(self.members(group, val(s)))
                sign = 1 if end == "least" else -1
                r[d] = min(members, key=lambda m: (sign * self.place(group, m), m), default=-1)
            case n.Front(d, group, s):
                if not p.groups[group].ordered:
                    r[d] = val(s)
                    return
                members = sorted(self.members(group, val(s)))
                top = max((self.place(group, m) for m in members), default=0)
                r[d] = to_int({m for m in members if self.place(group, m) == top})
            case n.Distinct(d, group, s):
                members = sorted(self.members(group, val(s)))
                alike = p.groups[group].alike
                r[d] = to_int(
                    {
                        m
                        for m in members
                        if not any(
                            o < m
                            and alike[o] == alike[m]
                            and self.zone(group, o) == self.zone(group, m)
                            for o in members
                        )
                    }
                )
            case n.Gain(name, i, a, _):
                f = p.fields[name]
                k = self.at(val(i), f.n)
                old = self.fields[name][k]
                new = max(f.low, min(f.high, old + val(a)))
                self.fields[name][k] = new
                if val(a):
                    self.event("gain", name, (k, new - old))
            case n.Roll(d, s, label):
                members = to_set(val(s))
                if not members:
                    raise JudgeFaultError("EMPTY")
                if len(members) == 1:
                    r[d] = min(members)
                    return
                r[d] = self.outcomes.pop(0)
                assert r[d] in members
                self.event("roll", label, (r[d], val(s)))
            case n.Check(c, code, _):
                if val(c) == 0:
                    raise JudgeFaultError(code)
            case n.Emit(event, args, _):
                self.event("emit", event, tuple(val(a) for a in args))
            case n.Within(d, fn, args):
                want = tuple(val(a) for a in args)
                r[d] = int(
                    any(c.function.name == fn and c.args[: len(want)] == want for c in self.calls)
                )
            case n.Fuel():
                pass
            case _:
                raise AssertionError(x)

    # ------------------------------------------------------------------ pieces

    def members(self, group: str, number: int) -> frozenset[int]:
        """A set of pieces; INDEX where one of them does not exist."""
        return frozenset(self.at(m, self.p.groups[group].n) for m in to_set(number))

    def inside(self, group: str, zone: int) -> set[int]:
        """The pieces of a zone."""
        layers = self.layers[group][zone]
        if isinstance(layers, dict):
            return set(layers.values())
        return set(layers) if isinstance(layers, set) else {m for one in layers for m in one}

    def zone(self, group: str, piece: int) -> int:
        """Where a piece lies."""
        (found,) = (k for k in range(len(self.layers[group])) if piece in self.inside(group, k))
        return found

    def place(self, group: str, piece: int) -> int:
        """At which place of its zone."""
        layers = self.layers[group][self.zone(group, piece)]
        if isinstance(layers, dict):
            return next(k for k, m in layers.items() if m == piece)
        if isinstance(layers, set):
            return 0
        return next(k for k, one in enumerate(layers) if piece in one)

    def move(self, group: str, piece: int, zone: int, at: int) -> None:
        """A piece goes somewhere else."""
        g = self.p.groups[group]
        if piece == -1:
            return
        self.at(piece, g.n)
        self.at(zone, len(g.zones))
        old = self.zone(group, piece)
        if old == zone:
            return
        capacity = g.zones[zone].capacity
        if capacity >= 0 and len(self.inside(group, zone)) >= capacity:
            raise JudgeFaultError("FULL")
        source, target = self.layers[group][old], self.layers[group][zone]
        if isinstance(source, dict):
            self.layers[group][old] = {k: m for k, m in source.items() if m != piece}
        elif isinstance(source, set):
            source.discard(piece)
        else:
            rest = [one - {piece} for one in source]
            self.layers[group][old] = [one for one in rest if one]
        if isinstance(target, dict):
            size = capacity if capacity >= 0 else g.n
            if not 0 <= at < size:
                at = min(set(range(g.n + 1)) - set(target))
            elif at in target:
                raise JudgeFaultError("FULL")
            target[at] = piece
        elif isinstance(target, set):
            target.add(piece)
        else:
            target.insert(max(at, 0), {piece})
        self.event("move", group, (piece, old, zone))

    def swap(self, group: str, a: int, b: int) -> None:
        """Two pieces change places: each stands where the other stood."""
        if a == -1 or b == -1 or a == b:
            return
        n_ = self.p.groups[group].n
        self.at(a, n_)
        self.at(b, n_)
        za, zb = self.zone(group, a), self.zone(group, b)
        other = {a: b, b: a}
        for zone in {za, zb}:
            layer = self.layers[group][zone]
            if isinstance(layer, dict):
                self.layers[group][zone] = {k: other.get(m, m) for k, m in layer.items()}
            elif isinstance(layer, set):
                self.layers[group][zone] = {other.get(m, m) for m in layer}
            else:
                self.layers[group][zone] = [{other.get(m, m) for m in one} for one in layer]
        if za != zb:
            self.event("move", group, (a, za, zb))
            self.event("move", group, (b, zb, za))


def integer(op: str, a: int, b: int) -> int:
    """Integers, before they wrap."""
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "div":
            return a // b if b != 0 else 0
        case "mod":
            return a - b * (a // b) if b != 0 else 0
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case "and":
            return a & b
        case "or":
            return a | b
        case "eq":
            return int(a == b)
        case "ne":
            return int(a != b)
        case "lt":
            return int(a < b)
        case "le":
            return int(a <= b)
    raise AssertionError(op)


def sets(op: str, a: frozenset[int], b: frozenset[int]) -> int:
    """Sets."""
    match op:
        case "union":
            return to_int(a | b)
        case "inter":
            return to_int(a & b)
        case "minus":
            return to_int(a - b)
        case "same":
            return int(a == b)
        case "differ":
            return int(a != b)
        case "within":
            return int(a <= b)
    raise AssertionError(op)
