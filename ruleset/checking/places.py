"""Places on boards, pieces in play by a table, and lists of actions."""

from __future__ import annotations

from ruleset.checking.box import check_field, check_type, lookup_clash
from ruleset.checking.context import Context
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import boards as say
from ruleset.diagnostics.messages import names as say_names
from ruleset.diagnostics.messages import seats as say_seats
from ruleset.diagnostics.suggest import nearest
from ruleset.syntax import CodeType, GameFile, Piece, PlaceDecl, PlaceType, Seats
from ruleset.types import Member, SpaceSet, TableRef
from ruleset.world import listed_actions


def check_seats(context: Context, seats: Seats) -> None:
    """The fields of the players: every seat has a value of its own, or the default."""
    context.path = "seats"
    most = context.world.file.max_players
    for name, written in seats.fields.items():
        check_type(context, written, f"the field `{name}`")
        if isinstance(written, CodeType):
            context.add(say_seats.code_of_a_seat(written.span, name))
        if lookup_clash(context, "player", name):
            context.add(say_names.field_taken(written.span, "player", name))
        rows = [row[name] for row in seats.values.values() if name in row]
        rows += [seats.defaults[name]] if name in seats.defaults else []
        for value in rows:
            check_field(context, value, written, name, Scope())
        lacking = [n for n in range(1, most + 1) if name not in seats.values.get(n, {})]
        if lacking and name not in seats.defaults:
            context.add(say_seats.seat_without_value(written.span, name, lacking))
    for number in seats.numbers:
        if int(number.name) > most:
            context.add(say_seats.nobodys_seat(number.span, number.name, most))


def check_place_kind(context: Context, place: PlaceDecl) -> None:
    """A kind of place: whose the places are, their fields, their types."""
    context.path = place.path
    base = _base(context, place)
    for name, written in place.fields.items():
        check_type(context, written, f"the field `{name}`", lists=True)
        if isinstance(written, CodeType):
            context.add(say_names.not_yet(written.span, "code as a field of places"))
        if lookup_clash(context, place.name, name):
            context.add(say_names.field_taken(written.span, place.name, name))
        elif name == ("owner" if base == "player" else base):
            context.add(say.field_is_built_in(written.span, place.name, name))
        if name in place.defaults:
            check_field(context, place.defaults[name], written, name, Scope())
    owned = context.world.owned(place.plural)
    if base and owned is not None and owned[1] == base:
        context.add(say.plural_taken(place, base))
    for each in place.types:
        _type(context, place, each, base)


def _base(context: Context, place: PlaceDecl) -> str:
    """The kind that the places lie on; empty where it is told to be wrong."""
    world, each = context.world, place.each
    kind = world.base_of(place)
    sort = world.kinds[kind].sort if kind in world.kinds else ""
    if sort not in ("player", "space"):
        known = ["player", *world.maps, *world.sets]
        singular = world.plurals.get(each.name)
        close = singular if singular in known else nearest(each.name, known)
        context.add(say.no_board(each, place.name, close))
        return ""
    if each.name in world.sets:
        space_set = world.sets[each.name][1]
        context.refer(each, SpaceSet(kind, each.name))
        if space_set.of is None:
            context.add(say.board_not_listed(each, place.name, space_set.name_span))
    return kind


def _type(context: Context, place: PlaceDecl, each: PlaceType, base: str) -> None:
    context.path = each.path
    if each.at is not None and base == "player":
        context.add(say.on_a_player(each.at, place.name))
    elif each.at is not None and (bases := context.world.bases_of(place)):
        if each.at.name in bases:
            context.refer(each.at, Member(base, each.at.name))
        else:
            context.add(say.not_on_it(each.at, place, nearest(each.at.name, bases)))
    for name, written in place.fields.items():
        value = each.values.get(name)
        if value is not None:
            check_field(context, value, written, name, Scope())
        elif name not in place.defaults:
            context.add(say.place_value_missing(each, place, name))


def check_in_play(context: Context, piece: Piece) -> None:
    """``in play``: a table whose numbers every type can meet."""
    context.path = piece.path
    if piece.in_play is None:
        return
    table = context.world.tables.get(piece.in_play.name)
    if table is None:
        close = nearest(piece.in_play.name, context.world.tables)
        context.add(say_names.no_such(piece.in_play.span, "table", piece.in_play.name, close))
        return
    context.refer(piece.in_play, TableRef(table.name))
    file = context.world.file
    numbers = [
        value for n, value in table.values.items() if file.min_players <= n <= file.max_players
    ]
    if not numbers:
        return
    if piece.starts is None and not all(each.starts for each in piece.types):
        context.add(say.starts_nowhere(piece.in_play, piece))
    if min(numbers) < 0:
        context.add(say.negative_in_play(piece.in_play, table, min(numbers)))
    for each in piece.types:
        if each.copies < max(numbers):
            context.add(say.more_than_copies(each, piece.in_play, table, max(numbers)))
            break


def check_actions(context: Context, file: GameFile) -> None:
    """The names in lists of actions: actions or rules that take the player and nothing else.

    A name that is wrong is told where it stands first.
    """
    world = context.world
    told: set[str] = set()
    for item in listed_actions(file):
        if item.name in told:
            continue
        told.add(item.name)
        rule = world.rules.get(item.name)
        if rule is None or rule.when:
            what = "hook" if rule is not None else ""
            what = "value" if item.name in world.values else what
            what = "step of the flow" if item.name in world.steps else what
            names = [r for r in world.rules if not world.rules[r].when]
            context.add(say.not_an_action(item, what, nearest(item.name, names)))
        elif [world.word_kind(param.name) for param in rule.params] != ["player"]:
            context.add(say.takes_more(item, [param.name for param in rule.params]))
