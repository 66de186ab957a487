"""What stands after a dot. A dot after a set goes to each of its members; after none it is none."""

from __future__ import annotations

from ruleset.checking.context import Context
from ruleset.checking.kinds import (
    UNKNOWN,
    is_unknown,
    kind_in_words,
    perhaps,
)
from ruleset.checking.names import of_the_game
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import boards as say_boards
from ruleset.diagnostics.messages import checking as say
from ruleset.diagnostics.messages import names as say_names
from ruleset.diagnostics.suggest import nearest
from ruleset.syntax import Attribute, MapDecl, Name, Piece, PlaceDecl
from ruleset.types import (
    BoxOf,
    BuiltIn,
    CodeT,
    CounterRef,
    FieldRef,
    FlagT,
    ListT,
    LocationRef,
    MarkRef,
    NumberT,
    OwnRef,
    PlacesOf,
    Ref,
    SetT,
    ThingT,
    Type,
    ZoneRef,
)
from ruleset.world import World

Meaning = tuple[Ref, Type]


def infer_attribute(context: Context, node: Attribute, scope: Scope) -> Type:
    """The type of ``of.name``; keeps what the name after the dot refers to."""
    of = context.infer(node.of, scope)
    if is_unknown(of):
        return UNKNOWN
    if of == ThingT("game"):
        return _of_the_game(context, node)
    if of == ThingT("box"):
        return _in_the_box(context, node)
    if not isinstance(of, ThingT | SetT):
        context.add(say_names.no_attributes(node, of, _undeclared(node, scope)))
        return UNKNOWN
    if of.kind == "none" or of.kind.startswith("set of "):
        context.add(say_names.no_attributes(node, of, False))
        return UNKNOWN
    found = lookup(context.world, of.kind, node.name)
    if found is None:
        _unknown(context, node, of.kind)
        return UNKNOWN
    context.refer(node, found[0])
    return _through(context, node, of, found[1])


def _through(context: Context, node: Attribute, of: ThingT | SetT, found: Type) -> Type:
    if isinstance(of, ThingT):
        return perhaps(found) if of.maybe else found
    match found:
        case NumberT():
            return SetT("number")
        case ThingT(kind) | SetT(kind):
            return SetT(kind)
        case ListT():
            context.add(say_boards.list_of_each(node))
            return UNKNOWN
        case _:
            context.add(say.flag_of_a_set(node))
            return UNKNOWN


def _undeclared(node: Attribute, scope: Scope) -> bool:
    name = node.of
    return (
        isinstance(name, Name) and name.name in scope.names and not scope.names[name.name].declared
    )


def _of_the_game(context: Context, node: Attribute) -> Type:
    found = of_the_game(context, node.name)
    if found is not None:
        context.refer(node, found[0])
        return found[1]
    world = context.world
    owned = world.owned(node.name)
    if owned is not None:
        context.add(say_names.whose(node.name_span, node.name, owned[0], owned[1], []))
        return UNKNOWN
    own = [n for n in (*world.zones, *world.counters, *world.marks) if of_the_game(context, n)]
    context.add(say_names.no_attribute(node, "game", nearest(node.name, own), None))
    return UNKNOWN


def _in_the_box(context: Context, node: Attribute) -> Type:
    """``box.cards``: the pieces of one kind that are out of the game."""
    plurals = {piece.plural: piece.name for piece in context.world.pieces.values()}
    kind = plurals.get(node.name)
    if kind is None:
        close = nearest(node.name, plurals)
        context.add(say_names.no_attribute(node, "the box", close, None, list(plurals)))
        return UNKNOWN
    context.refer(node, BoxOf(kind))
    return SetT(kind)


def lookup(world: World, kind: str, name: str) -> Meaning | None:
    """What ``name`` is of a thing of a kind."""
    return (
        _owned(world, kind, name)
        or _of_piece(world, world.pieces.get(kind), name)
        or _of_space(world.maps.get(kind), kind, name, world)
        or _of_seat(world, kind, name)
        or _of_place(world, world.places.get(kind), name)
        or _own_places(world, kind, name)
        or _of_road(world, kind, name)
        or _own_pieces(world, kind, name)
    )


def _owned(world: World, kind: str, name: str) -> Meaning | None:
    zone, counter, mark = world.zones.get(name), world.counters.get(name), world.marks.get(name)
    if zone is not None and zone.each is not None and zone.each.name == kind:
        return ZoneRef(name), world.contents(zone)
    if counter is not None and counter.each is not None and counter.each.name == kind:
        return CounterRef(name), NumberT(counter.low, counter.high)
    if mark is not None and mark.each is not None and mark.each.name == kind:
        return MarkRef(name), world.declared_type(mark.type)
    return None


def _of_piece(world: World, piece: Piece | None, name: str) -> Meaning | None:
    if piece is None:
        return None
    if name in piece.fields:
        return FieldRef(piece.name, name), world.declared_type(piece.fields[name])
    stays = piece.stays_in.name if piece.stays_in else ""
    match name:
        case "owner":
            owned = piece.each or next((t.each for t in piece.types if t.each), None)
            return (BuiltIn("owner"), ThingT("player", piece.each is None)) if owned else None
        case "holder":
            return BuiltIn("holder"), ThingT("player", stays != "player")
        case "type":
            return BuiltIn("type"), ThingT(f"{piece.name}.type")
        case "side" if piece.pips is not None:
            return BuiltIn("side"), pips(piece)
        case "side" if piece.sides:
            return BuiltIn("side"), ThingT(f"{piece.name}.side")
    if any(zone.each is not None and zone.each.name == name for zone in world.zones_of(piece.name)):
        return LocationRef(name), ThingT(name, stays != name)
    return None


def pips(piece: Piece) -> NumberT:
    """The numbers on the sides of a die."""
    low = piece.pips or 0
    return NumberT(low, low + len(piece.sides) - 1)


def _of_space(board: MapDecl | None, kind: str, name: str, world: World) -> Meaning | None:
    if board is None:
        return None
    if name in board.fields:
        return FieldRef(kind, name), world.declared_type(board.fields[name])
    if board.shape in ("grid", "hex") and name in ("column", "row"):
        return BuiltIn(name), NumberT(1, board.columns if name == "column" else board.rows)
    return None


def _of_place(world: World, place: PlaceDecl | None, name: str) -> Meaning | None:
    if place is None:
        return None
    if name in place.fields:
        return FieldRef(place.name, name), world.declared_type(place.fields[name])
    base = world.base_of(place)
    if name == "owner" and base == "player":
        return BuiltIn("owner"), ThingT("player")
    if name == base and base != "player":
        return BuiltIn("space_of"), ThingT(base)
    return None


def _of_seat(world: World, kind: str, name: str) -> Meaning | None:
    """A field of the players, which each seat has its own value of."""
    seats = world.file.seats
    if kind != "player" or seats is None or name not in seats.fields:
        return None
    return FieldRef("player", name), world.declared_type(seats.fields[name])


def _own_places(world: World, kind: str, name: str) -> Meaning | None:
    """``me.slots``: the places of a kind that lie on a player's board or on a space."""
    place = world.places.get(world.plurals.get(name, ""))
    if place is None or world.base_of(place) != kind:
        return None
    return PlacesOf(place.name), SetT(place.name, row=True)


def _of_road(world: World, kind: str, name: str) -> Meaning | None:
    if kind == "road" and any(name in board.flags.values() for board in world.maps.values()):
        return FieldRef("road", name), FlagT()
    return None


def _own_pieces(world: World, kind: str, name: str) -> Meaning | None:
    """``me.pawn`` where each player has one pawn, ``me.pawns`` for all that are the player's."""
    if kind != "player":
        return None
    piece = world.pieces.get(world.plurals.get(name, name))
    if piece is None or not _each_player(piece):
        return None
    if name == piece.plural:
        return OwnRef(piece.name, True), SetT(piece.name)
    copies = sum(t.copies for t in piece.types)
    return (OwnRef(piece.name), ThingT(piece.name)) if copies == 1 else None


def _each_player(piece: Piece) -> bool:
    return piece.each is not None and piece.each.name == "player"


def attribute_names(world: World, kind: str) -> list[str]:
    """All that can stand after a dot after a thing of a kind."""
    names = [*world.zones, *world.counters, *world.marks]
    if kind == "player":
        names += world.file.seats.fields if world.file.seats is not None else ()
        names += [*world.pieces, *(piece.plural for piece in world.pieces.values())]
    piece, board = world.pieces.get(kind), world.maps.get(kind)
    if piece is not None:
        names += [*piece.fields, "owner", "holder", "type", "side", *world.kinds]
    if board is not None:
        names += [*board.fields, "column", "row"]
    place = world.places.get(kind)
    if place is not None:
        names += [*place.fields, "owner", world.base_of(place)]
    names += [each.plural for each in world.places.values()]
    names += [flag for board in world.maps.values() for flag in board.flags.values()]
    return [name for name in dict.fromkeys(names) if lookup(world, kind, name)]


def _unknown(context: Context, node: Attribute, kind: str) -> None:
    world = context.world
    names = attribute_names(world, kind)
    owned = world.owned(node.name)
    other = owned[1] if owned is not None else None
    if other == "":
        context.add(say_names.of_the_game(node))
        return
    if node.name == "owner" and kind in world.pieces:
        context.add(say_names.no_owner(node, kind))
        return
    if kind in world.pieces and node.name in world.kinds and other is None:
        context.add(say_names.never_lies_there(node, kind, node.name))
        return
    close = nearest(node.name, names)
    context.add(say_names.no_attribute(node, kind_in_words(kind), close, other, names))


def code_type(world: World, of: Type, name: str) -> CodeT | None:
    """The type of the code ``name`` that lies on a piece, if there is any."""
    if not isinstance(of, ThingT | SetT):
        return None
    piece = world.pieces.get(of.kind)
    if piece is None or name not in piece.fields:
        return None
    found = world.declared_type(piece.fields[name])
    return found if isinstance(found, CodeT) else None
