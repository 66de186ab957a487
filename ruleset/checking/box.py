"""What lies in the box: options, maps, zones, counters, marks, pieces and the code on them."""

from __future__ import annotations

from ruleset.checking.changes import check_place, check_range, check_stays
from ruleset.checking.context import Context
from ruleset.checking.effects import check_block
from ruleset.checking.kinds import FLAG, NUMBER, is_unknown, maybe_none
from ruleset.checking.rules import check_rule, param_scope
from ruleset.checking.scope import Binding, Scope
from ruleset.diagnostics.messages import boards as say_boards
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.diagnostics.messages import names as say_names
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Span
from ruleset.syntax import (
    CodeType,
    Counter,
    EffectRule,
    FieldValue,
    Ident,
    MapDecl,
    Mark,
    Name,
    NamedType,
    NumberType,
    Piece,
    PieceType,
    TypeExpr,
    ValueRule,
    Zone,
)
from ruleset.types import CodeT, ListT, RuleRef, SetT, ThingT


def check_kind(context: Context, ident: Ident | None, what: str) -> bool:
    """Report a kind that is not declared."""
    if ident is None or not ident.name or ident.name in context.world.kinds:
        return True
    names = [*context.world.kinds, *context.world.plurals]
    close = nearest(ident.name, names)
    singular = context.world.plurals.get(ident.name)
    context.add(say_names.no_kind(ident.span, ident.name, what, singular or close))
    return False


def check_type(context: Context, written: TypeExpr, what: str, *, lists: bool = False) -> None:
    """Report a type that names no kind; with ``lists`` it can be a list."""
    match written:
        case NamedType(shape="list") if not lists:
            context.add(say_boards.list_only_in_fields(written.span, what))
        case NamedType(shape="list", name="flag" | "number"):
            context.add(say_boards.not_in_a_list(written.name_span, written.name))
        case NamedType(shape="list", name="action"):
            pass
        case NamedType(name="action"):
            context.add(say_boards.flagged_action_type(written.span, what))
        case NamedType(name="flag" | "number"):
            pass
        case NamedType():
            check_kind(context, Ident(written.name_span, written.name), what)
        case CodeType():
            for param in written.params:
                if context.world.word_kind(param.name) is None:
                    context.add(say_names.code_param_without_word(param.span, param.name))
        case _:
            pass


def owner_scope(context: Context, each: Ident | None, span: Span) -> Scope:
    """The names of a declaration: the thing that each is of, by its kind; ``owner`` of a player."""
    scope = Scope()
    if each is None or each.name not in context.world.kinds:
        return scope
    scope = scope.bind(each.name, Binding(ThingT(each.name), span))
    if each.name == "player":
        scope = scope.bind("owner", Binding(ThingT("player"), span))
    return scope


def check_map(context: Context, board: MapDecl) -> None:
    """Named sets of spaces, and the fields of spaces."""
    for space_set in board.sets:
        context.path = space_set.path
        names = {space.name for space in board.spaces}
        for ident in space_set.of or ():
            if ident.name not in names:
                close = nearest(ident.name, names)
                context.add(say_names.no_such(ident.span, board.kind, ident.name, close))
        if space_set.where is not None:
            found = ThingT(board.kind)
            scope = Scope().bind(board.kind, Binding(found, space_set.name_span))
            context.want(space_set.where, scope, FLAG, "`where`")
            context.keep_names(scope)
    context.path = board.path
    for name, written in board.fields.items():
        check_type(context, written, f"the field `{name}`", lists=True)
        for value in (*board.values.get(name, {}).values(), *_one(board.defaults.get(name))):
            check_field(context, value, written, name, Scope())


def _one(value: FieldValue | None) -> tuple[FieldValue, ...]:
    return () if value is None else (value,)


def has_owner(context: Context, each: Ident | None) -> bool:
    """Whether what is declared for each of these belongs to a player."""
    if each is None:
        return False
    piece = context.world.pieces.get(each.name)
    whose = piece.each if piece is not None else each
    return whose is not None and whose.name == "player"


def check_zone(context: Context, zone: Zone) -> None:
    """Whose a zone is, what it holds, when what lies in it is held."""
    context.path = zone.path
    check_kind(context, zone.each, "`each`")
    if zone.of.name and zone.of.name not in context.world.pieces:
        close = nearest(zone.of.name, context.world.pieces)
        context.add(say_names.zone_of_what(zone.of.span, zone.name, zone.of.name, close))
    if zone.seen_by == "owner" and not has_owner(context, zone.each):
        context.add(say_changes.no_owner_to_see(zone.name_span, zone.name))
    if zone.live is not None:
        scope = owner_scope(context, zone.each, zone.name_span)
        context.want(zone.live, scope, FLAG, "`live`")
        context.keep_names(scope)


def check_counter_record(context: Context, counter: Counter) -> None:
    """Start and range of a counter, and what resets it."""
    context.path = counter.path
    check_kind(context, counter.each, "`each`")
    if counter.seen_by == "owner" and not has_owner(context, counter.each):
        context.add(say_changes.no_owner_to_see(counter.name_span, counter.name))
    if counter.start is not None:
        scope = owner_scope(context, counter.each, counter.name_span)
        found = context.want(counter.start, scope, NUMBER, "`start`")
        declared = context.world.declared_type(counter_range(counter))
        check_range(context, counter.start, found, declared, f"`{counter.name}`")
    _resets(context, counter.resets)


def counter_range(counter: Counter) -> TypeExpr:
    """The range of a counter as a type."""
    return NumberType(counter.name_span, counter.low, counter.high)


def _resets(context: Context, ident: Ident | None) -> None:
    if ident is None:
        return
    world = context.world
    if ident.name in world.steps or ident.name in world.rules:
        context.refer(ident, RuleRef(ident.name))
        return
    close = nearest(ident.name, [*world.steps, *world.rules])
    context.add(say_names.no_such(ident.span, "step or rule", ident.name, close))


def check_mark(context: Context, mark: Mark) -> None:
    """Type and start of a mark, and what resets it."""
    context.path = mark.path
    check_kind(context, mark.each, "`each`")
    check_type(context, mark.type, f"the mark `{mark.name}`")
    if mark.seen_by == "owner" and not has_owner(context, mark.each):
        context.add(say_changes.no_owner_to_see(mark.name_span, mark.name))
    declared = context.world.declared_type(mark.type)
    if isinstance(declared, CodeT):
        context.add(say_changes.mark_of_code(mark.type.span))
        return
    if isinstance(declared, ListT):
        return
    scope = owner_scope(context, mark.each, mark.name_span)
    found = context.want(mark.start, scope, declared, "`start`", maybe=True)
    if maybe_none(found) and not maybe_none(declared) and not isinstance(declared, SetT):
        context.add(say_changes.mark_cannot_be_none(mark.start.span, mark))
    check_range(context, mark.start, found, declared, f"`{mark.name}`")
    context.keep_names(scope)
    _resets(context, mark.resets)


def check_piece(context: Context, piece: Piece) -> None:
    """A kind of piece: where it starts, its fields, its types."""
    context.path = piece.path
    check_kind(context, piece.each, "`each`")
    check_kind(context, piece.stays_in, "`stays in`")
    scope = owner_scope(context, piece.each, piece.name_span)
    if piece.starts is not None:
        zone = check_place(context, piece.starts, scope, piece.name, "`starts`")
        if zone is not None:
            check_stays(context, piece.starts, piece.name, zone)
    elif piece.stays_in is not None and any(t.starts is None for t in piece.types):
        context.add(say_changes.stays_and_never_starts(piece.stays_in, piece.name))
    for name, written in piece.fields.items():
        check_type(context, written, f"the field `{name}`", lists=True)
        if lookup_clash(context, piece.name, name):
            context.add(say_names.field_taken(written.span, piece.name, name))
        for value in _one(piece.defaults.get(name)):
            check_field(context, value, written, name, Scope())
    for piece_type in piece.types:
        check_piece_type(context, piece, piece_type)


def lookup_clash(context: Context, kind: str, name: str) -> bool:
    """Whether a field has the name of a zone, counter or mark of the same kind."""
    owned = context.world.owned(name)
    return owned is not None and owned[1] == kind


def check_piece_type(context: Context, piece: Piece, piece_type: PieceType) -> None:
    """One type: where it starts, the values of its fields, the code and rules that it brings."""
    context.path = piece_type.path
    check_kind(context, piece_type.each, "`each`")
    scope = owner_scope(context, piece_type.each or piece.each, piece_type.name_span)
    if piece_type.starts is not None:
        zone = check_place(context, piece_type.starts, scope, piece.name, "`starts`")
        if zone is not None:
            check_stays(context, piece_type.starts, piece.name, zone)
    for name, written in piece.fields.items():
        value = piece_type.values.get(name)
        if value is not None:
            check_field(context, value, written, name, Scope())
        elif name not in piece.defaults:
            context.add(say_changes.field_without_value(piece_type, piece, name))
    held = held_scope(piece, piece_type)
    for rule in piece_type.while_held:
        if isinstance(rule, ValueRule) or (isinstance(rule, EffectRule) and not rule.when):
            form = "a value" if isinstance(rule, ValueRule) else "a rule or action"
            context.add(say_names.not_held(rule.name_span, form))
        check_rule(context, rule, held)
    context.path = piece_type.path
    for block in (piece_type.gained, piece_type.lost):
        if block is not None:
            check_block(context, block, held)


def held_scope(piece: Piece, piece_type: PieceType) -> Scope:
    """The names of a rule that a piece brings: its holder as ``owner``, itself by its kind."""
    span = piece_type.name_span
    scope = Scope().bind("owner", Binding(ThingT("player"), span))
    return scope.bind(piece.name, Binding(ThingT(piece.name), span))


def check_field(
    context: Context, value: FieldValue, written: TypeExpr, name: str, scope: Scope
) -> None:
    """The value of a field: an expression, code, or a list of names."""
    declared = context.world.declared_type(written)
    found = value.value
    if isinstance(declared, CodeT):
        assert isinstance(written, CodeType)
        inner = param_scope(context, written.params, scope)
        if declared.kind == "condition" and not isinstance(found, tuple):
            context.want(found, inner, FLAG, f"`{name}`")
        elif isinstance(found, tuple):
            block = tuple(item for item in found if not isinstance(item, Ident))
            if len(block) == len(found):
                check_block(context, block, inner)
        return
    if isinstance(found, tuple):
        _names(context, found, declared)
        return
    if isinstance(declared, ListT):
        if not (isinstance(found, Name) and not found.name):  # told by the parser
            context.add(say_boards.list_of_names(value.span, name, declared.kind))
        return
    have = context.want(found, scope, declared, f"`{name}`", maybe=True)
    if is_unknown(have):
        return
    if maybe_none(have) and not maybe_none(declared) and not isinstance(declared, SetT):
        context.may_be_none(found, f"the field `{name}`")
    check_range(context, found, have, declared, f"`{name}`")


def _names(context: Context, items: tuple[object, ...], declared: object) -> None:
    for item in items:
        if not isinstance(item, Ident) or not isinstance(declared, SetT | ListT):
            continue
        members = context.world.members
        kinds = [m for m in members.get(item.name, ()) if m.kind == declared.kind]
        if kinds:
            context.refer(item, kinds[0])
        elif declared.kind in context.world.kinds:
            names = [n for n, ms in members.items() if any(m.kind == declared.kind for m in ms)]
            close = nearest(item.name, names)
            context.add(say_names.no_such(item.span, declared.kind, item.name, close))
