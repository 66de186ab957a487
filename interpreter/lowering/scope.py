"""Where lowering stands: the function being built, the names in scope, the record it comes from.

`Lowering` holds what all functions share: the box, the Program so far, and the functions that were
asked for by name and are not made yet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering.box import Box
from interpreter.lowering.builder import Builder
from interpreter.lowering.compiled import ActionInfo, Question
from ruleset import syntax as ast
from ruleset.around import names_around
from ruleset.source import Span
from ruleset.types import Facts, SetT, ThingT, Type, UnknownT


class Lowering:
    """The Program under construction."""

    def __init__(self, box: Box, program: ir.Program) -> None:
        self.box, self.program = box, program
        self.facts: Facts = box.facts
        self.around = names_around(box.file)
        self.questions: dict[tuple[str, int], Question] = {}
        self.actions: dict[str, ActionInfo] = {}
        self.events: dict[str, tuple[str, ...]] = {}
        self.chances: dict[str, str] = {}
        """Label of each roll to the kind of its outcomes."""
        self.stand_ins: dict[str, str] = {}
        self.todo: list[Callable[[], None]] = []
        self.checks = False
        """Whether invariants with a moment of their own are woven in."""
        self.raw = False
        """Whether changes and moves are done without their hooks."""
        self._asked: set[str] = set()
        self._sites: dict[tuple[str, str, int], int] = {}

    def need(self, name: str, make: Callable[[], None]) -> str:
        """The name of a function that ``make`` will add, once, however often it is asked for."""
        if name not in self._asked:
            self._asked.add(name)
            self.todo.append(make)
        return name

    def know(self, program: ir.Program) -> None:
        """Take the functions of a finished Program as made."""
        self._asked.update(program.functions)

    def finish(self) -> None:
        """Make all that was asked for, and what that asks for."""
        while self.todo:
            self.todo.pop()()

    def add(self, function: ir.Function) -> None:
        """Keep a finished function."""
        self.program.functions[function.name] = function

    def site(self, rule: str, span: Span, cites: tuple[ast.Ident, ...] = ()) -> int:
        """The number of a place in the rules."""
        key = (rule, span.source.name, span.start)
        if key not in self._sites:
            self._sites[key] = len(self.program.sites)
            line, column = span.source.position(span.start)
            self.program.sites.append(
                ir.Site(rule, span.source.name, line, column, tuple(c.name for c in cites))
            )
        return self._sites[key]


@dataclass(slots=True)
class Scope:
    """One function under construction, at one point of its record."""

    low: Lowering
    b: Builder
    names: dict[str, Operand]
    record: ast.Record
    types: dict[str, Type] = field(default_factory=dict)
    """Types of names that lowering itself bound; of others the facts know it by the expression."""
    base: Callable[[Scope], None] | None = None
    """What ``do base`` does here."""
    exits: list[int] = field(default_factory=list)
    """Where to go when the rest of a block is skipped; innermost last."""

    @property
    def box(self) -> Box:
        """The box."""
        return self.low.box

    def type(self, expr: ast.Expr) -> Type:
        """The type that the checker found."""
        return self.low.facts.types.get(expr, UnknownT())

    def kind(self, expr: ast.Expr) -> str:
        """The kind of a thing or of the members of a set; else empty."""
        found = self.type(expr)
        return found.kind if isinstance(found, ThingT | SetT) else ""

    def roll(self, members: Operand, kind: str, label: str, d: str, span: Span) -> None:
        """d := a member by chance."""
        self.low.chances[label] = kind
        self.b.add(ir.Roll(d, members, label, self.site(span)))

    def site(self, span: Span) -> int:
        """The number of a place in the present record."""
        return self.low.site(self.record.path, span, self.record.cites)

    def inner(self) -> Scope:
        """The same, for a block: what is bound inside is not known outside."""
        return replace(self, names=dict(self.names))
