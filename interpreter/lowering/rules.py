"""Rules and steps as functions, with the hooks on them woven in.

A rule X becomes the function ``X`` (conditions, costs, effects), the one that ``stop X`` ends and
``within X`` looks for. Where something hooks on X, callers call ``X@all`` instead:

    X@all   the topmost ``instead of`` whose condition holds, else the next one ..., else X@base
    X@base  each ``before``, then X, then each ``after``

Code that lies on pieces is woven the same way, under the name ``KIND.TYPE.FIELD``.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeAlias

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand, RegType
from interpreter.lowering import costs, effects, expressions, holding
from interpreter.lowering.builder import Builder
from interpreter.lowering.scope import Lowering, Scope
from interpreter.lowering.values import parameter_types
from ruleset import syntax as ast
from ruleset.source import Span

Params: TypeAlias = "list[tuple[str, RegType]]"


@dataclass(frozen=True, slots=True)
class Woven:
    """A hook on one event: which names of the event its pattern binds."""

    rule: ast.EffectRule
    when: str
    binds: tuple[tuple[str, int], ...]
    """Name in the hook, number of the event's parameter."""


def find(low: Lowering, name: str) -> ast.EffectRule | ast.Step:
    """The rule or step of a name."""
    for record in (*low.box.file.rules, *low.box.file.flow):
        if record.name == name and isinstance(record, ast.EffectRule | ast.Step):
            return record
    raise AssertionError(f"no rule or step {name}")


def parameters(low: Lowering, rule: ast.EffectRule | ast.Step) -> Params:
    """The parameters of a rule, then what is chosen for it; of a step, whose turn it is."""
    if isinstance(rule, ast.Step):
        return [(rule.each.clause.name, "i")] if rule.each is not None else []
    chosen: Params = [(d.name, "s" if d.amount is not None else "i") for d in rule.choose]
    return [*parameter_types(low, rule.path, rule.params), *chosen]


def inner_function(low: Lowering, name: str) -> str:
    """The function of the rule or step itself."""
    record = find(low, name)
    if isinstance(record, ast.Step):
        from interpreter.lowering import flow  # steps run rules

        return flow.inner_function(low, record)
    return low.need(record.name, lambda: _make(low, record))


def outer_function(low: Lowering, name: str) -> str:
    """The function to call for the rule or step to happen, hooks included."""
    record = find(low, name)
    return woven(
        low, name, parameters(low, record), inner_function(low, name), hooks_on(low, record)
    )


def _make(low: Lowering, rule: ast.EffectRule) -> None:
    params = parameters(low, rule)
    b = Builder(rule.name, params)
    names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=True))
    s = Scope(low, b, names, rule)
    effects.reset(s, rule.name)
    with holding.conditions(s, rule.with_, rule.conditions):
        costs.pay(s, rule)
        effects.block(s, rule.do)
    first = low.facts.params.get(rule.path, {}).get(rule.params[0].name) if rule.params else None
    low.add(
        b.function(
            rule=rule.path,
            begins=True,
            site=low.site(rule.path, rule.name_span, rule.cites),
            depth=rule.depth or 0,
            player_first=getattr(first, "kind", "") == "player",
        )
    )


# ------------------------------------------------------------------ hooks


def hooks_on(low: Lowering, record: ast.EffectRule | ast.Step) -> list[Woven]:
    """The hooks on a rule or step; one that ``counts as`` another has that one's hooks too."""
    names = [n for n, _ in parameters(low, record)]
    found = _hooks(low, "rule", record.name, "", list(range(len(names))))
    if isinstance(record, ast.EffectRule) and record.counts_as is not None:
        places = [names.index(p.name) for p in record.counts_as.params]
        found += _hooks(low, "rule", record.counts_as.name, "", places)
    return found


def _hooks(low: Lowering, subject: str, name: str, field: str, places: list[int]) -> list[Woven]:
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


def woven(low: Lowering, name: str, params: Params, inner: str, hooks: list[Woven]) -> str:
    """The function that runs ``inner`` with its hooks; ``inner`` itself where there are none."""
    if not hooks and not _checked(low, name):
        return inner
    return low.need(f"{name}@all", lambda: _weave(low, name, params, inner, hooks))


def _checked(low: Lowering, name: str) -> list[ast.Invariant]:
    return [i for i in low.box.file.invariants if low.checks and i.step and i.step.name == name]


def _weave(low: Lowering, name: str, params: Params, inner: str, hooks: list[Woven]) -> None:
    instead = _ordered([h for h in hooks if h.when == "instead of"])
    levels = [f"{name}@all", *(f"{name}@{k}" for k in range(1, len(instead) + 1))]
    if instead:
        levels[-1] = f"{name}@base"
    for k, hook in enumerate(instead):
        _replacement(low, levels[k], params, hook, levels[k + 1])
    b = Builder(levels[-1], params)
    _check(low, b, name, "before")
    for when in ("before", "after"):
        if when == "after":
            b.call(inner, b.params)
        for hook in hooks:
            if hook.when == when:
                happen(low, b, hook, b.params)
    _check(low, b, name, "after")
    low.add(b.function())


def _check(low: Lowering, b: Builder, name: str, moment: str) -> None:
    """The invariants of this moment, each a fault where it does not hold."""
    for invariant in _checked(low, name):
        if invariant.moment == moment:
            holds = b.call(f"invariant.{invariant.name}", ())
            site = low.site(invariant.path, invariant.holds.span, invariant.cites)
            b.add(ir.Check(holds, "INVARIANT", site))


def happen(low: Lowering, b: Builder, hook: Woven, args: tuple[Operand, ...]) -> None:
    """A ``before`` or ``after`` hook, where its conditions hold."""
    s = _scope(low, b, hook, args)
    with holding.while_held(s, hook.rule.held_by), _applies(s, hook.rule):
        _run(s, hook.rule)


def _replacement(low: Lowering, name: str, params: Params, hook: Woven, rest: str) -> None:
    """``instead of``: the hook's effects where its conditions hold, else the rest."""
    b = Builder(name, params)
    s = _scope(low, b, hook, b.params)

    def base(inner: Scope) -> None:
        inner.b.call(rest, b.params)

    s.base = base
    replaced = b.copy("replaced", "i", 0)
    with (
        holding.while_held(s, hook.rule.held_by),
        b.if_(b.negate(replaced)),
        _applies(s, hook.rule),
    ):
        b.set(replaced, 1)
        _run(s, hook.rule)
    with b.if_(b.negate(replaced)):
        b.call(rest, b.params)
    low.add(b.function())


def _scope(low: Lowering, b: Builder, hook: Woven, args: tuple[Operand, ...]) -> Scope:
    return Scope(low, b, {name: args[k] for name, k in hook.binds}, hook.rule)


def _applies(s: Scope, rule: ast.EffectRule) -> AbstractContextManager[None]:
    return holding.conditions(s, rule.with_, rule.conditions)


def _run(s: Scope, rule: ast.EffectRule) -> None:
    """The effects of a hook, with the hooks on the hook itself around them."""
    params = rule.when[0].params or ()
    args = tuple(s.names[p.name] for p in params)
    hooks = _hooks(s.low, "rule", rule.name, "", list(range(len(params))))
    for when in ("before", "after"):
        if when == "after":
            s.b.add(ir.Emit("hook", (), s.low.site(rule.path, rule.name_span, rule.cites)))
            effects.block(s, rule.do)
        for hook in hooks:
            if hook.when == when:
                happen(s.low, s.b, hook, args)


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


# ------------------------------------------------------------------ changes of counters and zones


def change_hooks(low: Lowering, subject: str, name: str) -> list[Woven]:
    """The hooks on ``gain c``, ``lose c``, ``enter z`` or ``leave z``."""
    return _hooks(low, subject, name, "", [0, 1])


# ------------------------------------------------------------------ code on pieces


def code_function(low: Lowering, kind: str, field: str) -> str:
    """The function that runs the code of a piece, whatever its type: ``(piece, arguments)``."""
    return low.need(f"{kind}.{field}", lambda: _dispatch(low, kind, field))


def _dispatch(low: Lowering, kind: str, field: str) -> None:
    piece = low.box.pieces[kind]
    code = piece.fields[field]
    assert isinstance(code, ast.CodeType)
    params: Params = [(kind, "i"), *((p.name, "i") for p in code.params)]
    b = Builder(f"{kind}.{field}", params)
    arms = []
    number = b.lookup(low.box.attribute_table(kind, "type"), b.params[0])
    start = b.here
    for face in piece.types:
        arm = b.block()
        b.seek(arm)
        fn = _code_of(low, piece, face, field, code)
        b.end(ir.Return(b.call(fn, b.params[1:]) if fn else 0))
        arms.append(arm)
    other = b.block()
    b.seek(start)
    b.end(ir.Switch(number, tuple(arms), other))
    b.seek(other)
    low.add(b.function(pure=code.kind == "condition"))


def _code_of(
    low: Lowering, piece: ast.Piece, face: ast.PieceType, field: str, code: ast.CodeType
) -> str:
    given = face.values.get(field, piece.defaults.get(field))
    if given is None:
        return ""
    name = f"{piece.name}.{face.name}.{field}"
    params: Params = [(p.name, "i") for p in code.params]

    def make() -> None:
        b = Builder(name, params)
        names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=True))
        record = _as_record(face, field, given.span)
        s = Scope(low, b, names, record)
        if code.kind == "condition":
            b.end(ir.Return(expressions.value(s, given.value)))  # type: ignore[arg-type]  # a condition is an expression
        else:
            effects.block(s, given.value)  # type: ignore[arg-type]  # an effect is a block
        low.add(
            b.function(
                pure=code.kind == "condition",
                rule=record.path,
                begins=code.kind == "effect",
                site=s.site(given.span),
            )
        )

    hooks = _hooks(low, "field", face.name, field, list(range(len(params))))
    return woven(low, name, params, low.need(name, make), hooks)


def _as_record(face: ast.PieceType, field: str, span: Span) -> ast.Record:
    return ast.Record(
        span=span, name=field, name_span=span, path=f"{face.path}.{field}", cites=face.cites
    )


def held_code(low: Lowering, piece: ast.Piece, face: ast.PieceType, which: str) -> str:
    """The function of ``gained`` or ``lost``: ``(owner, piece)``; empty where there is none."""
    block: ast.Block | None = getattr(face, which)
    if block is None:
        return ""
    name = f"{piece.name}.{face.name}.{which}"

    def make() -> None:
        b = Builder(name, [("owner", "i"), (piece.name, "i")])
        names: dict[str, Operand] = {"owner": b.params[0], piece.name: b.params[1]}
        record = _as_record(face, which, face.name_span)
        effects.block(Scope(low, b, names, record), block)
        low.add(b.function(rule=record.path, begins=True, site=low.site(record.path, face.span)))

    return low.need(name, make)
