"""All code of a game file: every block, every effect, every action that a list names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleset import syntax as ast


def code_blocks(file: ast.GameFile) -> Iterable[ast.Block]:
    """Every block of effects of a file."""
    for step in file.flow:
        yield step.do
    rules: list[ast.Rule] = list(file.rules)
    for piece in file.pieces:
        for default in piece.defaults.values():
            if isinstance(default.value, tuple):
                yield from _effects(default.value)
        for face in piece.types:
            rules.extend(face.while_held)
            for code in (face.gained, face.lost):
                if code is not None:
                    yield code
            for value in face.values.values():
                if isinstance(value.value, tuple):
                    yield from _effects(value.value)
    for rule in rules:
        if isinstance(rule, ast.EffectRule):
            yield rule.do


def _effects(value: Sequence[object]) -> Iterable[ast.Block]:
    if value and not isinstance(value[0], ast.Ident):
        yield tuple(value)  # type: ignore[arg-type]  # a block of effects, by its first member


def all_effects(file: ast.GameFile) -> Iterable[ast.Effect]:
    """Every effect of a file, also inside others."""
    for block in code_blocks(file):
        yield from effects_in(block)


def effects_in(block: ast.Block) -> Iterable[ast.Effect]:
    """Every effect of a block, also inside others."""
    todo: list[ast.Effect] = list(block)
    while todo:
        effect = todo.pop()
        yield effect
        match effect:
            case ast.If():
                todo += [*effect.then, *effect.otherwise]
            case ast.For() | ast.Repeat() | ast.RepeatUntil():
                todo += effect.body
            case ast.Ask() | ast.Choose():
                if effect.otherwise is not None:
                    todo.append(effect.otherwise)
            case ast.Together():
                todo.append(effect.ask)
            case _:
                pass


def listed_actions(file: ast.GameFile) -> tuple[str, ...]:
    """The actions that list fields name, in order, each once."""
    found: dict[str, None] = {}
    owners: tuple[ast.Piece | ast.PlaceDecl, ...] = (*file.pieces, *file.places)
    for piece in owners:
        fields = [
            name
            for name, declared in piece.fields.items()
            if isinstance(declared, ast.NamedType) and declared.name == "action"
        ]
        for values in (piece.defaults, *(face.values for face in piece.types)):
            for name in fields:
                value = values.get(name)
                if value is not None and isinstance(value.value, tuple):
                    found.update({i.name: None for i in value.value if isinstance(i, ast.Ident)})
    return tuple(found)
