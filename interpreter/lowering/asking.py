"""Asking players: offers of actions, plain choices, choices of several.

Each question is one decision with candidates 0, 1, ...; what they mean stands in `Question`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import ALIVE, SET_OF
from interpreter.lowering import (
    alike,
    effects,
    expressions,
    offers,
    reasons,
    rules,
    several,
    sifting,
)
from interpreter.lowering.builder import Builder
from interpreter.lowering.compiled import Candidates, Question
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.source import Span
from ruleset.types import Local, SetT


@dataclass(frozen=True, slots=True)
class Offered:
    """An action as it is offered at one place: its arguments, and its range of candidates."""

    rule: ast.EffectRule
    args: tuple[Operand, ...]
    low: int
    size: int
    kind: str


def ask(s: Scope, e: ast.Ask) -> None:
    """``P may A``, ``P must A``, ``P must one of A, B else X``."""
    if isinstance(s.low.facts.refs.get(e.offers[0]), Local):
        _ask_named(s, e)
        return
    who = _still_in(s, expressions.value(s, e.who), e.span)
    offered = offers_of(s, who, e)
    join = s.b.block()
    if e.kind == "may" or e.otherwise is not None:
        _only_if_possible(s, e, offered, join)
    question = _decision(s, e, who, offered)
    chosen = s.b.register("chosen", "i")
    to = s.b.block()
    s.b.end(ir.Decide(chosen, *question, to, s.b.label(question[0])))
    s.b.seek(to)
    for offer in offered:
        here, next_ = s.b.block(), s.b.block()
        if offer is offered[-1] and e.kind == "must":
            s.b.end(ir.Jump(here))
        else:
            s.b.end(ir.Branch(s.b.bin("lt", chosen, offer.low + offer.size), here, next_))
        s.b.seek(here)
        _go_through(s, who, offer, chosen)
        s.b.end(ir.Jump(join))
        s.b.seek(next_)
    s.b.end(ir.Jump(join))
    s.b.seek(join)


def _still_in(s: Scope, who: Operand, span: Span) -> Operand:
    """The player who is asked; one who has left the game cannot be."""
    if s.box.eliminates:
        alive = s.b.has(s.b.load_set(ALIVE, 0), who)
        s.b.add(ir.Check(alive, "OUT", s.site(span)))
    return who


def _ask_named(s: Scope, e: ast.Ask) -> None:
    """The offer is a name that stands for an action: the one that it stands for is offered."""
    offer = e.offers[0]
    action = s.names[offer.name]
    for k, name in enumerate(s.box.kinds["action"].ids):
        with s.b.if_(s.b.bin("eq", action, k)):
            named = ast.Action(offer.span, name, offer.name_span, ())
            ask(s, replace(e, offers=(named,)))


def offers_of(s: Scope, who: Operand, e: ast.Ask) -> list[Offered]:
    """The offered actions, those that count as them included, each with its candidates."""
    found: list[Offered] = []
    low = 0
    for offer in e.offers:
        asked = offers.action(s.low, offer.name)
        args = (who, *(_argument(s, arg) for arg in offer.args))
        for rule in offers.alternatives(s.low, asked):
            kind, size = "", 1
            if rule.choose:
                kind, size = offers.domain_size(s.low, rule.choose[0].clause)
                size += rule.choose[0].amount is not None
            given = offers.arguments(asked, rule, args)
            found.append(Offered(rule, given, low, size, kind))
            low += size
            describe(s.low, rule)
    return found


def _argument(s: Scope, arg: ast.Expr) -> Operand:
    is_set = isinstance(s.type(arg), SetT)
    return expressions.as_set(s, arg) if is_set else expressions.value(s, arg)


def _only_if_possible(s: Scope, e: ast.Ask, offered: list[Offered], join: int) -> None:
    """Nothing can be done: ``may`` goes on, ``must ... else`` does X in place of the rest."""
    yes = s.b.block()
    for offer in offered:
        no = s.b.block()
        s.b.end(ir.Branch(s.b.call(offers.possible(s.low, offer.rule), offer.args), yes, no))
        s.b.seek(no)
    if e.otherwise is not None:
        effects.effect(s.inner(), e.otherwise)
        s.b.end(ir.Jump(s.exits[-1]))
    s.b.end(ir.Jump(join))
    s.b.seek(yes)


def _decision(
    s: Scope, e: ast.Ask, who: Operand, offered: list[Offered]
) -> tuple[str, Operand, tuple[Operand, ...]]:
    """The decision of an offer: its name, who decides, and the arguments."""
    first = offered[0]
    if len(offered) == 1 and e.kind == "must" and first.rule.choose:
        none_yet = () if first.rule.choose[0].amount is None else (0,)
        return stage(s.low, first.rule, 0), who, (*first.args, *none_yet)
    args: list[Operand] = [who]
    for offer in offered:
        args += [a for a in offer.args if a not in args]
    name = unique(s.low, f"{s.record.path}.{e.kind}." + "|".join(a.name for a in e.offers))
    b = Builder(f"{name}?", [(f"a{k}", s.b.type_of(a)) for k, a in enumerate(args)])
    given = dict(zip(args, b.params, strict=True))
    result: Operand = b.copy("options", "s", 0)
    for offer in offered:
        operands = tuple(given[a] for a in offer.args)
        if offer.rule.choose:
            inside = offers.first_options(b, s.low, offer.rule, operands)
            result = b.sets("union", result, b.shift(inside, offer.low))
        else:
            able = b.call(offers.possible(s.low, offer.rule), operands)
            with b.if_(able):
                b.add(ir.With(str(result), result, offer.low))
            result = str(result)
    beside = len(offered) > 1
    ranges = [
        r for o in offered for r in ranges_of(o, tuple(args.index(a) for a in o.args), beside)
    ]
    size = offered[-1].low + offered[-1].size
    if e.kind == "may":
        result = b.including(result, size)
        ranges.append(Candidates(size, 1, "pass"))
        size += 1
    b.end(ir.Return(result))
    s.low.add(b.function(pure=True, rule=s.record.path))
    keep(s.low, name, ir.Stage("offer", size, f"{name}?"))
    names = tuple(str(a) for a in args)
    kinds: dict[Operand, str] = {who: "player"}
    for offer in offered:
        for arg, kind in zip(offer.args, reasons.parameter_kinds(s.low, offer.rule), strict=False):
            kinds.setdefault(arg, kind)
    s.low.questions[name, 0] = Question(
        name, s.record.path, s.site(e.span), tuple(ranges), names, tuple(kinds[a] for a in args)
    )
    return name, who, tuple(args)


def ranges_of(o: Offered, given: tuple[int, ...], beside: bool = False) -> list[Candidates]:
    """What the candidates of an offered action mean.

    Where several may be chosen, none at all is ``done``; ``beside`` other actions it is the action
    by its name.
    """
    if not o.rule.choose:
        return [Candidates(o.low, 1, o.rule.name, given=given)]
    domain = o.rule.choose[0]
    if domain.amount is None:
        return [Candidates(o.low, o.size, o.rule.name, domain.name, o.kind, given)]
    return [
        Candidates(o.low, o.size - 1, o.rule.name, domain.name, o.kind, given),
        Candidates(o.low + o.size - 1, 1, o.rule.name if beside else "done", given=given),
    ]


def _go_through(s: Scope, who: Operand, offer: Offered, chosen: Operand) -> None:
    """The choices of an action after the first, then the action itself."""
    args = list(offer.args)
    for k, domain in enumerate(offer.rule.choose):
        answer: Operand = s.b.bin("sub", chosen, offer.low) if k == 0 else -1
        if domain.amount is not None:
            args.append(several.ask(s, offer.rule, k, who, tuple(args), answer))
            continue
        if k > 0:
            name = stage(s.low, offer.rule, k)
            answer = s.b.register(domain.name, "i")
            to = s.b.block()
            s.b.end(ir.Decide(answer, name, who, tuple(args), to, s.b.label(name)))
            s.b.seek(to)
        args.append(answer)
    s.b.call(rules.outer_function(s.low, offer.rule.name), tuple(args))


def stage(low: Lowering, rule: ast.EffectRule, k: int) -> str:
    """The decision that asks for choice k of an action."""
    domain = rule.choose[k]
    name = f"{rule.path}.choose.{domain.name}"
    if (name, 0) not in low.questions:
        describe(low, rule)
        kind, size = offers.domain_size(low, domain.clause)
        params = rules.parameters(low, rule)
        own = len(params) - len(rule.choose)
        taken = tuple(
            (rule.name, d.name, reasons.choice_kind(low, d), own + j)
            for j, d in enumerate(rule.choose[:k])
        )
        given = tuple(range(own))
        kinds = reasons.parameter_kinds(low, rule)[: own + k]
        names = tuple(n for n, _ in params[: own + k])
        ranges = [Candidates(0, size, rule.name, domain.name, kind, given)]
        if domain.amount is not None:
            ranges.append(Candidates(size, 1, "done", given=given))
            names, kinds = (*names, domain.name), (*kinds, SET_OF + kind)
            size += 1
        low.questions[name, 0] = Question(
            name,
            rule.path,
            low.site(rule.path, domain.span, rule.cites),
            tuple(ranges),
            names,
            kinds,
            taken,
        )
        keep(low, name, ir.Stage(domain.name, size, offers.options(low, rule, k)))
    return name


def describe(low: Lowering, rule: ast.EffectRule) -> None:
    """Keep what reasons can stand in the way of an action."""
    if rule.name not in low.actions:
        low.actions[rule.name] = reasons.describe(low, rule)


def keep(low: Lowering, name: str, *stages: ir.Stage, pending: str = "") -> None:
    """Add a decision to the Program."""
    low.program.decisions[name] = ir.Decision(name, stages, pending)


def unique(low: Lowering, name: str) -> str:
    """The name, with a number where a decision has it already."""
    k, result = 1, name
    while result in low.program.decisions:
        k += 1
        result = f"{name}~{k}"
    return result


# ------------------------------------------------------------------ plain choices


def choose(s: Scope, e: ast.Choose) -> None:
    """``P chooses x in S``, ``P chooses 2 x in S as them``; ``else X`` where nothing is there."""
    who = expressions.value(s, e.who)
    kind = s.kind(e.clause.source)
    if isinstance(e.clause.source, ast.Numbers):
        kind = "number"
    among = s.b.copy("among", "s", sifting.those(s, e.clause))
    amount: tuple[Operand, Operand] | None = None
    if e.amount is not None:
        amount = expressions.value(s, e.amount.low), expressions.value(s, e.amount.high)
    if e.otherwise is not None:
        least: Operand = 1 if amount is None else amount[0]
        go_on, none = s.b.block(), s.b.block()
        s.b.end(ir.Branch(s.b.bin("lt", s.b.size(among), least), none, go_on))
        s.b.seek(none)
        effects.effect(s.inner(), e.otherwise)
        s.b.end(ir.Jump(s.exits[-1]))
        s.b.seek(go_on)
    merge = alike.merges(s, e.clause.source, who)
    name, span = e.clause.name, e.clause.name_span
    if amount is None:
        s.names[name] = pick(s, who, among, kind, name, span, merge)
        return
    assert e.as_name is not None
    s.names[e.as_name] = pick_some(s, who, among, kind, amount, name, span, merge=merge)


def pick(
    s: Scope,
    who: Operand,
    among: Operand,
    kind: str,
    name: str,
    span: Span,
    merge: bool = False,
) -> str:
    """One member of a set; with ``merge`` one of those that are alike is enough."""
    decision = unique(s.low, f"{s.record.path}.{name}")
    b = Builder(f"{decision}?", [("among", "s")])
    inner = Scope(s.low, b, {}, s.record)
    b.end(ir.Return(alike.merged(inner, kind, b.params[0]) if merge else b.params[0]))
    s.low.add(b.function(pure=True, rule=s.record.path))
    size = offers.MOST_NUMBERS if kind == "number" else s.box.size(kind)
    keep(s.low, decision, ir.Stage(name, size, f"{decision}?"))
    ranges = (Candidates(0, size, "", name, kind),)
    s.low.questions[decision, 0] = Question(
        decision, s.record.path, s.site(span), ranges, ("among",), (SET_OF + kind,)
    )
    who = _still_in(s, who, span)
    d = s.b.register(name, "i")
    to = s.b.block()
    s.b.end(ir.Decide(d, decision, who, (among,), to, s.b.label(decision)))
    s.b.seek(to)
    return d


def pick_some(
    s: Scope,
    who: Operand,
    among: Operand,
    kind: str,
    amount: tuple[Operand, Operand],
    name: str,
    span: Span,
    narrow: Callable[[Operand, Operand], Operand] | None = None,
    merge: bool = False,
) -> str:
    """So many members of a set, one after another; ``done`` where enough are chosen.

    ``narrow`` says which of the members left may be chosen after those that are chosen already.
    """
    decision = unique(s.low, f"{s.record.path}.{name}")
    size = offers.MOST_NUMBERS if kind == "number" else s.box.size(kind)
    b = Builder(f"{decision}?", [("left", "s"), ("done", "i")])
    inner = Scope(s.low, b, {}, s.record)
    left = alike.merged(inner, kind, b.params[0]) if merge else b.params[0]
    result = b.copy("options", "s", left)
    with b.if_(b.params[1]):
        b.add(ir.With(result, result, size))
    b.end(ir.Return(result))
    s.low.add(b.function(pure=True, rule=s.record.path))
    keep(s.low, decision, ir.Stage(name, size + 1, f"{decision}?"))
    ranges = (Candidates(0, size, "", name, kind), Candidates(size, 1, "done"))
    s.low.questions[decision, 0] = Question(
        decision, s.record.path, s.site(span), ranges, ("left", "done"), (SET_OF + kind, "flag")
    )
    least = s.b.copy("least", "i", amount[0])
    most = s.b.copy("most", "i", amount[1])
    s.b.add(ir.Check(s.b.bin("le", least, s.b.size(among)), "EMPTY", s.site(span)))
    who = _still_in(s, who, span)
    left, chosen = s.b.copy("left", "s", among), s.b.copy(name, "s", 0)
    head, body, to, take, end = (s.b.block() for _ in range(5))
    s.b.end(ir.Jump(head))
    s.b.seek(head)
    count = s.b.size(chosen)
    more = s.b.bin("and", s.b.bin("lt", count, most), s.b.sets("differ", left, 0))
    s.b.end(ir.Branch(more, body, end))
    s.b.seek(body)
    enough = s.b.bin("le", least, count)
    d = s.b.register(name, "i")
    able = left if narrow is None else narrow(left, chosen)
    s.b.end(ir.Decide(d, decision, who, (able, enough), to, s.b.label(decision)))
    s.b.seek(to)
    s.b.end(ir.Branch(s.b.bin("eq", d, size), end, take))
    s.b.seek(take)
    s.b.add(ir.Without(left, left, d))
    s.b.add(ir.With(chosen, chosen, d))
    s.b.end(ir.Jump(head))
    s.b.seek(end)
    return chosen
