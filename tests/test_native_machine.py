"""The tests of the reference machine, played by machine code; and what only machine code has."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import get_args

import pytest
import test_machine

from interpreter.ir import nodes as n
from interpreter.ir.layout import FAULT, OVER, STATUS, cell
from interpreter.ir.nodes import Program
from interpreter.ir.verifier import verify
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)

from interpreter.native.engine import NativeMachine
from interpreter.native.recipe import TooDeep

SAME = [
    test
    for name, test in vars(test_machine).items()
    if name.startswith("test_") and not inspect.signature(test).parameters
]


def engine(program: Program, watch: bool = False) -> Machine:
    """Machine code where nobody watches."""
    return Machine(program, watch=True) if watch else NativeMachine(program, 0)


@pytest.mark.parametrize("test", SAME, ids=lambda test: test.__name__)
def test_as_the_reference(test: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the reference machine is asked, machine code answers in the same way."""
    monkeypatch.setattr(test_machine, "Machine", engine)
    test()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("call %u deep (9) deep", "DEPTH"),
        ("call %u framed (9) framed", "DEPTH"),
        ("roll %u 0 dice", "EMPTY"),
        ("move box 0 7 0 @0", "INDEX"),
        ("move box 1 1 0 @0", "FULL"),
        ("mix box 7 @0", "INDEX"),
        ("order %u box 8 least", "INDEX"),
        ("store log 0 100", "RANGE"),
    ],
)
def test_faults_are_those_of_the_reference(body: str, code: str) -> None:
    """A fault on purpose has the same code and site in both engines."""
    text = FAULTY.replace("BODY", body)
    made = test_machine.program(text)
    wanted = Machine(made).start(3)
    assert wanted.fault is not None and wanted.fault[0] == code
    for level in (0, 2):
        assert NativeMachine(made, level).start(3) == wanted


FAULTY = """
    group box 2 (0 0) (0 1) ()
      zone here -1 1 0 -1 all -1
      zone there -1 0 0 0 all -1
    function deep (%k) "" @0 3 ()
      types %k i %u i
     b0:
      call %u deep (%k) deep
      return %u
    function framed (%k) "" @0 3 (framed)
      types %k i %u i
     b0:
      call %u framed (%k) framed
      return %u
    function main () "" @0 0 ()
      types %u i
     b0:
      BODY
      return 0
"""


def test_deep_recursion_stays_with_the_reference() -> None:
    """A program that may nest thousands of calls is refused: it could overrun the real stack."""
    made = test_machine.program("""
        function deep (%k) "" @0 100000 ()
          types %k i %u i
         b0:
          call %u deep (%k) deep
          return %u
        function main () "" @0 0 ()
          types %u i
         b0:
          call %u deep (0) deep
          return 0
    """)
    with pytest.raises(TooDeep):
        NativeMachine(made)


def test_threads_share_the_work() -> None:
    """Playouts on two threads end as those on one do, game by game."""
    native = NativeMachine(test_machine.three_in_a_row())
    one = native.playouts(200, 5, keep=True)
    two = native.playouts(200, 5, threads=2, keep=True)
    assert one.states == two.states
    assert list(one.lengths) == list(two.lengths) and one.choices == two.choices
    size = native.layout.size
    for k in range(200):
        state = one.states[k * size : k * size + size]
        assert cell(bytes(state), "i", STATUS) == OVER
    assert native.playouts(0).choices == 0


def test_a_playout_that_goes_wrong_says_so() -> None:
    """A fault in the middle of random play is marked in the last state of that game alone."""
    made = test_machine.program("""
        function main () "" @0 0 ()
          types %c i
         b0:
          jump b1
         b1:
          decide %c pick 0 () b2 pick
         b2:
          check %c zero @0
          jump b1
    """)
    native = NativeMachine(made, 1)
    got = native.playouts(3, 1, keep=True)
    for k in range(3):
        state = bytes(got.states[k * native.layout.size : (k + 1) * native.layout.size])
        assert cell(state, "i", STATUS) == FAULT
    with pytest.raises(Fault) as caught:
        native.playout(1)
    assert (caught.value.code, caught.value.site) == ("zero", 0)


def test_many_chance_outcomes_are_all_kept() -> None:
    """The log of a step grows until it holds every outcome, in the order they happened."""
    made = test_machine.program("""
        function main () "" @0 0 ()
          types %k i %u i
         b0:
          copy %k 0
          jump b1
         b1:
          fuel
          roll %u 63 dice
          bin %k add %k 1
          bin %u lt %k 500
          branch %u b1 b2
         b2:
          return 0
    """)
    native = NativeMachine(made, 1)
    wanted = Machine(made).start(3)
    assert len(wanted.rolled) == 500 and native.start(3) == wanted


CORNERS = (0, 1, -1, 2, -2, 3, 7, -7, 2**31 - 1, -(2**31), 65_536, -40_000)


def corners(known: bool) -> Program:
    """All operations on all pairs of corner values, the results in a field.

    ``known``: the first operand is never negative and the second is positive.
    """
    values = tuple(v for v in CORNERS if not known or v > 0)
    ops = get_args(n.IntOp)
    many = len(values)
    p = Program("corners", 1, "main", fuel=10_000)
    p.tables["v"] = n.Table("v", "i", values, 1)
    size = many * many * len(ops)
    p.fields["out"] = n.Field("out", size, -(2**31), 2**31 - 1, (5,) * size)
    code: list[n.Instruction] = [n.Lookup("a", "v", "i"), n.Lookup("b", "v", "j")]
    for op in ops:
        code += [n.Bin("r", op, "a", "b"), n.Store("out", "k", "r"), n.Bin("k", "add", "k", 1)]
    names = ("i", "j", "k", "a", "b", "r", "c")
    p.functions["main"] = n.Function(
        "main",
        (),
        dict.fromkeys(names, "i"),
        [
            n.Block([n.Copy("k", 0), n.Copy("i", 0)], n.Jump(1)),
            n.Block([n.Fuel(), n.Copy("j", 0), n.Bin("c", "lt", "i", many)], n.Branch("c", 2, 5)),
            n.Block([n.Fuel(), n.Bin("c", "lt", "j", many)], n.Branch("c", 3, 4)),
            n.Block([*code, n.Bin("j", "add", "j", 1)], n.Jump(2)),
            n.Block([n.Bin("i", "add", "i", 1)], n.Jump(1)),
            n.Block([], n.Return(0)),
        ],
    )
    assert verify(p) == []
    return p


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("level", [0, 2])
def test_arithmetic_at_its_corners(known: bool, level: int) -> None:
    """Overflow, division by zero and by -1, and rounding are those of the reference."""
    program = corners(known)
    wanted = Machine(program).start(0)
    assert wanted.fault is None
    assert NativeMachine(program, level).start(0) == wanted


def test_chance_that_went_before_a_fault_is_kept_and_no_other() -> None:
    """A caller goes on for a while after a fault; what it draws then has never happened."""
    made = test_machine.program("""
        function bad () "" @0 0 ()
          types %u i
         b0:
          roll %u 7 first
          check 0 mine @0
          return 0
        function main () "" @0 0 ()
          types %u i
         b0:
          call %u bad () bad
          roll %u 7 second
          return 0
    """)
    wanted = Machine(made).start(1)
    assert [label for label, _ in wanted.rolled] == ["first"]
    assert NativeMachine(made, 0).start(1) == wanted


def test_a_stop_is_over_when_it_is_caught() -> None:
    """After a stop the next calls go on, plain and framed, and the call that it ended gave 0."""
    made = test_machine.program("""
        function stopper (%k) "" @0 0 ()
          types %k i
         b0:
          branch %k b1 b2
         b1:
          stop outer
         b2:
          return 7
        function outer (%k) "" @0 0 ()
          types %k i %u i
         b0:
          call %u stopper (%k) stopper
          return %u
        function framed (%k) "" @0 0 (framed)
          types %k i %u i
         b0:
          call %u outer (%k) outer
          return %u
        function main () "" @0 0 ()
          types %u i %x i
         b0:
          call %u framed (1) one
          call %x log (%u) log
          call %u framed (0) two
          call %x log (%u) log
          call %u outer (1) three
          call %x log (%u) log
          call %u outer (0) four
          call %x log (%u) log
          return 0
    """)
    for engine_ in (Machine(made), NativeMachine(made, 1)):
        assert test_machine.log(engine_, engine_.start(0).state) == [0, 7, 0, 7]
