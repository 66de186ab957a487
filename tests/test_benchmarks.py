"""The benchmark itself: ratios within rounds, turns in alternation, rows without a peer."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from benchmarks import __main__ as program
from benchmarks import growth, memory, peers, report, serve, targets
from benchmarks.harness import Ratio, Speed, measure, ratio
from benchmarks.jobs import CONTESTS, LARGE, Unable, jobs_of, our_jobs
from benchmarks.process import Job, Played
from benchmarks.serve import Missing, Turn

BASE: Final = Job("base", "base", ())


@dataclass
class Table:
    """Competitors whose speeds are known, and the order in which they were called."""

    rates: dict[str, list[float]]
    calls: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    started: int = 0

    def start(self, job: Job) -> Seat | Unable:
        """A competitor, or one that cannot play."""
        self.started += 1
        return Seat(self, job.key) if job.key in self.rates else Unable("not installed")


@dataclass
class Seat:
    """Plays at its next rate; the first turn is the warm-up."""

    table: Table
    key: str
    turns: int = -1

    def run(self, seconds: float, ask: str = "") -> Played:
        """One turn."""
        self.turns += 1
        self.table.asked.append(ask)
        if self.turns == 0:
            return Played(1, 1, 1.0, 1.0)
        self.table.calls.append(self.key)
        rates = self.table.rates[self.key]
        moves = round(1000 * rates[(self.turns - 1) % len(rates)])
        return Played(10, moves, 2000.0, 1000.0)

    def close(self) -> None:
        """Nothing to end."""


def job(key: str, **rest: object) -> Job:
    """A job with this key."""
    return Job(key, key, (), **rest)  # type: ignore[arg-type]


def speed(key: str, rounds: list[float], base: list[float]) -> Speed:
    """A row that has been measured."""
    return Speed(job(key), rounds, base, games=1000, moves=8000)


def test_a_ratio_is_the_median_of_the_quotients_within_rounds() -> None:
    """A machine that slows down for a round slows both down, and the ratio stays."""
    row = speed("a", [20, 10, 60], [10, 5, 20])
    assert ratio(row) == Ratio(2, 2, 3)


def test_a_ratio_over_another_row_goes_through_the_base_of_each() -> None:
    """Each row is first divided by the base that ran just before it."""
    ours, other = speed("a", [20, 30], [10, 10]), speed("b", [10, 5], [20, 5])
    assert ratio(ours, other) == Ratio(3.5, 3, 4)


def test_without_rounds_there_is_no_ratio() -> None:
    """A row that is missing compares with nothing, on either side."""
    here, gone = speed("a", [20], [10]), Speed(job("b"), missing="not installed")
    assert ratio(gone) is None
    assert ratio(here, gone) is None
    assert ratio(gone, here) is None


def test_the_base_plays_before_every_turn_and_rounds_change_direction() -> None:
    """Base, a, base, b; then base, b, base, a."""
    table = Table({"base": [100], "a": [200], "b": [300]})
    measure([job("a"), job("b")], BASE, 2, 1.0, table.start)
    assert table.calls == ["base", "a", "base", "b", "base", "b", "base", "a"]


def test_measured_speeds_are_moves_a_second_of_the_right_clock() -> None:
    """Processor time, or the clock on the wall; the base by the same clock; moves, not choices."""
    table = Table({"base": [100], "a": [200], "b": [200], "c": [200]})
    jobs = [job("a"), job("b", clock="wall"), job("c", choices=2)]
    a, b, c = measure(jobs, BASE, 1, 1.0, table.start)
    assert (a.rounds, a.base) == ([200], [100])
    assert (b.rounds, b.base) == ([100], [50])
    assert (c.rounds, c.moves, c.length) == ([100], 100_000, 10_000)


def test_a_missing_peer_is_a_row_that_says_why() -> None:
    """The others are measured as if it were not there."""
    table = Table({"base": [100], "a": [200]})
    a, gone = measure([job("a"), job("gone")], BASE, 2, 1.0, table.start)
    assert gone.missing == "not installed"
    assert gone.rounds == []
    assert len(a.rounds) == 2
    assert report.contest_table("t", [a, gone, gone], "C").row_count == 2
    assert report.plain(gone)["missing"] == "not installed"


def test_jobs_with_the_same_command_that_are_asked_share_a_process() -> None:
    """Two ways of one worker: one start, and each turn says which way."""
    table = Table({"base": [100], "a": [200]})
    jobs = [Job("a", "a", ("x",), ask="scan 1"), Job("b", "b", ("x",), ask="scan 64")]
    measure(jobs, BASE, 1, 1.0, table.start)
    assert table.started == 2
    assert [ask for ask in table.asked if ask] == ["scan 1", "scan 64"] * 2


def test_without_the_base_rows_still_compare_with_each_other() -> None:
    """No C compiler: speeds and ratios of rows, no ratio to the base."""
    table = Table({"a": [200], "b": [50]})
    a, b = measure([job("a"), job("b")], BASE, 1, 1.0, table.start)
    assert a.rounds == [200]
    assert ratio(a) is None
    assert ratio(a, b) == Ratio(4, 4, 4)


def test_rows_with_other_rules_are_told_by_the_length_of_their_games() -> None:
    """Beyond a tolerance and what chance does; few games prove little."""
    same, longer = speed("a", [1], [1]), speed("b", [1], [1])
    longer.games, longer.moves = 1_000_000, 8_400_000
    same.games, same.moves = 1_000_000, 8_000_000
    assert report.differs(longer, same)
    longer.games, longer.moves = 100, 840
    assert not report.differs(longer, same)
    assert not report.differs(longer, None)


def test_games_under_way_in_a_batch_say_nothing_of_lengths() -> None:
    """The moves of unfinished games are in the sum, so many games a lane must have ended."""
    batch = Speed(job("a", lanes=64), [1], [1], games=640, moves=8000)
    assert not report.length_known(batch)
    batch.games = 6400
    assert report.length_known(batch)
    assert {j.key: j.lanes for j in jobs_of(CONTESTS[0], {"plain": "p", "limit": "l"})} | {
        "whole": 0,
        "c": 0,
        "batch 8192": 8192,
        "pgx step 1024": 1024,
    } == {j.key: j.lanes for j in jobs_of(CONTESTS[0], {"plain": "p", "limit": "l"})}


def test_a_target_is_met_by_the_median_of_the_best_rows() -> None:
    """The best of ours against the best of the others."""
    rows = {
        "batch 64": speed("batch 64", [30, 30], [10, 10]),
        "batch 1024": speed("batch 1024", [60, 60], [10, 10]),
        "pgx scan 64": speed("pgx scan 64", [20, 20], [10, 10]),
        "ludax scan 64": speed("ludax scan 64", [10, 10], [10, 10]),
    }
    found = targets.judge(targets.Target("w", "g", targets.BATCHES, targets.JAX, 2, 5), rows)
    assert found.here == Ratio(3, 3, 3)
    assert (found.met, found.aim_met, found.against) == (True, False, "pgx scan 64")


def test_a_target_that_was_not_measured_is_neither_met_nor_missed() -> None:
    """No rows, or nobody to compare with."""
    target = targets.Target("w", "g", ("whole",), ("spiel rollouts",), 2)
    assert targets.judge(target, {}).met is None
    assert targets.judge(target, {"whole": speed("whole", [1], [1])}).met is None


def test_a_target_over_the_base_needs_no_row_of_the_base() -> None:
    """Large games are measured against C's tic-tac-toe, which is no row of theirs."""
    target = targets.Target("w", "g", ("whole",), targets.IN_C, 0.5)
    found = targets.judge(target, {"whole": speed("whole", [6, 6], [10, 10])})
    assert (found.here, found.met) == (Ratio(0.6, 0.6, 0.6), True)


def test_a_limit_is_met_from_below() -> None:
    """Seconds are better when they are fewer."""
    limit = targets.Limit("w", "cold", 5)
    assert targets.judge_limit(limit, {"cold": Ratio(4, 3, 6)}).met is True
    assert targets.judge_limit(limit, {"cold": Ratio(6, 6, 6)}).met is False
    assert targets.judge_limit(limit, {}).met is None


def test_targets_name_rows_that_exist() -> None:
    """A key that no job has would never be measured."""
    keys = {c.game: {j.key for j in jobs_of(c, {"plain": "p", "limit": "l"})} for c in CONTESTS}
    keys |= {c.game: {j.key for j in our_jobs(c)} | {"c"} for c in LARGE}
    for target in targets.TARGETS:
        assert set(target.ours) | set(target.others) <= keys[target.game]
    for rows in (
        {j.key: j.alike for j in jobs_of(c, {"plain": "p", "limit": "l"})} for c in CONTESTS
    ):
        assert set(rows.values()) <= set(rows)


def test_seconds_that_do_not_count_are_taken_off() -> None:
    """A worker may say which part of a turn was not what it measures."""
    games, moves, wall, cpu = serve.play_for(lambda: Turn(2, 6, 100.0, 50.0), 0.0)
    assert (games, moves) == (2, 6)
    assert -100 < wall < -99
    assert -50 < cpu < -49


def test_what_cannot_be_imported_is_missing() -> None:
    """The words say what is missing."""
    with pytest.raises(Missing, match="no_such_worker"):
        serve.ready("no_such_worker", "tic_tac_toe", "")


def test_a_worker_of_python_answers_in_its_own_process() -> None:
    """One line a turn: games, moves, seconds of both clocks."""
    command = [sys.executable, "-m", "benchmarks.serve", "plain", "kuhn_poker", ""]
    done = subprocess.run(
        command, input="0.01\n", capture_output=True, text=True, check=True, cwd=peers.ROOT
    )
    word, games, moves, _, _ = done.stdout.split()
    assert word == "RESULT"
    assert 2 <= int(moves) / int(games) <= 3


def test_a_worker_that_cannot_play_says_why_and_goes_on() -> None:
    """Each way that is asked for has its own answer."""
    command = [sys.executable, "-m", "benchmarks.serve", "pettingzoo", "hex"]
    done = subprocess.run(
        command,
        input="0.01 a\n0.01 b\n",
        capture_output=True,
        text=True,
        check=True,
        cwd=peers.ROOT,
    )
    assert done.stdout == 2 * "MISSING PettingZoo has no `hex`\n"


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("program", ["plain", "limit"])
def test_both_programs_in_c_play_the_same_games_as_python(tmp_path: Path, program: str) -> None:
    """Mean lengths agree: shortest and longest game, who wins and when, are in them."""
    source = Path(growth.__file__).parent / "workers" / f"{program}.c"
    made = tmp_path / program
    subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-o", made, source], check=True)
    for game, mean in (("tic_tac_toe", 7.625), ("connect_four", 21.3), ("breakthrough", 64.0)):
        done = subprocess.run(
            [made, game], input="0.02", capture_output=True, text=True, check=True
        )
        _, games, moves, _, _ = done.stdout.split()
        assert int(moves) / int(games) == pytest.approx(mean, rel=0.05)


def test_an_environment_that_was_not_made_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either what the installer said, or how to get it."""
    monkeypatch.setattr(peers, "HOME", tmp_path)
    assert "make bench" in peers.reason("pgx")
    (tmp_path / "pgx.failed").write_text("cannot be installed: no wheel\n")
    assert peers.reason("pgx") == "cannot be installed: no wheel"


def test_every_peer_has_pinned_versions() -> None:
    """A run next year installs the same."""
    for name in peers.NAMES:
        pins = (peers.HERE / "peers" / f"{name}.txt").read_text("utf-8").split()
        assert pins
        assert all("==" in pin for pin in pins)


def test_grown_games_are_valid_and_come_to_their_end(tmp_path: Path) -> None:
    """The files that are made for growing maps: the smallest of each kind, on the reference."""
    from benchmarks.workers.ours import load

    small = {size.series: size for size in reversed(growth.sizes(tmp_path))}
    for series in ("a race, spaces of the track", "hex, cells along a side"):
        generator = random.Random(1)
        state = load(small[series].game, "reference").start(seed=1)
        while not state.over:
            state = state.apply(generator.choice(state.pending[0].options))
        assert state.result is not None
        assert len(state.result.winners) == 1


def test_memory_of_a_state_is_what_a_state_has() -> None:
    """The child that measures and the game itself agree."""
    from benchmarks.workers.ours import load

    question = memory.Question("t", "state", "tic_tac_toe", 1)
    game = load("tic_tac_toe", "reference")
    assert memory.answers((question,)) == {"t": len(game.start(seed=1).to_bytes())}


def test_figures_can_be_written_as_json() -> None:
    """Rows are plain data, ratios included."""
    row = json.loads(json.dumps(report.plain(speed("a", [20.4, 10], [10, 5]))))
    assert row["times"] == {"middle": 2.02, "low": 2.0, "high": 2.04}
    assert row["moves a game"] == 8


def test_a_word_that_no_row_has_is_wrong_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slip in `--only` is told at once: nothing else is measured in its place."""
    monkeypatch.setattr("sys.argv", ["benchmarks", "--only", "tik", "--only", "toe"])
    monkeypatch.setattr(program, "compile_c", lambda _: {"plain": "", "limit": ""})
    with pytest.raises(SystemExit) as caught:
        program.main()
    assert caught.value.code == 2
    assert "no row has 'tik' and 'toe' in its name or game" in capsys.readouterr().err
