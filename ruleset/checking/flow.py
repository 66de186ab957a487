"""Steps of the flow, the result, the invariants."""

from __future__ import annotations

from ruleset.around import Names, names_around
from ruleset.checking.asking import check_secret
from ruleset.checking.changes import check_counter
from ruleset.checking.clauses import clause_scope
from ruleset.checking.context import Context
from ruleset.checking.effects import check_block
from ruleset.checking.kinds import FLAG, NUMBER, kind_of
from ruleset.checking.scope import Binding, Scope
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.diagnostics.messages import checking as say
from ruleset.diagnostics.messages import hooks as say_hooks
from ruleset.diagnostics.messages import names as say_names
from ruleset.diagnostics.suggest import nearest
from ruleset.syntax import (
    Ask,
    Counter,
    Expr,
    GameFile,
    Ident,
    Invariant,
    Name,
    Order,
    Result,
    Step,
)
from ruleset.types import CounterRef, NumberT, RuleRef, SetT, ThingT, Type, UnknownT


def check_step(context: Context, step: Step, around: Names) -> None:
    """Check one step of the flow; ``around``: what the steps around it bind."""
    context.path = step.path
    outer = Scope()
    for ident in around:
        outer = outer.bind(ident.name, Binding(context.world.param_type(ident.name), ident.span))
    scope = outer
    for ident in step.steps:
        check_step_name(context, ident)
    if step.repeat is not None:
        check_step_name(context, step.repeat)
    order = step.each or step.together
    if order is not None:
        scope = check_order(context, order, scope, step.together is not None)
    times = None if step.times is None else context.want(step.times, scope, NUMBER, "`times`")
    if step.counts is not None:
        check_counter(context, step.counts, scope, "`counts`")
        counter = context.facts.refs.get(step.counts)
        if isinstance(counter, CounterRef) and step.times is not None and step.until is None:
            _check_passes(context, step.times, times, context.world.counters[counter.name])
    at_step = outer if step.together is not None else scope  # `together` happens once
    for condition in step.conditions:
        context.want(condition.test, at_step, FLAG, "`if`")
    if step.until is not None:
        context.want(step.until, scope, FLAG, "`until`")
    context.keep_names(scope)
    check_block(context, step.do, scope)
    if step.together is not None:
        _together(context, step)


def _together(context: Context, step: Step) -> None:
    assert step.together is not None
    name = step.together.clause.name
    if len(step.do) != 1 or not isinstance(step.do[0], Ask):
        span = step.do[0].span if step.do else step.name_span
        context.add(say_changes.together_only_asks(span, name))
        return
    who = step.do[0].who
    if not isinstance(who, Name) or who.name != name:
        context.add(say_changes.together_asks_other(who.span, name))
    check_secret(context, step.do[0])


def _check_passes(context: Context, at: Expr, times: Type | None, counter: Counter) -> None:
    """A counter of passes has room for as many as there will be for certain."""
    if not isinstance(times, NumberT) or times.low is None or counter.high is None:
        return
    if times.low > counter.high:
        declared = NumberT(counter.low, counter.high)
        context.add(say.out_of_range(at.span, times, declared, f"`{counter.name}`"))


def check_order(context: Context, order: Order, scope: Scope, together: bool) -> Scope:
    """``p in S if C from q``; the scope in which the name is bound."""
    role = "`together`" if together else "`each`"
    if order.start is not None:
        context.want(order.start, scope, ThingT("player"), "`from`")
    inner, found = clause_scope(context, order.clause, scope, role)
    if together and isinstance(found, SetT) and kind_of(found) != "player":
        context.add(say_changes.together_wants_players(order.clause.source.span, found))
    elif order.start is not None and isinstance(found, SetT) and found.kind != "player":
        context.add(say_changes.from_wants_players(order.start.span, found))
    return inner


def check_step_name(context: Context, ident: Ident) -> None:
    """A name of a step, or of a rule without parameters."""
    world, name = context.world, ident.name
    if name in world.steps:
        context.refer(ident, RuleRef(name))
        return
    rule = world.rules.get(name)
    if rule is not None and not rule.when:
        context.refer(ident, RuleRef(name))
        if rule.params or rule.is_action:
            context.add(say_hooks.rule_is_no_step(ident.span, name, rule.is_action))
    elif rule is not None or name in world.values:
        context.add(say_hooks.not_a_step(ident.span, name, "hook" if rule else "value"))
    else:
        names = [*world.steps, *(r for r, rule in world.rules.items() if not rule.params)]
        context.add(say_names.no_such(ident.span, "step or rule", name, nearest(name, names)))


def check_result(context: Context, result: Result) -> None:
    """What decides the game: counters of the players."""
    context.path = "result"
    for ident in (*result.most, *result.least):
        counter = context.world.counters.get(ident.name)
        if counter is None:
            close = nearest(ident.name, context.world.counters)
            context.add(say_names.no_such(ident.span, "counter", ident.name, close))
        elif counter.each is None or counter.each.name != "player":
            context.add(say_changes.result_not_of_players(ident.span, ident.name))
        else:
            context.refer(ident, CounterRef(ident.name))
    if result.solo is not None:
        found = context.infer(result.solo, Scope())
        if not isinstance(found, UnknownT) and found != FLAG:
            context.add(say.not_a_condition(result.solo.span, found, "`solo`"))


def check_invariant(context: Context, invariant: Invariant) -> None:
    """What holds, and the step or rule at which it is looked at."""
    context.path = invariant.path
    context.want(invariant.holds, Scope(), FLAG, "an invariant")
    step = invariant.step
    if step is None:
        return
    world = context.world
    if step.name in world.steps or step.name in world.rules:
        context.refer(step, RuleRef(step.name))
    else:
        close = nearest(step.name, [*world.steps, *world.rules])
        context.add(say_names.no_such(step.span, "step or rule", step.name, close))


def check_flow(context: Context, file: GameFile) -> None:
    """All steps, then what decides the game."""
    if "game" not in context.world.steps:
        context.path = "flow"
        context.add(say_hooks.no_game_step(file))
    around = names_around(file)
    for step in file.flow:
        check_step(context, step, around[step.name])
    check_result(context, file.result)
    for invariant in file.invariants:
        check_invariant(context, invariant)
