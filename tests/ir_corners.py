"""Programs of the IR that do everything with sets at their corners, and store what comes of it.

Gives one program for a width. Every step on sets meets every pair of sets and indices that can
be a special case: the empty set and the full one, the members at both ends of a word, numbers
just below and beyond what a set can hold.
"""

from __future__ import annotations

from interpreter.ir import nodes as n
from interpreter.ir.verifier import verify


def set_corners(words: int) -> n.Program:
    """Sets of so many words; a check sum of each step is in ``out``, of each index in ``at``."""
    bits = 64 * words
    ends = sorted({k + by for k in range(0, bits + 1, 64) for by in (-1, 0, 1) if k + by >= -1})
    inside = tuple(k for k in ends if 0 <= k < bits)
    rows = (0, 1, (1 << bits) - 1, 1 << bits - 1, *(1 << k | 1 for k in inside), 0b1011)
    p = n.Program("set corners", 1, "main", fuel=100_000)
    p.set_bits = bits
    p.tables["s"] = n.Table("s", "s", rows, 5)
    p.tables["i"] = n.Table("i", "i", (*ends, -2, 1 << 20, -(1 << 31)), 3)
    many, numbers = len(rows), len(p.tables["i"].rows)
    tests: list[n.Instruction] = [
        n.Has("r", "a", "x"),
        n.First("r", "a"),
        n.Size("r", "a"),
        n.SetBin("r", "same", "a", "b"),
        n.SetBin("r", "differ", "a", "b"),
        n.SetBin("r", "within", "a", "b"),
        n.Lookup("r", "i", -1),
        n.Has("r", "a", 0),
        n.Has("r", "a", bits - 1),
        n.Select("r", "x", "k", 9),
        n.Not("r", "x"),
    ]
    steps: list[n.Instruction] = [
        n.Without("t", "a", "x"),
        n.Without("t", "a", 63),
        n.With("t", "a", "in"),
        n.With("t", "a", "m"),
        n.With("t", "b", bits - 1),
        n.SetBin("t", "union", "a", "b"),
        n.SetBin("t", "inter", "a", "b"),
        n.SetBin("t", "minus", "a", "b"),
        n.Select("t", "x", "a", "b"),
        *(n.Shift("t", "low", by) for by in range(4)),
        n.Lookup("t", "s", -1),
        n.Lookup("t", "s", "m"),
        n.LoadSet("t", "kept", "m"),
    ]
    size = len(tests) + 3 * len(steps)
    p.fields["out"] = n.Field("out", size, -(1 << 31), (1 << 31) - 1, (0,) * size)
    p.fields["at"] = n.Field("at", numbers, -(1 << 31), (1 << 31) - 1, (0,) * numbers)
    p.set_fields["kept"] = n.SetField("kept", 2, bits, (rows[2], 1), 6)
    p.set_fields["last"] = n.SetField("last", len(steps), bits, (0,) * len(steps))
    code: list[n.Instruction] = [
        n.Lookup("a", "s", "i"),
        n.Lookup("b", "s", "j"),
        n.Lookup("x", "i", "k"),
        n.Bin("in", "max", "x", 0),
        n.Bin("in", "min", "in", bits - 1),
        n.Bin("m", "mod", "x", 3),
        n.Bin("m", "sub", "m", 1),
        n.SetBin("low", "inter", "a", (1 << bits - 3) - 1),
        n.StoreSet("kept", 1, "a"),
    ]

    def told(slot: int) -> None:
        code.extend(
            (
                n.Load("o", "out", slot),
                n.Bin("o", "mul", "o", 31),
                n.Bin("o", "add", "o", "r"),
                n.Store("out", slot, "o"),
            )
        )

    for slot, step in enumerate(tests):
        code.append(step)
        told(slot)
    for slot, step in enumerate(steps):
        code += [step, n.StoreSet("last", slot, "t"), n.Size("r", "t")]
        told(len(tests) + 3 * slot)
        code.append(n.First("r", "t"))
        told(len(tests) + 3 * slot + 1)
        code += [n.Without("t", "t", "r"), n.First("r", "t")]
        told(len(tests) + 3 * slot + 2)
    code += [n.Has("r", "b", "x"), n.Load("o", "at", "k"), n.Bin("o", "add", "o", "r")]
    code += [n.Store("at", "k", "o"), n.Bin("k", "add", "k", 1)]
    ints = dict.fromkeys(("i", "j", "k", "x", "in", "m", "r", "o", "c"), "i")
    sets = dict.fromkeys(("a", "b", "t", "low"), "s")

    def loop(counter: str, upto: int, inner: int, after: int) -> n.Block:
        return n.Block([n.Fuel(), n.Bin("c", "lt", counter, upto)], n.Branch("c", inner, after))

    p.functions["main"] = n.Function(
        "main",
        (),
        {**ints, **sets},  # type: ignore[arg-type]
        [
            n.Block([n.Copy("i", 0)], n.Jump(1)),
            loop("i", many, 2, 8),
            n.Block([n.Copy("j", 0)], n.Jump(3)),
            loop("j", many, 4, 7),
            n.Block([n.Copy("k", 0)], n.Jump(5)),
            loop("k", numbers, 6, 9),
            n.Block(code, n.Jump(5)),
            n.Block([n.Bin("i", "add", "i", 1)], n.Jump(1)),
            n.Block([], n.Return(0)),
            n.Block([n.Bin("j", "add", "j", 1)], n.Jump(3)),
        ],
    )
    assert verify(p) == []
    return p


def index_corners() -> n.Program:
    """One question: each answer does one step with one index, inside its bounds or beyond them.

    The index comes from a table that holds anything, so that nothing is known of it.
    """
    p = n.Program("index corners", 2, "main", fuel=1_000)
    zones = (
        n.ZoneInstance("pile", -1, ordered=True),
        n.ZoneInstance("slots", -1, ordered=True, keeps_gaps=True, capacity=3),
        n.ZoneInstance("heap", -1, capacity=4),
    )
    p.groups["box"] = n.Group("box", 7, zones, (0, 0, 0, 1, 2, 2, 2), (0, 0, 1, 1, 2, 2, 2))
    p.planes["plane"] = n.Plane("plane", "box", 0, 3, (0, 1, 0, 1, 1, -1, 0))
    p.fields["small"] = n.Field("small", 3, -3, 60, (7, 8, 9), 5)
    p.set_fields["kept"] = n.SetField("kept", 2, 70, (3, 1 << 69), 4)
    p.tables["ti"] = n.Table("ti", "i", (4, 5, 6), 9)
    p.tables["ts"] = n.Table("ts", "s", (1, 6, 1 << 66), 12)
    big = (1 << 31) - 1
    steps: list[tuple[n.Instruction, int]] = [
        (n.Load("r", "small", "i"), 3),
        (n.Store("small", "i", 5), 3),
        (n.Store("small", 0, "i"), 61),
        (n.Gain("small", "i", 2, -1), 3),
        (n.Gain("small", 2, "i", -1), 61),
        (n.LoadSet("t", "kept", "i"), 2),
        (n.StoreSet("kept", "i", 9), 2),
        (n.Lookup("r", "ti", "i"), 3),
        (n.Lookup("t", "ts", "i"), 3),
        (n.Contents("t", "box", "i"), 3),
        (n.Where("r", "box", "i"), 7),
        (n.Held("t", "plane", "i"), 2),
        (n.With("t", 5, "i"), 128),
        (n.Without("t", 7, "i"), 128),
        (n.Has("r", 7, "i"), 128),
        (n.Covers("r", "ts", "i", 2, 7), 2),
        (n.Move("box", "i", 2, 0, -1), 7),
        (n.Move("box", 0, "i", 0, -1), 3),
        (n.Move("box", 0, 1, "i", -1), 3),
        (n.Swap("box", "i", 3, -1), 7),
        (n.Swap("box", 3, "i", -1), 7),
        (n.Mix("box", "i", -1), 3),
        (n.Order("r", "box", "u", "least"), 7),
        (n.Order("r", "box", "u", "most"), 7),
        (n.Front("t", "box", "u"), 7),
        (n.Distinct("t", "box", "u"), 7),
    ]
    values: list[int] = []
    for _, size in steps:
        values += (-(1 << 31), -2, -1, 0, 1, size - 1, size, size + 1, big)
    each = len(values) // len(steps)
    p.tables["any"] = n.Table("any", "i", tuple(values), 0)
    p.fields["out"] = n.Field("out", 1, -(1 << 31), big, (0,))
    p.set_fields["outs"] = n.SetField("outs", 1, 128, (0,))
    p.set_bits = 128
    stage = n.Stage("step", len(values), "every")
    p.decisions["do"] = n.Decision("do", (stage,))
    everything = n.Function("every", (), {}, [n.Block([], n.Return((1 << len(values)) - 1))])
    everything.pure = True
    p.functions["every"] = everything
    ints = dict.fromkeys(("c", "op", "i", "r", "near"), "i")
    blocks = [
        n.Block([], n.Decide("c", "do", 0, (), 1, "do")),
        n.Block(
            [
                n.Lookup("i", "any", "c"),
                n.Bin("op", "div", "c", each),
                n.Copy("r", 0),
                n.Copy("t", 0),
                n.Bin("near", "max", "i", -1),
                n.Bin("near", "min", "near", 100),
                n.With("u", 6, "near"),
            ],
            n.Switch("op", tuple(range(3, 3 + len(steps))), 2),
        ),
        n.Block([n.Store("out", 0, "r"), n.StoreSet("outs", 0, "t")], n.Jump(0)),
    ]
    blocks += [n.Block([step], n.Jump(2)) for step, _ in steps]
    sets = dict.fromkeys(("t", "u"), "s")
    p.functions["main"] = n.Function("main", (), {**ints, **sets}, blocks)  # type: ignore[arg-type]
    assert verify(p) == []
    return p
