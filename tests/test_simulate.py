"""Many games: what is counted, who chooses, and that one may stop at any time."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest
from documents import ROOT

import ruleset
from interpreter import Game
from playtest.cli import run
from playtest.players import GreedyPlayer, SearchPlayer, player_of, standing
from playtest.seats import SeatError, seats_of
from playtest.simulation import begin, interval, simulate, spread

SMALL = str(ROOT / "games" / "tic_tac_toe.yaml")


@cache
def game(name: str, players: int) -> Game:
    """A game, lowered once."""
    return Game(ruleset.load(ROOT / "games" / f"{name}.yaml"), players, engine="reference")


def test_an_account_counts_every_game() -> None:
    """Lengths, wins and endings are those of the games; the parts of the wins add up."""
    account = begin(game("tic_tac_toe", 2), ("random", "first"))
    simulate(account, 12, 5, "reference", 1, lambda _: None)
    assert account.games == 12
    assert sum(account.endings.values()) == 12
    for shares in zip(*account.shares, strict=True):
        assert sum(shares) in (0.0, 1.0)
    assert all(5 <= length <= 9 for length in account.lengths)
    assert account.usage is not None
    assert account.usage.never("rules") == []
    plain = account.plain()
    assert plain["usage"]["spaces"]["cell.b2"] > 0
    assert json.loads(json.dumps(plain)) == plain


def test_an_interrupt_keeps_what_was_done() -> None:
    """Whoever stops a simulation has the games that were over."""
    account = begin(game("tic_tac_toe", 2), ("random", "random"))

    def stop(so_far: object) -> None:
        if account.games == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(account, 100, 1, "reference", 1, stop)
    assert account.games == 3
    assert account.seconds > 0


def test_intervals_hold_the_mean() -> None:
    """An interval holds its mean, is never empty, and narrows with more games."""
    wide, narrow = interval([1.0, 0.0]), interval([1.0, 0.0] * 100)
    assert wide[1] < wide[0] < wide[2]
    assert narrow[2] - narrow[1] < wide[2] - wide[1]
    assert interval([]) == (0.0, 0.0, 1.0)
    assert interval([0.0] * 10)[2] > 0
    assert spread([2, 4, 9])["median"] == 4


def test_who_looks_ahead_takes_a_win() -> None:
    """A win in one choice is taken, by one step and by search."""
    state = game("tic_tac_toe", 2).start(1)
    for text in ("put_stone a1", "put_stone a3", "put_stone b1", "put_stone b3"):
        state = state.apply(text)
    generator = random.Random(1)
    for player in (GreedyPlayer(generator), SearchPlayer(generator, 60)):
        assert player.choose(state, 1).text == "put_stone(cell=c1)"


def test_search_does_not_know_what_is_hidden() -> None:
    """A search in a game with hidden cards chooses, whatever the other player holds."""
    state = game("kuhn_poker", 2).start(4)
    player = player_of("mcts:20", random.Random(2))
    asked = state.pending[0].player
    option = player.choose(state, asked)
    assert option.text in {o.text for o in state.pending[0].options}
    assert standing(state, asked) == standing(state, asked)


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


def test_machine_code_plays_the_same_kind_of_games() -> None:
    """Random games in machine code have the lengths that such games have."""
    pytest.importorskip("llvmlite")
    played = Game(ruleset.load(SMALL), 2)
    account = begin(played, ("random", "random"), watch=False)
    simulate(account, 500, 1, "auto", 1, lambda _: None)
    assert account.engine == "native"
    assert account.games == 500
    assert 7 < sum(account.lengths) / 500 < 8
