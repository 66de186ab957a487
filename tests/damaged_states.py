"""Flips bytes of states and gives them to machine code; run in a process of its own, which may die.

    python tests/damaged_states.py FILE PLAYERS SEED FLIPS

Prints how many damaged states were refused, and how many were played on.
"""

from __future__ import annotations

import random
import sys

from interpreter import DataError, Game, GameError
from interpreter.ir.bitsets import members_of
from interpreter.runtime.step import Fault, NoState
from ruleset import load

STEPS = 12
"""Choices that a state which was let in is played on."""


def main(path: str, players: int, seed: int, flips: int) -> None:
    """All of it."""
    game = Game(load(path), players, engine="native")
    native, fast = game.native, game.fast
    assert native is not None and fast is not None
    generator = random.Random(seed)
    states = moments(game, generator)
    used = native.layout.frames
    refused = played = 0
    for number in range(flips):
        damaged = bytearray(generator.choice(states))
        for _ in range(generator.choice((1, 1, 1, 2, 5))):
            # half of them among the header and the frames, which say where code goes on
            place = generator.randrange(len(damaged))
            if generator.random() < 0.5:
                top = next((k for k in range(len(damaged), used, -1) if damaged[k - 1]), used + 8)
                place = generator.choice((generator.randrange(48), generator.randrange(used, top)))
            damaged[place] = generator.randrange(256)
        data = bytes(damaged)
        try:
            state = fast.admit(data)
        except NoState:
            refused += 1
            entrances(game, data)
            continue
        played += 1
        if number % 20 == 0:
            game.batch(1).put([0], [data]) if native.pending(data) else None
        for _ in range(STEPS):
            asked = [p for p in range(1, players + 1) if fast.options(state, p)]
            if not asked:
                break
            player = generator.choice(asked)
            choice = generator.choice(members_of(fast.options(state, player)))
            state = fast.step(state, player, choice)
            if not state:  # the rules went wrong: an answer too
                break
    print(refused, played)


def entrances(game: Game, data: bytes) -> None:
    """Every way in refuses such bytes."""
    native, fast = game.native, game.fast
    assert native is not None and fast is not None
    ways = (
        lambda: game.from_bytes(data),
        lambda: game.batch(1).put([0], [data]),
        lambda: native.apply(data, 0, 0),
        lambda: native.apply(data, 0, 0, ()),
        lambda: native.options(data, 0),
        lambda: native.run(data, "main"),
        lambda: fast.step(data, 1, 0),
        lambda: fast.options(data, 1),
        lambda: fast.asked(data),
    )
    for number, way in enumerate(ways):
        try:
            way()
        except (NoState, DataError, GameError):
            continue
        except Fault:
            pass
        raise AssertionError(f"way {number} took a damaged state")


def moments(game: Game, generator: random.Random) -> list[bytes]:
    """States on the way through some random games."""
    fast, native = game.fast, game.native
    assert fast is not None and native is not None
    found: list[bytes] = []
    for seed in range(4):
        state = native.start(seed).state
        while player := fast.asked(state):
            found.append(bytes(state))
            state = fast.step(
                state, player, generator.choice(members_of(fast.options(state, player)))
            )
    return found


if __name__ == "__main__":
    main(sys.argv[1], *(int(number) for number in sys.argv[2:5]))
