"""What a state at a chance event waits for, and what chance can give there."""

from __future__ import annotations

import struct
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from interpreter.ir.bitsets import members_of
from interpreter.ir.words import SET_OF, SIDE
from interpreter.runtime.errors import IllegalOption

if TYPE_CHECKING:
    from interpreter.runtime.game import Game
    from interpreter.runtime.state import State

HEAD: Final = struct.Struct("<iiI")
"""Player, answer and number of outcomes, as they follow the bytes of the state before the step."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A step that has begun: who answered (from 0; -1: the set-up), the answer, the outcomes so
    far, and the event that comes next with its members as a set."""

    player: int
    candidate: int
    outcomes: tuple[int, ...]
    label: str
    members: int

    def to_bytes(self) -> bytes:
        """What follows the bytes of the state before the step."""
        head = HEAD.pack(self.player, self.candidate, len(self.outcomes))
        return head + struct.pack(f"<{len(self.outcomes)}i", *self.outcomes)

    def plain(self) -> dict[str, Any]:
        """The same for a save."""
        return {
            "player": self.player + 1,
            "candidate": self.candidate,
            "outcomes": list(self.outcomes),
        }


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


def chance_of(state: State) -> Chance | None:
    """The event that a state waits for, with its outcomes; alike pieces are one outcome."""
    waiting = state.waiting
    if waiting is None:
        return None
    game = state.game
    kind = game.compiled.chances.get(waiting.label, "number")
    alike: dict[Hashable, list[int]] = {}
    for member in members_of(waiting.members):
        alike.setdefault(_looks(game, state, kind, member), []).append(member)
    total = waiting.members.bit_count()
    outcomes = tuple(_outcome(game, kind, same, total) for same in alike.values())
    return Chance(waiting.label, kind, outcomes)


def _outcome(game: Game, kind: str, same: list[int], total: int) -> Outcome:
    text = game.names.show(kind, same[0])
    if len(same) > 1:
        text = text.partition("#")[0]
    return Outcome(text, Fraction(len(same), total), same[0], tuple(same), kind, game)


def _looks(game: Game, state: State, kind: str, member: int) -> Hashable:
    """All that makes a difference between pieces of a kind; other members are all different."""
    group = game.compiled.program.groups.get(kind)
    if group is None:
        return member
    layout, data = game.machine.layout, state.data
    values = [
        (layout.set_value if c.kind.startswith(SET_OF) else layout.value)(data, c.field, member)
        for c in game.compiled.counters
        if c.each == kind
    ]
    named = any(
        c.kind.removeprefix(SET_OF) == kind and _names(game, state, c.field, c.kind, member)
        for c in game.compiled.counters
    )
    side = kind + SIDE
    turned = layout.value(data, side, member) if side in layout.fields else 0
    shown = game.visibility.shown_to(layout, data, kind, member)
    return (group.alike[member], turned, shown, tuple(values), member if named else -1)


def _names(game: Game, state: State, field: str, kind: str, member: int) -> bool:
    """Whether a mark names the piece."""
    layout, program = game.machine.layout, game.compiled.program
    if kind.startswith(SET_OF):
        n = program.set_fields[field].n
        return any(layout.set_value(state.data, field, i) >> member & 1 for i in range(n))
    return any(layout.value(state.data, field, i) == member for i in range(program.fields[field].n))


def outcome_of(state: State, text: str) -> Outcome:
    """The outcome with this text, or with the id of one of its members. Raises `IllegalOption`."""
    chance = chance_of(state)
    assert chance is not None
    for outcome in chance.outcomes:
        ids = [state.game.names.show(chance.kind, member) for member in outcome.members]
        if text.strip() in (outcome.text, *ids):
            return outcome
    possible = ", ".join(f"`{outcome.text}`" for outcome in chance.outcomes[:9])
    raise IllegalOption(f"chance is asked for `{chance.label}`: expected one of {possible}")
