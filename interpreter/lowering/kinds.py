"""The kinds of a game with their members: players, spaces, places, pieces, enumerations.

Takes a checked ruleset, the number of players and the options of the table; members are numbered
in the order of declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from interpreter.ir import nodes as ir
from interpreter.ir.bitsets import members_of
from interpreter.ir.words import NUMBER_NONE, SIDE
from interpreter.lowering.blocks import listed_actions
from interpreter.lowering.boards import Board
from interpreter.lowering.compiled import Kind
from interpreter.lowering.static import constant
from ruleset import syntax as ast
from ruleset.model import Ruleset
from ruleset.types import ThingT
from ruleset.world import ENDS

Face: TypeAlias = "ast.PieceType | ast.PlaceType"


class Kinds:
    """The members of every kind, with this many players."""

    def __init__(self, rules: Ruleset, players: int, options: Mapping[str, str]) -> None:
        self.rules, self.players, self.options = rules, players, options
        self.file, self.facts = rules.file, rules.facts
        self.tables: dict[str, ir.Table] = {}
        self._unnamed: dict[tuple[str, tuple[int, ...], int, str], ir.Table] = {}
        self.kinds: dict[str, Kind] = {}
        self.boards: dict[str, Board] = {}
        self.pieces = {piece.name: piece for piece in self.file.pieces}
        self.places = {place.name: place for place in self.file.places}
        self.place_of: dict[str, tuple[int, ...]] = {}
        """Of each kind of place the player or space to which each belongs."""
        self._kinds()

    def _kinds(self) -> None:
        seats = tuple(str(k + 1) for k in range(self.players))
        self._kind("player", seats, tuple(f"players.{seat}" for seat in seats))
        self._kind("end", ENDS, ENDS)
        for kind in self.file.enumerations:
            names = tuple(member.name for member in kind.members)
            self._kind(kind.name, names, tuple(f"kinds.{kind.name}.{name}" for name in names))
        for board in self.file.maps:
            self.boards[board.kind] = Board(board)
            names = tuple(space.name for space in board.spaces)
            self._kind(board.kind, names, tuple(f"{board.path}.{name}" for name in names))
            if self.boards[board.kind].directions:
                directions = self.boards[board.kind].directions
                self._kind("direction", directions, directions)
            if board.roads:
                roads = tuple(f"{road.a}-{road.b}" for road in board.roads)
                self._kind("road", roads, roads)
        for place in self.file.places:
            self._places(place)
        for piece in self.file.pieces:
            self._pieces(piece)
        actions = listed_actions(self.file)
        self._kind("action", actions, tuple(f"rules.{name}" for name in actions))

    def _kind(self, name: str, ids: tuple[str, ...], paths: tuple[str, ...]) -> None:
        self.kinds[name] = Kind(name, ids, paths)

    def _places(self, place: ast.PlaceDecl) -> None:
        kind = self.each_kind(place)
        everybody = self.kinds[kind].ids
        wanted = [everybody[k] for k in members_of(self._each_set(place))]
        ids: list[str] = []
        paths: list[str] = []
        types: list[int] = []
        places: list[int] = []
        for member in wanted:
            for number, face in enumerate(place.types):
                if face.at is not None and face.at.name != member:
                    continue
                for copy in range(face.copies):
                    prefix = f"p{member}." if kind == "player" else f"{member}."
                    ids.append(prefix + face.name + (f"#{copy + 1}" if face.copies > 1 else ""))
                    paths.append(face.path)
                    types.append(number)
                    places.append(everybody.index(member))
        owner = tuple(places) if kind == "player" else ()
        self.kinds[place.name] = Kind(place.name, tuple(ids), tuple(paths), owner, tuple(types))
        self.place_of[place.name] = tuple(places)

    def each_kind(self, place: ast.PlaceDecl) -> str:
        """The kind of what the places lie on."""
        if place.each.name in self.kinds:
            return place.each.name
        return next(m.kind for m in self.file.maps for s in m.sets if s.name == place.each.name)

    def _each_set(self, place: ast.PlaceDecl) -> int:
        kind = self.each_kind(place)
        if place.each.name == kind:
            return self.all_of(kind)
        return self.space_set(kind, place.each.name)

    def _pieces(self, piece: ast.Piece) -> None:
        ids: list[str] = []
        paths: list[str] = []
        owners: list[int] = []
        types: list[int] = []
        for number, face in enumerate(piece.types):
            each = face.each or piece.each
            for owner in range(self.players) if each is not None else (-1,):
                for copy in range(face.copies):
                    prefix = f"p{owner + 1}." if owner >= 0 else ""
                    ids.append(prefix + face.name + (f"#{copy + 1}" if face.copies > 1 else ""))
                    paths.append(face.path)
                    owners.append(owner)
                    types.append(number)
        self.kinds[piece.name] = Kind(
            piece.name, tuple(ids), tuple(paths), tuple(owners), tuple(types)
        )
        faces = tuple(face.name for face in piece.types)
        self._kind(f"{piece.name}.type", faces, tuple(face.path for face in piece.types))
        sides = tuple(side.name for side in piece.sides)
        self._kind(piece.name + SIDE, sides, tuple(f"{piece.path}.sides.{s}" for s in sides))

    def size(self, kind: str) -> int:
        """How many members a kind has."""
        return len(self.kinds[kind].ids)

    def all_of(self, kind: str) -> int:
        """All members of a kind, as a set."""
        return (1 << self.size(kind)) - 1

    def only(self, kind: str, type_: str) -> int:
        """The one piece of a type."""
        return self.kinds[kind].type.index(self.kinds[f"{kind}.type"].ids.index(type_))

    def of_type(self, kind: str, type_: str) -> int:
        """The pieces of a type, as a set."""
        number = self.kinds[f"{kind}.type"].ids.index(type_)
        return sum(1 << k for k, t in enumerate(self.kinds[kind].type) if t == number)

    def option(self, name: str) -> int:
        """The value of an option of the table."""
        option = next(o for o in self.file.options if o.name == name)
        text = self.options.get(name, option.default)
        return self.written(option.type, text)

    def written(self, type_: ast.TypeExpr, text: str) -> int:
        """A value written as text: a number, a flag, a member of a kind."""
        if isinstance(type_, ast.NumberType):
            return int(text)
        assert isinstance(type_, ast.NamedType)
        if type_.name == "flag":
            return int(text == "true")
        return self.kinds[type_.name].ids.index(text)

    def table_value(self, name: str) -> int:
        """The number of a table for this number of players."""
        return next(t for t in self.file.tables if t.name == name).values[self.players]

    def space_set(self, kind: str, name: str) -> int:
        """A named set of spaces."""
        board = next(m for m in self.file.maps if m.kind == kind)
        chosen = next(s for s in board.sets if s.name == name)
        ids = self.kinds[kind].ids
        if chosen.of is not None:
            return sum(1 << ids.index(space.name) for space in chosen.of)
        assert chosen.where is not None
        return sum(1 << k for k in range(len(ids)) if constant(self, chosen.where, {kind: k}))

    def owner_of(self, kind: str, member: int) -> int:
        """The player to whom a member of a kind belongs: itself, its owner, or -1."""
        if kind == "player":
            return member
        owners = self.kinds[kind].owner
        return owners[member] if owners else -1

    # ---- tables

    def table(
        self, name: str, rows: Iterable[int], absent: int = 0, type_: Literal["i", "s"] = "i"
    ) -> ir.Table:
        """A constant table, made once."""
        if name not in self.tables:
            self.tables[name] = ir.Table(name, type_, tuple(rows), absent)
        return self.tables[name]

    def unnamed(
        self, stem: str, rows: Iterable[int], absent: int = 0, type_: Literal["i", "s"] = "i"
    ) -> ir.Table:
        """A constant table that lowering thought of: two of like content are one."""
        content = (stem, tuple(rows), absent, type_)
        if content not in self._unnamed:
            name = f"{stem}~{len(self._unnamed)}"
            self._unnamed[content] = self.table(name, content[1], absent, type_)
        return self._unnamed[content]

    def attribute_table(self, kind: str, name: str) -> ir.Table:
        """``owner``, ``type`` of pieces; ``row``, ``column`` of cells."""
        if name == "owner":
            owners = [self.owner_of(kind, k) for k in range(self.size(kind))]
            return self.table(f"{kind}.owner", owners, -1)
        if name == "type":
            return self.table(f"{kind}.type", self.kinds[kind].type, -1)
        if name == "space_of":
            return self.table(f"{kind}.space", self.place_of[kind], -1)
        board = self.boards[kind]
        rows = [board.columns_rows[k][0 if name == "column" else 1] for k in range(self.size(kind))]
        return self.table(f"{kind}.{name}", rows, NUMBER_NONE)

    def own_table(self, kind: str, every: bool) -> ir.Table:
        """The one piece of a kind that is each player's, or the set of all of them."""
        owners = self.kinds[kind].owner
        if every:
            masks = [
                sum(1 << k for k, owner in enumerate(owners) if owner == player)
                for player in range(self.players)
            ]
            return self.table(f"player.{kind}.every", masks, 0, "s")
        return self.table(f"player.{kind}", [owners.index(p) for p in range(self.players)], -1)

    def field_table(self, kind: str, name: str) -> ir.Table:
        """A declared field: of each piece, space or road."""
        if kind == "road":
            town = next(m for m in self.file.maps if m.roads)
            letters = {letter for letter, flag in town.flags.items() if flag == name}
            found = (int(any(f in letters for f in road.flags)) for road in town.roads)
            return self.table(f"road.{name}", found)
        if kind == "player":
            seats = self.file.seats
            assert seats is not None
            type_ = seats.fields[name]
            own = [seats.values.get(k + 1, {}).get(name) for k in range(self.players)]
            default = seats.defaults.get(name)
            rows = [self._field_value(type_, value or default) for value in own]
        elif kind in self.pieces or kind in self.places:
            piece = self.pieces.get(kind) or self.places[kind]
            values = [self._value(piece, face, name) for face in piece.types]
            rows = [values[t] for t in self.kinds[kind].type]
            type_ = piece.fields[name]
        else:
            board = self.boards[kind].decl
            type_ = board.fields[name]
            given, default = board.values.get(name, {}), board.defaults.get(name)
            rows = []
            for space in board.spaces:
                value = given.get(space.name, default)
                rows.append(self._field_value(type_, value))
        if _is_set(type_):
            return self.table(f"{kind}.{name}", rows, 0, "s")
        return self.table(f"{kind}.{name}", rows, absent_of(type_))

    def _value(self, piece: ast.Piece | ast.PlaceDecl, face: Face, name: str) -> int:
        return self._field_value(
            piece.fields[name], face.values.get(name, piece.defaults.get(name))
        )

    def _field_value(self, type_: ast.TypeExpr, value: ast.FieldValue | None) -> int:
        if value is None:
            return absent_of(type_) if not isinstance(type_, ast.NumberType) else type_.low or 0
        if isinstance(value.value, tuple):
            assert isinstance(type_, ast.NamedType)
            ids = self.kinds[type_.name].ids
            named = [item.name for item in value.value if isinstance(item, ast.Ident)]
            return sum(1 << ids.index(each) for each in dict.fromkeys(named))
        found = constant(self, value.value, {})
        assert found is not None
        one = isinstance(self.facts.types.get(value.value), ThingT)
        return 1 << found if _is_set(type_) and one and found >= 0 else found


def _is_set(type_: ast.TypeExpr) -> bool:
    return isinstance(type_, ast.NamedType) and type_.shape == "set"


def absent_of(type_: ast.TypeExpr) -> int:
    """What a field of that type says of no thing."""
    match type_:
        case ast.NumberType():
            return NUMBER_NONE
        case ast.NamedType(_, "flag"):
            return 0
        case _:
            return -1
