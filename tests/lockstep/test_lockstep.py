"""Each game file against its OpenSpiel judge, choice by choice.

Few games by default; ``RULEWRIGHT_LOCKSTEP=1000`` plays as many of each, and
``RULEWRIGHT_LOCKSTEP_SEED`` begins with another seed.
"""

from __future__ import annotations

import os
from typing import Any, Final

import pytest

from lockstep import boards, cards
from lockstep.harness import Peer, play

GAMES: Final = int(os.environ.get("RULEWRIGHT_LOCKSTEP", "20"))
FIRST_SEED: Final = int(os.environ.get("RULEWRIGHT_LOCKSTEP_SEED", "0"))


@pytest.fixture(scope="module")
def spiel() -> Any:
    """The module of OpenSpiel, where there is one."""
    reason = "OpenSpiel is not installed: pip install 'rulewright[lockstep]'"
    return pytest.importorskip("pyspiel", reason=reason)


@pytest.mark.parametrize("peer", (*boards.PEERS, *cards.PEERS), ids=lambda peer: peer.id)
def test_same_game_as_the_judge(peer: Peer, spiel: Any) -> None:
    """Random games agree with the judge in players, actions, chance, end and returns."""
    for seed in range(FIRST_SEED, FIRST_SEED + GAMES):
        assert play(peer, spiel, seed) > 0
