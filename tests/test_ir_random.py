"""Random programs: the machine against a judge that shares nothing with it but the nodes."""

from __future__ import annotations

import random

import pytest
from ir_judge import Judge, JudgeFaultError, TooLongError, to_int, to_set
from ir_programs import random_program, sifted_program

from interpreter.ir import nodes as n
from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import COUNTER, FAULT, OVER, TOP, WAITING, cell
from interpreter.ir.printer import show
from interpreter.ir.reader import read
from interpreter.ir.verifier import verify
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Outcome

STEPS = 25
FUEL = 5_000


def compare(machine: Machine, judge: Judge, state: bytes) -> None:
    """Every part of a state, by name."""
    layout, p = machine.layout, machine.program
    for name, f in p.fields.items():
        assert [layout.value(state, name, i) for i in range(f.n)] == judge.fields[name], name
    for name, g in p.set_fields.items():
        found = [to_set(layout.set_value(state, name, i)) for i in range(g.n)]
        assert found == judge.sets[name], name
    for name, group in p.groups.items():
        for k in range(len(group.zones)):
            assert layout.pieces_in(state, name, k) == to_int(judge.inside(name, k)), name
        for piece in range(group.n):
            assert layout.zone_of(state, name, piece) == judge.zone(name, piece)
            assert layout.place_of(state, name, piece) == judge.place(name, piece), (name, piece)
    if judge.over:
        assert machine.status(state) == OVER
        assert machine.pending(state) == 0
        return
    assert machine.status(state) == WAITING
    asked = judge.asked
    assert asked is not None
    players = asked.players if asked.actor < 0 else {asked.actor}
    assert machine.actor(state) == asked.actor
    assert to_set(machine.pending(state)) == players


def dead_is_zero(machine: Machine, state: bytes) -> None:
    """What no frame keeps is zero, and so is everything above the top."""
    used = bytearray(len(state))
    fp = cell(state, "i", TOP)
    while fp:
        used[8 * fp : 8 * fp + 8] = b"\1" * 8
        point = machine.linked.points[cell(state, "i", 2 * fp + 1)]
        assert point is not None
        frame = machine.linked.frames[point.function]
        types = machine.program.functions[point.function].types
        for register in point.live:
            at = 8 * fp + frame.slots[register]
            size = 4 if types[register] == "i" else 8 * machine.linked.set_words
            used[at : at + size] = b"\1" * size
        fp = cell(state, "i", 2 * fp)
    stack = range(machine.layout.frames, len(state))
    assert not any(state[k] for k in stack if not used[k])


def same_but_counter(a: bytes, b: bytes) -> bool:
    """Equal states, however often chance was asked."""
    cut = slice(4 * COUNTER, 4 * COUNTER + 4)
    x, y = bytearray(a), bytearray(b)
    x[cut] = y[cut] = bytes(4)
    return x == y


def judged(judge: Judge, out: Outcome, step: object) -> bool:
    """Let the judge take a step with the outcomes of the machine; whether the game goes on."""
    judge.outcomes[:] = [member for _, member in out.rolled]
    try:
        step()  # type: ignore[operator]
    except JudgeFaultError as fault:
        assert out.fault is not None and out.fault[0] == fault.args[0]
        return False
    assert out.fault is None, out.fault
    assert judge.outcomes == []
    return True


def seen(out: Outcome) -> list[tuple[str, str, tuple[int, ...], str]]:
    """The events of a step as the judge tells them."""
    names = [event.name for event in out.events]
    return [
        (e.kind, e.name, e.args, names[e.parent] if e.parent >= 0 else "")
        for e in out.events
        if e.kind != "under"
    ]


def play(seed: int) -> str:
    """One game of one random program, everything compared on the way; how it ended."""
    program = sifted_program(seed) if seed % 4 == 3 else random_program(seed)
    program.fuel = FUEL
    assert verify(program) == []
    assert read(show(program)) == program
    silent, watched = Machine(program), Machine(program, watch=True)
    r = random.Random(seed)
    judge = Judge(program, [])
    out = silent.start(seed)
    if out.fault is not None and out.fault[0] == "FUEL":
        return "fuel"
    if not judged(judge, out, judge.start):
        assert out.status == FAULT
        return "fault"
    assert seen(watched.start(seed)) == judge.events
    for _ in range(STEPS):
        state = out.state
        compare(silent, judge, state)
        dead_is_zero(silent, state)
        assert silent.check_state(state) is None
        if judge.over:
            return "over"
        asked = judge.asked
        assert asked is not None
        player = asked.actor if asked.actor >= 0 else r.choice(sorted(asked.players))
        try:
            allowed = judge.options(player)
        except JudgeFaultError as fault:
            with pytest.raises(Exception, match=fault.args[0]):
                silent.options(state, player)
            return "fault in options"
        assert to_set(silent.options(state, player)) == allowed
        if asked.actor >= 0:
            assert silent.arguments(state, player) == asked.args
        choice = r.choice(sorted(allowed))
        out = silent.apply(state, player, choice)
        if out.fault is not None and out.fault[0] == "FUEL":
            return "fuel"
        if not judged(judge, out, lambda p=player, c=choice: judge.apply(p, c)):
            assert out.state == state
            return "fault"
        loud = watched.apply(state, player, choice)
        assert loud.state == out.state
        assert loud.rolled == out.rolled
        assert seen(loud) == judge.events
        members = [member for _, member in out.rolled]
        again = silent.apply(state, player, choice, members)
        assert same_but_counter(again.state, out.state)
        if members:
            short = silent.apply(state, player, choice, members[:-1])
            assert short.need is not None and short.need[0] == out.rolled[-1][0]
            assert members[-1] in members_of(short.need[1])
            assert short.state == state
    return "long"


@pytest.mark.parametrize("block", range(10))
def test_machine_agrees_with_the_judge(block: int) -> None:
    """Fields, pieces, options, events, faults and chance of random programs are the judge's."""
    ends: dict[str, int] = {}
    for seed in range(block * 16, block * 16 + 16):
        try:
            end = play(seed)
        except TooLongError:
            end = "too long"
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        ends[end] = ends.get(end, 0) + 1
    assert sum(ends.values()) == 16


def test_random_programs_reach_everything() -> None:
    """Every kind of instruction and terminator occurs among the random programs."""
    kinds: set[type] = set()
    for seed in range(40):
        for f in random_program(seed).functions.values():
            for block in f.blocks:
                kinds |= {type(x) for x in (*block.code, block.end)}
    missing = {
        kind.__name__
        for kind in vars(n).values()
        if isinstance(kind, type) and kind.__module__ == n.__name__ and kind not in kinds
    }
    parts = {"Block", "Function", "Field", "SetField", "Table", "ZoneInstance", "Group", "Stage"}
    parts |= {"Decision", "Site", "Program", "Plane", "Result"}
    assert missing - parts == {"Check", "Enter"}
