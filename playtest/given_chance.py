"""Chance as a scenario tells it: the first outcomes by name, the others from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from interpreter import ChanceMissing, Game, GameError, Option, State
from playtest.scenario_files import Word
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import scenario as say


class RollFault(GameError):  # noqa: N818 - carries a fault of the scenario
    """An outcome that chance cannot give."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Rolls:
    """The outcomes that are told, in order, as they are used up."""

    def __init__(self, game: Game, rolls: Sequence[Word], seed: int) -> None:
        self._game = game
        self._left = list(rolls)
        self._given = bool(rolls)
        self._generator = random.Random(seed)

    def left_over(self) -> Word | None:
        """The first outcome that nothing asked for."""
        return self._left[0] if self._left else None

    def step(self, state: State, option: Option) -> State:
        """The state after an answer. Raises `RollFault`, and `RulesFault` as the engine does."""
        if not self._given:
            return state.apply(option)
        outcomes: list[int] = []
        while True:
            try:
                return self._game.step(state, option.player - 1, option.candidate, outcomes)
            except ChanceMissing as missing:
                outcomes.append(self._next(missing.label, missing.members))

    def _next(self, label: str, members: int) -> int:
        possible = [k for k in range(members.bit_length()) if members >> k & 1]
        if not self._left:
            return self._generator.choice(possible)
        word = self._left.pop(0)
        names = self._game.names
        kind = self._game.compiled.chances.get(label, "number")
        for member in names.alike(kind, word.text):
            if member in possible:
                return member
        shown = [names.show(kind, member) for member in possible]
        raise RollFault(say.impossible_roll(word.span, word.text, label, shown))
