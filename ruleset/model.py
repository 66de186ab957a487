"""A checked game: what loading gives and the interpreter takes.

A `Ruleset` is one setting of a game's rulings and options. It is frozen; another setting is
another value, made by `Ruleset.configure`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleset.source import Source
from ruleset.statements import Statements
from ruleset.syntax import GameFile
from ruleset.types import Facts

if TYPE_CHECKING:
    from ruleset.bundle import Bundle
    from ruleset.rulings import Ruling


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """A game file without faults, with all that was found out about it."""

    file: GameFile
    facts: Facts
    statements: Statements | None
    rulings: Mapping[str, Ruling]
    readings: Mapping[str, str]
    """Each ruling to the reading in force; every ruling is named."""
    option_values: Mapping[str, str]
    """Each option of the table to its value as text, the default where nothing was said."""
    path: str
    sources: tuple[Source, ...]
    fingerprint: str
    """sha256 of the texts and the setting, in hex."""
    bundle: Bundle = field(repr=False)
    """The files as read, from which other settings are made."""

    def configure(self, options: Mapping[str, object]) -> Ruleset:
        """This game with other readings and option values; what is not named stays as it is.

        Raises `RulesetError` where a name is unknown, a value does not fit, or two readings
        exclude each other.
        """
        from ruleset.settings import rule_set  # the way from files to rulesets, which ends here

        return rule_set(self.bundle, {**self.readings, **options}, kept=self.option_values)

    def title(self, lang: str = "en") -> str:
        """The name of the game for people."""
        titles = self.file.titles
        return titles.get(lang) or titles.get("en") or next(iter(titles.values()), self.file.name)

    def label(self, path: str, lang: str = "en") -> str:
        """The words for the thing at a path; without any, the last part of the path."""
        words = self.file.labels.get(path, {})
        return words.get(lang) or words.get("en") or plain_words(path)

    def option_names(self) -> tuple[str, ...]:
        """All that can be set: the rulings, then the options of the table."""
        return (*self.rulings, *self.option_values)


def plain_words(path: str) -> str:
    """The last part of a path, with blanks: ``rules.play.choose.top_card`` is *top card*."""
    return path.rpartition(".")[2].replace("_", " ")
