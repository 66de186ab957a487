"""Messages about a game and the document that it follows: RW55x."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Span
from ruleset.syntax import Ident

if TYPE_CHECKING:
    from ruleset.statements import Statement

CODES: Final[dict[str, str]] = {
    "RW550": "an id that the document does not have",
    "RW551": "an id of another sort",
    "RW552": "a citation without a document",
    "RW553": "a statement that nothing cites",
    "RW554": "a question that nothing answers",
    "RW555": "a question that is answered twice",
    "RW556": "an id that does not fit its document",
}


def unknown_id(named: Ident, sort: str, known: Iterable[str]) -> Diagnostic:
    """An id that stands nowhere in the document."""
    found = nearest(named.name, known)
    helps = (f"did you mean `{found}`?",) if found else ()
    return Diagnostic(
        "RW550",
        "error",
        f"the document has no {sort} `{named.name}`",
        (Label(named.span),),
        helps,
    )


def other_sort(named: Ident, sort: str, is_a: str, there: Span, instead: str) -> Diagnostic:
    """An assumption cited as a statement, a statement as a question, and so on."""
    return Diagnostic(
        "RW551",
        "error",
        f"`{named.name}` is {is_a}, expected {sort}",
        (Label(named.span), Label(there, "it stands here")),
        (instead,),
    )


def no_document(named: Ident, more: int) -> Diagnostic:
    """A game that cites without saying what."""
    notes = (f"there {'is one citation' if more == 1 else f'are {more} citations'} more",)
    return Diagnostic(
        "RW552",
        "error",
        f"`{named.name}` is cited, but the game names no document",
        (Label(named.span),),
        ("name it at the top, `document: documents/NAME.yaml`, or leave the citations out",),
        notes if more else (),
    )


def uncited(statement: Statement) -> Diagnostic:
    """A statement about play that no part of the game cites."""
    return Diagnostic(
        "RW553",
        "warning",
        f"nothing in the game cites `{statement.id}`",
        (Label(statement.span),),
        ("cite it at the rule that says it, or name it under `information`",),
    )


def unanswered(statement: Statement) -> Diagnostic:
    """A question without a ruling."""
    return Diagnostic(
        "RW554",
        "warning",
        f"no ruling answers `{statement.id}`",
        (Label(statement.span),),
        ("write a ruling, or name it under `settled` or `open` in the game",),
    )


def answered_twice(again: Ident, first: Ident) -> Diagnostic:
    """A question named at two places."""
    return Diagnostic(
        "RW555",
        "warning",
        f"`{again.name}` is answered at two places",
        (Label(again.span, "again here"), Label(first.span, "first here")),
        ("keep it where it belongs: in one ruling, or under `settled` or `open`",),
    )


def foreign_id(id: str, span: Span, prefix: str, also: Mapping[str, Statement]) -> Diagnostic:
    """An id in the document without its prefix, or one that is used for two things."""
    if id in also:
        return Diagnostic(
            "RW556",
            "error",
            f"`{id}` comes twice in this document",
            (Label(span), Label(also[id].span, "first here")),
            ("an id names one sentence",),
        )
    return Diagnostic(
        "RW556",
        "error",
        f"`{id}` does not begin with the prefix `{prefix}-`",
        (Label(span),),
        (f"write `{prefix}-{id.partition('-')[2] or '001'}`",),
    )
