"""Who has won, and how: read from a state in which the game is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.ir.bitsets import members_of
from interpreter.ir.words import ENDINGS, Ended

if TYPE_CHECKING:
    from interpreter.runtime.game import Game


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended. Players count from 1.

    ``ended``: what the rules said (``won``, ``lost``, ``drawn``), or ``score``. ``ranking``: groups
    of players from the best on; players of one group share their place. ``scores``: counter to
    player to value, for the counters that decide. ``winners`` is empty where nobody has won.
    """

    ended: Ended
    winners: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    scores: dict[str, dict[int, int]]

    def plain(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "ended": self.ended,
            "winners": list(self.winners),
            "ranking": [list(group) for group in self.ranking],
            "scores": {
                name: {str(player): value for player, value in values.items()}
                for name, values in self.scores.items()
            },
        }


def result_of(game: Game, data: bytes) -> GameResult:
    """The result of a state in which the game is over."""
    info = game.compiled.result
    layout = game.machine.layout
    everybody = tuple(range(1, game.players + 1))
    fields = {counter.name: counter.field for counter in game.compiled.counters}
    scores = {
        name: {player: layout.value(data, fields[name], player - 1) for player in everybody}
        for name in (*info.most, *info.least)
    }
    ended = ENDINGS[layout.value(data, info.ending)] if info.ending in layout.fields else "score"
    if ended == "won":
        winners = tuple(player + 1 for player in members_of(layout.set_value(data, info.winners)))
        others = tuple(player for player in everybody if player not in winners)
        return GameResult(ended, winners, _places(winners, others), scores)
    if ended != "score" or info.by_stop:
        how: Ended = "drawn" if ended == "score" else ended
        return GameResult(how, (), (everybody,), scores)
    return _by_score(game, data, scores)


def _by_score(game: Game, data: bytes, scores: dict[str, dict[int, int]]) -> GameResult:
    """Most of the first counter, then of the next; equal players share their place."""
    info = game.compiled.result
    layout = game.machine.layout
    alive = (1 << game.players) - 1
    if info.alive in layout.set_fields:
        alive = layout.set_value(data, info.alive)
    groups: dict[tuple[int, ...], list[int]] = {}
    for player in range(1, game.players + 1):
        key: tuple[int, ...] = (int(not alive >> (player - 1) & 1),)
        key += tuple(-scores[name][player] for name in info.most)
        key += tuple(scores[name][player] for name in info.least)
        groups.setdefault(key, []).append(player)
    ranking = tuple(tuple(groups[key]) for key in sorted(groups))
    if game.players == 1 and info.solo:
        won = game.machine.evaluate(data, info.solo, ()) != 0
        return GameResult("won" if won else "lost", (1,) if won else (), ranking, scores)
    winners = ranking[0] if info.most or info.least else ()
    return GameResult("score", winners, ranking, scores)


def _places(*groups: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(group for group in groups if group)
