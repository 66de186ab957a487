"""Choices of several under ``choose``: ``pair: 2 in S``, ``cards: 0..3 in S``.

Members are chosen one after another; what is chosen so far is a set. For choice k the functions are

    ACTION?k      (parameters, choices before, so far)         members to add, and ``done``
    ACTION?k.more (parameters, choices before, so far, from)   whether some way to go on is allowed

``done`` is the candidate after the last member of the kind. A member is offered only where the
whole set can still become one for which every condition holds, so that nobody runs into a dead end.
"""

from __future__ import annotations

from contextlib import ExitStack

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import alike, expressions, offers, sifting
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast


def options(low: Lowering, rule: ast.EffectRule, k: int) -> str:
    """``ACTION?k`` of a choice of several."""
    name = f"{rule.name}?{k}"

    def make() -> None:
        s = offers.scope(low, rule, name, k, [("chosen", "s")])
        chosen = s.b.params[-1]
        result = s.b.copy("options", "s", 0)
        _, size = offers.domain_size(low, rule.choose[k].clause)
        with ExitStack() as stack:
            offers.bind_with(s, rule)
            if k == 0:
                stack.enter_context(offers.known(s, rule, 0))
            source = rule.choose[k].clause.source
            left = alike.distinct(s, source, s.b.params[0], _left(s, rule, k, chosen))
            with s.b.if_(_fewer(s, rule, k, chosen)), s.b.members(left, "x") as (member, _):
                grown = s.b.including(chosen, member)
                go_on = s.b.call(_more(low, rule, k), (*offers.given(s, rule, k), grown, 0))
                with s.b.if_(go_on):
                    s.b.add(ir.With(result, result, member))
            _complete(s, rule, k, chosen, stack)
            s.b.add(ir.With(result, result, size))
        s.b.end(ir.Return(result))
        low.add(s.b.function(pure=True, rule=rule.path))

    return low.need(name, make)


def _more(low: Lowering, rule: ast.EffectRule, k: int) -> str:
    name = f"{rule.name}?{k}.more"

    def make() -> None:
        s = offers.scope(low, rule, name, k, [("chosen", "s"), ("from", "i")])
        chosen, start = s.b.params[-2:]
        offers.bind_with(s, rule)
        with ExitStack() as stack:
            _complete(s, rule, k, chosen, stack)
            s.b.end(ir.Return(1))
        left = _left(s, rule, k, chosen)
        with s.b.if_(_fewer(s, rule, k, chosen)), s.b.members(left, "x") as (member, _):
            later = s.b.bin("le", start, member)
            with s.b.if_(later):
                grown = s.b.including(chosen, member)
                args = (*offers.given(s, rule, k), grown, s.b.bin("add", member, 1))
                with s.b.if_(s.b.call(name, args)):
                    s.b.end(ir.Return(1))
        _, size = offers.domain_size(low, rule.choose[k].clause)
        low.add(s.b.function(pure=True, rule=rule.path, depth=size + 2))

    return low.need(name, make)


def _left(s: Scope, rule: ast.EffectRule, k: int, chosen: Operand) -> Operand:
    return s.b.sets("minus", sifting.those(s, rule.choose[k].clause), chosen)


def _fewer(s: Scope, rule: ast.EffectRule, k: int, chosen: Operand) -> Operand:
    amount = rule.choose[k].amount
    assert amount is not None
    return s.b.bin("lt", s.b.size(chosen), expressions.value(s, amount.high))


def _complete(s: Scope, rule: ast.EffectRule, k: int, chosen: Operand, stack: ExitStack) -> None:
    """What is inside happens where the set is large enough and everything else can follow."""
    domain = rule.choose[k]
    assert domain.amount is not None
    enough = s.b.bin("le", expressions.value(s, domain.amount.low), s.b.size(chosen))
    stack.enter_context(s.b.if_(enough))
    s.names[domain.name] = chosen
    offers.demand(s, rule, k + 1, stack)
    offers.demand_later(s, rule, k + 1, stack)
    stack.callback(s.names.pop, domain.name, None)


def ask(
    s: Scope, rule: ast.EffectRule, k: int, who: Operand, args: tuple[Operand, ...], first: Operand
) -> str:
    """Go on asking until the set is whole; ``first`` is the answer that is known, or -1."""
    from interpreter.lowering import asking  # which asks for these choices, among others

    decision = asking.stage(s.low, rule, k)
    _, size = offers.domain_size(s.low, rule.choose[k].clause)
    chosen = s.b.copy(rule.choose[k].name, "s", 0)
    answer = s.b.copy("answer", "i", first)
    head, ask_, to, got, take, end = (s.b.block() for _ in range(6))
    s.b.end(ir.Branch(s.b.bin("lt", answer, 0), head, got))
    s.b.seek(head)
    more = s.b.call(options(s.low, rule, k), (*args, chosen), "s")
    only_done = s.b.sets("same", more, s.b.including(0, size))
    s.b.end(ir.Branch(only_done, end, ask_))
    s.b.seek(ask_)
    s.b.end(ir.Decide(answer, decision, who, (*args, chosen), to, s.b.label(decision)))
    s.b.seek(to)
    s.b.end(ir.Jump(got))
    s.b.seek(got)
    s.b.end(ir.Branch(s.b.bin("eq", answer, size), end, take))
    s.b.seek(take)
    s.b.add(ir.With(chosen, chosen, answer))
    s.b.end(ir.Jump(head))
    s.b.seek(end)
    return chosen
