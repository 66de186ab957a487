"""Whether the entries of a price can be paid together.

Entries hang together where they may take from one counter or from pieces of one kind. Of those,
every choice of ways is tried: counters are summed by owner, and for pieces every group of entries
must find as many pieces as it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeAlias

from interpreter.ir.nodes import Operand
from interpreter.lowering import attributes, changes, expressions, matching, sifting
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import CounterRef

Due: TypeAlias = "tuple[ast.CostEntry, tuple[ast.Cost, ...]]"
"""An entry with the ways in which it may be paid."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """So many pieces of a kind out of a set."""

    kind: str
    amount: Operand
    among: Operand


def takes_from(s: Scope, way: ast.Cost) -> str:
    """What a way of paying uses up: a counter or a kind of pieces, by name."""
    match way:
        case ast.CostCounter():
            ref = s.low.facts.refs[way.counter]
            assert isinstance(ref, CounterRef)
            return f"counter {ref.name}"
        case ast.CostPieces():
            return s.kind(way.clause.source)
        case ast.CostEach():
            return s.kind(way.piece.source)


def hang_together(s: Scope, due: Due, others: Sequence[ast.CostEntry]) -> list[Due]:
    """The entry, and those of the others that may take from the same, directly or not."""
    found, left = [due], [(entry, entry.ways) for entry in others]
    used = {takes_from(s, way) for way in due[1]}
    while True:
        near = next((o for o in left if used & {takes_from(s, way) for way in o[1]}), None)
        if near is None:
            return found
        left.remove(near)
        found.append(near)
        used |= {takes_from(s, way) for way in near[1]}


def payable(
    s: Scope,
    rule: ast.EffectRule,
    dues: Sequence[Due],
    wanted: Wanted | None = None,
    taken: Operand = 0,
) -> Operand:
    """Whether all can be paid, and ``wanted`` with them, when the pieces ``taken`` are gone."""
    result: Operand = 0
    for ways in product(*(ways for _, ways in dues)):
        entries = [(entry, way) for (entry, _), way in zip(dues, ways, strict=True)]
        result = s.b.bin("or", result, _all(s, rule, entries, wanted, taken))
    return result


def _all(
    s: Scope,
    rule: ast.EffectRule,
    entries: list[tuple[ast.CostEntry, ast.Cost]],
    wanted: Wanted | None,
    taken: Operand,
) -> Operand:
    counters: list[ast.CostCounter] = []
    pieces = [] if wanted is None else [wanted]
    result: Operand = 1
    for entry, way in entries:
        match way:
            case ast.CostCounter():
                counters.append(way)
            case ast.CostPieces():
                among = sifting.those(s, way.clause)
                if taken != 0:
                    among = s.b.sets("minus", among, taken)
                amount = expressions.value(s, way.amount)
                pieces.append(Wanted(takes_from(s, way), amount, among))
            case ast.CostEach():
                result = s.b.bin("and", result, matching.can_pay(s, rule, entry, way))
    result = s.b.bin("and", result, _counters(s, counters))
    return s.b.bin("and", result, _pieces(s, pieces))


def _counters(s: Scope, ways: list[ast.CostCounter]) -> Operand:
    """Whether each counter has enough for all that is due from it."""
    result: Operand = 1
    due = [(takes_from(s, w), _whose(s, w), expressions.value(s, w.amount), w) for w in ways]
    for name, owner, _, way in due:
        amounts: list[Operand] = []
        for other, whose, amount, also in due:
            if other == name and _text(also) == _text(way):
                amounts.append(amount)
            elif other == name:
                amounts.append(s.b.select(s.b.bin("eq", whose, owner), amount, 0))
        result = s.b.bin("and", result, changes.has(s, amounts, way.counter))
    return result


def _text(way: ast.CostCounter) -> str:
    return way.counter.span.text


def _whose(s: Scope, way: ast.CostCounter) -> Operand:
    of = way.counter.of if isinstance(way.counter, ast.Attribute) else None
    return 0 if of is None else attributes.owner(s, of)[1]


def _pieces(s: Scope, wanted: list[Wanted]) -> Operand:
    """Whether each group of entries finds as many pieces as it needs in all (Hall's condition)."""
    result: Operand = 1
    for n in range(1, len(wanted) + 1):
        for group in combinations(wanted, n):
            if len({w.kind for w in group}) > 1:
                continue
            needed, there = group[0].amount, group[0].among
            for other in group[1:]:
                needed = s.b.bin("add", needed, other.amount)
                there = s.b.sets("union", there, other.among)
            result = s.b.bin("and", result, s.b.bin("le", needed, s.b.size(there)))
    return result
