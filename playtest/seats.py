"""Who sits where: people at the terminal, or programs that choose for themselves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from interpreter import Option, State
from playtest.players import player_of
from ruleset.diagnostics.suggest import nearest

HUMAN: Final = "human"
BOTS: Final = ("random", "first", "greedy", "mcts")
KINDS: Final = (HUMAN, *BOTS)
PLAYOUTS: Final = 200
"""So many games ``mcts`` plays before each choice, if nothing is said."""
MOST_PLAYOUTS: Final = 100_000


class SeatError(ValueError):
    """Seats that do not fit; the message says what was expected."""


def seats_of(text: str | None, players: int) -> tuple[str, ...]:
    """The kinds of seats, one a player. Without a text a person sits first, against programs."""
    if text is None:
        return (HUMAN, *("random",) * (players - 1))
    kinds = [_kind(kind.strip().lower()) for kind in text.split(",")]
    if len(kinds) == 1:
        kinds *= players
    if len(kinds) != players:
        raise SeatError(f"expected {players} seats, found {len(kinds)}: {text}")
    return tuple(kinds)


def _kind(text: str) -> str:
    """A kind of seat as it is kept: with the number of games that a search plays."""
    name, colon, number = text.partition(":")
    if name not in KINDS:
        close = nearest(name, KINDS)
        hint = f"; did you mean `{close}`?" if close else ""
        raise SeatError(f"there is no seat `{text}`; expected {', '.join(KINDS)}{hint}")
    if name != "mcts":
        if colon:
            raise SeatError(f"only `mcts` takes a number, as `mcts:{PLAYOUTS}`; found `{text}`")
        return name
    number = number if colon else str(PLAYOUTS)
    if not number.isdecimal() or not 1 <= int(number) <= MOST_PLAYOUTS:
        raise SeatError(f"expected `mcts:N` with N from 1 to {MOST_PLAYOUTS}, found `{text}`")
    return f"mcts:{int(number)}"


class Bots:
    """Chooses for the seats without a person; the same seed gives the same choices."""

    def __init__(self, seats: Sequence[str], seed: int) -> None:
        self._players = [
            player_of(kind, random.Random(f"{seed}/{k}")) for k, kind in enumerate(seats)
        ]

    def choose(self, state: State, player: int) -> Option:
        """An option of a player (from 1) who is asked."""
        return self._players[player - 1].choose(state, player)
