"""Both engines side by side: one program, the same choices, every byte compared."""

from __future__ import annotations

import random

from interpreter.ir import nodes as n
from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import FAULT, WAITING
from interpreter.native.engine import NativeMachine
from interpreter.runtime.machine import Machine
from interpreter.runtime.playouts import playouts
from interpreter.runtime.step import Fault, IllegalCandidate


def options(machine: Machine, state: bytes, player: int) -> int | tuple[str, int]:
    """What a player may choose, or how asking goes wrong."""
    try:
        return machine.options(state, player)
    except Fault as fault:
        return fault.code, fault.site


def masks_agree(reference: Machine, native: NativeMachine, state: bytes) -> None:
    """Who is asked what, and what each player may choose."""
    assert reference.status(state) == native.status(state)
    assert reference.pending(state) == native.pending(state)
    asked = members_of(reference.pending(state))
    for player in asked:
        assert reference.decision(state, player) == native.decision(state, player)
        assert reference.arguments(state, player) == native.arguments(state, player)
    for player in range(-1, reference.program.players + 1):
        allowed = options(reference, state, player)
        assert options(native, state, player) == allowed, player


def play(reference: Machine, native: NativeMachine, seed: int, most: int) -> tuple[str, int]:
    """One game in lockstep; how it ended, and after how many choices."""
    r = random.Random(seed)
    out = reference.start(seed)
    assert native.start(seed) == out
    for k in range(most):
        state = out.state
        if out.status != WAITING:
            return ("fault" if out.status == FAULT else "over"), k
        masks_agree(reference, native, state)
        if k % 4 == 0:
            refusals_agree(reference, native, state, r)
        asked = members_of(reference.pending(state))
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


def attempt(machine: Machine, state: bytes, player: int, candidate: int) -> object:
    """What becomes of an answer: the next state, or how it is refused."""
    try:
        return machine.apply(state, player, candidate)
    except IllegalCandidate as error:
        return str(error)
    except Fault as fault:
        return fault.code, fault.site


def refusals_agree(
    reference: Machine, native: NativeMachine, state: bytes, r: random.Random
) -> None:
    """Answers from anybody, mostly such as are not offered, come to the same."""
    width = 64 * native.linked.set_words
    for candidate in (r.randint(-2, 3), r.randint(0, width + 1), width, r.randint(-(2**33), 2**33)):
        player = r.randint(-2, reference.program.players + 1)
        found = [attempt(machine, state, player, candidate) for machine in (reference, native)]
        assert found[0] == found[1], (player, candidate)


def whole_games(reference: Machine, native: NativeMachine, seeds: range) -> None:
    """Games of random play in one go end in the same bytes, after as many choices."""
    size = reference.layout.size
    for most in (200, 3):
        wanted = playouts(reference, len(seeds), seeds.start, most, True)
        found = native.playouts(len(seeds), seeds.start, most=most, keep=True)
        assert (found.choices, list(found.lengths)) == (wanted.choices, list(wanted.lengths))
        for k in range(len(seeds)):
            one = wanted.states[k * size : k * size + size]
            assert found.states[k * size : k * size + size] == one, (seeds[k], most)


def both(program: n.Program, level: int = 1) -> tuple[Machine, NativeMachine]:
    """The two engines for a program."""
    return Machine(program), NativeMachine(program, level)
