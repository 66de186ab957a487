"""A journal: all that is needed to play a game again, as plain data.

It holds the choices as text and what chance gave by name, so that it depends neither on the
generator nor on any numbering inside a program.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from interpreter.runtime.content import content
from interpreter.runtime.errors import DataError
from interpreter.runtime.files import Shape, parse_json, read_text, write_json
from interpreter.runtime.history import Beginning, Rolled, Step, steps_of
from ruleset.diagnostics.messages import play as say

if TYPE_CHECKING:
    from interpreter.runtime.game import Game
    from interpreter.runtime.state import State

FORMAT: Final = "rulewright journal"
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """What chance gave: the label of the event and the member by name."""

    label: str
    member: str


@dataclass(frozen=True, slots=True)
class JournalStep:
    """One answer of a player (from 1), or with ``effects`` something done from outside."""

    player: int
    option: str
    chance: tuple[ChanceOutcome, ...] = ()
    effects: str = ""


@dataclass(frozen=True, slots=True)
class Journal:
    """A game as it was played. ``end`` is a digest of the last state's bytes, or empty.

    ``waits``: chance is asked for one outcome more in the last step (or in the set-up).
    """

    game: str
    fingerprint: str
    players: int
    options: Mapping[str, str]
    seed: int
    chance: tuple[ChanceOutcome, ...]
    steps: tuple[JournalStep, ...]
    end: str = ""
    waits: bool = False

    def cut(self, steps: int) -> Journal:
        """The game up to a step."""
        waits = self.waits and steps >= len(self.steps)
        return replace(self, steps=self.steps[:steps], end="", waits=waits)

    def plain(self) -> dict[str, Any]:
        """The journal as plain data."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "fingerprint": self.fingerprint,
            "players": self.players,
            "options": dict(self.options),
            "seed": self.seed,
            "chance": _plain_chance(self.chance),
            "steps": [_plain_step(step) for step in self.steps],
            "end": self.end,
            **({"waits": "chance"} if self.waits else {}),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, whole or not at all. Raises `DataError`."""
        write_json(path, self.plain())

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Journal:
        """Read it from a file. Raises `DataError`, whose diagnostic says what is wrong."""
        return cls.parse(read_text(path), os.fspath(path))

    @classmethod
    def parse(cls, text: str, name: str = "journal") -> Journal:
        """Read it from a text. Raises `DataError`."""
        shape = Shape(parse_json(text, name, FORMAT, VERSION), "")
        options = shape.mapping("options")
        for key, value in options.items():
            if not isinstance(value, str):
                raise DataError(say.wrong_entry(f"options.{key}", "a text", value))
        return cls(
            shape.text("game"),
            shape.text("fingerprint"),
            shape.number("players"),
            options,
            shape.number("seed"),
            _chance(shape.items("chance"), "chance"),
            tuple(_step(item, f"steps[{k + 1}]") for k, item in enumerate(shape.items("steps"))),
            shape.text("end") if shape.has("end") else "",
            shape.has("waits") and shape.text("waits") == "chance",
        )


def _plain_chance(chance: tuple[ChanceOutcome, ...]) -> list[list[str]]:
    return [[outcome.label, outcome.member] for outcome in chance]


def _plain_step(step: JournalStep) -> dict[str, Any]:
    data: dict[str, Any] = {"player": step.player, "option": step.option}
    if step.effects:
        data = {"effects": step.effects}
    if step.chance:
        data["chance"] = _plain_chance(step.chance)
    return data


def _chance(items: list[Any], where: str) -> tuple[ChanceOutcome, ...]:
    found = []
    for k, item in enumerate(items):
        match item:
            case [str(label), str(member)]:
                found.append(ChanceOutcome(label, member))
            case _:
                wanted = "a list of a label and a member"
                raise DataError(say.wrong_entry(f"{where}[{k + 1}]", wanted, item))
    return tuple(found)


def _step(item: object, where: str) -> JournalStep:
    shape = Shape(item, where)
    chance = _chance(shape.items("chance"), f"{where}.chance") if shape.has("chance") else ()
    if shape.has("effects"):
        return JournalStep(0, "", chance, shape.text("effects"))
    return JournalStep(shape.number("player"), shape.text("option"), chance)


def digest(data: bytes) -> str:
    """What a journal keeps of the last state."""
    return sha256(data).hexdigest()[:32]


def journal_of(state: State) -> Journal:
    """The journal of the game that led to a state, whose past is known."""
    game = state.game
    assert state.past is not None
    start, steps = steps_of(state.past)
    return Journal(
        game.name,
        game.fingerprint,
        game.players,
        game.options,
        start.seed,
        _named(game, start.rolled),
        (*(_named_step(game, step) for step in steps), *_waiting_step(state)),
        digest(state.to_bytes()),
        state.waiting is not None,
    )


def _waiting_step(state: State) -> tuple[JournalStep, ...]:
    """The answer that has begun a step in which chance is asked; in the set-up there is none."""
    waiting, game = state.waiting, state.game
    if waiting is None or waiting.player < 0:
        return ()
    rolled = game.machine.apply(
        state.data, waiting.player, waiting.candidate, waiting.outcomes
    ).rolled
    step = Step(Beginning(0, ()), state.data, waiting.player, waiting.candidate, rolled)
    return (_named_step(game, step),)


def _named_step(game: Game, step: Step) -> JournalStep:
    chance = _named(game, step.rolled)
    if step.effects:
        return JournalStep(0, "", chance, step.effects)
    question = game.compiled.questions[game.machine.decision(step.before, step.player)]
    arguments = game.machine.arguments(step.before, step.player)
    text = content(game.compiled, question, step.candidate, arguments).text(game.names)
    return JournalStep(step.player + 1, text, chance)


def _named(game: Game, rolled: Rolled) -> tuple[ChanceOutcome, ...]:
    return tuple(
        ChanceOutcome(label, game.names.show(_kind(game, label), member))
        for label, member in rolled
    )


def _kind(game: Game, label: str) -> str:
    return game.compiled.chances.get(label, "number")


def member_number(game: Game, outcome: ChanceOutcome) -> int | None:
    """The number of a member that chance gave, or None where the game does not have it."""
    kind = _kind(game, outcome.label)
    if game.names.kind(kind) is not None:
        return game.names.index(kind, outcome.member)
    found = game.names.alike(kind, outcome.member)
    return found[0] if found else None
