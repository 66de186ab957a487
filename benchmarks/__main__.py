"""``python -m benchmarks``: a table a game, every speed as a ratio to three baselines.

Peers that are not installed are left out with a word; ``make bench`` installs them.
"""

from __future__ import annotations

import argparse
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks.harness import Job, Speed, measure, ratio

COMPETITORS = (
    ("plain Python, by hand", "plain", ""),
    ("Rulewright reference, inner loop", "reference", "loop"),
    ("Rulewright reference, Python face", "reference", "face"),
    ("Rulewright native, whole games", "native", ""),
    ("C, plain algorithm, -O2", "c", ""),
    ("PettingZoo classic", "pettingzoo", ""),
    ("OpenSpiel, rules in C++", "openspiel", "cpp"),
    ("OpenSpiel, rules in Python", "openspiel", "python"),
)
GAMES = ("tic_tac_toe", "connect_four")
ONLY_IN_CPP = "connect_four"


def jobs_of(game: str) -> list[Job]:
    """The competitors at a game; OpenSpiel has only one of them in Python as well."""
    return [
        Job(title, worker, game, way)
        for title, worker, way in COMPETITORS
        if not (game == ONLY_IN_CPP and way == "python")
    ]


def table(game: str, speeds: list[Speed]) -> Table:
    """Moves a second, and the ratios to the two baselines of the same rounds."""
    result = Table(title=f"{game}: random play, one process, one core")
    for heading in ("", "moves a second", "x PettingZoo", "x plain Python", "x C"):
        result.add_column(heading, justify="right" if heading else "left")
    by_worker = {speed.job.worker: speed for speed in speeds}
    for speed in speeds:
        if speed.missing:
            result.add_row(speed.job.title, speed.missing, "", "", "")
            continue
        ratios = []
        for base in (by_worker["pettingzoo"], by_worker["plain"], by_worker["c"]):
            ratios.append("" if base.missing else f"{ratio(speed, base):.3g}")
        result.add_row(speed.job.title, f"{median(speed.rounds):,.0f}", *ratios)
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (default 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="seconds a turn (default 1)")
    given = parser.parse_args()
    console = Console()
    for game in GAMES:
        console.print(table(game, measure(jobs_of(game), given.rounds, given.seconds)))


if __name__ == "__main__":
    main()
