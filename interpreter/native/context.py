"""The context: what a step of machine code needs and a state must not hold.

Gives the slots by number. A context is 64-bit words beside the state, one for each thread: fuel,
the first fault, what is being unwound, the log of chance. Machine code finds it behind ``%C``.
"""

from __future__ import annotations

from typing import Final

FUEL, FAULT_CODE, FAULT_SITE = 0, 1, 2
"""Fuel left; the code of the first fault (as in a state, 0: none) and its site."""
UNWIND, TARGET = 3, 4
"""What is unwound: 0 nothing, `ENDING`, `LEAVING_FRAME`, `LEAVING_CALL`, or a rule; and which
frame or level."""
LEVELS, UNDER = 5, 6
"""How many plain calls under way a player may leave; the innermost of them."""
LOG, LOGGED, LOG_SIZE = 7, 8, 9
"""Where chance outcomes are written, how many there were, how many fit; 0: not at all."""
BACK: Final = 10
"""The set that a framed function has returned."""

ENDING, LEAVING_FRAME, LEAVING_CALL, FIRST_RULE = 1, 2, 3, 4
"""Values of `UNWIND`; a rule that is stopped has `FIRST_RULE` plus its number."""

RETURNED, WAITS, UNWINDS, CALLED = 0, 1, 2, 3
"""What the machine code of a framed function answers."""

ILLEGAL, BROKEN_OPTIONS = 4, 5
"""What a checked step can answer besides a status."""

GOES_ON, ENDED, REFUSED, WENT_WRONG = 0, 1, 2, 3
"""What has become of a lane, see `interpreter.native.lanes`."""


APART: Final = 16
"""Words of nothing behind what one thread writes to all the time: two threads whose words lie in
one line of the cache would wait for each other."""


def depth_slot(k: int, set_words: int) -> int:
    """How often the plain function with depth number k is under way."""
    return BACK + set_words + k


def size(depths: int, set_words: int) -> int:
    """Words of a context."""
    return depth_slot(depths, set_words)
