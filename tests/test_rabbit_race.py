"""Race for the Rabbit as its file tells it, against the same rules written by hand."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from rabbit_race_judge import Race

import ruleset
from interpreter import Game
from interpreter.runtime.state import State

GAME = Path(__file__).parent.parent / "games" / "rabbit_race.yaml"
VALUES = {"two": 2, "three": 3, "four": 4}


@cache
def race(players: int) -> Game:
    """The game with its default readings."""
    return Game(ruleset.load(str(GAME)), players)


def space(name: str) -> int:
    """``start`` is 0, ``c3`` is 3."""
    return 0 if name == "start" else int(name[1:])


def seen(state: State) -> list[tuple[int, int, int, str, int]]:
    """Place, VP, life chips, item and number of cards in hand of each player."""
    view = state.view(1)
    found = []
    for player in range(1, state.game.players + 1):
        rabbit = f"p{player}.rabbit"
        at = next(k for k, v in view["zones"]["rabbits"].items() if rabbit in v["pieces"])
        item = "".join(view["zones"]["held"][str(player)]["pieces"])
        counters = view["counters"]
        cards = view["zones"]["hand"][str(player)]["count"]
        vp, life = counters["vp"][str(player)], counters["life"][str(player)]
        found.append((space(at), vp, life, item, cards))
    return found


def judged(race: Race) -> list[tuple[int, int, int, str, int]]:
    """The same of the game by hand."""
    return [(r.at, r.vp, r.life, r.item, len(r.hand)) for r in race.runners]


def course(state: State) -> list[str]:
    """The course card of each space, from start."""
    cards = state.view(1)["zones"]["course_card"]
    return [cards[name]["pieces"][0] for name in sorted(cards, key=space)]


def start(players: int, seed: int, chance: random.Random) -> tuple[State, Race]:
    """A state after set-up with mines anywhere, and the same by hand."""
    state = race(players).start(seed=seed)
    mines = []
    for _ in range(players):
        decision = state.pending[0]
        option = chance.choice(list(decision.options))
        mines.append(space(option.params["here"]))
        state = state.apply(option)
    return state, Race(course(state), mines)


def phase(state: State, by_hand: Race, chance: random.Random) -> State:
    """One phase with any cards, in both; headbutts hit the same rabbits."""
    cards = [0] * state.game.players
    for player in chance.sample(range(1, state.game.players + 1), state.game.players):
        decision = next(d for d in state.pending if d.player == player)
        option = chance.choice(list(decision.options))
        cards[player - 1] = VALUES[option.params["card"].split(".")[1].split("#")[0]]
        state = state.apply(option)
    targets: list[tuple[int, set[int], int]] = []
    while not state.over and state.pending[0].id.startswith("rules.butt"):
        decision = state.pending[0]
        option = chance.choice(list(decision.options))
        whom = [int(o.params["rabbit"][1]) - 1 for o in decision.options]
        targets.append((decision.player - 1, set(whom), int(option.params["rabbit"][1]) - 1))
        state = state.apply(option)

    def choose(who: int, whom: list[int]) -> int:
        asked, possible, chosen = targets.pop(0)
        assert (asked, possible) == (who, set(whom))
        return chosen

    by_hand.phase(cards, choose)
    assert not targets
    return state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_races_agree_with_the_rules_written_by_hand(players: int) -> None:
    """Phase by phase the file and the code by hand agree on all that lies on the table."""
    chance = random.Random(players)
    for seed in range(12):
        state, by_hand = start(players, seed, chance)
        for _ in range(200):
            state = phase(state, by_hand, chance)
            if state.over:
                break
            assert seen(state) == judged(by_hand)
            assert "carrot" in state.view(1)["zones"]["marker"][str(by_hand.carrot + 1)]["pieces"]
        assert state.over
        assert state.result is not None
        assert by_hand.winner is not None
        assert tuple(state.result.winners) == (by_hand.winner + 1,)
