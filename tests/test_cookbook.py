"""The games of the cookbook check without a warning, and play to their ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from documents import ROOT

import ruleset
from playtest.fuzz import fuzz

GAMES = sorted((ROOT / "games" / "cookbook").glob("*.yaml"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_of_the_cookbook(path: Path) -> None:
    """No faults, also in random games under all invariants."""
    assert ruleset.check(path).sorted() == []
    account = fuzz(ruleset.load(path), 6, None, 1, {}, True, 5000)
    assert account.findings == {}


def test_the_page_names_every_game() -> None:
    """Each game of the cookbook stands on its page."""
    page = (ROOT / "docs" / "cookbook.md").read_text("utf-8")
    assert [path.stem for path in GAMES if f"games/cookbook/{path.name}" not in page] == []
