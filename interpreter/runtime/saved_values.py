"""The values of a save by the names of their members, and the way back.

Takes a game and the bytes of a state; gives plain data. A counter or mark of each member of a kind
is a mapping from member to value; that of each player, and what the engine keeps for itself, is a
list. Values are ids of members where they are members. So an edit that adds a member, or puts the
members in another order, changes nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter.ir.bitsets import members_of
from interpreter.ir.words import ALIVE, NUMBER_NONE, REVEALED, SET_OF, SIDE, WINNERS
from interpreter.runtime.content import member, range_of
from interpreter.runtime.errors import DataError
from ruleset.diagnostics.messages import play as say

if TYPE_CHECKING:
    from interpreter.lowering.compiled import Question
    from interpreter.runtime.game import Game


class SavedValues:
    """What the fields of a game's states are called."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._counters = {c.field: c for c in game.compiled.counters}
        self._answers: dict[str, Question] = {
            stage.answers: game.compiled.questions[name, k]
            for name, decision in game.compiled.program.decisions.items()
            for k, stage in enumerate(decision.stages)
            if stage.answers and (name, k) in game.compiled.questions
        }

    def kinds_of(self, field: str) -> tuple[str, str]:
        """The kind of a field's index, empty for a list, and the kind of its values."""
        counter = self._counters.get(field)
        if counter is not None:
            return ("" if counter.each == "player" else counter.each), counter.kind
        group = field.removesuffix(SIDE)
        if group in self._game.compiled.program.groups:
            return group, field
        if field.removesuffix(REVEALED) in self._game.compiled.program.groups:
            return "", SET_OF + field.removesuffix(REVEALED)
        return "", SET_OF + "player" if field in (WINNERS, ALIVE) else "number"

    # ------------------------------------------------------------------ to plain data

    def fields(self, data: bytes) -> dict[str, Any]:
        """The fields of numbers."""
        layout = self._game.machine.layout
        return {
            name: self._listed(name, field.n, partial(layout.value, data, name))
            for name, field in self._game.compiled.program.fields.items()
        }

    def sets(self, data: bytes) -> dict[str, Any]:
        """The fields of sets."""
        layout = self._game.machine.layout
        return {
            name: self._listed(name, field.n, partial(layout.set_value, data, name))
            for name, field in self._game.compiled.program.set_fields.items()
        }

    def _listed(self, field: str, n: int, read: Callable[[int], int]) -> Any:
        index, kind = self.kinds_of(field)
        values = [self._plain(field, kind, read(i)) for i in range(n)]
        if not index or self._game.names.kind(index) is None:
            return values
        return {self._game.names.show(index, i): value for i, value in enumerate(values)}

    def _plain(self, field: str, kind: str, value: int) -> Any:
        names = self._game.names
        question = self._answers.get(field)
        if question is not None:
            return None if value < 0 else self._answer(question, value)
        if kind.startswith(SET_OF):
            known = names.kind(kind.removeprefix(SET_OF))
            return names.members(kind, value) if known is not None else members_of(value)
        if names.kind(kind) is None:
            return value if kind == "flag" or value != NUMBER_NONE else None
        return names.show(kind, value) if value >= 0 else None

    def _answer(self, question: Question, candidate: int) -> list[str]:
        part = range_of(question, candidate)
        if not part.param:
            return [part.action]
        return [part.action, self._game.names.show(part.kind, member(part, candidate))]

    # ------------------------------------------------------------------ and back

    def read(self, field: str, values: object) -> list[tuple[int, int]]:
        """The numbers of a saved field with their places. Raises `DataError`."""
        index, kind = self.kinds_of(field)
        if isinstance(values, Mapping) and index:
            pairs = [(self._member(index, key), value) for key, value in values.items()]
        elif isinstance(values, list):
            pairs = list(enumerate(values))
        else:
            wanted = f"the values of each {index}" if index else "a list"
            raise DataError(say.wrong_entry(field, wanted, values))
        return [(i, self._number(field, kind, value)) for i, value in pairs]

    def _number(self, field: str, kind: str, value: Any) -> int:
        question = self._answers.get(field)
        if question is not None:
            return -1 if value is None else self._candidate(field, question, value)
        if kind.startswith(SET_OF):
            if not isinstance(value, list):
                raise DataError(say.wrong_entry(field, "a list", value))
            inner = kind.removeprefix(SET_OF)
            if self._game.names.kind(inner) is not None:
                return sum(1 << self._member(inner, name) for name in set(value))
            return sum(1 << self._small(field, number) for number in set(value))
        if self._game.names.kind(kind) is not None:
            return -1 if value is None else self._member(kind, value)
        if value is None:
            return NUMBER_NONE
        if not isinstance(value, int):
            raise DataError(say.wrong_entry(field, "a whole number", value))
        return int(value)

    def _small(self, field: str, number: object) -> int:
        """A number in a set of numbers."""
        most = self._game.compiled.program.set_bits - 1
        if not isinstance(number, int) or not 0 <= number <= most:
            raise DataError(say.wrong_entry(field, f"numbers from 0 to {most}", number))
        return number

    def _member(self, kind: str, name: object) -> int:
        found = self._game.names.index(kind, name) if isinstance(name, str) else None
        if found is None:
            close = self._game.names.nearest(kind, str(name))
            hint = f"did you mean `{close}`?" if close else "it was saved under other rules"
            raise DataError(say.save_misfit(f"there is no {kind} `{name}`", hint))
        return found

    def _candidate(self, field: str, question: Question, value: object) -> int:
        match value:
            case [str(action)] | [str(action), str()]:
                name = value[1] if len(value) > 1 else ""
            case _:
                raise DataError(say.wrong_entry(field, "an action and its member", value))
        for part in question.ranges:
            if part.action != action or bool(part.param) != bool(name):
                continue
            if not part.param:
                return part.low
            numbers = self._game.names.alike(part.kind, name)
            if numbers:
                return numbers[0] - part.first + part.low
        raise DataError(say.save_misfit(f"`{question.path}` has no answer `{action} {name}`"))

    # ------------------------------------------------------------------ the numbering

    def numbering(self) -> dict[str, str]:
        """A digest of the members of each kind: what is under way names them by number."""
        return {
            name: f"{zlib.crc32(' '.join(kind.ids).encode()):08x}"
            for name, kind in self._game.compiled.kinds.items()
        }

    def check_numbering(self, saved: Mapping[str, Any], rules: list[str]) -> None:
        """Raises `DataError` where rules are under way and some kind has other members now."""
        now = self.numbering()
        changed = [name for name, digest in saved.items() if now.get(name) != digest]
        if changed and rules:
            shown = ", ".join(f"`{name}`" for name in changed)
            raise DataError(
                say.save_misfit(
                    f"the members of {shown} have changed, and `{rules[-1]}` is under way, "
                    "which may be about one of them",
                    "undo that edit, or save the game where nothing is under way",
                )
            )
