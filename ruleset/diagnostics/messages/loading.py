"""Messages of the loader, about names inside one record: RW28x."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.suggest import nearest
from ruleset.document import Scalar
from ruleset.source import Span
from ruleset.syntax import Ident, Road

CODES: Final[dict[str, str]] = {
    "RW280": "a field that is not declared",
    "RW281": "a space that the map does not have",
    "RW282": "a space that comes twice",
    "RW283": "a road flag that is not declared",
    "RW284": "a zone that does not say what it holds",
    "RW285": "a number of players without an end",
    "RW286": "a drawing that lacks spaces",
    "RW288": "a series or a range of sides that cannot be",
    "RW289": "two roads between the same spaces",
}
SHOWN: Final = 8
"""How many names a message lists."""


def _error(
    code: str, message: str, span: Span, text: str = "", helps: Iterable[str] = (), within: str = ""
) -> Diagnostic:
    return Diagnostic(code, "error", message, (Label(span, text),), tuple(helps), (), within)


def meant(name: str, known: Iterable[str], what: str = "") -> tuple[str, ...]:
    """The help for an unknown name: the nearest one, or all where they are few."""
    names = sorted(known)
    found = nearest(name, names)
    if found is not None:
        return (f"did you mean `{found}`?",)
    if names and len(names) <= SHOWN:
        listed = ", ".join(f"`{each}`" for each in names)
        return (f"{what or 'there'} {'are' if len(names) > 1 else 'is'} {listed}",)
    return ()


def no_field(
    key: Scalar, kind: str, fields: Iterable[str], keys: Collection[str], within: str
) -> Diagnostic:
    """A key of a type, a default or a value that is no field of its kind."""
    found = nearest(key.text, [*fields, *keys])
    helps = [f"did you mean `{found}`?"] if found else []
    helps.append(f"declare it under the `fields` of `{kind}`, as `{key.text}: TYPE`")
    return _error(
        "RW280",
        f"`{kind}` has no field `{key.text}`",
        key.span,
        "not declared",
        helps[:1] if found else helps,
        within,
    )


def not_in_a_series(span: Span, field: str) -> Diagnostic:
    """A value of a series that is no plain value."""
    return _error(
        "RW288",
        f"a series of `{field}`: expected a range with both ends, or a list of names and numbers",
        span,
        "",
        ["write it as `2..14` or `[red, green]`"],
        "",
    )


def sides_of_a_die(span: Span, most: int) -> Diagnostic:
    """A range of pips that no die has."""
    return _error(
        "RW288",
        f"the numbers on a die: expected a range from 0 or more, of {most} numbers at most",
        span,
        "",
        ["write it as `1..6`; other sides are a list of names"],
        "",
    )


def series_too_long(span: Span, many: int, most: int, within: str) -> Diagnostic:
    """More combinations than any box holds."""
    return _error(
        "RW288",
        f"this series is {many} types long, expected {most} at most",
        Span(span.source, span.start, span.start + 1),
        "",
        ["leave a field out, or write the types"],
        within,
    )


def no_space(
    span: Span, name: str, known: Iterable[str], *, kind: str = "", within: str = ""
) -> Diagnostic:
    """A name that should be a space of the map."""
    return _error(
        "RW281",
        f"the map has no {kind or 'space'} `{name}`",
        span,
        "",
        meant(name, known, "its spaces"),
        within,
    )


def space_twice(again: Ident, first: Ident) -> Diagnostic:
    """One name for two spaces."""
    return Diagnostic(
        "RW282",
        "error",
        f"the space `{again.name}` comes twice",
        (Label(again.span, "again here"), Label(first.span, "first here")),
        ("name each space once",),
    )


def road_twice(again: Road, first: Road) -> Diagnostic:
    """Two roads that join the same two spaces, whichever way they lead."""
    both = "; `=` leads both ways" if again.one_way or first.one_way else ""
    return Diagnostic(
        "RW289",
        "error",
        f"`{again.a}` and `{again.b}` have two roads",
        (Label(again.span, "again here"), Label(first.span, "first here")),
        (f"two spaces have one road at most{both}",),
    )


def no_road_flag(span: Span, letter: str, flags: Mapping[str, str], within: str) -> Diagnostic:
    """A letter on an arrow without a meaning."""
    known = [f"`{each}` ({flags[each]})" for each in sorted(flags)]
    helps = [f"declare it on the map: `flags: {{{letter}: NAME}}`"]
    if known:
        helps.insert(0, f"the flags of this map: {', '.join(known)}")
    return _error("RW283", f"no flag of roads has the letter `{letter}`", span, "", helps, within)


def zone_of_what(key: Scalar, kinds: list[str]) -> Diagnostic:
    """A zone without ``of`` whose name is no kind of piece."""
    example = nearest(key.text, kinds) or (kinds[0] if kinds else "KIND")
    helps = [f"say which kind of piece lies there: `of: {example}`"]
    if kinds and len(kinds) <= SHOWN:
        helps.append(f"the kinds of pieces: {', '.join(f'`{kind}`' for kind in kinds)}")
    return _error(
        "RW284",
        f"the zone `{key.text}` does not say what it holds",
        key.span,
        "not the name of a kind of piece",
        helps,
        f"zones.{key.text}",
    )


def players_without_end(span: Span) -> Diagnostic:
    """``players: 2..``."""
    return _error(
        "RW285",
        "expected the least and the largest number of players",
        span,
        "",
        ["write `players: 2..4`, or one number where there is no choice"],
    )


def not_drawn(span: Span, names: list[str], within: str) -> Diagnostic:
    """A drawing in which spaces of the map are missing."""
    shown = ", ".join(f"`{name}`" for name in names[:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return _error(
        "RW286",
        f"the drawing lacks {shown}{more}",
        span,
        "",
        ["write every space once; `.` is a gap"],
        within,
    )
