"""Many games: lengths, scores, who wins from which seat, what is used and what never.

Takes a game and who sits where; gives an `Account` that grows game by game, so that what was done
so far can be told at any time. Games of random seats alone are playouts, in machine code as soon as
there is some; the first ones are looked at for what they use. The same seed gives the same games,
on every engine and with any number of threads.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter import Game, Option, RulesFault, State
from interpreter.runtime.machine import Machine
from interpreter.runtime.playouts import WORTH, chosen
from playtest.players import player_of
from playtest.tally import Tally, spread, tally_of, tally_of_many
from playtest.usage import Usage

MOST: Final = 20_000
"""A game of more choices than this is not finished."""
CHUNK: Final = 0.25
"""Seconds that a batch of games takes, about."""
STATES: Final = 32 << 20
"""Bytes that the last states of a batch may take."""
LOOKING: Final = 8
"""A game that is looked at takes so many times as long, about."""
WATCHED: Final = 20
"""So many games are looked at for what they use."""


@dataclass(slots=True)
class Account:
    """What has come of the games so far."""

    game: Game
    seats: tuple[str, ...]
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    fast: tuple[int, float] = (0, 0.0)
    """Games that nobody looked at, and the seconds they took."""
    engine: str = "reference"
    """Who took the steps; ``native`` as soon as machine code took some."""
    usage: Usage | None = None

    @property
    def games(self) -> int:
        """How many games came to their end."""
        return self.tally.games

    @property
    def rate(self) -> float | None:
        """Games a second; of those that nobody looked at, if there are any."""
        games, seconds = self.fast if self.fast[0] else (self.tally.begun, self.seconds)
        return games / seconds if seconds else None

    def plain(self) -> dict[str, Any]:
        """The account as plain data."""
        tally = self.tally
        sides = [
            dict(zip(("wins", "low", "high"), tally.seat(k), strict=True))
            for k in range(self.game.players)
        ]
        return {
            "game": self.game.name,
            "players": self.game.players,
            "seats": [
                {"seat": k + 1, "kind": kind, **{n: round(v, 4) for n, v in side.items()}}
                for k, (kind, side) in enumerate(zip(self.seats, sides, strict=True))
            ],
            "games": tally.games,
            "unfinished": tally.unfinished,
            "faults": tally.faults,
            "engine": self.engine,
            "seconds": round(self.seconds, 3),
            "games_a_second": round(self.rate, 1) if self.rate is not None else None,
            "lengths": spread(tally.lengths),
            "endings": {name: tally.endings[name] for name in sorted(tally.endings)},
            "scores": {
                name: [spread(seat) for seat in seats] for name, seats in tally.scores.items()
            },
            "usage": self.usage.plain() if self.usage is not None else None,
        }


def begin(game: Game, seats: Sequence[str], watch: bool = True) -> Account:
    """An account without games."""
    account = Account(game, tuple(seats), Tally(wins=tuple(Counter() for _ in seats)))
    if type(game.machine) is not Machine:
        account.engine = "native"
    account.usage = Usage(game) if watch else None
    return account


def simulate(
    account: Account,
    games: int,
    seed: int,
    threads: int,
    progress: Callable[[Account], None],
) -> None:
    """Play so many games, adding each to the account. An interrupt may leave at any time."""
    playouts = set(account.seats) == {"random"}
    looked_at = min(games, WATCHED) if playouts and account.usage is not None else 0
    started = time.monotonic()
    try:
        for k in range(looked_at if playouts else games):
            _one(account, seed + k, playouts)
            account.seconds = time.monotonic() - started
            if playouts:
                account.game.native_now(compile=_each(account) * (games - looked_at) > WORTH)
            progress(account)
        if playouts and looked_at < games:
            _many(account, games - looked_at, seed + looked_at, threads, progress)
    finally:
        account.seconds = time.monotonic() - started


def _each(account: Account) -> float:
    """Seconds of a game that nobody looks at, as far as those tell that were looked at."""
    return account.seconds / max(account.tally.begun, 1) / LOOKING


def _many(
    account: Account,
    games: int,
    seed: int,
    threads: int,
    progress: Callable[[Account], None],
) -> None:
    """Games of random play that nobody looks at, a batch at a time."""
    game = account.game
    largest = max(1, STATES // game.machine.layout.size)
    before, started = account.seconds, time.monotonic()
    batch, done = 1, 0
    each = _each(account)
    while done < games:
        now = time.monotonic()
        batch = min(batch, games - done, largest)
        native = game.native_now(compile=each * (games - done) > WORTH)
        found = game.playouts(batch, seed + done, threads, MOST, keep=True)
        account.tally += tally_of_many(game, found, MOST)
        done += batch
        took = max(time.monotonic() - now, 1e-4)
        account.fast = (done, time.monotonic() - started)
        account.seconds = before + account.fast[1]
        if native is not None:
            account.engine = "native"
        progress(account)
        each = took / batch
        batch = max(1, min(4 * batch, int(batch * CHUNK / took)))


def _one(account: Account, seed: int, playout: bool) -> None:
    """A game with everything that happens. ``playout``: the very one that `Game.playouts` plays."""
    game, usage = account.game, account.usage
    if usage is not None and usage.games >= WATCHED:
        usage = None
    players = [player_of(k, random.Random(f"{seed}/{n}")) for n, k in enumerate(account.seats)]
    if usage is not None:
        usage.begin()
    try:
        state = game.start(seed)
        while not state.over and state.steps < MOST:
            decision = state.pending[0]
            if usage is not None:
                usage.offered(state)
            if playout and decision.mask:
                option = Option(decision, chosen(seed, state.steps, decision.mask))
            else:
                option = players[decision.player - 1].choose(state, decision.player)
            state = state.apply(option)
    except RulesFault:
        account.tally += Tally(faults=1)
        return
    account.tally += _counted(state)
    if usage is not None:
        usage.add(state)


def _counted(state: State) -> Tally:
    result = state.result
    if result is None:
        return Tally(unfinished=1)
    return tally_of(state.game, state.steps, result)
