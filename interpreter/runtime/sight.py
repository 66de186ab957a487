"""What a player calls the values of a state: a piece that they do not see goes by its place.

A piece that the player sees has its id (``four#2``). One that they do not see is ``hand[3]``: the
third of their own hand, counted from 1; ``p2.hand[3]`` in the hand of player 2. Where the zone has
no order, or nobody knows it, the candidates of a question are numbered by lot, so that a number
tells nothing, and the lots are drawn anew when a piece has moved. What is no candidate is
``hand[any]`` there.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import COUNTER, SEED, cell
from interpreter.ir.words import SET_OF
from interpreter.runtime.chance import GOLDEN, MASK, mix64
from ruleset.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from interpreter.runtime.game import Game

_PLACE = re.compile(r"(.+)\[(\d{1,6}|any)\]")
UNKNOWN = {"en": "{kind} {number} of {where}", "ja": "{where}の{kind}{number}"}
ANY = {"en": "a {kind} of {where}", "ja": "{where}の{kind}"}


class Sight:
    """The names of one state's values for one player (from 0; -1 for a spectator).

    ``among``: the pieces that the question at hand offers. ``openly``: texts may also name a hidden
    piece by its id, as a journal or a test does; what is shown stays the same.
    """

    __slots__ = ("_among", "_data", "_game", "_hidden", "_openly", "_viewer")

    def __init__(
        self, game: Game, data: bytes, viewer: int, among: int = 0, openly: bool = False
    ) -> None:
        self._game = game
        self._data = data
        self._viewer = viewer
        self._among = among
        self._openly = openly
        self._hidden: dict[str, int] = {}

    def hidden(self, kind: str) -> int:
        """The pieces of a kind that the player does not see, as a set; none for other kinds."""
        game = self._game
        if kind not in game.visibility.partly:
            return 0
        found = self._hidden.get(kind)
        if found is None:
            seen = game.visibility.pieces(game.machine.layout, self._data, kind, self._viewer)
            found = (1 << game.compiled.program.groups[kind].n) - 1 & ~seen
            self._hidden[kind] = found
        return found

    def sees(self, kind: str, value: int) -> bool:
        """Whether the player sees a value: a piece, or all pieces of a set."""
        if kind.startswith(SET_OF):
            return not value & self.hidden(kind.removeprefix(SET_OF))
        return not self._is_hidden(kind, value)

    def _is_hidden(self, kind: str, value: int) -> bool:
        return value >= 0 and self.hidden(kind) >> value & 1 == 1

    # ------------------------------------------------------------------ what is shown

    def show(self, kind: str, value: int) -> str:
        """A value that is settled: the id of a member, or the place of a hidden piece."""
        if kind.startswith(SET_OF):
            return f"({', '.join(self.members(kind, value))})"
        if not self._is_hidden(kind, value):
            return self._game.names.show(kind, value)
        return self._by_place(kind, value, among=0)

    def called(self, kind: str, value: int) -> str:
        """The same for a candidate of the question."""
        if not self._is_hidden(kind, value):
            return self._game.names.show(kind, value)
        return self._by_place(kind, value, self._among)

    def members(self, kind: str, value: int) -> list[str]:
        """The names in a set of the kind ``set of K``; the hidden ones come last."""
        inner = kind.removeprefix(SET_OF)
        hidden = value & self.hidden(inner)
        seen = [self.show(inner, k) for k in members_of(value & ~hidden)]
        return seen + sorted(self.show(inner, k) for k in members_of(hidden))

    def plain(self, kind: str, value: int) -> str | int | bool | list[str] | None:
        """The same as plain data: a number, a flag, an id or None, a list of ids."""
        if kind.startswith(SET_OF):
            return self.members(kind, value)
        if self._is_hidden(kind, value):
            return self.show(kind, value)
        return self._game.names.plain(kind, value)

    def label(self, kind: str, value: int, lang: str, candidate: bool = False) -> str:
        """A value in the words of the file: ``fine token 1 of player 2`` where it is hidden."""
        names = self._game.names
        if kind.startswith(SET_OF):
            inner = kind.removeprefix(SET_OF)
            return ", ".join(self.label(inner, k, lang) for k in members_of(value))
        if not self._is_hidden(kind, value):
            return names.label(kind, value, lang)
        zone = self._zone(kind, value)
        number = self._number(kind, value, self._among if candidate else 0)
        said = (ANY if number is None else UNKNOWN).get(lang, UNKNOWN["en"])
        owner = names.zone_owner(kind, zone)
        where = (
            names.label("player", owner, lang) if owner >= 0 else names.zone_label(kind, zone, lang)
        )
        return said.format(kind=names.kind_label(kind, lang), number=number, where=where)

    def ordered(self, kind: str, values: list[int]) -> list[int]:
        """Candidates as they are listed: hidden ones come last, by zone and number."""
        hidden = self.hidden(kind)
        unseen = [k for k in values if hidden >> k & 1]
        if not unseen:
            return values
        unseen.sort(key=lambda k: (self._zone(kind, k), self._number(kind, k, self._among) or 0))
        return [k for k in values if not hidden >> k & 1] + unseen

    # ------------------------------------------------------------------ what is typed

    def alike(self, kind: str, text: str) -> list[int]:
        """The members that a typed name means; a hidden piece only by its place."""
        if kind.startswith(SET_OF):
            return self._set(kind, text)
        hidden = self.hidden(kind)
        found = self._game.names.alike(kind, text)
        if not self._openly:
            found = [k for k in found if not hidden >> k & 1]
        place = _PLACE.fullmatch(text) if hidden else None
        if found or place is None:
            return found
        zone, number = place.groups()
        there = [k for k in members_of(hidden) if self._is_called(kind, self._zone(kind, k), zone)]
        if number == "any":
            return self.ordered(kind, there)
        return [k for k in there if self._number(kind, k, self._among) == int(number)]

    def _set(self, kind: str, text: str) -> list[int]:
        inner = kind.removeprefix(SET_OF)
        total = 0
        for part in filter(None, re.split(r"[\s,]+", text.strip("() "))):
            found = [k for k in self.alike(inner, part) if not total >> k & 1]
            if not found:
                return []
            total |= 1 << found[0]
        return [total]

    def nearest(self, kind: str, text: str) -> str | None:
        """The name that was perhaps meant."""
        hidden = self.hidden(kind)
        if not hidden:
            return self._game.names.nearest(kind, text)
        known = self._game.names.kind(kind)
        ids = known.ids if known is not None else ()
        return nearest(text, {self.called(kind, k).partition("#")[0] for k in range(len(ids))})

    def advice(self, kind: str) -> str:
        """How the hidden pieces that are offered are named, where there are any."""
        offered = self._among & self.hidden(kind)
        if not offered:
            return ""
        example = self.called(kind, members_of(offered)[0])
        return f"; what you do not see goes by its place, as `{example}`"

    def owner(self, kind: str, value: int) -> int:
        """The player to whom a member belongs, or -1."""
        return self._game.names.owner(kind, value)

    # ------------------------------------------------------------------ places

    def _zone(self, kind: str, piece: int) -> int:
        return self._game.machine.layout.zone_of(self._data, kind, piece)

    def _by_place(self, kind: str, piece: int, among: int) -> str:
        number = self._number(kind, piece, among)
        zone = self._spelled(kind, self._zone(kind, piece))
        return f"{zone}[{'any' if number is None else number}]"

    def _spelled(self, kind: str, zone: int) -> str:
        instance = self._game.compiled.program.groups[kind].zones[zone]
        owner = self._game.names.zone_owner(kind, zone)
        if instance.index < 0 or owner == self._viewer >= 0:
            return instance.name
        member = self._game.names.zone_member(instance)
        return f"p{owner + 1}.{instance.name}" if owner >= 0 else f"{member}.{instance.name}"

    def _is_called(self, kind: str, zone: int, text: str) -> bool:
        owner = self._game.names.zone_owner(kind, zone)
        instance = self._game.compiled.program.groups[kind].zones[zone]
        return text == self._spelled(kind, zone) or text == f"p{owner + 1}.{instance.name}"

    def _number(self, kind: str, piece: int, among: int) -> int | None:
        """The number of a hidden piece in its zone, from 1; none where only a lot could tell."""
        layout = self._game.machine.layout
        number = self._zone(kind, piece)
        zone = self._game.compiled.program.groups[kind].zones[number]
        place = layout.place_of(self._data, kind, piece)
        if zone.keeps_gaps:
            return place + 1
        there = layout.pieces_in(self._data, kind, number)
        if not zone.ordered:
            there &= self.hidden(kind)
        places = {k: layout.place_of(self._data, kind, k) for k in members_of(there)}
        before = sum(other < place for other in places.values())
        tied = [k for k, other in places.items() if other == place]
        if len(tied) == 1:
            return before + 1
        if not among >> piece & 1:
            return None
        drawn = sorted((k for k in tied if among >> k & 1), key=lambda k: self._lot(kind, k))
        return before + drawn.index(piece) + 1

    def _lot(self, kind: str, piece: int) -> int:
        cells = self._game.machine.layout.zones[kind]
        lies = zlib.crc32(self._data[cells.offset : cells.offset + cells.n * cells.width])
        seed = cell(self._data, "Q", SEED) ^ lies << 32 ^ cell(self._data, "i", COUNTER)
        return mix64(mix64(seed & MASK) + GOLDEN * (piece + 1) & MASK)
