"""What the faces of a game raise. Each message says what was wrong and what is possible instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.runtime.why import Why
    from ruleset.diagnostics.diagnostic import Diagnostic


class GameError(ValueError):
    """A call that cannot be answered: a wrong number of players, a past that is not known."""


class IllegalOption(GameError):  # noqa: N818 - what was tried, for those who catch it
    """An option that is not possible in this state; nothing has changed.

    ``why`` holds the reasons one by one.
    """

    def __init__(self, message: str, why: Why | None = None) -> None:
        super().__init__(message)
        self.why = why


class RulesFault(GameError):  # noqa: N818 - it is the rules' fault, not an error of the caller
    """The rules cannot go on from here; the state before is as it was.

    ``diagnostic`` names the line of the game file; ``line`` is that of a text from outside (see
    `Game.perform`), from 1, or 0.
    """

    def __init__(self, diagnostic: Diagnostic, line: int = 0) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.line = line

    def __str__(self) -> str:
        span = self.diagnostic.span
        place = f"{span}: " if span else ""
        return "\n".join((f"{place}{self.diagnostic.message}", *self.diagnostic.helps))


class DataError(GameError):
    """A journal, a save or bytes that do not fit; ``diagnostic`` says where and how."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__("\n".join((diagnostic.message, *diagnostic.notes, *diagnostic.helps)))
        self.diagnostic = diagnostic
