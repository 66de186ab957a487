"""What players may see of many states at once, as columns of numbers with names.

Takes a game; gives an `Observer`. It shows what `State.view` shows, and what the view does not show
is marked as unseen and holds 0, whatever lies there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from interpreter.ir.layout import ACTOR, PENDING, Cells, Words
from interpreter.ir.words import SET_OF, SIDE
from interpreter.runtime.visibility import SPECTATOR, revealed_field

if TYPE_CHECKING:
    from interpreter.lowering.compiled import CounterInfo
    from interpreter.runtime.game import Game

States = NDArray[np.uint8]
Viewers = NDArray[np.intp]
Part = Callable[["_Look"], "tuple[NDArray[Any], NDArray[np.bool_]]"]
"""Gives values and what is seen of them, (lanes, columns)."""


@dataclass(frozen=True, slots=True)
class Observation:
    """``values`` (n, columns) int32; ``seen`` (n, columns): which of them the player may see.

    What is not seen is 0.
    """

    values: NDArray[np.int32]
    seen: NDArray[np.bool_]


@dataclass(slots=True)
class _Look:
    """States, who looks at each (from 0, or `SPECTATOR`), and what was found out already."""

    states: States
    viewers: Viewers
    pieces: dict[str, NDArray[np.bool_]]


class Observer:
    """The columns of a game, in this order; ``columns`` has their names.

    asked[P]                 1 where the player is asked; while several are, each sees the own one
    count.KIND.ZONE[M]       how many pieces of a kind lie in a zone
    at.KIND.PIECE            the zone in which a piece lies: a number in ``zones[KIND]``
    place.KIND.PIECE         its place there, from 0, where the zone has an order
    side.KIND.PIECE          which side of it is up
    counters.NAME[M], marks.NAME[M]   the value; a member by its number, -1 for none
    counters.NAME[M].X, marks.NAME[M].X   of a set: whether X is in it
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._layout = game.machine.layout
        self._parts: list[Part] = []
        self._seers: dict[str, Callable[[_Look], NDArray[np.bool_]]] = {}
        """Kind of piece to which of them are seen."""
        names: list[str] = []
        self.zones: dict[str, tuple[str, ...]] = {}
        players = range(1, game.players + 1)
        self._add(names, [f"asked[{p}]" for p in players], self._asked)
        for group in game.compiled.program.groups:
            self._group(names, group)
        for counter in game.compiled.counters:
            self._counter(names, counter)
        self.columns: tuple[str, ...] = tuple(names)

    def look(self, states: States, viewers: Viewers) -> Observation:
        """What each viewer (from 0; -1 is a spectator) sees of its state."""
        look = _Look(states, viewers, {})
        values = np.zeros((len(states), len(self.columns)), np.int32)
        seen = np.zeros((len(states), len(self.columns)), np.bool_)
        low = 0
        for part in self._parts:
            found, visible = part(look)
            high = low + found.shape[1]
            values[:, low:high] = found
            seen[:, low:high] = visible
            low = high
        values[~seen] = 0
        return Observation(values, seen)

    def _add(self, names: list[str], more: list[str], part: Part) -> None:
        names += more
        self._parts.append(part)

    # ------------------------------------------------------------------ who is asked

    def _asked(self, look: _Look) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        players = self._game.players
        pending = asked(look.states, players)
        alone = header(look.states, ACTOR)[:, None] >= 0
        own = look.viewers[:, None] == np.arange(players)[None, :]
        nobody = ~pending.any(1, keepdims=True)
        return pending, alone | own | nobody

    # ------------------------------------------------------------------ pieces

    def _group(self, names: list[str], group: str) -> None:
        game, layout = self._game, self._layout
        declared = game.compiled.program.groups[group]
        zones = []
        for zone in declared.zones:
            member = f"[{game.names.zone_member(zone)}]" if zone.index >= 0 else ""
            zones.append(zone.name + member)
        self.zones[group] = tuple(zones)
        pieces = [game.names.show(group, piece) for piece in range(declared.n)]
        sights = self._sights(len(zones), lambda k, viewer: game.visibility.zone(group, k, viewer))
        ordered = np.array([zone.ordered for zone in declared.zones], np.bool_)

        def zone_of(look: _Look) -> NDArray[Any]:
            return cells_of(look.states, layout.zones[group])

        def counts(look: _Look) -> tuple[NDArray[Any], NDArray[np.bool_]]:
            lies = zone_of(look)
            found = np.zeros((len(lies), len(zones)), np.int32)
            rows = np.repeat(np.arange(len(lies)), lies.shape[1])
            np.add.at(found, (rows, lies.ravel()), 1)
            return found, np.ones(found.shape, np.bool_)

        def in_sight(look: _Look) -> NDArray[np.bool_]:
            """The pieces whose zone is seen."""
            seen: NDArray[np.bool_] = sights[look.viewers[:, None] + 1, zone_of(look)]
            return seen

        def visible(look: _Look) -> NDArray[np.bool_]:
            return self._visible(group, in_sight, look)

        def places(look: _Look) -> tuple[NDArray[Any], NDArray[np.bool_]]:
            seen = in_sight(look) & ordered[zone_of(look)]
            return cells_of(look.states, layout.places[group]), seen

        def sides(look: _Look) -> tuple[NDArray[Any], NDArray[np.bool_]]:
            return cells_of(look.states, layout.fields[group + SIDE]), visible(look)

        self._seers[group] = visible
        self._add(names, [f"count.{group}.{zone}" for zone in zones], counts)
        self._add(
            names, [f"at.{group}.{p}" for p in pieces], lambda look: (zone_of(look), visible(look))
        )
        if group in layout.places:
            self._add(names, [f"place.{group}.{p}" for p in pieces], places)
        if group + SIDE in layout.fields:
            self._add(names, [f"side.{group}.{p}" for p in pieces], sides)

    def _visible(
        self, group: str, in_sight: Callable[[_Look], NDArray[np.bool_]], look: _Look
    ) -> NDArray[np.bool_]:
        """Which pieces of a group each viewer sees: by their zones, and those revealed."""
        if group not in look.pieces:
            seen = in_sight(look)
            words = self._layout.set_fields.get(revealed_field(group))
            if words is not None:
                shown = sets_of(look.states, words)
                rows = np.arange(len(seen))
                own = shown[rows, np.maximum(look.viewers, 0)]
                to_all = shown.all(1)
                seen = seen | np.where((look.viewers >= 0)[:, None], own, to_all)
            look.pieces[group] = seen
        return look.pieces[group]

    def _sights(self, n: int, sees: Callable[[int, int], bool]) -> NDArray[np.bool_]:
        """(viewers, n): who sees what; the first row is a spectator's."""
        viewers = range(SPECTATOR, self._game.players)
        return np.array([[sees(k, v) for k in range(n)] for v in viewers], np.bool_).reshape(
            len(viewers), n
        )

    # ------------------------------------------------------------------ counters and marks

    def _counter(self, names: list[str], counter: CounterInfo) -> None:
        game, layout = self._game, self._layout
        stem = f"{'marks' if counter.is_mark else 'counters'}.{counter.name}"
        members = [""]
        if counter.each:
            kind = game.names.kind(counter.each)
            many = len(kind.ids) if kind is not None else 0
            members = [f"[{game.names.show(counter.each, i)}]" for i in range(many)]
        many = len(members)
        sights = self._sights(
            many, lambda i, viewer: game.visibility.field(counter.field, i, viewer)
        )

        def visible(look: _Look) -> NDArray[np.bool_]:
            seen = sights[look.viewers + 1]
            whose = self._seers.get(counter.each)
            return seen if whose is None else seen & whose(look)

        inner = counter.kind.removeprefix(SET_OF)
        named = self._seers.get(inner)
        if counter.kind.startswith(SET_OF):
            words = layout.set_fields[counter.field]
            elements = [game.names.show(inner, k) for k in range(words.bits)]

            def sets(look: _Look) -> tuple[NDArray[Any], NDArray[np.bool_]]:
                found = sets_of(look.states, words)[:, :many]
                seen = np.repeat(visible(look)[:, :, None], words.bits, 2)
                if named is not None:
                    seen &= named(look)[:, None, :]
                return found.reshape(len(found), -1), seen.reshape(len(found), -1)

            more = [f"{stem}{m}.{element}" for m in members for element in elements]
            self._add(names, more, sets)
            return
        cells = layout.fields[counter.field]

        def values(look: _Look) -> tuple[NDArray[Any], NDArray[np.bool_]]:
            found = cells_of(look.states, cells)[:, :many]
            seen = visible(look)
            if named is not None:
                rows = np.arange(len(found))[:, None]
                seen = seen & ((found < 0) | named(look)[rows, np.maximum(found, 0)])
            return found, seen

        self._add(names, [stem + m for m in members], values)


def header(states: States, number: int) -> NDArray[np.int32]:
    """(n,): a cell of the header."""
    raw = _bytes(states, 4 * number, 4)
    return raw.view(np.int32)[:, 0]


def asked(states: States, players: int) -> NDArray[np.bool_]:
    """(n, players): who has been asked and has not answered."""
    raw = _bytes(states, 8 * PENDING, 8)
    return np.unpackbits(raw, axis=1, bitorder="little")[:, :players].astype(np.bool_)


def cells_of(states: States, cells: Cells) -> NDArray[Any]:
    """(n, length), int16 or int32: a field in all states."""
    raw = _bytes(states, cells.offset, cells.width * cells.n)
    return raw.view(np.int16 if cells.width == 2 else np.int32)


def sets_of(states: States, words: Words) -> NDArray[np.bool_]:
    """(n, sets, members): sets as flags, in all states."""
    size = 8 * words.words
    raw = _bytes(states, words.offset, size * words.n)
    bits = np.unpackbits(raw.reshape(-1, words.n, size), axis=2, bitorder="little")
    return bits[:, :, : words.bits].astype(np.bool_)


def _bytes(states: States, low: int, many: int) -> NDArray[np.uint8]:
    """Some bytes of each state, one row after the other."""
    return np.ascontiguousarray(states[:, low : low + many])
