"""Who sits where: people at the terminal, or programs that choose for themselves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from interpreter import Option, State
from ruleset.diagnostics.suggest import nearest

HUMAN: Final = "human"
BOTS: Final = ("random", "first")
KINDS: Final = (HUMAN, *BOTS)


class SeatError(ValueError):
    """Seats that do not fit; the message says what was expected."""


def seats_of(text: str | None, players: int) -> tuple[str, ...]:
    """The kinds of seats, one a player. Without a text a person sits first, against programs."""
    if text is None:
        return (HUMAN, *("random",) * (players - 1))
    kinds = [kind.strip().lower() for kind in text.split(",")]
    for kind in kinds:
        if kind not in KINDS:
            close = nearest(kind, KINDS)
            hint = f"; did you mean `{close}`?" if close else ""
            raise SeatError(f"there is no seat `{kind}`; expected {', '.join(KINDS)}{hint}")
    if len(kinds) == 1:
        kinds *= players
    if len(kinds) != players:
        raise SeatError(f"expected {players} seats, found {len(kinds)}: {text}")
    return tuple(kinds)


class Bots:
    """Chooses for the seats without a person; the same seed gives the same choices."""

    def __init__(self, seats: Sequence[str], seed: int) -> None:
        self._seats = seats
        self._generators = [random.Random(f"{seed}/{k}") for k in range(len(seats))]

    def choose(self, state: State, player: int) -> Option:
        """An option of a player (from 1) who is asked."""
        decision = next(d for d in state.pending if d.player == player)
        if self._seats[player - 1] == "first":
            return decision.options[0]
        generator = self._generators[player - 1]
        return decision.options[generator.randrange(len(decision.options))]
