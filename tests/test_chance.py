"""Chance as nodes of the tree, states drawn by what a player knows, and forced choices."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from documents import ROOT
from test_game import at_random

import ruleset
from interpreter import DataError, Game, GameError, IllegalOption, Journal, State

THIEF = Path(__file__).parent / "thief.yaml"


def game_of(name: str, players: int = 2, auto_forced: bool = False) -> Game:
    """A shipped game."""
    rules = ruleset.load(ROOT / "games" / f"{name}.yaml")
    return Game(rules, players=players, auto_forced=auto_forced)


@pytest.fixture(scope="module")
def kuhn() -> Game:
    """A betting game with three cards."""
    return game_of("kuhn_poker")


@pytest.fixture(scope="module")
def thief() -> Game:
    """A game in which cards are drawn unseen, taken unseen and looked at."""
    return Game(ruleset.load(THIEF), players=2)


# ------------------------------------------------------------------ chance as a node


def test_the_deal_is_two_nodes(kuhn: Game) -> None:
    """The set-up waits for each card; the outcomes are exact and sum to 1."""
    start = kuhn.start(chance="explicit")
    assert start.chance is not None
    assert not start.pending
    assert not start.over
    assert [o.text for o in start.chance.outcomes] == ["jack", "queen", "king"]
    assert {o.probability for o in start.chance.outcomes} == {Fraction(1, 3)}
    after = start.apply("king")
    assert after.chance is not None
    assert [o.text for o in after.chance.outcomes] == ["jack", "queen"]
    dealt = after.apply(after.chance.outcomes[1])
    assert dealt.chance is None
    assert dealt.pending[0].player == 1
    assert dealt.view(1)["zones"]["card"]["1"]["pieces"] == ["king"]


Plan = Mapping[tuple[str, str], Fraction]
"""How often a player who holds a card bets or calls after what was answered."""


def expected(state: State, plans: tuple[Plan, Plan], past: str = "") -> Fraction:
    """What the first player wins when both follow their plans."""
    if state.over:
        assert state.result is not None
        return Fraction(state.result.scores["chips"][1])
    if state.chance is not None:
        return sum(
            (o.probability * expected(state.apply(o), plans) for o in state.chance.outcomes),
            Fraction(0),
        )
    (decision,) = state.pending
    card = str(state.view(decision.player)["zones"]["card"][str(decision.player)]["pieces"][0])
    often = plans[decision.player - 1].get((card, past), Fraction(0))
    active, passive = (
        expected(state.apply(o), plans, f"{past} {o.text}".strip()) for o in decision.options
    )
    return often * active + (1 - often) * passive


def test_the_exact_value_of_the_best_plans(kuhn: Game) -> None:
    """By full traversal with fractions: Kuhn's plans give the first player minus one eighteenth."""
    third, always = Fraction(1, 3), Fraction(1)
    second = {("king", "pass"): always, ("king", "bet"): always, ("queen", "bet"): third}
    second[("jack", "pass")] = third
    for bluff in (Fraction(0), Fraction(1, 6), third):
        first = {("jack", ""): bluff, ("king", ""): 3 * bluff, ("king", "pass bet"): always}
        first[("queen", "pass bet")] = third + bluff
        assert expected(kuhn.start(chance="explicit"), (first, second)) == Fraction(-1, 18)


def test_states_at_chance_are_values(kuhn: Game) -> None:
    """They are equal by what they wait for, and survive bytes, saves and journals."""
    start = kuhn.start(chance="explicit")
    king, queen = start.apply("king"), start.apply("queen")
    assert king == start.apply("king")
    assert king != queen
    assert len({start, king, queen, start.apply("king")}) == 3
    for state in (start, king):
        assert kuhn.from_bytes(state.to_bytes()) == state
        assert kuhn.load(state.save()) == state
        journal = Journal.parse(json.dumps(state.journal().plain()))
        assert kuhn.verify(journal) == state
        assert state.view(1)["decisions"] == []
    with pytest.raises(IllegalOption, match="expected one of `jack`, `queen`"):
        king.apply("king")
    with pytest.raises(IllegalOption, match="a player is asked here"):
        assert king.chance is not None
        king.apply("jack").apply(king.chance.outcomes[0])
    with pytest.raises(DataError):
        kuhn.from_bytes(king.to_bytes() + b"x")
    with pytest.raises(GameError, match="expected chance"):
        kuhn.start(chance="given")  # type: ignore[arg-type]  # a user may write anything


def test_alike_pieces_are_one_outcome(thief: Game) -> None:
    """Copies of a card are one outcome, with their probabilities added."""
    start = thief.start(chance="explicit")
    assert start.chance is not None
    shares = {o.text: o.probability for o in start.chance.outcomes}
    third = Fraction(6, 21)
    assert shares == {"ace": Fraction(3, 21), "king": third, "queen": third, "jack": third}


def test_the_same_outcomes_give_the_same_game() -> None:
    """A game with explicit chance that gets the sampled outcomes runs through the same states."""
    waited = 0
    for name in ("pig", "liars_dice", "rabbit_race"):
        game = game_of(name)
        sampled = at_random(game, 5)[-1]
        journal = sampled.journal()
        state = game.start(journal.seed, chance="explicit")
        for outcome in journal.chance:
            state = state.apply(outcome.member)
        for step in journal.steps:
            state = state.apply(step.option, step.player)
            for outcome in step.chance:
                if waited < 5:
                    assert game.verify(state.journal()) == state
                    assert game.from_bytes(state.to_bytes()) == state
                waited += 1
                state = state.apply(outcome.member)
        assert state == sampled
        assert state.journal() == journal
    assert waited


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"chance": [["a roll", "99"]]}, "RW619", "not a possible outcome"),
        ({"option": "fly"}, "RW618", "`fly`"),
        ({"effects": "lose ((("}, "RW618", "expected"),
    ],
)
def test_a_journal_that_waits_and_disagrees_is_told(
    change: dict[str, object], code: str, said: str
) -> None:
    """A journal that ends at a chance event says as any other where it does not fit the rules."""
    game = game_of("pig")
    state = game.start(1, chance="explicit")
    state = state.apply("roll_die", state.pending[0].player)
    assert state.chance is not None
    data = state.journal().plain()
    data["steps"][-1].update(change)
    with pytest.raises(DataError) as caught:
        game.replay(Journal.parse(json.dumps(data)))
    assert caught.value.diagnostic.code == code
    assert said in str(caught.value)


# ------------------------------------------------------------------ what a player can know


def test_the_other_card_is_one_of_two(kuhn: Game) -> None:
    """Of the two cards that a player does not see, each is the other's equally often."""
    state = kuhn.start(1)
    found = Counter(str(kuhn.evaluate(state.resample(1, k), "p2.card")) for k in range(200))
    assert set(found) == {"jack", "king"}
    assert all(70 <= n <= 130 for n in found.values()), found


def test_unseen_tokens_are_drawn_in_proportion(thief: Game) -> None:
    """The cards that nobody has seen lie in each hidden place as often as their numbers say."""
    state = thief.start(3)
    own = thief.evaluate(state, "count(c in p1.hand if c.type is ace)")
    found = Counter(
        bool(thief.evaluate(state.resample(1, k), "count(c in p2.row if c.type is ace) > 0"))
        for k in range(300)
    )
    aces = 3 - own
    share = 1 - Fraction(18 - aces, 18) * Fraction(17 - aces, 17)
    assert abs(found[True] / 300 - float(share)) < 0.09, (found, share)


def test_what_was_seen_stays(thief: Game) -> None:
    """A card that a player gave away or looked at lies where the player knows it to be."""
    state = thief.start(3).apply("take p2.hand[1]")
    given = state.pending[0].options[0].params["given"]
    state = state.apply(state.pending[0].options[0])
    state = state.apply(state.pending[0].find(f"keep {thief.evaluate(state, 'first(p2.hand)')}"))
    state = state.apply("peek p2.row[2]")
    shown = state.view(1)["zones"]["row"]["2"]["revealed"]
    others = set()
    for k in range(30):
        other = state.resample(1, k)
        assert given in thief.evaluate(other, "p2.hand")
        assert other.view(1) == state.view(1)
        assert other.view(1)["zones"]["row"]["2"]["revealed"] == shown
        others.add(other.data)
    assert len(others) > 20


def test_secret_answers_are_drawn_from_what_is_legal() -> None:
    """In a simultaneous choice the other's answer is any of the cards in their hand."""
    game = game_of("goofspiel")
    state = game.start(2)
    second = next(d for d in state.pending if d.player == 2)
    state = state.apply(second.options[0])
    assert [d.player for d in state.pending] == [1]
    mine = state.pending[0].options[0]
    found: Counter[str] = Counter()
    for k in range(260):
        other = state.resample(1, k)
        assert other.view(1) == state.view(1)
        after = other.apply(mine.text, 1)
        found[str(after.journal().steps[0].option)] += 1
    assert set(found) == {option.text for option in second.options}
    assert all(6 <= n <= 38 for n in found.values()), found


def test_a_fine_that_nobody_knows_is_any_token_of_the_pool() -> None:
    """Of the 24 tokens 5 cost two coins, 5 one coin, 5 a point; 3 each of the other kinds."""
    game = game_of("trash_rush")
    state = game.start(1).apply("play_card starter_a right").apply("drive B2")
    assert state.view(1)["zones"]["fines"]["1"] == {"count": 1}
    kinds = dict.fromkeys(("lose_skilled_card", "lose_technology", "lucky_raccoon"), 3)
    kinds |= dict.fromkeys(("lose_two_coins", "lose_one_coin", "lose_one_vp"), 5)
    found: Counter[str] = Counter()
    for k in range(120):
        other = state.resample(1, k)
        assert other.view(1) == state.view(1)
        (fine,) = game.evaluate(other, "p1.fines")
        found[fine.partition("#")[0]] += 1
    assert set(found) == set(kinds)
    assert all(abs(found[kind] - 120 * n / 24) < 16 for kind, n in kinds.items()), found


@pytest.mark.parametrize(("name", "players"), [("hearts", 4), ("trash_rush", 2), ("sushi_go", 3)])
def test_drawn_states_can_be_played(name: str, players: int) -> None:
    """A drawn state looks the same to the player, and the game goes on from it."""
    game = game_of(name, players)
    for state in at_random(game, 2)[3:60:19]:
        other = state.resample(1, 7)
        assert other.view(1) == state.view(1)
        if not other.over:
            other.apply(other.pending[0].options[-1])


def test_a_state_without_a_past_cannot_be_drawn(kuhn: Game) -> None:
    """What a player has seen is in the past of the state."""
    with pytest.raises(GameError, match="past"):
        kuhn.from_bytes(kuhn.start(1).to_bytes()).resample(1, 1)


# ------------------------------------------------------------------ forced choices


def test_forced_choices_are_answered_at_once() -> None:
    """Nobody is asked where there is one answer; the journal has it, and plays in both games."""
    asking, forced = game_of("goofspiel"), game_of("goofspiel", auto_forced=True)
    states = at_random(forced, 4)
    assert all(len(d.options) > 1 for state in states for d in state.pending)
    journal = states[-1].journal()
    assert len(journal.steps) > len(states) - 1
    assert asking.verify(journal) == states[-1]
    assert forced.verify(journal) == states[-1]
