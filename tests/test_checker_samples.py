"""Slips in a whole game: one word changed, and what must be said at that very place."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruleset.checker import check_file
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.document import read
from ruleset.lints import check_game
from ruleset.loader import load_document
from ruleset.source import Source

GAME = Path(__file__).parent.parent / "games" / "rabbit_race.yaml"


@cache
def text() -> str:
    """The game as it stands."""
    return GAME.read_text(encoding="utf-8")


def faults(changed: str) -> list[Diagnostic]:
    """What is said of the changed game."""
    report = Report()
    root = read(Source("game.yaml", changed), report)
    assert root is not None
    file = load_document(root, report)
    assert file is not None
    facts = check_file(file, report)
    if report.ok:
        check_game(file, facts, report)
    return [d for d in report.sorted() if d.severity == "error"]


@pytest.mark.parametrize(
    ("was", "now", "at", "says"),
    [
        ("  lose_life(runner)\n", "  loose_life(runner)\n", "loose_life", "no rule `loose_life`"),
        ("gain 1 runner.vp", "gain 1 runner.pv", "pv", "player has no `pv`; did you mean `vp`?"),
        ("gain 1 runner.vp", "gain 1 runner.rabbit.vp", "vp", "rabbit has no `vp`"),
        ("gain 1 runner.vp", "set runner.vp to 5", "runner.vp", "is a counter"),
        ("runner.vp >= 6", "runner.rabbit >= 6", "runner.rabbit", "a comparison wants numbers"),
        ("before pass_start(runner)", "before passing(runner)", "passing", "no rule or step"),
        ("before pass_start(runner)", "before pass_start(here)", "here", "`here` is a space"),
        ("(runner, gyro)", "(gyro, runner)", "gyro", "`runner` is a player, this is an item"),
        ("copies: 2", "copies: 3", "5", "6 are listed, the total says 5"),
        ("depth: 24", "spare: x", "arrive", "this can go on for ever: arrive -> "),
        ("player must lay_mine", "lay_mine(player)", "lay_mine(player)", "say who is asked"),
        ("player must lay_mine", "mine must lay_mine", "mine", "no mine has that name here"),
        ("player must play", "run(player)", "run(player)", "asks everybody at once"),
        (
            "(last(runner.played).value else 0)",
            "last(runner.played).value",
            "shown(runner)",
            "may be none",
        ),
    ],
)
def test_a_slip_in_a_game(was: str, now: str, at: str, says: str) -> None:
    """One slip is one error, on the word that is wrong."""
    assert was in text()
    found = faults(text().replace(was, now, 1))
    assert [(d.span.text if d.span else "", d.message) for d in found if says in d.message]
    assert len(found) == 1
    assert found[0].span is not None
    assert found[0].span.text == at
