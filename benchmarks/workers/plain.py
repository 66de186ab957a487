"""Five games as an experienced programmer writes them in plain Python: lists and loops."""

from __future__ import annotations

import random
from collections.abc import Callable

from benchmarks.serve import Play, Turn

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


def _breakthrough() -> Callable[[], int]:
    rng = random.Random(1)
    sides = [[s for s in (-1, 0, 1) if 0 <= cell % 8 + s <= 7] for cell in range(64)]

    def play() -> int:
        board = [1] * 16 + [0] * 32 + [2] * 16
        men, moves = [0, 16, 16], 0
        while True:
            me = 1 + moves % 2
            forward = 8 if me == 1 else -8
            options = []
            for here in range(64):
                if board[here] != me:
                    continue
                for side in sides[here]:
                    there = here + forward + side
                    if board[there] == 0 or (side and board[there] != me):
                        options.append((here, there))
            here, there = rng.choice(options)
            if board[there]:
                men[3 - me] -= 1
            board[here], board[there] = 0, me
            moves += 1
            if there // 8 == (7 if me == 1 else 0) or not men[3 - me]:
                return moves

    return play


def _hex(side: int = 11) -> Callable[[], int]:
    rng = random.Random(1)
    steps = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
    near = [
        [(y + dy) * side + x + dx for dx, dy in steps if 0 <= x + dx < side and 0 <= y + dy < side]
        for y in range(side)
        for x in range(side)
    ]

    def joins(board: list[int], cell: int, me: int) -> bool:
        """Whether the chain of a stone touches both edges of its player."""
        seen, todo, touched = {cell}, [cell], set()
        while todo:
            here = todo.pop()
            touched.add(here // side if me == 1 else here % side)
            for there in near[here]:
                if board[there] == me and there not in seen:
                    seen.add(there)
                    todo.append(there)
        return 0 in touched and side - 1 in touched

    def play() -> int:
        board, moves = [0] * (side * side), 0
        while True:
            me = 1 + moves % 2
            cell = rng.choice([k for k, stone in enumerate(board) if not stone])
            board[cell] = me
            moves += 1
            if joins(board, cell, me):
                return moves

    return play


def _kuhn_poker() -> Callable[[], int]:
    rng = random.Random(1)

    def play() -> int:
        cards, paid, moves, opener = rng.sample((1, 2, 3), 2), [1, 1], 0, None
        for me in (0, 1):
            moves += 1
            if rng.choice((False, True)):
                opener = me
                paid[me] += 1
                break
        if opener is not None:
            moves += 1
            if rng.choice((False, True)):
                paid[1 - opener] += 1
        winner = cards.index(max(cards)) if paid[0] == paid[1] else paid.index(max(paid))
        assert paid[1 - winner] in (1, 2)
        return moves

    return play


GAMES = {
    "tic_tac_toe": _tic_tac_toe,
    "connect_four": _connect_four,
    "breakthrough": _breakthrough,
    "hex": _hex,
    "kuhn_poker": _kuhn_poker,
}


def playing(game: str, way: str) -> Play:
    """``way`` is not used: there is one."""
    del way
    play = GAMES[game]()
    return lambda: Turn(1, play())
