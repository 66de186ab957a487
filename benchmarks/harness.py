"""Runs competitors in turn, each in a process of its own that lives through all rounds.

A worker reads lines ``SECONDS`` and answers ``games moves seconds``. Between its turns it waits,
so that only one process works at a time; all run on the same core where the system allows it.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

WARM_UP = 0.5
"""Seconds of play before the first round that counts."""


@dataclass(frozen=True, slots=True)
class Job:
    """A competitor at one game: the worker module and which way it is used."""

    title: str
    worker: str
    game: str
    way: str


@dataclass(slots=True)
class Speed:
    """Moves a second of each round; empty where the competitor is not installed."""

    job: Job
    rounds: list[float] = field(default_factory=list)
    missing: str = ""


class Worker:
    """The process of a competitor."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.process = subprocess.Popen(
            command(job),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def run(self, seconds: float) -> float:
        """Moves a second; raises OSError with the worker's words where it cannot run."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{seconds}\n")
            self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != 3 or not answer[0].isdigit():
            raise OSError(" ".join(answer) or "the worker stopped")
        return float(answer[1]) / float(answer[2])

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


def command(job: Job) -> list[str]:
    """How the worker is started; what is written in C is compiled first."""
    if job.worker != "c":
        return [sys.executable, "-m", "benchmarks.harness", job.worker, job.game, job.way]
    program = Path(tempfile.gettempdir()) / f"rulewright-bench-{os.getpid()}"
    if not program.exists():
        source = Path(__file__).parent / "workers" / "plain.c"
        subprocess.run(["gcc", "-O2", "-o", program, source], check=True)
    pin = ["taskset", "-c", str(min(os.sched_getaffinity(0)))] if shutil.which("taskset") else []
    return [*pin, str(program), job.game]


def measure(jobs: list[Job], rounds: int, seconds: float) -> list[Speed]:
    """Moves a second of every job in every round; in each round the jobs run one after another."""
    workers: dict[Job, Worker] = {}
    speeds = {job: Speed(job) for job in jobs}
    for job in jobs:
        try:
            workers[job] = Worker(job)
            workers[job].run(WARM_UP)
        except (OSError, subprocess.CalledProcessError) as error:
            speeds[job].missing = str(error)
    for _ in range(rounds):
        for job, worker in workers.items():
            if not speeds[job].missing:
                speeds[job].rounds.append(worker.run(seconds))
    for worker in workers.values():
        worker.close()
    return list(speeds.values())


def ratio(speed: Speed, base: Speed) -> float:
    """The median over the rounds of the quotient within one round."""
    return median(a / b for a, b in zip(speed.rounds, base.rounds, strict=True))


def work(worker: str, game: str, way: str) -> None:
    """The loop of a worker process."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    try:
        play = importlib.import_module(f"benchmarks.workers.{worker}").playouts(game, way)
    except ImportError as error:
        print(f"not installed: {error.name}", flush=True)
        return
    for line in sys.stdin:
        games = moves = 0
        start = time.perf_counter()
        while (spent := time.perf_counter() - start) < float(line):
            moves += play()
            games += 1
        print(games, moves, spent, flush=True)


if __name__ == "__main__":
    work(*sys.argv[1:4])
