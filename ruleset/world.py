"""What the names of a game file stand for.

Takes the records of a ``GameFile``, gives tables to look names up in. Assumes nothing about the
file: a second declaration of a name is reported by ``checking.declarations``, here the first wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleset.source import Span
from ruleset.syntax import (
    CodeType,
    Counter,
    EffectRule,
    Enumeration,
    FieldValue,
    Forbid,
    GameFile,
    Ident,
    MapDecl,
    MapSet,
    Mark,
    Modifier,
    NamedType,
    NumberType,
    OptionDecl,
    Piece,
    PieceType,
    PlaceDecl,
    Rule,
    Step,
    Table,
    TypeExpr,
    ValueRule,
    Zone,
)
from ruleset.types import (
    CodeT,
    FlagT,
    ListT,
    Member,
    NumberT,
    SetT,
    ThingT,
    Type,
    UnknownT,
)

Sort: TypeAlias = Literal[
    "player",
    "space",
    "piece",
    "enumeration",
    "road",
    "direction",
    "end",
    "type",
    "side",
    "place",
    "action",
]

COMPASS = ("north", "east", "south", "west")
CORNERS = ("northeast", "southeast", "southwest", "northwest")
HEX = ("east", "west", "northeast", "northwest", "southeast", "southwest")
ENDS = ("left", "right", "top", "bottom")
ACTION = "action"
"""The kind of the actions that list fields name."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing; ``size`` is how many there are at most, None where that is not known."""

    name: str
    plural: str
    sort: Sort
    span: Span | None
    size: int | None = None


@dataclass(slots=True)
class World:
    """The declarations of one game file by name."""

    file: GameFile
    kinds: dict[str, Kind] = field(default_factory=dict)
    plurals: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    members: dict[str, list[Member]] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    marks: dict[str, Mark] = field(default_factory=dict)
    options: dict[str, OptionDecl] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    maps: dict[str, MapDecl] = field(default_factory=dict)
    """By the kind of its spaces."""
    sets: dict[str, tuple[str, MapSet]] = field(default_factory=dict)
    spaces: dict[str, Member] = field(default_factory=dict)
    """By the names that a map gives to some of its spaces besides their own."""
    places: dict[str, PlaceDecl] = field(default_factory=dict)
    pieces: dict[str, Piece] = field(default_factory=dict)
    types: dict[tuple[str, str], PieceType] = field(default_factory=dict)
    steps: dict[str, Step] = field(default_factory=dict)
    values: dict[str, ValueRule] = field(default_factory=dict)
    rules: dict[str, EffectRule] = field(default_factory=dict)
    """Rules, actions and hooks, those on pieces too."""
    held: list[tuple[Piece, PieceType, Rule]] = field(default_factory=list)

    def param_type(self, name: str) -> Type:
        """The type that a parameter has by its name alone."""
        kind = self.word_kind(name)
        return ThingT(kind) if kind else NumberT()

    def word_kind(self, name: str) -> str | None:
        """The kind that a name has wherever it is bound: by ``words``, or as a kind's own name."""
        if name in self.words:
            return self.words[name]
        return name if name in self.kinds else None

    def all_rules(self) -> Iterator[Rule]:
        """Every rule, then those that pieces bring."""
        yield from self.file.rules
        for _, _, rule in self.held:
            yield rule

    def modifiers(self) -> Iterator[Modifier]:
        """Every modifier of a value."""
        return (rule for rule in self.all_rules() if isinstance(rule, Modifier))

    def forbids(self) -> Iterator[Forbid]:
        """Every rule that forbids an action."""
        return (rule for rule in self.all_rules() if isinstance(rule, Forbid))

    def hooks(self) -> Iterator[EffectRule]:
        """Every rule with ``when``."""
        return (r for r in self.all_rules() if isinstance(r, EffectRule) and r.when)

    def declared_type(self, written: TypeExpr) -> Type:
        """The type that stands in a declaration; Unknown where it names no kind."""
        match written:
            case NumberType():
                return NumberT(written.low, written.high)
            case CodeType():
                kinds = tuple(self.kind_or_number(p.name) for p in written.params)
                return CodeT(written.kind, kinds)
            case NamedType(name="flag", shape="one"):
                return FlagT()
            case NamedType(name="number", shape="one"):
                return NumberT()
            case NamedType():
                if written.name not in self.kinds and written.name != "number":
                    return UnknownT()
                if written.shape == "list":
                    return ListT(written.name)
                if written.shape == "set":
                    return SetT(written.name)
                maybe = written.shape == "or none"
                if written.name == "number":
                    return NumberT(maybe=maybe)
                return ThingT(written.name, maybe)

    def kind_or_number(self, name: str) -> str:
        """The kind of a parameter of that name, ``number`` where it has no word."""
        return self.word_kind(name) or "number"

    def contents(self, zone: Zone) -> Type:
        """What a zone reads as: the piece itself where it holds at most one, else a set."""
        if zone.high == 1:
            return ThingT(zone.of.name, maybe=zone.low == 0)
        return SetT(zone.of.name, row=zone.order in ("row", "pile", "slots"))

    def only_piece(self, kind: str, name: str) -> bool:
        """Whether a type has exactly one copy in the whole game."""
        found = self.types.get((kind, name))
        piece = self.pieces.get(kind)
        if found is None or piece is None:
            return False
        return found.copies == 1 and found.each is None and piece.each is None

    def owned(self, name: str) -> tuple[str, str] | None:
        """The sort of a zone, counter or mark, and the kind whose it is; empty for the game."""
        record: Zone | Counter | Mark | None = self.zones.get(name)
        sort = "zone"
        if record is None:
            record, sort = self.counters.get(name), "counter"
        if record is None:
            record, sort = self.marks.get(name), "mark"
        if record is None:
            return None
        return sort, record.each.name if record.each is not None else ""

    def base_of(self, place: PlaceDecl) -> str:
        """The kind that places lie on: ``player``, or a kind of spaces; empty where unknown."""
        name = place.each.name
        if name in self.sets:
            return self.sets[name][0]
        return name if name in self.kinds else ""

    def bases_of(self, place: PlaceDecl) -> tuple[str, ...] | None:
        """The spaces that places lie on, by name; None where these are players, or unknown."""
        name = place.each.name
        if name in self.sets:
            listed = self.sets[name][1].of
            return None if listed is None else tuple(dict.fromkeys(ident.name for ident in listed))
        board = self.maps.get(name)
        return None if board is None else tuple(space.name for space in board.spaces)

    def longest(self, kind: str, name: str) -> int:
        """How many names the longest list in a field has."""
        rows: list[FieldValue] = []
        record = self.pieces.get(kind) or self.places.get(kind) or self.maps.get(kind)
        if record is None:
            return 0
        rows += [record.defaults[name]] if name in record.defaults else []
        if isinstance(record, MapDecl):
            rows += record.values.get(name, {}).values()
        else:
            rows += [each.values[name] for each in record.types if name in each.values]
        return max((len(row.value) for row in rows if isinstance(row.value, tuple)), default=0)

    def zones_of(self, kind: str) -> list[Zone]:
        """The zones that hold a kind of piece."""
        return [zone for zone in self.zones.values() if zone.of.name == kind]


def build_world(file: GameFile) -> World:
    """Tables of all that a file declares."""
    world = World(file)
    _add_kinds(world)
    _add_members(world)
    world.words = {name: kind.name for name, kind in file.words.types.items()}
    if not world.words:
        world.words = {"me": "player"}
    for zone in file.zones:
        world.zones.setdefault(zone.name, zone)
    for counter in file.counters:
        world.counters.setdefault(counter.name, counter)
    for mark in file.marks:
        world.marks.setdefault(mark.name, mark)
    for option in file.options:
        world.options.setdefault(option.name, option)
    for table in file.tables:
        world.tables.setdefault(table.name, table)
    for step in file.flow:
        world.steps.setdefault(step.name, step)
    _add_rules(world)
    return world


def _add_kinds(world: World) -> None:
    file = world.file
    _kind(world, Kind("player", "players", "player", None, file.max_players))
    for enumeration in file.enumerations:
        size = len(enumeration.members)
        _kind(world, _of(enumeration, enumeration.plural, "enumeration", size))
    for board in file.maps:
        kind = Kind(board.kind, board.plural, "space", board.name_span, len(board.spaces))
        _kind(world, kind)
        world.maps.setdefault(board.kind, board)
        for space_set in board.sets:
            world.sets.setdefault(space_set.name, (board.kind, space_set))
        for name, space in board.places.items():
            world.spaces.setdefault(name, Member(board.kind, space.name))
        if board.roads:
            _kind(world, Kind("road", "roads", "road", board.name_span, len(board.roads)))
        if board.shape in ("grid", "hex"):
            _kind(world, Kind("direction", "directions", "direction", None, 8))
    for piece in file.pieces:
        _kind(world, _of(piece, piece.plural, "piece", _piece_count(world, piece)))
        world.pieces.setdefault(piece.name, piece)
        types = Kind(f"{piece.name}.type", "", "type", piece.name_span, len(piece.types))
        world.kinds.setdefault(types.name, types)
        if piece.sides:
            sides = Kind(f"{piece.name}.side", "", "side", piece.name_span, len(piece.sides))
            world.kinds.setdefault(sides.name, sides)
    for place in file.places:
        kind = Kind(place.name, place.plural, "place", place.name_span, _place_count(world, place))
        _kind(world, kind)
        world.places.setdefault(place.name, place)
    if actions := {ident.name for ident in listed_actions(file)}:
        world.kinds.setdefault(ACTION, Kind(ACTION, "", "action", None, len(actions)))
    world.kinds.setdefault("end", Kind("end", "", "end", None, 4))


def listed_actions(file: GameFile) -> Iterator[Ident]:
    """The names in every list of actions."""
    records: tuple[Piece | PlaceDecl, ...] = (*file.pieces, *file.places)
    for record in records:
        rows: list[Mapping[str, FieldValue]] = [record.defaults]
        rows += [each.values for each in record.types]
        yield from _actions_in(record.fields, rows)
    for board in file.maps:
        for name, values in board.values.items():
            rows = [{name: value} for value in values.values()]
            yield from _actions_in(board.fields, rows)
        yield from _actions_in(board.fields, [board.defaults])


def _actions_in(
    fields: Mapping[str, TypeExpr], rows: Iterable[Mapping[str, FieldValue]]
) -> Iterator[Ident]:
    lists = [name for name, written in fields.items() if is_list_of_actions(written)]
    for row in rows:
        for name in lists:
            value = row[name].value if name in row else ()
            if isinstance(value, tuple):
                yield from (item for item in value if isinstance(item, Ident))


def is_list_of_actions(written: TypeExpr) -> bool:
    """Whether a type is ``list of action``."""
    return isinstance(written, NamedType) and (written.shape, written.name) == ("list", ACTION)


def _place_count(world: World, place: PlaceDecl) -> int | None:
    """How many places of a kind there are with most players; None where that is not known."""
    if place.each.name == "player":
        return sum(each.copies for each in place.types) * world.file.max_players
    bases = world.bases_of(place)
    if bases is None:
        return None
    return sum(
        each.copies * (len(bases) if each.at is None else 1)
        for each in place.types
        if each.at is None or each.at.name in bases
    )


def _of(record: Enumeration | Piece, plural: str, sort: Sort, size: int) -> Kind:
    return Kind(record.name, plural, sort, record.name_span, size)


def _kind(world: World, kind: Kind) -> None:
    world.kinds.setdefault(kind.name, kind)
    if kind.plural:
        world.plurals.setdefault(kind.plural, kind.name)


def _piece_count(world: World, piece: Piece) -> int:
    players = world.file.max_players
    total = sum(t.copies * (players if t.each else 1) for t in piece.types)
    return total * (players if piece.each else 1)


def _add_members(world: World) -> None:
    file = world.file
    for enumeration in file.enumerations:
        _members(world, enumeration.name, (m.name for m in enumeration.members))
    for board in file.maps:
        _members(world, board.kind, (space.name for space in board.spaces))
    for piece in file.pieces:
        for piece_type in piece.types:
            world.types.setdefault((piece.name, piece_type.name), piece_type)
        _members(world, f"{piece.name}.type", (t.name for t in piece.types))
        _members(world, f"{piece.name}.side", (side.name for side in piece.sides))
    _members(world, ACTION, (ident.name for ident in listed_actions(file)))
    shapes = {board.shape for board in file.maps}
    if "grid" in shapes:
        _members(world, "direction", (*COMPASS, *CORNERS))
    elif "hex" in shapes:
        _members(world, "direction", HEX)
    _members(world, "end", ENDS)


def _members(world: World, kind: str, names: Iterable[str]) -> None:
    for name in names:
        here = world.members.setdefault(name, [])
        if Member(kind, name) not in here:
            here.append(Member(kind, name))


def _add_rules(world: World) -> None:
    for piece in world.file.pieces:
        for piece_type in piece.types:
            for rule in piece_type.while_held:
                world.held.append((piece, piece_type, rule))
    for rule in world.all_rules():
        if isinstance(rule, ValueRule):
            world.values.setdefault(rule.name, rule)
        elif isinstance(rule, EffectRule):
            world.rules.setdefault(rule.name, rule)
