"""Intervals of a whole program: from calls to parameters, from answers back, through branches."""

from __future__ import annotations

import random

from ir_programs import random_program

from interpreter.ir import nodes as n
from interpreter.ir.bitsets import members_of
from interpreter.ir.linker import link
from interpreter.ir.ranges import FULL
from interpreter.ir.whole import intervals, whole
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault


def function(name: str, params: str, types: str, *blocks: n.Block, depth: int = 0) -> n.Function:
    """A pure function; ``types``: ``x:i y:s``."""
    kinds: dict[str, n.RegType] = {}
    for entry in types.split():
        register, kind = entry.split(":")
        kinds[register] = "s" if kind == "s" else "i"
    return n.Function(name, tuple(params.split()), kinds, list(blocks), pure=True, depth=depth)


def program(*functions: n.Function) -> n.Program:
    """A program whose main rule is the first of them."""
    out = n.Program("small", 2, functions[0].name)
    out.functions = {f.name: f for f in functions}
    return out


def test_parameters_and_answers_hold_what_all_calls_bring() -> None:
    """Two calls with 2 and 5 make 2..5, and what the function makes of it comes back; 0 too, for a
    call can be unwound."""
    main = function(
        "main",
        "",
        "a:i b:i",
        n.Block([n.CallFn("a", "f", (2,), "f"), n.CallFn("b", "f", (5,), "f~2")], n.Return(0)),
    )
    f = function("f", "x", "x:i y:i", n.Block([n.Bin("y", "add", "x", 10)], n.Return("y")))
    linked = link(program(main, f))
    assert whole(linked).params["f"] == [(2, 5)]
    assert whole(linked).answers["f"] == (12, 15)
    assert intervals(linked, linked.program.functions["main"])["a"] == (0, 15)


def test_what_calls_itself_with_ever_more_is_given_up() -> None:
    """A parameter that grows from call to call may be anything."""
    main = function("main", "", "a:i", n.Block([n.CallFn("a", "f", (0,), "f")], n.Return(0)))
    step: list[n.Instruction] = [n.Bin("y", "add", "x", 1), n.CallFn("z", "f", ("y",), "f")]
    f = function("f", "x", "x:i y:i z:i", n.Block(step, n.Return(0)), depth=9)
    assert whole(link(program(main, f))).params["f"] == [FULL]


def test_a_branch_on_the_way_narrows_what_a_call_brings() -> None:
    """Where x < 7 holds a call brings no more than 6; on the other way at least 7."""
    main = function(
        "main",
        "",
        "a:i b:i",
        n.Block([n.CallFn("a", "f", (1,), "f"), n.CallFn("b", "f", (20,), "f~2")], n.Return(0)),
    )
    f = function(
        "f",
        "x",
        "x:i c:i r:i q:i",
        n.Block([n.Bin("c", "lt", "x", 7)], n.Branch("c", 1, 2)),
        n.Block([n.CallFn("r", "low", ("x",), "low")], n.Jump(3)),
        n.Block([n.CallFn("q", "high", ("x",), "high")], n.Jump(3)),
        n.Block([], n.Return("x")),
    )
    low = function("low", "x", "x:i", n.Block([], n.Return(0)))
    high = function("high", "x", "x:i", n.Block([], n.Return(0)))
    linked = link(program(main, f, low, high))
    assert whole(linked).params["low"] == [(1, 6)]
    assert whole(linked).params["high"] == [(7, 20)]
    known = intervals(linked, linked.program.functions["f"])
    assert [known.inside(k)["x"] for k in range(4)] == [(1, 20), (1, 6), (7, 20), (1, 20)]


def test_a_register_that_is_set_twice_is_not_narrowed() -> None:
    """What a branch has said of the old value says nothing of the new one."""
    f = function(
        "main",
        "",
        "x:i c:i",
        n.Block([n.Copy("x", 3), n.Bin("c", "lt", "x", 7)], n.Branch("c", 1, 2)),
        n.Block([n.Copy("x", 30)], n.Jump(2)),
        n.Block([], n.Return("x")),
    )
    linked = link(program(f))
    known = intervals(linked, linked.program.functions["main"])
    assert [known.inside(k)["x"] for k in range(3)] == [(3, 30)] * 3


def test_the_member_of_a_round_is_one() -> None:
    """In a loop over a set the first member is a number, and -1 only at the head and after."""
    f = function(
        "main",
        "",
        "left:s x:i c:i",
        n.Block([n.Copy("left", 31)], n.Jump(1)),
        n.Block([n.First("x", "left"), n.Bin("c", "lt", "x", 0)], n.Branch("c", 3, 2)),
        n.Block([n.Without("left", "left", "x"), n.Fuel()], n.Jump(1)),
        n.Block([], n.Return(0)),
    )
    linked = link(program(f))
    known = intervals(linked, linked.program.functions["main"])
    assert [known.inside(k)["x"] for k in (1, 2, 3)] == [(-1, 4), (0, 4), (-1, -1)]


def test_whatever_random_programs_keep_lies_in_its_interval() -> None:
    """In every state that play comes to, frames keep only what the intervals allow."""
    looked = 0
    for seed in range(40):
        made = random_program(seed)
        made.fuel = 3_000
        machine = Machine(made)
        r = random.Random(seed)
        out = machine.start(seed)
        for _ in range(20):
            if out.fault is not None or not machine.pending(out.state):
                break
            assert machine.check_state(out.state) is None
            looked += 1
            player = r.choice(members_of(machine.pending(out.state)))
            try:
                allowed = machine.options(out.state, player)
            except Fault:
                break
            if not allowed:
                break
            out = machine.apply(out.state, player, r.choice(members_of(allowed)))
    assert looked > 100
