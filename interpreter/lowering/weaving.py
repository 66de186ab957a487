"""Weaves hooks into the function of an event: a rule, a step, code on a piece, a change, a move.

Where something hooks on event X, callers call ``X@all`` instead of X:

    X@all   the topmost ``instead of`` whose conditions hold, else the next one ..., else X@base
    X@base  each ``before``, then X, then, where X was not skipped, each ``after``

A skipped X (its own conditions failed) answers 1. Where a player orders the replacements,
``X@all`` also takes the set of those that have not been applied yet.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeAlias

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand, RegType
from interpreter.lowering import asking, effects, expressions, holding
from interpreter.lowering.builder import Builder
from interpreter.lowering.compiled import Kind
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast

Params: TypeAlias = "list[tuple[str, RegType]]"


@dataclass(frozen=True, slots=True)
class Woven:
    """A hook on one event: which names of the event its pattern binds."""

    rule: ast.EffectRule
    when: str
    binds: tuple[tuple[str, int], ...]
    """Name in the hook, number of the event's parameter."""


@dataclass(frozen=True, slots=True)
class Event:
    """What hooks are woven around: ``inner`` with its parameters."""

    name: str
    params: Params
    inner: str
    player_first: bool
    depth: int
    """How often it can be inside itself, hooks included; 0 where it needs no bound."""
    site: int


def find_hooks(
    low: Lowering, subject: str, name: str, field: str, places: list[int]
) -> list[Woven]:
    """The hooks on an event; ``places`` are the event's parameters that a pattern's names bind."""
    return [
        Woven(
            rule,
            hook.when,
            tuple((p.name, places[k]) for k, p in enumerate(hook.params or ()) if k < len(places)),
        )
        for rule in holding.all_rules(low.box.file)
        if isinstance(rule, ast.EffectRule)
        for hook in rule.when
        if (hook.subject, hook.name, hook.field) == (subject, name, field)
        and len(hook.params or ()) <= len(places)
    ]


def woven(
    low: Lowering,
    name: str,
    params: Params,
    inner: str,
    hooks: list[Woven],
    player_first: bool = False,
    depth: int = 0,
    site: int = -1,
) -> str:
    """The function that runs ``inner`` with its hooks; ``inner`` itself where there are none.

    ``player_first``: it ends, hooks included, when the player it is about is eliminated.
    ``depth``: how often it can be inside itself; ``inner`` alone would not count a hook that
    leads to its own event.
    """
    if not is_woven(low, name, hooks):
        return inner
    event = Event(name, params, inner, player_first, depth, site)
    return low.need(f"{name}@all", lambda: _weave(low, event, hooks))


def is_woven(low: Lowering, name: str, hooks: list[Woven]) -> bool:
    """Whether an event is more than what happens itself."""
    return bool(hooks or _checked(low, name, "after"))


def _weave(low: Lowering, event: Event, hooks: list[Woven]) -> None:
    name, params = event.name, event.params
    instead = _ordered([h for h in hooks if h.when == "instead of"])
    if not instead:
        _base(low, f"{name}@all", event, hooks, event.depth)
        return
    base = f"{name}@base"
    _base(low, base, event, hooks)
    if any(h.rule.over_chosen_by is not None for h in instead) and len(instead) > 1:
        _by_choice(low, event, instead, base)
        return
    levels = [f"{name}@all", *(f"{name}@{k}" for k in range(1, len(instead))), base]
    for k, hook in enumerate(instead):
        rest = levels[k + 1]
        b = Builder(levels[k], params)
        copies = _copies(low, hook)
        outside = event.depth if k == 0 else 0
        if copies > 1:
            again = f"{levels[k]}.again"
            b.call(again, (*b.params, 0))
            low.add(b.function(depth=outside, site=event.site))
            b = Builder(again, [*params, ("used", "s")])
            args, used = b.params[:-1], b.params[-1]
            replaced = _replace(low, b, hook, (again, args), used)
            depth = (copies + 1) * max(event.depth, 1)
        else:
            args = b.params
            replaced = _replace(low, b, hook, (rest, args))
            depth = outside
        with b.if_(b.negate(replaced)):
            b.call(rest, args)
        low.add(b.function(depth=depth, site=event.site))


def _copies(low: Lowering, hook: Woven) -> int:
    """How many pieces bring the hook; each of them can replace once."""
    if not hook.rule.held_by:
        return 1
    kind, _, face = hook.rule.held_by.partition(".")
    return low.box.of_type(kind, face).bit_count()


def _base(low: Lowering, fn: str, event: Event, hooks: list[Woven], depth: int = 0) -> None:
    b = Builder(fn, event.params)
    for hook in hooks:
        if hook.when == "before":
            happen(low, b, hook, b.params)
    skipped = b.call(event.inner, b.params)
    with b.if_(b.negate(skipped)):
        for hook in hooks:
            if hook.when == "after":
                happen(low, b, hook, b.params)
        check(low, b, event.name, "after")
    low.add(b.function(player_first=event.player_first, depth=depth, site=event.site))


def _checked(low: Lowering, name: str, moment: str) -> list[ast.Invariant]:
    return [
        invariant
        for invariant in low.box.file.invariants
        if low.checks and invariant.moment == moment
        if invariant.step is not None and invariant.step.name == name
    ]


def check(low: Lowering, b: Builder, name: str, moment: str) -> None:
    """The invariants of this moment of a rule or step, each a fault where it does not hold."""
    for invariant in _checked(low, name, moment):
        holds = b.call(f"invariant.{invariant.name}", ())
        site = low.site(invariant.path, invariant.holds.span, invariant.cites)
        b.add(ir.Check(holds, "INVARIANT", site))


def happen(low: Lowering, b: Builder, hook: Woven, args: tuple[Operand, ...]) -> None:
    """A ``before`` or ``after`` hook, where its conditions hold."""
    s = _scope(low, b, hook, args)
    with holding.while_held(s, hook.rule.held_by), _applies(s, hook.rule):
        _run(s, hook.rule)


def _replace(
    low: Lowering,
    b: Builder,
    hook: Woven,
    rest: tuple[str, tuple[Operand, ...]],
    used: Operand | None = None,
) -> str:
    """An ``instead of`` hook where its conditions hold; the flag that it gives says whether.

    ``used``: the pieces that have replaced already; ``rest`` also takes them.
    """
    s = _scope(low, b, hook, b.params)
    replaced = b.copy("replaced", "i", 0)
    with holding.while_held(s, hook.rule.held_by), b.if_(b.negate(replaced)):
        free: Operand = 1
        if used is not None:
            piece = s.names[hook.rule.held_by.partition(".")[0]]
            free = b.negate(b.has(used, piece))
            rest = (rest[0], (*rest[1], b.including(used, piece)))
        with b.if_(free), _applies(s, hook.rule):
            b.set(replaced, 1)
            _run(s, hook.rule, rest)
    return replaced


def _by_choice(low: Lowering, event: Event, instead: list[Woven], base: str) -> None:
    """Where several apply, a player says which comes first; each applies at most once."""
    name, params = event.name, event.params
    every = (1 << len(instead)) - 1
    start = Builder(f"{name}@all", params)
    start.call(f"{name}@left", (*start.params, every))
    low.add(start.function(depth=event.depth, site=event.site))
    kind = f"{name}@all"
    low.box.kinds[kind] = Kind(
        kind, tuple(h.rule.name for h in instead), tuple(h.rule.path for h in instead)
    )
    b = Builder(f"{name}@left", [*params, ("left", "s")])
    args, left = b.params[:-1], b.params[-1]
    able = b.copy("able", "s", 0)
    for k, hook in enumerate(instead):
        s = _scope(low, b, hook, args)
        with (
            b.if_(b.has(left, k)),
            holding.while_held(s, hook.rule.held_by),
            _applies(s, hook.rule),
        ):
            b.add(ir.With(able, able, k))
    first = b.copy("first", "i", b.first(able))
    with b.if_(b.bin("lt", 1, b.size(able))):
        chooser = next(h for h in instead if h.rule.over_chosen_by is not None)
        s = _scope(low, b, chooser, args)
        assert chooser.rule.over_chosen_by is not None
        who = expressions.value(s, chooser.rule.over_chosen_by)
        b.set(first, asking.pick(s, who, able, kind, "replacement", chooser.rule.name_span))
    with b.if_(b.bin("lt", first, 0)):
        b.call(base, args)
    for k, hook in enumerate(instead):
        with b.if_(b.bin("eq", first, k)):
            others = b.register("others", "s")
            b.add(ir.Without(others, left, k))
            _replace(low, b, hook, (f"{name}@left", (*args, others)))
    low.add(b.function(depth=(len(instead) + 1) * max(event.depth, 1)))


def _scope(low: Lowering, b: Builder, hook: Woven, args: tuple[Operand, ...]) -> Scope:
    return Scope(low, b, {name: args[k] for name, k in hook.binds}, hook.rule)


def _applies(s: Scope, rule: ast.EffectRule) -> AbstractContextManager[None]:
    return holding.conditions(s, rule.with_, rule.conditions)


def _run(s: Scope, rule: ast.EffectRule, rest: tuple[str, tuple[Operand, ...]] = ("", ())) -> None:
    """The effects of a hook, with the hooks on the hook itself around them.

    ``rest`` is what ``do base`` calls, and with what.
    """
    params = rule.when[0].params or ()
    args = tuple(s.names[p.name] for p in params)
    hooks = find_hooks(s.low, "rule", rule.name, "", list(range(len(params))))
    for hook in hooks:
        if hook.when == "before":
            happen(s.low, s.b, hook, args)
    names = list(s.names)
    operands = (*(s.names[n] for n in names), *rest[1])
    types = [s.b.type_of(operand) for operand in operands]
    fn = f"{rule.name}@{s.b.name}"
    own = list(zip(names, types, strict=False))
    base = (rest[0], types[len(names) :])
    s.low.need(fn, lambda: _make_hook(s.low, fn, rule, own, base))
    s.b.call(fn, operands)
    for hook in hooks:
        if hook.when == "after":
            happen(s.low, s.b, hook, args)


def _make_hook(
    low: Lowering,
    fn: str,
    rule: ast.EffectRule,
    params: Params,
    rest: tuple[str, list[RegType]],
) -> None:
    """The effects of a hook as a function, so that they are an event of their own."""
    b = Builder(fn, [*params, *((f"base{k}", kind) for k, kind in enumerate(rest[1]))])
    names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=False))
    s = Scope(low, b, names, rule)

    def base(inner: Scope) -> None:
        inner.b.call(rest[0], b.params[len(params) :])

    s.base = base if rest[0] else None
    effects.block(s, rule.do)
    site = low.site(rule.path, rule.name_span, rule.cites)
    low.add(b.function(rule=rule.path, begins=True, site=site))


def _ordered(hooks: list[Woven]) -> list[Woven]:
    """Topmost first: a hook stands before those that it is ``over``; else as in the file."""
    left, result = list(hooks), []
    while left:
        free = next(
            (h for h in left if not any(_over(other, h) for other in left if other is not h)),
            left[0],
        )
        left.remove(free)
        result.append(free)
    return result


def _over(a: Woven, b: Woven) -> bool:
    return any(name.name == b.rule.name for name in a.rule.over)
