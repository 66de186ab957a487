"""What asks a player, and what happens under a name: offers, choices, calls of rules."""

from __future__ import annotations

from collections.abc import Callable

from ruleset.checking.calls import check_args, check_asked, check_code, check_offer
from ruleset.checking.clauses import clause_scope
from ruleset.checking.context import Context
from ruleset.checking.kinds import NUMBER, as_set
from ruleset.checking.scope import Scope
from ruleset.checking.signatures import rule_signature
from ruleset.diagnostics.messages import boards as say_boards
from ruleset.diagnostics.messages import calls as say
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.diagnostics.suggest import nearest
from ruleset.syntax import (
    Amount,
    Ask,
    Block,
    Choose,
    Effect,
    EffectRule,
    Happen,
    Together,
)
from ruleset.types import Local, NumberT, RuleRef, SetT

CheckBlock = Callable[[Context, Block, Scope], Scope]


def check_ask(context: Context, effect: Ask, scope: Scope, check_block: CheckBlock) -> None:
    """``P must A``, ``P may A``, ``P must one of A, B else X``."""
    check_asked(context, effect.who, scope)
    seen: set[str] = set()
    for action in effect.offers:
        check_offer(context, action, scope, "among other offers" if len(effect.offers) > 1 else "")
        if action.span.text in seen:
            context.add(say_changes.offered_twice(action.span))
        seen.add(action.span.text)
    _otherwise(context, effect.otherwise, scope, check_block)


def _otherwise(
    context: Context, effect: Effect | None, scope: Scope, check_block: CheckBlock
) -> None:
    if effect is not None:
        check_block(context, (effect,), scope)


def check_choose(context: Context, effect: Choose, scope: Scope, check_block: CheckBlock) -> Scope:
    """``P chooses x in S``; the scope with what was chosen."""
    check_asked(context, effect.who, scope)
    check_amount(context, effect.amount, scope)
    clause = effect.clause
    inner, found = clause_scope(context, clause, scope, "`chooses`")
    if effect.amount is not None:
        context.keep_names(inner)
    _otherwise(context, effect.otherwise, scope, check_block)
    if effect.as_name is not None and effect.as_span is not None:
        return context.bind(scope, effect.as_name, effect.as_span, as_set(found))
    # the clause has told a name that means something already
    return scope.bind(clause.name, inner.names[clause.name])


def check_amount(context: Context, amount: Amount | None, scope: Scope) -> None:
    """How many are chosen: numbers that are not none, not the wrong way round."""
    if amount is None:
        return
    low = context.want(amount.low, scope, NUMBER, "an amount")
    high = low
    if amount.high is not amount.low:
        high = context.want(amount.high, scope, NUMBER, "an amount")
    if isinstance(low, NumberT) and isinstance(high, NumberT):
        if low.low is not None and high.high is not None and low.low > high.high:
            context.add(say_changes.amount_reversed(amount.span, low.low, high.high))
        elif high.high is not None and high.high < 1:
            context.add(say_changes.chooses_none(amount.span))


def check_together(
    context: Context, effect: Together, scope: Scope, check_block: CheckBlock
) -> None:
    """``together p in S do p must A``: the players of the clause are asked."""
    inner, found = clause_scope(context, effect.clause, scope, "`together`")
    if isinstance(found, SetT) and found.kind not in ("player", "none"):
        context.add(say_changes.together_wants_players(effect.clause.source.span, found))
    asked = effect.ask.who
    name = getattr(asked, "name", "")
    if name != effect.clause.name:
        context.add(say_changes.together_asks_other(asked.span, effect.clause.name))
    check_ask(context, effect.ask, inner, check_block)
    check_secret(context, effect.ask)


def check_secret(context: Context, ask: Ask) -> None:
    """What players are asked together: actions by name, each choice of one thing."""
    for action in ask.offers:
        if context.facts.refs.get(action) == Local():
            where = "where players are asked together"
            context.add(say_boards.action_among_others(action.span, action.name, where))
        if action.args:
            what, help_ = "an argument", "let the rule itself find what it needs"
            context.add(say_boards.not_in_secret(action.args[0].span, what, help_))
            continue
        offered = _offered(context, action.name)
        beside = ask.kind == "may" or len(ask.offers) > 1 or len(offered) > 1
        for rule in offered:
            several = next((d.amount for d in rule.choose if d.amount is not None), None)
            if several is not None:
                context.add(say_boards.several_in_secret(action.span, rule.name, several.span))
            elif len(rule.choose) > 1 and beside:
                what = f"`{rule.name}`, which asks {len(rule.choose)} things, beside other answers"
                help_ = "let it ask one thing, or say `must` and offer nothing else"
                context.add(say_boards.not_in_secret(action.span, what, help_))
    if ask.otherwise is not None:
        help_ = "leave out those who can do nothing: `together p in S if p can ACTION`"
        context.add(say_boards.not_in_secret(ask.otherwise.span, "`else`", help_))


def _offered(context: Context, name: str) -> list[EffectRule]:
    """The action of a name, and what counts as it, which is offered with it."""
    named = context.world.rules.get(name)
    if named is None or named.when:
        return []
    alike = [
        rule
        for rule in context.world.all_rules()
        if isinstance(rule, EffectRule)
        and rule.counts_as is not None
        and rule.counts_as.name == name
    ]
    return [named, *alike]


def check_happen(context: Context, effect: Happen, scope: Scope) -> None:
    """``rule(args)``, ``piece.code(args)``."""
    if effect.of is not None:
        code = check_code(context, effect, scope, effect.of)
        if code is not None and code.kind == "condition":
            context.add(say.condition_as_effect(effect.span, effect.name))
        return
    world, name = context.world, effect.name
    rule = world.rules.get(name)
    if rule is not None and not rule.when:
        context.refer(effect, RuleRef(name))
        params = rule_signature(world, rule)
        if rule.is_action:
            for arg in effect.args:
                context.infer(arg, scope)
            who = effect.args[0].span.text if effect.args else "me"
            context.add(say.action_called(effect, who, bool(params)))
        else:
            check_args(context, effect, params, scope)
        return
    for arg in effect.args:
        context.infer(arg, scope)
    if rule is not None:
        context.add(say.hook_called(effect.name_span, name, rule.when[0]))
    elif name in world.values:
        context.add(say.value_as_effect(effect.span, name))
    elif name in world.steps:
        context.add(say.step_called(effect.name_span, name))
    else:
        names = [r for r in world.rules if not world.rules[r].when]
        context.add(say.no_rule(effect.name_span, name, nearest(name, names)))
