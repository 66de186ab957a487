"""Random play under all invariants; a fault comes back as the shortest game that shows it.

Takes rules and a seed; gives an account of the games and the findings. The same seed gives the same
games. A finding holds a journal that `replay` plays up to the fault.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from interpreter import Engine, Game
from playtest.drawn_settings import drawn
from playtest.shrinking import shortest
from playtest.trials import Finding, play_one
from ruleset import Ruleset

GAMES_A_SETTING: Final = 10
"""So many games are played before other readings are drawn: lowering a game takes time."""


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
                if lengths
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
    engine: Engine = "auto",
    account: Account | None = None,
) -> Account:
    """Play so many games, adding each to the account. An interrupt may leave at any time.

    Raises `GameError` for a number of players that cannot be.
    """
    account = Account() if account is None else account
    generator = random.Random(seed)
    low, high = rules.file.min_players, rules.file.max_players
    counts = [players] if players is not None else list(range(low, high + 1))
    made: dict[int, Game] = {}
    started = time.monotonic()
    try:
        for number in range(games):
            if number % (GAMES_A_SETTING * len(counts)) == 0 and (random_options or not made):
                setting = drawn(rules, options, generator) if random_options else dict(options)
                made = {}
                account.settings += 1
            count = counts[number % len(counts)]
            if count not in made:
                made[count] = Game(rules, count, setting, engine, checks=True)
            game_seed = generator.getrandbits(32)
            length, finding = play_one(made[count], game_seed, bound)
            account.lengths.setdefault(count, []).append(length)
            if finding is not None and finding.key not in account.findings:
                account.findings[finding.key] = finding
                account.findings[finding.key] = shortest(
                    rules, made[count], finding, setting, options, bound
                )
            if progress is not None:
                progress(number + 1)
    finally:
        account.seconds = time.monotonic() - started
    return account
