"""Answers of checks are kept between runs, and only for as long as nothing has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import ruleset
from ruleset.check_cache import recall
from ruleset.diagnostics.render import render_report

GAME = """game: small
title: {en: Small}
players: 2
rulings: rulings.yaml
flow: {game: {do: nothing}}
counters: {vp: {each: player, range: 0..}}
rules:
  score(me):
    spare: yet to come
    do: gain 1 me.vpp
result: {most: [vp]}
"""
RULINGS = """rulings_of: small
rulings:
  twice:
    from: XY-A01
    asks: Twice?
    default: once
    double: {change: {rules.score.do: gain 2 me.vp}}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of two files in a folder of its own, and a fresh cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "small.yaml"
    path.write_text(GAME, "utf-8")
    (tmp_path / "rulings.yaml").write_text(RULINGS, "utf-8")
    return path


def test_a_check_is_recalled_whole(game: Path) -> None:
    """The second answer comes from the cache and reads like the first, faults and all."""
    assert recall(str(game)) is None
    first = ruleset.check(game)
    assert first.diagnostics
    kept = recall(str(game))
    assert kept is not None
    assert render_report(kept) == render_report(first)
    assert render_report(kept, "json") == render_report(first, "json")


@pytest.mark.parametrize("name", ["small.yaml", "rulings.yaml"])
def test_a_changed_file_is_checked_anew(game: Path, name: str) -> None:
    """Any change of the game or of a file that it names makes the answer worthless."""
    ruleset.check(game)
    changed = game.with_name(name)
    changed.write_text(changed.read_text("utf-8") + "# changed\n", "utf-8")
    assert recall(str(game)) is None


def test_a_missing_file_keeps_nothing(game: Path) -> None:
    """Where a file of the game could not be read, the next check looks again."""
    game.with_name("rulings.yaml").unlink()
    assert not ruleset.check(game).ok
    assert recall(str(game)) is None


def test_a_broken_answer_is_no_answer(game: Path, tmp_path: Path) -> None:
    """What lies in the cache and is no answer is passed over."""
    ruleset.check(game)
    (kept,) = (tmp_path / "cache" / "rulewright").glob("check-*.json")
    for text in ("", "{}", "[]", '{"files": [["x", 1]], "diagnostics": []}', '{"files": 1}'):
        kept.write_text(text, "utf-8")
        assert recall(str(game)) is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owner here")
def test_a_folder_of_others_is_not_used(game: Path, tmp_path: Path) -> None:
    """A cache that others can write to is neither read nor written."""
    folder = tmp_path / "cache" / "rulewright"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    ruleset.check(game)
    assert list(folder.glob("check-*")) == []
