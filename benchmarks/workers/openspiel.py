"""OpenSpiel: rules and random play in C++, the usual Python loop, and its games in Python.

Moves are choices of players; what chance does is not counted.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from typing import Any

from benchmarks.serve import Missing, Play, Turn

AT_ONCE = 1_000
"""Rollouts a call of the search, so that what is measured is play and not the calls."""
SAMPLE = 5_000
"""Games whose mean length stands for that of the rollouts, which do not tell theirs."""


def playing(game: str, way: str) -> Play:
    """``rollouts``: all in C++; ``loop``: rules in C++; ``python``: rules in Python."""
    pyspiel = importlib.import_module("pyspiel")
    name = game
    if way == "python":
        importlib.import_module("open_spiel.python.games")
        name = f"python_{game}"
    if name not in pyspiel.registered_names():
        raise Missing(f"OpenSpiel has no `{name}`")
    loaded = pyspiel.load_game(name)
    if way == "rollouts":
        return _rollouts(pyspiel, loaded)
    one = _loop(loaded)
    return lambda: Turn(1, one())


def _loop(game: Any) -> Callable[[], int]:
    """One random game from Python."""
    draw = random.Random(1).random

    def play() -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            if state.is_chance_node():
                _chance(state, draw)
                continue
            state.apply_action(actions[int(draw() * len(actions))])
            moves += 1
        return moves

    return play


def _chance(state: Any, draw: Callable[[], float]) -> None:
    """What chance gives, by its probabilities."""
    rest = draw()
    outcome = 0
    for outcome, probability in state.chance_outcomes():  # noqa: B007 - the last one stands
        rest -= probability
        if rest < 0:
            break
    state.apply_action(outcome)


def _rollouts(pyspiel: Any, game: Any) -> Play:
    """A search with one simulation is one call of its evaluator: so many games from the start.

    Where a game begins with chance, the rollouts start after it: they share one deal.
    """
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    one = _loop(game)
    length = sum(one() for _ in range(SAMPLE)) / SAMPLE
    evaluator = pyspiel.RandomRolloutEvaluator(AT_ONCE, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, 3, False)

    def play() -> Turn:
        bot.mcts_search(state)
        return Turn(AT_ONCE, round(AT_ONCE * length))

    return play
