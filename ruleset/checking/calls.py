"""Calls: values, built-in functions, code on pieces; and what is said of actions and frames."""

from __future__ import annotations

from collections.abc import Sequence

from ruleset.builtins import FUNCTIONS
from ruleset.checking.attributes import attribute_names, code_type
from ruleset.checking.context import Context
from ruleset.checking.functions import infer_function, infer_space_at, is_space_at
from ruleset.checking.kinds import FLAG, UNKNOWN, certain, is_unknown, kind_in_words, maybe_none
from ruleset.checking.scope import Scope
from ruleset.checking.signatures import Signature, rule_signature, signature
from ruleset.diagnostics.messages import boards as say_boards
from ruleset.diagnostics.messages import calls as say
from ruleset.diagnostics.messages import checking as say_types
from ruleset.diagnostics.messages import names as say_names
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Span
from ruleset.syntax import Action, Call, CallOf, Can, CodeType, Expr, Happen, Name, Within
from ruleset.types import CodeT, FieldRef, Local, RuleRef, SetT, ThingT, Type
from ruleset.world import ACTION


def infer_call(context: Context, node: Call, scope: Scope) -> Type:
    """The type of ``name(args)`` where a value is wanted."""
    world = context.world
    if node.name in world.values:
        context.refer(node, RuleRef(node.name))
        check_args(context, node, rule_signature(world, world.values[node.name]), scope)
        found = context.value_of(context, node.name)
        return certain(found) if node.name in context.told_none else found
    if node.name in FUNCTIONS:
        return infer_function(context, node, scope)
    if is_space_at(context, node.name):
        return infer_space_at(context, node, scope)
    for arg in node.args:
        context.infer(arg, scope)
    if node.name in world.rules:
        context.add(say.rule_has_no_value(node.name_span, node.name))
    elif node.name in world.steps:
        context.add(say_names.step_as_value(node.name_span, node.name))
    elif node.name in world.tables:
        context.add(say.table_called(node.span, node.name))
    elif node.name in scope.names or context.declared_as(node.name):
        context.add(say.not_callable(node.name_span, node.name))
    else:
        names = [*world.values, *FUNCTIONS, *world.maps]
        context.add(say.no_value(node.name_span, node.name, nearest(node.name, names)))
    return UNKNOWN


def infer_code(context: Context, node: CallOf, scope: Scope) -> Type:
    """The type of ``piece.condition(args)``."""
    code = check_code(context, node, scope, node.of)
    if code is None:
        return UNKNOWN
    if code.kind == "effect":
        context.add(say.code_has_no_value(node.name_span, node.name))
        return UNKNOWN
    return FLAG


def check_code(context: Context, node: CallOf | Happen, scope: Scope, of: Expr) -> CodeT | None:
    """Check a call of code that lies on a piece; its type, or None where there is none."""
    found = context.infer(of, scope)
    if is_unknown(found):
        for arg in node.args:
            context.infer(arg, scope)
        return None
    code = code_type(context.world, found, node.name)
    if code is None:
        for arg in node.args:
            context.infer(arg, scope)
        kind = found.kind if isinstance(found, ThingT | SetT) else ""
        close = nearest(node.name, attribute_names(context.world, kind))
        context.add(say.no_code(node.name_span, kind_in_words(kind), found, node.name, close))
        return None
    if isinstance(found, SetT):
        context.add(say_types.one_wanted(of.span, f"`.{node.name}(...)`", found))
    elif maybe_none(found):
        context.may_be_none(of, f"the piece whose `{node.name}` is done")
    assert isinstance(found, ThingT | SetT)
    context.refer(node, FieldRef(found.kind, node.name))
    written = context.world.pieces[found.kind].fields[node.name]
    idents = written.params if isinstance(written, CodeType) else ()
    params: Signature = [(p.name, context.world.param_type(p.name)) for p in idents]
    check_args(context, node, params, scope)
    return code


def check_args(
    context: Context,
    node: Call | CallOf | Happen | Action | Within,
    params: Signature,
    scope: Scope,
) -> None:
    """Check the arguments of a call against the names of what is called."""
    args: Sequence[Expr] = node.args or ()
    if len(args) != len(params):
        context.add(say.wrong_number(node.span, node.name, params, len(args)))
        for arg in args:
            context.infer(arg, scope)
        return
    _in_turn(context, node.name, args, params, scope)


def _in_turn(
    context: Context, called: str, args: Sequence[Expr], params: Signature, scope: Scope
) -> None:
    """Check arguments one by one; the first that is wrong is told, the rest may follow from it."""
    fine = True
    for arg, (name, want) in zip(args, params, strict=True):
        if fine:
            fine = check_arg(context, called, arg, name, want, scope)
        else:
            context.infer(arg, scope, want)


def check_arg(
    context: Context, called: str, arg: Expr, name: str, want: Type, scope: Scope
) -> bool:
    """Check one argument; whether its kind is right."""
    found = context.infer(arg, scope, want)
    if is_unknown(found):
        return True
    same = type(found) is type(want) and (
        not isinstance(found, ThingT)
        or not isinstance(want, ThingT)
        or found.kind in (want.kind, "none")
    )
    if not same:
        context.add(say.wrong_argument(arg.span, called, name, want, found))
    elif maybe_none(found):
        context.may_be_none(arg, f"`{name}` of `{called}`")
    return same


def infer_can(context: Context, node: Can, scope: Scope) -> Type:
    """The type of ``who can action``."""
    check_asked(context, node.who, scope)
    check_offer(context, node.action, scope, "after `can`")
    return FLAG


def check_asked(context: Context, who: Expr, scope: Scope) -> None:
    """Check that a player is asked, and only one."""
    found = context.infer(who, scope, ThingT("player"))
    if is_unknown(found):
        return
    if isinstance(found, SetT) and found.kind == "player":
        text = who.span.text if isinstance(who, Name) else "players"
        context.add(say.asks_a_set(who.span, text))
    elif not isinstance(found, ThingT) or found.kind != "player":
        context.add(say.only_a_player(who.span, found))
    elif found.maybe:
        context.may_be_none(who, "the player who is asked")


def check_offer(context: Context, action: Action, scope: Scope, among: str = "") -> None:
    """Check an action as it is offered: its arguments without the player.

    ``among`` says in words why a bound name cannot stand for it here; empty where it can.
    """
    world, name = context.world, action.name
    if name in scope.names and scope.names[name].type == ThingT(ACTION):
        context.refer(action, Local())
        if among:
            context.add(say_boards.action_among_others(action.span, name, among))
        elif action.args:
            context.add(say_boards.action_with_arguments(action.span, name))
        return
    rule = world.rules.get(name)
    if rule is not None and not rule.when:
        params = rule_signature(world, rule)
        context.refer(action, RuleRef(name))
        if not params or params[0][1] != ThingT("player"):
            context.add(say.not_offerable(action.name_span, name, params))
            for arg in action.args:
                context.infer(arg, scope)
            return
        _offer_args(context, action, params, scope)
        return
    for arg in action.args:
        context.infer(arg, scope)
    if rule is not None:
        context.add(say.hook_called(action.name_span, name, rule.when[0]))
    elif name in world.values:
        context.add(say.value_offered(action.name_span, name))
    elif name in world.steps:
        context.add(say.step_called(action.name_span, name))
    else:
        names = [r for r in world.rules if not world.rules[r].when]
        context.add(say.no_action(action.name_span, name, nearest(name, names)))


def _offer_args(context: Context, action: Action, params: Signature, scope: Scope) -> None:
    if len(action.args) != len(params) - 1:
        context.add(say.wrong_offer(action.span, action.name, params, len(action.args)))
        for arg in action.args:
            context.infer(arg, scope)
        return
    _in_turn(context, action.name, action.args, params[1:], scope)


def infer_within(context: Context, node: Within, scope: Scope) -> Type:
    """The type of ``within rule(args)``."""
    known = frame(context, node.name, node.name_span)
    if known is None:
        for arg in node.args or ():
            context.infer(arg, scope)
        return FLAG
    context.refer(node, RuleRef(node.name))
    if node.args is not None:
        check_args(context, node, known, scope)
    return FLAG


def frame(context: Context, name: str, span: Span) -> Signature | None:
    """The names of a rule or step that can be under way; reports where there is none."""
    world = context.world
    found = signature(context, name)
    if found is not None:
        return found
    if name in world.values:
        context.add(say.value_is_no_frame(span, name))
    else:
        names = [*world.rules, *world.steps]
        context.add(say.no_frame(span, name, nearest(name, names)))
    return None
