"""Small games written by hand in the IR: what the tests of the machine play."""

from __future__ import annotations

from interpreter.ir import nodes as n
from interpreter.ir.nodes import Block, Function, Program, RegType

LINES = tuple(
    sum(1 << k for k in line)
    for line in (
        (0, 1, 2),
        (3, 4, 5),
        (6, 7, 8),
        (0, 3, 6),
        (1, 4, 7),
        (2, 5, 8),
        (0, 4, 8),
        (2, 4, 6),
    )
)


def function(
    name: str, params: str, types: dict[str, RegType], *blocks: Block, **more: object
) -> Function:
    """A function whose parameters are written as one string."""
    return Function(name, tuple(params.split()), types, list(blocks), **more)  # type: ignore[arg-type]


def three_in_a_row() -> Program:
    """Two players put stones on nine cells; three in a row win."""
    p = Program("three", 2, "main")
    p.set_fields["stones"] = n.SetField("stones", 2, 9, (0, 0))
    p.fields["winner"] = n.Field("winner", 1, -1, 1, (-1,))
    p.tables["lines"] = n.Table("lines", "s", LINES)
    p.decisions["put"] = n.Decision("put", (n.Stage("cell", 9, "put.options"),))
    p.functions["put.options"] = function(
        "put.options",
        "me",
        {"me": "i", "a": "s", "b": "s", "full": "s", "free": "s"},
        Block(
            [
                n.LoadSet("a", "stones", 0),
                n.LoadSet("b", "stones", 1),
                n.SetBin("full", "union", "a", "b"),
                n.SetBin("free", "minus", 511, "full"),
            ],
            n.Return("free"),
        ),
        pure=True,
    )
    p.functions["won"] = function(
        "won",
        "me",
        {"me": "i", "own": "s", "k": "i", "c": "i", "line": "s", "x": "i"},
        Block([n.LoadSet("own", "stones", "me"), n.Copy("k", 0)], n.Jump(1)),
        Block([n.Fuel(), n.Bin("c", "lt", "k", 8)], n.Branch("c", 2, 4)),
        Block(
            [n.Lookup("line", "lines", "k"), n.SetBin("x", "within", "line", "own")],
            n.Branch("x", 5, 3),
        ),
        Block([n.Bin("k", "add", "k", 1)], n.Jump(1)),
        Block([], n.Return(0)),
        Block([], n.Return(1)),
        pure=True,
    )
    p.functions["main"] = function(
        "main",
        "",
        {"me": "i", "k": "i", "own": "s", "w": "i", "r": "i", "more": "i"},
        Block([n.Copy("me", 0), n.Copy("r", 0)], n.Jump(1)),
        Block([], n.Decide("k", "put", "me", ("me",), 2, "put")),
        Block(
            [
                n.LoadSet("own", "stones", "me"),
                n.With("own", "own", "k"),
                n.StoreSet("stones", "me", "own"),
                n.CallFn("w", "won", ("me",), "won"),
            ],
            n.Branch("w", 3, 4),
        ),
        Block([n.Store("winner", 0, "me")], n.End()),
        Block(
            [
                n.Bin("me", "sub", 1, "me"),
                n.Bin("r", "add", "r", 1),
                n.Bin("more", "lt", "r", 9),
            ],
            n.Branch("more", 1, 5),
        ),
        Block([], n.Return(0)),
    )
    return p
