"""How speed and size grow with players and with the map: games of growing size, as jobs.

Larger maps are made here: hex by a variant of our game file, a race on a track from a text.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.jobs import Contest, of_python
from benchmarks.process import Job
from benchmarks.workers.ours import GAMES

HEX_SIDES: Final = (5, 7, 9, 11, 13, 15)
TRACKS: Final = (10, 20, 40, 80, 160)
RACERS: Final = (2, 3, 4, 5, 6)

RACE: Final = """\
game: race_{length}
title: {{en: A race on a long track}}
players: 2..6

flow:
  game: {{repeat: turn}}
  turn: {{kind: turn, each: me in players, do: me must go}}

words: {{player: [me], space: [here, there]}}
map:
  course: {{kind: space, track: "path start, s1..s{length}"}}
pieces:
  runner: {{each: player, starts: start.runners, stays in: space}}
zones:
  runners: {{each: space, of: runner}}

rules:
  go(me):                               # one to three spaces; whoever is met starts again
    choose: {{steps: in 1..3}}
    do: |
      repeat steps times do forward(me)
      for other in me.runner.space.runners if other.owner is not me do move other to start.runners
      if not any(next(me.runner.space)) then stop game won by me
  forward(me):
    do: for there in next(me.runner.space) do move me.runner to there.runners

result: {{by: stop game}}
"""


@dataclass(frozen=True, slots=True)
class Size:
    """One size of a game: where its row stands, and how big it is."""

    series: str
    size: int
    game: str

    @property
    def key(self) -> str:
        """The key of its job."""
        return f"{self.series} {self.size}"


def sizes(folder: Path) -> list[Size]:
    """All sizes; files that are made for them lie in the folder."""
    found = [Size("Race for the Rabbit, players", k, f"rabbit_race:{k}") for k in (2, 3, 4)]
    found += [Size("Trash Rush, players", k, f"trash_rush:{k}") for k in (1, 2, 3, 4)]
    for length in TRACKS:
        path = folder / f"race_{length}.yaml"
        path.write_text(RACE.format(length=length), "utf-8")
        found.append(Size("a race, spaces of the track", length, f"{path}:2"))
    for racers in RACERS:
        found.append(
            Size("a race of 40 spaces, players", racers, f"{folder / 'race_40.yaml'}:{racers}")
        )
    for side in HEX_SIDES:
        found.append(Size("hex, cells along a side", side, str(hex_file(folder, side))))
    return found


def hex_file(folder: Path, side: int) -> Path:
    """Hex on another board, as a variant of the game file."""
    path = folder / f"hex_{side}.yaml"
    stones = (side * side + 1) // 2
    path.write_text(
        f"""\
game: hex_{side}
title: {{en: Hex on {side} x {side}}}
extends: {os.path.relpath(GAMES / "hex.yaml", folder)}
change:
  map.board.grid: {side} x {side} hex
  map.board.sets.north.where: cell.row is {side}
  map.board.sets.east.where: cell.column is {side}
  pieces.stone.count: {stones}
  invariants.stones_are_kept.holds: count(cells.stone) + count(players.supply) is {2 * stones}
""",
        "utf-8",
    )
    return path


def growth_jobs(found: list[Size]) -> list[Job]:
    """One job a size."""
    contest = Contest("", "", alike="")
    return [
        of_python(
            size.key, f"{size.series}: {size.size}", "native", size.game, "1", contest=contest
        )
        for size in found
    ]
