"""The machine on small programs whose outcome can be seen by reading them."""

from __future__ import annotations

import itertools
import random
import textwrap

import pytest
from ir_games import LINES, three_in_a_row

from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import COUNTER, FAULT, OVER, WAITING, cell
from interpreter.ir.nodes import Program
from interpreter.ir.reader import read
from interpreter.ir.verifier import verify
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault, IllegalCandidate, MachineError

HEAD = """
program test 3 main 1000 0
field log 20 -1 99 (-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1) -7 all ()
field at 1 0 20 (0) 0 all ()
field answer 3 -1 5 (-1 -1 -1) 0 all ()
field second 3 -1 5 (-1 -1 -1) 0 all ()
field count 3 0 2 (0 0 0) 0 all ()
decision pick ""
  stage pick 6 any ""
decision all ""
  stage all 6 one answer
decision two count
  stage first 6 one answer
  stage then 6 less second
site rule file.yaml 1 2 ()
function any () "" @-1 0 (pure)
  types
 b0:
  return 63
function one (%p) "" @-1 0 (pure)
  types %p i
 b0:
  return 7
function less (%p %a) "" @-1 0 (pure)
  types %p i %a i %s s
 b0:
  without %s 7 %a
  return %s
function log (%x) "" @-1 0 ()
  types %x i %k i
 b0:
  load %k at 0
  store log %k %x
  bin %k add %k 1
  store at 0 %k
  return 0
"""


def program(text: str) -> Program:
    """A sound program: what all tests share, and the functions of one."""
    made = read(HEAD + textwrap.dedent(text))
    assert verify(made) == []
    return made


def log(machine: Machine, state: bytes) -> list[int]:
    """The numbers that the program has written down."""
    many = machine.layout.value(state, "at")
    return [machine.layout.value(state, "log", k) for k in range(many)]


def test_a_game_is_played_to_its_end() -> None:
    """Stones fill a row, the game is over, and nobody is asked any more."""
    machine = Machine(three_in_a_row())
    out = machine.start(1)
    for player, cell_ in ((0, 0), (1, 3), (0, 1), (1, 4), (0, 2)):
        assert out.status == WAITING
        assert machine.actor(out.state) == player
        assert machine.pending(out.state) == 1 << player
        out = machine.apply(out.state, player, cell_)
    assert out.status == OVER
    assert machine.layout.value(out.state, "winner") == 0
    assert machine.layout.set_value(out.state, "stones", 0) == LINES[0]
    assert machine.options(out.state, 1) == 0
    assert machine.frames(out.state) == []


def test_equal_positions_have_equal_bytes() -> None:
    """Two orders of play that lead to one position give one state."""
    machine = Machine(three_in_a_row())
    states = []
    for moves in ((0, 3, 1, 4), (1, 4, 0, 3)):
        state = machine.start(1).state
        for k, move in enumerate(moves):
            state = machine.apply(state, k % 2, move).state
        states.append(state)
    assert states[0] == states[1]


def test_a_wrong_candidate_is_refused() -> None:
    """What is not among the options, and who is not asked, changes nothing and says so."""
    machine = Machine(three_in_a_row())
    first = machine.start(1).state
    state = machine.apply(first, 0, 4).state
    kept = bytes(state)
    for player, candidate, words in (
        (1, 4, "not among the options"),
        (1, 9, "not among"),
        (1, -1, "not among"),
        (0, 1, "player 0 is not asked"),
        (7, 1, "is not asked"),
        (-1, 1, "is not asked"),
    ):
        with pytest.raises(IllegalCandidate, match=words):
            machine.apply(state, player, candidate)
    assert state == kept
    assert machine.options(state, 1) == 511 - 16


def test_a_state_resumes_in_nested_loops_and_calls() -> None:
    """Each suspension inside two loops and two calls goes on where it was, from bytes alone."""
    made = program("""
        function inner (%x) "" @-1 0 ()
          types %x i %d i %u i %s s %y i %c i %r i
         b0:
          copy %s 5
          jump b1
         b1:
          first %y %s
          bin %c lt %y 0
          branch %c b4 b2
         b2:
          without %s %s %y
          decide %d pick %x () b3 inner
         b3:
          bin %r mul %x 10
          bin %r add %r %d
          call %u log (%r) log
          jump b1
         b4:
          return 0
        function main () "" @-1 0 ()
          types %p i %s s %c i %u i
         b0:
          copy %s 7
          jump b1
         b1:
          first %p %s
          bin %c lt %p 0
          branch %c b3 b2
         b2:
          without %s %s %p
          call %u inner (%p) inner
          jump b1
         b3:
          return 0
    """)
    states = [Machine(made).start(0).state]
    asked = []
    for answer in (1, 2, 3, 4, 5, 0):
        machine = Machine(made)
        state = states[-1]
        asked.append(machine.actor(state))
        states.append(machine.apply(state, machine.actor(state), answer).state)
    assert asked == [0, 0, 1, 1, 2, 2]
    assert log(machine, states[-1]) == [1, 2, 13, 14, 25, 20]
    assert machine.status(states[-1]) == OVER
    assert [f.label for f in machine.frames(states[2])] == ["inner", "inner"]


def test_recursion_goes_as_deep_as_declared() -> None:
    """A framed function that calls itself suspends at each depth, and one too deep is a fault."""
    made = program("""
        function down (%k) "" @0 3 ()
          types %k i %d i %u i %c i
         b0:
          decide %d pick 0 () b1 ask
         b1:
          call %u log (%k) log
          bin %c lt %k %d
          branch %c b2 b3
         b2:
          bin %c add %k 1
          call %u down (%c) again
          call %u log (%k) log
          return 1
         b3:
          return 0
        function main () "" @-1 0 ()
          types %u i
         b0:
          call %u down (0) down
          return 0
    """)
    machine = Machine(made)
    state = machine.start(0).state
    for answer in (5, 5, 0):
        state = machine.apply(state, 0, answer).state
    assert log(machine, state) == [0, 1, 2, 1, 0]
    assert machine.status(state) == OVER
    state = machine.start(0).state
    state = machine.apply(state, 0, 5).state
    state = machine.apply(state, 0, 5).state
    assert [f.function for f in machine.frames(state)] == ["main", "down", "down", "down"]
    out = machine.apply(state, 0, 5)
    assert out.fault == ("DEPTH", 0)
    assert out.state == state


STOPS = """
    function plain (%k) "" @-1 0 ()
      types %k i %u i %c i
     b0:
      call %u log (%k) log
      bin %c eq %k 1
      branch %c b1 b2
     b1:
      stop outer
     b2:
      return 0
    function inner () "" @-1 0 ()
      types %d i %u i
     b0:
      decide %d pick 0 () b1 ask
     b1:
      call %u plain (%d) plain
      call %u log (20) log
      return 0
    function outer () "" @-1 0 ()
      types %u i
     b0:
      call %u inner () inner
      call %u log (30) log
      return 9
    function main () "" @-1 0 ()
      types %u i
     b0:
      call %u outer () outer
      call %u log (%u) log
      return 0
"""


def test_stop_unwinds_plain_and_framed_calls() -> None:
    """A stop deep inside takes off every call up to the rule, which then answers 0."""
    machine = Machine(program(STOPS))
    state = machine.start(0).state
    assert log(machine, machine.apply(state, 0, 1).state) == [1, 0]
    assert log(machine, machine.apply(state, 0, 2).state) == [2, 20, 30, 9]


def test_stop_of_what_is_not_under_way_is_a_fault() -> None:
    """A stop without its rule leaves the state as it was."""
    made = program("""
        function other () "" @-1 0 ()
          types
         b0:
          return 0
        function main () "" @-1 0 ()
          types %d i
         b0:
          decide %d pick 0 () b1 ask
         b1:
          stop other
    """)
    machine = Machine(made)
    state = machine.start(0).state
    out = machine.apply(state, 0, 1)
    assert out.fault is not None and out.fault[0] == "STOP"
    assert out.status == FAULT and out.state == state


def test_leaving_ends_everything_done_for_a_player() -> None:
    """Whoever leaves has all calls in their name taken off, the outermost with them."""
    made = program("""
        function turn (%p) "" @-1 0 (player_first)
          types %p i %d i %u i
         b0:
          decide %d pick %p () b1 ask
         b1:
          call %u out (%d) out
          call %u log (%p) log
          return 0
        function out (%p) "" @-1 0 (player_first)
          types %p i %u i
         b0:
          leave %p b1
         b1:
          call %u log (50) log
          return 0
        function main () "" @-1 0 ()
          types %u i
         b0:
          call %u turn (0) turn
          call %u turn (1) turn
          return 0
    """)
    machine = Machine(made)
    state = machine.start(0).state
    # player 0 leaves in the own turn: nothing more of it happens
    state = machine.apply(state, 0, 0).state
    assert log(machine, state) == []
    # in the turn of player 1 player 0 leaves: only the call of `out` ends
    state = machine.apply(state, 1, 0).state
    assert log(machine, state) == [1]


@pytest.mark.parametrize("decision", ["all", "two"])
def test_simultaneous_answers_come_in_any_order(decision: str) -> None:
    """All orders of submission end in the same bytes, and options see only the own answers."""
    made = program(f"""
        function main () "" @-1 0 ()
          types %x i %d i
         b0:
          gather {decision} 7 b1 all
         b1:
          decide %d pick 0 () b2 after
         b2:
          return 0
    """)
    machine = Machine(made)
    stages = len(made.decisions[decision].stages)
    start = machine.start(0).state
    answers = {0: (1, 0), 1: (2, 1), 2: (0, 2)}
    results = set()
    turns = [p for p in range(3) for _ in range(stages)]
    for order in set(itertools.permutations(turns)):
        state, done = start, [0, 0, 0]
        for player in order:
            assert machine.actor(state) == -1
            assert machine.pending(state) >> player & 1
            assert machine.decision(state, player) == (decision, done[player])
            given = (player, *answers[player][: done[player]])
            assert machine.arguments(state, player) == given
            if done[player]:
                assert machine.options(state, player) == 7 & ~(1 << answers[player][0])
            state = machine.apply(state, player, answers[player][done[player]]).state
            done[player] += 1
        results.add(state)
    assert len(results) == 1
    (state,) = results
    assert [machine.layout.value(state, "answer", p) for p in range(3)] == [1, 2, 0]
    assert [machine.layout.value(state, "count", p) for p in range(3)] == [0, 0, 0]
    assert machine.actor(state) == 0


def test_gathering_from_nobody_goes_on() -> None:
    """Where nobody is to be asked, nothing waits."""
    made = program("""
        function main () "" @-1 0 ()
          types %u i
         b0:
          gather all 0 b1 all
         b1:
          call %u log (4) log
          return 0
    """)
    machine = Machine(made)
    out = machine.start(0)
    assert out.status == OVER and log(machine, out.state) == [4]


DICE = """
    function main () "" @0 0 ()
      types %a i %b i %d i %u i
     b0:
      roll %a 8 single @-1
      call %u log (%a) log
      roll %a 62 die @-1
      roll %b 62 die @-1
      call %u log (%a) log
      call %u log (%b) log
      decide %d pick 0 () b1 ask
     b1:
      roll %a 0 nothing @-1
      return 0
"""


def test_chance_is_sampled_or_given() -> None:
    """The oracle stands in for the generator, and says what it lacks."""
    machine = Machine(program(DICE))
    out = machine.start(7)
    values = [member for _, member in out.rolled]
    assert [label for label, _ in out.rolled] == ["die", "die"]
    assert log(machine, out.state) == [3, *values]
    assert cell(out.state, "i", COUNTER) == 2
    again = machine.start(7, values)
    assert cell(again.state, "i", COUNTER) == 0
    assert log(machine, again.state) == log(machine, out.state)
    dry = machine.start(7, values[:1])
    assert dry.need == ("die", 62)
    with pytest.raises(MachineError, match="not a possible outcome"):
        machine.start(7, [0, 1])
    with pytest.raises(MachineError, match="1 too many"):
        machine.start(7, [1, 1, 1])
    empty = machine.apply(out.state, 0, 0)
    assert empty.fault == ("EMPTY", 0) and empty.state == out.state


def test_chance_is_fair_enough() -> None:
    """Five faces come up about equally often over a thousand seeds."""
    machine = Machine(program(DICE))
    seen = [0] * 6
    for seed in range(1000):
        for _, member in machine.start(seed).rolled:
            seen[member] += 1
    assert seen[0] == 0
    assert all(330 < many < 470 for many in seen[1:])


def test_fuel_runs_out() -> None:
    """A loop without end is a fault, in a plain function and in a frame."""
    for name in ("main", "plain"):
        made = program(f"""
            function plain () "" @0 0 ()
              types
             b0:
              {"fuel" if name == "plain" else "return 0"}
              {"jump b0" if name == "plain" else ""}
            function main () "" @0 0 ()
              types %u i
             b0:
              fuel
              call %u plain () plain
              {"jump b0" if name == "main" else "return 0"}
        """)
        out = Machine(made).start(0)
        assert out.fault == ("FUEL", 0) and out.status == FAULT


def test_faults_are_named() -> None:
    """Ranges, indices and the checks of the rules each fault with their own code and site."""
    for line, code in (
        ("store log 0 100", "RANGE"),
        ("store log 20 1", "INDEX"),
        ("store log -1 1", "INDEX"),
        ("load %u log -2", "INDEX"),
        ("check 0 mine @0", "mine"),
    ):
        made = program(f"""
            function main () "" @0 0 ()
              types %u i
             b0:
              {line}
              return 0
        """)
        machine = Machine(made)
        out = machine.start(0)
        assert out.fault == (code, 0), line
        assert machine.layout.faults[cell(out.state, "i", 1) - 1] == code


def test_nothing_is_read_at_minus_one() -> None:
    """Index -1 gives what stands for none."""
    made = program("""
        function read (%i) "" @-1 0 (pure)
          types %i i %x i
         b0:
          load %x log %i
          return %x
        function main () "" @-1 0 ()
          types %d i
         b0:
          decide %d pick 0 () b1 ask
         b1:
          return 0
    """)
    machine = Machine(made)
    state = machine.start(0).state
    assert machine.evaluate(state, "read", [-1]) == -7
    assert machine.evaluate(state, "read", [0]) == -1
    with pytest.raises(Fault, match="INDEX"):
        machine.evaluate(state, "read", [20])


def test_functions_are_added_later() -> None:
    """A condition or an effect can be asked of a state after the program was linked."""
    machine = Machine(three_in_a_row(), watch=True)
    more = read(
        textwrap.dedent("""
        program more 2 f 1 0
        function f (%x) "" @-1 0 (pure)
          types %x i %s s %k i
         b0:
          loadset %s stones %x
          size %k %s
          return %k
        function g (%x) "" @-1 0 ()
          types %x i %s s
         b0:
          loadset %s stones %x
          with %s %s 8
          storeset stones %x %s
          emit put (%x) @-1
          return 0
        function h () "" @-1 0 (pure)
          types %x i
         b0:
          load %x nowhere 0
          return %x
        function i () "" @-1 0 (pure)
          types %x i
         b0:
          call %x main () main
          return %x
    """)
    ).functions
    state = machine.start(0).state
    for name in ("f", "g", "f"):
        machine.add(more[name])
    after = machine.run(state, "g", [1])
    assert [machine.evaluate(after, "f", [p]) for p in (0, 1)] == [0, 1]
    assert machine.evaluate(state, "f", [1]) == 0
    assert [e.name for e in machine.events] == []
    machine.run(state, "g", [1])
    assert [e.name for e in machine.events] == ["put"]
    with pytest.raises(MachineError, match="no field `nowhere`"):
        machine.add(more["h"])
    with pytest.raises(MachineError, match="main"):
        machine.add(more["i"])
    assert machine.options(after, 0) == 255


def test_the_playout_ends() -> None:
    """Random play by the fast way makes between five and nine choices a game."""
    machine = Machine(three_in_a_row())
    counts = {machine.playout(seed) for seed in range(60)}
    assert counts <= set(range(5, 10)) and len(counts) > 2
    assert machine.playout(1, 3) == 3


def test_a_damaged_state_is_noticed() -> None:
    """No change of one byte of a state makes the machine fail in a way it does not name."""
    machine = Machine(program(STOPS))
    state = machine.start(5).state
    assert machine.check_state(state) is None
    assert "bytes" in (machine.check_state(state[:-8]) or "")
    r = random.Random(3)
    noticed = 0
    for k in range(len(state)):
        damaged = bytearray(state)
        damaged[k] ^= 1 << r.randrange(8)
        if machine.check_state(bytes(damaged)) is not None:
            noticed += 1
        else:
            out = machine.apply(bytes(damaged), 0, 1)
            assert out.fault is None or out.fault[0] in machine.layout.faults
    assert noticed > len(state) // 2


def test_wide_sets_are_whole() -> None:
    """Sets of more than 64 members survive fields, frames and options."""
    made = read(
        textwrap.dedent("""
        program wide 1 main 100 0
        setfield big 2 130 (0 1) all ()
        decision pick ""
          stage pick 130 free ""
        function free (%s) "" @-1 0 (pure)
          types %s s
         b0:
          return %s
        function main () "" @-1 0 ()
          types %s s %k i %c i
         b0:
          loadset %s big 1
          with %s %s 129
          with %s %s 64
          jump b1
         b1:
          decide %k pick 0 (%s) b2 ask
         b2:
          without %s %s %k
          storeset big 0 %s
          size %c %s
          branch %c b1 b3
         b3:
          return 0
    """)
    )
    assert verify(made) == []
    machine = Machine(made)
    state = machine.start(0).state
    assert members_of(machine.options(state, 0)) == [0, 64, 129]
    assert members_of(machine.frames(state)[0].locals["s"]) == [0, 64, 129]
    state = machine.apply(state, 0, 64).state
    assert members_of(machine.layout.set_value(state, "big", 0)) == [0, 129]
    state = machine.apply(state, 0, 129).state
    state = machine.apply(state, 0, 0).state
    assert machine.status(state) == OVER


def test_events_have_parents() -> None:
    """What happens names the rule that it happens inside of, also after a suspension."""
    made = read(
        textwrap.dedent("""
        program seen 1 main 100 0
        field vp 1 0 5 (4) 0 all ()
        decision pick ""
          stage pick 2 any ""
        site rule file.yaml 1 1 ()
        function any () "" @-1 0 (pure)
          types
         b0:
          return 3
        function score (%a) rules.score @0 0 (begins)
          types %a i
         b0:
          gain vp 0 %a @0
          return 0
        function turn (%a) rules.turn @0 0 (begins)
          types %a i %k i %u i
         b0:
          emit first (%a) @0
          decide %k pick 0 () b1 ask
         b1:
          call %u score (%a) score
          emit last (%k) @0
          return 0
        function main () "" @-1 0 ()
          types %u i
         b0:
          call %u turn (3) turn
          emit done () @0
          return 0
    """)
    )
    assert verify(made) == []
    machine = Machine(made, watch=True)
    out = machine.start(0)
    assert [(e.kind, e.name, e.args, e.parent) for e in out.events] == [
        ("begin", "rules.turn", (3,), -1),
        ("emit", "first", (3,), 0),
    ]
    out = machine.apply(out.state, 0, 1)
    assert [(e.kind, e.name, e.args, e.parent) for e in out.events] == [
        ("under", "rules.turn", (3,), -1),
        ("begin", "rules.score", (3,), 0),
        ("gain", "vp", (0, 1), 1),
        ("emit", "last", (1,), 0),
        ("emit", "done", (), -1),
    ]
    silent = Machine(made)
    state = silent.start(0).state
    assert silent.apply(state, 0, 1).state == out.state


NESTED = """
    function act (%p %k) "" @-1 0 (player_first)
      types %p i %k i %u i %d i
     b0:
      decide %d pick %p () b1 ask
     b1:
      call %u again (%p %d) again
      call %u log (40) log
      return 0
    function again (%p %k) "" @-1 0 (player_first)
      types %p i %k i %u i %d i %w i
     b0:
      decide %d pick %p () b1 ask
     b1:
      within %w act (%p)
      call %u log (%w) log
      within %w act (2 %k)
      call %u log (%w) log
      call %u first (%p %d) first
      call %u log (50) log
      return 0
    function first (%p %k) "" @-1 0 (player_first)
      types %p i %k i %u i
     b0:
      call %u second (%p %k) second
      call %u log (60) log
      return 0
    function second (%p %k) "" @-1 0 (player_first)
      types %p i %k i %u i
     b0:
      switch %k (b1 b2 b3 b4) b5
     b1:
      leave 1 b5
     b2:
      stop first
     b3:
      stop second
     b4:
      leave 2 b5
     b5:
      call %u log (70) log
      return 0
    function main () "" @-1 0 ()
      types %u i
     b0:
      call %u act (1 3) act
      call %u log (80) log
      return 0
"""


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        (0, [1, 0, 80]),
        (1, [1, 0, 50, 40, 80]),
        (2, [1, 0, 60, 50, 40, 80]),
        (3, [1, 0, 70, 60, 50, 40, 80]),
        (4, [1, 0, 70, 60, 50, 40, 80]),
    ],
)
def test_unwinding_takes_off_what_it_names(answer: int, written: list[int]) -> None:
    """Leaving takes the outermost frame of the player, a stop the innermost call of the rule."""
    machine = Machine(program(NESTED))
    state = machine.start(0).state
    state = machine.apply(state, 1, 3).state
    state = machine.apply(state, 1, answer).state
    assert machine.status(state) == OVER
    assert log(machine, state) == written


def test_leaving_takes_the_outermost_plain_call() -> None:
    """Without frames of the player, the outermost plain call in their name is taken off."""
    made = program("""
        function one_more (%p) "" @-1 0 (player_first)
          types %p i %u i
         b0:
          leave %p b1
         b1:
          call %u log (1) log
          return 0
        function outer (%p) "" @-1 0 (player_first)
          types %p i %u i
         b0:
          call %u one_more (2) other
          call %u log (2) log
          call %u one_more (%p) same
          call %u log (3) log
          return 0
        function main () "" @-1 0 ()
          types %u i
         b0:
          call %u outer (0) outer
          call %u log (4) log
          return 0
    """)
    machine = Machine(made)
    assert log(machine, machine.start(0).state) == [2, 4]
