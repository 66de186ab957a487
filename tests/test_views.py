"""Views and logs: what a player may see, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hand_made import card_game
from test_game import at_random

import ruleset
from interpreter import Game, IllegalOption
from interpreter.runtime.scramble import scrambled

GAMES = Path(__file__).parent.parent / "games"


@pytest.fixture(scope="module")
def cards() -> Game:
    """The game of hidden cards."""
    return card_game()


def test_a_hand_is_seen_by_its_owner_only(cards: Game) -> None:
    """The owner sees the cards of a hand, the others how many there are."""
    state = cards.start(4)
    own = state.view(1)["zones"]["hand"]
    assert len(own["1"]["pieces"]) == own["1"]["count"] == 2
    assert own["2"] == {"count": 2}
    assert state.view(None)["zones"]["hand"] == {"1": {"count": 2}, "2": {"count": 2}}


def test_a_pile_that_nobody_sees_shows_its_size(cards: Game) -> None:
    """Of a hidden pile the number of cards is public, and nothing else."""
    assert cards.start(4).view(2)["zones"]["deck"] == {"count": 2}


def test_a_view_is_plain_data(cards: Game) -> None:
    """Every view can be written as JSON."""
    for state in at_random(cards, 2):
        for viewer in (None, 1, 2):
            json.dumps(state.view(viewer))


def test_who_has_answered_is_hidden(cards: Game) -> None:
    """While a choice is simultaneous a player learns nothing of whether others have answered."""
    state = cards.start(4)
    for option in state.pending[0].options:
        assert state.apply(option).view(2) == state.view(2)
        assert state.apply(option).view(None) == state.view(None)
    assert state.view(1)["pending"] == [1]
    assert state.apply(state.pending[0].options[0]).view(1)["pending"] == []


def test_the_end_shows_the_result(cards: Game) -> None:
    """The view of a finished game has the result and asks nothing."""
    view = at_random(cards, 1)[-1].view(1)
    assert view["over"]
    assert view["decisions"] == []
    assert view["result"]["scores"]["vp"].keys() == {"1", "2"}


@pytest.mark.parametrize("seed", range(6))
def test_noninterference(cards: Game, seed: int) -> None:
    """States that differ only in hidden cards, answers and chance look alike to a player."""
    differ = 0
    for state in at_random(cards, seed):
        for player in (1, 2):
            for k in range(4):
                other = scrambled(state, player, seed * 100 + k)
                assert other.view(player) == state.view(player)
                differ += other.view(3 - player) != state.view(3 - player)
    assert differ


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.yaml")), ids=lambda path: path.stem)
def test_noninterference_of_every_game(path: Path) -> None:
    """In random play of every game, what a player may not see changes nothing of the view."""
    rules = ruleset.load(path)
    game = Game(rules, players=rules.file.max_players)
    for k, state in enumerate(at_random(game, 3)[:60]):
        for player in range(1, game.players + 1):
            assert scrambled(state, player, k).view(player) == state.view(player)


def test_the_log_hides_what_is_drawn(cards: Game) -> None:
    """The drawn card is named to the player who draws it and to nobody else."""
    for seed in range(5):
        state = cards.start(seed)
        own = [e.describe(viewer=1) for e in state.events]
        others = [e.describe(viewer=2) for e in state.events]
        hand = state.view(1)["zones"]["hand"]["1"]["pieces"]
        names = {piece.partition("#")[0] for piece in hand}
        drawn = {line.partition(":")[0] for line in own if line.endswith("hand (player 1)")}
        assert drawn == names
        lines = [line for line in others if line.endswith("hand (player 1)")]
        assert set(lines) == {"a card: deck → hand (player 1)"}


def test_the_log_keeps_a_secret_choice(cards: Game) -> None:
    """A secret answer is in nobody else's log; when all have answered, all answers are."""
    state = cards.start(4)
    first = state.apply(state.pending[1].options[0])
    assert [bool(e.describe(viewer=1)) for e in first.events] == [False]
    assert [bool(e.describe(viewer=0)) for e in first.events] == [False]
    assert first.events[0].describe(viewer=2).startswith("player 2: play (")
    both = first.apply(first.pending[0].options[0])
    lines = [e.describe(viewer=1) for e in both.events]
    assert lines[0].startswith("player 1: play (")
    assert lines[1].startswith("player 2: play (")


def test_the_log_is_the_same_in_any_order(cards: Game) -> None:
    """Who answered first cannot be read from the log of the step that reveals."""
    state = cards.start(4)
    one, two = (d.options[0] for d in state.pending)
    a = state.apply(one).apply(two)
    b = state.apply(two).apply(one)
    assert [e.describe(viewer=0) for e in a.events] == [e.describe(viewer=0) for e in b.events]


def test_entries_have_causes_and_places(cards: Game) -> None:
    """A gain lies inside of the rule that made it, with its line and statement."""
    state = cards.start(4)
    state = state.apply(state.pending[0].options[0])
    events = state.apply(state.pending[0].options[0]).events
    gain = next(e for e in events if e.kind == "gain")
    assert gain.place == "cards.yaml:12:5"
    assert gain.cites == ("CA-003",)
    assert events[gain.parent].kind == "begin"
    assert events[gain.parent].name == "rules.score"


def test_the_log_speaks_japanese(cards: Game) -> None:
    """The labels of the game file are used in the language that is asked for."""
    lines = [e.describe("ja", viewer=0) for e in cards.start(4).events]
    assert "札?: deck → 手札 (プレイヤー1)" in lines


# ------------------------------------------------------------------ secret choices in two parts


@pytest.fixture(scope="module")
def secret() -> Game:
    """Three players bid a card and a target, all at once."""
    return Game(ruleset.load(Path(__file__).parent / "secret.yaml"), players=3)


@pytest.mark.parametrize("seed", range(4))
def test_two_choices_in_secret(secret: Game, seed: int) -> None:
    """Each part of a secret answer stays secret until all have given all parts."""
    for state in at_random(secret, seed):
        for decision in state.pending:
            for option in decision.options:
                after = state.apply(option)
                if after.over or any(e.kind == "move" for e in after.events):
                    continue
                for viewer in {None, 1, 2, 3} - {decision.player}:
                    assert after.view(viewer) == state.view(viewer)
                    assert not any(e.describe(viewer=viewer) for e in after.events)
        for player in (1, 2, 3):
            assert scrambled(state, player, seed).view(player) == state.view(player)


def test_both_parts_in_one_text(secret: Game) -> None:
    """A text may give both choices; it is two steps, and a wrong second part changes nothing."""
    state = secret.start(0)
    after = state.apply("bid low left_hand", player=1)
    assert after.steps == 2
    assert [d.player for d in after.pending] == [2, 3]
    with pytest.raises(IllegalOption, match="is not middle"):
        state.apply("bid low middle", player=1)
    assert [d.player for d in state.pending] == [1, 2, 3]


def test_the_reveal_has_whole_answers(secret: Game) -> None:
    """When all have answered, the log has one entry a player, with both parts."""
    state = secret.start(0)
    for player in (3, 1, 2):
        low = next(d for d in state.pending if d.player == player).options[0].params["card"]
        state = state.apply(f"bid {low} left_hand", player=player)
    lines = [e.describe(viewer=0) for e in state.events if e.kind == "choose"]
    assert [line.partition(":")[0] for line in lines] == ["player 1", "player 2", "player 3"]
    assert all(line.endswith("left hand)") for line in lines)
