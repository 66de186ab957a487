"""OpenSpiel from Python: its C++ games, and its game written in Python."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable


def playouts(game: str, way: str) -> Callable[[], int]:
    """``cpp``: rules in C++; ``python``: rules in Python. The loop is Python in both."""
    import pyspiel

    if way == "python":
        importlib.import_module("open_spiel.python.games")
    loaded = pyspiel.load_game(game if way == "cpp" else f"python_{game}")
    rng = random.Random(1)

    def play() -> int:
        state = loaded.new_initial_state()
        moves = 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves

    return play
