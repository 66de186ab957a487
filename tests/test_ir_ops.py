"""Each instruction by itself against plain Python, over values where it could go wrong."""

from __future__ import annotations

import random
from typing import get_args

import pytest
from ir_games import function
from ir_judge import Judge, JudgeFaultError, integer, sets, to_set, wrap
from ir_programs import Programs

from interpreter.ir import nodes as n
from interpreter.ir.verifier import verify
from interpreter.runtime.machine import Machine

EDGES = (0, 1, -1, 2, 3, -3, 7, -7, 40_000, -70_000, 2**31 - 1, -(2**31), -(2**31) + 1)
SETS = (0, 1, 5, 63, 2**63, 2**64 - 1, 0b1010)


def machine_with(*functions: n.Function) -> Machine:
    """A machine whose program has these functions and does nothing."""
    program = n.Program("ops", 2, "main")
    program.functions["main"] = function("main", "", {}, n.Block([], n.Return(0)))
    program.tables["rows"] = n.Table("rows", "s", (10, 20, 30), 99)
    for f in functions:
        program.functions[f.name] = f
    assert verify(program) == []
    return Machine(program)


def pure(name: str, params: str, kinds: str, result: n.RegType, *code: n.Instruction) -> n.Function:
    """A pure function that answers %d."""
    types: dict[str, n.RegType] = {}
    for param, kind in zip(params.split(), kinds, strict=True):
        types[param] = "s" if kind == "s" else "i"
    types["d"] = result
    return function(name, params, types, n.Block(list(code), n.Return("d")), pure=True)


@pytest.mark.parametrize("op", get_args(n.IntOp))
def test_integers(op: n.IntOp) -> None:
    """Integer operations floor, wrap and compare, with registers and with constants."""
    both = pure("both", "a b", "ii", "i", n.Bin("d", op, "a", "b"))
    right = [pure(f"r{k}", "a", "i", "i", n.Bin("d", op, "a", v)) for k, v in enumerate(EDGES)]
    left = [pure(f"l{k}", "a", "i", "i", n.Bin("d", op, v, "a")) for k, v in enumerate(EDGES)]
    machine = machine_with(both, *right, *left)
    state = machine.start(0).state
    for a in EDGES:
        for k, b in enumerate(EDGES):
            assert machine.evaluate(state, "both", (a, b)) == wrap(integer(op, a, b)), (a, b)
            assert machine.evaluate(state, f"r{k}", (a,)) == wrap(integer(op, a, b)), (a, b)
            assert machine.evaluate(state, f"l{k}", (a,)) == wrap(integer(op, b, a)), (b, a)


@pytest.mark.parametrize("op", get_args(n.SetOp))
def test_sets(op: n.SetOp) -> None:
    """Set operations are those of Python's sets."""
    result: n.RegType = "i" if op in ("same", "differ", "within") else "s"
    machine = machine_with(pure("f", "a b", "ss", result, n.SetBin("d", op, "a", "b")))
    state = machine.start(0).state
    for a in SETS:
        for b in SETS:
            assert machine.evaluate(state, "f", (a, b)) == sets(op, to_set(a), to_set(b))


def test_members() -> None:
    """Has, With, Without, Shift, First and Size agree with Python's sets, also outside of 0..63."""
    machine = machine_with(
        pure("has", "s i", "si", "i", n.Has("d", "s", "i")),
        pure("with", "s i", "si", "s", n.With("d", "s", "i")),
        pure("without", "s i", "si", "s", n.Without("d", "s", "i")),
        pure("first", "s", "s", "i", n.First("d", "s")),
        pure("size", "s", "s", "i", n.Size("d", "s")),
        pure("shift", "s", "s", "s", n.Shift("d", "s", 2)),
        pure("not", "i", "i", "i", n.Not("d", "i")),
        pure("pick", "c s", "is", "s", n.Select("d", "c", "s", 9)),
    )
    state = machine.start(0).state
    for s in SETS:
        members = to_set(s)
        assert machine.evaluate(state, "first", (s,)) == min(members, default=-1)
        assert machine.evaluate(state, "size", (s,)) == len(members)
        for i in (-5, -1, 0, 1, 62, 63, 64, 2**31 - 1):
            assert machine.evaluate(state, "has", (s, i)) == int(i in members)
            assert to_set(machine.evaluate(state, "without", (s, i))) == members - {i}
            if -1 <= i < 64:
                got = to_set(machine.evaluate(state, "with", (s, i)))
                assert got == members | ({i} - {-1})
            else:
                with pytest.raises(Exception, match="INDEX"):
                    machine.evaluate(state, "with", (s, i))
    assert machine.evaluate(state, "shift", (0b1011,)) == 0b101100
    with pytest.raises(Exception, match="INDEX"):
        machine.evaluate(state, "shift", (2**63,))
    assert [machine.evaluate(state, "not", (i,)) for i in (0, 1, -1)] == [1, 0, 0]
    assert [machine.evaluate(state, "pick", (c, 5)) for c in (0, 1, -1)] == [9, 5, 5]


@pytest.mark.parametrize("op", ["lt", "le", "eq", "ne"])
def test_what_a_branch_says_is_no_more_than_true(op: n.IntOp) -> None:
    """Checks left out after a comparison would not have found anything."""
    functions = []
    for at in range(-2, 5):
        for name, code in (
            ("without", n.Without("d", "s", "z")),
            ("with", n.With("d", "s", "z")),
            ("row", n.Lookup("d", "rows", "z")),
        ):
            for known in (False, True):
                f = function(
                    f"{name}{at}{known}",
                    "s x",
                    {"s": "s", "x": "i", "c": "i", "d": "s", "y": "i", "z": "i"},
                    n.Block(
                        [n.Bin("y", "min", "x", 3), n.Bin("z", "max", "y", -1)]
                        if known
                        else [n.Copy("z", "x")],
                        n.Jump(1),
                    ),
                    n.Block([n.Bin("c", op, "z", at)], n.Branch("c", 2, 3)),
                    n.Block([code], n.Return("d")),
                    n.Block([code], n.Return("d")),
                    pure=True,
                )
                functions.append(f)
    machine = machine_with(*functions)
    state = machine.start(0).state
    for at in range(-2, 5):
        for known in (False, True):
            for x in range(-4, 8):
                clipped = max(-1, min(3, x)) if known else x
                got = machine.evaluate(state, f"without{at}{known}", (0b101101, x))
                assert to_set(got) == to_set(0b101101) - {clipped}
                if -1 <= clipped < 3:
                    got = machine.evaluate(state, f"row{at}{known}", (0, x))
                    assert got == (10, 20, 30, 99)[clipped]
                else:
                    with pytest.raises(Exception, match="INDEX"):
                        machine.evaluate(state, f"row{at}{known}", (0, x))
                if clipped >= -1:
                    got = machine.evaluate(state, f"with{at}{known}", (0b101, x))
                    assert to_set(got) == to_set(0b101) | ({clipped} - {-1})
                else:
                    with pytest.raises(Exception, match="INDEX"):
                        machine.evaluate(state, f"with{at}{known}", (0b101, x))


@pytest.mark.parametrize("seed", range(12))
def test_pieces(seed: int) -> None:
    """Moves and mixes in every kind of zone, and what is asked of their order, one by one."""
    r = random.Random(seed)
    made = Programs(seed)
    program = n.Program("pieces", 1, "main")
    program.groups = made.p.groups
    program.functions["main"] = function("main", "", {}, n.Block([], n.Return(0)))
    for name in program.groups:
        move = n.Move(name, "p", "z", "at", -1)
        types: dict[str, n.RegType] = dict.fromkeys(("p", "z", "at"), "i")
        f = function(f"move {name}", "p z at", types, n.Block([move], n.Return(0)))
        program.functions[f.name] = f
        mix = n.Block([n.Mix(name, "z", -1)], n.Return(0))
        program.functions[f"mix {name}"] = function(f"mix {name}", "z", {"z": "i"}, mix)
        asked: tuple[tuple[str, n.RegType, n.Instruction], ...] = (
            ("least", "i", n.Order("d", name, "s", "least")),
            ("most", "i", n.Order("d", name, "s", "most")),
            ("front", "s", n.Front("d", name, "s")),
            ("distinct", "s", n.Distinct("d", name, "s")),
        )
        for word, kind, code in asked:
            program.functions[f"{word} {name}"] = pure(f"{word} {name}", "s", "s", kind, code)
    assert verify(program) == []
    machine = Machine(program)
    judge = Judge(program, [])
    state = machine.start(0).state
    for _ in range(250):
        name = r.choice(list(program.groups))
        g = program.groups[name]
        if r.random() < 0.12:
            function_, args = f"mix {name}", (r.randrange(len(g.zones)),)
        else:
            at = r.choice((0, 0, 1, 2, 99, -1))
            piece = r.randrange(min(g.n, 8)) if r.random() < 0.95 else -1
            function_, args = f"move {name}", (piece, r.randrange(len(g.zones)), at)
        expected = None
        before = [list(map(set, zone)) if isinstance(zone, list) else zone.copy()
                  for zone in judge.layers[name]]  # fmt: skip
        try:
            judge.ask(function_, args)
        except JudgeFaultError as fault:
            expected = fault.args[0]
            judge.layers[name] = before
        if expected is not None:
            with pytest.raises(Exception, match=expected):
                machine.run(state, function_, args)
        else:
            state = machine.run(state, function_, args)
        for piece in range(g.n):
            assert machine.layout.zone_of(state, name, piece) == judge.zone(name, piece)
            assert machine.layout.place_of(state, name, piece) == judge.place(name, piece)
        some = r.getrandbits(g.n)
        inside = machine.layout.pieces_in(state, name, r.randrange(len(g.zones)))
        for word in ("least", "most", "front", "distinct"):
            for s in (some, inside, 0):
                got = machine.evaluate(state, f"{word} {name}", (s,))
                assert got == judge.ask(f"{word} {name}", (s,)), word
        assert machine.check_state(state) is None
