"""Runs competitors in turn, each in a process of its own that lives through all rounds.

Takes jobs; gives their speeds. Just before each turn of a job its base plays a little, on the same
core, so a ratio compares what ran side by side. Whoever waits is stopped. Every second round goes
through the jobs the other way round.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from benchmarks.process import Competitor, Job, Worker

BASE_PART: Final = 0.4
"""The base plays so long before a turn, as a part of the turn."""
WARM_UP: Final = 0.3
"""Seconds of play before the first round that counts."""


@dataclass(slots=True)
class Speed:
    """The rounds of a job: moves a second, and those of the base just before.

    ``missing``: why there are none.
    """

    job: Job
    rounds: list[float] = field(default_factory=list)
    base: list[float] = field(default_factory=list)
    games: int = 0
    moves: float = 0
    missing: str = ""

    @property
    def length(self) -> float:
        """Moves of a game; 0 where no game ended."""
        return self.moves / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class Ratio:
    """A median over the rounds, with the smallest and the largest."""

    middle: float
    low: float
    high: float


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """This process and those that it starts, on the last core that it may use."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measure(
    jobs: Sequence[Job],
    base: Job,
    rounds: int,
    seconds: float,
    start: Callable[[Job], Competitor] = Worker,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Speed]:
    """The speeds of all jobs. A job that cannot play has a reason instead of rounds.

    Without the base the others are measured alone.
    """
    playing: dict[tuple[str, ...], Competitor] = {}
    speeds = [Speed(job) for job in jobs]
    scale = Speed(base)
    with one_core(), contextlib.ExitStack() as stack:
        for speed in (scale, *speeds):
            job = speed.job
            tell(job.title)
            try:
                if seat(job) not in playing:
                    playing[seat(job)] = worker = start(job)
                    stack.callback(worker.close)
                playing[seat(job)].run(WARM_UP, job.ask)
            except OSError as error:
                speed.missing = str(error)
        beside = None if scale.missing else playing[seat(base)]
        for number in range(rounds):
            tell(f"round {number + 1} of {rounds}")
            for speed in speeds if number % 2 == 0 else reversed(speeds):
                if not speed.missing:
                    _turn(speed, playing[seat(speed.job)], beside, seconds)
    return speeds


def seat(job: Job) -> tuple[str, ...]:
    """What tells the process of a job from others: the command alone if it takes questions."""
    return job.command if job.ask else (*job.command, job.key)


def _turn(speed: Speed, worker: Competitor, base: Competitor | None, seconds: float) -> None:
    """One turn of the base, if there is one, and one of the job."""
    job = speed.job
    try:
        against = base.run(seconds * BASE_PART).rate(job.clock) if base else 0.0
        played = worker.run(seconds, job.ask)
    except OSError as error:
        speed.missing = str(error)
        return
    if base:
        speed.base.append(against)
    speed.rounds.append(played.rate(job.clock, job.choices))
    speed.games += played.games
    speed.moves += played.moves / job.choices


def ratio(speed: Speed, over: Speed | None = None) -> Ratio | None:
    """How many times as fast as the base, or as another job in the same rounds.

    None where one of the two has no rounds.
    """
    own = _scaled(speed)
    if over is None:
        return spread(own) if speed.base else None
    return spread([a / b for a, b in zip(own, _scaled(over), strict=False)])


def _scaled(speed: Speed) -> list[float]:
    """The rounds in terms of the base, where there is one."""
    if speed.missing or not speed.base:
        return [] if speed.missing else speed.rounds
    return [a / b for a, b in zip(speed.rounds, speed.base, strict=True)]


def spread(values: Sequence[float]) -> Ratio | None:
    """Median, smallest and largest; None of nothing."""
    return Ratio(median(values), min(values), max(values)) if values else None
