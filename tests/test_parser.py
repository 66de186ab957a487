"""What parses, and to which tree: every construct of the language, limits, places and speed."""

from __future__ import annotations

import os
import stat
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleset import parser, parser_cache
from ruleset import syntax as s
from ruleset.diagnostics.diagnostic import Report
from ruleset.document import Mapping, Scalar, read
from ruleset.source import Source, Span

ROOT = Path(__file__).parent.parent


def shape(node: object) -> str:
    """A tree in one line: names and numbers as they are, nodes as ``Kind(...)``."""
    match node:
        case tuple():
            return f"[{', '.join(shape(item) for item in node)}]"
        case s.Name() | s.Ident():
            return node.name
        case s.Number() | s.Truth():
            return str(node.value)
        case s.Attribute():
            return f"{shape(node.of)}.{node.name}"
        case s.Binary():
            return f"({shape(node.a)} {node.op} {shape(node.b)})"
        case s.Clause():
            condition = f" if {shape(node.condition)}" if node.condition else ""
            return f"{node.name} in {shape(node.source)}{condition}"
        case _ if is_dataclass(node):
            parts = (
                shape(getattr(node, field.name))
                for field in fields(node)
                if not field.name.endswith("span")
            )
            return f"{type(node).__name__}({', '.join(parts)})"
        case _:
            return "-" if node is None else str(node)


def parsed(start: str, text: str) -> Any:
    """The tree of a text that has no fault."""
    report = Report()
    tree = parser.parse_text(start, text, report)
    assert report.diagnostics == []
    assert tree is not None
    return tree


EXPRESSIONS = [
    ("3", "3"),
    ("true", "True"),
    ("none", "Nothing()"),
    ("me.hand", "me.hand"),
    ("first(players).hand", "Pick(first, players).hand"),
    ("speed(me, 2)", "Call(speed, [me, 2])"),
    ("led()", "Call(led, [])"),
    ("card.event(me)", "CallOf(card, event, [me])"),
    ("card.event()", "CallOf(card, event, [])"),
    ("()", "SetOf([])"),
    ("(a, b, 3)", "SetOf([a, b, 3])"),
    ("(a)", "a"),
    ("1..me.vp", "Numbers(1, me.vp)"),
    ("not a", "Unary(not, a)"),
    ("-2", "Unary(-, 2)"),
    ("a + b * c - d", "((a + (b * c)) - d)"),
    ("a / b % c", "((a / b) % c)"),
    ("(a + b) * c", "((a + b) * c)"),
    ("a and b or not c and d", "((a and b) or (Unary(not, c) and d))"),
    ("a is b", "(a is b)"),
    ("a is not b", "(a is not b)"),
    ("a <= b", "(a <= b)"),
    ("a >= b + 1", "(a >= (b + 1))"),
    ("a in b", "(a in b)"),
    ("a not in 1..3", "(a not in Numbers(1, 3))"),
    ("a is in b", "(a in b)"),
    ("a is not in b", "(a not in b)"),
    ("if a is b then 1 else if c then 2 else 3", "Conditional((a is b), 1, Conditional(c, 2, 3))"),
    ("(a else 0)", "Default(a, 0)"),
    ("any(hand)", "Test(any, hand)"),
    ("any(x in S if x.f is 2)", "Test(any, x in S if (x.f is 2))"),
    ("all(x in S if x.f)", "Test(all, x in S if x.f)"),
    ("count(S)", "Count(S)"),
    ("count(x in S)", "Count(x in S)"),
    ("last(x in S if f(x))", "Pick(last, x in S if Call(f, [x]))"),
    ("those(x in S if f(x))", "Those(-, x in S if Call(f, [x]))"),
    ("those(x.owner for x in S)", "Those(x.owner, x in S)"),
    ("sum(x.f + 1 for x in S if g)", "Fold(sum, (x.f + 1), x in S if g)"),
    ("max(x.f for x in S)", "Fold(max, x.f, x in S)"),
    ("min(a, b, 3)", "Extreme(min, [a, b, 3])"),
    ("highest(p.vp for p in players)", "Best(highest, p.vp, p in players)"),
    ("stretch(c in ray(x, d) if c.f)", "Stretch(c in Call(ray, [x, d]) if c.f)"),
    ("reach(x in S, y in next(x) if y.f)", "Reach(x in S, y in Call(next, [x]) if y.f)"),
    ("p can repair(x)", "Can(p, Action(repair, [x]))"),
    ("me can play", "Can(me, Action(play, []))"),
    ("within push", "Within(push, -)"),
    ("within push()", "Within(push, [])"),
    ("not within push(me) or a", "(Unary(not, Within(push, [me])) or a)"),
    ("a  # what it says", "a"),
    ("up.most.won.lost.drawn.one.base.enter.leave", "up.most.won.lost.drawn.one.base.enter.leave"),
]


@pytest.mark.parametrize(("text", "tree"), EXPRESSIONS)
def test_expressions(text: str, tree: str) -> None:
    """Each form of a value gives its node, and operators bind as in arithmetic."""
    assert shape(parsed("expr", text)) == tree


EFFECTS = [
    ("let n = if a then 1 else 2", "Let(n, Conditional(a, 1, 2))"),
    ("set me.mark to none", "SetMark(me.mark, Nothing())"),
    ("gain 1 me.vp", "Gain(gain, 1, me.vp)"),
    ("gain n next(me).vp", "Gain(gain, n, Call(next, [me]).vp)"),
    ("lose a + 1 game.round", "Gain(lose, (a + 1), game.round)"),
    ("pay 3 me.coins", "Pay(3, me.coins, -)"),
    ("pay 3 me.coins to owner.coins", "Pay(3, me.coins, owner.coins)"),
    ("move card to me.hand", "Move(card, me.hand, -)"),
    ("move a + b to box at left", "Move((a + b), box, left)"),
    ("draw 2 from deck to me.hand", "Draw(2, deck, me.hand)"),
    ("shuffle deck", "Shuffle(deck)"),
    ("reveal card", "Reveal(card, -)"),
    ("reveal card to me", "Reveal(card, me)"),
    ("flip disc to up", "Flip(disc, up)"),
    ("swap a with b", "Swap(a, b)"),
    ("roll x in 1..6 if x > 2", "RollValue(x in Numbers(1, 6) if (x > 2))"),
    ("roll me.dice", "RollPieces(me.dice)"),
    ("do base", "DoBase()"),
    ("stop turn", "Stop(turn, -, )"),
    ("stop game lost", "Stop(game, -, lost)"),
    ("stop game drawn", "Stop(game, -, drawn)"),
    ("stop game won by those(p in S)", "Stop(game, Those(-, p in S), )"),
    ("stop round won by me", "Stop(round, me, )"),
    ("eliminate me", "Eliminate(me)"),
    ("nothing", "DoNothing()"),
    ("deal()", "Happen(-, deal, [])"),
    ("deal(me, 3)", "Happen(-, deal, [me, 3])"),
    ("first(S).event(me)", "Happen(Pick(first, S), event, [me])"),
    ("me may play", "Ask(me, may, [Action(play, [])], -)"),
    ("me must play(c)", "Ask(me, must, [Action(play, [c])], -)"),
    (
        "me must one of bid, play(c) else nothing",
        "Ask(me, must, [Action(bid, []), Action(play, [c])], DoNothing())",
    ),
    ("me may one", "Ask(me, may, [Action(one, [])], -)"),
    ("me chooses x in S if f", "Choose(me, x in S if f, -, -, -)"),
    ("me chooses x in S else nothing", "Choose(me, x in S, -, -, DoNothing())"),
    ("me chooses 2 x in S as them", "Choose(me, x in S, Amount(2, 2), them, -)"),
    ("me chooses 0..n x in S as them", "Choose(me, x in S, Amount(0, n), them, -)"),
    (
        "me chooses up to n + 1 x in S if f as them else f()",
        "Choose(me, x in S if f, Amount(0, (n + 1)), them, Happen(-, f, []))",
    ),
    ("if a then f()", "If(a, [Happen(-, f, [])], [])"),
    (
        "if a then me must b else f()",
        "If(a, [Ask(me, must, [Action(b, [])], Happen(-, f, []))], [])",
    ),
    ("for x in S if f do f(x)", "For(x in S if f, -, -, [Happen(-, f, [x])])"),
    ("for p in S from me do f(p)", "For(p in S, me, -, [Happen(-, f, [p])])"),
    ("for p in S chosen by me do f(p)", "For(p in S, -, me, [Happen(-, f, [p])])"),
    ("for x in S do if a then f(x)", "For(x in S, -, -, [If(a, [Happen(-, f, [x])], [])])"),
    ("repeat n + 1 times do f()", "Repeat((n + 1), [Happen(-, f, [])])"),
    ("repeat until a at most 9 times do f()", "RepeatUntil(a, 9, [Happen(-, f, [])])"),
    (
        "together p in players do p must bid",
        "Together(p in players, Ask(p, must, [Action(bid, [])], -))",
    ),
]


@pytest.mark.parametrize(("text", "tree"), EFFECTS)
def test_effects(text: str, tree: str) -> None:
    """Each form of an effect gives its node."""
    assert shape(parsed("effects", text)) == f"[{tree}]"


BLOCKS = [
    ("a()\nb()", "[a b]"),
    ("\n\n  a()  # first\n\n  # alone\n  b()\n\n", "[a b]"),
    ("if c\n  a()\n  b()\nd()", "[if c [a b] [] d]"),
    ("if c\n  a()\nelse\n  b()", "[if c [a] [b]]"),
    ("if c then a()\nelse b()", "[if c [a] [b]]"),
    ("if c then a()\nelse if d then b()\nelse e()", "[if c [a] [if d [b] [e]]]"),
    ("if c\n  a()\nelse if d\n  b()\nelse\n  e()", "[if c [a] [if d [b] [e]]]"),
    ("if c\n  a()\nelse b()\nd()", "[if c [a] [b] d]"),
    ("for x in S\n  if c\n    a()\n  else b()\n  d()\ne()", "[for x [if c [a] [b] d] e]"),
    ("repeat 2 times\n  a()\nb()", "[repeat [a] b]"),
    ("repeat until c at most 3 times\n      a()\n      b()", "[until c [a b]]"),
    ("a(\n  b,\n c\n)\nd()", "[a d]"),
    ("if c\r\n  a()\r\nb()\r\n", "[if c [a] [] b]"),
]


def outline(node: object) -> str:
    """How blocks nest: calls by their name, loops and conditions with their blocks."""
    match node:
        case tuple():
            return f"[{' '.join(outline(item) for item in node)}]"
        case s.Happen():
            return node.name
        case s.If():
            blocks = f"{outline(node.then)} {outline(node.otherwise)}"
            return f"if {shape(node.condition)} {blocks}"
        case s.For():
            return f"for {node.clause.name} {outline(node.body)}"
        case s.Repeat():
            return f"repeat {outline(node.body)}"
        case s.RepeatUntil():
            return f"until {shape(node.condition)} {outline(node.body)}"
        case _:
            raise AssertionError(node)


@pytest.mark.parametrize(("text", "tree"), BLOCKS)
def test_blocks(text: str, tree: str) -> None:
    """Indentation makes blocks; empty lines, comments and open brackets do not matter."""
    assert outline(parsed("effects", text)) == tree


SCALARS = [
    ("cost", "3 me.coins", "CostCounter(3, me.coins, -)"),
    ("cost", "3 me.coins to owner.coins", "CostCounter(3, me.coins, owner.coins)"),
    (
        "cost",
        "2 card in me.hand if card.suit is led to pile",
        "CostPieces(2, card in me.hand if (card.suit is led), pile)",
    ),
    ("hook", "before set_up", "Hook(before, rule, set_up, , -)"),
    ("hook", "instead of land(me, x)", "Hook(instead of, rule, land, , [me, x])"),
    ("hook", "after gain vp(p)", "Hook(after, gain, vp, , [p])"),
    ("hook", "before lose vp", "Hook(before, lose, vp, , -)"),
    ("hook", "after enter hand(card)", "Hook(after, enter, hand, , [card])"),
    ("hook", "after leave hand", "Hook(after, leave, hand, , -)"),
    ("hook", "after enter", "Hook(after, rule, enter, , -)"),
    ("hook", "before ace.event(me)", "Hook(before, field, ace, event, [me])"),
    ("pattern", "speed(owner)", "Header(speed, [owner])"),
    ("header", "drive(me, here)", "Header(drive, [me, here])"),
    ("header", "drive", "Header(drive, [])"),
    ("header", "drive()", "Header(drive, [])"),
    ("order", "p in players", "Order(p in players, -)"),
    ("order", "p in S if p.f from start.holder", "Order(p in S if p.f, start.holder)"),
    ("type", "2..4", "NumberType(2, 4)"),
    ("type", "flag", "NamedType(flag, one)"),
    ("type", "card or none", "NamedType(card, or none)"),
    ("type", "set of card", "NamedType(card, set)"),
    ("type", "effect(me, x)", "CodeType(effect, [me, x])"),
    ("type", "condition()", "CodeType(condition, [])"),
    ("span", "3", "NumberType(3, 3)"),
    ("span", "0..", "NumberType(0, -)"),
    ("span", "..5", "NumberType(-, 5)"),
    ("span", "..", "NumberType(-, -)"),
    ("span", "-3..-1", "NumberType(-3, -1)"),
    ("track", "loop start, c1..c3", "[True, [start, c1, c2, c3]]"),
    ("track", "path a, b", "[False, [a, b]]"),
    ("spaces", "a, b2..b4, C1", "[a, b2, b3, b4, C1]"),
    ("grid", "7 x 6", "[7, 6, False]"),
    ("grid", "11 x 11 hex", "[11, 11, True]"),
    ("over", "first_one, other", "[[first_one, other], -]"),
    ("over", "chosen by owner", "[[], owner]"),
    (
        "roads",
        "A1 = A2 > A3 >pq A4 <r A5\nB1 = A1",
        "[Road(A1, A2, False, []), Road(A2, A3, True, []), Road(A3, A4, True, [p, q]), "
        "Road(A5, A4, True, [r]), Road(B1, A1, False, [])]",
    ),
]


@pytest.mark.parametrize(("start", "text", "tree"), SCALARS)
def test_small_scalars(start: str, text: str, tree: str) -> None:
    """Each start symbol gives the part of a record that it stands for."""
    assert shape(parsed(start, text)) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("in me.hand if card.f", "Domain(card, -, card in me.hand if card.f)"),
        ("2 in me.hand", "Domain(card, Amount(2, 2), card in me.hand)"),
        ("0..2 in me.hand", "Domain(card, Amount(0, 2), card in me.hand)"),
        ("up to 2 in me.hand", "Domain(card, Amount(0, 2), card in me.hand)"),
        ("in n + 1..me.vp", "Domain(card, -, card in Numbers((n + 1), me.vp))"),
    ],
)
def test_domains(text: str, tree: str) -> None:
    """Under ``choose`` the key is the name of the clause."""
    report = Report()
    key = Span(Source("keys", "card"), 0, 4)
    scalar = parser.Text(Span(Source("text", text), 0, len(text)))
    assert shape(parser.parse_domain("card", key, scalar, report)) == tree
    assert report.diagnostics == []


# ------------------------------------------------------------------ places


def in_file(yaml: str) -> tuple[Scalar, Source]:
    """The scalar under ``do`` of a document."""
    source, report = Source("game.yaml", yaml), Report()
    root = read(source, report)
    assert isinstance(root, Mapping)
    assert report.diagnostics == []
    node = root.get("do")
    assert isinstance(node, Scalar)
    return node, source


@pytest.mark.parametrize(
    "yaml",
    [
        "do: gain 1 me.vp",
        "do: 'gain 1 me.vp'",
        'do: "gain 1 me.vp"',
        "do: |\n  gain 1 me.vp\n",
        "do: >-\n  gain 1\n  me.vp\n",
        "do:\n  gain\n  1 me.vp\n",
        "日本: 語\ndo: |\n\n     # first\n     gain 1 me.vp\n",
    ],
)
def test_places_are_those_of_the_file(yaml: str) -> None:
    """A span is that of the file, however the scalar is written."""
    node, source = in_file(yaml)
    report = Report()
    tree: Any = parser.parse("effects", node, report)
    assert report.diagnostics == []
    assert tree[0].counter.span.text == "me.vp"
    assert tree[0].counter.name_span.text == "vp"
    assert tree[0].span.text.split() == ["gain", "1", "me.vp"]
    assert tree[0].span.source is source


def test_a_block_keeps_its_own_indentation() -> None:
    """Blocks nest below the first line of a ``|`` block, wherever that lies in the file."""
    node, _ = in_file("do: |\n      if a\n        b()\n        c()\n      d()\n")
    assert outline(parser.parse("effects", node, Report())) == "[if a [b c] [] d]"


def test_spans_contain_their_children() -> None:
    """The span of a block statement reaches to the end of its last line."""
    (tree,) = parsed("effects", "if a\n  for x in S\n    b()\nelse\n  c()")
    assert tree.span.text == "if a\n  for x in S\n    b()\nelse\n  c()"
    assert tree.then[0].span.text == "for x in S\n    b()"
    assert tree.otherwise[0].span.text == "c()"


# ------------------------------------------------------------------ any text


WORDS = [
    *("if", "then", "else", "for", "in", "do", "from", "repeat", "until", "times", "at", "most"),
    *("let", "set", "to", "gain", "pay", "move", "draw", "stop", "won", "by", "may", "must"),
    *("chooses", "one", "of", "up", "as", "can", "within", "or", "and", "not", "is", "any"),
    *("count", "those", "sum", "min", "true", "none", "before", "after", "instead", "me", "x"),
    *("f", "==", ":", "'", "(", ")", ",", ".", "..", "+", "-", "=", "<", "1", "23", "#", "the"),
]
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*WORDS, "\n", "\n  ", "\n    ", "\t"]), max_size=25).map(" ".join),
)
STARTS = sorted({start for start, _, _ in SCALARS} | {"expr", "effects", "domain"})


def places(node: object) -> list[Span]:
    """All spans in a tree."""
    found: list[Span] = []
    stack: list[object] = [node]
    while stack:
        match stack.pop():
            case Span() as span:
                found.append(span)
            case tuple() as items:
                stack.extend(items)
            case here if is_dataclass(here):
                stack.extend(getattr(here, field.name) for field in fields(here))
    return found


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(STARTS), TEXTS)
def test_any_text_gives_a_tree_or_diagnostics(start: str, text: str) -> None:
    """Whatever is written, there is a tree or a diagnostic, all spans inside, and no exception."""
    report = Report()
    tree = parser.parse_text(start, text, report)
    assert (tree is None) == bool(report.diagnostics)
    labels = [label.span for fault in report.diagnostics for label in fault.labels]
    for span in [*places(tree), *labels]:
        assert 0 <= span.start <= span.end <= len(text)


NAMES = st.sampled_from(["me", "x", "S", "hand", "f"])
VALUES = st.recursive(
    NAMES | st.integers(0, 9).map(str),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(
            "({0[0]} {0[1]} {0[2]})".format
        ),
        st.tuples(NAMES, inner, inner).map("{0[0]}({0[1]}, {0[2]})".format),
        st.tuples(inner, NAMES).map("({0[0]}).{0[1]}".format),
        st.tuples(inner, inner, inner).map("(if {0[0]} then {0[1]} else {0[2]})".format),
        st.tuples(NAMES, inner, inner).map("count({0[0]} in {0[1]} if {0[2]})".format),
        st.tuples(inner, inner).map("(not {0[0]} is {0[1]} or ({0[1]}, {0[0]}))".format),
    ),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_made_up_values_parse(text: str) -> None:
    """Text that the grammar allows parses, and the tree spans it."""
    tree = parsed("expr", text)
    assert tree.span.text.strip("()") in text


# ------------------------------------------------------------------ limits and speed


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(" * 61 + "a" + ")" * 61, "RW115"),
        ("(" * 30_000, "RW115"),
        ("not " * 5_000 + "a", "RW115"),
        ("-" * 5_000 + "a", "RW102"),
        ("a" + " + a" * 5_000, "RW115"),
        ("a" + ".a" * 5_000, "RW115"),
        ("if a then b else " * 2_000 + "c", "RW115"),
        ("a " * 40_000, "RW116"),
    ],
)
def test_no_value_is_too_deep(text: str, code: str) -> None:
    """What would overflow later stages is refused with a diagnostic."""
    report = Report()
    assert parser.parse_text("expr", text, report) is None
    assert [fault.code for fault in report.diagnostics] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(" " * number + "if a" for number in range(300)) + "\n" + " " * 300 + "b()",
        "if a then b()\n" + "else if a then b()\n" * 1_000,
        "if a then " * 2_000 + "b()",
    ],
)
def test_no_block_is_too_deep(text: str) -> None:
    """Blocks in blocks and long chains of ``else if`` are refused with one diagnostic."""
    report = Report()
    assert parser.parse_text("effects", text, report) is None
    assert [fault.code for fault in report.diagnostics] == ["RW115"]


@pytest.mark.parametrize("line", ["a b", "if", "( ( (", "a ==", "  f()\n g()", "else", "f(" * 40])
def test_many_faults_are_told_up_to_a_number(line: str) -> None:
    """Of a long text that is wrong everywhere the first faults are told."""
    report = Report()
    assert parser.parse_text("effects", f"{line}\n" * (60_000 // (len(line) + 1)), report) is None
    assert 1 <= len(report.diagnostics) <= parser.MAX_FAULTS


def test_what_is_allowed_is_deep_enough() -> None:
    """Sixty brackets, forty blocks and a hundred lines with many names are no problem."""
    parsed("expr", "(" * 60 + "a" + ")" * 60)
    parsed("expr", "(" + ", ".join(f"n{number}" for number in range(2_000)) + ")")
    parsed("effects", "\n".join(" " * number + "if a" for number in range(40)) + f"\n{' ' * 40}b()")
    parsed("effects", "gain 1 me.vp\n" * 1_000)


# ------------------------------------------------------------------ the kept tables


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="asks for the owner of a file")
def test_tables_are_kept_where_only_the_user_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is made private; one that others can write to is not used."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = parser_cache.tables("grammar")
    assert file is not None
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert parser_cache.tables("another grammar") != file
    file.parent.chmod(0o777)
    assert parser_cache.tables("grammar") is None


def test_no_folder_for_tables_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be kept the tables are built each time."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert parser_cache.tables("grammar") is None


@pytest.mark.parametrize("folder", ["games"])
def test_shipped_games_have_no_syntax_fault(folder: str) -> None:
    """No text of a shipped game has a fault of syntax."""
    from ruleset.loader import load_document

    for path in sorted((ROOT / folder).glob("*.yaml")):
        report = Report()
        root = read(Source(path.name, path.read_text("utf-8")), report)
        assert isinstance(root, Mapping)
        load_document(root, report)
        assert [fault for fault in report.diagnostics if fault.code.startswith("RW1")] == []
