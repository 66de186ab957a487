"""Names with a meaning that lowering writes into a Program, and that the runtime reads out of it.

Kinds are named as in the file; those below are made from such names. An event that is no rule has
a word before its name.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from ruleset.types import FlagT, NumberT, SetT, ThingT, Type

NUMBER_NONE: Final = -(2**31)
"""What stands for none where a number is wanted; elsewhere it is -1."""
SET_OF: Final = "set of "
"""Before the name of a kind: the kind of its sets."""
SIDE: Final = ".side"
"""After the name of a kind of piece: the kind of its sides, and the field that holds them."""

Ended: TypeAlias = Literal["score", "won", "lost", "drawn"]
ENDINGS: Final[tuple[Ended, ...]] = ("score", "won", "lost", "drawn")
"""How a game can end; the first is also what the field says while it runs."""
ENDING: Final = "game.ending"
"""The field that says how the game has ended: a place in `ENDINGS`."""
WINNERS: Final = "game.winners"
ALIVE: Final = "game.alive"
"""Fields with a set of players each: who has won; who is still in."""
REVEALED: Final = ".revealed"
"""After the name of a kind of piece: the set field of what each player was shown."""

REVEAL: Final = "reveal "
SET: Final = "set "
FLIP: Final = "flip "
"""Before the name of a kind of piece, a mark, a kind of piece: the event that one is revealed, that
it is set, that one is turned."""


def kind_word(type_: Type, other: str = "number") -> str:
    """A type as reasons and views name it: ``number``, ``flag``, a kind, ``set of KIND``."""
    match type_:
        case NumberT():
            return "number"
        case FlagT():
            return "flag"
        case ThingT(kind):
            return kind
        case SetT(kind):
            return SET_OF + kind
        case _:
            return other
