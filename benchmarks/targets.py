"""What the engine has to reach, as data, and whether it does.

Takes the speeds of each game and the figures of starting; gives a line for each target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.harness import Ratio, Speed, ratio

BATCHES: Final = ("batch 1", "batch 64", "batch 1024", "batch 8192")
JAX: Final = tuple(
    f"{peer} {kind} {many}"
    for peer in ("pgx", "ludax")
    for kind in ("scan", "step")
    for many in ((1, 64, 1024, 8192) if kind == "scan" else (1, 1024, 8192))
)
IN_C: Final = ("c",)
ROLLOUTS: Final = ("spiel rollouts",)


@dataclass(frozen=True, slots=True)
class Target:
    """The best of ``ours`` is to be so many times as fast as the best of ``others``.

    ``aim``: what would be better still; 0 where nothing is said.
    """

    words: str
    game: str
    ours: tuple[str, ...]
    others: tuple[str, ...]
    least: float
    aim: float = 0.0


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure of starting that is to be at most so much."""

    words: str
    figure: str
    most: float


WHOLE: Final = ("whole",)
TARGETS: Final = (
    Target("tic-tac-toe, whole games: times plain C", "tic_tac_toe", WHOLE, IN_C, 2, 4),
    Target("connect four, whole games: times plain C", "connect_four", WHOLE, IN_C, 1.5, 4),
    Target("breakthrough, whole games: times plain C", "breakthrough", WHOLE, IN_C, 1, 3),
    Target("hex, whole games: times OpenSpiel's C++ rollouts", "hex", WHOLE, ROLLOUTS, 3, 6),
    Target(
        "kuhn poker, whole games: times OpenSpiel's C++ rollouts",
        "kuhn_poker",
        WHOLE,
        ROLLOUTS,
        1,
        3,
    ),
    Target(
        "Race for the Rabbit, 3 players, decisions: times C's moves of tic-tac-toe",
        "rabbit_race:3",
        WHOLE,
        IN_C,
        0.3,
        0.7,
    ),
    Target(
        "Trash Rush, 4 players, decisions: times C's moves of tic-tac-toe",
        "trash_rush:4",
        WHOLE,
        IN_C,
        0.2,
        0.5,
    ),
    *(
        Target(f"{title}, batch: times the best batch of pgx and Ludax", game, BATCHES, JAX, 2, 5)
        for title, game in (
            ("tic-tac-toe", "tic_tac_toe"),
            ("connect four", "connect_four"),
            ("hex", "hex"),
            ("kuhn poker", "kuhn_poker"),
        )
    ),
    *(
        Target(
            f"{title}, one state from Python: times OpenSpiel's Python loop",
            game,
            ("stepped",),
            ("spiel loop",),
            1,
            2,
        )
        for title, game in (
            ("tic-tac-toe", "tic_tac_toe"),
            ("connect four", "connect_four"),
            ("breakthrough", "breakthrough"),
            ("hex", "hex"),
            ("kuhn poker", "kuhn_poker"),
        )
    ),
    *(
        Target(f"{title}, two threads: times one", game, ("two threads",), ("one thread",), 1.8)
        for title, game in (
            ("tic-tac-toe", "tic_tac_toe"),
            ("connect four", "connect_four"),
            ("Race for the Rabbit", "rabbit_race:3"),
            ("Trash Rush", "trash_rush:4"),
        )
    ),
)
LIMITS: Final = (
    Limit("compiling Trash Rush for 4 players for the first time: seconds", "cold", 5.0),
    Limit("starting Trash Rush from the cache: seconds more than the reference", "warm", 0.1),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A target, and what was found; ``met`` is None where it was not measured."""

    words: str
    target: str
    here: Ratio | None
    met: bool | None
    aim_met: bool | None
    against: str = ""


def compared(game: str) -> set[str]:
    """The rows of a game that some target looks at."""
    return {key for t in TARGETS if t.game == game for key in (*t.ours, *t.others)}


def best(speeds: Mapping[str, Speed], keys: Sequence[str]) -> Speed | None:
    """The fastest of some rows, by its median against the base."""
    found = [(r.middle, s) for k in keys if (s := speeds.get(k)) and (r := ratio(s))]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def judge(target: Target, speeds: Mapping[str, Speed]) -> Verdict:
    """What came of a target, given the rows of its game by their keys."""
    wanted = f"{target.least:g} x" + (f", aim {target.aim:g} x" if target.aim else "")
    ours, others = best(speeds, target.ours), best(speeds, target.others)
    # C is the base of every row: what ran just before, not a row of its own
    in_c = target.others == IN_C
    here = ratio(ours, None if in_c else others) if ours and (others or in_c) else None
    if here is None:
        return Verdict(target.words, wanted, None, None, None)
    aim_met = here.middle >= target.aim if target.aim else None
    against = others.job.title if others else ""
    return Verdict(target.words, wanted, here, here.middle >= target.least, aim_met, against)


def judge_limit(limit: Limit, figures: Mapping[str, Ratio]) -> Verdict:
    """What came of a limit, given the figures of starting by their names."""
    here = figures.get(limit.figure)
    wanted = f"at most {limit.most:g}"
    met = None if here is None else here.middle <= limit.most
    return Verdict(limit.words, wanted, here, met, None)
