"""The functions that the language has of its own: how many arguments, and what they do in a line.

Their types depend on the maps of a game; ``checking.functions`` finds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Function:
    """A built-in function as messages show it."""

    shape: str
    """``beside(space, direction)``."""
    arity: int
    does: str


FUNCTIONS: Final[dict[str, Function]] = {
    "next": Function("next(x)", 1, "the player on the left, or the next space of a track"),
    "previous": Function("previous(x)", 1, "the player on the right, or the space before"),
    "neighbours": Function("neighbours(space)", 1, "the spaces beside it, whatever the arrows"),
    "exits": Function("exits(space)", 1, "the spaces to which its roads lead"),
    "ahead": Function("ahead(space)", 1, "the other spaces of the track in the order met"),
    "beside": Function("beside(space, direction)", 2, "the neighbour on that side, or none"),
    "ray": Function("ray(space, direction)", 2, "the spaces that lie in that direction"),
    "lines": Function("lines(n)", 1, "all straight runs of n spaces"),
    "road": Function("road(space, space)", 2, "the road between two spaces, or none"),
    "against": Function("against(space, space)", 2, "whether that way is against the arrow"),
    "nth": Function("nth(row, n)", 2, "the member at place n, counted from 1, or none"),
    "abs": Function("abs(n)", 1, "the number without its sign"),
}
