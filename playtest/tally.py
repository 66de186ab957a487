"""What has come of many games, counted: lengths, endings, wins and scores of each seat.

Takes games one by one, or many last states at once; gives a `Tally`, a value. Its size does not
grow with the number of games, and adding two is one step, which an interrupt cannot cut in half.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter import Game, GameResult
from interpreter.ir.layout import FAULT, OVER, STATUS, cell
from interpreter.ir.words import ENDINGS
from interpreter.runtime.playouts import Playouts
from interpreter.runtime.result import result_of

CERTAIN: Final = 1.96
"""Standard deviations of an interval that holds 95 times of 100."""
MANY: Final = 64
"""So many games are worth an import of numpy."""
Seats = tuple[Counter[int], ...]
"""For each seat how often each value came up."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of games; never changed."""

    lengths: Counter[int] = field(default_factory=Counter)
    """Number of choices to games that had so many."""
    wins: Seats = ()
    """For each seat: by how many a win was shared, to games."""
    endings: Counter[str] = field(default_factory=Counter)
    scores: Mapping[str, Seats] = field(default_factory=dict)
    faults: int = 0
    unfinished: int = 0

    @property
    def games(self) -> int:
        """How many games came to their end."""
        return sum(self.lengths.values())

    @property
    def begun(self) -> int:
        """How many games were begun."""
        return self.games + self.faults + self.unfinished

    def __add__(self, other: Tally) -> Tally:
        names = [*self.scores, *(name for name in other.scores if name not in self.scores)]
        return Tally(
            self.lengths + other.lengths,
            _joined(self.wins, other.wins),
            self.endings + other.endings,
            {n: _joined(self.scores.get(n, ()), other.scores.get(n, ())) for n in names},
            self.faults + other.faults,
            self.unfinished + other.unfinished,
        )

    def seat(self, k: int) -> tuple[float, float, float]:
        """How much of the wins a seat (from 0) has, and where that lies with 95 in 100."""
        won = sum(games / sharers for sharers, games in sorted(self.wins[k].items()))
        return interval(won, self.games)


def _joined(one: Seats, two: Seats) -> Seats:
    if not one or not two:
        return one or two
    return tuple(a + b for a, b in zip(one, two, strict=True))


def ending_of(result: GameResult) -> str:
    """How a game ended, in a word or two."""
    return _ending(result.ended, len(result.winners), by_stop=False)


def _ending(ended: str, winners: int, by_stop: bool) -> str:
    if winners > 1:
        return "shared win"
    if ended != "score":
        return ended
    return "drawn" if by_stop else "won" if winners else "lost"


def tally_of(game: Game, length: int, result: GameResult) -> Tally:
    """One game that came to its end."""
    seats = range(1, game.players + 1)
    return Tally(
        Counter([length]),
        tuple(Counter([len(result.winners)] * (k in result.winners)) for k in seats),
        Counter([ending_of(result)]),
        {name: tuple(Counter([of[k]]) for k in seats) for name, of in result.scores.items()},
    )


def tally_of_many(game: Game, found: Playouts, most: int) -> Tally:
    """Many games at once, of at most so many choices each."""
    if len(found.lengths) >= MANY:
        with suppress(ImportError):
            return _at_once(game, found, most)
    return _one_by_one(game, found, most)


def _one_by_one(game: Game, found: Playouts, most: int) -> Tally:
    size = game.machine.layout.size
    lengths: Counter[int] = Counter()
    endings: Counter[str] = Counter()
    wins: Seats = tuple(Counter() for _ in range(game.players))
    scores: dict[str, Seats] = {}
    faults = unfinished = 0
    for k, length in enumerate(found.lengths):
        data = found.states[k * size : (k + 1) * size]
        status = cell(data, "i", STATUS)
        if status == OVER:
            result = result_of(game, data)
            lengths[length] += 1
            endings[ending_of(result)] += 1
            for winner in result.winners:
                wins[winner - 1][len(result.winners)] += 1
            for name, values in result.scores.items():
                seats = scores.setdefault(name, tuple(Counter() for _ in range(game.players)))
                for seat, value in zip(seats, values.values(), strict=True):
                    seat[value] += 1
        elif status != FAULT and length >= most:
            unfinished += 1
        else:
            faults += 1
    return Tally(lengths, wins, endings, scores, faults, unfinished)


def _at_once(game: Game, found: Playouts, most: int) -> Tally:
    """The same with numpy."""
    import numpy as np

    from interpreter.native.observing import cells_of, header
    from interpreter.native.outcomes import scores, winners

    def counts(values: Any) -> Counter[int]:
        numbers, times = np.unique(values, return_counts=True)
        return Counter(dict(zip(numbers.tolist(), times.tolist(), strict=True)))

    info = game.compiled.result
    layout = game.machine.layout
    states = np.frombuffer(found.states, np.uint8).reshape(-1, layout.size)
    lengths = np.array(found.lengths, np.int64)
    status = header(states, STATUS)
    over = status == OVER
    unfinished = int(np.count_nonzero(~over & (status != FAULT) & (lengths >= most)))
    ends = states[over]
    won = winners(game, ends)
    sharers = won.sum(1)
    said = np.zeros(len(ends), np.int64)
    if info.ending in layout.fields:
        said = cells_of(ends, layout.fields[info.ending])[:, 0].astype(np.int64)
    endings: Counter[str] = Counter()
    for (end, shares), times in Counter(
        zip(said.tolist(), np.minimum(sharers, 2).tolist(), strict=True)
    ).items():
        endings[_ending(ENDINGS[end], shares, info.by_stop)] += times
    return Tally(
        counts(lengths[over]),
        tuple(counts(sharers[won[:, k]]) for k in range(game.players)),
        endings,
        {
            name: tuple(counts(values[:, k]) for k in range(game.players))
            for name, values in (scores(game, ends) if len(ends) else {}).items()
        },
        len(states) - len(ends) - unfinished,
        unfinished,
    )


def interval(won: float, games: int) -> tuple[float, float, float]:
    """A mean from 0 to 1 with its Wilson interval, which is never empty."""
    if not games:
        return 0.0, 0.0, 1.0
    mean = won / games
    z2 = CERTAIN**2
    middle = (mean + z2 / (2 * games)) / (1 + z2 / games)
    spread_ = math.sqrt(max(mean * (1 - mean), 0.0) / games + z2 / (4 * games * games))
    half = CERTAIN * spread_ / (1 + z2 / games)
    return mean, max(0.0, middle - half), min(1.0, middle + half)


def spread(values: Mapping[int, int]) -> dict[str, float]:
    """Least, half way, most, mean with the 95 in 100 half width of the mean; of counted values."""
    n = sum(values.values())
    if not n:
        return {}
    ordered = sorted(value for value, times in values.items() if times)
    mean = sum(value * times for value, times in values.items()) / n
    squares = sum(times * (value - mean) ** 2 for value, times in values.items())
    wide = math.sqrt(squares / (n - 1)) if n > 1 else 0.0
    return {
        "least": ordered[0],
        "median": _number(values, ordered, n // 2),
        "most": ordered[-1],
        "mean": round(mean, 3),
        "within": round(CERTAIN * wide / math.sqrt(n), 3),
    }


def _number(values: Mapping[int, int], ordered: Sequence[int], place: int) -> int:
    """The value at a place (from 0) of all, in order."""
    for value in ordered:
        place -= values[value]
        if place < 0:
            return value
    return ordered[-1]
