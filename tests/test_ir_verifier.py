"""The verifier refuses what an engine could stumble over."""

from __future__ import annotations

import random
import textwrap
from dataclasses import fields, replace

import pytest
from ir_games import three_in_a_row
from ir_programs import random_program

from interpreter.ir import nodes as n
from interpreter.ir.flow import ROLES
from interpreter.ir.printer import show
from interpreter.ir.reader import TextError, read
from interpreter.ir.verifier import verify
from interpreter.runtime.machine import Machine

SMALL = """
program small 2 main 100 0
field vp 2 0 9 (0 0) 0 all ()
field once 2 -1 3 (-1 -1) 0 all ()
table sets s (1 2) 0
group card 2 (0 0) (0 1) ()
  zone hand -1 0 0 -1 all -1
decision ask ""
  stage one 4 options once
function options (%p) "" @-1 0 (pure)
  types %p i
 b0:
  return 3
function other (%p) "" @-1 0 ()
  types %p i %x i
 b0:
  copy %x %p
  return %x
function main () "" @-1 0 ()
  types %x i %y i %s s
 b0:
  copy %s 5
  LINE
  jump b1
 b1:
  END
"""

LINES = [
    ("copy %x %s", "%s is a set, expected an integer"),
    ("copy %s %x", "%x is an integer, expected a set"),
    ("copy %s -4", "no set"),
    ("copy %x 3000000000", "does not fit into 32 bits"),
    ("bin %x add %s 1", "%s is a set"),
    ("bin %s add 1 1", "%s is a set"),
    ("setbin %x union %s %s", "%x is an integer"),
    ("setbin %s same %s %s", "%s is a set"),
    ("load %x nothing 0", "no field `nothing`"),
    ("store vp %nobody 0 @-1", "no register %nobody"),
    ("lookup %x sets 0", "%x is an integer"),
    ("lookup %s missing 0", "no table `missing`"),
    ("contents %s deck 0", "no group `deck`"),
    ("move card %s 0 0 @-1", "%s is a set"),
    ("gain vp 0 1 @5", "no site 5"),
    ("call %x other () other", "takes 1 arguments, found 0"),
    ("call %x other (%s) other", "%s is a set"),
    ("call %s other (1) other", "%s is a set, expected an integer"),
    ("call %x another (1) other", "no function `another`"),
    ("within %x other (1 2)", "takes 1 arguments, found 2"),
    ("copy %x %y", "%y may be read before it is set"),
    ("with %s %s 9999", "no set has the member 9999"),
    ("shift %s %s -1", "cannot be shifted by -1"),
]

ENDS = [
    ("jump b1", "the loop at b1 has no fuel"),
    ("jump b7", "no block b7"),
    ("copy %x 1", "expected a terminator"),
    ("return %y", "%y may be read before it is set"),
    ("stop nobody", "no function `nobody`"),
    ("decide %x asked 0 () b1 l", "no decision `asked`"),
    ("decide %x ask 0 () b1 l", "takes 1 arguments, found 0"),
    ("decide %x ask 0 (%s) b1 l", "%s is a set"),
    ("gather asked 1 b1 l", "no decision `asked`"),
]


@pytest.mark.parametrize(("line", "words"), LINES)
def test_a_wrong_instruction_is_found(line: str, words: str) -> None:
    """One wrong line is one fault that names it."""
    faults = verify(read(SMALL.replace("LINE", line).replace("END", "return 0")))
    assert len(faults) == 1 and words in faults[0], faults


@pytest.mark.parametrize(("end", "words"), ENDS)
def test_a_wrong_terminator_is_found(end: str, words: str) -> None:
    """A block must end, and end somewhere that exists."""
    faults = verify(read(SMALL.replace("LINE", "copy %x 1").replace("END", end)))
    assert any(words in fault for fault in faults), faults


def test_a_sound_program_has_no_faults() -> None:
    """The small program itself and the hand-made game are sound."""
    assert verify(read(SMALL.replace("LINE", "copy %x 1").replace("END", "return 0"))) == []
    assert verify(three_in_a_row()) == []


def test_loops_must_use_something_up() -> None:
    """A loop over a set ends if it takes from the set and tests it; fuel and questions do too."""
    loop = """
        program loop 1 main 100 0
        decision ask ""
          stage one 4 options ""
        function options () "" @-1 0 (pure)
          types
         b0:
          return 3
        function main () "" @-1 0 ()
          types %x i %c i %s s
         b0:
          copy %s 5
          jump b1
         b1:
          FIRST
          bin %c lt %x 0
          branch %c b3 b2
         b2:
          TAKE
          jump b1
         b3:
          return 0
    """
    for first, take, good in (
        ("first %x %s", "without %s %s %x", True),
        ("size %x %s", "without %s %s %x", True),
        ("copy %x 1", "without %s %s %x", False),
        ("first %x %s", "without %s 7 %x", False),
        ("first %x %s", "copy %c 1", False),
        ("first %x %s", "fuel", True),
    ):
        text = textwrap.dedent(loop).replace("FIRST", first).replace("TAKE", take)
        assert (verify(read(text)) == []) is good, (first, take)


def test_recursion_needs_a_depth() -> None:
    """Functions that call each other are refused unless one of them is bounded."""
    text = textwrap.dedent("""
        program loop 1 main 100 0
        function f () "" @-1 DEPTH ()
          types %x i
         b0:
          call %x g () g
          return 0
        function g () "" @-1 0 ()
          types %x i
         b0:
          call %x f () f
          return 0
        function main () "" @-1 0 ()
          types
         b0:
          return 0
    """)
    assert "`f`, `g` call each other" in verify(read(text.replace("DEPTH", "0")))[0]
    assert verify(read(text.replace("DEPTH", "2"))) == []


def test_pure_functions_are_pure() -> None:
    """An options function may not write, ask, draw, or call what does."""
    for line, end in (
        ("store vp 0 1 @-1", "return 3"),
        ("emit x () @-1", "return 3"),
        ("call %p other (1) l", "return 3"),
        ("roll %p 3 l @-1", "return 3"),
        ("fuel", "end"),
    ):
        text = SMALL.replace("LINE", "copy %x 1").replace("END", "return 0")
        text = text.replace(" b0:\n  return 3", f" b0:\n  {line}\n  {end}")
        assert any("pure" in fault for fault in verify(read(text))), line


def test_parts_are_checked() -> None:
    """Fields, groups and decisions that do not fit together are refused."""
    text = SMALL.replace("LINE", "copy %x 1").replace("END", "gather ask 1 b1 l")
    assert verify(read(text)) == []
    for old, new, words in (
        ("(0 0) 0 all ()\nfield once", "(0 10) 0 all ()\nfield once", "out of range"),
        ("vp 2 0 9 (0 0)", "vp 2 0 9 (0)", "expected 2 initial values, found 1"),
        ("hand -1 0 0 -1", "hand -1 0 0 1", "2 pieces begin in `hand`, which holds 1"),
        ("card 2 (0 0)", "card 2 (0 4)", "a piece begins in no zone"),
        ("stage one 4", "stage one 9", "cannot hold a number up to 8"),
        ("4 options once", "4 other once", "is not pure"),
        ("4 options once", "4 nobody once", "no function `nobody`"),
        ("program small 2 main", "program small 2 other", "takes no parameters"),
        ("program small 2 main", "program small 2 first", "no function `first`"),
        ("program small 2", "program small 99", "99 players"),
    ):
        assert old in text
        faults = verify(read(text.replace(old, new)))
        assert any(words in fault for fault in faults), (new, faults)


def test_every_kind_of_node_has_roles() -> None:
    """The table of operands names only fields that exist, for every kind of node."""
    for kind, roles in ROLES.items():
        assert set(roles) <= {f.name for f in fields(kind)}
    kinds = {k for k in vars(n).values() if isinstance(k, type) and k.__module__ == n.__name__}
    parts = (n.Block, n.Function, n.Field, n.SetField, n.Table, n.ZoneInstance, n.Group, n.Stage)
    assert kinds - set(ROLES) == {*parts, n.Decision, n.Site, n.Program, n.Plane, n.Result}


def test_mutated_programs_are_refused_or_run() -> None:
    """A random program with one operand or target changed is refused, or plays without a crash."""
    r = random.Random(11)
    refused = 0
    for seed in range(60):
        program = random_program(seed)
        program.fuel = 2000
        name = r.choice(list(program.functions))
        block = r.choice([b for b in program.functions[name].blocks if b.code])
        k = r.randrange(len(block.code))
        node = block.code[k]
        names = [f.name for f in fields(node) if f.name not in ("op", "site", "end", "by")]
        if not names:
            continue
        what = r.choice(names)
        other = r.choice(["x0", "s0", "nothing", 5, -1])
        block.code[k] = replace(node, **{what: (other,) if what == "args" else other})
        if verify(program):
            refused += 1
            continue
        machine = Machine(program)
        out = machine.start(seed)
        for _ in range(10):
            if out.fault is not None or out.status != 1:
                break
            asked = machine.pending(out.state)
            player = (asked & -asked).bit_length() - 1
            allowed = machine.options(out.state, player)
            out = machine.apply(out.state, player, allowed.bit_length() - 1)
    assert refused > 15


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected `program`"),
        ("field x", "line 1: expected `program`, found `field`"),
        ('program a 2 main 5 0\nfunction f () "" @-1 0 ()\n types\n b0:\n  cop %a 1', "line 5"),
        ('program a 2 main 5 0\nfunction f () "" @-1 0 ()\n types\n b1:', "expected block b0"),
        ("program a 2 main 5", "line 1: expected a number, found the end of the line"),
        ("program a 2 main 5 0 7", "expected the end of the line, found `7`"),
        ("program a 2 main 5 0\nfield x y", "expected a number, found `y`"),
    ],
)
def test_the_reader_names_the_line(text: str, words: str) -> None:
    """What the reader does not understand it says with the number of the line."""
    with pytest.raises(TextError) as caught:
        read(text)
    assert words in str(caught.value)


def test_odd_names_survive_the_text_form() -> None:
    """Names with blanks, quotes, brackets and other scripts come back as they were."""
    program = three_in_a_row()
    program.functions["won"].rule = 'a "b" (c) 手'
    program.sites.append(n.Site("x y", "a b.yaml", 3, 4, ("R-1", "with blank")))
    f = program.functions["put.options"]
    f.types["odd name %)"] = "i"
    f.blocks[0].code.append(n.Copy("odd name %)", -2))
    assert read(show(program)) == program
