"""Who has won, for many last states at once.

Takes a game and states as rows of bytes; gives arrays. It means what `interpreter.runtime.result`
says of one state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from interpreter.ir.words import ENDINGS
from interpreter.native.observing import cells_of, sets_of

if TYPE_CHECKING:
    from interpreter.runtime.game import Game

States = NDArray[np.uint8]


def scores(game: Game, states: States) -> dict[str, NDArray[np.int32]]:
    """The counters that decide, by name: (games, players)."""
    info = game.compiled.result
    layout = game.machine.layout
    fields = {counter.name: counter.field for counter in game.compiled.counters}
    return {
        name: cells_of(states, layout.fields[fields[name]])[:, : game.players].astype(np.int32)
        for name in (*info.most, *info.least)
    }


def winners(game: Game, states: States) -> NDArray[np.bool_]:
    """(games, players): who has won, in states that are over."""
    info = game.compiled.result
    layout = game.machine.layout
    endings = np.zeros(len(states), np.int32)
    if info.ending in layout.fields:
        endings = cells_of(states, layout.fields[info.ending])[:, 0].astype(np.int32)
    out = np.zeros((len(states), game.players), np.bool_)
    won = endings == ENDINGS.index("won")
    if won.any():
        out[won] = _players(game, states[won], info.winners)
    scored = endings == ENDINGS.index("score")
    if scored.any() and not info.by_stop:
        out[scored] = _by_score(game, states[scored])
    return out


def _by_score(game: Game, states: States) -> NDArray[np.bool_]:
    """Most of the first counter, then of the next, among those who are still in."""
    info = game.compiled.result
    if game.players == 1 and info.solo:
        evaluate = game.machine.evaluate
        return np.array([[evaluate(state.tobytes(), info.solo, ()) != 0] for state in states])
    best = np.ones((len(states), game.players), np.bool_)
    if not info.most and not info.least:
        return np.zeros_like(best)
    if info.alive in game.machine.layout.set_fields:
        alive = _players(game, states, info.alive)
        best = np.where(alive.any(1, keepdims=True), alive, best)
    found = scores(game, states)
    low = np.iinfo(np.int64).min
    for name in (*info.most, *info.least):
        values = found[name].astype(np.int64) * (1 if name in info.most else -1)
        here = np.where(best, values, low)
        best &= here == here.max(1, keepdims=True)
    return best


def rewards(game: Game, states: States) -> NDArray[np.float32]:
    """(games, players): 1 won, -1 not; 0 for all where nobody or everybody has won.

    One player alone has no such draw: 1 or -1.
    """
    won = winners(game, states)
    out = np.where(won, np.float32(1), np.float32(-1)).astype(np.float32)
    if game.players > 1:
        level = won.all(1) | ~won.any(1)
        out[level] = 0
    return out


def _players(game: Game, states: States, name: str) -> NDArray[np.bool_]:
    """A set of players as flags, (games, players)."""
    return sets_of(states, game.machine.layout.set_fields[name])[:, 0, : game.players]
