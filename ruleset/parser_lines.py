"""Tokens -> logical lines, and parsed lines -> blocks by their indentation.

A logical line is a line of the text, with the lines after it as long as a bracket is open. Where
a line begins is its column; a block is the lines that begin at the column of its first one.
Assumes that a line which did not parse has been told, and passes over it without a further word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ruleset import syntax as s
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import blocks
from ruleset.diagnostics.messages import syntax as messages
from ruleset.parser_effects import ElseHead, IfHead, Line, LoopHead
from ruleset.parser_words import STATEMENTS
from ruleset.source import Source, Span

MAX_BLOCKS: Final = 40
_OPERANDS: Final = frozenset({"NAME", "INT", "RPAR", "TRUE", "FALSE", "NONE", "HABIT"})


@dataclass(frozen=True, slots=True)
class Broken:
    """A line that was told already; after ``if`` an ``else`` is no fault of its own."""

    span: Span
    conditional: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A parsed line with the column at which it begins."""

    column: int
    line: Line | Broken


def split(source: Source, tokens: Sequence[Any]) -> list[list[Any]]:
    """The tokens of each logical line."""
    lines: list[list[Any]] = []
    depth, end, text = 0, 0, source.text
    for token in tokens:
        fresh = not lines or "\n" in text[end : token.start_pos]
        if fresh and (depth == 0 or _breaks(source, lines[-1], token)):
            lines.append([])
            depth = 0
        lines[-1].append(token)
        end = token.end_pos
        if token.type == "LPAR":
            depth += 1
        elif token.type == "RPAR":
            depth = max(0, depth - 1)
    return lines


def _breaks(source: Source, line: Sequence[Any], token: Any) -> bool:
    """Whether a token starts a line though a bracket is open, which then is forgotten there.

    A verb does, and so does a name that is not indented and that no sign joins to what it follows.
    """
    if token.type in STATEMENTS:
        return True
    joined = line[-1].type not in _OPERANDS or token.type not in _OPERANDS - {"RPAR"}
    return not joined and column(source, token.start_pos) <= column(source, line[0].start_pos)


def column(source: Source, offset: int) -> int:
    """How many characters stand before an offset on its line."""
    return offset - (source.text.rfind("\n", 0, offset) + 1)


class _Assembler:
    def __init__(self, placed: Sequence[Placed], tell: Callable[[Diagnostic], None]) -> None:
        self.placed = placed
        self.tell = tell
        self.at = 0
        self.too_deep = False

    def peek(self) -> Placed | None:
        return self.placed[self.at] if self.at < len(self.placed) else None

    def block(self, indent: int, outer: tuple[int, ...]) -> s.Block:
        """The lines at ``indent``; stops before one that lies at the indent of an outer block."""
        effects: list[s.Effect] = []
        firm = False
        while (here := self.peek()) and (here.column >= indent or here.column not in outer):
            broken = isinstance(here.line, Broken)
            if here.column < indent and not firm:
                # All lines so far were broken, perhaps for a word that is missing at their start.
                indent = here.column
            if here.column < indent:
                if not broken:
                    self.tell(blocks.no_such_level(_start(here.line)))
                return self._skip(effects, outer)
            if here.column > indent:
                if not broken:
                    self.tell(blocks.too_far_in(_start(here.line)))
                self._body(indent, outer)
                continue
            firm = firm or not broken
            effects.extend(self.statement(indent, outer))
        return tuple(effects)

    def _skip(self, effects: list[s.Effect], outer: tuple[int, ...]) -> s.Block:
        """Passes over the lines up to one that lies at the indent of an outer block."""
        while (here := self.peek()) and here.column not in outer:
            self.at += 1
        return tuple(effects)

    def statement(self, indent: int, outer: tuple[int, ...]) -> list[s.Effect]:
        here = self.placed[self.at]
        self.at += 1
        match here.line:
            case Broken(conditional=conditional):
                self._body(indent, outer)
                while conditional and (after := self.peek()) and after.column == indent:
                    if not isinstance(after.line, ElseHead):
                        break
                    self.at += 1
                    self._body(indent, outer)
                return []
            case LoopHead(span=span, make=make):
                body = self._needed(span, indent, outer)
                return [make(_through(span, body), body)]
            case IfHead() | s.If():
                return [self._conditional(here.line, indent, outer)]
            case ElseHead(span=span):
                self.tell(blocks.else_alone(_word(span, "else")))
                self._body(indent, outer)
                return []
            case effect:
                return [effect]

    def _conditional(self, line: IfHead | s.If, indent: int, outer: tuple[int, ...]) -> s.If:
        """An ``if`` with its block and all its ``else if``, from the last to the first."""
        arms: list[tuple[Span, s.Expr, s.Block]] = []
        otherwise: s.Block = ()
        arm: IfHead | s.If | None = line
        while arm:
            then = arm.then if isinstance(arm, s.If) else self._needed(arm.span, indent, outer)
            arms.append((arm.span, arm.condition, then))
            arm = None
            after = self.peek()
            if after is None or after.column != indent or not isinstance(after.line, ElseHead):
                break
            self.at += 1
            match after.line.then:
                case None:
                    otherwise = self._needed(after.line.span, indent, outer)
                case IfHead() | s.If() as more:
                    arm = more
                case effect:
                    otherwise = (effect,)
        if len(arms) > MAX_BLOCKS:
            self.tell(messages.too_deep(line.span, "`else if`", MAX_BLOCKS))
            arms = arms[:1]
        result: s.If | None = None
        for span, condition, then in reversed(arms):
            if result is not None:
                otherwise = (result,)
            result = s.If(_through(_through(span, then), otherwise), condition, then, otherwise)
        assert result is not None
        return result

    def _needed(self, head: Span, indent: int, outer: tuple[int, ...]) -> s.Block:
        """The block below a head, told where it is missing."""
        after = self.peek()
        if after is None or after.column <= indent:
            self.tell(blocks.no_block(head, head.text.split(maxsplit=1)[0]))
        return self._body(indent, outer)

    def _body(self, indent: int, outer: tuple[int, ...]) -> s.Block:
        """The block below a line, or none."""
        after = self.peek()
        if after is None or after.column <= indent:
            return ()
        if len(outer) >= MAX_BLOCKS:
            if not self.too_deep:
                self.tell(messages.too_deep(_start(after.line), "blocks", MAX_BLOCKS))
            self.too_deep = True
            return self._skip([], (*outer, indent))
        return self.block(after.column, (*outer, indent))


def assemble(placed: Sequence[Placed], tell: Callable[[Diagnostic], None]) -> s.Block:
    """The block that the lines make."""
    if not placed:
        return ()
    assembler = _Assembler(placed, tell)
    return assembler.block(placed[0].column, ())


def _start(line: Line | Broken) -> Span:
    first = line.span.text.split(maxsplit=1)[0]
    return Span(line.span.source, line.span.start, line.span.start + len(first))


def _word(span: Span, word: str) -> Span:
    return Span(span.source, span.start, span.start + len(word))


def _through(span: Span, block: s.Block) -> Span:
    return span.to(block[-1].span) if block else span
