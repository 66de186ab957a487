"""Who plays what: the rows of the table, as data.

Takes a game of the comparison; gives its jobs. A row that a peer cannot have is there all the
same, and says why when it is run.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.process import Clock, Job, Played

WORKERS: Final = Path(__file__).parent / "workers"
LANES: Final = (1, 64, 1024, 8192)
STEPPED: Final = (1, 1024, 8192)
BY_HAND, OURS, PEERS = "by hand", "rulewright", "peers"


@dataclass(frozen=True, slots=True)
class Contest:
    """A game that others have too. ``choices``: how many of ours make one move.

    ``alike``: the row in C that draws its moves as ours does.
    """

    game: str
    title: str
    choices: int = 1
    alike: str = "c"


CONTESTS: Final = (
    Contest("tic_tac_toe", "tic-tac-toe"),
    Contest("connect_four", "connect four"),
    Contest("breakthrough", "breakthrough 8x8", choices=2, alike="c man first"),
    Contest("hex", "hex 11x11"),
    Contest("kuhn_poker", "kuhn poker"),
)
LARGE: Final = (
    Contest("rabbit_race:3", "Race for the Rabbit, 3 players", alike=""),
    Contest("trash_rush:4", "Trash Rush, 4 players", alike=""),
)
BASE_GAME: Final = "tic_tac_toe"
"""Games that nobody has written in C are measured against moves of this one."""


class Unable:
    """Stands for a worker that cannot even be started."""

    def __init__(self, why: str) -> None:
        self._why = why

    def run(self, seconds: float, ask: str = "") -> Played:
        """Raises OSError with the reason."""
        raise OSError(self._why)

    def close(self) -> None:
        """Nothing to end."""


def of_python(
    key: str,
    title: str,
    worker: str,
    game: str,
    way: str = "",
    *,
    peer: str = "",
    clock: Clock = "cpu",
    contest: Contest | None = None,
    together: bool = False,
) -> Job:
    """A job whose worker is a module; with `contest` it is ours, and counts as ours do.

    With ``together`` the ways of one worker share its process. A way ``HOW N`` has N lanes.
    """
    python = str(peers.python_of(peer)) if peer else sys.executable
    command = (python, "-m", "benchmarks.serve", worker, game)
    return Job(
        key,
        title,
        command if together else (*command, way),
        clock=clock,
        choices=contest.choices if contest else 1,
        alike=contest.alike if contest else "c",
        group=PEERS if peer else OURS if contest else BY_HAND,
        peer=peer,
        ask=way if together else "",
        lanes=int(way.partition(" ")[2] or 0),
    )


def in_c(key: str, title: str, program: str, game: str) -> Job:
    """A job whose worker is a program in C."""
    return Job(key, title, (program, game), group=BY_HAND)


def base_job(game: str, programs: dict[str, str]) -> Job:
    """The plain algorithm in C, which everything is measured against."""
    return in_c("base", "C, plain algorithm, -O2", programs["plain"], game)


def jobs_of(contest: Contest, programs: dict[str, str]) -> list[Job]:
    """All rows of a game that others have too."""
    game = contest.game
    jobs = [in_c("c", "C, plain algorithm, -O2", programs["plain"], game)]
    if contest.alike != "c":
        name = f"{game}/{contest.alike.removeprefix('c ').replace(' ', '_')}"
        title = f"C, the same, {contest.alike.removeprefix('c ')}"
        jobs.append(in_c(contest.alike, title, programs["plain"], name))
    jobs.append(in_c("c limit", "C, every trick, -O2 -march=native", programs["limit"], game))
    jobs.append(of_python("python", "Python, plain algorithm", "plain", game))
    return [*jobs, *our_jobs(contest), *peer_jobs(game)]


def our_jobs(contest: Contest, lanes: tuple[int, ...] = LANES) -> list[Job]:
    """Our own ways to play a game."""
    game = contest.game

    def job(key: str, title: str, worker: str, way: str, clock: Clock = "cpu") -> Job:
        return of_python(key, title, worker, game, way, clock=clock, contest=contest)

    jobs = [
        job("whole", "whole games", "native", "1"),
        job("one thread", "whole games, one thread, by the clock", "native", "1", "wall"),
        job("two threads", "whole games, two threads, by the clock", "native", "2", "wall"),
    ]
    for many in lanes:
        jobs.append(job(f"batch {many}", f"batch of {many:,}", "batch", f"own {many}"))
    for many in lanes[-2:]:
        title = f"batch of {many:,}, actions by numpy"
        jobs.append(job(f"batch numpy {many}", title, "batch", f"numpy {many}"))
        title = f"batch of {many:,}, without choosing"
        jobs.append(job(f"batch step {many}", title, "batch", f"step {many}"))
    return [
        *jobs,
        job("stepped", "one state stepped from Python", "stepping", "fast"),
        job("face", "one state, the Python face", "stepping", "face"),
        job("reference", "reference interpreter", "reference", "loop"),
        job("reference face", "reference interpreter, the Python face", "reference", "face"),
    ]


def peer_jobs(game: str) -> list[Job]:
    """What others offer for a game, or the reason why not."""
    spiel = [
        ("spiel rollouts", "OpenSpiel, C++ rollouts", "rollouts"),
        ("spiel loop", "OpenSpiel, Python loop", "loop"),
        ("spiel python", "OpenSpiel, rules in Python", "python"),
    ]
    rlc = [("rlc", "RLC, native loop", "loop"), ("rlc face", "RLC, Python class", "face")]
    jobs = [of_python(k, t, "openspiel", game, way, peer="openspiel") for k, t, way in spiel]
    jobs.append(
        of_python("pettingzoo", "PettingZoo classic", "pettingzoo", game, peer="pettingzoo")
    )
    jobs += [of_python(k, t, "rlc", game, way, peer="rlc") for k, t, way in rlc]
    for name, title in (("pgx", "pgx"), ("ludax", "Ludax")):
        for kind, words, lanes in (
            ("scan", "compiled loop", LANES),
            ("step", "one call a step", STEPPED),
        ):
            for many in lanes:
                key, way = f"{name} {kind} {many}", f"{kind} {many}"
                words_of = f"{title}, {words}, batch of {many:,}"
                jobs.append(of_python(key, words_of, name, game, way, peer=name, together=True))
    return jobs


def compile_c(folder: Path) -> dict[str, str]:
    """Program name to its path; the path of one that could not be compiled does not exist."""
    programs = {}
    for name, flags in (("plain", ("-O2",)), ("limit", ("-O2", "-march=native"))):
        made = folder / name
        command = ["gcc", *flags, "-o", str(made), str(WORKERS / f"{name}.c")]
        try:
            subprocess.run(command, check=False, capture_output=True)
        except OSError as error:
            print(f"no C: {error}", file=sys.stderr)
        programs[name] = str(made)
    return programs
