"""``python -m benchmarks``: every speed as a ratio to C within one run, then size, memory, targets.

``make bench`` also sets up the peers; without it their rows say that they are not set up.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from benchmarks import growth, machine, memory, peers, report, startup, targets
from benchmarks.harness import Speed, measure
from benchmarks.jobs import (
    BASE_GAME,
    CONTESTS,
    LARGE,
    Contest,
    Unable,
    base_job,
    compile_c,
    jobs_of,
    our_jobs,
)
from benchmarks.process import Job, Worker

RESULTS: Final = Path(__file__).parent / "results"
WIDTH: Final = 150
PARTS: Final = ("games", "large", "growth", "memory", "start")
ROWS: Final = PARTS[:2]
"""The parts whose rows have names that `--only` looks at."""


class Run:
    """One run: what is asked for, and what has been found so far."""

    def __init__(self, given: argparse.Namespace, programs: dict[str, str], folder: Path) -> None:
        self.given, self.programs, self.folder = given, programs, folder
        self.console = Console(record=True)
        self.console.width = max(self.console.width, WIDTH)  # in a file too, rows stay one line
        self.data: dict[str, Any] = {"machine": machine.description()}
        self.speeds: dict[str, dict[str, Speed]] = {}
        self.figures: dict[str, Any] = {}

    def everything(self) -> None:
        """All parts that are wanted, each printed as soon as it is known."""
        wanted: Sequence[str] = self.given.parts or (ROWS if self.given.only else PARTS)
        self.console.print(", ".join(f"{k}: {v}" for k, v in self.data["machine"].items()))
        if machine.busy():
            self.console.print("other programs are running: figures will spread")
        for part, contests in (("games", CONTESTS), ("large", LARGE)):
            for contest in contests if part in wanted else ():
                self.contest(contest)
        if "growth" in wanted:
            self.grow()
        if "memory" in wanted:
            found = memory.answers()
            self.data["memory"] = found
            self.console.print(report.memory_table(found))
        if "start" in wanted:
            self.figures = startup.starts("trash_rush:4", min(self.given.rounds, 3))
            self.data["start"] = {name: asdict(figure) for name, figure in self.figures.items()}
            self.console.print(report.start_table(self.figures))
        self.judge()

    def contest(self, contest: Contest) -> None:
        """One game, everybody who has it."""
        large = contest in LARGE
        jobs = our_jobs(contest, (64, 1024)) if large else jobs_of(contest, self.programs)
        jobs = [job for job in jobs if self.wanted(contest, job)]
        if not jobs:
            return
        base = "C's tic-tac-toe" if large else "C"
        speeds = self.measure(jobs, BASE_GAME if large else contest.game)
        self.speeds[contest.game] = {speed.job.key: speed for speed in speeds}
        self.data.setdefault("games", {})[contest.game] = [report.plain(s) for s in speeds]
        self.console.print(report.contest_table(contest.title, speeds, base))

    def grow(self) -> None:
        """Our own games at all sizes."""
        found = growth.sizes(self.folder)
        speeds = self.measure(growth.growth_jobs(found), BASE_GAME)
        asked = tuple(memory.Question(size.key, "state", size.game, 1) for size in found)
        states = memory.answers(asked)
        self.data["growth"] = [
            {"series": size.series, "size": size.size, "state": states.get(size.key)}
            | report.plain(speed)
            for size, speed in zip(found, speeds, strict=True)
        ]
        self.console.print(report.growth_table(found, speeds, states))

    def judge(self) -> None:
        """The targets."""
        verdicts = [targets.judge(t, self.speeds.get(t.game, {})) for t in targets.TARGETS]
        verdicts += [targets.judge_limit(limit, self.figures) for limit in targets.LIMITS]
        self.data["targets"] = [asdict(verdict) for verdict in verdicts]
        partly = self.given.only or self.given.parts or self.given.brief
        shown = [v for v in verdicts if v.met is not None or not partly]
        if shown:
            self.console.print(report.target_table(shown))

    def measure(self, jobs: Sequence[Job], base_game: str) -> list[Speed]:
        """With a word on the screen about what is under way."""
        base = base_job(base_game, self.programs)
        with self.console.status("") as status:
            return measure(
                jobs, base, self.given.rounds, self.given.seconds, start, lambda t: status.update(t)
            )

    def wanted(self, contest: Contest, job: Job) -> bool:
        """Whether the words that were given are in the row's name, and a target asks for it."""
        name = f"{contest.game} {contest.title} {job.key} {job.title}".lower()
        if self.given.brief and job.key not in targets.compared(contest.game):
            return False
        return all(word.lower() in name for word in self.given.only)


def start(job: Job) -> Worker | Unable:
    """The process of a job, or the reason why there is none."""
    if job.peer and (why := peers.reason(job.peer)):
        return Unable(why)
    return Worker(job)


def main() -> None:
    """Measure, print, and write what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (default 5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds a turn (default 0.5)")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="TEXT",
        help="rows with this in their name or game",
    )
    parser.add_argument(
        "--part", action="append", dest="parts", choices=PARTS, help="this part only; several times"
    )
    parser.add_argument("--brief", action="store_true", help="only rows that a target compares")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument(
        "--save", action="store_true", help="write figures and tables into benchmarks/results"
    )
    given = parser.parse_args()
    # as an interrupt does: workers that are stopped would otherwise stay for ever
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run = Run(given, compile_c(folder), folder)
        run.data["settings"] = {"rounds": given.rounds, "seconds": given.seconds}
        run.everything()
    if given.only and not run.speeds and not given.parts:
        parser.error(f"no row has {' and '.join(map(repr, given.only))} in its name or game")
    text = json.dumps(run.data, indent=1, ensure_ascii=False) + "\n"
    if given.json:
        given.json.write_text(text, "utf-8")
    if given.save:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "results.json").write_text(text, "utf-8")
        (RESULTS / "results.txt").write_text(run.console.export_text(), "utf-8")


if __name__ == "__main__":
    main()
