"""Both engines side by side: one program, the same choices, every byte compared."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

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


def every_answer(reference: Machine, native: NativeMachine, seed: int) -> None:
    """Each answer to the first question leads to the same state, or to the same fault."""
    out = reference.start(seed)
    if out.status != WAITING:
        return
    state = out.state
    for player in members_of(reference.pending(state)):
        allowed = options(reference, state, player)
        for candidate in members_of(allowed) if isinstance(allowed, int) else ():
            wanted = attempt(reference, state, player, candidate)
            assert attempt(native, state, player, candidate) == wanted, (player, candidate)


def fast_calls_agree(reference: Machine, native: NativeMachine, seed: int, most: int = 15) -> None:
    """The functions made for CPython give the same states; what is refused is no state."""
    for first in (0, 1):
        fast = native.fast_calls(first)
        if fast is not None:
            _fast_calls_agree(reference, fast, first, seed, most)


def _fast_calls_agree(reference: Machine, fast: Any, first: int, seed: int, most: int) -> None:
    out = reference.start(seed)
    found = fast.start(seed)
    for k in range(most):
        assert found == (out.state if out.status != FAULT else b"")
        if out.status != WAITING:
            assert out.status == FAULT or fast.asked(found) == first - 1
            return
        pending = reference.pending(out.state)
        assert fast.asked(found) == (pending & -pending).bit_length() - 1 + first
        for player in range(-1, reference.program.players + 1):
            allowed = options(reference, out.state, player)
            some = allowed if isinstance(allowed, int) else 0
            assert fast.options(found, player + first) == some
            assert fast.candidates(found, player + first) == members_of(some)
            for wrong in (-1, 63, 1 << 40):
                if not isinstance(allowed, int) or wrong < 0 or not allowed >> wrong & 1:
                    assert fast.step(found, player + first, wrong) == b""
        player = members_of(pending)[-1]
        allowed = options(reference, out.state, player)
        if not isinstance(allowed, int) or not allowed:
            return
        members = members_of(allowed)
        choice = members[(seed + k) % len(members)]
        out = reference.apply(out.state, player, choice)
        found = fast.step(found, player + first, choice)


def lanes_agree(
    reference: Machine,
    native: NativeMachine,
    seed: int,
    reward: Callable[[Any], Any] | None = None,
    steps: int = 25,
) -> None:
    """Many lanes step alike: what is asked, what is drawn, how each ends, the rewards.

    ``reward``: see `OnReference`; without it rewards are not compared.
    """
    np = __import__("numpy")
    from interpreter.native.numbering import bases_of
    from interpreter.native.stepping import Arrays, InMachineCode, OnReference

    bases = bases_of(reference.program)
    players, many = reference.program.players, 4
    size, words = reference.layout.size, reference.linked.set_words
    nothing = np.zeros((1, players), np.float32)
    one, two = (Arrays(many, size, words, players, seed) for _ in range(2))
    slow = OnReference(one, reference, bases, reward or (lambda _: nothing))
    quick = InMachineCode(two, native, 1)
    slow.step(None)
    quick.step(None)
    drawn, other = np.zeros(many, np.int32), np.zeros(many, np.int32)
    for k in range(steps):
        for each in ("players", "bases", "sets", "seeds", "ended"):
            assert (getattr(one, each) == getattr(two, each)).all(), each
        went_well = one.players >= 0
        assert (one.states == two.states)[went_well].all()
        slow.pick(drawn, seed + k)
        quick.pick(other, seed + k)
        assert (drawn == other).all()
        if k % 5 == 4:
            drawn[k % many] = int(one.bases[k % many]) + (1, -1, 64 * words)[k // 5 % 3]
        assert slow.illegal(drawn) == quick.illegal(drawn)
        slow.step(drawn)
        quick.step(drawn)
        if reward is not None:
            assert (one.rewards == two.rewards).all()
        whole = one.ended == 1
        assert (one.finals == two.finals)[whole].all()


def both(program: n.Program, level: int = 1) -> tuple[Machine, NativeMachine]:
    """The two engines for a program."""
    return Machine(program), NativeMachine(program, level)


def agree(program: n.Program, level: int, seed: int, most: int) -> None:
    """Some games step by step, of so many choices at most, and some in one go."""
    reference, native = both(program, level)
    try:
        for k in range(3):
            play(reference, native, seed + k, most)
        whole_games(reference, native, range(seed, seed + 2))
    except BaseException as error:
        error.add_note(f"seed {seed}")
        raise
