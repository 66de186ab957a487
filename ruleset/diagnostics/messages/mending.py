"""Messages about what stands behind several faults at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages.build import error, listed
from ruleset.source import Span

CODES: Final[dict[str, str]] = {
    "RW215": "a name that is spelt otherwise where it is used",
    "RW216": "a parameter whose kind nothing says",
    "RW324": "a rule without parameters that it needs",
}
SHOWN: Final = 3
"""So many further places are shown; the others are counted."""


def misspelt(span: Span, name: str, places: Sequence[Span]) -> Diagnostic:
    """A declaration that nothing names, and a name near it that nothing declares."""
    return error(
        "RW215",
        span,
        f"nothing uses `{span.text}`, and nothing declares `{name}`; did you mean `{name}`?",
        "spell the name alike where it is declared and where it is used",
        other=Label(places[0], "used here"),
    )


def lacks_parameters(span: Span, name: str, lacking: Sequence[str]) -> Diagnostic:
    """A rule that uses, and is called with, what its header does not name."""
    names = list(dict.fromkeys(lacking))
    return error(
        "RW324",
        span,
        f"`{name}` uses {listed(names, 'and')}, and does not name it as a parameter",
        f"write `{name}({', '.join(names)})`",
    )


def no_word(span: Span, name: str, kind: str) -> Diagnostic:
    """A parameter that is called with things of one kind, and that is no word of it."""
    return error(
        "RW216",
        span,
        f"`{name}` has no declared kind, so it is a number, and is called with {kind_of_it(kind)}",
        f"say its kind under `words`: `{kind}: [{name}, ...]`",
    )


def kind_of_it(kind: str) -> str:
    """A kind with its article."""
    return f"a{'n' if kind[:1] in 'aeiou' else ''} {kind}"


def further(places: Sequence[Span]) -> str:
    """A note on places that have no caret of their own."""
    lines = ", ".join(str(place.line) for place in places[:20])
    return f"so it is in {'line' if len(places) == 1 else 'lines'} {lines}, too"
