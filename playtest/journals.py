"""Journals as files of the command line: with the path of the game and who sat where.

Takes and gives `Journal` values; the extra keys ``rules``, ``seats`` and ``checks`` are read by
this module alone, so a journal of the Python face can be opened as well.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import ruleset
from interpreter import DataError, Engine, Game, Journal, read_text
from interpreter.runtime.files import write_json
from ruleset.diagnostics.messages import play as say


@dataclass(frozen=True, slots=True)
class Saved:
    """A journal from a file."""

    journal: Journal
    rules: str
    """Path of the game file."""
    seats: tuple[str, ...]
    checks: bool
    """Whether invariants are looked at on the way, as in a game that random play found."""


def is_game_file(path: str) -> bool:
    """Whether a path names a game file rather than a journal."""
    return not path.endswith(".json") and not _begins_like_json(path)


def _begins_like_json(path: str) -> bool:
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return file.read(200).lstrip()[:1] == "{"
    except OSError:
        return False


def write_journal(
    journal: Journal, path: str, rules: str, seats: Sequence[str] = (), checks: bool = False
) -> None:
    """Write a journal, whole or not at all. Raises `DataError`."""
    folder = os.path.dirname(os.path.abspath(path))
    shown = os.path.relpath(rules, folder)
    write_json(path, {**journal.plain(), "rules": shown, "seats": list(seats), "checks": checks})


def read_journal(path: str, rules: str | None = None) -> Saved:
    """Read a journal; ``rules`` is the game file to use instead of the one it names.

    Raises `DataError`.
    """
    text = read_text(path)
    journal = Journal.parse(text, path)
    data = json.loads(text)
    seats = data.get("seats")
    kinds = tuple(map(str, seats)) if isinstance(seats, list) else ()
    game_file = rules or _rules(path, data.get("rules"), journal.game)
    return Saved(journal, game_file, kinds, data.get("checks") is True)


def _rules(path: str, named: object, game: str) -> str:
    """Where the game file is: as the journal says, or under its name near the journal or here."""
    folder = Path(path).parent
    tried = [folder / named] if isinstance(named, str) and named else []
    tried += [
        base / f"{game}.yaml" for base in (folder, folder.parent / "games", Path(), Path("games"))
    ]
    found = next((each for each in tried if each.is_file()), None)
    if found is None:
        raise DataError(say.cannot_open(str(tried[0]), "the journal's game file is not there"))
    return os.path.relpath(found)


def game_of(saved: Saved, engine: Engine = "auto") -> Game:
    """The game of a journal. Raises `RulesetError`, `GameError`."""
    rules = ruleset.load(saved.rules)
    known = set(rules.option_names())
    options = {name: value for name, value in saved.journal.options.items() if name in known}
    return Game(rules, saved.journal.players, options, engine, checks=saved.checks)
