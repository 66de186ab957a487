"""Many games: what is counted, who chooses, and that one may stop at any time."""

from __future__ import annotations

import json
import os
import pty
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT

import ruleset
from interpreter import Game, GameError, State
from interpreter.runtime.playouts import playouts
from playtest.cli import run
from playtest.commands.simulate import _speed
from playtest.players import GreedyPlayer, SearchPlayer, _guess, player_of
from playtest.seats import SeatError, seats_of
from playtest.simulation import MOST, WATCHED, Account, begin, simulate
from playtest.tally import Tally, _at_once, _one_by_one, interval, spread, tally_of_many

SMALL = str(ROOT / "games" / "tic_tac_toe.yaml")
NAMES = sorted(path.stem for path in (ROOT / "games").glob("*.yaml"))
needs_native = pytest.mark.skipif(
    subprocess.run(
        [sys.executable, "-c", "import llvmlite.binding"], capture_output=True
    ).returncode
    != 0,
    reason="llvmlite is not installed: pip install 'rulewright[native]'",
)


@cache
def game(name: str, players: int) -> Game:
    """A game, lowered once."""
    return Game(ruleset.load(ROOT / "games" / f"{name}.yaml"), players, engine="reference")


def account_of(played: Game, seats: str, games: int, seed: int = 1, threads: int = 1) -> Account:
    """What comes of some games."""
    account = begin(played, seats_of(seats, played.players))
    simulate(account, games, seed, threads, lambda _: None)
    return account


def lasting(account: Account) -> dict[str, Any]:
    """The account without what depends on time."""
    plain = account.plain()
    return {k: v for k, v in plain.items() if k not in ("seconds", "games_a_second", "engine")}


def test_an_account_counts_every_game() -> None:
    """Lengths, wins and endings are those of the games; the parts of the wins add up."""
    account = account_of(game("tic_tac_toe", 2), "random,first", 12, 5)
    tally = account.tally
    assert account.games == 12 == tally.begun
    assert sum(tally.endings.values()) == 12
    won = tally.endings["won"]
    assert sum(tally.seat(k)[0] for k in range(2)) == pytest.approx(won / 12)
    assert all(5 <= length <= 9 for length in tally.lengths)
    assert account.usage is not None
    assert account.usage.never("rules") == []
    plain = account.plain()
    assert plain["usage"]["spaces"]["cell.b2"] > 0
    assert json.loads(json.dumps(plain)) == plain


@pytest.mark.parametrize("name", NAMES)
def test_the_games_that_are_looked_at_are_playouts(name: str) -> None:
    """Random seats play the games of `Game.playouts`, each once, whether looked at or not."""
    played = game(name, min(4, ruleset.load(ROOT / "games" / f"{name}.yaml").file.max_players))
    account = account_of(played, "random", 3, 7)
    found = playouts(played.machine, 3, 7, MOST, keep=True)
    assert account.tally == tally_of_many(played, found, MOST)
    assert account.usage is not None and account.usage.games == 3


@needs_native
@pytest.mark.parametrize("name", ["liars_dice", "rabbit_race", "tic_tac_toe"])
def test_engines_and_threads_change_nothing(name: str) -> None:
    """The account is the same on every engine and for every number of threads."""
    compiled = game(name, 2).compiled
    wanted = lasting(account_of(game(name, compiled.players), "random", WATCHED + 7))
    for engine, threads in (("native", 1), ("native", 8), ("auto", 3)):
        played = Game.of_compiled(compiled, engine)  # type: ignore[arg-type]
        account = account_of(played, "random", WATCHED + 7, threads=threads)
        assert lasting(account) == wanted
        assert engine == "auto" or account.engine == "native"


@needs_native
@pytest.mark.parametrize(("name", "players"), [("kuhn_poker", 2), ("liars_dice", 2)])
def test_players_that_look_ahead_choose_the_same_on_every_engine(name: str, players: int) -> None:
    """Greedy and searching seats play the same games in machine code."""
    compiled = game(name, players).compiled
    found = [
        lasting(account_of(Game.of_compiled(compiled, engine), "mcts:9,greedy", 4))  # type: ignore[arg-type]
        for engine in ("native", "auto", "reference")
    ]
    assert found[0] == found[1] == found[2]


SHORT = ("goofspiel", "kuhn_poker", "liars_dice", "tic_tac_toe")
"""Games that are over soon, also with players who search."""


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((kind, name) for kind in ("greedy", "first") for name in NAMES),
        *(("mcts:2", name) for name in SHORT),
    ],
)
def test_every_kind_of_player_plays_every_game(name: str, kind: str) -> None:
    """A game of such seats comes to its end, or is told to be unfinished; none breaks."""
    rules = ruleset.load(ROOT / "games" / f"{name}.yaml")
    played = game(name, min(rules.file.max_players, max(rules.file.min_players, 2)))
    account = begin(played, seats_of(kind, played.players), watch=False)
    simulate(account, 1, 1, 1, lambda _: None)
    assert account.tally.begun == 1 and not account.tally.faults


@pytest.mark.parametrize("name", NAMES)
def test_search_chooses_at_every_kind_of_moment(name: str) -> None:
    """Far into a game, too, where hidden things are only guessed, a search finds an option."""
    rules = ruleset.load(ROOT / "games" / f"{name}.yaml")
    state = game(name, min(rules.file.max_players, max(rules.file.min_players, 3))).start(2)
    generator = random.Random(4)
    search = player_of("mcts:3", random.Random(1))
    for step in range(60):
        if state.over:
            break
        asked = state.pending[-1]
        chosen = asked.options[generator.randrange(len(asked.options))]
        if step % 9 == 8:
            assert search.choose(state, asked.player) in list(asked.options)
        state = state.apply(chosen)


def test_an_interrupt_keeps_what_was_done() -> None:
    """Whoever stops a simulation has the games that were over."""
    account = begin(game("tic_tac_toe", 2), ("random", "random"))

    def stop(so_far: Account) -> None:
        if so_far.games >= WATCHED + 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(account, 100_000, 1, 1, stop)
    assert WATCHED + 3 <= account.games < 100_000
    assert account.games == sum(account.tally.endings.values())
    assert account.seconds > 0


@needs_native
def test_the_engine_is_named_that_takes_the_steps() -> None:
    """With machine code for every step it is named, also where nobody plays at random."""
    compiled = game("tic_tac_toe", 2).compiled
    for engine in ("native", "reference"):
        account = account_of(Game.of_compiled(compiled, engine), "greedy,first", 1)  # type: ignore[arg-type]
        assert account.engine == engine == account.plain()["engine"]


def test_games_that_are_not_counted_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Broken games and games without an end stand below the games that count, in one breath."""
    path = tmp_path / "careless.yaml"
    text = Path(SMALL).read_text("utf-8")
    path.write_text(text.replace("in cells if not any(cell.stone)", "in cells"), "utf-8")
    assert run(["simulate", str(path), "--games", "1", "--seats", "first"]) == 1
    told = capsys.readouterr().out
    assert "0 games of 2 players" in told and "\n1 more game broke: `rulewright fuzz`" in told
    monkeypatch.setattr("playtest.simulation.MOST", 3)
    assert run(["simulate", SMALL, "--games", "2", "--seats", "first"]) == 0
    told = capsys.readouterr().out
    assert "0 games of 2 players" in told and "\n2 more games had no end in 3 choices" in told


def test_a_slow_speed_is_not_told_as_none() -> None:
    """Less than ten games a second have two digits; of many the fast ones are named."""
    account = begin(game("tic_tac_toe", 2), ("random", "random"))
    account.tally, account.seconds = Tally(unfinished=1), 4.0
    assert _speed(account) == "0.25 games a second"
    account.fast = (3000, 2.0)
    assert _speed(account) == "1,500 games a second in the 3,000 that nobody looked at"


@needs_native
def test_playouts_want_numbers_that_can_be() -> None:
    """Games below 0 and threads below 1 are refused in the same words on every engine."""
    compiled = game("tic_tac_toe", 2).compiled
    for engine in ("native", "reference"):
        played = Game.of_compiled(compiled, engine)  # type: ignore[arg-type]
        with pytest.raises(GameError, match="number of games from 0 on, found -1"):
            played.playouts(-1)
        with pytest.raises(GameError, match="number of threads from 1 on, found 0"):
            played.playouts(2, threads=0)
        assert played.playouts(0).choices == 0


def test_tallies_add_up() -> None:
    """Two parts of some games are together what all of them are."""
    played = game("sushi_go", 3)
    found = [playouts(played.machine, n, seed, MOST, True) for n, seed in ((3, 1), (2, 4), (5, 1))]
    one, two, both = (tally_of_many(played, each, MOST) for each in found)
    assert one + two == both
    assert Tally() + both == both + Tally() == both
    short = playouts(played.machine, 2, 1, 3, True)
    assert tally_of_many(played, short, 3).unfinished == 2


@pytest.mark.parametrize("name", NAMES)
def test_many_states_are_counted_at_once(name: str) -> None:
    """With numpy the tally of many games is the one of each game by itself."""
    pytest.importorskip("numpy")
    rules = ruleset.load(ROOT / "games" / f"{name}.yaml")
    for players in {rules.file.min_players, min(rules.file.max_players, 3)}:
        if rules.file.min_players > players:
            continue
        played = game(name, players)
        for most in (MOST, 30):
            found = playouts(played.machine, 4, 1, most, keep=True)
            assert _at_once(played, found, most) == _one_by_one(played, found, most)


def test_intervals_hold_the_mean() -> None:
    """An interval holds its mean, is never empty, and narrows with more games."""
    wide, narrow = interval(1, 2), interval(100, 200)
    assert wide[1] < wide[0] < wide[2]
    assert narrow[2] - narrow[1] < wide[2] - wide[1]
    assert interval(0, 0) == (0.0, 0.0, 1.0)
    assert interval(0, 10)[2] > 0
    # by hand: Wilson for 1 of 2 with z = 1.96
    assert wide[1] == pytest.approx(0.09453, abs=1e-4)


def test_spreads_are_those_of_the_values() -> None:
    """Least, middle, most, mean and its half width, from values that are counted."""
    values = [2, 4, 9, 9]
    told = spread(Counter(values))
    assert (told["least"], told["median"], told["most"], told["mean"]) == (2, 9, 9, 6.0)
    assert told["within"] == pytest.approx(1.96 * (38 / 3) ** 0.5 / 2, abs=1e-3)
    assert spread({}) == {} and spread({5: 1})["within"] == 0


def test_who_looks_ahead_takes_a_win() -> None:
    """A win in one choice is taken, by one step and by search."""
    state = game("tic_tac_toe", 2).start(1)
    for text in ("put_stone a1", "put_stone a3", "put_stone b1", "put_stone b3"):
        state = state.apply(text)
    generator = random.Random(1)
    for player in (GreedyPlayer(generator), SearchPlayer(generator, 60)):
        assert player.choose(state, 1).text == "put_stone(cell=c1)"


def test_search_does_not_know_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search plays on from guesses alone, and they hold each card that the other may have."""
    guesses: list[State] = []

    def noted(*given: Any) -> State:
        guesses.append(_guess(*given))
        return guesses[-1]

    monkeypatch.setattr("playtest.players._guess", noted)
    for seed in range(6):
        state = game("kuhn_poker", 2).start(seed)
        asked = state.pending[0].player
        guesses.clear()
        player_of("mcts:30", random.Random(2)).choose(state, asked)
        assert len(guesses) == 30
        assert all(each.view(asked) == state.view(asked) for each in guesses)
        held = {str(each.view(3 - asked)["zones"]["card"]) for each in guesses}
        assert len(held) == 2  # of three cards one is known


@pytest.mark.parametrize("text", ["mcts:0", "mcts:x", "random:3", "gredy", "mcts:200000"])
def test_a_seat_that_makes_no_sense_is_refused(text: str) -> None:
    """A seat with a wrong name or number is refused with what was expected."""
    with pytest.raises(SeatError):
        seats_of(text, 1)
    assert seats_of("mcts", 2) == ("mcts:200", "mcts:200")


def test_simulate_tells_and_gives_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The command tells in words what it gives as JSON; people have no seat there."""
    arguments = ["simulate", SMALL, "--games", "20", "--engine", "reference"]
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert "20 games of 2 players" in text
    assert "spaces: 9 of 9" in text
    assert run([*arguments, "--json", "--seats", "greedy,random"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"] == 20
    assert data["seats"][0]["wins"] > data["seats"][1]["wins"]
    assert run([*arguments, "--seats", "human"]) == 2


@needs_native
def test_machine_code_plays_the_same_kind_of_games() -> None:
    """Random games in machine code have the lengths that such games have."""
    account = begin(Game(ruleset.load(SMALL), 2, engine="native"), ("random", "random"), False)
    simulate(account, 500, 1, 1, lambda _: None)
    assert account.engine == "native"
    assert account.games == 500
    mean = sum(length * games for length, games in account.tally.lengths.items()) / 500
    assert 7 < mean < 8


# ---------------------------------------------------------------------- as a process


CALL = "from playtest.cli import main; main()"


def started(tmp_path: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """The command under way, with a cache folder of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", CALL, "simulate", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )


@pytest.mark.parametrize("engine", ["auto", "reference"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_what_was_done(
    tmp_path: Path, number: signal.Signals, engine: str
) -> None:
    """Ctrl-C and SIGTERM end a long simulation soon, with valid JSON of the games so far."""
    for seconds in (2.0, 5.0, 15.0):
        child = started(tmp_path, SMALL, "--games", "100000000", "--json", "--engine", engine)
        time.sleep(seconds)
        child.send_signal(number)
        out, errors = child.communicate(timeout=20)
        if out:  # else it had not begun to play
            break
    data = json.loads(out)
    assert child.returncode == 0 and errors == b""
    assert data["interrupted"] and 0 < data["games"] < 100_000_000
    assert sum(data["endings"].values()) == data["games"]


@needs_native
def test_a_kill_leaves_nothing_half_written(tmp_path: Path) -> None:
    """After a kill in the middle of compiling the next run works, and finds whole code or none."""
    arguments = (str(ROOT / "games" / "rabbit_race.yaml"), "--engine", "native", "--json")
    for seconds in (0.9, 1.4):
        child = started(tmp_path, *arguments, "--games", "1000000")
        time.sleep(seconds)
        child.kill()
        child.communicate()
    out, errors = started(tmp_path, *arguments, "--games", "30").communicate(timeout=60)
    assert json.loads(out)["games"] == 30 and errors == b""


def test_the_bar_is_for_terminals_alone(tmp_path: Path) -> None:
    """A person sees the bar; a file does not, and JSON never comes with one."""
    shown = []
    for more in ((), ("--json",)):
        leader, follower = pty.openpty()
        done = subprocess.run(
            [sys.executable, "-c", CALL, "simulate", SMALL, "--games", "30", *more],
            stdout=subprocess.PIPE,
            stderr=follower,
            cwd=ROOT,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path), "TERM": "xterm"},
            check=True,
        )
        os.close(follower)
        try:
            shown.append(os.read(leader, 100_000))
        except OSError:  # nobody has written anything
            shown.append(b"")
        os.close(leader)
        assert b"[" not in done.stdout or more
    assert b"30/30" in shown[0] and b"games/s" in shown[0]
    assert shown[1] == b""
    out, errors = started(tmp_path, SMALL, "--games", "30").communicate()
    assert errors == b"" and b"30 games" in out
