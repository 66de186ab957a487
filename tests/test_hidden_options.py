"""Options about pieces that the player does not see: named by place, told by nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from documents import ROOT
from test_game import at_random

import ruleset
from interpreter import Decision, Game, IllegalOption, State, scrambled

THIEF = Path(__file__).parent / "thief.yaml"


@pytest.fixture(scope="module")
def thief() -> Game:
    """Players take from hands that they do not see, and look at cards that nobody sees."""
    return Game(ruleset.load(THIEF), players=3)


@pytest.fixture(scope="module")
def fined() -> Game:
    """A shipped game with tokens that lie face down until they are paid for or turned up."""
    return Game(ruleset.load(ROOT / "games" / "trash_rush.yaml"), players=2)


def texts(decision: Decision, action: str) -> list[str]:
    """The texts of the options of one action."""
    return [o.text for o in decision.options if o.action == action]


def test_a_hidden_hand_is_offered_by_number(thief: Game) -> None:
    """Cards of other hands are numbered by lot, cards in a row by their place."""
    decision = thief.start(1).pending[0]
    assert texts(decision, "take") == [
        f"take(card=p{p}.hand[{k}])" for p in (2, 3) for k in (1, 2, 3)
    ]
    assert texts(decision, "peek") == [
        f"peek(card={p}row[{k}])" for p in ("", "p2.", "p3.") for k in (1, 2)
    ]
    kept = texts(decision, "keep")
    assert kept
    assert all("[" not in text for text in kept)
    option = decision.find("take p3.hand[2]")
    assert option.label() == "take: card 2 of player 3"
    assert option.label("ja") == "take: プレイヤー3のcard2"
    assert option.params == {"card": "p3.hand[2]"}


def test_the_next_stage_does_not_tell(thief: Game) -> None:
    """What was chosen unseen stays unseen in the options that come after it, and in the log."""
    state = thief.start(1).apply("take p2.hand[1]")
    decision = state.pending[0]
    assert all(
        text.startswith("take(card=p2.hand[any], given=") for text in texts(decision, "take")
    )
    assert decision.options[0].label().startswith("take: a card of player 2, ")
    after = state.apply(decision.options[0])
    chosen = [e.describe(viewer=1) for e in after.events if e.kind == "choose"]
    assert len(chosen) == 1
    last = after.journal().steps[-1].option
    assert "[" not in last, "a journal keeps true names"


def test_the_lots_are_fair(thief: Game) -> None:
    """The first card of a hidden hand is any of its cards equally often."""
    found: Counter[int] = Counter()
    for seed in range(300):
        state = thief.start(seed)
        option = state.pending[0].find("take p2.hand[1]")
        hand = thief.evaluate(state, "p2.hand")
        record = option.record.removeprefix("take(card=").removesuffix(")")
        found[hand.index(record)] += 1
    assert all(60 <= found[k] <= 140 for k in range(3)), found


def test_a_name_that_is_not_seen_is_refused(thief: Game) -> None:
    """A card that a player does not see cannot be asked for by name, wherever it is."""
    state = thief.start(1)
    decision = state.pending[0]
    for card in thief.evaluate(state, "p2.hand + p3.hand + deck"):
        with pytest.raises(IllegalOption, match=r"what you do not see goes by its place") as error:
            decision.find(f"take {card}")
        assert str(error.value).count(card) == 2, "only what was typed"
    one = thief.evaluate(state, "first(p2.hand)")
    assert decision.look_up(f"take {one}") is None
    found = decision.look_up(f"take {one}", openly=True)
    assert found is not None
    assert found.record == f"take(card={one})"


def test_a_revealed_card_has_its_name(thief: Game) -> None:
    """A card that was revealed to a player is offered to that player by its name."""
    state = thief.start(1)
    card = thief.evaluate(state, "first(p2.row)")
    state = (
        state.apply("peek p2.row[1]")
        .apply("keep " + _some(state, 2))
        .apply("keep " + _some(state, 3))
    )
    assert f"peek(card={card})" in texts(state.pending[0], "peek")
    assert "peek(card=p2.row[2])" in texts(state.pending[0], "peek")


def _some(state: State, player: int) -> str:
    return str(state.game.evaluate(state, f"first(p{player}.hand)"))


@pytest.mark.parametrize("seed", range(5))
def test_the_options_tell_nothing(thief: Game, seed: int) -> None:
    """Other hidden cards give the same options, texts and labels, also between two choices."""
    differ = 0
    for state in at_random(thief, seed):
        for player in (1, 2, 3):
            for k in range(3):
                other = scrambled(state, player, seed * 10 + k)
                assert other.view(player) == state.view(player)
                differ += other.data != state.data
        for decision in state.pending:
            for option in decision.options:
                assert decision.look_up(option.text) == option
                assert state.why(option).offered
    assert differ


def test_a_game_with_hidden_choices_is_replayed(thief: Game) -> None:
    """The journal of such a game leads to the same state."""
    state = at_random(thief, 3)[-1]
    assert thief.verify(state.journal()) == state


def test_fines_that_lie_face_down(fined: Game) -> None:
    """Face-down tokens are offered by their place, and stay secret when they are paid."""
    found = 0
    for seed in range(6):
        for state in at_random(fined, seed):
            for decision in state.pending:
                for option in decision.options:
                    if option.action in ("pay_off", "turn_up"):
                        found += 1
                        assert option.params["fine"].startswith("fines[")
                        wanted = f": fine token {option.params['fine'][6:-1]} of player"
                        assert wanted in option.label()
                        if option.action == "pay_off":
                            after = state.apply(option)
                            names = fined.names.kind("fine")
                            assert names is not None
                            shown = " ".join(
                                e.describe(viewer=decision.player) for e in after.events
                            )
                            assert not any(name in shown for name in names.ids)
    assert found
