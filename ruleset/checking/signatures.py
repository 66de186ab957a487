"""The parameters of what can be called, hooked or under way, with their types."""

from __future__ import annotations

from ruleset.checking.context import Context
from ruleset.checking.kinds import element
from ruleset.syntax import EffectRule, Hook, Ident, Name, ValueRule
from ruleset.types import NumberT, SetT, ThingT, Type
from ruleset.world import World

Signature = list[tuple[str, Type]]


def rule_signature(world: World, rule: ValueRule | EffectRule) -> Signature:
    """The parameters of a rule; of a hook the names that it binds."""
    if isinstance(rule, EffectRule) and rule.when and not rule.params:
        return [(p.name, world.param_type(p.name)) for p in rule.when[0].params or ()]
    return [(p.name, world.param_type(p.name)) for p in rule.params]


def signature(context: Context, name: str) -> Signature | None:
    """The parameters of a rule or step that can be under way; None where there is none."""
    world = context.world
    if name in world.rules:
        return rule_signature(world, world.rules[name])
    step = world.steps.get(name)
    if step is None:
        return None
    order = step.each  # `together` happens once, for all of them
    if order is None:
        return []
    return [(order.clause.name, _member_type(world, order.clause.name, order.clause.source))]


def _member_type(world: World, name: str, source: object) -> Type:
    """The type of a name of a step: by its word, else by the set that it goes through."""
    kind = world.word_kind(name)
    if kind is None and isinstance(source, Name) and source.name in world.plurals:
        kind = world.plurals[source.name]
    return ThingT(kind) if kind else element(SetT("player"))


def hook_signature(context: Context, hook: Hook) -> Signature | None:
    """The parameters of what a hook hangs on; None where there is no such thing."""
    world = context.world
    match hook.subject:
        case "rule":
            if hook.name in world.values:
                return None
            return signature(context, hook.name)
        case "gain" | "lose":
            counter = world.counters.get(hook.name)
            if counter is None:
                return None
            owner: Signature = [] if counter.each is None else [_owner(counter.each)]
            return [*owner, ("amount", NumberT(0))]
        case "enter" | "leave":
            zone = world.zones.get(hook.name)
            if zone is None:
                return None
            whose: Signature = [] if zone.each is None else [_owner(zone.each)]
            return [*whose, (zone.of.name, ThingT(zone.of.name))]
        case "field":
            return _field_signature(world, hook)


def _owner(each: Ident) -> tuple[str, Type]:
    return each.name, ThingT(each.name)


def _field_signature(world: World, hook: Hook) -> Signature | None:
    for (kind, type_name), _ in world.types.items():
        if type_name == hook.name and hook.field in world.pieces[kind].fields:
            written = world.pieces[kind].fields[hook.field]
            params = getattr(written, "params", None)
            if params is not None:
                return [(p.name, world.param_type(p.name)) for p in params]
    return None


def hook_optional(world: World, hook: Hook) -> int:
    """How many of the last names a hook may leave out: the amount, the piece, whose step it is."""
    step = hook.subject == "rule" and hook.name in world.steps
    return 1 if step or hook.subject in ("gain", "lose", "enter", "leave") else 0
