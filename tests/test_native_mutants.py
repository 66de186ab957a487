"""The tests have teeth: nearly every small fault in the emitter of machine code is noticed.

What is tried is a sample, drawn by what the mutants say. Those that are known to mean the same are
listed with the reason. `python -m native_mutants 200 7` tries others, and lists the survivors: each
is either one more that means the same, or a gap to be closed by a program that shows it.

``RULEWRIGHT_SOAK`` is how many mutants are tried, ``RULEWRIGHT_SEED`` which.
"""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import pytest
import test_machine
from documents import ROOT
from ir_corners import index_corners, set_corners
from ir_programs import random_program, sifted_program

from interpreter import Game
from interpreter.ir import nodes as n
from interpreter.ir.printer import show
from interpreter.runtime.machine import Machine
from ruleset import load

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)
if not hasattr(os, "fork"):
    pytest.skip("a mutant may crash, so it lives in a forked process", allow_module_level=True)

from native_mutants import Exhibit, mutants, tried
from test_native_machine import SAME

from interpreter.native.outcomes import rewards

SOAK = int(os.environ.get("RULEWRIGHT_SOAK", "0"))
SEED = int(os.environ.get("RULEWRIGHT_SEED", "1"))
GAMES = ("tic_tac_toe", "kuhn_poker", "pig", "goofspiel", "othello")


KNOWN = {
    "asking.Asking.allowed: 'ult' -> ule #1": "nobody of that number is ever asked",
    "asking.Asking.answer: ', [ 0, %several ]' -> 1 #1": "nobody reads what a gather gives back",
    "entries._Entries.start: no code.put(f'store atomic i32 {BY_CHANCE}, ptr @known release,"
    " align 4') #1": "it is found out anew in each game that chance has a part in it",
    "filters._Filter._prepare: 1 -> 2 #2": "fewer loops are prepared",
    "functions._Writer._burn: no self.fault('FUEL', -1) #1": "`run` finds no fuel, and faults",
    "instructions.Instructions._has: 1 -> 2 #1": "an index that is surely inside is tested as well",
    "loops.Loops.put_before: 0 -> 1 #1": "the argument is not used where no register is replaced",
    "loops.Loops.look: 0 -> 1 #4": "less is known of arguments, so fewer loops are prepared",
    "rounds.Round._joined: 0 -> 1 #3": "all of the values are equal there",
    "rounds.many_of: 0 -> 1 #1": "fewer loops are prepared",
    "rounds.many_of: 0 -> 1 #2": "no set has an interval that begins below 0",
}
"""Mutants that mean the same as the original, and why."""


def exhibits() -> list[Exhibit]:
    """What the mutants play: small programs by hand, corners, games, random programs."""
    out = [Exhibit(Machine(program)) for program in by_hand()]
    out += [Exhibit(Machine(set_corners(words))) for words in (1, 2, 3)]
    out += [Exhibit(Machine(index_corners())), shared_victory(), deep(), two_answers()]
    for name in GAMES:
        rules = load(ROOT / "games" / f"{name}.yaml")
        game = Game(rules, rules.file.min_players, engine="reference")
        out.append(Exhibit(game.machine, partial(rewards, game)))
    for seed in range(100, 112):
        program = sifted_program(seed) if seed % 3 == 2 else random_program(seed)
        program.fuel = 5_000 if seed % 2 else 50 + seed % 10
        out.append(Exhibit(Machine(program)))
    return sorted(out, key=lambda one: instructions(one.machine.program))


def by_hand() -> list[n.Program]:
    """Every program that the tests of the machine play."""
    found: dict[str, n.Program] = {}

    def machine(program: n.Program, watch: bool = False) -> Machine:
        found.setdefault(show(program), program)
        return Machine(program, watch=watch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(test_machine, "Machine", machine)
        for test in SAME:
            test()
    return list(found.values())


def deep() -> Exhibit:
    """Frames in frames, more than the machine's stack is trusted with; then all ways back."""
    program = test_machine.program("""
        field sum 2 -2147483648 2147483647 (0 0) 0 all ()
        function deep (%k) "" @0 60 ()
          types %k i %j i %u i %c i %a s %b s
         b0:
          with %a 5 %k
          without %b 255 %k
          branch %k b1 b3
         b1:
          bin %j sub %k 1
          call %u deep (%j) deep
          bin %u mul %u 3
          size %j %a
          bin %u add %u %j
          has %j %b %k
          bin %u sub %u %j
          within %j outer (%k)
          bin %u add %u %j
          within %j outer ()
          bin %u add %u %j
          bin %j mod %u 61
          branch %j b2 b3
         b2:
          return %u
         b3:
          decide %c pick 0 () b4 pick
         b4:
          switch %c (b5 b6 b7) b5
         b5:
          return %c
         b6:
          stop outer
         b7:
          leave 1 b5
        function outer (%p) "" @0 0 (player_first)
          types %p i %u i
         b0:
          call %u deep (50) deep
          store sum %p %u
          return %u
        function main () "" @0 0 ()
          types %u i %k i %p i
         b0:
          copy %k 0
          jump b1
         b1:
          fuel
          bin %p mod %k 2
          call %u outer (%p) outer
          bin %k add %k 1
          bin %u lt %k 4
          branch %u b1 b2
         b2:
          call %u deep (61) deep
          return 0
    """)
    program.fuel = 4_000
    program.set_bits = 640
    return Exhibit(Machine(program))


def two_answers() -> Exhibit:
    """A rule that answers at two places, asked of each member of a set."""
    program = test_machine.program("""
        field seen 1 0 40000 (0) 0 all ()
        table rows i (4 1 0 5 2 3 9 1) -1
        function fits (%x) "" @-1 0 (pure)
          types %x i %v i %c i
         b0:
          lookup %v rows %x
          bin %c lt %v 3
          branch %c b1 b2
         b1:
          return 1
         b2:
          has %c 205 %x
          return %c
        function main () "" @0 0 ()
          types %left s %x i %c i %s s %n i
         b0:
          copy %n 0
          copy %left 255
          copy %s 0
          jump b1
         b1:
          first %x %left
          bin %c lt %x 0
          branch %c b4 b2
         b2:
          without %left %left %x
          call %c fits (%x) fits
          branch %c b3 b1
         b3:
          bin %n mul %n 2
          bin %n add %n %x
          with %s %s %x
          jump b1
         b4:
          gain seen 0 %n @0
          size %x %s
          gain seen 0 %x @0
          return 0
    """)
    return Exhibit(Machine(program))


def shared_victory() -> Exhibit:
    """Three players take 0 or 1 point each: who has most wins, often all of them."""
    program = test_machine.program("""
        field vp 3 0 9 (0 0 0) 0 all ()
        function two () "" @-1 0 (pure)
          types
         b0:
          return 3
        decision points ""
          stage points 2 two ""
        function main () "" @0 0 ()
          types %p i %c i %k i
         b0:
          copy %p 0
          jump b1
         b1:
          bin %c lt %p 3
          branch %c b2 b4
         b2:
          decide %k points %p () b3 points
         b3:
          store vp %p %k
          bin %p add %p 1
          jump b1
         b4:
          return 0
    """)
    program.result = n.Result(most=("vp",))
    machine = Machine(program)

    def reward(states: Any) -> Any:
        has = [machine.layout.value(states[0].tobytes(), "vp", p) for p in range(3)]
        best = [value == max(has) for value in has]
        return [[0.0 if all(best) else 1.0 if won else -1.0 for won in best]]

    return Exhibit(machine, reward)


def instructions(program: n.Program) -> int:
    """How large a program is."""
    return sum(len(b.code) for f in program.functions.values() for b in f.blocks)


def test_small_faults_of_the_emitter_are_noticed() -> None:
    """Of mutants that emit something else and are not known to mean the same, 95 % are noticed."""
    many = SOAK or 40
    found = tried(many, SEED, exhibits(), KNOWN)
    survivors = [str(mutant) for mutant, end in found if end == "survived"]
    assert len(survivors) <= many // 20, "\n".join(survivors)


def test_the_known_mutants_are_still_there() -> None:
    """A mutant that is listed is one; what the emitter no longer says is off the list."""
    assert sorted(set(KNOWN) - {mutant.name for mutant in mutants()}) == []
