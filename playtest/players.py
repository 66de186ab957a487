"""Programs that choose: at random, the first option, the best next score, or by search.

Takes a state and the number of the player who is asked (from 1); gives an option. A program knows
what its player may know: what is hidden is drawn anew before it looks ahead.
"""

from __future__ import annotations

import math
import random
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from interpreter import Game, GameError, Option, State, scrambled
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault, MachineError

AHEAD: Final = 150
"""So many choices a game is played on at random before it is judged by its score."""
EXPLORE: Final = 0.7
REMEMBERED: Final = 16
"""In games of up to so many choices the past is weighed when something hidden is guessed."""
WIDEST: Final = 60
"""Of more options than this the one-step player looks at so many, drawn at random."""


class Player(Protocol):
    """Somebody who chooses."""

    def choose(self, state: State, player: int) -> Option:
        """An option of a player who is asked."""


def options_of(state: State, player: int) -> list[Option]:
    """What a player can choose now."""
    return list(next(d for d in state.pending if d.player == player).options)


@dataclass(slots=True)
class RandomPlayer:
    """Any option, all alike likely."""

    generator: random.Random

    def choose(self, state: State, player: int) -> Option:
        """An option by chance."""
        return self.generator.choice(options_of(state, player))


@dataclass(slots=True)
class FirstPlayer:
    """Always the first option."""

    def choose(self, state: State, player: int) -> Option:
        """The first option."""
        return options_of(state, player)[0]


@dataclass(slots=True)
class GreedyPlayer:
    """The option after which the own standing is best, looking one choice ahead."""

    generator: random.Random

    def choose(self, state: State, player: int) -> Option:
        """The best next standing; by chance among those that are equal."""
        options = options_of(state, player)
        self.generator.shuffle(options)
        if len(options) == 1:
            return options[0]
        guess = _guess(state, player, self.generator)
        best, chosen = -math.inf, options[0]
        for option in options[:WIDEST]:
            try:
                value = standing(guess.apply(option.text, player), player)
            except GameError:  # a guess need not be a state that play can reach
                continue
            if value > best:
                best, chosen = value, option
        return chosen


def standing(state: State, player: int) -> float:
    """How a game stands for a player: a win or loss counts most, then the lead in each score."""
    game = state.game
    result = state.result
    value = 0.0
    if result is not None:
        won = player in result.winners
        value = 1e12 if won else -1e12 if result.winners or result.ended == "lost" else 0.0
    weight = 1e6
    for name, sign in _scores(game):
        values = [_counter(state, name, k) for k in range(game.players)]
        own = values.pop(player - 1)
        lead = own - (max(values, default=0) if sign > 0 else min(values, default=0))
        value += sign * weight * (own + lead / 2)
        weight /= 1e3
    return value


def _scores(game: Game) -> list[tuple[str, int]]:
    """The counters that decide, and whether more of them is better."""
    info = game.compiled.result
    return [(name, 1) for name in info.most] + [(name, -1) for name in info.least]


def _counter(state: State, name: str, player: int) -> int:
    field_ = next(c.field for c in state.game.compiled.counters if c.name == name)
    return state.game.machine.layout.value(state.data, field_, player)


@dataclass(slots=True)
class _Node:
    """What is known of one choice in the search."""

    visits: int = 0
    total: float = 0.0
    seen: int = 0
    """How often the choice was possible."""
    children: dict[tuple[int, int], _Node] = field(default_factory=dict)


@dataclass(slots=True)
class SearchPlayer:
    """Plays many games on at random and follows what came out best (UCT).

    Each game begins with what is hidden drawn anew; a choice is known by its place among the
    candidates, whatever lies beneath.
    """

    generator: random.Random
    playouts: int

    def choose(self, state: State, player: int) -> Option:
        """The option that was tried most."""
        options = options_of(state, player)
        if len(options) == 1:
            return options[0]
        # states are stepped as numbers here, in machine code as soon as there is some
        machine = state.game.native_now() or state.game.machine
        known = machine.admit(state.data)
        root = _Node()
        for _ in range(self.playouts):
            with suppress(Fault, MachineError):  # a guess need not be a state that play can reach
                if state.game.visibility.open:  # all but what chance will bring
                    data = machine.reseeded(known, self.generator.getrandbits(64))
                else:
                    data = machine.admit(_guess(state, player, self.generator).data)
                self._play(state.game, machine, data, root, player)
        found: dict[int, int] = {k[1]: v.visits for k, v in root.children.items() if k[0] == player}
        return max(options, key=lambda option: found.get(option.candidate, 0))

    def _play(self, game: Game, machine: Machine, data: bytes, node: _Node, player: int) -> None:
        """One game: down the tree, one new choice, then by chance; what came of it goes up."""
        path = [(node, player)]
        growing = True
        for _ in range(AHEAD):
            mask = machine.pending(data)
            if not mask:
                break
            if not growing:
                data = machine.finish(data, self.generator.getrandbits(31), AHEAD)
                break
            asked = player if mask >> (player - 1) & 1 else (mask & -mask).bit_length()
            options = machine.options(data, asked - 1)
            if not options:
                break
            candidate, node, growing = self._next(node, asked, options)
            path.append((node, asked))
            outcome = machine.apply(data, asked - 1, candidate)
            if outcome.fault is not None:
                break
            data = outcome.state
        rewards = _rewards(State(game, data))
        path[0][0].visits += 1
        for passed, whose in path[1:]:
            passed.visits += 1
            passed.total += rewards[whose - 1]

    def _next(self, node: _Node, asked: int, options: int) -> tuple[int, _Node, bool]:
        """Which choice the search follows, and whether it is known already."""
        known: list[tuple[float, int, _Node]] = []
        new: list[int] = []
        rest = options
        while rest:
            low = rest & -rest
            rest ^= low
            candidate = low.bit_length() - 1
            child = node.children.get((asked, candidate))
            if child is None or not child.visits:  # none has come to an end yet
                new.append(candidate)
                continue
            child.seen += 1
            explore = EXPLORE * math.sqrt(math.log(child.seen + 1) / child.visits)
            known.append((child.total / child.visits + explore, candidate, child))
        if new:
            candidate = self.generator.choice(new)
            child = node.children.setdefault((asked, candidate), _Node())
            child.seen += 1
            return candidate, child, False
        _, candidate, child = max(known, key=lambda entry: entry[:2])
        return candidate, child, True


def _rewards(state: State) -> list[float]:
    """For each player from 0 (worst) to 1; a game that is not over is judged by its scores."""
    players = state.game.players
    result = state.result
    if result is not None:
        if result.winners:
            share = 0.5 + 0.5 / len(result.winners)
            return [share if k + 1 in result.winners else 0.0 for k in range(players)]
        return [0.0 if result.ended == "lost" else 0.5] * players
    values = [standing(state, k + 1) for k in range(players)]
    best = max(values)
    return [0.75 if value == best else 0.25 for value in values]


def _guess(state: State, player: int, generator: random.Random) -> State:
    """A state that the player cannot tell from this one.

    Early in a game it is drawn as likely as it is. Later that takes long, since all that was seen
    is looked at again; then hidden things just change places.
    """
    seed = generator.getrandbits(31)
    if state.past is not None and state.steps <= REMEMBERED:
        return state.resample(player, seed)
    return scrambled(state, player, seed)


def player_of(kind: str, generator: random.Random) -> Player:
    """The program of a kind of seat: ``random``, ``first``, ``greedy``, ``mcts:N``."""
    name, _, number = kind.partition(":")
    match name:
        case "first":
            return FirstPlayer()
        case "greedy":
            return GreedyPlayer(generator)
        case "mcts":
            return SearchPlayer(generator, int(number))
        case _:
            return RandomPlayer(generator)
