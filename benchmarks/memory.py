"""What games hold in memory: ``python -m benchmarks.memory WAY GAME N`` prints bytes.

``state``: of one state; ``batch``: all arrays of a batch of N lanes; ``games``: by how much N whole
games raise the peak of the process; ``kept``: the same where all last states are kept.
"""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.peers import ROOT


@dataclass(frozen=True, slots=True)
class Question:
    """One figure of memory."""

    title: str
    way: str
    game: str
    many: int


QUESTIONS: Final = (
    *(
        Question(f"a state: {name}", "state", game, 1)
        for name, game in (
            ("tic-tac-toe", "tic_tac_toe"),
            ("connect four", "connect_four"),
            ("breakthrough 8x8", "breakthrough"),
            ("hex 11x11", "hex"),
            ("kuhn poker", "kuhn_poker"),
            ("Race for the Rabbit, 3 players", "rabbit_race:3"),
            ("Trash Rush, 4 players", "trash_rush:4"),
        )
    ),
    Question("a batch of 1,024: tic-tac-toe", "batch", "tic_tac_toe", 1_024),
    Question("a batch of 65,536: tic-tac-toe", "batch", "tic_tac_toe", 65_536),
    Question("a batch of 1,024: Trash Rush, 4 players", "batch", "trash_rush:4", 1_024),
    Question("a million games: tic-tac-toe", "games", "tic_tac_toe", 1_000_000),
    Question("100,000 games, last states kept: tic-tac-toe", "kept", "tic_tac_toe", 100_000),
    Question("10,000 games: Race for the Rabbit, 3 players", "games", "rabbit_race:3", 10_000),
    Question("10,000 games: Trash Rush, 4 players", "games", "trash_rush:4", 10_000),
)


def answers(questions: tuple[Question, ...] = QUESTIONS) -> dict[str, int]:
    """Title to bytes; each in a process of its own. What cannot be answered is left out."""
    found = {}
    for asked in questions:
        command = [
            sys.executable,
            "-m",
            "benchmarks.memory",
            asked.way,
            asked.game,
            str(asked.many),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        if done.returncode == 0:
            found[asked.title] = int(json.loads(done.stdout))
    return found


def bytes_of(way: str, game: str, many: int) -> int:
    """The figure, measured in this process."""
    from benchmarks.workers.ours import load

    made = load(game, "native")
    assert made.native is not None
    if way == "state":
        return int(made.native.layout.size)
    if way == "batch":
        return int(made.batch(many).nbytes)
    made.playouts(10)
    before = _now()
    made.playouts(many, keep=way == "kept")
    return max(0, _peak() - before)


def _now() -> int:
    """Bytes in memory now; from here on the peak counts anew, where the system can do that."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", "ascii")
        return _status("VmRSS")
    return _peak()


def _peak() -> int:
    """The most bytes that this process has had in memory."""
    with contextlib.suppress(OSError):
        return _status("VmHWM")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _status(name: str) -> int:
    """A figure that the system has of this process; raises OSError where there is none."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise OSError(name)


if __name__ == "__main__":
    print(json.dumps(bytes_of(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
