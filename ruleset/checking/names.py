"""What a bare name means: a bound name first, then what is declared, then what is built in."""

from __future__ import annotations

import re

from ruleset.checking.context import Context
from ruleset.checking.kinds import UNKNOWN, kind_of
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import names as say
from ruleset.diagnostics.suggest import nearest
from ruleset.syntax import Name
from ruleset.types import (
    BoxRef,
    CounterRef,
    GameRef,
    Local,
    MarkRef,
    Member,
    Members,
    NumberT,
    OnlyPiece,
    OptionRef,
    Ref,
    SetT,
    SpaceSet,
    TableRef,
    ThingT,
    Type,
    ZoneRef,
)
from ruleset.world import ACTION

Meaning = tuple[Ref, Type]


def infer_name(context: Context, node: Name, scope: Scope, hint: Type | None) -> Type:
    """The type of a bare name; keeps what it refers to."""
    if node.name in scope.names:
        context.refer(node, Local())
        return scope.names[node.name].type
    if not node.name:  # what stood here did not parse
        return UNKNOWN
    found = meaning(context, node.name, hint)
    if isinstance(found, list):
        context.add(say.ambiguous(node.span, node.name, found))
        return UNKNOWN
    if found is None and scope.broken:
        return UNKNOWN
    if found is None:
        _unknown(context, node, scope, hint)
        return UNKNOWN
    context.refer(node, found[0])
    return found[1]


def meaning(context: Context, name: str, hint: Type | None) -> Meaning | list[Member] | None:
    """What a name that is not bound refers to; a list where nothing tells which member is meant."""
    members = context.world.members.get(name, [])
    wanted = kind_of(hint) if hint is not None else ""
    for member in members:
        if wanted and (member.kind == wanted or member.kind == f"{wanted}.type"):
            return _member(context, member, wanted)
    declared = _declared(context, name)
    if declared:
        return declared
    own = [
        m
        for m in members
        if context.world.kinds[m.kind].sort not in ("direction", "end", "action")
        and not _many_of_a_kind(context, m)
    ]
    members = [m for m in members if m.kind != ACTION and not _many_of_a_kind(context, m)]
    if len(own) > 1:
        return own
    if own or members:
        return _member(context, (own or members)[0], "")
    return None


def _many_of_a_kind(context: Context, member: Member) -> bool:
    """Whether this is the only type of a kind, under its name, with several copies."""
    kind = member.name
    return member.kind == f"{kind}.type" and not context.world.only_piece(kind, kind)


def _member(context: Context, member: Member, wanted: str) -> Meaning:
    """A member as itself, or as the one piece of a type where the type is not wanted."""
    if member.kind.endswith(".type") and wanted != member.kind:
        kind = member.kind.removesuffix(".type")
        if context.world.only_piece(kind, member.name):
            return OnlyPiece(kind, member.name), ThingT(kind)
    return member, ThingT(member.kind)


def _declared(context: Context, name: str) -> Meaning | None:
    world = context.world
    if name == "game":
        return GameRef(), ThingT("game")
    if name == "box":
        return BoxRef(), ThingT("box")
    if name in world.options:
        return OptionRef(name), world.declared_type(world.options[name].type)
    if name in world.tables:
        numbers = world.tables[name].values.values()
        return TableRef(name), NumberT(min(numbers, default=None), max(numbers, default=None))
    if name in world.spaces:
        return world.spaces[name], ThingT(world.spaces[name].kind)
    if name in world.sets:
        kind = world.sets[name][0]
        return SpaceSet(kind, name), SetT(kind)
    owned = of_the_game(context, name)
    if owned:
        return owned
    if name in world.plurals:
        kind = world.plurals[name]
        return Members(kind), SetT(kind, row=kind == "player")
    return None


def of_the_game(context: Context, name: str) -> Meaning | None:
    """A zone, counter or mark that is not ``each``: the game's own."""
    world = context.world
    if name in world.zones and world.zones[name].each is None:
        return ZoneRef(name), world.contents(world.zones[name])
    if name in world.counters and world.counters[name].each is None:
        counter = world.counters[name]
        return CounterRef(name), NumberT(counter.low, counter.high)
    if name in world.marks and world.marks[name].each is None:
        return MarkRef(name), world.declared_type(world.marks[name].type)
    return None


def _unknown(context: Context, node: Name, scope: Scope, hint: Type | None) -> None:
    world, name = context.world, node.name
    owned = world.owned(name)
    if owned is not None:
        whose = [n for n, b in scope.names.items() if kind_of(b.type) == owned[1]]
        context.add(say.whose(node.span, name, owned[0], owned[1], whose))
        return
    if name in world.values:
        context.add(say.value_without_call(node.span, name, world.values[name].params))
    elif name in world.rules:
        context.add(say.rule_as_value(node.span, name, world.rules[name].is_action))
    elif name in world.steps:
        context.add(say.step_as_value(node.span, name))
    elif name in world.kinds:
        context.add(say.kind_as_name(node.span, name, world.kinds[name].plural))
    else:
        close = nearest(name, candidates(context, scope, hint))
        if re.fullmatch(r"(p|player_?)[1-9]", name) and kind_of(hint or UNKNOWN) in ("player", ""):
            context.add(say.no_seat(node.span, name))
            return
        context.add(say.no_name(node.span, name, close))


def candidates(context: Context, scope: Scope, hint: Type | None) -> list[str]:
    """The names that could stand here; where a kind is wanted, its members come first."""
    world = context.world
    wanted = kind_of(hint) if hint is not None else ""
    members = [n for n, ms in world.members.items() if any(m.kind == wanted for m in ms)]
    hidden = ("end", ACTION)
    return [
        *scope.names,
        *members,
        *world.options,
        *world.tables,
        *world.sets,
        *world.spaces,
        *world.zones,
        *world.counters,
        *world.marks,
        *world.plurals,
        *(n for n, ms in world.members.items() if n not in members and ms[0].kind not in hidden),
    ]
