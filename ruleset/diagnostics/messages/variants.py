"""Messages about overlays and their paths: RW50x."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Span

if TYPE_CHECKING:
    from ruleset.variants import Segment, Verb

CODES: Final[dict[str, str]] = {
    "RW501": "a path that the game does not have",
    "RW502": "a part to be added that is there already",
    "RW503": "a path that goes on below a single value",
    "RW504": "a change that changes nothing",
}


def no_such_part(
    verb: Verb,
    span: Span,
    name: str,
    above: str,
    known: Iterable[str],
    what: str,
    *,
    addable: bool,
) -> Diagnostic:
    """A path with a part that its base lacks."""
    found = nearest(name, known)
    helps = []
    if found:
        helps.append(f"did you mean `{found}`?")
    elif verb == "change" and addable:
        helps.append("`change` wants what exists; what is new stands under `add`")
    where = f" under `{above}`" if above else ""
    kind = f"{what} " if what else ""
    return Diagnostic(
        "RW501",
        "error",
        f"the game has no {kind}`{name}`{where}",
        (Label(span, f"`{verb}` finds nothing here"),),
        tuple(helps),
    )


def is_there_already(span: Span, path: str, there: Span) -> Diagnostic:
    """``add`` of what exists."""
    return Diagnostic(
        "RW502",
        "error",
        f"`{path}` is there already",
        (Label(span, "added here"), Label(there, "it stands here")),
        ("write it under `change`, or give the new part another name",),
    )


def nothing_below(span: Span, above: str, part: Segment) -> Diagnostic:
    """A path through a scalar or a list."""
    helps = [f"change the whole of `{above}`"]
    if above.endswith(".if"):
        helps = [
            "give the condition a name in the game, `if: {NAME: ...}`, so that more can be added"
        ]
    return Diagnostic(
        "RW503",
        "error",
        f"`{above}` is one value, there is no `{part.text}` below it",
        (Label(span),),
        tuple(helps),
    )


def changes_nothing(span: Span, path: str, there: Span) -> Diagnostic:
    """``change`` to what stands there already."""
    return Diagnostic(
        "RW504",
        "warning",
        f"`{path}` is the same already, this changes nothing",
        (Label(span), Label(there, "it stands here")),
        ("leave this line out",),
    )
