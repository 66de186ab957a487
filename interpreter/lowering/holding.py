"""Rules that pieces bring while they are held, and the conditions under which a rule applies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from interpreter.ir.nodes import Operand
from interpreter.lowering import expressions
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import SetT


def all_rules(file: ast.GameFile) -> Iterable[ast.Rule]:
    """The rules of a file in order, then those that its pieces bring."""
    yield from file.rules
    for piece in file.pieces:
        for face in piece.types:
            yield from face.while_held


@contextmanager
def while_held(s: Scope, held_by: str) -> Iterator[None]:
    """What is inside happens once for each piece of the type that is held in a live zone.

    Binds ``owner`` and the kind's name. Where ``owner`` is bound already, by the pattern of a hook
    or modifier, only the pieces that this player holds count.
    """
    if not held_by:
        yield
        return
    kind, _, face = held_by.partition(".")
    given = s.names.get("owner")
    held, named = _held(s, kind, face, given), s.names.get(kind)
    if named is not None:
        held = s.b.sets("inter", held, s.b.one(named))
    with s.b.members(held, kind) as (piece, _):
        s.names[kind] = piece
        if given is None:
            table = s.box.location_table(kind, "player")
            s.names["owner"] = s.b.lookup(table, s.b.where(kind, piece))
        with _live(s, kind, piece):
            yield
        if named is None:
            del s.names[kind]
        else:
            s.names[kind] = named
        if given is None:
            del s.names["owner"]


def _held(s: Scope, kind: str, face: str, owner: Operand | None) -> Operand:
    """The pieces of a type that lie in live zones: of one owner, or of anybody."""
    found: Operand = 0
    for zone in s.box.file.zones:
        if zone.live is None or zone.of.name != kind:
            continue
        base = s.box.zone_base[zone.name]
        if owner is not None and zone.each is not None and zone.each.name == "player":
            inside: Operand = s.b.contents(kind, s.b.bin("add", owner, base))
            found = s.b.sets("union", found, inside)
            continue
        for k in range(s.box.size(zone.each.name) if zone.each else 1):
            found = s.b.sets("union", found, s.b.contents(kind, base + k))
    return s.b.sets("inter", found, s.box.of_type(kind, face))


@contextmanager
def _live(s: Scope, kind: str, piece: Operand) -> Iterator[None]:
    """What is inside happens where the zone of the piece is live now."""
    zones = [z for z in s.box.file.zones if z.of.name == kind and z.live is not None]
    tested = [z for z in zones if not isinstance(z.live, ast.Truth)]
    if not tested:
        yield
        return
    family, names = s.box.family_table(kind)
    number = s.b.lookup(family, s.b.where(kind, piece))
    live = s.b.copy("live", "i", 0)
    for zone in zones:
        assert zone.live is not None
        with s.b.if_(s.b.bin("eq", number, names.index(zone.name))):
            s.b.set(live, expressions.flag(s, zone.live))
    with s.b.if_(live):
        yield


@contextmanager
def conditions(
    s: Scope,
    with_: tuple[tuple[ast.Ident, ast.Expr], ...],
    tests: tuple[ast.Condition, ...],
) -> Iterator[None]:
    """What is inside happens where no name under ``with`` is none and every condition holds."""
    with ExitStack() as stack:
        for name, expr in with_:
            bind(s, name, expr)
            if not isinstance(s.type(expr), SetT) and _can_be_none(s, expr):
                none = expressions.none_of(s.type(expr))
                stack.enter_context(s.b.if_(s.b.bin("ne", s.names[name.name], none)))
        for test in tests:
            stack.enter_context(expressions.when(s, test.test))
        yield


def bind(s: Scope, name: ast.Ident, expr: ast.Expr) -> None:
    """Give a name under ``with`` its value."""
    found = expressions.value(s, expr)
    is_set = isinstance(s.type(expr), SetT)
    kept = found if isinstance(found, int) else s.b.copy(name.name, "s" if is_set else "i", found)
    s.names[name.name] = kept


def _can_be_none(s: Scope, expr: ast.Expr) -> bool:
    return bool(getattr(s.type(expr), "maybe", True))
