"""Dice under a cup: what they show is known to whoever sees the cup, in views and in the log."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import pytest

import ruleset
from interpreter import Game, State

GAME: Final = Path(__file__).parent.parent / "games" / "liars_dice.yaml"
SIX: Final = range(6)


@cache
def game() -> Game:
    """Two players with one die each."""
    return Game(ruleset.load(str(GAME)), 2)


def thrown(first: int, second: int, *answers: str) -> State:
    """A state after both have thrown this, and after some answers."""
    state = game().begin(0, [first, second])
    for answer in answers:
        state = state.apply(answer)
    return state


def known(state: State, viewer: int | None) -> tuple[str, ...]:
    """All that a player or a spectator is told."""
    log = [entry.describe(viewer=viewer) for entry in state.log()]
    return (str(state.view(viewer)), *log)


@pytest.mark.parametrize("answers", [(), ("open 1 3",), ("open 1 3", "raise 2 6")])
def test_nobody_is_told_what_others_have_thrown(answers: tuple[str, ...]) -> None:
    """The same for the first player whatever the second has thrown, and the other way round."""
    for own in SIX:
        assert len({known(thrown(own, other, *answers), 1) for other in SIX}) == 1
        assert len({known(thrown(other, own, *answers), 2) for other in SIX}) == 1
    assert len({known(thrown(a, b, *answers), None) for a in SIX for b in SIX}) == 1


def test_players_know_their_own_dice() -> None:
    """What a player is told differs with the own throw, in the view and in the log."""
    for viewer in (1, 2):
        states = [thrown(face, face) for face in SIX]
        assert len({str(state.view(viewer)) for state in states}) == len(SIX)
        assert len({known(state, viewer)[1:] for state in states}) == len(SIX)


def test_a_challenge_shows_the_dice_to_both() -> None:
    """At the end both see both dice."""
    state = thrown(2, 5, "open 1 3", "challenge")
    for viewer in (1, 2):
        sides = state.view(viewer)["sides"]
        assert (sides["p1.die#1"], sides["p2.die#1"]) == ("three", "six")
