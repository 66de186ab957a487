"""The box unpacked for a number of players: kinds and members, zones, pieces, tables, fields.

Takes a checked ruleset, the number of players and the options; assumes that the checker found no
fault. Everything that the file fixes becomes a constant or a table here; what can change becomes a
field or a group of the Program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

from interpreter.ir import nodes as ir
from interpreter.lowering.boards import Board
from interpreter.lowering.compiled import CounterInfo, Kind
from interpreter.lowering.static import NUMBER_NONE, constant
from ruleset import syntax as ast
from ruleset.model import Ruleset
from ruleset.types import BoxRef, FlagT, NumberT, OnlyPiece, SetT, ThingT, Type, ZoneRef

ENDS: Final = ("left", "right", "top", "bottom")
OPEN: Final = 1_000_000_000
"""Stands for no bound of a counter."""


class Box:
    """What a game of this many players consists of."""

    def __init__(self, rules: Ruleset, players: int, options: Mapping[str, str]) -> None:
        self.rules, self.players, self.options = rules, players, options
        self.file, self.facts = rules.file, rules.facts
        self.tables: dict[str, ir.Table] = {}
        self.kinds: dict[str, Kind] = {}
        self.boards: dict[str, Board] = {}
        self.zones = {zone.name: zone for zone in self.file.zones}
        self.pieces = {piece.name: piece for piece in self.file.pieces}
        self.counters: dict[str, CounterInfo] = {}
        self._kinds()
        self.zone_base: dict[str, int] = {}
        self.zone_lists: dict[str, list[ir.ZoneInstance]] = {}
        self._zones()

    # ---- kinds

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
        for piece in self.file.pieces:
            self._pieces(piece)

    def _kind(self, name: str, ids: tuple[str, ...], paths: tuple[str, ...]) -> None:
        self.kinds[name] = Kind(name, ids, paths)

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
        self._kind(f"{piece.name}.side", sides, tuple(f"{piece.path}.sides.{s}" for s in sides))

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

    # ---- zones and groups

    def _zones(self) -> None:
        for piece in self.file.pieces:
            instances = [ir.ZoneInstance("box", -1)]
            for zone in self.file.zones:
                if zone.of.name != piece.name:
                    continue
                self.zone_base[zone.name] = len(instances)
                for k in range(self.size(zone.each.name)) if zone.each else (-1,):
                    instances.append(
                        ir.ZoneInstance(
                            zone.name,
                            k,
                            ordered=zone.order in ("row", "pile", "slots"),
                            keeps_gaps=zone.order == "slots",
                            capacity=-1 if zone.high is None else zone.high,
                            seen=zone.seen_by,
                            viewer=self.owner_of(zone.each.name, k) if zone.each else -1,
                        )
                    )
            self.zone_lists[piece.name] = instances

    def owner_of(self, kind: str, member: int) -> int:
        """The player to whom a member of a kind belongs: itself, its owner, or -1."""
        if kind == "player":
            return member
        owners = self.kinds[kind].owner
        return owners[member] if owners else -1

    def groups(self) -> dict[str, ir.Group]:
        """One group a kind of piece, with the zone in which each piece starts."""
        return {
            piece.name: ir.Group(
                piece.name,
                self.size(piece.name),
                tuple(self.zone_lists[piece.name]),
                self._starts(piece),
                self._alike(piece),
            )
            for piece in self.file.pieces
        }

    def _starts(self, piece: ast.Piece) -> tuple[int, ...]:
        kind = self.kinds[piece.name]
        return tuple(
            self.start_zone(piece.types[kind.type[k]].starts or piece.starts, kind.owner[k])
            for k in range(len(kind.ids))
        )

    def start_zone(self, starts: ast.Expr | None, owner: int) -> int:
        """The zone that ``starts`` names, for a piece of that owner."""
        if starts is None:
            return 0
        match self.facts.refs.get(starts):
            case BoxRef():
                return 0
            case ZoneRef(name) if isinstance(starts, ast.Attribute) and self.zones[name].each:
                member = constant(self, starts.of, {"owner": owner})
                if member is None and isinstance(starts.of, ast.Name) and starts.of.name == "owner":
                    member = owner
                assert member is not None
                return self.zone_base[name] + member
            case ZoneRef(name):
                return self.zone_base[name]
        raise AssertionError(f"{starts.span}: starts is no zone")

    def _alike(self, piece: ast.Piece) -> tuple[int, ...]:
        kind = self.kinds[piece.name]
        owners = [
            *(z.each for z in self.file.zones),
            *(c.each for c in self.file.counters),
            *(m.each for m in self.file.marks),
        ]
        kept_apart = any(each is not None and each.name == piece.name for each in owners)
        if kept_apart or piece.sides:
            return tuple(range(len(kind.ids)))
        pairs = list(zip(kind.type, kind.owner, strict=True))
        return tuple(pairs.index(pair) for pair in pairs)

    # ---- fields of the state

    def fields(self) -> tuple[dict[str, ir.Field], dict[str, ir.SetField]]:
        """Counters, marks and sides; a start that only play knows is set by the main function."""
        numbers: dict[str, ir.Field] = {}
        sets: dict[str, ir.SetField] = {}
        for counter in self.file.counters:
            low = -OPEN if counter.low is None else counter.low
            high = OPEN if counter.high is None else counter.high
            start = constant(self, counter.start, {}) if counter.start is not None else None
            first = max(low, 0) if start is None else start
            name = f"counter.{counter.name}"
            n, viewers = self._owners(counter.each)
            numbers[name] = ir.Field(
                name, n, low, high, (first,) * n, NUMBER_NONE, counter.seen_by, viewers
            )
            self._counter(counter.name, name, counter.each, "number", False)
        for mark in self.file.marks:
            self._mark(mark, numbers, sets)
        for piece in self.file.pieces:
            if piece.sides:
                name, n = f"{piece.name}.side", self.size(piece.name)
                numbers[name] = ir.Field(name, n, 0, len(piece.sides) - 1, (0,) * n, -1)
        return numbers, sets

    def _counter(
        self, name: str, field: str, each: ast.Ident | None, kind: str, is_mark: bool
    ) -> None:
        self.counters[name] = CounterInfo(name, field, each.name if each else "", kind, is_mark)

    def _mark(
        self, mark: ast.Mark, numbers: dict[str, ir.Field], sets: dict[str, ir.SetField]
    ) -> None:
        name = f"mark.{mark.name}"
        n, viewers = self._owners(mark.each)
        start = constant(self, mark.start, {})
        match mark.type:
            case ast.NamedType(_, kind, _, "set"):
                sets[name] = ir.SetField(
                    name, n, self.size(kind), (max(start or 0, 0),) * n, mark.seen_by, viewers
                )
                self._counter(mark.name, name, mark.each, f"set of {kind}", True)
                return
            case ast.NumberType(_, low, high):
                bounds = (-OPEN if low is None else low, OPEN if high is None else high)
                kind, absent = "number", NUMBER_NONE
            case ast.NamedType(_, "flag"):
                bounds, kind, absent = (0, 1), "flag", 0
            case ast.NamedType(_, kind):
                bounds, absent = (-1, self.size(kind) - 1), -1
            case ast.CodeType():
                raise AssertionError("a mark holds no code")
        first = max(bounds[0], min(start or 0, bounds[1])) if start is None else start
        numbers[name] = ir.Field(name, n, *bounds, (first,) * n, absent, mark.seen_by, viewers)
        self._counter(mark.name, name, mark.each, kind, True)

    def _owners(self, each: ast.Ident | None) -> tuple[int, tuple[int, ...]]:
        if each is None:
            return 1, ()
        n = self.size(each.name)
        return n, tuple(self.owner_of(each.name, k) for k in range(n))

    # ---- tables

    def table(
        self, name: str, rows: Iterable[int], absent: int = 0, type_: Literal["i", "s"] = "i"
    ) -> ir.Table:
        """A constant table, made once."""
        if name not in self.tables:
            self.tables[name] = ir.Table(name, type_, tuple(rows), absent)
        return self.tables[name]

    def attribute_table(self, kind: str, name: str) -> ir.Table:
        """``owner``, ``type`` of pieces; ``row``, ``column`` of cells."""
        if name == "owner":
            owners = [self.owner_of(kind, k) for k in range(self.size(kind))]
            return self.table(f"{kind}.owner", owners, -1)
        if name == "type":
            return self.table(f"{kind}.type", self.kinds[kind].type, -1)
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
            roads = next(m for m in self.file.maps if m.roads).roads
            return self.table(f"road.{name}", (int(name in road.flags) for road in roads))
        if kind in self.pieces:
            piece = self.pieces[kind]
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
        return self.table(f"{kind}.{name}", rows, absent_of(type_))

    def _value(self, piece: ast.Piece, face: ast.PieceType, name: str) -> int:
        return self._field_value(
            piece.fields[name], face.values.get(name, piece.defaults.get(name))
        )

    def _field_value(self, type_: ast.TypeExpr, value: ast.FieldValue | None) -> int:
        if value is None:
            return absent_of(type_) if not isinstance(type_, ast.NumberType) else type_.low or 0
        assert not isinstance(value.value, tuple)
        found = constant(self, value.value, {})
        assert found is not None
        return found

    def location_table(self, kind: str, of: str) -> ir.Table:
        """For each zone of a group the member of kind ``of`` to which the zone belongs, or -1."""
        return self.table(
            f"{kind}.in.{of}", (self._zone_member(zone, of) for zone in self.zone_lists[kind]), -1
        )

    def _zone_member(self, zone: ir.ZoneInstance, of: str) -> int:
        each = self.zones[zone.name].each if zone.name != "box" else None
        if each is None:
            return -1
        if each.name == of:
            return zone.index
        return self.owner_of(each.name, zone.index) if of == "player" else -1

    def family_table(self, kind: str) -> tuple[ir.Table, list[str]]:
        """For each zone of a group the number of its declaration, and their names in that order."""
        names = ["box", *(z.name for z in self.file.zones if z.of.name == kind)]
        rows = (names.index(zone.name) for zone in self.zone_lists[kind])
        return self.table(f"{kind}.family", rows, -1), names

    @cached_property
    def eliminates(self) -> bool:
        """Whether any effect takes a player out."""
        return any(isinstance(e, ast.Eliminate) for e in all_effects(self.file))


def absent_of(type_: ast.TypeExpr) -> int:
    """What a field of that type says of no thing."""
    match type_:
        case ast.NumberType():
            return NUMBER_NONE
        case ast.NamedType(_, "flag"):
            return 0
        case _:
            return -1


def kind_word(type_: Type) -> str:
    """A type as reasons and views name it: ``number``, ``flag``, a kind, ``set of KIND``."""
    match type_:
        case NumberT():
            return "number"
        case FlagT():
            return "flag"
        case ThingT(kind):
            return kind
        case SetT(kind):
            return f"set of {kind}"
        case _:
            return "number"


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
    todo: list[ast.Effect] = [effect for block in code_blocks(file) for effect in block]
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


__all__ = ["Box", "OnlyPiece", "absent_of", "all_effects", "code_blocks", "kind_word"]
