"""Rules and steps as functions, and the code that lies on pieces.

A rule X becomes the function ``X`` (conditions, costs, effects), the one that ``stop X`` ends and
``within X`` looks for; `weaving` puts its hooks around it. Code on pieces is made the same way,
under the name ``KIND.TYPE.FIELD``.
"""

from __future__ import annotations

from typing import Final

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering import costs, effects, expressions, holding, weaving
from interpreter.lowering.builder import Builder
from interpreter.lowering.scope import Lowering, Scope
from interpreter.lowering.values import parameter_types
from ruleset import syntax as ast
from ruleset.source import Span

SKIPPED: Final = 1
"""What a rule or step answers that did not happen since its own conditions failed."""


def find(low: Lowering, name: str) -> ast.EffectRule | ast.Step:
    """The rule or step of a name."""
    for record in (*low.box.file.rules, *low.box.file.flow):
        if record.name == name and isinstance(record, ast.EffectRule | ast.Step):
            return record
    raise AssertionError(f"no rule or step {name}")


def parameters(low: Lowering, rule: ast.EffectRule | ast.Step) -> weaving.Params:
    """The parameters of a rule, then what is chosen for it; of a step, whose turn it is.

    Of a step there follow the names that the steps around it bind.
    """
    if isinstance(rule, ast.Step):
        own: weaving.Params = [(rule.each.clause.name, "i")] if rule.each is not None else []
        return [*own, *((name.name, "i") for name in low.around[rule.name])]
    chosen: weaving.Params = [(d.name, "s" if d.amount is not None else "i") for d in rule.choose]
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
    params, inner = parameters(low, record), inner_function(low, name)
    about = about_a_player(low, record)
    site = low.site(record.path, record.name_span, record.cites)
    depth = (record.depth or 0) if isinstance(record, ast.EffectRule) else 0
    return weaving.woven(low, name, params, inner, hooks_on(low, record), about, depth, site)


def about_a_player(low: Lowering, record: ast.EffectRule | ast.Step) -> bool:
    """Whether the first argument is a player, with whom it ends."""
    if isinstance(record, ast.Step):
        source = low.facts.types.get(record.each.clause.source) if record.each else None
        return getattr(source, "kind", "") == "player"
    if not record.params:
        return False
    first = low.facts.params.get(record.path, {}).get(record.params[0].name)
    return getattr(first, "kind", "") == "player"


def _make(low: Lowering, rule: ast.EffectRule) -> None:
    params = parameters(low, rule)
    b = Builder(rule.name, params)
    names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=True))
    s = Scope(low, b, names, rule)
    effects.reset(s, rule.name)
    with holding.conditions(s, rule.with_, rule.conditions):
        weaving.check(low, b, rule.name, "before")
        costs.pay(s, rule)
        effects.block(s, rule.do)
        b.end(ir.Return(0))
    if rule.with_ or rule.conditions:
        b.end(ir.Return(SKIPPED))
    low.add(
        b.function(
            rule=rule.path,
            begins=True,
            site=low.site(rule.path, rule.name_span, rule.cites),
            # where there are hooks, what runs them counts
            depth=0 if weaving.is_woven(low, rule.name, hooks_on(low, rule)) else rule.depth or 0,
            player_first=about_a_player(low, rule),
        )
    )


def hooks_on(low: Lowering, record: ast.EffectRule | ast.Step) -> list[weaving.Woven]:
    """The hooks on a rule or step; one that ``counts as`` another has that one's hooks too."""
    names = [n for n, _ in parameters(low, record)]
    if isinstance(record, ast.Step):
        names = names[: int(record.each is not None)]
    found = weaving.find_hooks(low, "rule", record.name, "", list(range(len(names))))
    if isinstance(record, ast.EffectRule) and record.counts_as is not None:
        places = [names.index(p.name) for p in record.counts_as.params]
        found += weaving.find_hooks(low, "rule", record.counts_as.name, "", places)
    return found


# ------------------------------------------------------------------ code on pieces


def code_function(low: Lowering, kind: str, field: str) -> str:
    """The function that runs the code of a piece, whatever its type: ``(piece, arguments)``."""
    return low.need(f"{kind}.{field}", lambda: _dispatch(low, kind, field))


def _dispatch(low: Lowering, kind: str, field: str) -> None:
    piece = low.box.pieces[kind]
    code = piece.fields[field]
    assert isinstance(code, ast.CodeType)
    params: weaving.Params = [(kind, "i"), *((p.name, "i") for p in code.params)]
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
    params: weaving.Params = [(p.name, "i") for p in code.params]

    def make() -> None:
        b = Builder(name, params)
        names: dict[str, Operand] = dict(zip([n for n, _ in params], b.params, strict=True))
        record = _as_record(face, field, given.span)
        low.events[record.path] = tuple(_kind_of_word(low, p.name) for p in code.params)
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

    hooks = weaving.find_hooks(low, "field", face.name, field, list(range(len(params))))
    return weaving.woven(low, name, params, low.need(name, make), hooks)


def _kind_of_word(low: Lowering, name: str) -> str:
    """The kind of a parameter: that of its word, the kind of its own name, or a number."""
    word = low.box.file.words.types.get(name)
    if word is not None:
        return word.name
    return name if name in low.box.kinds else "number"


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
