"""From a game that shows a fault to the shortest and plainest one that shows the same fault.

A game is taken as the places of its choices among what was offered; so any list of numbers is a
game, and choices can be dropped (by halves, quarters, one by one) or made the first ones offered.
The setting loses what the fault does not need.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from interpreter import Game, Option, State
from playtest.drawn_settings import smaller
from playtest.trials import Finding, follow, play_one
from ruleset import Ruleset
from ruleset.diagnostics.diagnostic import RulesetError

OTHER_SEEDS: Final = 40
SECONDS: Final = 12.0
"""For each of the two parts: the choices, the setting."""

Choices = tuple[tuple[int, int], ...]
"""For each choice: which of the pending decisions, which of its options."""


def shortest(
    rules: Ruleset,
    game: Game,
    finding: Finding,
    setting: Mapping[str, str],
    fixed: Mapping[str, str],
    bound: int,
) -> Finding:
    """A short game with the same fault. ``fixed`` is the part of the setting that stays."""
    best = _fewer_choices(game, _other_seeds(game, finding, bound), bound)
    until = time.monotonic() + SECONDS
    again = True
    while again:
        again = False
        for less in smaller(setting, fixed):
            if time.monotonic() > until:
                return best
            try:
                other_game = Game(rules, game.players, less, checks=True)
            except RulesetError:
                continue
            choices = _choices_of(game, best, bound)
            other = _played(other_game, best, choices, bound)
            if other is not None and other.length <= best.length:
                best, game, setting, again = other, other_game, less, True
                break
    return _fewer_choices(game, best, bound)


def _other_seeds(game: Game, finding: Finding, bound: int) -> Finding:
    """The shortest of some other random games with the same fault."""
    best = finding
    generator = random.Random(finding.seed)
    until = time.monotonic() + SECONDS / 2
    for _ in range(OTHER_SEEDS):
        if best.length <= 1 or time.monotonic() > until:
            break
        _, other = play_one(game, generator.getrandbits(32), min(bound, best.length))
        if other is not None and other.key == best.key and other.length < best.length:
            best = other
    return best


def _fewer_choices(game: Game, finding: Finding, bound: int) -> Finding:
    """The same fault with choices dropped and made plain."""
    best, choices = finding, _choices_of(game, finding, bound)
    until = time.monotonic() + SECONDS
    again = True
    while again and time.monotonic() < until:
        again = False
        for fewer in _simpler(choices):
            if time.monotonic() > until:
                break
            other = _played(game, best, fewer, bound)
            if other is None:
                continue
            found = _choices_of(game, other, bound)
            if (len(found), found) < (len(choices), choices):
                best, choices, again = other, found, True
                break
    return best


def _simpler(choices: Choices) -> Iterator[Choices]:
    """Games with fewer choices, then with plainer ones."""
    size = len(choices)
    while size:
        for k in range(0, len(choices), size):
            yield choices[:k] + choices[k + size :]
        size //= 2
    size = len(choices)
    while size:
        for k in range(0, len(choices), size):
            plain = ((0, 0),) * len(choices[k : k + size])
            if choices[k : k + size] != plain:
                yield choices[:k] + plain + choices[k + size :]
        size //= 2


def _played(game: Game, finding: Finding, choices: Choices, bound: int) -> Finding | None:
    """The same fault where these choices, and then the first ones offered, lead to it."""
    made = iter(choices)

    def choose(state: State) -> Option | None:
        pair = next(made, None)
        if pair is None:
            return None
        decision = state.pending[pair[0] % len(state.pending)]
        options = decision.options
        return options[pair[1] % len(options)] if len(options) else None

    deep = 0 if finding.diagnostic.code.startswith("RW9") else -1
    _, other = follow(game, finding.journal.seed, choose, min(bound, len(choices) + 1), deep)
    return other if other is not None and other.key == finding.key else None


def _choices_of(game: Game, finding: Finding, bound: int) -> Choices:
    """The places of a game's choices among what was offered."""
    found: list[tuple[int, int]] = []
    steps = finding.journal.steps
    texts: Sequence[tuple[int, str]] = [(step.player, step.option) for step in steps]

    def choose(state: State) -> Option | None:
        if len(found) >= len(texts):
            return None
        player, text = texts[len(found)]
        for p, decision in enumerate(state.pending):
            if decision.player != player:
                continue
            for o, option in enumerate(decision.options):
                if text in (option.record, option.text):
                    found.append((p, o))
                    return option
        return None

    follow(game, finding.journal.seed, choose, bound)
    return tuple(found)
