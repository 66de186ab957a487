"""Many games: lengths, scores, who wins from which seat, what is used and what never.

Takes a game and who sits where; gives an `Account` that grows game by game, so that what was done
so far can be told at any time. Games of random seats alone run in machine code where there is some.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter import Game, GameResult, RulesFault, State
from interpreter.runtime.result import result_of
from playtest.players import player_of
from playtest.usage import Usage

MOST: Final = 20_000
"""A game of more choices than this is not finished."""
CHUNK: Final = 0.5
"""Seconds that a batch of games takes, about."""
WATCHED: Final = 20
"""So many games are looked at for what they use."""
CERTAIN: Final = 1.96
"""Standard deviations of an interval that holds 95 times of 100."""


@dataclass(slots=True)
class Account:
    """What has come of the games so far."""

    game: Game
    seats: tuple[str, ...]
    lengths: list[int] = field(default_factory=list)
    shares: list[list[float]] = field(default_factory=list)
    """For each seat the part of the win that each game gave."""
    scores: dict[str, list[list[int]]] = field(default_factory=dict)
    """Counter to the values of each seat."""
    endings: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    unfinished: int = 0
    seconds: float = 0.0
    engine: str = "reference"
    usage: Usage | None = None

    @property
    def games(self) -> int:
        """How many games came to their end."""
        return len(self.lengths)

    def add(self, length: int, result: GameResult) -> None:
        """One more game."""
        self.lengths.append(length)
        winners = result.winners
        if len(winners) > 1:
            ending = "shared win"
        else:
            ending = result.ended if result.ended != "score" else "won" if winners else "lost"
        self.endings[ending] += 1
        for k in range(self.game.players):
            won = 1 / len(winners) if k + 1 in winners else 0.0
            self.shares[k].append(won)
        for name, values in result.scores.items():
            columns = self.scores.setdefault(name, [[] for _ in range(self.game.players)])
            for k, column in enumerate(columns):
                column.append(values[k + 1])

    def seat(self, k: int) -> tuple[float, float, float]:
        """How much of the wins a seat (from 0) has, and where that lies with 95 in 100."""
        return interval(self.shares[k])

    def plain(self) -> dict[str, Any]:
        """The account as plain data."""
        sides = [
            dict(zip(("wins", "low", "high"), self.seat(k), strict=True))
            for k in range(self.game.players)
        ]
        return {
            "game": self.game.name,
            "players": self.game.players,
            "seats": [
                {"seat": k + 1, "kind": kind, **{n: round(v, 4) for n, v in side.items()}}
                for k, (kind, side) in enumerate(zip(self.seats, sides, strict=True))
            ],
            "games": self.games,
            "unfinished": self.unfinished,
            "faults": self.faults,
            "engine": self.engine,
            "seconds": round(self.seconds, 3),
            "games_a_second": round(self.games / self.seconds, 1) if self.seconds else None,
            "lengths": spread(self.lengths),
            "endings": dict(self.endings),
            "scores": {
                name: [spread(column) for column in columns]
                for name, columns in self.scores.items()
            },
            "usage": self.usage.plain() if self.usage is not None else None,
        }


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean from 0 to 1 with its Wilson interval, which is never empty."""
    n = len(values)
    if not n:
        return 0.0, 0.0, 1.0
    mean = sum(values) / n
    z2 = CERTAIN**2
    middle = (mean + z2 / (2 * n)) / (1 + z2 / n)
    half = CERTAIN * math.sqrt(mean * (1 - mean) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return mean, max(0.0, middle - half), min(1.0, middle + half)


def spread(values: Sequence[int]) -> dict[str, float]:
    """Least, half way, most, mean with the 95 in 100 half width of the mean."""
    if not values:
        return {}
    n, ordered = len(values), sorted(values)
    mean = sum(values) / n
    wide = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1)) if n > 1 else 0.0
    return {
        "least": ordered[0],
        "median": ordered[n // 2],
        "most": ordered[-1],
        "mean": round(mean, 3),
        "within": round(CERTAIN * wide / math.sqrt(n), 3),
    }


def begin(game: Game, seats: Sequence[str], watch: bool = True) -> Account:
    """An account without games."""
    account = Account(game, tuple(seats))
    account.shares = [[] for _ in range(game.players)]
    account.usage = Usage(game) if watch else None
    return account


def simulate(
    account: Account,
    games: int,
    seed: int,
    engine: str,
    threads: int,
    progress: Callable[[Account], None],
) -> None:
    """Play so many games, adding each to the account. An interrupt may leave at any time."""
    fast = set(account.seats) == {"random"} and engine != "reference"
    watched = min(WATCHED, games)
    started = time.monotonic()
    try:
        if account.usage is not None and fast:  # machine code tells of nothing that happens
            for k in range(watched):
                _one(account, seed + k, count=False)
                progress(account)
        started = time.monotonic()
        if fast and account.game.native is not None:
            account.engine = "native"
            _many(account, games, seed, threads, progress, started)
            return
        for k in range(games):
            _one(account, seed + k)
            account.seconds = time.monotonic() - started
            progress(account)
    finally:
        account.seconds = time.monotonic() - started


def _many(
    account: Account,
    games: int,
    seed: int,
    threads: int,
    progress: Callable[[Account], None],
    started: float,
) -> None:
    """Games of random play in machine code, a batch at a time."""
    game = account.game
    size = game.machine.layout.size
    batch, done = min(games, 8), 0
    while done < games:
        now = time.monotonic()
        batch = min(batch, games - done)
        found = game.playouts(batch, seed + done, threads, MOST, keep=True)
        for k, length in enumerate(found.lengths):
            state = State(game, found.states[k * size : (k + 1) * size])
            if state.over:
                account.add(length, result_of(game, state.data))
            elif length >= MOST:
                account.unfinished += 1
            else:
                account.faults += 1
        done += batch
        account.seconds = time.monotonic() - started
        progress(account)
        took = max(time.monotonic() - now, 1e-4)
        batch = max(1, min(4 * batch, int(batch * CHUNK / took)))


def _one(account: Account, seed: int, count: bool = True) -> None:
    """A game with everything that happens; ``count``: whether it goes into the account."""
    game = account.game
    players = [player_of(k, random.Random(f"{seed}/{n}")) for n, k in enumerate(account.seats)]
    usage = account.usage if account.usage is not None and account.usage.games < WATCHED else None
    try:
        state = game.start(seed)
        while not state.over and state.steps < MOST:
            asked = state.pending[0].player
            if usage is not None:
                usage.offered(state)
            state = state.apply(players[asked - 1].choose(state, asked))
    except RulesFault:
        account.faults += count
        return
    if usage is not None:
        usage.add(state)
    if count:
        _counted(account, state)


def _counted(account: Account, state: State) -> None:
    result = state.result
    if result is None:
        account.unfinished += 1
    else:
        account.add(state.steps, result)
