"""Messages about the section ``seats``: RW287, and values that are missing there."""

from __future__ import annotations

from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages.build import error, listed
from ruleset.source import Span

CODES: Final[dict[str, str]] = {"RW287": "what no seat can have"}


def code_of_a_seat(span: Span, name: str) -> Diagnostic:
    """A field of a seat that would be code."""
    return error(
        "RW287",
        span,
        f"the field `{name}` of a seat holds no code",
        "write a rule with the player as its parameter",
    )


def nobodys_seat(span: Span, number: str, most: int) -> Diagnostic:
    """Values for a seat that no player has."""
    return error(
        "RW287", span, f"nobody has seat {number}: at most {most} play", "see `players` at the top"
    )


def seat_without_value(span: Span, name: str, lacking: list[int]) -> Diagnostic:
    """A field that some seats leave open."""
    seats = listed([str(number) for number in lacking])
    word = "seat" if len(lacking) == 1 else "seats"
    return error(
        "RW362",
        span,
        f"`{name}` has no value for {word} {seats}",
        "write it there, or one for all under `seats.defaults`",
    )
