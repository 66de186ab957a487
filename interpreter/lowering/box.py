"""The box unpacked for a number of players: kinds and members, zones, pieces, tables, fields.

Takes a checked ruleset, the number of players and the options; assumes that the checker found no
fault. Everything that the file fixes becomes a constant or a table here; what can change becomes a
field or a group of the Program.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from interpreter.ir import nodes as ir
from interpreter.ir.bitsets import members_of
from interpreter.ir.words import NUMBER_NONE, SET_OF, SIDE
from interpreter.lowering.blocks import all_effects
from interpreter.lowering.compiled import CounterInfo
from interpreter.lowering.kinds import Kinds
from interpreter.lowering.static import constant
from ruleset import syntax as ast
from ruleset.model import Ruleset
from ruleset.types import BoxRef, SetT, ZoneRef

OPEN: Final = 1_000_000_000
"""Stands for no bound of a counter."""


class Box(Kinds):
    """What a game of this many players consists of."""

    def __init__(self, rules: Ruleset, players: int, options: Mapping[str, str]) -> None:
        super().__init__(rules, players, options)
        self.zones = {zone.name: zone for zone in self.file.zones}
        self.counters: dict[str, CounterInfo] = {}
        self.zone_base: dict[str, int] = {}
        self.zone_lists: dict[str, list[ir.ZoneInstance]] = {}
        self.planes: dict[str, ir.Plane] = {}
        self.fixed = False
        """Whether the state is laid out, so that no plane can be added."""
        self._zones()

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
        in_play = self.table_value(piece.in_play.name) if piece.in_play is not None else None
        zones, copies = [], dict.fromkeys(zip(kind.type, kind.owner, strict=True), 0)
        for key in zip(kind.type, kind.owner, strict=True):
            copies[key] += 1
            if in_play is not None and copies[key] > in_play:
                zones.append(0)
                continue
            starts = piece.types[key[0]].starts or piece.starts
            zones.append(self.start_zone(starts, key[1], copies[key] - 1))
        return tuple(zones)

    def start_zone(self, starts: ast.Expr | None, owner: int, copy: int = 0) -> int:
        """The zone that ``starts`` names, for a piece of that owner; copies go round a set."""
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
                if isinstance(self.facts.types.get(starts.of), SetT):
                    members = members_of(member)
                    if not members:
                        return 0
                    member = members[copy % len(members)]
                return self.zone_base[name] + member
            case ZoneRef(name):
                return self.zone_base[name]
        raise AssertionError(f"{starts.span}: starts is no zone")

    def plane(self, name: str, zone: str, classes: tuple[int, ...]) -> str | None:
        """The plane of that name over all zones of a name; none where there cannot be one."""
        if name not in self.planes and not self.fixed:
            found = self.zones[zone]
            size = self.size(found.each.name) if found.each else 1
            of, base = found.of.name, self.zone_base[zone]
            self.planes[name] = ir.Plane(name, of, base, size, classes)
        return name if name in self.planes else None

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
                name, n = piece.name + SIDE, self.size(piece.name)
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
                self._counter(mark.name, name, mark.each, SET_OF + kind, True)
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

    def list_tables(self, kind: str, name: str) -> tuple[ir.Table, ir.Table, ir.Table]:
        """A list field: where each piece's list starts, how long it is, and all items in a row."""
        piece = self.pieces.get(kind) or self.places[kind]
        declared = piece.fields[name]
        assert isinstance(declared, ast.NamedType)
        ids = self.kinds[declared.name].ids
        lists = []
        for face in piece.types:
            value = face.values.get(name, piece.defaults.get(name))
            items = value.value if value is not None and isinstance(value.value, tuple) else ()
            lists.append([ids.index(i.name) for i in items if isinstance(i, ast.Ident)])
        starts = [sum(len(items) for items in lists[:k]) for k in range(len(lists))]
        types = self.kinds[kind].type
        return (
            self.table(f"{kind}.{name}.start", (starts[t] for t in types)),
            self.table(f"{kind}.{name}.length", (len(lists[t]) for t in types)),
            self.table(f"{kind}.{name}.items", [i for items in lists for i in items], -1),
        )

    def places_table(self, kind: str) -> ir.Table:
        """For each player or space the places of that kind on it, as a set."""
        on = self.place_of[kind]
        n = self.size(self.each_kind(self.places[kind]))
        rows = [sum(1 << k for k, member in enumerate(on) if member == m) for m in range(n)]
        return self.table(f"{kind}.of", rows, 0, "s")

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
