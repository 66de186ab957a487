"""What the names of a game file stand for.

Takes the records of a ``GameFile``, gives tables to look names up in. Assumes nothing about the
file: a second declaration of a name is reported by ``checking.declarations``, here the first wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleset.source import Span
from ruleset.syntax import (
    CodeType,
    Counter,
    EffectRule,
    Enumeration,
    Forbid,
    GameFile,
    MapDecl,
    MapSet,
    Mark,
    Modifier,
    NamedType,
    NumberType,
    OptionDecl,
    Piece,
    PieceType,
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
    Member,
    NumberT,
    SetT,
    ThingT,
    Type,
    UnknownT,
)

Sort: TypeAlias = Literal[
    "player", "space", "piece", "enumeration", "road", "direction", "end", "type", "side"
]

COMPASS = ("north", "east", "south", "west")
CORNERS = ("northeast", "southeast", "southwest", "northwest")
HEX = ("east", "west", "northeast", "northwest", "southeast", "southwest")
ENDS = ("left", "right", "top", "bottom")


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
                if written.shape in ("set", "list"):
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
    world.kinds.setdefault("end", Kind("end", "", "end", None, 4))


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
