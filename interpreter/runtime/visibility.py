"""Who sees what: zones, fields, and the pieces that lie in zones.

Players are numbers from 0 here; -1 is a spectator, who sees what all see. Everything that leaves
the engine for a player asks here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_

from interpreter.ir.layout import Layout
from interpreter.ir.nodes import Program
from interpreter.ir.words import REVEALED

SPECTATOR = -1


class Visibility:
    """What the declarations of one program let each player see."""

    __slots__ = ("_program", "everybody", "partly")

    def __init__(self, program: Program) -> None:
        self._program = program
        self.everybody = (2 << program.players) - 1
        """All viewers as a set: bit 0 for spectators, bit p for player p (from 1)."""
        self.partly = frozenset(
            name
            for name, group in program.groups.items()
            if any(zone.seen != "all" for zone in group.zones)
        )
        """The kinds of piece of which some may be hidden."""

    @property
    def open(self) -> bool:
        """Whether everybody sees everything at all times, but for what chance will bring."""
        program = self._program
        return (
            not self.partly
            and all(f.seen == "all" for f in program.fields.values())
            and all(f.seen == "all" for f in program.set_fields.values())
            and not any(stage.answers for d in program.decisions.values() for stage in d.stages)
        )

    def sight(self, group: str, zone: int) -> int:
        """Who sees which pieces lie in a zone, as a set of viewers."""
        return self._viewers(lambda player: self.zone(group, zone, player))

    def field_sight(self, name: str, i: int) -> int:
        """Who sees number ``i`` of a field, as a set of viewers."""
        return self._viewers(lambda player: self.field(name, i, player))

    def _viewers(self, sees: Callable[[int], bool]) -> int:
        viewers = range(SPECTATOR, self._program.players)
        return sum(1 << (player + 1) for player in viewers if sees(player))

    def zone(self, group: str, zone: int, player: int) -> bool:
        """Whether a player sees which pieces lie in a zone."""
        if zone < 0:
            return False
        instance = self._program.groups[group].zones[zone]
        return _sees(instance.seen, instance.viewer, player)

    def field(self, name: str, i: int, player: int) -> bool:
        """Whether a player sees number (or set) ``i`` of a field."""
        field = self._program.fields.get(name) or self._program.set_fields[name]
        viewer = field.viewers[i] if 0 <= i < len(field.viewers) else SPECTATOR
        return _sees(field.seen, viewer, player)

    def pieces(self, layout: Layout, state: bytes, group: str, player: int) -> int:
        """The pieces of a group that a player sees in a state, as a set; also those revealed."""
        seen = self.revealed(layout, state, group, player)
        for zone in range(len(self._program.groups[group].zones)):
            if self.zone(group, zone, player):
                seen |= layout.pieces_in(state, group, zone)
        return seen

    @staticmethod
    def revealed(layout: Layout, state: bytes, group: str, player: int) -> int:
        """The pieces of a group that were revealed to a player and have not moved since.

        What was revealed to all players a spectator sees, too.
        """
        field = revealed_field(group)
        if field not in layout.set_fields:
            return 0
        if player < 0:
            seats = range(layout.set_fields[field].n)
            return reduce(and_, (layout.set_value(state, field, seat) for seat in seats))
        return layout.set_value(state, field, player)

    def shown_to(self, layout: Layout, state: bytes, group: str, piece: int) -> int:
        """To whom a piece is revealed, as a set of viewers."""
        return self._viewers(lambda p: self.revealed(layout, state, group, p) >> piece & 1 == 1)


def revealed_field(group: str) -> str:
    """The set field that says for each player which pieces are revealed to them."""
    return group + REVEALED


def _sees(seen: str, viewer: int, player: int) -> bool:
    return seen == "all" or (seen == "owner" and player >= 0 and viewer == player)
