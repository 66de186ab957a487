"""Random play finds faults and shows each by a short game; the games that we ship have none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from documents import ROOT

import ruleset
from interpreter import DataError, Game, JournalStep
from playtest.cli import run
from playtest.fuzz import fuzz
from playtest.laws import faults_at_end, faults_in_depth, faults_now
from playtest.trials import DEEP, play_one
from ruleset.diagnostics.render import render_diagnostic

GAMES = sorted((ROOT / "games").glob("*.yaml"))
STUCK = str(ROOT / "tests" / "stuck.yaml")
ENDLESS = """
game: endless
title: {en: Endless}
source: made up for tests
players: 1
flow:
  game: {repeat: turn}
  turn: {kind: turn, each: me in players, do: me must wait}
counters: {n: {each: player, range: 0..}}
rules:
  wait(me):
    do: if me.n > 9 then stop game won by me
result: {by: stop game}
"""


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_stands_random_play(path: Path) -> None:
    """Two games with different numbers of players and random readings: no fault of any kind."""
    rules = ruleset.load(str(path))
    account = fuzz(rules, 2, None, 11, {}, True, 5000)
    assert account.games == 2
    shown = [render_diagnostic(finding.diagnostic) for finding in account.findings.values()]
    assert not shown, "\n".join(shown)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_laws_hold_in_a_game(path: Path) -> None:
    """Bytes, saves, views, `why` and the ledger agree, now and then on the way through a game."""
    rules = ruleset.load(str(path))
    game = Game(rules, rules.file.min_players, checks=True)
    state = game.start(3)
    for step in range(DEEP * 3):
        assert list(faults_now(state)) == []
        if step % DEEP == 0 or state.over:
            assert list(faults_in_depth(state, step)) == []
        if state.over:
            break
        decision = state.pending[step % len(state.pending)]
        state = state.apply(decision.options[step % len(decision.options)])
    assert list(faults_at_end(state)) == []


def test_faults_are_found_and_shown_by_short_games() -> None:
    """Each fault of a game made for it is found once, by a game of one or two choices."""
    account = fuzz(ruleset.load(STUCK), 60, None, 1, {}, True, 100)
    lines = {
        finding.diagnostic.span.line: finding.length
        for finding in account.findings.values()
        if finding.diagnostic.span
    }
    assert lines.keys() >= {22, 24, 26, 30}
    assert all(length <= 2 for length in lines.values())


def test_a_game_without_an_end_is_found(tmp_path: Path) -> None:
    """A game past the bound is a fault, whose journal has as many choices as the bound."""
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS, "utf-8")
    account = fuzz(ruleset.load(path), 2, None, 1, {}, True, 30)
    (finding,) = account.findings.values()
    assert finding.diagnostic.code == "RW661"
    assert finding.length == 30


def test_the_same_seed_plays_the_same_games() -> None:
    """A game of random play is settled by its seed."""
    game = Game(ruleset.load(STUCK), 2, checks=True)
    again = [play_one(game, 5, 100) for _ in range(2)]
    assert again[0] == again[1]
    assert len({play_one(game, seed, 100)[0] for seed in range(20)}) > 1


def test_a_finding_is_ready_for_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command writes a journal for each fault, and `replay` comes to the same line."""
    monkeypatch.chdir(tmp_path)
    assert run(["fuzz", STUCK, "--games", "40", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert len(data["findings"]) >= 3
    for finding in data["findings"]:
        assert run(["replay", finding["journal"], "--json"]) == 1
        told = json.loads(capsys.readouterr().out)
        assert not told["agrees"]
        line = finding["fault"]["line"]
        assert any(f":{line}:" in f["message"] or f["line"] == line for f in told["faults"])


def test_a_step_that_breaks_is_shown_at_its_line(tmp_path: Path) -> None:
    """`replay` of a found game shows the line, as `fuzz` does, and the way out."""
    text = (ROOT / "games" / "tic_tac_toe.yaml").read_text("utf-8")
    careless = text.replace("cell: in cells if not any(cell.stone)", "cell: in cells")
    assert careless != text
    path = tmp_path / "careless.yaml"
    path.write_text(careless, "utf-8")
    game = Game(ruleset.load(path), 2)
    steps = tuple(JournalStep(player, "put_stone(cell=a1)") for player in (1, 2))
    journal = replace(game.start(1).journal(), steps=steps)
    with pytest.raises(DataError) as caught:
        game.replay(journal)
    fault = caught.value.diagnostic
    where = 1 + careless.split("\n").index("      draw 1 from me.supply to cell.stone")
    assert fault.code == "RW618" and fault.message.startswith("step 2 comes to nothing: ")
    assert fault.span is not None and str(fault.span).endswith(f":{where}:7")
    assert fault.helps == ("make room first, or let the zone hold more",)


def test_an_interrupt_keeps_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C in a long run: games and faults so far are told, and the journal is there."""

    def stops(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("playtest.fuzz.shortest", stops)
    assert run(["fuzz", STUCK, "--games", "4000"]) == 1
    text = capsys.readouterr().out
    assert "(stopped; 4,000 were wanted)" in text and "1 fault" in text
    name = text.split("rulewright replay ")[1].split()[0]
    assert (tmp_path / name).is_file()
    monkeypatch.setattr("playtest.fuzz.play_one", stops)
    assert run(["fuzz", STUCK, "--json"]) == 130
    told = json.loads(capsys.readouterr().out)
    assert told["interrupted"] and told["games"] == 0 and told["findings"] == []


def test_a_good_game_has_status_zero(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a fault the command says so, and how long the games were."""
    assert run(["fuzz", str(ROOT / "games" / "tic_tac_toe.yaml"), "--games", "5"]) == 0
    assert "5 games: no faults" in capsys.readouterr().out


def test_a_found_game_is_made_plain(tmp_path: Path) -> None:
    """Choices that a fault does not need are dropped, others become the first ones offered."""
    path = tmp_path / "walk.yaml"
    path.write_text(WALK, "utf-8")
    account = fuzz(ruleset.load(path), 6, None, 3, {}, True, 200)
    (finding,) = account.findings.values()
    assert [step.option for step in finding.journal.steps] == ["trip"] * 3
    assert finding.journal.options["careful"] == "true"


WALK = """
game: walk
title: {en: Walk}
source: made up for tests
players: 1
options:
  careful: {type: flag, default: true}
  pace: {type: 1..3, default: 1}
flow:
  game: {repeat: turn, times: 40}
  turn: {kind: turn, each: me in players, do: "me must one of walk, rest, trip"}
counters: {falls: {each: player, range: 0..99}, steps: {each: player, range: 0..999}}
rules:
  walk(me):
    do: gain pace me.steps
  rest(me):
    do: if careful then gain 1 me.steps
  trip(me):
    do: gain 1 me.falls
result: {most: [steps]}
invariants: {upright: {holds: all(p in players if p.falls < 3)}}
"""


def test_a_score_that_nobody_saw_may_decide(tmp_path: Path) -> None:
    """The result of a game is told to all, also where it counts what was hidden until then."""
    path = tmp_path / "walk.yaml"
    hidden = WALK.replace("range: 0..999", "range: 0..999, seen by: nobody")
    path.write_text(hidden.replace("invariants: {upright", "invariants: {} #"), "utf-8")
    for players in ("players: 1", "players: 3"):
        path.write_text(path.read_text("utf-8").replace("players: 1", players), "utf-8")
        game = Game(ruleset.load(path), int(players[-1]))
        state = game.start(1)
        while not state.over:
            state = state.apply(state.pending[0].options[state.steps % 3])
        assert list(faults_in_depth(state, 5)) == []
