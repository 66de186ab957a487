"""Checks of a game as a whole, on a file whose names and types are known."""

from __future__ import annotations

from ruleset.diagnostics.diagnostic import Report
from ruleset.syntax import GameFile
from ruleset.types import Facts


def check_game(file: GameFile, facts: Facts, report: Report) -> None:
    """Report what no single record shows."""
