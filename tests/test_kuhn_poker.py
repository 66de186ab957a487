"""Kuhn poker is small enough to be solved: its whole tree, and its value, which is known."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final, TypeAlias

import ruleset
from interpreter import ChanceMissing, Game, State

GAME: Final = Path(__file__).parent.parent / "games" / "kuhn_poker.yaml"
VALUE: Final = Fraction(-1, 18)
"""Of the first player, as Kuhn proved it."""

Moment: TypeAlias = tuple[int, str, str]
"""A player, what this player sees, and what has been answered so far."""


@dataclass(slots=True)
class Tree:
    """The whole game: for each deal the results, and who knows what where."""

    leaves: list[tuple[Fraction, tuple[tuple[Moment, str], ...], int]] = field(default_factory=list)
    """Probability of the deal, what was chosen knowing what, chips of the first player."""
    options: dict[Moment, tuple[str, ...]] = field(default_factory=dict)


def deals(game: Game, outcomes: tuple[int, ...] = ()) -> list[tuple[Fraction, State]]:
    """Every first state with its probability."""
    try:
        return [(Fraction(1), game.begin(0, outcomes))]
    except ChanceMissing as missing:
        members = [k for k in range(missing.members.bit_length()) if missing.members >> k & 1]
        found = [pair for k in members for pair in deals(game, (*outcomes, k))]
        return [(share / len(members), state) for share, state in found]


def grow(tree: Tree, share: Fraction, state: State, past: tuple[tuple[Moment, str], ...]) -> None:
    """Adds all that can come after a state."""
    if state.over:
        assert state.result is not None
        tree.leaves.append((share, past, state.result.scores["chips"][1]))
        return
    (decision,) = state.pending
    seen = str(state.view(decision.player)["zones"]["card"][str(decision.player)]["pieces"][0])
    moment = (decision.player, seen, " ".join(answer for _, answer in past))
    answers = tuple(option.text for option in decision.options)
    assert tree.options.setdefault(moment, answers) == answers
    for option in decision.options:
        grow(tree, share, state.apply(option), (*past, (moment, option.text)))


@cache
def tree() -> Tree:
    """The game, once."""
    found = Tree()
    for share, state in deals(Game(ruleset.load(str(GAME)), 2)):
        grow(found, share, state, ())
    return found


Strategy: TypeAlias = dict[Moment, dict[str, Fraction]]


def best_reply(player: int, other: Strategy) -> Fraction:
    """What a player can win at most against a strategy of the other one, over all plans."""
    mine = sorted(moment for moment in tree().options if moment[0] == player)
    chances: dict[tuple[tuple[Moment, str], ...], Fraction] = defaultdict(Fraction)
    for share, past, chips in tree().leaves:
        for moment, answer in past:
            if moment[0] != player:
                share *= other[moment].get(answer, Fraction(0))
        own = tuple(step for step in past if step[0][0] == player)
        chances[own] += share * (chips if player == 1 else -chips)
    plans = product(*(tree().options[moment] for moment in mine))
    best = []
    for answers in plans:
        plan = dict(zip(mine, answers, strict=True))
        best.append(
            sum(
                (won for own, won in chances.items() if all(plan[m] == a for m, a in own)),
                Fraction(0),
            )
        )
    return max(best)


def strategy(player: int, bets: dict[tuple[str, str], Fraction]) -> Strategy:
    """A strategy by how often a player with a card bets or calls after what was answered."""
    found: Strategy = {}
    for moment, (active, passive) in tree().options.items():
        if moment[0] == player:
            often = bets.get(moment[1:], Fraction(0))
            found[moment] = {active: often, passive: 1 - often}
    return found


def test_the_tree_is_that_of_the_article() -> None:
    """Six deals of equal probability, five courses each, twelve moments of knowledge."""
    assert len(tree().leaves) == 30
    assert {share for share, _, _ in tree().leaves} == {Fraction(1, 6)}
    assert len(tree().options) == 12
    assert {chips for _, _, chips in tree().leaves} == {-2, -1, 1, 2}


def test_its_value_is_minus_one_eighteenth() -> None:
    """Kuhn's strategies guarantee each player the value, so that it is the value.

    Each is held against every plan of the other player that the tree allows.
    """
    third, always = Fraction(1, 3), Fraction(1)
    second = {("king", "pass"): always, ("king", "bet"): always, ("queen", "bet"): third}
    second[("jack", "pass")] = third
    assert best_reply(1, strategy(2, second)) == VALUE
    for bluff in (Fraction(0), Fraction(1, 6), third):
        first = {("jack", ""): bluff, ("king", ""): 3 * bluff, ("king", "pass bet"): always}
        first[("queen", "pass bet")] = third + bluff
        assert best_reply(2, strategy(1, first)) == -VALUE


def test_a_player_knows_the_own_card_only() -> None:
    """Nothing that a player sees depends on the card of the other one."""
    seen = defaultdict(set)
    for _, state in deals(Game(ruleset.load(str(GAME)), 2)):
        card = str(state.view(1)["zones"]["card"]["1"]["pieces"][0])
        seen[card].add(str(state.view(1)))
    assert sorted(seen) == ["jack", "king", "queen"]
    assert all(len(views) == 1 for views in seen.values())
