"""PettingZoo classic: the agent loop of its documentation, with random legal actions."""

from __future__ import annotations

import importlib
import random
from typing import Any

from benchmarks.serve import Missing, Play, Turn

NAMES = {"tic_tac_toe": "tictactoe_v3", "connect_four": "connect_four_v3"}


def playing(game: str, way: str) -> Play:
    """``way`` is not used: there is one."""
    del way
    if game not in NAMES:
        raise Missing(f"PettingZoo has no `{game}`")
    np: Any = importlib.import_module("numpy")
    env: Any = importlib.import_module(f"pettingzoo.classic.{NAMES[game]}").env()
    rng = random.Random(1)

    def play() -> Turn:
        env.reset()
        moves = 0
        for _agent in env.agent_iter():
            observation, _reward, terminated, truncated, _info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            moves += 1
        return Turn(1, moves)

    return play
