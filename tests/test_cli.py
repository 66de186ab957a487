"""The command line: exit statuses, forms of answers, and no traceback whatever a user does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from documents import ROOT

from playtest.cli import COMMANDS, run

GAME = str(ROOT / "games" / "tic_tac_toe.yaml")
STUCK = str(ROOT / "tests" / "stuck.yaml")
PROGRAM = [sys.executable, "-c", "from playtest.cli import main; main()"]


def output(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """What a command says, having left with that status; nothing of it is a traceback."""
    found = run(list(arguments))
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert found == status, out + err
    return out + err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` lists the commands, and each command explains itself."""
    text = output(capsys, "--help")
    for command in COMMANDS:
        assert f"  {command} " in text
        assert "Usage" in output(capsys, command, "--help")
    assert "rulewright" in output(capsys, "--version")


WRONG_USAGE: list[Sequence[str]] = [
    ["chekc"],
    ["check"],
    ["check", "--format", "xml", GAME],
    ["play", GAME, "--players", "9"],
    ["play", GAME, "--seats", "robot"],
    ["play", GAME, "--seats", "random,random,random"],
    ["play", GAME, "--option", "size"],
    ["play", GAME, "--seed", "x"],
    ["explain", "RW999"],
    ["explain"],
    ["fuzz", GAME, "--players", "5"],
    ["fuzz", GAME, "--games", "0"],
    ["dump", GAME],
    ["dump", GAME, "--stage", "ir", "--players", "7"],
]


@pytest.mark.parametrize("arguments", WRONG_USAGE, ids=" ".join)
def test_wrong_usage_has_status_two(
    arguments: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be meant is told with the status 2."""
    assert "rror" in output(capsys, *arguments, status=2)


def test_a_misspelt_command_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    """Commands are names like others: the nearest one is named."""
    assert "did you mean `check`?" in output(capsys, "chekc", status=2)


# ------------------------------------------------------------------ check, explain, dump


def test_check_says_that_a_game_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    """A game without faults is named as such."""
    assert output(capsys, "check", GAME) == f"{GAME}: no faults\n"


@pytest.mark.parametrize("form", ["full", "line", "json", "sarif"])
def test_check_tells_faults_in_every_form(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each form names the code and the line, and the status is 1."""
    bad = tmp_path / "bad.yaml"
    bad.write_text(Path(GAME).read_text("utf-8").replace("rules:", "rulez:"), "utf-8")
    text = output(capsys, "check", "--format", form, str(bad), GAME, status=1)
    assert "RW020" in text
    if form in ("json", "sarif"):
        json.loads(text)


@pytest.mark.parametrize("path", ["nothing.yaml", ".", "/dev/null"])
def test_check_of_what_is_no_game(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file, a folder, an empty file: a diagnostic each."""
    assert "error[RW0" in output(capsys, "check", path, status=1)


def test_explain_shows_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    """A code has a page, in any spelling; `--list` names all."""
    assert output(capsys, "explain", "rw201").startswith("# RW201")
    assert output(capsys, "explain", "201") == output(capsys, "explain", "RW201")
    assert "RW651  " in output(capsys, "explain", "--list")


@pytest.mark.parametrize("stage", ["document", "syntax", "ir"])
def test_dump_shows_each_stage(stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every stage of a game has a text."""
    assert len(output(capsys, "dump", "--stage", stage, GAME).splitlines()) > 20


# ------------------------------------------------------------------ test


def test_test_runs_scenarios_and_tells_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    """The scenarios of a folder run, and the statements they cover are counted."""
    folder = str(ROOT / "tests" / "scenarios" / "rabbit_race" / "RR-012_laying_mines.yaml")
    text = output(capsys, "test", folder)
    assert "RR: 4 of 62 statements" in text
    assert "5 of 5 scenarios hold" in text
    data = json.loads(output(capsys, "test", "--json", folder))
    assert data["coverage"][0]["statements"]["covered"] == ["RR-012"]
    assert all(scenario["holds"] for scenario in data["scenarios"])


def test_test_fails_with_status_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario that does not hold is shown with its place, and the status is 1."""
    path = tmp_path / "a.yaml"
    path.write_text(f"game: {GAME}\nscenario: no\nthen:\n  - any(cells.stone)\n", "utf-8")
    text = output(capsys, "test", str(path), status=1)
    assert f"{path}:4:5" in text
    assert "0 of 1 scenario hold" in text
    data = json.loads(output(capsys, "test", "--json", str(path), status=1))
    assert data["scenarios"][0]["faults"][0]["code"] == "RW651"
    assert "RW658" in output(capsys, "test", GAME, status=1)
    assert "RW001" in output(capsys, "test", str(tmp_path / "b.yaml"), status=1)


# ------------------------------------------------------------------ play, replay


def played(tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: int = 3) -> Path:
    """The journal of a game of programs."""
    target = tmp_path / "game.json"
    output(capsys, "play", GAME, "--seats", "random", "--seed", str(seed), "--save", str(target))
    return target


def test_a_game_is_saved_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The journal of a game plays again to the same end."""
    target = played(tmp_path, capsys)
    assert "agree with the rules, to its end" in output(capsys, "replay", str(target))
    data = json.loads(output(capsys, "replay", "--verify", "--json", str(target)))
    assert data["agrees"]
    assert data["same_rules"]
    assert data["over"]
    assert "result:" in output(capsys, "play", str(target))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"format": "rulewright journal"', '"format": "a cake"'),
        ('"version": 1', '"version": 99'),
        ('"game": "tic_tac_toe"', '"game": "chess"'),
        ('"players": 2', '"players": 3'),
        ('"steps": [', '"steps": [7, '),
        ("put_stone(cell=", "put_stone(cell=z"),
        ("{", "["),
        ('"seed"', '"speed"'),
    ],
)
def test_a_broken_journal_is_told(
    old: str, new: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is wrong with a journal, it is a diagnostic or wrong usage, no traceback."""
    target = played(tmp_path, capsys)
    text = target.read_text("utf-8")
    assert old in text
    target.write_text(text.replace(old, new), "utf-8")
    status = 2 if '"players"' in old else 1
    assert "rror" in output(capsys, "replay", str(target), status=status)
    assert "rror" in output(capsys, "play", str(target), status=status)
    target.write_text(text[: len(text) // 2], "utf-8")
    assert "RW613" in output(capsys, "replay", str(target), status=1)


@pytest.mark.parametrize("path", ["missing/folder/game.json", "."])
def test_a_place_that_cannot_be_written_is_told_first(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody plays to the end to learn that the game cannot be saved."""
    monkeypatch.chdir(tmp_path)
    text = output(capsys, "play", GAME, "--seats", "random", "--save", path, status=1)
    assert "RW623" in text
    assert "result" not in text


def test_a_fault_of_the_rules_while_playing(capsys: pytest.CaptureFixture[str]) -> None:
    """The rules cannot go on: the line of the game file is shown, and the status is 1."""
    text = output(capsys, "play", STUCK, "--seats", "random", "--seed", "1", status=1)
    assert "error[RW601]" in text


# ------------------------------------------------------------------ as a process


def process(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """The program itself."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        check=False,
        **settings,  # type: ignore[call-overload]
    )


def test_a_closed_input_ends_the_game() -> None:
    """A person who is not there is not asked for ever."""
    done = process("play", GAME, "--seed", "1", stdin=subprocess.DEVNULL)
    assert done.returncode == 1
    assert "there is no more input" in done.stdout
    assert done.stderr == ""


def test_a_broken_pipe_says_nothing() -> None:
    """Who stops reading gets no complaint."""
    program = " ".join(f'"{part}"' for part in PROGRAM)
    shell = f"{program} play games/rabbit_race.yaml --seats random --seed 1 | head -1; "
    shell += "echo ${PIPESTATUS[0]}"
    done = subprocess.run(
        ["bash", "-c", shell], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False
    )
    assert done.stderr == ""
    assert done.stdout.split("\n")[1:] == ["141", ""]


def test_an_interrupt_has_a_status_of_its_own() -> None:
    """Ctrl-C ends the program with the status 130 and without a traceback."""
    child = subprocess.Popen(
        [*PROGRAM, "play", GAME, "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert child.stdout is not None
    while "player 1 —" not in child.stdout.readline():
        pass
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "Traceback" not in err
