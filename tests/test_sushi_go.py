"""Sushi Go as its file tells it, against the same rules written by hand.

``RULEWRIGHT_LOCKSTEP=1000`` plays as many games for each number of players, and
``RULEWRIGHT_LOCKSTEP_SEED`` begins with another seed.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from sushi_go_judge import Guest, Meal

import ruleset
from interpreter import Decision, Game
from interpreter.runtime.state import State

GAMES: Final = int(os.environ.get("RULEWRIGHT_LOCKSTEP", "5"))
FIRST_SEED: Final = int(os.environ.get("RULEWRIGHT_LOCKSTEP_SEED", "0"))
GAME: Final = Path(__file__).parent.parent / "games" / "sushi_go.yaml"


def cards(state: State, player: int, *zones: str) -> list[str]:
    """The types of what lies in some zones of a player, as this player sees them."""
    view: Mapping[str, Any] = state.view(player)["zones"]
    found = [name for zone in zones for name in view[zone][str(player)]["pieces"]]
    return sorted(name.partition("#")[0] for name in found)


def hands(state: State) -> list[list[str]]:
    """The hand of everybody, each as its owner sees it."""
    return [cards(state, player, "hand") for player in range(1, state.game.players + 1)]


def compare(state: State, meal: Meal) -> None:
    """Hands, tables and points are the same on both sides."""
    counters = state.view(1)["counters"]
    for player, guest in enumerate(meal.guests, 1):
        assert cards(state, player, "hand") == sorted(guest.hand)
        assert cards(state, player, "served", "dipped") == sorted(guest.table)
        assert cards(state, player, "dipped") == sorted(guest.dipped())
        assert counters["points"][str(player)] == guest.points
        assert counters["puddings"][str(player)] == guest.puddings


def pick(decision: Decision, chance: random.Random, hand: list[str]) -> tuple[str, str]:
    """A choice at random, as text and as a card; what can be picked is the hand."""
    options = {option.text: option.params.get("card", "") for option in decision.options}
    found = {card.partition("#")[0] for card in options.values() if card}
    assert found == set(hand)
    text = chance.choice(sorted(options))
    return text, options[text].partition("#")[0]


def first_cards(state: State, meal: Meal, chance: random.Random) -> tuple[State, list[list[str]]]:
    """Everybody picks a card, in any order."""
    picks: list[list[str]] = [[] for _ in meal.guests]
    asked = list(state.pending)
    chance.shuffle(asked)
    assert len(asked) == len(meal.guests)
    for decision in asked:
        guest = decision.player - 1
        text, card = pick(decision, chance, meal.guests[guest].hand)
        picks[guest].append(card)
        state = state.apply(text, decision.player)
    return state, picks


def second_cards(state: State, meal: Meal, picks: list[list[str]], chance: random.Random) -> State:
    """Who has chopsticks may pick another."""
    able = [player for player, guest in enumerate(meal.guests, 1) if guest.has_chopsticks()]
    if not able:
        return state
    assert [decision.player for decision in state.pending] == able
    assert {decision.id for decision in state.pending} != {"rules.pick.choose.card"}
    for player in able:
        decision = next(d for d in state.pending if d.player == player)
        left = list(meal.guests[player - 1].hand)
        left.remove(picks[player - 1][0])
        text, card = pick(decision, chance, left)
        if card:
            picks[player - 1].append(card)
        state = state.apply(text, player)
    return state


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_same_game_as_the_judge(players: int) -> None:
    """Random games agree with the rules by hand in hands, tables, choices, points and winners."""
    game = Game(ruleset.load(str(GAME)), players, checks=True)
    for seed in range(FIRST_SEED, FIRST_SEED + GAMES):
        chance = random.Random(seed)
        state, meal = game.start(seed=seed), Meal(players)
        while not state.over:
            if not any(guest.hand for guest in meal.guests):
                meal.deal(hands(state))
            state, picks = first_cards(state, meal, chance)
            state = second_cards(state, meal, picks, chance)
            meal.turn(picks)
            if any(guest.hand for guest in meal.guests):
                compare(state, meal)
            assert not game.broken_invariants(state)
        assert state.result is not None
        assert list(state.result.winners) == meal.winners()
        assert state.result.scores["points"] == {
            player: guest.points for player, guest in enumerate(meal.guests, 1)
        }


def test_the_judge_counts_as_the_rulebook_does() -> None:
    """A table of everything, worked out on paper."""
    table = ["squid", "wasabi_card", "egg", "salmon", "tempura_card", "tempura_card"]
    table += ["sashimi_card", "sashimi_card", "dumpling_card", "dumpling_card", "maki_two"]
    guest = Guest([], table)
    assert guest.dipped() == ["egg"]
    assert guest.own_points() == 3 + 3 * 1 + 2 + 5 + 0 + 3
    assert guest.rolls() == 2
