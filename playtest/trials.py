"""One game under all invariants: played by somebody who chooses, up to the first fault.

Takes a game, a seed and a way to choose; gives the length and the finding, whose journal `replay`
plays up to the fault.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from interpreter import ChanceOutcome, Game, Journal, JournalStep, Option, RulesFault, State
from playtest.laws import faults_at_end, faults_in_depth, faults_now
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import scenario as say

DEEP: Final = 40
"""One state in so many is looked at in depth, and one game in so many at its end."""

Chooser = Callable[[State], Option | None]
"""Who makes the choices; None ends the game early."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault with the game that shows it. ``seed`` is that of the game's choices."""

    diagnostic: Diagnostic
    journal: Journal
    seed: int

    @property
    def key(self) -> tuple[str, str, str]:
        """Faults with the same key are one fault."""
        span = self.diagnostic.span
        place = f"{span.source.name}:{span.line}" if span else self.diagnostic.message
        return (self.diagnostic.code, self.diagnostic.within, place)

    @property
    def length(self) -> int:
        """How many choices the game has."""
        return len(self.journal.steps)


def play_one(game: Game, seed: int, bound: int) -> tuple[int, Finding | None]:
    """A random game: its length, and the first fault. The seed settles choices and chance."""
    generator = random.Random(seed)
    deep = generator.randrange(DEEP)
    return follow(game, seed, lambda state: _chosen(state, generator), bound, deep)


def follow(
    game: Game, seed: int, choose: Chooser, bound: int, deep: int = -1
) -> tuple[int, Finding | None]:
    """A game of somebody's choices: its length, and the first fault. One state in `DEEP` is looked
    at in depth, beginning with number ``deep``."""
    try:
        state = game.start(seed)
    except RulesFault as error:
        return 0, Finding(error.diagnostic, _nothing(game, seed), seed)
    for step in range(bound):
        found = next(_looked(state, seed, step % DEEP == deep), None)
        if found is not None:
            return step, Finding(found, state.journal(), seed)
        if state.over:
            return step, None
        option = choose(state)
        if option is None:
            return step, None
        try:
            state = state.apply(option)
        except RulesFault as error:
            return step + 1, Finding(error.diagnostic, _with_last(state, option), seed)
    return bound, Finding(say.no_end(bound), state.journal(), seed)


def _looked(state: State, seed: int, in_depth: bool) -> Iterator[Diagnostic]:
    yield from faults_now(state)
    if in_depth:
        yield from faults_in_depth(state, seed)
        if state.over:
            yield from faults_at_end(state)


def _chosen(state: State, generator: random.Random) -> Option:
    pending = state.pending
    decision = pending[generator.randrange(len(pending))] if len(pending) > 1 else pending[0]
    options = decision.options
    return options[generator.randrange(len(options))]


def _nothing(game: Game, seed: int) -> Journal:
    """A game that cannot even begin."""
    return Journal(
        game.name,
        game.fingerprint,
        game.players,
        game.options,
        seed,
        _rolled(game),
        (),
    )


def _with_last(state: State, option: Option) -> Journal:
    """The game with the choice that the rules could not carry out."""
    journal = state.journal()
    last = JournalStep(option.player, option.record, _rolled(state.game))
    return replace(journal, steps=(*journal.steps, last), end="")


def _rolled(game: Game) -> tuple[ChanceOutcome, ...]:
    """What chance gave in a step that came to nothing."""
    names, chances = game.names, game.compiled.chances
    return tuple(
        ChanceOutcome(label, names.show(chances.get(label, "number"), member))
        for label, member in game.machine.rolled
    )
