"""Names that are declared: each once, with words of kinds that exist."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.checking.box import check_kind
from ruleset.checking.context import Context
from ruleset.checking.kinds import kind_in_words
from ruleset.checking.names import meaning
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.diagnostics.messages import names as say
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Span
from ruleset.syntax import GameFile, Ident, NamedType, NumberType, OptionDecl
from ruleset.types import ThingT

Declared = tuple[str, str, Span]


def check_declarations(context: Context, file: GameFile) -> None:
    """Report names that are declared twice, and words of kinds that do not exist."""
    for place in (_own_names(file), _rule_names(file)):
        seen: dict[str, Declared] = {}
        for name, what, span in place:
            first = seen.setdefault(name, (name, what, span))
            if first[2] != span:
                context.add(say.declared_twice(span, name, what, first[1], first[2]))
    _members_once(context, file)
    context.path = "words"
    for name, kind in file.words.types.items():
        known = check_kind(context, kind, "`words`") and name in context.world.kinds
        if known and name != kind.name:
            context.add(say.word_is_a_kind(kind.span, name, kind.name))
    context.path = "tables"
    for table in file.tables:
        missing = [
            n for n in range(file.min_players, file.max_players + 1) if n not in table.values
        ]
        if missing:
            context.add(say_changes.table_lacks(table.name_span, table.name, missing))


def _own_names(file: GameFile) -> Iterator[Declared]:
    """Names that stand on their own or after a dot."""
    for option in file.options:
        yield option.name, "an option", option.name_span
    for table in file.tables:
        yield table.name, "a table", table.name_span
    for zone in file.zones:
        yield zone.name, "a zone", zone.name_span
    for counter in file.counters:
        yield counter.name, "a counter", counter.name_span
    for mark in file.marks:
        yield mark.name, "a mark", mark.name_span
    for board in file.maps:
        for space_set in board.sets:
            yield space_set.name, "a set of spaces", space_set.name_span


def _rule_names(file: GameFile) -> Iterator[Declared]:
    """Names that are called, hooked or stopped."""
    for step in file.flow:
        yield step.name, "a step of the flow", step.name_span
    for rule in file.rules:
        yield rule.name, "a rule", rule.name_span
    for piece in file.pieces:
        for piece_type in piece.types:
            for held in piece_type.while_held:
                yield held.name, f"a rule of `{piece_type.name}`", held.name_span


def _members_once(context: Context, file: GameFile) -> None:
    """A kind is declared once; a member stands once in its kind."""
    kinds: dict[str, Span] = {}
    records = [
        *((e.name, e.name_span) for e in file.enumerations),
        *((b.kind, b.name_span) for b in file.maps),
        *((p.name, p.name_span) for p in file.pieces),
        *((p.name, p.name_span) for p in file.places),
    ]
    for name, span in records:
        first = kinds.setdefault(name, span)
        if first != span:
            context.add(say.declared_twice(span, name, "a kind", "a kind", first))
        elif name in ("player", "road", "direction", "end", "number", "flag", "action"):
            context.add(say.kind_is_built_in(span, name))
    for enumeration in file.enumerations:
        _idents_once(context, enumeration.members, enumeration.name)
    for board in file.maps:
        _idents_once(context, board.spaces, board.kind)
    for piece in file.pieces:
        _idents_once(context, piece.sides, f"{piece.name}.side")
        types = tuple(Ident(each.name_span, each.name) for each in piece.types)
        _idents_once(context, types, f"{piece.name}.type")


def _idents_once(context: Context, idents: tuple[Ident, ...], kind: str) -> None:
    seen: dict[str, Span] = {}
    for ident in idents:
        first = seen.setdefault(ident.name, ident.span)
        if first is not ident.span and first != ident.span:
            what = kind_in_words(kind)
            context.add(say.declared_twice(ident.span, ident.name, what, what, first))


def check_option(context: Context, option: OptionDecl) -> None:
    """The default of an option is one of its values; a player is named by number."""
    written, default = option.type, option.default
    match written:
        case NumberType(low=low, high=high):
            number = int(default) if default.lstrip("-").isdigit() else None
            outside = number is not None and (
                (low is not None and number < low) or (high is not None and number > high)
            )
            if number is None or outside:
                context.add(say_changes.option_default(option, written.span.text))
        case NamedType(name="flag"):
            if default not in ("true", "false"):
                context.add(say_changes.option_default(option, "`true` or `false`"))
        case NamedType(name="player"):
            number = int(default) if default.isdigit() else 0
            if not 1 <= number <= context.world.file.max_players:
                context.add(say_changes.option_default(option, "the number of a seat, from 1"))
        case NamedType(name=kind) if kind in context.world.kinds:
            found = meaning(context, default, ThingT(kind))
            if isinstance(found, list) or found is None or found[1] != ThingT(kind):
                names = [
                    name
                    for name, members in context.world.members.items()
                    if any(member.kind == kind for member in members)
                ]
                close = nearest(default, names)
                context.add(say.no_such(option.default_span, kind, default, close))
        case _:
            pass
