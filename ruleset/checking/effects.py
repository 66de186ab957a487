"""Effects: each one checked in order, names bound from where they stand to the end of the block."""

from __future__ import annotations

from typing import assert_never

from ruleset.checking.asking import check_ask, check_choose, check_happen, check_together
from ruleset.checking.changes import (
    check_draw,
    check_flip,
    check_gain,
    check_move,
    check_pay,
    check_reveal,
    check_roll,
    check_set,
    check_shuffle,
    check_swap,
)
from ruleset.checking.clauses import clause_scope
from ruleset.checking.context import Context
from ruleset.checking.kinds import FLAG, NUMBER, UNKNOWN, element, kind_of
from ruleset.checking.narrowing import known_if
from ruleset.checking.scope import Scope
from ruleset.checking.stopping import check_stop
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.diagnostics.messages import checking as say
from ruleset.syntax import (
    Ask,
    Block,
    Choose,
    DoBase,
    DoNothing,
    Draw,
    Effect,
    Eliminate,
    Flip,
    For,
    Gain,
    Happen,
    If,
    Let,
    Move,
    Pay,
    Repeat,
    RepeatUntil,
    Reveal,
    RollPieces,
    RollValue,
    SetMark,
    Shuffle,
    Stop,
    Swap,
    Together,
)
from ruleset.types import NumberT, SetT, ThingT


def check_block(context: Context, block: Block, scope: Scope) -> Scope:
    """Check effects one after the other; the scope at the end of them."""
    for effect in block:
        scope = check_effect(context, effect, scope)
    context.keep_names(scope)
    return scope


def check_effect(context: Context, effect: Effect, scope: Scope) -> Scope:
    """Check one effect; the scope of the next one."""
    match effect:
        case Let():
            return _let(context, effect, scope)
        case RollValue():
            _, found = clause_scope(context, effect.clause, scope, "`roll`")
            clause = effect.clause
            return context.bind(scope, clause.name, clause.name_span, element(found))
        case Choose():
            return check_choose(context, effect, scope, check_block)
        case If() | For() | Repeat() | RepeatUntil():
            _control(context, effect, scope)
        case Ask():
            check_ask(context, effect, scope, check_block)
        case Together():
            check_together(context, effect, scope, check_block)
        case Happen():
            check_happen(context, effect, scope)
        case Stop():
            check_stop(context, effect, scope)
        case Eliminate():
            context.want(effect.who, scope, ThingT("player"), "`eliminate`")
        case DoBase():
            if not scope.replacing:
                context.add(say_changes.no_base(effect.span))
        case DoNothing():
            pass
        case _:
            _change(context, effect, scope)
    return scope


def _change(
    context: Context,
    effect: SetMark | Gain | Pay | Move | Draw | Shuffle | Reveal | Flip | Swap | RollPieces,
    scope: Scope,
) -> None:
    match effect:
        case SetMark():
            check_set(context, effect, scope)
        case Gain():
            check_gain(context, effect, scope)
        case Pay():
            check_pay(context, effect.amount, effect.counter, effect.to, scope)
        case Move():
            check_move(context, effect, scope)
        case Draw():
            check_draw(context, effect, scope)
        case Shuffle():
            check_shuffle(context, effect, scope)
        case Reveal():
            check_reveal(context, effect, scope)
        case Flip():
            check_flip(context, effect, scope)
        case Swap():
            check_swap(context, effect, scope)
        case RollPieces():
            check_roll(context, effect, scope)
        case _:
            assert_never(effect)


def _let(context: Context, effect: Let, scope: Scope) -> Scope:
    kind = context.world.word_kind(effect.name)
    hint = ThingT(kind) if kind else None
    found = context.infer(effect.value, scope, hint)
    if kind_of(found) in ("game", "box") or found == ThingT("none", True):
        context.add(say_changes.nothing_to_name(effect.value.span, effect.name))
        found = UNKNOWN
    if isinstance(found, SetT) and found.kind.startswith("set of "):
        context.add(say.lines_in_clause(effect.value.span))
    return context.bind(scope, effect.name, effect.name_span, found)


def _control(context: Context, effect: If | For | Repeat | RepeatUntil, scope: Scope) -> None:
    match effect:
        case If():
            context.want(effect.condition, scope, FLAG, "`if`")
            check_block(context, effect.then, scope.knowing(known_if(effect.condition, True)))
            other = scope.knowing(known_if(effect.condition, False))
            check_block(context, effect.otherwise, other)
        case For():
            _for(context, effect, scope)
        case Repeat():
            times = context.want(effect.times, scope, NUMBER, "`repeat`")
            if isinstance(times, NumberT) and times.high is not None and times.high < 1:
                context.add(say_changes.repeats_never(effect.times.span))
            check_block(context, effect.body, scope)
        case RepeatUntil():
            context.want(effect.condition, scope, FLAG, "`repeat until`")
            context.want(effect.limit, scope, NUMBER, "`at most`")
            check_block(context, effect.body, scope)
        case _:
            assert_never(effect)


def _for(context: Context, effect: For, scope: Scope) -> None:
    lists = effect.start is None and effect.chooser is None
    inner, found = clause_scope(context, effect.clause, scope, "`for`", lists=lists)
    if effect.start is not None:
        context.want(effect.start, scope, ThingT("player"), "`from`")
        if isinstance(found, SetT) and found.kind != "player":
            context.add(say_changes.from_wants_players(effect.start.span, found))
    if effect.chooser is not None:
        context.want(effect.chooser, scope, ThingT("player"), "`chosen by`")
    check_block(context, effect.body, inner)
