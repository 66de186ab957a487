"""The same games as an experienced programmer writes them in plain Python: lists and loops."""

from __future__ import annotations

import random
from collections.abc import Callable

Line = tuple[int, ...]


def _lines(columns: int, rows: int, length: int) -> list[list[Line]]:
    """For each cell the straight lines through it."""
    through: list[list[Line]] = [[] for _ in range(columns * rows)]
    for x in range(columns):
        for y in range(rows):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                end_x, end_y = x + dx * (length - 1), y + dy * (length - 1)
                if 0 <= end_x < columns and 0 <= end_y < rows:
                    line = tuple((y + dy * k) * columns + x + dx * k for k in range(length))
                    for cell in line:
                        through[cell].append(line)
    return through


def _tic_tac_toe() -> Callable[[], int]:
    through, rng = _lines(3, 3, 3), random.Random(1)

    def play() -> int:
        board, moves = [0] * 9, 0
        while moves < 9:
            me = 1 + moves % 2
            cell = rng.choice([k for k in range(9) if not board[k]])
            board[cell] = me
            moves += 1
            for line in through[cell]:
                if all(board[k] == me for k in line):
                    return moves
        return moves

    return play


def _connect_four() -> Callable[[], int]:
    through, rng = _lines(7, 6, 4), random.Random(1)

    def play() -> int:
        board, heights, moves = [0] * 42, [0] * 7, 0
        while moves < 42:
            me = 1 + moves % 2
            column = rng.choice([c for c in range(7) if heights[c] < 6])
            cell = heights[column] * 7 + column
            board[cell] = me
            heights[column] += 1
            moves += 1
            for line in through[cell]:
                if all(board[k] == me for k in line):
                    return moves
        return moves

    return play


def playouts(game: str, way: str) -> Callable[[], int]:
    """``way`` is not used: there is one."""
    del way
    return {"tic_tac_toe": _tic_tac_toe, "connect_four": _connect_four}[game]()
