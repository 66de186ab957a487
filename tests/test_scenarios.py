"""Every scenario of the repository holds; what is wrong with one is told at its place."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from documents import ROOT

from playtest.coverage import Coverage, coverage_of, unknown_ids
from playtest.scenario_files import Scenario, read_scenarios, scenario_paths
from playtest.scenarios import Outcome, Runner
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.render import render_report

FOLDER = str(ROOT / "tests" / "scenarios")


@cache
def scenarios() -> tuple[Scenario, ...]:
    """All scenarios of the repository."""
    report = Report()
    found = [s for path in scenario_paths([FOLDER], report) for s in read_scenarios(path, report)]
    assert not report.diagnostics, render_report(report)
    return tuple(found)


@cache
def runner() -> Runner:
    """One runner, so that a game is lowered once for each setting."""
    return Runner()


def name(scenario: Scenario) -> str:
    """How the test report names a scenario."""
    return f"{Path(scenario.path).relative_to(FOLDER)}: {scenario.title.text}"


@pytest.mark.parametrize("scenario", scenarios(), ids=name)
def test_a_scenario_holds(scenario: Scenario) -> None:
    """Given, when, then: as the scenario file says; and what it covers is in the document."""
    outcome = runner().run(scenario)
    report = Report()
    for fault in (*outcome.faults, *unknown_ids(outcome)):
        report.add(fault)
    assert not report.diagnostics, "\n" + render_report(report)


def test_every_scenario_has_a_name_of_its_own() -> None:
    """Two scenarios of one file are never called the same."""
    ids = [scenario.id for scenario in scenarios()]
    assert len(ids) == len(set(ids))


# ------------------------------------------------------------------ what can be wrong

HEAD = f"""game: {ROOT}/games/tic_tac_toe.yaml
players: 2
scenario: a test
"""


def faults(tmp_path: Path, body: str, head: str = HEAD) -> list[Diagnostic]:
    """What is wrong with a scenario file of this text."""
    path = tmp_path / "a.yaml"
    path.write_text(head + body, "utf-8")
    report = Report()
    found = read_scenarios(str(path), report)
    outcomes = [runner().run(scenario) for scenario in found]
    return [
        *report.sorted(),
        *(fault for outcome in outcomes for fault in (*outcome.faults, *unknown_ids(outcome))),
    ]


WRONG = {
    "an unknown key": ("whn: []\n", "RW020", 4),
    "an impossible choice": ("when: [{1: put_stone d9}]\n", "RW650", 4),
    "a choice of another player": ("when: [{2: put_stone a1}]\n", "RW650", 4),
    "a claim that is false": ("then:\n  - count(cells.stone) is 1\n", "RW651", 5),
    "a claim that is no condition": ("then:\n  - count(cells.stone)\n", "RW651", 5),
    "a name that is not there": ("then:\n  - count(cells.stne) is 0\n", "RW202", 5),
    "a claim that does not parse": ("then:\n  - count(cells.stone is 0\n", "RW104", 5),
    "effects with a wrong name": (
        "given: |\n  for s in first(p1.supply) do move s to zz.stone\n",
        "RW201",
        5,
    ),
    "an option that is there": ("refused:\n  - {player: 1, option: put_stone a1}\n", "RW652", 5),
    "a refused option that is none": (
        "refused:\n  - {player: 1, option: put_stone z9}\n",
        "RW653",
        5,
    ),
    "another reason": (
        "when: [{1: put_stone a1}]\nrefused:\n"
        "  - {player: 2, option: put_stone a1, because: nonsense}\n",
        "RW653",
        6,
    ),
    "a game that goes on": ("over: true\n", "RW654", 4),
    "other winners": ("winners: [1]\n", "RW654", 4),
    "an id of no document": ("covers: [TT-001]\n", "RW655", 4),
    "an unknown option": ("options: {size: big}\n", "RW530", 4),
    "a random set-up of none": ("setup: random\n", "RW656", 4),
    "an outcome that nothing asks for": ("rolls: [six]\n", "RW657", 4),
}


@pytest.mark.parametrize(("body", "code", "line"), WRONG.values(), ids=WRONG)
def test_a_fault_is_told_once_at_its_place(tmp_path: Path, body: str, code: str, line: int) -> None:
    """One mistake in a scenario is one diagnostic, with the line where it stands."""
    found = faults(tmp_path, body)
    assert [(d.code, d.span.line if d.span else 0) for d in found] == [(code, line)]


def test_a_false_claim_shows_the_values_of_its_sides(tmp_path: Path) -> None:
    """Who reads the failure sees what was there instead."""
    body = "when: [{1: put_stone a1}]\nthen:\n  - a1.stone.owner is p2 and count(cells.stone) > 4\n"
    (found,) = faults(tmp_path, body)
    assert found.notes == (
        "`a1.stone.owner` is 1",
        "`p2` is 2",
        "`count(cells.stone)` is 1",
    )


def test_a_number_of_players_that_cannot_be(tmp_path: Path) -> None:
    """The game says how many may play."""
    (found,) = faults(tmp_path, "", HEAD.replace("players: 2", "players: 9"))
    assert (found.code, found.span and found.span.line) == ("RW656", 2)


def test_a_game_with_faults_is_told_at_the_game(tmp_path: Path) -> None:
    """The scenario is not to blame for its game; the fault has its place there."""
    (tmp_path / "bad.yaml").write_text("game: bad\n", "utf-8")
    head = HEAD.replace(f"{ROOT}/games/tic_tac_toe.yaml", "bad.yaml")
    found = faults(tmp_path, "", head)
    assert found
    assert all(d.span and d.span.source.name.endswith("bad.yaml") for d in found)


def test_a_game_file_is_no_scenario() -> None:
    """A game named by mistake gets one diagnostic, not one for each of its keys."""
    path = ROOT / "games" / "tic_tac_toe.yaml"
    report = Report()
    assert read_scenarios(str(path), report) == []
    assert [d.code for d in report.diagnostics] == ["RW658"]


DICE = """
game: dice
title: {en: Dice}
source: made up for tests
players: 1
flow:
  game: {repeat: turn}
  turn: {kind: turn, each: me in players, do: me must throw}
counters: {n: {each: player, range: 0..}}
rules:
  throw(me):
    do: |
      roll k in 1..6
      gain k me.n
      if me.n > 100 then stop game won by me
result: {by: stop game}
"""


@pytest.mark.parametrize(
    ("rolls", "codes"), [("[3, 4]", []), ("[3, 9]", ["RW657"]), ("[3, 4, 5]", ["RW657"])]
)
def test_chance_gives_what_the_scenario_says(tmp_path: Path, rolls: str, codes: list[str]) -> None:
    """`rolls` names what chance gives, in order; one that cannot be or is left over is told."""
    (tmp_path / "dice.yaml").write_text(DICE, "utf-8")
    head = "game: dice.yaml\nscenario: a test\n"
    body = f"rolls: {rolls}\nwhen: [{{1: throw}}, {{1: throw}}]\nthen: [p1.n is 7]\n"
    assert [d.code for d in faults(tmp_path, body, head)] == codes


# ------------------------------------------------------------------ what is covered


def outcome(body: str, tmp_path: Path) -> Outcome:
    """One scenario of the game with a document, run."""
    path = tmp_path / "b.yaml"
    path.write_text(
        f"game: {ROOT}/games/rabbit_race.yaml\nplayers: 3\nscenario: a test\n{body}", "utf-8"
    )
    (scenario,) = read_scenarios(str(path), Report())
    return runner().run(scenario)


def test_coverage_counts_what_holds(tmp_path: Path) -> None:
    """A statement is covered by a scenario that names it and holds; information is apart."""
    good = outcome("covers: [RR-012, WE-RR-01]\nsetup: random\n", tmp_path)
    bad = outcome("covers: [RR-020]\nsetup: random\nover: true\n", tmp_path)
    (entry,) = coverage_of([good, bad])
    assert isinstance(entry, Coverage)
    assert entry.covered() == ["RR-012"]
    assert entry.examples() == ["WE-RR-01"]
    assert "RR-020" in entry.missing()
    assert not set(entry.information()) & set(entry.wanted())
    assert entry.scenarios == 2
