"""What is said about text that does not read: the code, the place, the words, one for one slip."""

from __future__ import annotations

import re

import pytest

from ruleset import parser
from ruleset.diagnostics.codes import explanation
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.messages import blocks, syntax
from ruleset.document import Mapping, Scalar, read
from ruleset.source import Source

CODES = {**syntax.CODES, **blocks.CODES}


def told(start: str, text: str) -> list[Diagnostic]:
    """The diagnostics of a text, by place."""
    report = Report()
    assert parser.parse_text(start, text, report) is None
    return report.sorted()


def words(diagnostic: Diagnostic) -> str:
    """All that a diagnostic says."""
    labels = [label.text for label in diagnostic.labels]
    return " | ".join([diagnostic.message, *labels, *diagnostic.helps, *diagnostic.notes])


MANY_SPACES = ", ".join(f"{letter}1..{letter}2000" for letter in "abcdef")

# start symbol, text, code, the text at the caret (empty: the end), part of what is said
SLIPS = [
    # signs and words from elsewhere
    ("expr", "me.vp == 6", "RW102", "==", "write `is`"),
    ("expr", "me.vp != 6", "RW102", "!=", "write `is not`"),
    ("expr", "me.vp = 6", "RW102", "=", "a comparison is `a is b`"),
    ("expr", "a && b", "RW102", "&&", "write `and`"),
    ("expr", "a || b", "RW102", "||", "write `or`"),
    ("expr", "!a", "RW102", "!", "write `not`"),
    ("expr", "a ? b : c", "RW102", "?", "write `if C then A else B`"),
    ("expr", "owner's vp", "RW102", "'s", "write a dot"),
    ("expr", "x[0]", "RW102", "[", "`first(S)`, `nth(S, 2)`"),
    ("expr", "{x in S}", "RW102", "{", "a set is `(a, b)`"),
    ("expr", '"red"', "RW102", '"', "names need no quotes"),
    ("expr", "a @ b", "RW102", "@", "take it away"),
    ("expr", "für", "RW102", "ü", "letters a to z"),
    ("effects", "if a: b()", "RW102", ":", "the language has no colon"),
    ("effects", "me.vp += 1", "RW102", "+=", "`gain 1 me.vp`"),
    ("effects", "me.vp = 1", "RW102", "=", "a mark is changed by `set a.f to b`"),
    ("effects", "a(); b()", "RW102", ";", "on a line of its own"),
    ("effects", "move a -> box", "RW102", "->", "write `to`"),
    ("expr", "the card", "RW101", "the", "no articles"),
    ("expr", "True", "RW101", "True", "write `true`"),
    ("expr", "yes", "RW101", "yes", "write `true`"),
    ("expr", "None", "RW101", "None", "write `none`"),
    ("expr", "len(me.hand)", "RW101", "len", "`count(S)`"),
    ("expr", "count(x in S where x.f)", "RW101", "where", "write `if`"),
    ("expr", "me has a", "RW101", "has", "write `any(S)`"),
    ("effects", "for each x in S do f(x)", "RW101", "each", "`for x in S`"),
    ("effects", "while a", "RW101", "while", "`repeat until C at most N times`"),
    ("effects", "return 3", "RW101", "return", "`stop NAME` ends a rule"),
    ("effects", "choose card in me.hand", "RW101", "choose", "say who chooses"),
    ("effects", "me gains 1 vp", "RW101", "gains", "`gain 1 me.vp`"),
    ("effects", "if a\n  b()\nelif c\n  d()", "RW101", "elif", "`else if`"),
    ("effects", "shuffle the deck", "RW101", "the", "no articles"),
    # reserved words as names
    ("effects", "let loses = 3", "RW103", "loses", "cannot be a name here"),
    ("effects", "let gain = 3", "RW103", "gain", "cannot be a name here"),
    ("expr", "me.first", "RW103", "first", "cannot be a name here"),
    ("expr", "stop is 3", "RW103", "stop", "cannot be a name here"),
    ("header", "move(me)", "RW103", "move", "cannot be a name here"),
    ("header", "f(me, to)", "RW103", "to", "cannot be a name here"),
    # brackets
    ("expr", "count(x in S if (a is b)", "RW104", "", "this `(` is not closed"),
    ("expr", "f(a, b", "RW104", "", "expected `)`, found the end"),
    ("effects", "if f(a then b()", "RW104", "then", "expected `)`, found `then`"),
    ("expr", "a)", "RW104", ")", "this `)` closes nothing"),
    # the end comes too early
    ("expr", "a +", "RW105", "", "expected a value, found the end"),
    ("expr", "if a then b", "RW105", "", "expected `else`, found the end"),
    ("effects", "move x", "RW105", "", "expected `to`, found the end"),
    ("effects", "draw 1 from pile", "RW105", "", "expected `to`"),
    ("effects", "repeat until a\n  f()", "RW105", "", "expected `at most N times`"),
    ("effects", "repeat 3\n  f()", "RW105", "", "expected `times`"),
    ("effects", "me must", "RW105", "", "expected a name"),
    ("order", "players", "RW105", "", "expected `in`"),
    ("hook", "before", "RW105", "", "expected a name"),
    # blocks
    ("effects", "if a\nf()", "RW106", "if a", "expected an indented line below `if`"),
    ("effects", "a()\n  b()", "RW106", "b()", "opens no block"),
    ("effects", "if a\n    b()\n  c()\nd()", "RW106", "c()", "under no line of the block"),
    ("effects", "if a\n\tb()", "RW106", "\t", "a tab stands here"),
    ("effects", "else f()", "RW107", "else", "follows no `if`"),
    ("effects", "if a\n  b()\nelse\n  c()\nelse\n  d()", "RW107", "else", "follows no `if`"),
    ("effects", "if a then b() else c()", "RW107", "else", "on the next line"),
    ("effects", "me may a else b()", "RW107", "else", "`may` takes no `else`"),
    ("effects", "for x in S do\n  f(x)", "RW108", "do", "take `do` away"),
    ("effects", "if a then\n  f(x)", "RW108", "then", "take `then` away"),
    ("effects", "gain 1 me.vp lose 1 me.vp", "RW117", "lose", "a line of its own"),
    ("effects", "f() g()", "RW117", "g", "a line of its own"),
    # effects
    ("effects", "deal", "RW109", "deal", "call it: `deal()`"),
    ("effects", "break", "RW109", "break", "`stop NAME`"),
    ("effects", "3 + 4", "RW109", "3 +", "this is a value, not an effect"),
    ("effects", "(a, b)", "RW109", "(a, b)", "this is a value, not an effect"),
    ("effects", "gain 1 vp", "RW110", "vp", "whose?"),
    ("effects", "set led to none", "RW110", "led", "`game.led`"),
    ("effects", "set f(x) to none", "RW125", "f(x)", "expected a mark"),
    ("effects", "gain 1 f(x)", "RW125", "f(x)", "expected a counter"),
    ("effects", "gain me.vp 1", "RW111", "1", "the amount comes first"),
    ("effects", "pay me.coins 2 to owner.coins", "RW111", "2", "write `pay 2`"),
    ("effects", "gain 1 to me.vp", "RW100", "to", "expected a counter, found `to`"),
    ("effects", "discard c", "RW113", "discard", "write `move x to ZONE`"),
    ("effects", "place 1 disc", "RW113", "place", "`draw N from ZONE to ZONE`"),
    ("effects", "remove 9", "RW113", "remove", "`move x to box`"),
    ("effects", "if a then discard c", "RW113", "discard", "write `move x to ZONE`"),
    ("effects", "gian 1 me.vp", "RW113", "gian", "did you mean `gain`?"),
    ("effects", "do deal()", "RW113", "do", "call it: `deal()`"),
    ("effects", "do deal", "RW113", "do", "call it: `deal()`"),
    ("effects", "foo bar", "RW100", "bar", "an effect begins with a verb"),
    ("effects", "me chooses 2 x in S", "RW114", "x in S", "write `as` and a name"),
    ("effects", "me chooses x in S as y", "RW114", "y", "it is called `x` already"),
    ("effects", "me must a or b", "RW100", "or", "`must one of A, B`"),
    ("effects", "must a", "RW100", "must", "`me must ...`"),
    ("effects", "if a then chooses x in S", "RW100", "chooses", "the player who is asked"),
    ("effects", "me may a, b", "RW100", ",", "`may one of A, B`"),
    ("effects", "me must any of a, b", "RW103", "any", "cannot be a name here"),
    ("effects", "stop game won", "RW100", "won", "`lost`, `drawn` or `won by`"),
    ("effects", "repeat until a at least 3 times do f()", "RW100", "least", "expected `most`"),
    ("effects", "together p in S do f(p)", "RW125", "f(p)", "this asks nobody"),
    ("effects", "move x box", "RW100", "box", "expected `to`, found `box`"),
    ("effects", "move x in box", "RW100", "in", "expected `to`, found `in`"),
    ("effects", "draw 1 pile to me.hand", "RW100", "pile", "expected `from`"),
    ("effects", "swap a and b", "RW100", "and", "expected `with`"),
    ("effects", "repeat 3 do f()", "RW100", "do", "expected `times`"),
    ("effects", "for x S do f()", "RW100", "S", "expected `in`"),
    ("effects", "for x in S f()", "RW100", "f", "expected `do`"),
    ("effects", "if a gain 1 me.vp", "RW100", "gain", "expected `then`"),
    ("effects", "if a thne gain 1 me.vp", "RW100", "thne", "did you mean `then`?"),
    ("effects", "if a do f()", "RW100", "do", "expected `then`, found `do`"),
    ("effects", "gain 1 me.vp if a", "RW112", "if", "`if CONDITION then EFFECT`"),
    ("effects", "move all x in S to box", "RW100", "x", "`all(x in S if C)`"),
    # values
    ("expr", "x if c else y", "RW112", "if", "write `if CONDITION then A else B`"),
    ("effects", "set me.f to x if c else y", "RW112", "if", "`if CONDITION then A else B`"),
    ("expr", "a < b < c", "RW122", "<", "`a < b and b < c`"),
    ("expr", "a is b is c", "RW122", "is", "join them by `and`"),
    ("expr", "1.5", "RW121", "1.5", "numbers are whole"),
    ("expr", "99999999999", "RW121", "99999999999", "over 1000000000"),
    ("expr", "all(S)", "RW100", "S", "expected `x in S if C`"),
    ("expr", "max(a)", "RW100", ")", "expected `,`"),
    ("expr", "sum(x in S)", "RW100", ")", "expected `for`"),
    ("expr", "any x in S", "RW100", "x", "`any(x in S if C)`"),
    ("expr", "f(a b)", "RW100", "b", "expected `,`"),
    ("expr", "a, b", "RW100", ",", "expected the end"),
    ("expr", "if a b else c", "RW100", "b", "expected `then`"),
    # other scalars
    ("expr", "", "RW119", "", "expected a value, found nothing"),
    ("effects", "  # later", "RW119", "  # later", "write `nothing`"),
    ("cost", "1 disc from me.purse", "RW124", "from", "write `in` for `from`"),
    ("cost", "2 coins", "RW110", "coins", "whose?"),
    ("cost", "for x in S", "RW105", "", "pay"),
    ("cost", "for x in S pay 1 me.coins", "RW100", "1", "a name"),
    ("type", "lists of card", "RW100", "lists", "expected `set` or `list`"),
    ("part", "1 of sell(me)", "RW100", "1 of sell(me)", "expected a part of a price"),
    ("part", "sell(me).price", "RW100", "sell(me).price", "expected a part of a price"),
    ("type", "card or nothing", "RW100", "nothing", "expected `none`"),
    ("span", "4..2", "RW126", "4..2", "write `2..4`"),
    ("span", "2-4", "RW100", "2-4", "such as `2..4`"),
    ("domain", "me.hand if card.value > 1", "RW100", "me.hand", "write `in me.hand`"),
    ("domain", "in 1 to me.vp", "RW100", "to", "`A..B`"),
    ("effects", "gain card.value to me.vp", "RW100", "to", "`gain N me.vp`"),
    ("effects", "pay me.n from me.vp to game.pot", "RW100", "from", "`pay N me.vp`"),
    ("hook", "on move(x)", "RW100", "on", "`before`, `after` or `instead of`"),
    ("hook", "befor x", "RW100", "befor", "did you mean `before`?"),
    ("hook", "before entering x", "RW100", "entering", "`enter`"),
    ("pattern", "f(1)", "RW100", "1", "expected a name"),
    ("order", "p of players", "RW100", "of", "expected `in`"),
    ("over", "chosen owner", "RW100", "owner", "expected `by`"),
    ("track", "ring a, b", "RW100", "ring", "`loop` or `path`"),
    ("track", "loop a b", "RW100", "b", "expected `,`"),
    ("spaces", "a..c7", "RW123", "a..c7", "`c1..c11`"),
    ("spaces", "c1..c999999", "RW123", "c1..c999999", "more than 2000 spaces"),
    ("spaces", MANY_SPACES, "RW123", MANY_SPACES, "12000 spaces; a map has at most 10000"),
    ("grid", "7 by 6", "RW100", "7 by 6", "such as `7 x 6`"),
    ("grid", "7x6", "RW100", "7x6", "such as `7 x 6`"),
    ("grid", "0 x 6", "RW123", "0 x 6", "1 to 100 columns"),
    ("roads", "A1 - A2", "RW100", "-", "expected `=`"),
    ("roads", "A1 -> A2", "RW102", "->", "a road that leads one way is `>`"),
    ("roads", "A1 = A2 A3", "RW123", "A3", "before this space"),
    # limits
    ("expr", "(" * 61 + "a", "RW115", "(", "more than 60 brackets"),
    ("expr", "a" * 70_000, "RW116", "a" * 70_000, "more than 65536 characters"),
]


@pytest.mark.parametrize(
    ("start", "text", "code", "at", "says"), SLIPS, ids=[slip[1][:40] for slip in SLIPS]
)
def test_slips(start: str, text: str, code: str, at: str, says: str) -> None:
    """A slip gives one diagnostic, at the very word, which says what to write."""
    (diagnostic,) = told(start, text)
    assert diagnostic.code == code
    assert diagnostic.span is not None
    assert diagnostic.span.text == at
    assert says in words(diagnostic)


def test_every_code_is_told_by_some_slip() -> None:
    """No code of this stage is without a sample, and every sample has a code of this stage."""
    assert {slip[2] for slip in SLIPS} | {"RW118"} == set(CODES)


@pytest.mark.parametrize(
    ("start", "text", "line", "column"),
    [
        ("expr", "a +", 1, 4),
        ("expr", "a +\n  ", 1, 4),
        ("effects", "f()\nmove x  # where to?\ng()", 2, 7),
        ("effects", "if a\n  f(b\nc()", 2, 6),
        ("expr", "", 1, 1),
    ],
)
def test_the_end_is_where_the_text_ends(start: str, text: str, line: int, column: int) -> None:
    """What is missing at the end is shown right behind the last word of the line."""
    place = told(start, text)[0].span
    assert place is not None
    assert (place.line, place.column) == (line, column)


def test_each_line_of_a_block_has_its_own_diagnostic() -> None:
    """A fault in one line leaves the others alone."""
    text = """\
gain me.vp 1
if a == b
  lose 1 vp
  f()
else
  move x box
  g(
shuffle deck
for x in S do
  h(x
discard x
"""
    found = told("effects", text)
    places = [(fault.code, fault.span.line, fault.span.column) for fault in found if fault.span]
    assert places == [
        ("RW111", 1, 12),
        ("RW102", 2, 6),
        ("RW110", 3, 10),
        ("RW100", 6, 10),
        ("RW104", 7, 5),
        ("RW108", 9, 12),
        ("RW104", 10, 6),
        ("RW113", 11, 1),
    ]


def test_a_broken_condition_keeps_its_else() -> None:
    """After an `if` that does not parse, its block and its `else` are no further faults."""
    text = "if a ==\n  f()\nelse if b\n  g()\nelse\n  h()\ni()"
    assert [fault.code for fault in told("effects", text)] == ["RW102"]


@pytest.mark.parametrize("text", ["  1 to box\n f()\n g()", " f()\n   1 to box\n g()"])
def test_a_broken_line_is_not_told_for_its_indentation(text: str) -> None:
    """Where the word at the start of a line is missing, its place is no fault of its own."""
    assert len(told("effects", text)) == 1


@pytest.mark.parametrize(
    ("yaml", "line", "column"),
    [
        ("do: gain me.vp 1\n", 1, 16),
        ("do: 'gain me.vp 1'\n", 1, 17),
        ("do: |\n  f()\n\n  gain me.vp 1\n", 4, 14),
        ("do: >-\n  gain\n    me.vp\n    1\n", 4, 5),
        ("do:\n  gain me.vp\n  1\n", 3, 3),
        ("語: 語\ndo: |\n    if a\n      gain me.vp 1 # 語\n", 4, 18),
    ],
)
def test_faults_stand_where_they_are_in_the_file(yaml: str, line: int, column: int) -> None:
    """The place is that of the file, however the scalar is written."""
    report = Report()
    root = read(Source("game.yaml", yaml), report)
    assert isinstance(root, Mapping)
    node = root.get("do")
    assert isinstance(node, Scalar)
    assert parser.parse("effects", node, report) is None
    (diagnostic,) = report.diagnostics
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (line, column)


@pytest.mark.parametrize("yaml", ['do: "f(\\x61)"\n', "do: 'f(''a'')'\n"])
def test_escapes_in_quotes_are_refused(yaml: str) -> None:
    """What the language would see raw is told, with the way out."""
    report = Report()
    root = read(Source("game.yaml", yaml), report)
    assert isinstance(root, Mapping)
    node = root.get("do")
    assert isinstance(node, Scalar)
    assert parser.parse("effects", node, report) is None
    assert [(fault.code, fault.helps) for fault in report.diagnostics] == [
        ("RW118", ("write the text without quotes, or as a block below `|`",))
    ]


@pytest.mark.parametrize("slip", SLIPS, ids=[slip[1][:40] for slip in SLIPS])
def test_wording(slip: tuple[str, str, str, str, str]) -> None:
    """Messages are lower case, without a full stop, and say nothing like invalid."""
    (diagnostic,) = told(slip[0], slip[1])
    for text in (diagnostic.message, *diagnostic.helps):
        assert text[0] == text[0].lower()
        assert not text.endswith(".")
        assert "valid" not in text


@pytest.mark.parametrize("code", CODES)
def test_explanations_show_the_fault_and_its_repair(code: str) -> None:
    """The first example on a code's page gives that code, the second gives nothing."""
    page = explanation(code)
    assert page is not None
    assert page.startswith(f"# {code}: {CODES[code]}\n\n")
    examples = re.findall(r"```(\w+)\n(.*?)\n```", page, re.DOTALL)
    if not examples:
        assert code in {"RW116", "RW118"}
        return
    (start, wrong), (_, right) = examples
    assert [fault.code for fault in told(start, wrong)] == [code]
    report = Report()
    assert parser.parse_text(start, right, report) is not None
    assert report.diagnostics == []
