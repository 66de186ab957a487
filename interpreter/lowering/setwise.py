"""Conditions asked of all members at once: the set of those for which one holds.

Takes a clause's name, the kind that it goes through, and a condition; gives a set, or None where
the condition is not of this kind. What the box fixes of each member is a column, a number for each;
what does not depend on the member is read once. Nothing that is worked out here can fault, so it
does no harm to ask it of members that nobody would have asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Final, TypeAlias

from interpreter.ir import nodes as ir
from interpreter.ir.bitsets import MOST_SHIFTS, shifts
from interpreter.ir.nodes import Operand
from interpreter.lowering import expressions, holding
from interpreter.lowering.scope import Scope
from interpreter.lowering.static import constant
from ruleset import syntax as ast
from ruleset.types import (
    BuiltIn,
    CounterRef,
    FieldRef,
    GameRef,
    Local,
    MarkRef,
    Member,
    Members,
    OnlyPiece,
    OptionRef,
    RuleRef,
    SetT,
    SpaceSet,
    TableRef,
    ThingT,
    ZoneRef,
)

Column: TypeAlias = "tuple[int, ...]"

PLAIN: Final = (
    Local,
    Members,
    Member,
    OnlyPiece,
    SpaceSet,
    OptionRef,
    TableRef,
    CounterRef,
    MarkRef,
)
"""What a bare name may stand for that is read once for all members."""
ATTRIBUTES: Final = (FieldRef, CounterRef, MarkRef)
BUILT_IN: Final = (BuiltIn("owner"), BuiltIn("type"))
"""What may stand behind the dot in such a value."""
MOST_CLASSES: Final = 8
"""Pieces are told apart by so many values at most."""
MOST_ROUNDS: Final = 16
"""A clause inside a condition may go through so many members."""
MOST_CALLS: Final = 4
"""Values that are read inside values."""


def holding_for(s: Scope, name: str, kind: str, condition: ast.Expr) -> Operand | None:
    """The members of a kind for which the condition holds of ``name``."""
    if kind not in s.box.kinds:
        return None
    every = tuple(range(s.box.size(kind)))
    return attempt(s, lambda: _Members(s, len(every), {name: every}).flag(condition))


def attempt(s: Scope, make: Callable[[], Operand | None]) -> Operand | None:
    """What ``make`` gives; nothing is left behind where it gives nothing."""
    code = s.b.blocks[s.b.here].code
    length, types = len(code), len(s.b.types)
    found = make() if s.b.open else None
    if found is None:
        del code[length:]
        for register in list(s.b.types)[types:]:
            del s.b.types[register]
    return found


@dataclass(slots=True)
class _Members:
    """The members, and the names that stand for something else with each of them."""

    s: Scope
    n: int
    varying: dict[str, Column]
    calls: int = 0
    made: dict[tuple[object, ...], Operand] = field(default_factory=dict)
    """What has been worked out already."""

    # ------------------------------------------------------------------ conditions

    def flag(self, e: ast.Expr) -> Operand | None:
        """The members for which a condition holds."""
        column = self.column(e)
        if column is not None:
            return sum(1 << k for k, value in enumerate(column) if value)
        if self.is_uniform(e):
            return self.s.b.select(expressions.flag(self.s, e), self.every, 0, "s")
        match e:
            case ast.Unary(_, "not", a):
                return self.others(self.flag(a))
            case ast.Binary(_, "and" | "or", a, b):
                return self._both(e.op, a, b)
            case ast.Binary(_, "is" | "is not", a, b):
                found = self._same(a, b)
                found = self._same(b, a) if found is None else found
                return found if e.op == "is" else self.others(found)
            case ast.Binary(_, "in" | "not in", a, b) if isinstance(self.s.type(b), SetT):
                found = self._inside(a, b)
                return found if e.op == "in" else self.others(found)
            case ast.Test(_, _, ast.Clause() as c):
                return self._quantified(e.kind, c)
            case ast.Test(_, "any", source) if not isinstance(source, ast.Clause):
                return self._some(source)
            case ast.Call() if (inner := self._inlined(e)) is not None:
                return inner[0].flag(inner[1])
        return None

    @property
    def every(self) -> int:
        """All members."""
        return (1 << self.n) - 1

    def others(self, found: Operand | None) -> Operand | None:
        """All but these."""
        return None if found is None else self.s.b.sets("minus", self.every, found)

    def meet(self, a: Operand, b: Operand) -> Operand:
        """Those in both."""
        if a == self.every or b == self.every:
            return b if a == self.every else a
        return self.s.b.sets("inter", a, b)

    def join(self, a: Operand, b: Operand) -> Operand:
        """Those in one of two."""
        return self.every if self.every in (a, b) else self.s.b.sets("union", a, b)

    def once(self, key: tuple[object, ...], make: Callable[[], Operand]) -> Operand:
        """What ``make`` gives, made once."""
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def _both(self, op: str, a: ast.Expr, b: ast.Expr) -> Operand | None:
        left = self.flag(a)
        if left == (0 if op == "and" else self.every):
            return left
        right = None if left is None else self.flag(b)
        if left is None or right is None:
            return None
        return self.meet(left, right) if op == "and" else self.join(left, right)

    def _some(self, source: ast.Expr) -> Operand | None:
        """Whether a set that belongs to each member holds something."""
        match source:
            case ast.Attribute():
                return self._filled(source)
            case ast.Those(_, None, c):
                return self._quantified("any", c)
            case ast.Those(_, of, c) if of is not None and isinstance(self.s.type(of), ThingT):
                return self._quantified("any", c, of)
            case ast.Call() if (inner := self._inlined(source)) is not None:
                return inner[0]._some(inner[1])
        return None

    def _quantified(self, kind: str, c: ast.Clause, of: ast.Expr | None = None) -> Operand | None:
        """``any`` (of those with ``of``, if it is none of nothing) or ``all`` of a short clause."""
        if c.condition is None and kind == "any" and of is None:
            return self._some(c.source)
        over = self.s.kind(c.source)
        if over not in self.s.box.kinds or self.s.box.size(over) > MOST_ROUNDS:
            return None
        sources = self.column(c.source)
        if not isinstance(self.s.type(c.source), SetT):
            return None
        if sources is None and not self.is_uniform(c.source):
            return None
        source = expressions.as_set(self.s, c.source) if sources is None else 0
        possible = self._possible(c.source, sources)
        found: Operand = 0
        for member in range(self.s.box.size(over)):
            if not possible >> member & 1:
                continue
            if sources is not None:
                among: Operand = sum(1 << k for k, row in enumerate(sources) if row >> member & 1)
            else:
                among = self.s.b.select(self.s.b.has(source, member), self.every, 0, "s")
            inner = replace(self, varying={**self.varying, c.name: (member,) * self.n})
            holds: Operand | None = self.every
            if c.condition is not None:
                holds = inner.flag(c.condition)
            if holds is not None and of is not None:
                given = inner.column(of)
                there = 0 if given is None else sum(1 << k for k, x in enumerate(given) if x >= 0)
                holds = None if given is None else self.meet(holds, there)
            if holds is None:
                return None
            if kind == "all":
                holds = self.s.b.sets("minus", self.every, holds)
            found = self.join(found, self.meet(among, holds))
        return self.others(found) if kind == "all" else found

    def _possible(self, source: ast.Expr, sources: Column | None) -> int:
        """What a set can hold with any member, or in any row of its table."""
        ref = self.s.low.facts.refs.get(source)
        if sources is not None:
            return reduce(or_, sources, 0)
        if isinstance(ref, FieldRef):
            return reduce(or_, self.s.box.field_table(ref.kind, ref.name).rows, 0)
        return -1

    # ------------------------------------------------------------------ comparisons

    def _same(self, a: ast.Expr, b: ast.Expr) -> Operand | None:
        """``a is b``, where b does not depend on the member."""
        if isinstance(b, ast.Nothing) and isinstance(a, ast.Attribute):
            found = self._zone(a)
            if found is not None:
                return self.others(self._filled(a)) if found[0].high == 1 else None
        types = self.s.type(a), self.s.type(b)
        if not all(isinstance(t, ThingT) for t in types) or not self.is_uniform(b):
            return None
        column = self.column(a)
        if column is not None:
            return self._equal(column, self.s.kind(a), expressions.value(self.s, b))
        if isinstance(types[1], ThingT) and types[1].maybe:
            return None
        match a:
            case ast.Attribute(_, ast.Attribute() as zone):
                held = self._held(a, zone)
                if held is None:
                    return None
                return self.preimage(held[1], self.held(held[0], expressions.value(self.s, b)))
        return None

    def _equal(self, column: Column, kind: str, value: Operand) -> Operand | None:
        if kind not in self.s.box.kinds:
            return None
        rows = [
            sum(1 << k for k, x in enumerate(column) if x == v)
            for v in range(-1, self.s.box.size(kind))
        ]
        table = self.s.box.unnamed(f"{kind}.where", rows[1:], rows[0], "s")
        return self.s.b.lookup(table, value)

    def _inside(self, a: ast.Expr, b: ast.Expr) -> Operand | None:
        column = self.column(a)
        if column is None or not self.is_uniform(b) or isinstance(self.s.type(a), SetT):
            return None
        return self.preimage(column, expressions.as_set(self.s, b))

    # ------------------------------------------------------------------ zones

    def _zone(self, zone: ast.Attribute) -> tuple[ast.Zone, Column] | None:
        """A zone that each member names, and the thing that it belongs to."""
        ref, owner = self.s.low.facts.refs.get(zone), self.s.type(zone.of)
        if not isinstance(ref, ZoneRef) or not isinstance(owner, ThingT):
            return None
        things = self.column(zone.of)
        found = self.s.box.zones[ref.name]
        if things is None or found.each is None or found.each.name != owner.kind:
            return None
        return found, things

    def _filled(self, zone: ast.Attribute) -> Operand | None:
        named = self._zone(zone)
        if named is None:
            return None
        pieces = self.s.box.size(named[0].of.name)
        plane = self.s.box.plane(named[0].name, named[0].name, (0,) * pieces)
        return None if plane is None else self.preimage(named[1], self.held(plane, 0))

    def held(self, plane: str, class_: Operand) -> Operand:
        """The zones of a plane that hold a piece of a class."""

        def make() -> Operand:
            d = self.s.b.register("held", "s")
            self.s.b.add(ir.Held(d, plane, class_))
            return d

        return self.once((plane, class_), make)

    def _held(self, a: ast.Attribute, zone: ast.Attribute) -> tuple[str, Column] | None:
        """The plane of an attribute of the one piece in a zone, and whose zone it is."""
        named = self._zone(zone)
        if named is None or named[0].high != 1:
            return None
        kind = named[0].of.name
        match self.s.low.facts.refs.get(a):
            case BuiltIn("owner" | "type" as name):
                table = self.s.box.attribute_table(kind, name)
            case FieldRef(of, name):
                table = self.s.box.field_table(of, name)
            case _:
                return None
        rows = table.rows[: self.s.box.size(kind)]
        if table.type != "i" or table.absent != -1 or not 0 <= max(rows) < MOST_CLASSES:
            return None
        plane = self.s.box.plane(f"{named[0].name}.{name}", named[0].name, rows)
        return None if plane is None else (plane, named[1])

    def preimage(self, column: Column, found: Operand) -> Operand | None:
        """The members whose number in the column is in a set."""
        s = self.s
        if column == tuple(range(self.n)):
            return s.b.sets("inter", found, self.every) if isinstance(found, int) else found
        if isinstance(found, int):
            return sum(1 << k for k, x in enumerate(column) if x >= 0 and found >> x & 1)
        if len(set(column)) == 1:
            return s.b.select(s.b.has(found, column[0]), self.every, 0, "s")
        if len(shifts(column)) > MOST_SHIFTS:
            return None

        def make() -> Operand:
            d = s.b.register("those", "s")
            s.b.add(ir.Preimage(d, s.box.unnamed("column", column, -1).name, found))
            return d

        return self.once((column, found), make)

    # ------------------------------------------------------------------ what is known

    def column(self, e: ast.Expr) -> Column | None:
        """The value for each member, where the box fixes it."""
        known = {name: x for name, x in self.s.names.items() if isinstance(x, int)}
        found = []
        for k in range(self.n):
            names = known | {name: column[k] for name, column in self.varying.items()}
            value = constant(self.s.box, e, names)
            if value is None:
                return None
            found.append(value)
        return tuple(found)

    def is_uniform(self, e: ast.Expr) -> bool:
        """Whether a value is the same for all members, and can be read without harm."""
        match e:
            case ast.Number() | ast.Truth() | ast.Nothing():
                return True
            case ast.Name():
                return e.name not in self.varying and isinstance(
                    self.s.low.facts.refs.get(e), PLAIN
                )
            case ast.Attribute():
                ref, of = self.s.low.facts.refs.get(e), self.s.low.facts.refs.get(e.of)
                if not isinstance(ref, ATTRIBUTES) and ref not in BUILT_IN:
                    return False
                thing = isinstance(self.s.type(e.of), ThingT) and self.is_uniform(e.of)
                return thing or isinstance(of, GameRef)
            case ast.Binary(_, "is" | "is not" | "<" | "<=" | ">" | ">=", a, b):
                sets = any(isinstance(self.s.type(side), SetT) for side in (a, b))
                return not sets and self.is_uniform(a) and self.is_uniform(b)
        return False

    def _inlined(self, e: ast.Call) -> tuple[_Members, ast.Expr] | None:
        """A value with its arguments in place, and what it is."""
        ref = self.s.low.facts.refs.get(e)
        if not isinstance(ref, RuleRef) or self.calls == MOST_CALLS:
            return None
        rule = next(r for r in self.s.box.file.rules if r.name == ref.name)
        if not isinstance(rule, ast.ValueRule) or rule.at_least or rule.at_most:
            return None
        if any(
            isinstance(r, ast.Modifier) and self.s.low.facts.patterns.get(r.target) == ref
            for r in holding.all_rules(self.s.box.file)
        ):
            return None
        varying: dict[str, Column] = {}
        names: dict[str, Operand] = {}
        for param, arg in zip(rule.params, e.args, strict=True):
            column = self.column(arg)
            if column is not None:
                varying[param.name] = column
            elif self.is_uniform(arg) and not isinstance(self.s.type(arg), SetT):
                names[param.name] = expressions.value(self.s, arg)
            else:
                return None
        inner = replace(self.s, names=names)
        return replace(self, s=inner, varying=varying, calls=self.calls + 1), rule.value
