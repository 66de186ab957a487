"""The pages about scenarios and random play: the fault is shown, and its repair has none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ruleset
from playtest.coverage import unknown_ids
from playtest.fuzz import fuzz
from playtest.scenario_files import read_scenarios, scenario_paths
from playtest.scenarios import Runner
from ruleset.diagnostics.codes import explanation
from ruleset.diagnostics.diagnostic import Report

SCENARIOS = [f"RW65{k}" for k in range(9)]
GAMES = ["RW660", "RW661"]


def blocks(code: str, kind: str) -> list[str]:
    """The blocks of a kind on a page."""
    page = explanation(code)
    assert page is not None
    return re.findall(rf"```{kind}\n(.*?)```", page, re.S)


@pytest.mark.parametrize("code", SCENARIOS)
def test_a_page_about_scenarios_shows_the_fault_and_its_repair(code: str, tmp_path: Path) -> None:
    """The first scenario has the fault of the page and no other; the second has none."""
    game = (blocks(code, "yaml") or blocks("RW650", "yaml"))[0]
    (tmp_path / "game.yaml").write_text(game, "utf-8")
    codes = []
    for text in blocks(code, "scenario"):
        (tmp_path / "scenario.yaml").write_text(text, "utf-8")
        report = Report()
        found = []
        for path in scenario_paths([str(tmp_path / "scenario.yaml")], report):
            for scenario in read_scenarios(path, report):
                outcome = Runner().run(scenario)
                found += [d.code for d in (*outcome.faults, *unknown_ids(outcome))]
        codes.append(found + [d.code for d in report.diagnostics])
    assert codes == [[code], []]


@pytest.mark.parametrize("code", GAMES)
def test_a_page_about_random_play_shows_the_fault_and_its_repair(code: str, tmp_path: Path) -> None:
    """Random play finds the fault in the first game and none in the second."""
    codes = []
    for number, text in enumerate(blocks(code, "game")):
        path = tmp_path / f"game{number}.yaml"
        path.write_text(text, "utf-8")
        account = fuzz(ruleset.load(path), 8, None, 1, {}, True, 300)
        codes.append([key[0] for key in account.findings])
    assert codes == [[code], []]


def test_our_own_fault_has_a_page() -> None:
    """The page of our own bug says that it is ours."""
    assert "fault of rulewright itself" in (explanation("RW901") or "")
