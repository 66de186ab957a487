"""States that differ only in what a player may not see: the test that nothing leaks.

Takes a state and a viewer; gives a state with other hidden pieces, other hidden values, other
answers, other chance. Its view for that player must be the same, byte for byte. Such a state need
not be one that play can reach, so it is good for looking at and for nothing else.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from interpreter.ir.layout import COUNTER, PENDING, SEED, put_cell
from interpreter.runtime.state import State

if TYPE_CHECKING:
    from interpreter.runtime.game import Game


def scrambled(state: State, player: int, seed: int) -> State:
    """Another state that looks the same to a player (from 1); without a past."""
    game = state.game
    game.check_player(player)
    generator = random.Random(seed)
    buffer = bytearray(state.data)
    put_cell(buffer, "Q", SEED, generator.getrandbits(64))
    put_cell(buffer, "i", COUNTER, generator.getrandbits(30))
    _pending(game, state, buffer, player - 1, generator)
    _pieces(game, buffer, player - 1, generator)
    _fields(game, buffer, player - 1, generator)
    return State(game, bytes(buffer))


def _pending(
    game: Game, state: State, buffer: bytearray, viewer: int, generator: random.Random
) -> None:
    """In a simultaneous choice any of the others may have answered."""
    pending = game.machine.pending(state.data)
    if not pending or game.machine.actor(state.data) >= 0:
        return
    own = pending & 1 << viewer
    others = generator.getrandbits(game.players) & ~(1 << viewer)
    if own | others:
        put_cell(buffer, "Q", PENDING, own | others)


def _pieces(game: Game, buffer: bytearray, viewer: int, generator: random.Random) -> None:
    layout = game.machine.layout
    for name, group in game.compiled.program.groups.items():
        seen = game.visibility.pieces(layout, bytes(buffer), name, viewer)
        hidden = [piece for piece in range(group.n) if not seen >> piece & 1]
        places = [
            (layout.zone_of(buffer, name, piece), layout.place_of(buffer, name, piece))
            for piece in hidden
        ]
        generator.shuffle(places)
        for piece, (zone, place) in zip(hidden, places, strict=True):
            layout.put_piece(buffer, name, piece, zone, place)


def _fields(game: Game, buffer: bytearray, viewer: int, generator: random.Random) -> None:
    layout = game.machine.layout
    program = game.compiled.program
    for name, field in program.fields.items():
        for i in range(field.n):
            if field.seen != "all" and not game.visibility.field(name, i, viewer):
                layout.put(buffer, name, i, generator.randint(field.low, field.high))
    for name, sets in program.set_fields.items():
        for i in range(sets.n):
            if sets.seen != "all" and not game.visibility.field(name, i, viewer):
                layout.put_set(buffer, name, i, generator.getrandbits(sets.bits))
