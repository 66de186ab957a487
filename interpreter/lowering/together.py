"""Secret choices together: all choose before anybody sees; then the bodies run in order.

The answers lie in a field of the decision until the last player has answered.
"""

from __future__ import annotations

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import asking, expressions, loops, offers, reasons, rules, sifting
from interpreter.lowering.builder import Builder
from interpreter.lowering.compiled import Candidates, Question
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast


def together(s: Scope, e: ast.Together) -> None:
    """All choose in secret; when the last has answered, the bodies run in the clause's order."""
    players = sifting.those(s, e.clause)
    gather(s, e.clause, e.ask, players)


def gather(
    s: Scope, clause: ast.Clause, e: ast.Ask, players: Operand, start: ast.Expr | None = None
) -> None:
    """The secret choice of a set of players, and what follows from it, clockwise from ``start``."""
    asked = s.b.copy("asked", "s", players)
    first = s.b.copy("from", "i", 0 if start is None else expressions.value(s, start))
    rule = offers.action(s.low, e.offers[0].name)
    if e.kind == "may":
        _leave_out(s, clause, e, asked)
    others = len(offers.alternatives(s.low, rule)) > 1 or len(e.offers) > 1
    if others or e.kind == "may" or not rule.choose:
        name, offered = _gather_offers(s, clause, e)
    else:
        name, offered = _gather_choices(s, rule), None
    to, done = s.b.block(), s.b.block()
    s.b.end(ir.Branch(s.b.sets("differ", asked, 0), to, done))
    s.b.seek(to)
    after = s.b.block()
    s.b.end(ir.Gather(name, asked, after, s.b.label(name)))
    s.b.seek(after)
    answers = [stage_.answers for stage_ in s.low.program.decisions[name].stages]
    with loops.turns(s, asked, lambda: first, live=False) as player:
        given = []
        for field in answers:
            given.append(s.b.copy("answer", "i", s.b.load(field, player)))
            s.b.add(ir.Store(field, player, -1))
        if offered is None:
            s.b.call(rules.outer_function(s.low, rule.name), (player, *given))
        else:
            _run_offer(s, offered, player, given[0])
    s.b.end(ir.Jump(done))
    s.b.seek(done)


def _leave_out(s: Scope, clause: ast.Clause, e: ast.Ask, asked: str) -> None:
    """Take those out of a set of players who can do nothing: ``may`` does not ask them."""
    inner = s.inner()
    with s.b.members(s.b.copy("those", "s", asked), clause.name) as (player, _):
        inner.names[clause.name] = player
        able: Operand = 0
        for offer in asking.offers_of(inner, player, e):
            able = s.b.bin("or", able, s.b.call(offers.possible(s.low, offer.rule), offer.args))
        with s.b.if_(s.b.negate(able)):
            s.b.add(ir.Without(asked, asked, player))


def _answer_field(s: Scope, name: str, k: int, size: int) -> str:
    field, n = f"{name}.answer{k}", s.box.players
    s.low.program.fields[field] = ir.Field(
        field, n, -1, size - 1, (-1,) * n, -1, "owner", tuple(range(n))
    )
    return field


def _pending_field(s: Scope, name: str, stages: int) -> str:
    field, n = f"{name}.answered", s.box.players
    s.low.program.fields[field] = ir.Field(
        field, n, 0, stages, (0,) * n, 0, "owner", tuple(range(n))
    )
    return field


def _gather_choices(s: Scope, rule: ast.EffectRule) -> str:
    """One action for all, its choices one after another."""
    name = asking.unique(s.low, f"{s.record.path}.together.{rule.name}")
    asking.describe(s.low, rule)
    stages = []
    params = rules.parameters(s.low, rule)
    for k, domain in enumerate(rule.choose):
        kind, size = offers.domain_size(s.low, domain.clause)
        stages.append(
            ir.Stage(
                domain.name,
                size,
                offers.options(s.low, rule, k),
                _answer_field(s, name, k, size),
            )
        )
        taken = tuple(
            (rule.name, d.name, offers.domain_size(s.low, d.clause)[0], 1 + j)
            for j, d in enumerate(rule.choose[:k])
        )
        s.low.questions[name, k] = Question(
            f"{rule.path}.choose.{domain.name}",
            rule.path,
            s.low.site(rule.path, domain.span, rule.cites),
            (Candidates(0, size, rule.name, domain.name, kind, (0,)),),
            tuple(n for n, _ in params[: 1 + k]),
            reasons.parameter_kinds(s.low, rule)[: 1 + k],
            taken,
        )
    asking.keep(s.low, name, *stages, pending=_pending_field(s, name, len(stages)))
    return name


def _gather_offers(s: Scope, clause: ast.Clause, e: ast.Ask) -> tuple[str, list[asking.Offered]]:
    """Several actions, each with at most one choice: one stage for all."""
    b = Builder("", [("player", "i")])
    inner = Scope(s.low, b, {clause.name: b.params[0]}, s.record)
    offered = asking.offers_of(inner, b.params[0], e)
    name = asking.unique(s.low, f"{s.record.path}.together." + "|".join(a.name for a in e.offers))
    b.name = f"{name}?"
    result = b.copy("options", "s", 0)
    for offer in offered:
        if offer.rule.choose:
            inside = offers.first_options(b, s.low, offer.rule, offer.args)
            b.add(ir.SetBin(result, "union", result, b.shift(inside, offer.low)))
        else:
            with b.if_(b.call(offers.possible(s.low, offer.rule), offer.args)):
                b.add(ir.With(result, result, offer.low))
    size = offered[-1].low + offered[-1].size
    ranges = [r for o in offered for r in asking.ranges_of(o, (0,))]
    if e.kind == "may":
        b.add(ir.With(result, result, size))
        ranges.append(Candidates(size, 1, "pass"))
        size += 1
    b.end(ir.Return(result))
    s.low.add(b.function(pure=True, rule=s.record.path))
    field = _answer_field(s, name, 0, size)
    asking.keep(
        s.low, name, ir.Stage("offer", size, f"{name}?", field), pending=_pending_field(s, name, 1)
    )
    s.low.questions[name, 0] = Question(
        name, s.record.path, s.site(e.span), tuple(ranges), ("player",), ("player",)
    )
    return name, offered


def _run_offer(s: Scope, offered: list[asking.Offered], player: Operand, chosen: Operand) -> None:
    for offer in offered:
        low = s.b.bin("le", offer.low, chosen)
        inside = s.b.bin("and", low, s.b.bin("lt", chosen, offer.low + offer.size))
        with s.b.if_(inside):
            choice = (s.b.bin("sub", chosen, offer.low),) if offer.rule.choose else ()
            s.b.call(rules.outer_function(s.low, offer.rule.name), (player, *choice))
