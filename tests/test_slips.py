"""Slips of authors: each gives one diagnostic, where it is, in words that help.

The game is a whole one; a slip is put into a copy of its files. Slips of the game file are
looked at without the readings, which takes a fifth of the time. Every fourth slip is looked at;
`RULEWRIGHT_ALL=1` has all of them looked at.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.settings import check_path, check_without_readings

GAMES = Path(__file__).parent.parent / "games"
NAME = "rabbit_race.yaml"
FILES = {"game": NAME, "rulings": f"rulings/{NAME}", "document": f"documents/{NAME}"}
SLIPS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("slips.yaml").read_text(encoding="utf-8")
)["slips"]
CHOSEN = SLIPS if os.environ.get("RULEWRIGHT_ALL") else SLIPS[::4]


def _copy(folder: Path, broken: str, was: str, now: str) -> Path:
    for file in FILES.values():
        text = (GAMES / file).read_text(encoding="utf-8")
        if file == FILES[broken]:
            assert text.count(was) == 1, f"{was!r} stands {text.count(was)} times in {file}"
            text = text.replace(was, now)
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")
    return folder / NAME


def _told(path: Path, slip: dict[str, Any]) -> list[Diagnostic]:
    check = check_without_readings if slip["in"] == "game" else check_path
    return check(str(path)).sorted()


@pytest.mark.parametrize("slip", CHOSEN, ids=[s["now"].strip()[:50] or "deleted" for s in CHOSEN])
def test_a_slip_is_told_once(tmp_path: Path, slip: dict[str, Any]) -> None:
    """One diagnostic, with its code, its place, and words that help."""
    path = _copy(tmp_path, slip["in"], slip["was"], slip["now"])
    found = _told(path, slip)
    assert len(found) == 1, [f"{d.code} {d.span} {d.message}" for d in found]
    (only,) = found
    assert only.span is not None
    assert only.code == slip["code"]
    assert Path(only.span.source.name) == tmp_path / FILES[slip["file"]]
    assert f"{only.span.line}:{only.span.column}" == slip["at"]
    assert slip["says"] in " ".join((only.message, *only.helps))


@pytest.mark.parametrize("number", range(7, len(SLIPS), 70))
def test_the_readings_add_nothing(tmp_path: Path, number: int) -> None:
    """With the readings looked at, too, a slip is still told once."""
    slip = SLIPS[number]
    path = _copy(tmp_path, slip["in"], slip["was"], slip["now"])
    assert [d.code for d in check_path(str(path)).diagnostics] == [slip["code"]]
