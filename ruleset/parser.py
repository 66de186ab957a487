"""Text of the language -> syntax tree, parsed where it lies in its file.

Takes a scalar of a document (anything with ``span``, ``body`` and ``style``) and gives the node
for its start symbol, or None and at least one diagnostic (but says nothing of a key that has no
value: the shape check does).
Blocks give one diagnostic for each line that does not parse, other scalars give one.
Never raises for what a user wrote; nothing here nests deeper than the limits below.

The only module that imports lark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar, cast, overload

from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.lexer import LexerState, LexerThread, LineCounter
from lark.utils import TextSlice

from ruleset import syntax as s
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.messages import blocks
from ruleset.diagnostics.messages import syntax as messages
from ruleset.parser_builder import Builder, DomainPart
from ruleset.parser_cache import tables
from ruleset.parser_effects import Line
from ruleset.parser_faults import Trouble, explain
from ruleset.parser_lines import Broken, Placed, assemble, column, split
from ruleset.parser_words import HABITS
from ruleset.source import Source, Span

MAX_CHARACTERS: Final = 64 * 1024
MAX_BRACKETS: Final = 60
MAX_HEIGHT: Final = 100
MAX_FAULTS: Final = 50
"""How many are told of one scalar."""

_STARTS: Final = [
    *("line", "expr", "domain", "cost", "hook", "pattern", "header", "order", "type", "span"),
    *("road_line", "track", "spaces", "grid", "over", "part"),
]

_WANTED: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "line": ("an effect", ("write `nothing` where nothing is done",)),
    "expr": ("a value", ()),
    "domain": ("`in S`, with a condition or an amount", ()),
    "cost": ("a cost", ("write an amount and a counter: `2 me.coins`",)),
    "hook": ("`before`, `after` or `instead of`", ()),
    "pattern": ("a name", ()),
    "header": ("a name", ()),
    "order": ("`p in S`", ()),
    "type": ("a type", ()),
    "span": ("a number or a range", ()),
    "road_line": ("a road", ()),
    "track": ("`loop` or `path` and spaces", ()),
    "spaces": ("spaces", ()),
    "grid": ("columns `x` rows", ()),
    "over": ("names", ()),
    "part": ("a part of a price", ("write `1 of ACTION(names).COST`",)),
}

T = TypeVar("T")
Style: TypeAlias = Literal["plain", "single", "double", "block", "folded"]


class Scalar(Protocol):
    """What is parsed: a scalar of a document, or a text of its own."""

    @property
    def span(self) -> Span:
        """All of it, as written."""

    @property
    def body(self) -> Span:
        """The text of the language in it."""

    @property
    def style(self) -> Style:
        """How it was written."""


class _Signs:
    """Keeps the terminals in the lexer that no rule uses."""

    always_accept = ("SIGN", "TAB", "OTHER")

    def process(self, stream: Iterable[Token]) -> Iterable[Token]:
        return stream


_BUILDER: Final = Builder()
_LOCK: Final = Lock()


@cache
def _lark() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    kept = tables(grammar)
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=_STARTS,
        postlex=cast(Any, _Signs()),
        transformer=cast(Any, _BUILDER),
        keep_all_tokens=True,
        maybe_placeholders=False,
        cache=cast(Any, str(kept) if kept else False),
    )


# ------------------------------------------------------------------ what other modules call


def parse(start: str, scalar: Scalar, report: Report) -> object:
    """The node of a scalar, or None where something is told.

    ``effects`` gives a Block, in the style ``block`` an effect a line; ``expr`` an Expr, ``cost``
    a Cost, ``hook`` a Hook, ``pattern`` and ``header`` a Header, ``order`` an Order, ``type`` a
    TypeExpr, ``span`` a NumberType; ``roads`` a tuple of Road, one for each sign; ``spaces``
    Idents, with ranges written out; ``track`` (whether it is a loop, Idents); ``grid`` (columns,
    rows, whether it is hex); ``over`` (Idents, the player who chooses or None); ``part``
    a PricePart.
    """
    with _LOCK:
        run = _Run(scalar, report)
        match start:
            case "effects":
                return run.effects()
            case "roads":
                return run.roads()
            case _:
                return run.whole(start)


def parse_domain(name: str, name_span: Span, scalar: Scalar, report: Report) -> s.Domain | None:
    """An entry of ``choose``; its key is the name that the clause binds."""
    part = parse("domain", scalar, report)
    if not isinstance(part, DomainPart):
        return None
    clause = s.Clause(scalar.body, name, name_span, part.source, part.condition)
    return s.Domain(scalar.body, name, part.amount, clause)


@dataclass(frozen=True, slots=True)
class Text:
    """A text of its own as a scalar: what a scenario or a player at the keyboard wrote."""

    span: Span
    style: Style = "block"

    @property
    def body(self) -> Span:
        """All of it."""
        return self.span


@overload
def parse_text(
    start: Literal["effects"], text: str, report: Report, name: str = ...
) -> s.Block | None: ...


@overload
def parse_text(
    start: Literal["expr"], text: str, report: Report, name: str = ...
) -> s.Expr | None: ...


@overload
def parse_text(start: str, text: str, report: Report, name: str = ...) -> object: ...


def parse_text(start: str, text: str, report: Report, name: str = "<text>") -> object:
    """Parse a text that lies in no document; ``name`` stands for the file in messages."""
    return parse(start, Text(Span(Source(name, text), 0, len(text))), report)


# ------------------------------------------------------------------ the parse itself


class _Run:
    """The parse of one scalar."""

    def __init__(self, scalar: Scalar, report: Report) -> None:
        self.scalar = scalar
        self.body = scalar.body
        self.source = scalar.body.source
        self.faults: list[Diagnostic] = []
        self.report = report
        _BUILDER.source = self.source
        _BUILDER.faults = self.faults

    def whole(self, start: str) -> Any:
        """All of the scalar as one text."""
        tokens = self.tokens(start)
        return self.done(self.feed(start, tokens) if tokens else None)

    def effects(self) -> s.Block | None:
        """A block, line by line; a scalar of another style is one line."""
        tokens = self.tokens("line")
        if not tokens:
            return self.done(None)
        if self.scalar.style != "block":
            line = self.feed("line", tokens)
            return self.done(self.assembled([tokens], [line]))
        lines = split(self.source, tokens)
        columns = [column(self.source, line[0].start_pos) for line in lines] + [0]
        parsed = [
            self.feed("line", line, has_block=columns[number + 1] > columns[number])
            if len(self.faults) < MAX_FAULTS
            else None
            for number, line in enumerate(lines)
        ]
        return self.done(self.assembled(lines, parsed))

    def assembled(self, lines: Sequence[Sequence[Token]], parsed: Sequence[Line | None]) -> s.Block:
        """The block of these lines by their columns."""
        placed = []
        for words, line in zip(lines, parsed, strict=True):
            at = self.place(words[0])
            kept = line if line is not None else Broken(at, words[0].type in {"IF", "ELSE"})
            placed.append(Placed(column(self.source, at.start), kept))
        return assemble(placed, self.faults.append)

    def roads(self) -> tuple[s.Road, ...] | None:
        """A chain of roads a line."""
        tokens = self.tokens("road_line")
        chains = [
            self.feed("road_line", line)
            for line in split(self.source, tokens)
            if len(self.faults) < MAX_FAULTS
        ]
        return self.done(tuple(road for chain in chains if chain for road in chain) or None)

    def done(self, result: T | None) -> T | None:
        """The result where nothing was told."""
        for fault in self.faults[:MAX_FAULTS]:
            self.report.add(fault)
        return None if self.faults else result

    def tokens(self, start: str) -> list[Token]:
        """The tokens of the body; none where something stops the parse before it begins."""
        if len(self.body.text) > MAX_CHARACTERS:
            self.faults.append(messages.too_long(self.body, MAX_CHARACTERS))
            return []
        if getattr(self.scalar, "has_escapes", False):
            self.faults.append(messages.escape(self.scalar.span))
            return []
        counter = cast(Any, LineCounter)("\n")
        # Positions in lines are not needed: offsets are, and counting lines takes long.
        counter.char_pos = self.body.start
        state = LexerState(TextSlice(self.source.text, self.body.start, self.body.end), counter)
        lexer = cast(Any, _lark().parser).lexer
        found = []
        for token in cast(Any, LexerThread(lexer, state)).lex(None):
            if token.type == "NAME" and str(token) in HABITS:
                token.type = "HABIT"
            elif token.type == "TAB":
                self.faults.append(blocks.tab(self.place(token)))
                return []
            found.append(token)
        if not found and self.scalar.style != "plain":
            # An empty plain scalar is a key without a value, which the shape check tells.
            wanted, helps = _WANTED[start]
            self.faults.append(messages.empty(self.scalar.span, wanted, helps))
        return found

    def place(self, token: Token) -> Span:
        """Where a token stands; the end of a text is its last character's right side."""
        start, end = token.start_pos, token.end_pos
        assert start is not None
        assert end is not None
        return Span(self.source, start, end)

    def feed(self, start: str, tokens: Sequence[Token], *, has_block: bool = False) -> Any:
        """The node of these tokens, or None where they do not fit."""
        if not self.flat_enough(tokens):
            return None
        parser: Any = _lark().parse_interactive(start=start)
        last = tokens[-1].end_pos
        end = Token("$END", "", start_pos=last, end_pos=last)
        index = 0
        told = len(self.faults)
        try:
            for index, token in enumerate(tokens):  # noqa: B007, the index is told in a fault
                parser.feed_token(token)
            index = len(tokens)
            result = parser.feed_token(end)
        except UnexpectedToken:
            del self.faults[told:]
            trouble = Trouble(
                (*tokens, end),
                index,
                start,
                self.place,
                parser.accepts(),
                lambda kinds: _reach(parser, kinds),
                has_block,
            )
            self.faults.append(explain(trouble))
            return None
        if len(tokens) > MAX_HEIGHT and _height(result) > MAX_HEIGHT:
            span = self.place(tokens[0]).to(self.place(tokens[-1]))
            self.faults.append(messages.too_deep(span, "operations", MAX_HEIGHT))
            return None
        return result

    def flat_enough(self, tokens: Sequence[Token]) -> bool:
        """Whether not too many brackets are open at once."""
        depth = 0
        for token in tokens:
            if token.type == "LPAR":
                depth += 1
                if depth > MAX_BRACKETS:
                    self.faults.append(
                        messages.too_deep(self.place(token), "brackets", MAX_BRACKETS)
                    )
                    return False
            elif token.type == "RPAR":
                depth -= 1
        return True


def _reach(parser: Any, kinds: Sequence[str]) -> int:
    """How many tokens of these kinds could follow, one after the other."""
    trial = parser.copy(deepcopy_values=False)
    conf = trial.parser_state.parse_conf
    # Without callbacks: nothing is built, and nothing is told.
    trial.parser_state.parse_conf = type(conf)(conf.parse_table, {}, conf.start)
    for number, kind in enumerate(kinds):
        try:
            trial.feed_token(Token(kind, ""))
        except UnexpectedToken:
            return number
    return len(kinds)


def _height(node: Any) -> int:
    """How deep nodes lie in each other; without recursion."""
    highest = 0
    stack = [(node, 1)]
    while stack:
        here, depth = stack.pop()
        highest = max(highest, depth)
        if isinstance(here, tuple):
            stack.extend((item, depth) for item in here)
        elif is_dataclass(here) and not isinstance(here, Span):
            stack.extend((getattr(here, field.name), depth + 1) for field in fields(here))
    return highest
