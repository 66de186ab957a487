"""What a state at a chance event waits for, and what chance can give there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.runtime.game import Game


@dataclass(frozen=True, slots=True)
class Waiting:
    """A step that has begun: who answered (from 0; -1: the set-up), the answer, the outcomes so
    far, and the event that comes next with its members as a set."""

    player: int
    candidate: int
    outcomes: tuple[int, ...]
    label: str
    members: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One thing that chance can give: its text, its exact probability, the member it stands for.

    ``members``: all that are alike; the first stands for them.
    """

    text: str
    probability: Fraction
    member: int
    members: tuple[int, ...]
    kind: str = field(repr=False)
    game: Game = field(repr=False, compare=False)

    def label(self, lang: str = "en") -> str:
        """The outcome in the words of the file."""
        return self.game.names.label(self.kind, self.member, lang)


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance event: its label, the kind of its members, its outcomes; they sum to 1."""

    label: str
    kind: str
    outcomes: Sequence[Outcome]
