"""Random play under all invariants; a fault comes back as the shortest game that shows it.

Takes rules and a seed; gives an account of the games and the findings. The same seed gives the same
games. A finding holds a journal that `replay` plays up to the fault.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from interpreter import ChanceOutcome, Game, Journal, JournalStep, Option, RulesFault, State
from playtest.laws import faults_at_end, faults_in_depth, faults_now
from ruleset import Ruleset
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.messages import scenario as say
from ruleset.rulings import setting_faults

GAMES_A_SETTING: Final = 10
"""So many games are played before other readings are drawn: lowering a game takes time."""
DEEP: Final = 40
"""One state in so many is looked at in depth, and one game in so many at its end."""
SHRINKING: Final = 300
SHRINKING_SECONDS: Final = 20.0


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


@dataclass(slots=True)
class Account:
    """What was played and what was found."""

    lengths: dict[int, list[int]] = field(default_factory=dict)
    """Number of players to the lengths of the games."""
    settings: int = 0
    findings: dict[tuple[str, str, str], Finding] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def games(self) -> int:
        """How many games were played."""
        return sum(map(len, self.lengths.values()))

    def plain(self) -> dict[str, Any]:
        """The account as plain data, without the findings."""
        return {
            "games": self.games,
            "settings": self.settings,
            "seconds": round(self.seconds, 2),
            "lengths": {
                str(players): {
                    "games": len(lengths),
                    "least": min(lengths),
                    "median": sorted(lengths)[len(lengths) // 2],
                    "most": max(lengths),
                }
                for players, lengths in sorted(self.lengths.items())
            },
        }


def fuzz(
    rules: Ruleset,
    games: int,
    players: int | None,
    seed: int,
    options: Mapping[str, str],
    random_options: bool,
    bound: int,
    progress: Callable[[int], None] | None = None,
) -> Account:
    """Play so many games. Raises `GameError` for a number of players that cannot be."""
    account = Account()
    generator = random.Random(seed)
    low, high = rules.file.min_players, rules.file.max_players
    counts = [players] if players is not None else list(range(low, high + 1))
    made: dict[int, Game] = {}
    started = time.monotonic()
    for number in range(games):
        if number % (GAMES_A_SETTING * len(counts)) == 0 and (random_options or not made):
            drawn = _draw(rules, options, generator) if random_options else dict(options)
            made = {}
            account.settings += 1
        count = counts[number % len(counts)]
        if count not in made:
            made[count] = Game(rules, count, drawn, checks=True)
        game_seed = generator.getrandbits(32)
        length, finding = play_one(made[count], game_seed, bound)
        account.lengths.setdefault(count, []).append(length)
        if finding is not None and finding.key not in account.findings:
            account.findings[finding.key] = _shortest(made[count], finding, bound)
        if progress is not None:
            progress(number + 1)
    account.seconds = time.monotonic() - started
    return account


def _draw(rules: Ruleset, fixed: Mapping[str, str], generator: random.Random) -> dict[str, str]:
    """Random readings; one that does not go with those drawn before it is left out."""
    drawn = dict(fixed)
    setting = {name: fixed.get(name, ruling.default) for name, ruling in rules.rulings.items()}
    names = [name for name in rules.rulings if name not in fixed]
    generator.shuffle(names)
    for name in names:
        reading = generator.choice(rules.rulings[name].names)
        report = Report()
        setting_faults(rules.rulings, {**setting, name: reading}, report)
        if report.ok:
            drawn[name] = setting[name] = reading
    return drawn


def play_one(game: Game, seed: int, bound: int) -> tuple[int, Finding | None]:
    """A random game: its length, and the first fault. The seed settles choices and chance."""
    generator = random.Random(seed)
    deep = generator.randrange(DEEP)
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
        option = _chosen(state, generator)
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
    last = JournalStep(option.player, option.text, _rolled(state.game))
    return replace(journal, steps=(*journal.steps, last), end="")


def _rolled(game: Game) -> tuple[ChanceOutcome, ...]:
    """What chance gave in a step that came to nothing."""
    names, chances = game.names, game.compiled.chances
    return tuple(
        ChanceOutcome(label, names.show(chances.get(label, "number"), member))
        for label, member in game.machine.rolled
    )


def _shortest(game: Game, finding: Finding, bound: int) -> Finding:
    """The shortest game with the same fault, of those that other seeds give within a while."""
    best = finding
    generator = random.Random(finding.seed)
    until = time.monotonic() + SHRINKING_SECONDS
    for _ in range(SHRINKING):
        if best.length <= 1 or time.monotonic() > until:
            break
        limit = min(bound, best.length)
        _, other = play_one(game, generator.getrandbits(32), limit)
        if other is not None and other.key == best.key and other.length < best.length:
            best = other
    return best
