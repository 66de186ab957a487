"""Expressions and effects of the language that stand outside a game file: of a scenario, a tool.

Takes a compiled game and a text; gives functions for its machines. ``p1``, ``p2``, ... are the
players. What is wrong with the text is a `RulesetError` with diagnostics in that text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.ir.nodes import Decide, Function, Gather
from interpreter.runtime.errors import GameError
from ruleset import syntax as ast
from ruleset.diagnostics.diagnostic import Report, RulesetError
from ruleset.types import Facts, ThingT, Type

if TYPE_CHECKING:
    from interpreter.lowering.compiled import Compiled


@dataclass(frozen=True, slots=True)
class Aside:
    """A text as a function: its name, all functions it needs, the kind of its value."""

    name: str
    functions: tuple[Function, ...]
    kind: str


class Asides:
    """The texts that were made into functions for one game."""

    __slots__ = ("_compiled", "_facts", "_known")

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._facts: Facts | None = None
        self._known: dict[tuple[str, str], Aside] = {}

    def known(self) -> list[Aside]:
        """All of them, in order."""
        return list(self._known.values())

    def forget(self, what: str, text: str) -> None:
        """Drop one that no machine takes."""
        del self._known[what, text]

    def expression(self, text: str) -> tuple[Aside, bool]:
        """A pure function for an expression, and whether it is new."""
        from interpreter.lowering import lower_expression
        from ruleset.checker import check_expression
        from ruleset.parser import parse_text

        found = self._known.get(("expression", text))
        if found is not None:
            return found, False
        report = Report()
        expr = parse_text("expr", text, report)
        facts = self._own_facts()
        if expr is not None:
            check_expression(self._compiled.ruleset.file, facts, expr, self._names(), report)
        if expr is None or not report.ok:
            raise RulesetError(report)
        name = f"aside.{len(self._known) + 1}"
        functions, kind = lower_expression(self._compiled, expr, facts, name)
        return self._keep("expression", text, Aside(name, tuple(functions), kind)), True

    def effects(self, text: str) -> tuple[Aside, bool]:
        """A function for effects, and whether it is new. Raises `GameError` where one asks."""
        from interpreter.lowering import lower_effects
        from interpreter.lowering.blocks import effects_in
        from ruleset.checker import check_effects
        from ruleset.parser import parse_text

        found = self._known.get(("effects", text))
        if found is not None:
            return found, False
        report = Report()
        block = parse_text("effects", text, report)
        facts = self._own_facts()
        if block is not None:
            check_effects(self._compiled.ruleset.file, facts, block, self._names(), report)
        if block is None or not report.ok:
            raise RulesetError(report)
        for effect in effects_in(block):
            if isinstance(effect, ast.Ask | ast.Choose | ast.Together):
                asks = " ".join(effect.span.text.split())
                raise GameError(f"nobody is asked outside a game file: found `{asks}`")
        name = f"aside.{len(self._known) + 1}"
        functions = lower_effects(self._compiled, block, facts, name)
        if any(isinstance(b.end, Decide | Gather) for f in functions for b in f.blocks):
            raise GameError("nobody is asked outside a game file: a rule that asks cannot happen")
        return self._keep("effects", text, Aside(name, tuple(functions), "")), True

    def _keep(self, what: str, text: str, aside: Aside) -> Aside:
        self._known[what, text] = aside
        return aside

    def _names(self) -> dict[str, Type]:
        return {f"p{k + 1}": ThingT("player") for k in range(self._compiled.players)}

    def _own_facts(self) -> Facts:
        """The facts of the file, to which those of the texts are added."""
        if self._facts is None:
            self._facts = self._compiled.ruleset.facts.copy()
        return self._facts
