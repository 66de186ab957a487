"""What the parser does at each rule of the small scalars, and the builder as a whole.

Headers, hooks, costs, domains, types and what maps are made of. Ranges of spaces
(``c1..c11``) are written out here. See ``parser_expressions`` for how rules and methods go
together.
"""

# ruff: noqa: D102
# A callback does what its rule in the grammar says; its name is the name of the rule.

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from ruleset import syntax as s
from ruleset.diagnostics.messages import syntax as messages
from ruleset.parser_effects import EffectBuilder
from ruleset.parser_expressions import Part
from ruleset.source import Span

MAX_SPACES: Final = 2_000
"""Spaces of one range."""
MAX_IN_ALL: Final = 10_000
"""Spaces of all ranges of a list."""
MAX_SIDE: Final = 100


@dataclass(frozen=True, slots=True)
class DomainPart:
    """An entry of ``choose`` without its key."""

    amount: s.Amount | None
    source: s.Expr
    condition: s.Expr | None


@dataclass(frozen=True, slots=True)
class PricePart:
    """What ``replace`` names: so many items of a price of an action."""

    span: Span
    amount: s.Expr | None
    target: s.Header
    cost: s.Ident


@dataclass(frozen=True, slots=True)
class SpaceRange:
    """``c1..c11``, not written out yet; a single space has its name and no number."""

    span: Span
    letters: str
    numbers: Sequence[int] | None = None

    def __len__(self) -> int:
        return 1 if self.numbers is None else len(self.numbers)

    def written_out(self) -> Iterator[s.Ident]:
        """All of its spaces."""
        for number in ("",) if self.numbers is None else self.numbers:
            yield s.Ident(self.span, f"{self.letters}{number}")


class Builder(EffectBuilder):
    """All callbacks of the parser."""

    # -------------------------------------------------------------- amounts, choices, costs, order

    def amount_exact(self, c: list[Any]) -> s.Amount:
        return s.Amount(self._over(c), c[0], c[0])

    def amount_range(self, c: list[Any]) -> s.Amount:
        return s.Amount(self._over(c), c[0], c[2])

    def amount_up_to(self, c: list[Any]) -> s.Amount:
        self._word(c[0], "up")
        return s.Amount(self._over(c), s.Number(self._at(c[0]), 0), c[2])

    def domain_one(self, c: list[Any]) -> DomainPart:
        return DomainPart(None, c[1], c[3] if len(c) == 4 else None)

    def domain_some(self, c: list[Any]) -> DomainPart:
        return DomainPart(c[0], c[2], c[4] if len(c) == 5 else None)

    def cost_counter(self, c: list[Any]) -> s.CostCounter:
        to = self._counter(c[3]) if len(c) == 4 else None
        return s.CostCounter(self._over(c), c[0], self._counter(c[1]), to)

    def cost_pieces(self, c: list[Any]) -> s.CostPieces:
        return s.CostPieces(self._over(c), c[0], c[1], c[3] if len(c) == 4 else None)

    def cost_each(self, c: list[Any]) -> s.CostEach:
        return s.CostEach(self._over(c), c[1], c[3], c[5] if len(c) == 6 else None)

    def part(self, c: list[Any]) -> PricePart:
        amount = c[0] if not isinstance(c[0], str) else None
        return PricePart(self._over(c), amount, c[2], self._ident(c[4]))

    def order(self, c: list[Any]) -> s.Order:
        return s.Order(self._over(c), c[0], c[2] if len(c) == 3 else None)

    # -------------------------------------------------------------- headers and hooks

    def names(self, c: list[Any]) -> Part:
        return Part(self._over(c), tuple(self._ident(word) for word in c[::2]))

    def params(self, c: list[Any]) -> Part:
        return Part(self._over(c), c[1].value if len(c) == 3 else ())

    def header(self, c: list[Any]) -> s.Header:
        params = c[2].value if len(c) == 4 else ()
        return s.Header(self._over(c), str(c[0]), self._at(c[0]), params)

    def moment(self, c: list[Any]) -> Part:
        return Part(self._over(c), " ".join(map(str, c)))

    def _hook(self, c: list[Any], subject: str, name: Any, field: str = "") -> s.Hook:
        params = c[-1].value if isinstance(c[-1], Part) else None
        return s.Hook(
            self._over(c),
            cast(Literal["before", "after", "instead of"], c[0].value),
            cast(Literal["rule", "gain", "lose", "enter", "leave", "field"], subject),
            str(name),
            self._at(name),
            field,
            params,
        )

    def hook_rule(self, c: list[Any]) -> s.Hook:
        return self._hook(c, "rule", c[1])

    def hook_field(self, c: list[Any]) -> s.Hook:
        return self._hook(c, "field", c[1], str(c[3]))

    def hook_change(self, c: list[Any]) -> s.Hook:
        return self._hook(c, str(c[1]), c[2])

    def hook_zone(self, c: list[Any]) -> s.Hook:
        return self._hook(c, self._word(c[1], "enter", "leave", "gain", "lose"), c[2])

    def over_names(self, c: list[Any]) -> tuple[tuple[s.Ident, ...], None]:
        return c[0].value, None

    def over_chosen(self, c: list[Any]) -> tuple[tuple[s.Ident, ...], s.Expr]:
        return (), c[2]

    # -------------------------------------------------------------- types

    def bound(self, c: list[Any]) -> Part:
        value = self._int(c[-1])
        return Part(self._over(c), value if len(c) == 1 else -value)

    def number_type(self, c: list[Any]) -> s.NumberType:
        bounds = [part.value if isinstance(part, Part) else ".." for part in c]
        match bounds:
            case [int(only)]:
                return s.NumberType(self._over(c), only, only)
            case [int(low), "..", int(high)]:
                if low > high:
                    self.faults.append(messages.range_backwards(self._over(c), low, high))
                return s.NumberType(self._over(c), low, high)
            case [int(low), _]:
                return s.NumberType(self._over(c), low, None)
            case [_, int(high)]:
                return s.NumberType(self._over(c), None, high)
            case _:
                return s.NumberType(self._over(c), None, None)

    def type_number(self, c: list[Any]) -> s.NumberType:
        return cast(s.NumberType, c[0])

    def type_named(self, c: list[Any]) -> s.NamedType:
        return s.NamedType(self._over(c), str(c[0]), self._at(c[0]), "one")

    def type_or_none(self, c: list[Any]) -> s.NamedType:
        return s.NamedType(self._over(c), str(c[0]), self._at(c[0]), "or none")

    def type_many(self, c: list[Any]) -> s.NamedType:
        shape: Literal["set", "list"] = "set" if c[0].type == "SET" else "list"
        if shape == "list":
            self._word(c[0], "set", "list")
        return s.NamedType(self._over(c), str(c[2]), self._at(c[2]), shape)

    def type_code(self, c: list[Any]) -> s.CodeType:
        kind = cast(Literal["effect", "condition"], self._word(c[0], "effect", "condition"))
        return s.CodeType(self._over(c), kind, c[2].value if len(c) == 4 else ())

    # -------------------------------------------------------------- maps

    def space_range(self, c: list[Any]) -> SpaceRange:
        single = SpaceRange(self._at(c[0]), str(c[0]))
        if len(c) == 1:
            return single
        ends = [re.fullmatch(r"(.*?)(\d{1,6})", str(word)) for word in (c[0], c[2])]
        first, last = ends
        at = self._over(c)
        if not first or not last or first[1] != last[1] or int(first[2]) > int(last[2]):
            self.faults.append(messages.no_range_of_spaces(at))
            return single
        numbers = range(int(first[2]), int(last[2]) + 1)
        if len(numbers) > MAX_SPACES:
            self.faults.append(messages.too_many_spaces(at, MAX_SPACES))
            return single
        return SpaceRange(at, first[1], numbers)

    def space_list(self, c: list[Any]) -> Part:
        at, ranges = self._over(c), c[::2]
        found = sum(map(len, ranges))
        if found > MAX_IN_ALL:
            self.faults.append(messages.spaces_in_all(at, found, MAX_IN_ALL))
            ranges = ranges[:1]
        return Part(at, tuple(space for each in ranges for space in each.written_out()))

    def spaces(self, c: list[Any]) -> tuple[s.Ident, ...]:
        return cast(tuple[s.Ident, ...], c[0].value)

    def track(self, c: list[Any]) -> tuple[bool, tuple[s.Ident, ...]]:
        return self._word(c[0], "loop", "path") == "loop", c[1].value

    def grid(self, c: list[Any]) -> tuple[int, int, bool]:
        self._word(c[1], "x")
        if len(c) == 4:
            self._word(c[3], "hex")
        columns, rows = self._int(c[0]), self._int(c[2])
        if not (1 <= columns <= MAX_SIDE and 1 <= rows <= MAX_SIDE):
            self.faults.append(messages.grid_size(self._over(c), MAX_SIDE))
        return columns, rows, len(c) == 4

    def road_step(self, c: list[Any]) -> Part:
        sign, flags, space = str(c[0]), "", c[-1]
        if len(c) == 3:
            flags = str(c[1])
            if c[1].start_pos != c[0].end_pos:
                self.faults.append(messages.sign_between_spaces(self._at(space)))
        return Part(self._over(c), (sign, flags, space))

    def road_line(self, c: list[Any]) -> tuple[s.Road, ...]:
        roads, here = [], c[0]
        for step in c[1:]:
            sign, flags, there = step.value
            ends = (there, here) if sign == "<" else (here, there)
            a, b = (str(word) for word in ends)
            at = self._at(here).to(self._at(there))
            roads.append(s.Road(at, a, b, sign != "=", tuple(flags)))
            here = there
        return tuple(roads)
