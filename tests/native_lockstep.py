"""Both engines side by side: one program, the same choices, every byte compared."""

from __future__ import annotations

import random

from interpreter.ir import nodes as n
from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import FAULT, WAITING
from interpreter.native.engine import NativeMachine
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault


def options(machine: Machine, state: bytes, player: int) -> int | tuple[str, int]:
    """What a player may choose, or how asking goes wrong."""
    try:
        return machine.options(state, player)
    except Fault as fault:
        return fault.code, fault.site


def play(reference: Machine, native: NativeMachine, seed: int, most: int) -> tuple[str, int]:
    """One game in lockstep; how it ended, and after how many choices."""
    r = random.Random(seed)
    out = reference.start(seed)
    assert native.start(seed) == out
    for k in range(most):
        state = out.state
        if out.status != WAITING:
            return ("fault" if out.status == FAULT else "over"), k
        asked = members_of(reference.pending(state))
        assert reference.decision(state, asked[0]) == native.decision(state, asked[0])
        for player in range(-1, reference.program.players + 1):
            allowed = options(reference, state, player)
            assert options(native, state, player) == allowed, player
        player = r.choice(asked)
        allowed = options(reference, state, player)
        if not isinstance(allowed, int):
            return "fault in options", k
        if not allowed:
            return "nothing to choose", k
        choice = r.choice(members_of(allowed))
        out = reference.apply(state, player, choice)
        assert native.apply(state, player, choice) == out
        if out.fault is not None:
            return f"fault {out.fault[0]}", k
    return "long", most


def whole_games(reference: Machine, native: NativeMachine, seeds: range) -> None:
    """Games of random play in one go end in the same bytes, after as many choices."""
    for seed in seeds:
        try:
            wanted: int | tuple[str, int] = reference.playout(seed, 200)
        except Fault as fault:
            wanted = fault.code, fault.site
        try:
            found: int | tuple[str, int] = native.playout(seed, 200)
        except Fault as fault:
            found = fault.code, fault.site
        assert found == wanted, seed
        if isinstance(wanted, int):
            assert bytes(native._buffer) == bytes(reference._buffer)


def both(program: n.Program, level: int = 1) -> tuple[Machine, NativeMachine]:
    """The two engines for a program."""
    return Machine(program), NativeMachine(program, level)
