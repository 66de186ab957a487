"""A price of one piece for each item of a list, where no piece pays twice; and what may stand in.

``cards: for colour in cell.colours pay card in me.hand if card.colour is colour to box``, and rules
``replace: 1 of build(me).cards``, ``by: 2 me.vp``. The items are paid in order. For the entry
COST of an action the functions are, with the action's names first,

    ACTION$COST.left (..., item, used, replaced ...)    whether the items from here on can be paid
    ACTION$COST      (..., item, used, replaced ...)    the pieces that can pay this item, then
                                                        one candidate for each rule that stands in

so that nobody pays an item in a way that leaves a later one unpaid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import (
    alike,
    asking,
    attributes,
    changes,
    expressions,
    holding,
    iteration,
    moving,
    offers,
    rules,
    sifting,
    weaving,
)
from interpreter.lowering.compiled import Candidates, Question
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.types import ListT, RuleRef

MOST_ITEMS: Final = 64
"""A list of items that is longer cannot be paid: the rules go wrong."""


@dataclass(frozen=True, slots=True)
class Price:
    """A matched price of an action, with the rules that may stand in for a part of it."""

    rule: ast.EffectRule
    entry: ast.CostEntry
    way: ast.CostEach
    stand_ins: tuple[ast.Substitute, ...]

    @property
    def name(self) -> str:
        """The name of its functions."""
        return f"{self.rule.name}${self.entry.name}"


def _price(low: Lowering, rule: ast.EffectRule, entry: ast.CostEntry, way: ast.CostEach) -> Price:
    stand_ins = tuple(
        other
        for other in holding.all_rules(low.box.file)
        if isinstance(other, ast.Substitute)
        and low.facts.patterns.get(other.target) == RuleRef(rule.name)
        and other.cost.name == entry.name
    )
    return Price(rule, entry, way, stand_ins)


def can_pay(s: Scope, rule: ast.EffectRule, entry: ast.CostEntry, way: ast.CostEach) -> Operand:
    """Whether every item can be paid."""
    price = _price(s.low, rule, entry, way)
    fixed = _fixed(s, price)
    return s.b.call(_left(s.low, price), (*fixed, 0, 0, *(0 for _ in price.stand_ins)))


def pay(s: Scope, rule: ast.EffectRule, entry: ast.CostEntry, way: ast.CostEach) -> None:
    """Ask what pays each item, where there is a choice; then everything is paid at once."""
    price = _price(s.low, rule, entry, way)
    kind = s.kind(way.piece.source)
    size = s.box.size(kind)
    item, used = s.b.copy("item", "i", 0), s.b.copy("used", "s", 0)
    replaced = [s.b.copy("replaced", "i", 0) for _ in price.stand_ins]
    head, body, end = s.b.block(), s.b.block(), s.b.block()
    s.b.end(ir.Jump(head))
    s.b.seek(head)
    s.b.add(ir.Fuel())
    s.b.end(ir.Branch(s.b.bin("lt", item, _length(s, price)), body, end))
    s.b.seek(body)
    args = (*_fixed(s, price), item, used, *replaced)
    chosen = _ask(s, price, args, kind, size)
    for k in range(len(price.stand_ins)):
        with s.b.if_(s.b.bin("eq", chosen, size + k)):
            s.b.add(ir.Bin(replaced[k], "add", replaced[k], 1))
    with s.b.if_(s.b.bin("lt", chosen, size)):
        s.b.add(ir.With(used, used, chosen))
    s.b.add(ir.Bin(item, "add", item, 1))
    s.b.end(ir.Jump(head))
    s.b.seek(end)
    target = attributes.zone(s, way.to) if way.to is not None else 0
    with s.b.members(used, kind) as (piece, _):
        moving.place(s, kind, piece, target, moving.END, way.span)
    for k, other in enumerate(price.stand_ins):
        with s.b.counting(1, replaced[k], "instead"):
            _pay_instead(s, price, other)


def _ask(s: Scope, price: Price, args: tuple[Operand, ...], kind: str, size: int) -> str:
    """What pays the item; no question where there is one way only."""
    able = s.b.call(_options(s.low, price), args, "s")
    chosen = s.b.copy(price.way.piece.name, "i", s.b.first(able))
    ask, to, got = s.b.block(), s.b.block(), s.b.block()
    s.b.end(ir.Branch(s.b.bin("lt", 1, s.b.size(able)), ask, got))
    s.b.seek(ask)
    path = f"{price.rule.path}.costs.{price.entry.name}"
    decision = asking.unique(s.low, path)
    stands = [Candidates(size + k, 1, other.name) for k, other in enumerate(price.stand_ins)]
    s.low.stand_ins.update({other.name: other.path for other in price.stand_ins})
    asking.keep(
        s.low,
        decision,
        ir.Stage(price.entry.name, size + len(stands), _options(s.low, price)),
    )
    s.low.questions[decision, 0] = Question(
        path,
        price.rule.path,
        s.site(price.entry.span),
        (Candidates(0, size, "", price.way.piece.name, kind), *stands),
        tuple(str(a) for a in args),
        tuple("" for _ in args),
    )
    who = s.names[price.rule.params[0].name]
    s.b.end(ir.Decide(chosen, decision, who, args, to, s.b.label(decision)))
    s.b.seek(to)
    s.b.end(ir.Jump(got))
    s.b.seek(got)
    return chosen


# ------------------------------------------------------------------ the functions


def _known(low: Lowering, price: Price) -> weaving.Params:
    """The names of the action that its price can speak of: those known where it is asked for."""
    params = rules.parameters(low, price.rule)
    level = offers.level_of(price.rule, price.entry)
    return params[: len(params) - len(price.rule.choose) + level]


def _fixed(s: Scope, price: Price) -> tuple[Operand, ...]:
    return tuple(s.names[name] for name, _ in _known(s.low, price))


def _scope(low: Lowering, price: Price, name: str) -> tuple[Scope, list[str]]:
    state: weaving.Params = [("item", "i"), ("used", "s")]
    state += [("replaced", "i") for _ in price.stand_ins]
    level = offers.level_of(price.rule, price.entry)
    s = offers.scope(low, price.rule, name, level, state)
    offers.bind_with(s, price.rule)
    return s, list(s.b.params[-len(state) :])


def _length(s: Scope, price: Price) -> Operand:
    source = price.way.item.source
    if isinstance(s.type(source), ListT):
        return iteration.list_of(s, source)[1]
    return s.b.size(sifting.those(s, price.way.item))


def _item(s: Scope, price: Price, number: Operand) -> Operand:
    """The item of that number; of a set the members count in their order."""
    item = price.way.item
    if isinstance(s.type(item.source), ListT):
        first, _, table = iteration.list_of(s, item.source)
        return s.b.lookup(table, s.b.bin("add", first, number))
    found, at = s.b.copy("found", "i", -1), s.b.copy("at", "i", 0)
    with s.b.members(sifting.those(s, item), item.name) as (member, done):
        with s.b.if_(s.b.bin("eq", at, number)):
            s.b.set(found, member)
            s.b.end(ir.Jump(done))
        s.b.add(ir.Bin(at, "add", at, 1))
    return found


def _left(low: Lowering, price: Price) -> str:
    name = f"{price.name}.left"

    def make() -> None:
        s, (item, used, *replaced) = _scope(low, price, name)
        fixed = _fixed(s, price)
        with s.b.if_(s.b.bin("le", _length(s, price), item)):
            s.b.end(ir.Return(1))
        following = s.b.bin("add", item, 1)

        def paid(member: Operand) -> None:
            grown = s.b.including(used, member)
            with s.b.if_(s.b.call(name, (*fixed, following, grown, *replaced))):
                s.b.end(ir.Return(1))

        def stood_in(k: int) -> None:
            more = [s.b.bin("add", r, int(j == k)) for j, r in enumerate(replaced)]
            with s.b.if_(s.b.call(name, (*fixed, following, used, *more))):
                s.b.end(ir.Return(1))

        _each_way(s, price, (item, used, replaced), paid, stood_in)
        low.add(s.b.function(pure=True, rule=price.rule.path, depth=MOST_ITEMS))

    return low.need(name, make)


def _options(low: Lowering, price: Price) -> str:
    def make() -> None:
        s, (item, used, *replaced) = _scope(low, price, price.name)
        fixed, left = _fixed(s, price), _left(low, price)
        result = s.b.copy("options", "s", 0)
        kind = s.kind(price.way.piece.source)
        following = s.b.bin("add", item, 1)

        def paid(member: Operand) -> None:
            grown = s.b.including(used, member)
            with s.b.if_(s.b.call(left, (*fixed, following, grown, *replaced))):
                s.b.add(ir.With(result, result, member))

        def stood_in(k: int) -> None:
            more = [s.b.bin("add", r, int(j == k)) for j, r in enumerate(replaced)]
            with s.b.if_(s.b.call(left, (*fixed, following, used, *more))):
                s.b.add(ir.With(result, result, s.box.size(kind) + k))

        _each_way(s, price, (item, used, replaced), paid, stood_in)
        s.b.end(ir.Return(result))
        low.add(s.b.function(pure=True, rule=price.rule.path))

    return low.need(price.name, make)


def _each_way(
    s: Scope,
    price: Price,
    state: tuple[Operand, Operand, list[str]],
    paid: Callable[[Operand], None],
    stood_in: Callable[[int], None],
) -> None:
    """Go through what can pay the present item: pieces that have not paid yet, then stand-ins."""
    number, used, replaced = state
    s.names[price.way.item.name] = _item(s, price, number)
    free = s.b.sets("minus", sifting.those(s, price.way.piece), used)
    shown = alike.distinct(s, price.way.piece.source, s.b.params[0], free)
    with s.b.members(shown, "piece") as (piece, _):
        paid(piece)
    del s.names[price.way.item.name]
    for k, other in enumerate(price.stand_ins):
        inner = _bound(s, price, other)
        open_ = s.b.copy("open", "i", 0)
        with (
            holding.while_held(inner, other.held_by),
            holding.conditions(inner, (), other.conditions),
        ):
            s.b.set(open_, _affordable(inner, other, replaced[k]))
        with s.b.if_(open_):
            stood_in(k)


def _bound(s: Scope, price: Price, other: ast.Substitute) -> Scope:
    params = [name for name, _ in rules.parameters(s.low, price.rule)]
    names = {
        p.name: s.names[n]
        for p, n in zip(other.target.params, params, strict=False)
        if n in s.names
    }
    return Scope(s.low, s.b, names, other)


def _affordable(s: Scope, other: ast.Substitute, replaced: Operand) -> Operand:
    """Whether one more item may be replaced: by the rule's number, and by what it costs."""
    result: Operand = 1
    if other.amount is not None:
        result = s.b.bin("lt", replaced, expressions.value(s, other.amount))
    able: Operand = 0
    for way in other.ways:
        times = s.b.bin("add", replaced, 1)
        if isinstance(way, ast.CostCounter):
            able = s.b.bin("or", able, changes.can_pay_times(s, way.amount, way.counter, times))
        elif isinstance(way, ast.CostPieces):
            needed = s.b.bin("mul", expressions.value(s, way.amount), times)
            there = s.b.size(sifting.those(s, way.clause))
            able = s.b.bin("or", able, s.b.bin("le", needed, there))
    return s.b.bin("and", result, able)


def _pay_instead(s: Scope, price: Price, other: ast.Substitute) -> None:
    inner = _bound(s, price, other)
    with holding.while_held(inner, other.held_by):
        way = other.ways[0]
        if isinstance(way, ast.CostCounter):
            changes.pay(inner, way.amount, way.counter, way.to, way.span)
        elif isinstance(way, ast.CostPieces):
            who = s.names[price.rule.params[0].name]
            kind = inner.kind(way.clause.source)
            among = sifting.those(inner, way.clause)
            amount = expressions.value(inner, way.amount)
            limits = (amount, amount)
            merge = alike.merges(inner, way.clause.source, who)
            chosen = asking.pick_some(
                inner, who, among, kind, limits, other.name, way.span, merge=merge
            )
            target = attributes.zone(inner, way.to) if way.to is not None else 0
            with s.b.members(chosen, kind) as (piece, _):
                moving.place(inner, kind, piece, target, moving.END, way.span)
