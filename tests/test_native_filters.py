"""Loops whose members are found beforehand do what they did: random loops in both engines."""

from __future__ import annotations

import ir_programs
import pytest
import test_machine
from ir_programs import Maker, Programs, random_program

from interpreter.ir import nodes as n
from interpreter.ir.linker import link

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)

from native_lockstep import agree, both

from interpreter.native.filters import filtered

FUEL = 5_000


CELLS = 24


class BoardPrograms(Programs):
    """Programs that have a board too: cells for one piece, and cells for many."""

    def groups(self) -> None:
        """Two more groups, and a table over their pieces."""
        super().groups()
        r, p = self.r, self.p
        for name, size, most in (("cells", 26, 1), ("crowd", r.choice((26, 70)), -1)):
            box = n.ZoneInstance("box", -1)
            cells = tuple(n.ZoneInstance("cell", k, capacity=most) for k in range(CELLS))
            start = tuple(r.choice((0, 1 + k % CELLS)) if k < CELLS else 0 for k in range(size))
            p.groups[name] = n.Group(name, size, (box, *cells), start, (0,) * size)
        rows = tuple(r.randrange(3) for _ in range(70))
        p.tables["kinds"] = n.Table("kinds", "i", rows, r.choice((-1, 1, 7)))


class LoopMaker(Maker):
    """Makes functions full of loops over sets that skip, collect and stop early."""

    small = False
    """Whether the loop that is made has a set that fits the cells."""

    def straight(self, depth: int) -> None:
        """Now and then a loop instead."""
        if depth < 3 and self.r.random() < 0.2:
            self.for_each(depth)
        else:
            super().straight(depth)

    def quiet(self, x: str) -> n.Operand:
        """A few steps that look at the state, and a flag."""
        r, p = self.r, self.made.p
        t, c = self.temp(), self.temp()
        if self.small and r.random() < 0.9:
            return self.look(x, t, c)
        pick = r.randrange(7)
        if pick == 0:
            self.add(n.Bin(t, "add", x, r.randrange(-2, 3)))
            self.add(n.Bin(c, r.choice(("lt", "eq", "ne", "le")), t, self.int_()))
        elif pick == 1:
            self.add(n.Has(c, self.set_(), x))
        elif pick == 2:
            self.add(n.Bin(t, "mod", x, 4))
            self.add(n.Lookup(t, "ti", t))
            self.add(n.Bin(c, "lt", t, self.int_()))
        elif pick == 3:
            group = r.choice(list(p.groups.values()))
            s = self.temp("s")
            self.add(n.Bin(t, "mod", x, len(group.zones)))
            self.add(n.Contents(s, group.name, t))
            self.add(n.SetBin(c, "differ", s, self.set_() if r.random() < 0.2 else 0))
        elif pick == 4:
            self.add(n.Bin(t, "min", x, 3))
            self.add(n.Where(t, "loose", t))
            self.add(n.Bin(c, "eq", t, r.randrange(3)))
        elif pick == 5:
            f = p.fields["f0"]
            self.add(n.Bin(t, "mod", x, f.n))
            self.add(n.Load(t, f.name, t))
            self.add(n.Bin(c, "le", t, self.int_()))
        else:
            s = self.temp("s")
            self.add(n.Select(s, x, self.set_(), self.set_()))
            self.add(n.Size(t, s))
            self.add(n.Bin(c, "eq", t, self.int_()))
        return c

    def look(self, x: str, t: str, c: str) -> n.Operand:
        """One of the looks at a cell, or at a table, that are made for all members at once."""
        r = self.r
        equal: n.IntOp = r.choice(("eq", "ne"))
        k = r.choice((self.int_(), -1, 0, 1))
        if r.random() < 0.3:
            self.add(n.Lookup(t, "kinds", x))
            self.add(n.Bin(c, equal, *((t, k) if r.random() < 0.5 else (k, t))))
            return c
        s = self.temp("s")
        zone: n.Operand = x
        if r.random() < 0.8:
            self.add(n.Bin(t, "add", x, 1))
            zone, t = t, self.temp()
        self.add(n.Contents(s, r.choice(("cells", "cells", "crowd")), zone))
        if r.random() < 0.25:
            self.add(n.SetBin(c, r.choice(("differ", "same")), s, 0))
            return c
        self.add(n.First(t, s))
        owner = self.temp()
        self.add(n.Lookup(owner, "kinds", t))
        self.add(n.Bin(c, equal, owner, k))
        return c

    def for_each(self, depth: int) -> None:
        """A loop that skips some, and collects, stops, or does anything with the others."""
        r = self.r
        left, x, c = self.temp("s"), self.temp(), self.temp()
        self.small = r.random() < 0.7
        if self.small:
            self.add(n.SetBin(left, "minus", (1 << r.randrange(1, CELLS + 1)) - 1, self.set_()))
        elif r.random() < 0.5:
            self.add(n.SetBin(left, "minus", (1 << r.randrange(1, 40)) - 1, self.set_()))
        else:
            self.add(n.SetBin(left, "inter", self.set_(), 63))
        own = self.temp("s")
        self.add(n.Copy(own, left))
        head, body, after, found = (self.new_block() for _ in range(4))
        self.block.end = n.Jump(head)
        self.go_on(head)
        self.add(n.First(x, own))
        self.add(n.Bin(c, "lt", x, 0))
        self.block.end = n.Branch(c, after, body)
        self.go_on(body)
        self.add(n.Without(own, own, x))
        for _ in range(1 if self.small and r.random() < 0.7 else r.randrange(3)):
            on, skip = self.new_block(), self.new_block()
            ways = (on, skip) if r.random() < 0.5 else (skip, on)
            self.block.end = n.Branch(self.quiet(x), *ways)
            self.f.blocks[skip].end = n.Jump(head)
            self.go_on(on)
        self.small = False
        pick = r.random()
        if pick < 0.35:
            kept = r.choice(("s0", "s1", "s2"))
            self.add(n.With(kept, kept, x))
            self.block.end = n.Jump(head)
        elif pick < 0.6:
            self.block.end = n.Jump(found)
        else:
            if r.random() < 0.3:
                self.add(n.Copy(self.int_target(), x))
            self.body(r.randrange(1, 3), depth + 1)
            self.block.end = n.Jump(head)
        self.go_on(found)
        if r.random() < 0.5:
            self.add(n.Copy(self.int_target(), r.choice((x, 7))))
        if r.random() < 0.25:
            self.add(n.Copy(r.choice(("s0", "s1", "s2")), own))
        self.block.end = n.Jump(after)
        self.go_on(after)


@pytest.fixture(autouse=True)
def loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """All random programs of this file are full of loops."""
    monkeypatch.setattr(ir_programs, "Maker", LoopMaker)
    monkeypatch.setattr(ir_programs, "Programs", BoardPrograms)


@pytest.mark.parametrize("block", range(6))
def test_prepared_loops_agree_byte_for_byte(block: int) -> None:
    """Random loops in plain, pure and framed functions end in the same states."""
    for seed in range(block * 5, block * 5 + 5):
        program = random_program(seed)
        program.fuel = FUEL
        agree(program, seed % 2, seed, 20)


def test_many_loops_are_prepared() -> None:
    """The random programs hold what this file is for."""
    prepared = 0
    for seed in range(30):
        linked = link(random_program(seed))
        for function in linked.program.functions.values():
            prepared += filtered(linked, function) is not function
    assert prepared > 40


def test_what_is_left_after_a_break_is_whole() -> None:
    """A loop that is left early, and whose rest is looked at afterwards, keeps its rest."""
    made = test_machine.program("""
        function main () "" @0 0 ()
          types %left s %x i %c i %m i %n i %u i
         b0:
          copy %left 63
          jump b1
         b1:
          first %x %left
          bin %c lt %x 0
          branch %c b3 b2
         b2:
          without %left %left %x
          bin %m mod %x 2
          branch %m b3 b1
         b3:
          size %n %left
          call %u log (%n) log
          return 0
    """)
    for machine in both(made):
        assert test_machine.log(machine, machine.start(0).state) == [4]
