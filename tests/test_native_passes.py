"""What machine code makes of loops over sets means the same: the reference plays both programs.

Without a compiler in between many programs can be tried. ``RULEWRIGHT_SOAK`` is how many,
``RULEWRIGHT_SEED`` the first one.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from ir_programs import sifted_program
from native_lockstep import attempt, options

from interpreter.ir import nodes as n
from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import WAITING
from interpreter.ir.linker import link
from interpreter.native.filters import filtered
from interpreter.native.gathering import gathered
from interpreter.native.hoisting import hoisted
from interpreter.native.lifting import lifted
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault, MachineError

SOAK = int(os.environ.get("RULEWRIGHT_SOAK", "0"))
FIRST = int(os.environ.get("RULEWRIGHT_SEED", "0"))
FUEL = 5_000


def rewritten(program: n.Program) -> tuple[n.Program, list[str]]:
    """The program with its loops rewritten, and the functions that are others now."""
    linked = link(program)
    functions, changed = dict(program.functions), []
    for name, function in linked.program.functions.items():
        made = filtered(linked, lifted(linked, gathered(linked, hoisted(linked, function))))
        if made is not function and not function.framed:
            functions[name] = made
            changed.append(name)
    return replace(program, functions=functions), changed


def answer(machine: Machine, state: bytes, name: str, args: list[int]) -> object:
    """What a function gives, or what it makes of the state, or how it goes wrong."""
    try:
        if machine.program.functions[name].pure:
            return machine.evaluate(state, name, args)
        return machine.run(state, name, args)
    except Fault as fault:
        return fault.code, fault.site
    except MachineError as error:  # it stops what it is no part of
        return str(error)


def agree(program: n.Program, seed: int) -> int:
    """Play both; how many functions were rewritten."""
    other, changed = rewritten(program)
    if not changed:
        return 0
    one, two = Machine(program), Machine(other)
    for game in range(3):
        r = random.Random(seed + game)
        out = one.start(seed + game)
        assert two.start(seed + game) == out, changed
        for _ in range(25):
            if out.status != WAITING:
                break
            state = out.state
            for player in members_of(one.pending(state)):
                assert options(two, state, player) == options(one, state, player), changed
            player = r.choice(members_of(one.pending(state)))
            allowed = options(one, state, player)
            if not isinstance(allowed, int) or not allowed:
                break
            candidate = r.choice(members_of(allowed))
            out = one.apply(state, player, candidate)
            assert attempt(two, state, player, candidate) == out, changed
            if out.fault is not None:
                break
        for name in changed:
            state = out.state
            function = program.functions[name]
            for _ in range(8):
                most = 8 if function.pure else program.players - 1
                args = [r.randint(-1 if function.pure else 0, most) for _ in function.params]
                wanted = answer(one, state, name, args)
                assert answer(two, state, name, args) == wanted, (name, args)
                if isinstance(wanted, bytes):
                    state = wanted
    return len(changed)


@pytest.mark.parametrize("block", range(4))
def test_rewritten_loops_mean_the_same(block: int) -> None:
    """States, options, faults and fuel of random programs with many loops are as before."""
    many, changed = max(6, SOAK // 4), 0
    for seed in range(FIRST + block * many, FIRST + block * many + many):
        program = sifted_program(seed)
        program.fuel = FUEL if seed % 3 else 20 + seed % 80
        try:
            changed += agree(program, seed)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
    assert changed > many // 2
