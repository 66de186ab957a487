"""What the parser does at each rule of an effect: children -> node, or the head of a block.

A line of a block gives an effect, or a head (``if C``, ``else``, ``for ...``) that
``parser_lines`` joins with the lines below it. See ``parser_expressions`` for how rules and
methods go together.
"""

# ruff: noqa: D102
# A callback does what its rule in the grammar says; its name is the name of the rule.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ruleset import syntax as s
from ruleset.diagnostics.messages import blocks
from ruleset.parser_expressions import ExpressionBuilder, Loop, Part
from ruleset.parser_words import VERBS
from ruleset.source import Span


@dataclass(frozen=True, slots=True)
class IfHead:
    """``if C`` with its block below."""

    span: Span
    condition: s.Expr


@dataclass(frozen=True, slots=True)
class ElseHead:
    """``else``: alone, with an effect, or ``else if C`` with its block below."""

    span: Span
    then: s.Effect | IfHead | None


@dataclass(frozen=True, slots=True)
class LoopHead:
    """``for ...`` or ``repeat ...`` with its block below; ``make`` takes the whole span and it."""

    span: Span
    inside: tuple[object, ...]
    """The expressions of the head."""
    make: Callable[[Span, s.Block], s.Effect]


Line: TypeAlias = "s.Effect | IfHead | ElseHead | LoopHead"


class EffectBuilder(ExpressionBuilder):
    """The callbacks of effects."""

    # -------------------------------------------------------------- lines and blocks

    def if_head(self, c: list[Any]) -> IfHead:
        return IfHead(self._over(c), c[1])

    def else_head(self, c: list[Any]) -> ElseHead:
        return ElseHead(self._over(c), None)

    def else_inline(self, c: list[Any]) -> ElseHead:
        return ElseHead(self._over(c), c[1])

    def else_if_head(self, c: list[Any]) -> ElseHead:
        return ElseHead(self._over(c), IfHead(self._over(c[1:]), c[2]))

    def for_head(self, c: list[Any]) -> LoopHead:
        loop: Loop = c[1]
        return LoopHead(
            self._over(c),
            (loop.clause, loop.start, loop.chooser),
            lambda at, body: s.For(at, loop.clause, loop.start, loop.chooser, body),
        )

    def repeat_head(self, c: list[Any]) -> LoopHead:
        return LoopHead(self._over(c), (c[1],), lambda at, body: s.Repeat(at, c[1], body))

    def until_head(self, c: list[Any]) -> LoopHead:
        self._word(c[4], "most")
        return LoopHead(
            self._over(c), (c[2], c[5]), lambda at, body: s.RepeatUntil(at, c[2], c[5], body)
        )

    def if_inline(self, c: list[Any]) -> s.If:
        return s.If(self._over(c), c[1], (c[3],), ())

    def for_inline(self, c: list[Any]) -> s.For:
        loop: Loop = c[1]
        return s.For(self._over(c), loop.clause, loop.start, loop.chooser, (c[3],))

    def repeat_inline(self, c: list[Any]) -> s.Repeat:
        return s.Repeat(self._over(c), c[1], (c[4],))

    def until_inline(self, c: list[Any]) -> s.RepeatUntil:
        self._word(c[4], "most")
        return s.RepeatUntil(self._over(c), c[2], c[5], (c[8],))

    def together(self, c: list[Any]) -> s.Effect:
        if not isinstance(c[3], s.Ask):
            self.faults.append(blocks.together_asks(self._at(c[3])))
            return s.DoNothing(self._over(c))
        return s.Together(self._over(c), c[1], c[3])

    # -------------------------------------------------------------- effects

    def let(self, c: list[Any]) -> s.Let:
        return s.Let(self._over(c), str(c[1]), self._at(c[1]), c[3])

    def set_mark(self, c: list[Any]) -> s.SetMark:
        if isinstance(c[1], s.Name):
            self.faults.append(blocks.whose(c[1].span, c[1].name, is_set=True))
        elif not isinstance(c[1], s.Attribute):
            self.faults.append(blocks.only_marks_are_set(c[1].span))
        return s.SetMark(self._over(c), c[1], c[3])

    def _counter(self, counter: s.Expr) -> s.Expr:
        if isinstance(counter, s.Name):
            self.faults.append(blocks.whose(counter.span, counter.name))
        elif not isinstance(counter, s.Attribute):
            self.faults.append(blocks.not_a_counter(counter.span))
        return counter

    def gain(self, c: list[Any]) -> s.Gain:
        return s.Gain(self._over(c), "gain", c[1], self._counter(c[2]))

    def lose(self, c: list[Any]) -> s.Gain:
        return s.Gain(self._over(c), "lose", c[1], self._counter(c[2]))

    def pay(self, c: list[Any]) -> s.Pay:
        return s.Pay(self._over(c), c[1], self._counter(c[2]), None)

    def pay_to(self, c: list[Any]) -> s.Pay:
        return s.Pay(self._over(c), c[1], self._counter(c[2]), self._counter(c[4]))

    def move(self, c: list[Any]) -> s.Move:
        return s.Move(self._over(c), c[1], c[3], None)

    def move_at(self, c: list[Any]) -> s.Move:
        return s.Move(self._over(c), c[1], c[3], c[5])

    def draw(self, c: list[Any]) -> s.Draw:
        return s.Draw(self._over(c), c[1], c[3], c[5])

    def shuffle(self, c: list[Any]) -> s.Shuffle:
        return s.Shuffle(self._over(c), c[1])

    def reveal(self, c: list[Any]) -> s.Reveal:
        return s.Reveal(self._over(c), c[1], None)

    def reveal_to(self, c: list[Any]) -> s.Reveal:
        return s.Reveal(self._over(c), c[1], c[3])

    def flip(self, c: list[Any]) -> s.Flip:
        return s.Flip(self._over(c), c[1], c[3])

    def swap(self, c: list[Any]) -> s.Swap:
        return s.Swap(self._over(c), c[1], c[3])

    def roll_value(self, c: list[Any]) -> s.RollValue:
        return s.RollValue(self._over(c), c[1])

    def roll_pieces(self, c: list[Any]) -> s.RollPieces:
        return s.RollPieces(self._over(c), c[1])

    def do_base(self, c: list[Any]) -> s.DoBase:
        if str(c[1]) != "base":
            self.faults.append(blocks.do_is_no_verb(self._at(c[0]), str(c[1])))
        return s.DoBase(self._over(c))

    def stop(self, c: list[Any]) -> s.Stop:
        return s.Stop(self._over(c), str(c[1]), self._at(c[1]), None, "")

    def stop_as(self, c: list[Any]) -> s.Stop:
        ending: Literal["lost", "drawn"] = "lost" if str(c[2]) == "lost" else "drawn"
        self._word(c[2], "lost", "drawn", "won by")
        return s.Stop(self._over(c), str(c[1]), self._at(c[1]), None, ending)

    def stop_by(self, c: list[Any]) -> s.Stop:
        self._word(c[2], "won")
        return s.Stop(self._over(c), str(c[1]), self._at(c[1]), c[4], "")

    def eliminate(self, c: list[Any]) -> s.Eliminate:
        return s.Eliminate(self._over(c), c[1])

    def nothing(self, c: list[Any]) -> s.DoNothing:
        return s.DoNothing(self._over(c))

    def happen(self, c: list[Any]) -> s.Effect:
        match c[0]:
            case s.Call(span, name, name_span, args):
                return s.Happen(span, None, name, name_span, args)
            case s.CallOf(span, of, name, name_span, args):
                return s.Happen(span, of, name, name_span, args)
            case s.Name(span, name):
                self.faults.append(blocks.call_it(span, name, VERBS.get(name)))
            case s.Attribute(span, _, name):
                self.faults.append(blocks.call_it(span, span.text))
            case other:
                self.faults.append(blocks.not_an_effect(other.span))
        return s.DoNothing(c[0].span)

    # -------------------------------------------------------------- asking

    def may(self, c: list[Any]) -> s.Ask:
        return s.Ask(self._over(c), c[0], "may", c[2].value, None)

    def must(self, c: list[Any]) -> s.Ask:
        return s.Ask(self._over(c), c[0], "must", c[2].value, None)

    def must_else(self, c: list[Any]) -> s.Ask:
        return s.Ask(self._over(c), c[0], "must", c[2].value, c[4])

    def offer_one(self, c: list[Any]) -> Part:
        return Part(c[0].span, (c[0],))

    def offer_many(self, c: list[Any]) -> Part:
        self._word(c[0], "one")
        return Part(self._over(c), tuple(c[2::2]))

    def _choose(self, c: list[Any], *, some: bool, named: bool, otherwise: bool) -> s.Choose:
        amount = c[2] if some else None
        clause: s.Clause = c[3 if some else 2]
        name = c[5 if some else 4] if named else None
        if some and not named:
            self.faults.append(blocks.set_needs_a_name(clause.span, clause.name))
        if named and not some:
            self.faults.append(blocks.one_needs_no_name(self._at(name), clause.name))
        return s.Choose(
            self._over(c),
            c[0],
            clause,
            amount,
            str(name) if named else None,
            self._at(name) if named else None,
            c[-1] if otherwise else None,
        )

    def chooses(self, c: list[Any]) -> s.Choose:
        return self._choose(c, some=False, named=False, otherwise=False)

    def chooses_else(self, c: list[Any]) -> s.Choose:
        return self._choose(c, some=False, named=False, otherwise=True)

    def chooses_as(self, c: list[Any]) -> s.Choose:
        return self._choose(c, some=False, named=True, otherwise=False)

    def chooses_some(self, c: list[Any]) -> s.Choose:
        return self._choose(c, some=True, named=False, otherwise=False)

    def chooses_some_as(self, c: list[Any]) -> s.Choose:
        return self._choose(c, some=True, named=True, otherwise=False)

    def chooses_some_as_else(self, c: list[Any]) -> s.Choose:
        return self._choose(c, some=True, named=True, otherwise=True)
