"""Speeds -> tables for people, and plain data for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import median
from typing import Any, Final

from rich.table import Table

from benchmarks.growth import Size
from benchmarks.harness import Ratio, Speed, ratio
from benchmarks.targets import Verdict

TOLERANCE: Final = 0.02
"""Mean lengths may differ so much, beside what chance does."""
SPREAD: Final = 0.5
"""Lengths of games spread at most so far around their mean, as a part of it."""
GAMES_A_LANE: Final = 20
"""So many games must have ended in each lane of a batch: those under way are not counted."""
ERRORS: Final = 4.0
"""So many standard errors are put down to chance."""


def differs(speed: Speed, alike: Speed | None) -> bool:
    """Whether a row's games are longer or shorter than those of a row with the same rules."""
    if alike is None or not (length_known(speed) and length_known(alike)):
        return False
    chance: float = ERRORS * SPREAD / min(speed.games, alike.games) ** 0.5
    return abs(speed.length / alike.length - 1) > TOLERANCE + chance


def length_known(speed: Speed) -> bool:
    """Whether enough games have ended to say how long they are."""
    return speed.games > GAMES_A_LANE * speed.job.lanes


def contest_table(title: str, speeds: Sequence[Speed], base: str) -> Table:
    """One row a competitor: moves a second, how many times the base, moves of a game."""
    table = Table(title=title, title_justify="left")
    table.add_column("", no_wrap=True)
    for heading in ("moves a second", f"x {base}", "smallest .. largest", "moves a game"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    by_key = {speed.job.key: speed for speed in speeds}
    group = ""
    missing: dict[tuple[str, str], list[str]] = {}
    for speed in speeds:
        if speed.job.group != group:
            table.add_section()
            group = speed.job.group
        name = f"Rulewright, {speed.job.title}" if group == "rulewright" else speed.job.title
        if speed.missing:
            missing.setdefault((speed.job.peer, speed.missing), []).append(name)
            continue
        flag = "other lengths" if differs(speed, by_key.get(speed.job.alike)) else ""
        length = f"{speed.length:.2f}" if length_known(speed) else ""
        times = ratio(speed)
        table.add_row(name, rate(speed), middle(times), span(times), length, flag)
    for (_, why), names in missing.items():
        # all ways of one peer that are missing for one reason are one row
        name = names[0] if len(names) == 1 else names[0].partition(",")[0]
        table.add_row(name, "-", "", "", "", why, style="dim")
    return table


def growth_table(
    found: Sequence[Size], speeds: Sequence[Speed], states: Mapping[str, int]
) -> Table:
    """One row a size: how big a state is, how long a game, how fast its choices."""
    table = Table(title="how it grows", title_justify="left")
    for heading in (
        "",
        "size",
        "bytes a state",
        "choices a game",
        "choices a second",
        "games a second",
        "x C's tic-tac-toe",
        "",
    ):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    series = ""
    for size, speed in zip(found, speeds, strict=True):
        if size.series != series:
            table.add_section()
        shown, series = size.series if size.series != series else "", size.series
        state = f"{states.get(size.key, 0):,}"
        if speed.missing:
            table.add_row(shown, str(size.size), state, "-", "", "", "", speed.missing)
            continue
        games = f"{median_rate(speed) / speed.length:,.0f}" if speed.length else ""
        table.add_row(
            shown,
            str(size.size),
            state,
            f"{speed.length:.1f}",
            rate(speed),
            games,
            middle(ratio(speed)),
            "",
        )
    return table


def memory_table(found: Mapping[str, int]) -> Table:
    """One row a question."""
    table = Table(title="memory", title_justify="left")
    table.add_column("")
    table.add_column("bytes", justify="right")
    for title, many in found.items():
        table.add_row(title, f"{many:,}")
    return table


def start_table(found: Mapping[str, Ratio]) -> Table:
    """One row a figure of starting."""
    words = {
        "cold": "Trash Rush, 4 players: making the machine code",
        "warm": "the same from the cache: more than a start of the reference engine",
        "all": "the same from the cache: the whole start",
    }
    table = Table(title="starting, in seconds of processor time", title_justify="left")
    for heading in ("", "median", "smallest .. largest"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, figure in found.items():
        table.add_row(words[name], middle(figure), span(figure))
    return table


def target_table(verdicts: Sequence[Verdict]) -> Table:
    """One row a target."""
    table = Table(title="targets", title_justify="left")
    for heading in ("", "target", "here", "smallest .. largest", "met", "against"):
        table.add_column(heading, justify="right" if heading in ("target", "here") else "left")
    for verdict in verdicts:
        met = "not measured" if verdict.met is None else "yes" if verdict.met else "NO"
        if verdict.met and verdict.aim_met:
            met = "yes, and the aim"
        table.add_row(
            verdict.words,
            verdict.target,
            middle(verdict.here),
            span(verdict.here),
            met,
            verdict.against,
        )
    return table


def middle(times: Ratio | None) -> str:
    """The median of a ratio."""
    return "" if times is None else f"{times.middle:.3g}"


def span(times: Ratio | None) -> str:
    """The spread of a ratio."""
    return "" if times is None else f"{times.low:.3g} .. {times.high:.3g}"


def median_rate(speed: Speed) -> float:
    """The median of the rounds."""
    return median(speed.rounds)


def rate(speed: Speed) -> str:
    """Moves a second."""
    return f"{median_rate(speed):,.0f}"


def plain(speed: Speed) -> dict[str, Any]:
    """A row as data."""
    times = ratio(speed)
    return {
        "key": speed.job.key,
        "title": speed.job.title,
        "group": speed.job.group,
        "clock": speed.job.clock,
        "rounds": [round(value) for value in speed.rounds],
        "base": [round(value) for value in speed.base],
        "times": asdict(times) if times else None,
        "moves a game": round(speed.length, 3),
        "missing": speed.missing,
    }
