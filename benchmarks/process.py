"""A competitor at a game, and the process in which it plays.

A worker reads lines ``SECONDS ASK`` and answers each with ``RESULT games moves wall cpu``, or with
``MISSING why``. Between its turns it is stopped, so that it cannot disturb others.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from typing import IO, Final, Literal, Protocol

from benchmarks.peers import HOME, ROOT

Clock = Literal["cpu", "wall"]
PATIENCE: Final = 300.0
"""Seconds for a worker to get ready, and beyond its turn."""
SETTINGS: Final = {
    "JAX_PLATFORMS": "cpu",
    "JAX_COMPILATION_CACHE_DIR": str(HOME / "jax"),
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""What every worker finds in its environment."""


@dataclass(frozen=True, slots=True)
class Job:
    """A competitor at one game.

    ``command``: how its process is started. ``ask``: what it is told with each turn; jobs with the
    same command that are told something share a process. ``clock``: what a second means: processor
    time, unless several cores work at once. ``choices``: how many choices make one move.
    ``alike``: the key of the row whose games it must resemble; empty where there is none.
    ``peer``: whose environment it needs. ``lanes``: how many games are under way at once; where
    few have ended for each, their mean length says nothing.
    """

    key: str
    title: str
    command: tuple[str, ...]
    clock: Clock = "cpu"
    choices: int = 1
    alike: str = "c"
    group: str = ""
    peer: str = ""
    ask: str = ""
    lanes: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """What a worker did in one turn."""

    games: int
    moves: int
    wall: float
    cpu: float

    def rate(self, clock: Clock, choices: int = 1) -> float:
        """Moves a second."""
        return self.moves / choices / max(self.cpu if clock == "cpu" else self.wall, 1e-9)


class Competitor(Protocol):
    """What the harness asks of a worker."""

    def run(self, seconds: float, ask: str = "") -> Played:
        """One turn; raises OSError with a reason where it cannot play."""

    def close(self) -> None:
        """End it."""


class Worker:
    """The process of a competitor."""

    def __init__(self, job: Job) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `close`
        self._process = subprocess.Popen(
            job.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **SETTINGS},
            cwd=ROOT,
            text=True,
        )

    def run(self, seconds: float, ask: str = "") -> Played:
        """Wake the process, let it play, stop it."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(seconds + PATIENCE, process.kill)
        late.start()
        try:
            process.send_signal(signal.SIGCONT)
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(f"{seconds} {ask}".rstrip() + "\n")
                process.stdin.flush()
            line = process.stdout.readline()
        finally:
            late.cancel()
        word, _, rest = line.strip().partition(" ")
        if word not in ("RESULT", "MISSING"):
            raise OSError(self._last_words())
        process.send_signal(signal.SIGSTOP)
        if word == "MISSING":
            raise OSError(rest)
        games, moves, wall, cpu = rest.split()
        return Played(int(games), int(moves), float(wall), float(cpu))

    def _last_words(self) -> str:
        """The last line that the process wrote to its errors."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        code = self._process.poll()
        return lines[-1] if lines else f"the worker ended with {code}"

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()
