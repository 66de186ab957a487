"""The pages about play, journals and saves: the fault is shown, and its repair has none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import ruleset
from interpreter import DataError, Game, Journal
from playtest.fuzz import fuzz
from ruleset.diagnostics.codes import explanation
from ruleset.diagnostics.messages import play, scenario

CODES = sorted(code for code in (*play.CODES, *scenario.CODES) if code.startswith("RW6"))
JOURNALS = [f"RW6{k}" for k in range(12, 21)]


def blocks(code: str, kind: str) -> list[str]:
    """The blocks of a kind on a page."""
    return re.findall(rf"```{kind}\n(.*?)```", explanation(code) or "", re.S)


def game_of(code: str, folder: Path) -> Game:
    """The game of a page."""
    (folder / "game.yaml").write_text(blocks(code, "yaml")[0], "utf-8")
    return Game(ruleset.load(folder / "game.yaml"), players=1)


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page(code: str) -> None:
    """The page begins with the code and its title."""
    title = {**play.CODES, **scenario.CODES}[code]
    assert (explanation(code) or "").startswith(f"# {code}: {title}\n")


@pytest.mark.parametrize("code", JOURNALS)
def test_a_page_about_journals_shows_the_fault_and_its_repair(code: str, tmp_path: Path) -> None:
    """The first journal has the fault of the page; the second can be played again."""
    game = game_of(code, tmp_path)
    bad, good = (text.replace("FINGERPRINT", game.fingerprint) for text in blocks(code, "journal"))
    with pytest.raises(DataError) as error:
        game.verify(Journal.parse(bad))
    assert error.value.diagnostic.code == code
    assert game.verify(Journal.parse(good)).steps == 1


def test_the_page_about_saves(tmp_path: Path) -> None:
    """The first save has the fault; the second gives a state."""
    game = game_of("RW621", tmp_path)
    bad, good = blocks("RW621", "save")
    with pytest.raises(DataError) as error:
        game.load(json.loads(bad))
    assert error.value.diagnostic.code == "RW621"
    assert game.load(json.loads(good)).over


@pytest.mark.parametrize("code", ["RW601", "RW602"])
def test_a_page_about_rules_shows_the_fault_and_its_repair(code: str, tmp_path: Path) -> None:
    """Random play finds the fault in the first game and none in the second."""
    codes = []
    for number, text in enumerate(blocks(code, "game")):
        path = tmp_path / f"game{number}.yaml"
        path.write_text(text, "utf-8")
        account = fuzz(ruleset.load(path), 2, None, 1, {}, True, 100)
        codes.append([key[0] for key in account.findings])
    assert codes == [[code], []]
