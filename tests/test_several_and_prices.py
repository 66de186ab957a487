"""Reasons about choices of several, and the words of prices that other rules may stand in for."""

from __future__ import annotations

import pytest
from documents import ROOT

import ruleset
from interpreter import Game, State


@pytest.fixture(scope="module")
def town() -> Game:
    """A shipped game in which pairs of pieces are delivered and prices are paid in kind."""
    return Game(ruleset.load(ROOT / "games" / "trash_rush.yaml"), players=2)


def with_bags(game: Game, *types: str) -> State:
    """Player 1 has these bags in colourless and open slots, and drives next to a plant."""
    state = game.start(1)
    for type_ in types:
        state = game.perform(
            state,
            "for slot in first(s in p1.slots if s.colour is colourless and not any(s.bag)) do "
            f"for bag in first(b in sectors.bags if b.type is {type_}) do move bag to slot.bag",
        )
    return game.perform(state, "for truck in deployed(p1) do move truck to D2.trucks")


def delivering(game: Game, *types: str) -> State:
    """The same, when player 1 is asked for the first bag of a pair."""
    state = with_bags(game, *types)
    return state.apply("play_card starter_a right").apply("drive D3").apply("recycle D3")


def test_a_member_without_a_set(town: Game) -> None:
    """A member of which no set can be made is refused with the condition that sets must meet."""
    state = delivering(town, "paper_bag", "paper_bag", "glass_bag")
    why = state.why("deliver glass_bag")
    assert not why.offered
    assert [reason.kind for reason in why.reasons] == ["no way on"]
    assert "no set for `pair` that holds `glass_bag#" in str(why)
    assert "meets `rules.deliver.needs.the_right_pair` is left" in str(why)


def test_the_member_that_completes_a_set(town: Game) -> None:
    """Where a member makes the set whole, the condition that the set fails is named with values."""
    state = delivering(town, "paper_bag", "paper_bag", "glass_bag").apply("deliver paper_bag")
    why = state.why("deliver glass_bag")
    assert [reason.path for reason in why.reasons] == ["rules.deliver.needs.the_right_pair"]
    assert ("pair_colours(plant)", "1") in why.reasons[0].values
    elsewhere = state.why("deliver organic_bag")
    assert [reason.path for reason in elsewhere.reasons] == ["rules.deliver.choose.pair"]


def test_a_choice_after_a_set() -> None:
    """An option that comes after a choice of several names the whole set, and can be typed back."""
    rules = ruleset.load(ROOT / "games" / "trash_rush.yaml")
    game = Game(rules, players=2, options={"reward_slot": "players_choice"})
    state = delivering(game, "paper_bag", "paper_bag", "glass_bag")
    for _ in range(2):
        if state.pending[0].id.endswith("choose.pair"):
            state = state.apply(state.pending[0].options[0])
    decision = state.pending[0]
    assert decision.id == "rules.deliver.choose.reward"
    for option in decision.options:
        assert "pair=(paper_bag#" in option.text
        assert state.why(option).offered
        assert decision.look_up(option.text) == option
    assert game.verify(state.apply(decision.options[0]).journal()).over is False


def test_the_words_of_a_price(town: Game) -> None:
    """The prompt is the price's label; a rule that stands in for a part goes by its own label."""
    state = town.perform(
        with_bags(town, "paper_bag", "glass_bag"),
        """for tile in first(x in tech_stock if x.type is pay_for_repairs) do move tile to p1.techs
for here in sectors do move here.targets to target_pool
for target in first(x in targets if x.type is T03) do move target to D2.targets
gain 5 p1.coins""",
    )
    state = state.apply("play_card starter_d right").apply("repair T03")
    decision = state.pending[0]
    assert decision.id == "rules.repair.costs.bags"
    assert decision.prompt() == "the bags that the target needs"
    found = decision.find("coins_for_a_bag")
    assert found.label() == "2 coins in place of a bag"
    assert found.label("ja") == "ゴミ袋の代わりに2コイン"
