"""What the parser does at each rule of an expression: children -> node of the syntax tree.

One method for each alias of ``grammar.lark``. It takes the children as they stand in the rule
(signs and words are children, too) and gives a node with its span, or a part that the rule above
takes apart. What the grammar lets through and the language does not is told in ``faults``.
"""

# ruff: noqa: D102
# A callback does what its rule in the grammar says; its name is the name of the rule.

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from ruleset import syntax as s
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import syntax as messages
from ruleset.source import Source, Span

MAX_NUMBER: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Part:
    """Something with a place that is no node of its own."""

    span: Span
    value: Any


@dataclass(frozen=True, slots=True)
class Loop:
    """``x in S if C`` with what follows it in ``for``."""

    span: Span
    clause: s.Clause
    start: s.Expr | None = None
    chooser: s.Expr | None = None


class ExpressionBuilder:
    """The callbacks of expressions and clauses, with the source and the faults of one parse."""

    source: Source
    faults: list[Diagnostic]

    # -------------------------------------------------------------- places

    def _at(self, part: Any) -> Span:
        """The place of a token or of a node."""
        start = getattr(part, "start_pos", None)
        if start is None:
            return cast(Span, part.span)
        return Span(self.source, start, part.end_pos)

    def _over(self, children: list[Any]) -> Span:
        """The place of a whole rule: from its first child to its last."""
        first, last = children[0], children[-1]
        start = getattr(first, "start_pos", None)
        end = getattr(last, "end_pos", None)
        return Span(
            self.source,
            first.span.start if start is None else start,
            last.span.end if end is None else end,
        )

    def _ident(self, word: Any) -> s.Ident:
        return s.Ident(self._at(word), str(word))

    def _word(self, word: Any, *wanted: str) -> str:
        """The text of a word that is no terminal of its own, told where it is another one."""
        if str(word) not in wanted:
            self.faults.append(messages.expected_word(self._at(word), wanted, str(word)))
        return str(word)

    # -------------------------------------------------------------- atoms

    def name(self, c: list[Any]) -> s.Name:
        return s.Name(self._at(c[0]), str(c[0]))

    def number(self, c: list[Any]) -> s.Number:
        return s.Number(self._at(c[0]), self._int(c[0]))

    def _int(self, word: Any) -> int:
        if len(word) > 10 or int(word) > MAX_NUMBER:
            self.faults.append(messages.number_too_large(self._at(word), MAX_NUMBER))
            return 0
        return int(word)

    def truth(self, c: list[Any]) -> s.Truth:
        return s.Truth(self._at(c[0]), c[0].type == "TRUE")

    def nothing_there(self, c: list[Any]) -> s.Nothing:
        return s.Nothing(self._at(c[0]))

    def group(self, c: list[Any]) -> s.Expr:
        return cast(s.Expr, c[1])

    def default(self, c: list[Any]) -> s.Default:
        return s.Default(self._over(c), c[1], c[3])

    def set_of(self, c: list[Any]) -> s.SetOf:
        return s.SetOf(self._over(c), () if len(c) == 2 else (c[1], *c[3]))

    def attribute(self, c: list[Any]) -> s.Attribute:
        return s.Attribute(self._over(c), c[0], str(c[2]), self._at(c[2]))

    def call_of(self, c: list[Any]) -> s.CallOf:
        args = c[4] if len(c) == 6 else ()
        return s.CallOf(self._over(c), c[0], str(c[2]), self._at(c[2]), args)

    def call(self, c: list[Any]) -> s.Call:
        return s.Call(self._over(c), str(c[0]), self._at(c[0]), c[2] if len(c) == 4 else ())

    def args(self, c: list[Any]) -> tuple[s.Expr, ...]:
        return tuple(c[::2])

    # -------------------------------------------------------------- operators

    def binary(self, c: list[Any]) -> s.Binary:
        op = " ".join(map(str, c[1:-1]))
        return s.Binary(self._over(c), cast(s.BinaryOp, op), c[0], c[-1])

    def is_in(self, c: list[Any]) -> s.Binary:
        """``is in`` and ``is not in`` say the same as ``in`` and ``not in``."""
        op: s.BinaryOp = "in" if len(c) == 4 else "not in"
        return s.Binary(self._over(c), op, c[0], c[-1])

    def unary(self, c: list[Any]) -> s.Unary:
        return s.Unary(self._over(c), "not" if c[0].type == "NOT" else "-", c[1])

    def numbers(self, c: list[Any]) -> s.Numbers:
        return s.Numbers(self._over(c), c[0], c[2])

    def conditional(self, c: list[Any]) -> s.Conditional:
        return s.Conditional(self._over(c), c[1], c[3], c[5])

    def can(self, c: list[Any]) -> s.Can:
        return s.Can(self._over(c), c[0], c[2])

    def within(self, c: list[Any]) -> s.Within:
        args = None if len(c) == 2 else c[3] if len(c) == 5 else ()
        return s.Within(self._over(c), str(c[1]), self._at(c[1]), args)

    def action_bare(self, c: list[Any]) -> s.Action:
        return s.Action(self._over(c), str(c[0]), self._at(c[0]), ())

    def action_args(self, c: list[Any]) -> s.Action:
        args = c[2] if len(c) == 4 else ()
        return s.Action(self._over(c), str(c[0]), self._at(c[0]), args)

    # -------------------------------------------------------------- clauses and what takes them

    def clause(self, c: list[Any]) -> s.Clause:
        condition = c[4] if len(c) == 5 else None
        return s.Clause(self._over(c), str(c[0]), self._at(c[0]), c[2], condition)

    def loop_plain(self, c: list[Any]) -> Loop:
        return Loop(c[0].span, c[0])

    def loop_from(self, c: list[Any]) -> Loop:
        return Loop(self._over(c), c[0], start=c[2])

    def loop_chosen(self, c: list[Any]) -> Loop:
        return Loop(self._over(c), c[0], chooser=c[3])

    def test_of(self, c: list[Any]) -> s.Test:
        kind: Literal["any", "all"] = "any" if c[0].type == "ANY" else "all"
        if kind == "all" and not isinstance(c[2], s.Clause):
            self.faults.append(messages.all_takes_a_clause(c[2].span))
        return s.Test(self._over(c), kind, c[2])

    def count(self, c: list[Any]) -> s.Count:
        return s.Count(self._over(c), c[2])

    def pick(self, c: list[Any]) -> s.Pick:
        return s.Pick(self._over(c), "first" if c[0].type == "FIRST" else "last", c[2])

    def those(self, c: list[Any]) -> s.Those:
        return s.Those(self._over(c), None, c[2])

    def those_of(self, c: list[Any]) -> s.Those:
        return s.Those(self._over(c), c[2], c[4])

    def fold(self, c: list[Any]) -> s.Fold:
        kind = cast(Literal["sum", "min", "max"], str(c[0]))
        return s.Fold(self._over(c), kind, c[2], c[4])

    def extreme(self, c: list[Any]) -> s.Extreme:
        kind: Literal["min", "max"] = "min" if c[0].type == "MIN" else "max"
        return s.Extreme(self._over(c), kind, (c[2], *c[4]))

    def best(self, c: list[Any]) -> s.Best:
        kind: Literal["highest", "lowest"] = "highest" if c[0].type == "HIGHEST" else "lowest"
        return s.Best(self._over(c), kind, c[2], c[4])

    def stretch(self, c: list[Any]) -> s.Stretch:
        return s.Stretch(self._over(c), c[2])

    def reach(self, c: list[Any]) -> s.Reach:
        return s.Reach(self._over(c), c[2], c[4])
