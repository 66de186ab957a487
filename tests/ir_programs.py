"""Random programs of the IR: sound by construction, and odd in every other way."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import get_args

from ir_sifts import fits, sift, tables, watched

from interpreter.ir import nodes as n

INTS = ("x0", "x1", "x2", "x3")
SETS = ("s0", "s1", "s2")


class Maker:
    """Makes one function: a growing graph of blocks."""

    def __init__(self, made: Programs, f: n.Function, effects: bool, asks: bool) -> None:
        self.made, self.f, self.r = made, f, made.r
        self.effects, self.asks = effects, asks
        self.block = n.Block()
        f.blocks.append(self.block)
        self.fresh = 0
        self.ints = [*INTS, *(p for p in f.params if f.types[p] == "i")]
        for name in INTS:
            f.types[name] = "i"
            self.add(n.Copy(name, self.number()))
        for name in SETS:
            f.types[name] = "s"
            self.add(n.Copy(name, self.r.getrandbits(6)))

    # ------------------------------------------------------------------ graph

    def add(self, x: n.Instruction) -> None:
        """One more instruction."""
        self.block.code.append(x)

    def new_block(self) -> int:
        """A block that nothing leads to yet."""
        self.f.blocks.append(n.Block())
        return len(self.f.blocks) - 1

    def go_on(self, k: int) -> None:
        """What follows is written into block k."""
        self.block = self.f.blocks[k]

    def temp(self, kind: n.RegType = "i") -> str:
        """A new register."""
        self.fresh += 1
        name = f"t{self.fresh}"
        self.f.types[name] = kind
        return name

    # ------------------------------------------------------------------ operands

    def number(self) -> int:
        """A constant, mostly small."""
        pick = self.r.random()
        if pick < 0.8:
            return self.r.randint(-3, 9)
        return self.r.choice((2**31 - 1, -(2**31), 40_000, -70_000, 65_536))

    def int_(self) -> n.Operand:
        """Any integer."""
        return self.r.choice(self.ints) if self.r.random() < 0.7 else self.number()

    def set_(self) -> n.Operand:
        """Any set."""
        return self.r.choice(SETS) if self.r.random() < 0.8 else self.r.getrandbits(7)

    def int_target(self) -> str:
        """A register to write; never a parameter, for it may name the player."""
        return self.r.choice(INTS)

    def index(self, size: int, none: bool = False) -> n.Operand:
        """An index that is nearly always one."""
        pick = self.r.random()
        if pick < 0.01:
            return self.int_()
        if none and pick < 0.1:
            return -1
        if pick < 0.5:
            return self.r.randrange(size)
        t = self.temp()
        self.add(n.Bin(t, "mod", self.int_(), size))
        return t

    # ------------------------------------------------------------------ statements

    def body(self, size: int, depth: int = 0) -> None:
        """Some statements."""
        for _ in range(size):
            kinds: list[Callable[[int], None]] = [self.straight] * 6 + [self.guarded]
            if depth < 3:
                kinds += [self.if_, self.for_each, self.repeat, self.switch]
                if self.made.sifts:
                    kinds += [self.sift] * 5
            if self.effects:
                kinds += [self.effect] * 6 + [self.call] * 3
            if self.asks:
                kinds += [self.decide, self.gather] * 2
            if self.effects and depth > 0 and self.r.random() < 0.08:
                kinds = [self.stop]
            self.r.choice(kinds)(depth)

    def straight(self, _: int) -> None:
        """One pure instruction."""
        r, p = self.r, self.made.p
        d, s = self.int_target(), r.choice(SETS)
        group = r.choice(list(p.groups.values()))
        pick = r.randrange(22)
        if pick < 4:
            self.add(n.Bin(d, r.choice(get_args(n.IntOp)), self.int_(), self.int_()))
        elif pick < 6:
            set_ops: tuple[n.SetOp, ...] = ("union", "inter", "minus")
            self.add(n.SetBin(s, r.choice(set_ops), self.set_(), self.set_()))
        elif pick == 6:
            tests: tuple[n.SetOp, ...] = ("same", "differ", "within")
            self.add(n.SetBin(d, r.choice(tests), self.set_(), self.set_()))
        elif pick == 7:
            self.add(n.Not(d, self.int_()))
        elif pick == 8:
            self.add(n.Select(d, self.int_(), self.int_(), self.int_()))
            self.add(n.Select(s, self.int_(), self.set_(), self.set_()))
        elif pick == 9:
            f = r.choice([f for f in p.fields.values() if not f.name.startswith("answer")])
            self.add(n.Load(d, f.name, self.index(f.n, True)))
        elif pick == 10:
            g = r.choice(list(p.set_fields.values()))
            self.add(n.LoadSet(s, g.name, self.index(g.n, True)))
        elif pick == 11:
            t = r.choice(list(p.tables.values()))
            target = d if t.type == "i" else s
            self.add(n.Lookup(target, t.name, self.index(len(t.rows), True)))
        elif pick == 12:
            self.add(n.Contents(s, group.name, self.index(len(group.zones), True)))
        elif pick == 13 and r.random() < 0.3:
            if p.planes:
                self.add(n.Held(s, r.choice(list(p.planes)), self.index(3, True)))
            self.add(n.Lying(s, group.name, self.int_(), self.int_()))
            self.add(n.Preimage(s, r.choice(("ti", "tp")), self.set_()))
            self.add(n.Covers(d, "ts", self.index(2), 2, self.set_()))
        elif pick == 13:
            self.add(n.Where(d, group.name, self.index(group.n, True)))
        elif pick == 14:
            self.add(n.Has(d, self.set_(), self.int_()))
        elif pick == 15:
            self.add(n.With(s, self.set_(), self.r.choice((self.r.randrange(60), -1, "x0"))))
        elif pick == 16:
            self.add(n.Without(s, self.set_(), self.int_()))
        elif pick == 17:
            self.add(n.First(d, self.set_()) if r.random() < 0.5 else n.Size(d, self.set_()))
        elif pick == 18:
            pieces = self.pieces(group)
            self.add(n.Order(d, group.name, pieces, r.choice(("least", "most"))))
        elif pick == 19:
            self.add(n.Front(s, group.name, self.pieces(group)))
        elif pick == 20:
            self.add(n.Distinct(s, group.name, self.pieces(group)))
        else:
            t_ = self.temp("s")
            self.add(n.SetBin(t_, "inter", self.set_(), 255))
            self.add(n.Shift(s, t_, r.randrange(4)))
            if self.made.within and r.random() < 0.5:
                self.add(n.Within(d, self.made.within, (self.int_(),)))

    def pieces(self, group: n.Group) -> n.Operand:
        """A set of pieces of a group."""
        t = self.temp("s")
        if self.r.random() < 0.5:
            self.add(n.Contents(t, group.name, self.index(len(group.zones))))
        else:
            self.add(n.SetBin(t, "inter", self.set_(), (1 << group.n) - 1))
        return t

    def effect(self, _depth: int) -> None:
        """One instruction that changes something."""
        r, p = self.r, self.made.p
        group = r.choice(list(p.groups.values()))
        pick = r.randrange(9)
        if pick < 2:
            f = r.choice(list(p.fields.values()))
            t = self.temp()
            self.add(n.Bin(t, "max", self.int_(), f.low))
            self.add(n.Bin(t, "min", t, f.high))
            safe = r.random() < 0.97
            self.add(n.Store(f.name, self.index(f.n), t if safe else self.int_()))
        elif pick == 2:
            g = r.choice(list(p.set_fields.values()))
            t = self.temp("s")
            self.add(n.SetBin(t, "inter", self.set_(), (1 << g.bits) - 1))
            self.add(n.StoreSet(g.name, self.index(g.n), t if r.random() < 0.97 else self.set_()))
        elif pick == 3:
            f = r.choice([f for f in p.fields.values() if not f.name.startswith("answer")])
            self.add(n.Gain(f.name, self.index(f.n), self.int_(), -1))
        elif pick < 6:
            if group.name == "rows" and r.random() < 0.5:
                self.add(n.Mix(group.name, r.randrange(2), -1))
            for _ in range(4):
                piece = r.choice((r.randrange(group.n), self.index(group.n, True)))
                zone = r.choice((r.randrange(len(group.zones)), self.index(len(group.zones))))
                at = r.choice((0, 99, 1, self.int_()))
                self.add(n.Move(group.name, piece, zone, at, -1))
            if r.random() < 0.5:
                one, other = self.index(group.n, True), self.index(group.n, True)
                self.add(n.Swap(group.name, one, other, -1))
        elif pick == 6:
            ok = [k for k, z in enumerate(group.zones) if not z.keeps_gaps]
            self.add(n.Mix(group.name, r.choice(ok), -1))
        elif pick == 7:
            t = self.temp("s")
            self.add(n.SetBin(t, "union", self.set_(), 1))
            self.add(n.Roll(self.int_target(), t, r.choice(("dice", "bag"))))
        else:
            self.add(n.Emit("seen", (self.int_(), self.int_()), -1))

    def call(self, _: int) -> None:
        """A call of a function further on, or of the recursive one."""
        target = self.r.choice(self.made.callable(self.f, self.asks))
        if target is None:
            return
        own = "p" in self.f.params and self.r.random() < 0.6
        arg = "p" if own else self.index(self.made.p.players)
        self.add(n.CallFn(self.int_target(), target, (arg,), target))
        self.tell()

    def tell(self) -> None:
        """Let the watchers see what the registers hold."""
        self.add(n.Emit("told", (*INTS, *SETS), -1))
        if self.made.sifts:
            watched(self)

    def guarded(self, _: int) -> None:
        """What a comparison says about a register is relied upon on both of its sides."""
        x, t = self.r.choice(self.ints), self.temp()
        op = self.r.choice(("lt", "le", "eq", "ne"))
        self.add(n.Bin(t, op, x, self.r.randint(-2, 3)))
        yes, no, after = self.new_block(), self.new_block(), self.new_block()
        self.block.end = n.Branch(t, yes, no)
        for k in (yes, no):
            self.go_on(k)
            self.add(n.Without(self.r.choice(SETS), self.set_(), x))
            y = self.temp()
            self.add(n.Bin(y, self.r.choice(("add", "mul", "div", "mod", "min", "max")), x, 3))
            self.add(n.Has(self.int_target(), self.set_(), y))
            self.block.end = n.Jump(after)
        self.go_on(after)
        if self.effects:
            self.tell()

    def decide(self, _: int) -> None:
        """A question to one player."""
        to = self.new_block()
        d = self.r.choice([d for d in self.made.p.decisions if d.startswith("one")])
        players = self.made.p.players
        args = (self.index(players), self.int_())
        actor = self.index(players)
        self.block.end = n.Decide(self.int_target(), d, actor, args, to, d)
        self.go_on(to)

    def gather(self, _: int) -> None:
        """A question to several players."""
        to = self.new_block()
        d = self.r.choice([d for d in self.made.p.decisions if d.startswith("all")])
        t = self.temp("s")
        self.add(n.SetBin(t, "inter", self.set_(), (1 << self.made.p.players) - 1))
        self.block.end = n.Gather(d, t, to, d)
        self.go_on(to)

    def stop(self, _: int) -> None:
        """Unwind something."""
        r = self.r
        to = self.new_block()
        out, on = self.new_block(), to
        t = self.temp()
        self.add(n.Bin(t, "mod", self.int_(), 3))
        self.add(n.Bin(t, "eq", t, 1))
        self.block.end = n.Branch(t, out, on)
        pick = r.randrange(10)
        if pick == 0:
            self.f.blocks[out].end = n.End()
        elif pick < 4:
            self.f.blocks[out].end = n.Leave(self.index(self.made.p.players), on)
        else:
            names = [f for f in self.made.p.functions if f.startswith(("act", "plain"))]
            if self.f.name.startswith("plain") and r.random() < 0.7:
                names = [k for k in names if k.startswith("plain")]
            own = self.f.name if self.f.name in names and r.random() < 0.5 else r.choice(names)
            self.f.blocks[out].end = n.StopRule(own)
        self.go_on(on)

    def if_(self, depth: int) -> None:
        """Two ways that meet again."""
        yes, no, after = self.new_block(), self.new_block(), self.new_block()
        c = self.int_()
        if self.r.random() < 0.5:
            t = self.temp()
            self.add(n.Bin(t, self.r.choice(("lt", "eq", "le")), self.int_(), self.int_()))
            c = t
        self.block.end = n.Branch(c, yes, no)
        for k in (yes, no):
            self.go_on(k)
            self.body(self.r.randrange(3), depth + 1)
            self.block.end = n.Jump(after)
        self.go_on(after)

    def switch(self, depth: int) -> None:
        """Several ways, some of them shared."""
        ways = [self.new_block() for _ in range(3)]
        after = self.new_block()
        to = tuple(self.r.choice([*ways, after]) for _ in range(self.r.randrange(1, 5)))
        self.block.end = n.Switch(self.int_(), to, self.r.choice([*ways, after]))
        for k in ways:
            self.go_on(k)
            self.body(self.r.randrange(2), depth + 1)
            self.block.end = n.Jump(after)
        self.go_on(after)

    def for_each(self, depth: int) -> None:
        """A loop over a set."""
        members, x, c = self.temp("s"), self.temp(), self.temp()
        self.add(n.SetBin(members, "inter", self.set_(), 31))
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        self.block.end = n.Jump(head)
        self.go_on(head)
        self.add(n.First(x, members))
        self.add(n.Bin(c, "lt", x, 0))
        self.block.end = n.Branch(c, after, body)
        self.go_on(body)
        self.add(n.Without(members, members, x))
        self.add(n.Copy(self.int_target(), x))
        self.body(self.r.randrange(1, 3), depth + 1)
        self.block.end = n.Jump(head)
        self.go_on(after)

    def sift(self, depth: int) -> None:
        """A loop that skips most members of a set."""
        sift(self, depth)

    def repeat(self, depth: int, rounds: int = 3, size: int = 2) -> None:
        """A loop that counts and burns fuel."""
        k, c = self.temp(), self.temp()
        self.add(n.Copy(k, 0))
        head, body, after = self.new_block(), self.new_block(), self.new_block()
        self.block.end = n.Jump(head)
        self.go_on(head)
        self.add(n.Fuel())
        self.add(n.Bin(c, "lt", k, self.r.randrange(1, rounds + 1)))
        self.block.end = n.Branch(c, body, after)
        self.go_on(body)
        self.add(n.Bin(k, "add", k, 1))
        self.body(self.r.randrange(1, size + 1), depth + 1)
        self.block.end = n.Jump(head)
        self.go_on(after)


class Programs:
    """Makes one whole program from a seed."""

    def __init__(self, seed: int, sifts: bool = False) -> None:
        self.r = random.Random(seed)
        self.sifts = sifts
        self.fits: list[str] = []
        """Pure functions that tell whether a member of a set fits."""
        r = self.r
        players = r.randint(1, 4)
        self.p = p = n.Program(f"random{seed}", players, "main")
        self.within = ""
        self.order = [f"plain{k}" for k in range(3)] + [f"act{k}" for k in range(3)]
        self.fields()
        self.groups()
        if sifts:
            tables(self)
            fits(self, self.fits)
        self.decisions()
        if r.random() < 0.3:
            self.within = "act2"
        for name in self.order:
            f = n.Function(name, ("p",), {"p": "i"}, [], begins=r.random() < 0.5, rule=f"r.{name}")
            f.player_first = r.random() < 0.5
            f.depth = r.randint(1, 4) if r.random() < 0.4 else 0
            p.functions[name] = f
        for name in self.order:
            f = p.functions[name]
            maker = Maker(self, f, True, name.startswith("act"))
            maker.body(r.randint(2, 6))
            maker.block.end = n.Return(maker.int_())
        main = n.Function("main", (), {}, [])
        p.functions["main"] = main
        maker = Maker(self, main, True, True)
        maker.repeat(0, rounds=r.randint(6, 20), size=r.randint(5, 10))
        maker.block.end = n.Return(0)

    def callable(self, caller: n.Function, asks: bool) -> list[str | None]:
        """What a function may call: those after it, itself where it has a depth."""
        names = [k for k in self.order if asks or k.startswith("plain")]
        if caller.name == "main":
            return [*names]
        after = [k for k in names if self.order.index(k) < self.order.index(caller.name)]
        deep = [k for k in names if self.p.functions[k].depth]
        return [*after, *([caller.name] if caller.depth else []), *(deep[:1])] or [None]

    def fields(self) -> None:
        """Fields of both widths, sets of several widths, tables."""
        r, p = self.r, self.p
        for k, (low, high) in enumerate(((0, 9), (-5, 40_000), (0, 1), (-(2**31), 2**31 - 1))):
            size = r.randint(1, 5)
            init = tuple(r.choice((max(low, 0), min(high, 7))) for _ in range(size))
            p.fields[f"f{k}"] = n.Field(f"f{k}", size, low, high, init, r.choice((0, -1, 3)))
        for k, bits in enumerate((5, 64, r.choice((40, 70, 130)))):
            size = r.randint(1, 3)
            init = tuple(r.getrandbits(bits) for _ in range(size))
            p.set_fields[f"g{k}"] = n.SetField(f"g{k}", size, bits, init)
        p.tables["ti"] = n.Table("ti", "i", tuple(r.randint(-9, 99) for _ in range(4)), -1)
        p.tables["tp"] = n.Table("tp", "i", tuple(r.randint(-1, 9) for _ in range(40)), -1)
        p.tables["ts"] = n.Table("ts", "s", tuple(r.getrandbits(9) for _ in range(3)), 0)

    def groups(self) -> None:
        """One group without orders, one with all kinds of zones."""
        r, p = self.r, self.p
        size = r.choice((4, 9, 70))
        zones = tuple(
            n.ZoneInstance(f"z{k}", -1, capacity=r.choice((-1, -1, 2 if k else -1)))
            for k in range(3)
        )
        alike = tuple(r.randrange(3) for _ in range(size))
        p.groups["loose"] = n.Group("loose", size, zones, (0,) * size, alike)
        size = r.randint(3, 8)
        rows = (
            n.ZoneInstance("pile", -1, ordered=True),
            n.ZoneInstance("row", -1, ordered=True, capacity=r.choice((-1, 3))),
            n.ZoneInstance("slots", -1, ordered=True, keeps_gaps=True, capacity=r.choice((-1, 4))),
            n.ZoneInstance("heap", -1),
        )
        start = tuple(r.choice((0, 0, 3)) for _ in range(size))
        p.groups["rows"] = n.Group("rows", size, rows, start, tuple(range(size)))
        for name, many in (("loose", 3), ("rows", 1)):
            group = p.groups[name]
            classes = tuple(r.choice((-1, *range(many), many - 1)) for _ in range(group.n))
            base = r.randrange(len(group.zones))
            rest = r.randint(1, len(group.zones) - base)
            if max(classes) >= 0:
                p.planes[f"in {name}"] = n.Plane(f"in {name}", name, base, rest, classes)

    def decisions(self) -> None:
        """Questions to one, and to all in one or two stages."""
        r, p = self.r, self.p
        for k in range(2):
            size = r.choice((2, 6, 66))
            self.options(f"options{k}", ("p", "x"), size)
            stage = n.Stage("pick", size, f"options{k}")
            p.decisions[f"one{k}"] = n.Decision(f"one{k}", (stage,))
        zeros = (0,) * p.players
        none = (-1,) * p.players
        for k, many in enumerate((1, 2)):
            stages = []
            for s in range(many):
                params = ("p", *(f"a{i}" for i in range(s)))
                self.options(f"all{k}.{s}", params, 4)
                p.fields[f"answer{k}.{s}"] = n.Field(f"answer{k}.{s}", p.players, -1, 3, none)
                stages.append(n.Stage(f"q{s}", 4, f"all{k}.{s}", f"answer{k}.{s}"))
            pending = f"answers{k}" if many > 1 else ""
            if pending:
                p.fields[pending] = n.Field(pending, p.players, 0, many, zeros)
            p.decisions[f"all{k}"] = n.Decision(f"all{k}", tuple(stages), pending)

    def options(self, name: str, params: tuple[str, ...], size: int) -> None:
        """A pure function that answers some candidates, never none."""
        f = n.Function(name, params, dict.fromkeys(params, "i"), [], pure=True)
        self.p.functions[name] = f
        maker = Maker(self, f, False, False)
        maker.body(self.r.randint(1, 4))
        maker.add(n.SetBin("s0", "inter", maker.set_(), (1 << size) - 1))
        maker.add(n.With("s0", "s0", self.r.randrange(size)))
        maker.block.end = n.Return("s0")


def random_program(seed: int) -> n.Program:
    """One program, always the same for a seed."""
    return Programs(seed).p


def sifted_program(seed: int) -> n.Program:
    """One with many loops that look at the members of sets."""
    return Programs(seed, sifts=True).p
