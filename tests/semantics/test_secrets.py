"""What is shown to whom: pieces that are revealed."""

from __future__ import annotations

import pytest
from small_world import SECTIONS, play

SECRET = SECTIONS["zones"] + "\n  own: {each: player, of: card, seen by: owner}"
HIDE = "move ace to ann.own\nmove two to ann.own\n"


def revealed(effect: str, viewer: int | None) -> list[str]:
    """The cards of player 1 that a viewer knows after an effect."""
    state = play(HIDE + effect, players=3, zones=SECRET)
    found = state.view(viewer)["zones"]["own"]["1"].get("revealed", [])
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("viewer", [2, 3, None])
def test_what_is_revealed_to_all_spectators_see(viewer: int | None) -> None:
    """Whoever looks on knows what all players know."""
    assert revealed("reveal ace", viewer) == ["ace"]
    assert revealed("reveal ace to players", viewer) == ["ace"]
    assert revealed("reveal ace\nmove ace to heap\nmove ace to ann.own", viewer) == []


def test_what_is_revealed_to_one_spectators_do_not_see() -> None:
    """A card that is shown to one player is shown to nobody else."""
    assert revealed("reveal ace to bob", 2) == ["ace"]
    assert revealed("reveal ace to bob", 3) == revealed("reveal ace to bob", None) == []


def test_the_log_tells_spectators_what_is_revealed_to_all() -> None:
    """The entry of the reveal names the card to everybody."""
    state = play(HIDE + "reveal ace\nann must rest", rules="rest(me): {do: nothing}", zones=SECRET)
    shown = [entry.describe(viewer=None) for entry in state.log() if entry.name == "reveal card"]
    assert len(shown) == 1
    assert "ace" in shown[0]
