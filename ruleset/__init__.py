"""The language of games: text -> a checked `Ruleset`, or diagnostics.

``load`` gives a ruleset or raises; ``check`` tells everything that is wrong and never raises for
what a file says. What they need is imported when they are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ruleset.diagnostics.diagnostic import Diagnostic, Report, RulesetError

if TYPE_CHECKING:
    from os import PathLike

    from ruleset.model import Ruleset

__all__ = ["Diagnostic", "Report", "Ruleset", "RulesetError", "check", "load"]


def load(path: str | PathLike[str], options: Mapping[str, object] | None = None) -> Ruleset:
    """The game at a path, with readings and option values where the defaults are not meant.

    Raises `RulesetError`, which carries the diagnostics, where the files or the options have
    faults.
    """
    from ruleset.settings import load_path

    return load_path(str(path), options or {})


def check(path: str | PathLike[str]) -> Report:
    """All faults of a game, its rulings and its document; a rulings file stands for its game."""
    from ruleset.check_cache import recall

    known = recall(str(path))
    if known is not None:
        return known
    from ruleset.settings import check_path

    return check_path(str(path), keep=True)


def __getattr__(name: str) -> Any:
    if name == "Ruleset":
        from ruleset.model import Ruleset

        return Ruleset
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
