"""What a rule hangs on: ``when``, ``modify``, ``forbid``, ``counts as``, ``over``."""

from __future__ import annotations

from dataclasses import replace

from ruleset.checking.context import Context
from ruleset.checking.kinds import comparable
from ruleset.checking.scope import Binding, Scope
from ruleset.checking.signatures import (
    Signature,
    hook_optional,
    hook_signature,
    rule_signature,
)
from ruleset.diagnostics.messages import hooks as say
from ruleset.diagnostics.messages import names as say_names
from ruleset.diagnostics.suggest import nearest
from ruleset.syntax import EffectRule, Header, Hook, Ident
from ruleset.types import CounterRef, FieldRef, Ref, RuleRef, ThingT, ZoneRef


def bind_hooks(context: Context, rule: EffectRule, scope: Scope) -> Scope:
    """The scope of a hook: the names of its first event; the others must bind the same ones."""
    outer = scope
    first: tuple[str, ...] | None = None
    for hook in rule.when:
        params = hook_signature(context, hook)
        if params is None:
            _no_event(context, hook)
            scope = _bind_as_written(context, hook.params or (), scope)
            continue
        context.facts.hooks[hook] = _hook_ref(context, hook)
        inner = _bind(
            context, hook.name, hook.params, params, outer, hook_optional(context.world, hook), hook
        )
        names = tuple(p.name for p in hook.params or () if p.name not in outer.names)
        if first is None:
            first, scope = names, inner
        elif set(names) != set(first):
            context.add(say.binds_other_names(hook.span, first, names))
    return scope


def _hook_ref(context: Context, hook: Hook) -> Ref:
    match hook.subject:
        case "rule":
            return RuleRef(hook.name)
        case "gain" | "lose":
            return CounterRef(hook.name)
        case "enter" | "leave":
            return ZoneRef(hook.name)
        case "field":
            kinds = [kind for kind, name in context.world.types if name == hook.name]
            return FieldRef(kinds[0] if kinds else "", hook.field)


def _no_event(context: Context, hook: Hook) -> None:
    world = context.world
    match hook.subject:
        case "rule" if hook.name in world.values:
            context.add(say.value_hooked(hook.name_span, hook.name))
        case "rule":
            close = nearest(hook.name, [*world.rules, *world.steps])
            context.add(say.no_event(hook.name_span, hook.name, close))
        case "gain" | "lose":
            close = nearest(hook.name, world.counters)
            context.add(say_names.no_such(hook.name_span, "counter", hook.name, close))
        case "enter" | "leave":
            close = nearest(hook.name, world.zones)
            context.add(say_names.no_such(hook.name_span, "zone", hook.name, close))
        case "field":
            types = [name for _, name in world.types]
            if hook.name in types:
                context.add(say.no_code_field(hook.name_span, hook.name, hook.field))
            else:
                close = nearest(hook.name, types)
                what = "type of a piece"
                context.add(say_names.no_such(hook.name_span, what, hook.name, close))


def _bind_as_written(context: Context, params: tuple[Ident, ...], scope: Scope) -> Scope:
    for param in params:
        if param.name not in scope.names:
            found = context.world.param_type(param.name)
            scope = scope.bind(param.name, Binding(found, param.span))
    return replace(scope, broken=True)


def _bind(
    context: Context,
    target: str,
    idents: tuple[Ident, ...] | None,
    params: Signature,
    scope: Scope,
    optional: int,
    node: Hook | Header,
) -> Scope:
    """Bind the names of a pattern; a name that is bound already must be of the same kind."""
    given = idents or ()
    least = len(params) - optional
    if idents is not None and not least <= len(given) <= len(params):
        context.add(say.wrong_arity(node.span, target, params, len(given)))
        return _bind_as_written(context, given, scope)
    outer = scope
    for ident, (name, want) in zip(given, params, strict=False):
        if ident.name in outer.names:
            if not comparable(outer.names[ident.name].type, want):
                found = outer.names[ident.name].type
                context.add(say.wrong_kind(ident.span, target, name, want, ident.name, found))
            continue
        kind = context.world.word_kind(ident.name)
        found = ThingT(kind) if kind else want
        if not comparable(found, want):
            context.add(say.wrong_kind(ident.span, target, name, want, ident.name, found))
            scope = replace(scope, broken=True)
            want = found
        taken = None if kind else context.declared_as(ident.name)
        if taken is not None:
            context.add(say.pattern_name_taken(ident.span, ident.name, taken[0], name))
            scope = replace(scope, broken=True)
            scope = scope.bind(ident.name, Binding(want, ident.span))
        else:
            scope = context.bind(scope, ident.name, ident.span, want, own=False)
    return scope


def bind_pattern(context: Context, target: Header, scope: Scope, verb: str) -> Scope:
    """The scope of a modifier, or of a rule that forbids or that replaces a part of a price."""
    world, name = context.world, target.name
    if verb == "modify":
        rule: object = world.values.get(name)
        params = rule_signature(world, world.values[name]) if rule else []
        table = [*world.values]
    else:
        action = world.rules.get(name)
        rule = action if action is not None and not action.when else None
        params = rule_signature(world, action) if action is not None else []
        table = [r for r in world.rules if not world.rules[r].when]
    if not name:  # what stood here did not parse
        return _bind_as_written(context, target.params, scope)
    if rule is None:
        other = "value" if verb == "modify" else "action"
        if name in world.rules or name in world.values or name in world.steps:
            context.add(say.wrong_target(target.name_span, name, verb))
        else:
            close = nearest(name, table)
            context.add(say_names.no_such(target.name_span, other, name, close))
        return _bind_as_written(context, target.params, scope)
    context.facts.patterns[target] = RuleRef(name)
    return _bind(context, name, target.params, params, scope, 0, target)


def bind_counts_as(context: Context, rule: EffectRule, target: Header, scope: Scope) -> None:
    """``counts as: A(names)``: an action, with names of this rule."""
    world = context.world
    action = world.rules.get(target.name)
    if action is None or action.when:
        names = [r for r in world.rules if not world.rules[r].when]
        close = nearest(target.name, names)
        context.add(say_names.no_such(target.name_span, "action", target.name, close))
        return
    if action is rule:
        context.add(say.counts_as_itself(target.name_span, rule.name))
        return
    context.facts.patterns[target] = RuleRef(target.name)
    params = rule_signature(world, action)
    if len(params) != len(target.params):
        context.add(say.wrong_arity(target.span, target.name, params, len(target.params)))
        return
    for ident, (name, want) in zip(target.params, params, strict=True):
        if ident.name not in scope.names:
            close = nearest(ident.name, scope.names)
            context.add(say_names.no_name(ident.span, ident.name, close))
        elif not comparable(scope.names[ident.name].type, want):
            found = scope.names[ident.name].type
            context.add(say.wrong_kind(ident.span, target.name, name, want, ident.name, found))


def check_over(context: Context, rule: EffectRule, scope: Scope) -> None:
    """``over``: names of other rules, which may exist in another reading only; or a player."""
    if rule.over_chosen_by is not None:
        context.want(rule.over_chosen_by, scope, ThingT("player"), "`over: chosen by`")
    if (rule.over or rule.over_chosen_by) and not any(h.when == "instead of" for h in rule.when):
        context.add(say.over_without_instead(rule.name_span, rule.name))
    for ident in rule.over:
        if ident.name == rule.name:
            context.add(say.over_itself(ident.span))
        elif ident.name in context.world.rules:
            context.refer(ident, RuleRef(ident.name))
