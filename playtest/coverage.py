"""Which statements, examples, questions and readings the scenarios speak of.

Takes outcomes; gives the coverage of each document, and faults for ids that a document lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from playtest.scenarios import Outcome
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import scenario as say
from ruleset.model import Ruleset
from ruleset.statements import IN_PLAY, Statements

DERIVED: Final = re.compile(r"-D\d+$")
"""Ids of derived facts end so."""
EXAMPLE_KIND: Final = "X"
"""The kind of the document's own examples."""
EXAMPLE: Final = "WE-"
"""Ids of worked examples begin so; they may be named freely."""


@dataclass(slots=True)
class Coverage:
    """What the scenarios of one game speak of."""

    game: str
    rules: Ruleset
    scenarios: int = 0
    ids: set[str] = field(default_factory=set)
    readings: set[tuple[str, str]] = field(default_factory=set)

    @property
    def statements(self) -> Statements | None:
        """The game's document."""
        return self.rules.statements

    @property
    def is_variant(self) -> bool:
        """Whether the game changes another one, whose scenarios speak of the document."""
        return self.rules.bundle.inherited is not None

    def wanted(self) -> list[str]:
        """Ids of the statements that a scenario should speak of: all but those that only inform."""
        return self._of_kinds(*IN_PLAY, EXAMPLE_KIND)

    def derived(self) -> list[str]:
        """Ids of the facts that were derived from the document's sentences."""
        return self._of_kinds(*IN_PLAY, derived=True)

    def _of_kinds(self, *kinds: str, derived: bool = False) -> list[str]:
        document = self.statements
        known = document.statements.values() if document is not None else ()
        return [
            statement.id
            for statement in known
            if statement.kind in kinds and bool(DERIVED.search(statement.id)) == derived
        ]

    def covered(self) -> list[str]:
        """Those of them that one does speak of."""
        return [id_ for id_ in self.wanted() if id_ in self.ids]

    def missing(self) -> list[str]:
        """Those that none does."""
        return [id_ for id_ in self.wanted() if id_ not in self.ids]

    def information(self) -> list[str]:
        """Statements that only inform."""
        return self._of_kinds("I")

    def examples(self) -> list[str]:
        """Worked examples that are played."""
        return sorted(id_ for id_ in self.ids if id_.startswith(EXAMPLE))

    def questions(self) -> tuple[list[str], list[str]]:
        """Questions that scenarios answer, and the others."""
        document = self.statements
        known = list(document.questions) if document is not None else []
        return [q for q in known if q in self.ids], [q for q in known if q not in self.ids]

    def all_readings(self) -> list[tuple[str, str]]:
        """Every reading of every ruling; the default counts, too."""
        return [
            (name, reading)
            for name, ruling in self.rules.rulings.items()
            for reading in ruling.names
        ]

    def plain(self) -> dict[str, Any]:
        """The coverage as plain data."""
        answered, open_ = self.questions()
        return {
            "game": self.game,
            "document": self.statements.title if self.statements else None,
            "scenarios": self.scenarios,
            "statements": {
                "wanted": len(self.wanted()),
                "covered": self.covered(),
                "missing": self.missing(),
                "information": self.information(),
            },
            "derived": {
                "all": len(self.derived()),
                "covered": [id_ for id_ in self.derived() if id_ in self.ids],
            },
            "examples": self.examples(),
            "questions": {"covered": answered, "missing": open_},
            "readings": {
                "all": len(self.all_readings()),
                "played": [f"{a}={b}" for a, b in sorted(self.readings)],
                "missing": [
                    f"{a}={b}" for a, b in self.all_readings() if (a, b) not in self.readings
                ],
            },
        }


def coverage_of(outcomes: Iterable[Outcome]) -> list[Coverage]:
    """The coverage of each game, in the order of the scenarios."""
    found: dict[str, Coverage] = {}
    for outcome in outcomes:
        if outcome.rules is None:
            continue
        game = outcome.rules.file.name
        entry = found.setdefault(game, Coverage(game, outcome.rules))
        entry.scenarios += 1
        if outcome.ok:
            entry.ids.update(word.text for word in outcome.scenario.covers)
            entry.readings.update(outcome.readings.items())
    return list(found.values())


def unknown_ids(outcome: Outcome) -> list[Diagnostic]:
    """Ids under ``covers`` that the game's document does not have."""
    if outcome.rules is None:
        return []
    document = outcome.rules.statements
    known: list[str] = []
    if document is not None:
        known = [*document.statements, *document.assumptions, *document.questions]
    return [
        say.unknown_id(word.span, word.text, known, document.title if document else "")
        for word in outcome.scenario.covers
        if word.text not in known and not word.text.startswith(EXAMPLE)
    ]
