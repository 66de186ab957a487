"""Whether the answer to a question tells a player something that is hidden from them.

The question is asked again in many states that look the same to the player (see
`interpreter.scrambled`); where the answers differ, it depends on what is hidden.
"""

from __future__ import annotations

from interpreter import GameError, State, scrambled

TRIES = 100


def answer(state: State, player: int, text: str) -> tuple[bool, object]:
    """Whether the value of an expression may be told, and the value.

    Raises `RulesetError` for the text and `GameError` where it has no value.
    """
    value = state.game.evaluate(state, text)
    for seed in range(TRIES):
        try:
            other = state.game.evaluate(scrambled(state, player, seed), text)
        except GameError:  # the other state may be one in which the expression means nothing
            return False, None
        if other != value:
            return False, None
    return True, value
