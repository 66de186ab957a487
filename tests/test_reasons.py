"""Why an option is possible or not, and what is said where the rules go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hand_made import card_game, row_game
from test_game import at_random, play

import ruleset
from interpreter import Game, Option, RulesFault, scrambled


@pytest.fixture(scope="module")
def row() -> Game:
    """Three in a row."""
    return row_game()


@pytest.fixture(scope="module")
def cards() -> Game:
    """The game of hidden cards."""
    return card_game()


# ------------------------------------------------------------------ reasons


def test_why_lists_values_place_and_citation(row: Game) -> None:
    """A refused option names the condition, its values, its place and what it cites."""
    why = play(row.start(1), "put_stone b2").why("put_stone b2")
    assert not why.offered
    (reason,) = why.reasons
    assert reason.path == "rules.put_stone.choose.cell"
    assert reason.values == (("cell.stone.owner", "1"),)
    assert reason.place == "row.yaml:7:11"
    assert reason.cites == ("RW-001",)
    assert "RW-001" in str(why)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("put_ston b2", "did you mean `put_stone`?"),
        ("put_stone z9", "there is no cell `z9`"),
        ("put_stone(sell=b2)", "did you mean `cell`?"),
        ("put_stone b2 b3", "takes `cell`"),
        ("put_stone((", "expected an action"),
        ("", "expected an action"),
        ("pass", "`pass` is not offered now: player 1 is asked `put_stone`"),
        ("put_stone", "which `cell`?"),
    ],
)
def test_why_says_what_is_wrong_with_a_text(row: Game, text: str, said: str) -> None:
    """A text that is no option says what was expected instead."""
    why = row.start(1).why(text)
    assert not why.offered
    assert said in str(why)


def test_why_of_a_player_who_is_not_asked(row: Game) -> None:
    """A player whose turn it is not is told whose it is."""
    why = row.start(1).why("put_stone b2", player=2)
    assert "player 2 is not asked now: player 1 is asked `put_stone`" in str(why)


def test_why_after_the_end(row: Game) -> None:
    """When the game is over, that is the reason."""
    assert "the game is over" in str(at_random(row, 1)[-1].why("put_stone a1"))


def test_why_agrees_with_legality(cards: Game) -> None:
    """In a simultaneous choice each card is possible exactly where `why` says so."""
    for seed in range(4):
        for state in at_random(cards, seed):
            for decision in state.pending:
                for number in range(6):
                    name = cards.names.show("card", number)
                    found = decision.look_up(f"play(card={name})")
                    why = state.why(f"play(card={name})", decision.player)
                    assert why.offered == (found is not None)
                    assert why.offered or why.reasons


# ------------------------------------------------------------------ rules that go wrong

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("option", "line", "said"),
    [
        ("count_up", 22, "`repeat until` has made all its passes"),
        ("fall", 26, "more often than its `depth` allows"),
        ("climb", 24, "a number leaves the range"),
    ],
)
def test_a_fault_names_the_line(option: str, line: int, said: str) -> None:
    """Where the rules cannot go on, the line is named and the state is as it was."""
    state = Game(ruleset.load(HERE / "stuck.yaml"), players=1).start(1)
    if option == "climb":
        state = state.apply("climb")
    before = state.to_bytes()
    with pytest.raises(RulesFault, match="cannot go on") as caught:
        state.apply(option)
    span = caught.value.diagnostic.span
    assert span is not None
    assert span.line == line
    assert said in str(caught.value)
    assert state.to_bytes() == before
    assert state.apply("wait").pending


def test_broken_invariants_are_found() -> None:
    """An invariant is asked of a state; one bound to a step is a fault where checks are on."""
    rules = ruleset.load(HERE / "stuck.yaml")
    game = Game(rules, players=1)
    state = play(game.start(1), "wait", "wait")
    assert game.broken_invariants(state) == []
    assert game.broken_invariants(state.apply("wait")) == ["invariants.below"]
    with pytest.raises(RulesFault, match="at_turn"):
        play(Game(rules, players=1, checks=True).start(1), "wait", "wait")


# ------------------------------------------------------------------ offers of every kind


@pytest.fixture(scope="module")
def market() -> Game:
    """Cards with prices: optional actions, two choices in one, an amount, hidden hands."""
    return Game(ruleset.load(HERE / "market.yaml"), players=2)


@pytest.mark.parametrize("seed", range(8))
def test_offers_agree_with_reasons(market: Game, seed: int) -> None:
    """Each candidate of each question is found where it is offered, and explained where not."""
    for state in at_random(market, seed):
        for decision in state.pending:
            for part in decision.question.ranges:
                for k in range(part.low, part.low + part.size):
                    option = Option(decision, k)
                    found = decision.look_up(option.text)
                    why = state.why(option.text, decision.player)
                    assert why.offered == (found is not None)
                    assert why.offered or (
                        why.reasons and all(reason.text for reason in why.reasons)
                    )
                    if decision.mask >> k & 1:
                        assert found == option
        assert market.load(state.save()) == state


def test_every_failing_condition_is_told(market: Game) -> None:
    """All conditions that fail are listed, with the label, the values and the price."""
    state = market.start(4)
    why = state.why("show high")
    assert [reason.path for reason in why.reasons] == [
        "rules.show.needs.rich_enough",
        "rules.show.costs.price",
    ]
    assert why.reasons[0].values == (("me.coins", "3"), ("card.price", "4"))
    assert "You need the money for it" in str(why)
    assert why.names("needs.rich_enough")
    assert not why.names("few_shown")


def test_an_action_without_a_way_on_is_told(market: Game) -> None:
    """An action whose second choice is empty says which choice that is."""
    why = market.start(4).why("trade low")
    assert not why.offered
    assert "there is no `other` for `trade`" in str(why)


def test_a_mark_that_others_do_not_see(market: Game) -> None:
    """A hidden mark is in the view and the log of its owner only."""
    state = market.start(4)
    assert state.view(1)["marks"]["secret"].keys() == {"1"}
    lines = {viewer: [e.describe(viewer=viewer) for e in state.events] for viewer in (1, 2)}
    assert any(line.startswith("secret (player 1)") for line in lines[1])
    assert not any(line.startswith("secret") for line in lines[2])


@pytest.mark.parametrize("seed", range(4))
def test_market_keeps_its_secrets(market: Game, seed: int) -> None:
    """Hands and piles that a player does not see change nothing of the player's view."""
    for state in at_random(market, seed):
        for player in (1, 2):
            assert scrambled(state, player, seed).view(player) == state.view(player)
