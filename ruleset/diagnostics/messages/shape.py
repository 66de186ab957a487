"""Messages about the shape of a file, that is of its keys and values: RW020 to RW039."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages.document import error
from ruleset.source import Span

CODES: Final[dict[str, str]] = {
    "RW020": "an unknown key",
    "RW021": "a missing key",
    "RW022": "a value of the wrong shape",
    "RW023": "a word that is not one of those possible",
    "RW024": "a name that is not written like a name",
    "RW025": "a value that is missing",
    "RW026": "keys that do not go together",
    "RW027": "a value that YAML readers take for something else",
    "RW028": "a number outside its range",
    "RW029": "a text that is not written as expected",
    "RW030": "not in this version of the language",
}

MANY: Final = 12
"""A list of what is possible is shown up to this length."""


def _or(words: Sequence[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _and(words: Sequence[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _meant(near: str | None) -> list[str]:
    return [f"did you mean `{near}`?"] if near else []


def unknown_key(
    key: str, span: Span, record: str, near: str | None, possible: Sequence[str]
) -> Diagnostic:
    """A key that this record does not have."""
    notes = []
    if possible and (len(possible) <= MANY or near is None):
        notes.append(f"possible here: {', '.join(f'`{name}`' for name in possible)}")
    return error("RW020", f"unknown key `{key}` in {record}", span, helps=_meant(near), notes=notes)


def missing_keys(keys: Sequence[str], record: str, span: Span, others: Sequence[str]) -> Diagnostic:
    """A record without keys that it must have."""
    one = len(keys) == 1
    subject = f"the key {_and(keys)} is" if one else f"the keys {_and(keys)} are"
    helps = [f"add {_and([f'{key}: ...' for key in keys])}"]
    if others:
        helps = [f"expected one of {_or(others)}"]
    return error("RW021", f"{subject} missing in {record}", span, helps=helps)


def too_far_left(key: str, span: Span, record: str | None) -> Diagnostic:
    """A key of a rule in the column of the rules."""
    helps = [f"indent it, so that it belongs to `{record}`"] if record else ["indent it"]
    return error("RW022", f"`{key}` is a key of a rule, and stands like a rule", span, helps=helps)


def missing_one_of(keys: Sequence[str], record: str, span: Span) -> Diagnostic:
    """A record with none of several keys."""
    return error(
        "RW021", f"{record} needs {_or(keys)}", span, helps=[f"add one of them: {_or(keys)}"]
    )


def missing_beside(key: str, other: str, span: Span) -> Diagnostic:
    """A key that means nothing without another."""
    return error(
        "RW021",
        f"`{key}` stands without `{other}`",
        span,
        helps=[f"add `{other}: ...`, or delete `{key}`"],
    )


def wrong_kind(expected: str, found: str, span: Span, helps: Sequence[str] = ()) -> Diagnostic:
    """A list where a mapping is wanted, and so on."""
    return error("RW022", f"expected {expected}, found {found}", span, helps=helps)


def wrong_word(
    key: str, found: str, possible: Sequence[str], near: str | None, span: Span
) -> Diagnostic:
    """A word that is none of those possible."""
    return error(
        "RW023",
        f"expected {_or(possible)} as `{key}`, found `{found}`",
        span,
        helps=_meant(near),
    )


def bad_name(found: str, span: Span, better: str | None, capitals: bool) -> Diagnostic:
    """A name with capitals or signs."""
    letters = "letters" if capitals else "small letters"
    return error(
        "RW024",
        f"`{found}` is not written like a name",
        span,
        helps=[f"write `{better}`"] if better else [],
        notes=[f"a name has {letters}, digits and `_`, and begins with a letter"],
    )


def long_name(found: str, span: Span, limit: int) -> Diagnostic:
    """A name of too many letters."""
    return error("RW024", f"the name is too long: {len(found)} letters, at most {limit}", span)


def no_value(key: str, expected: str, span: Span, nothing: str) -> Diagnostic:
    """``key:`` with nothing after it."""
    helps = [f"write `{key}: {nothing}` if there is nothing to say"] if nothing else []
    return error("RW025", f"`{key}` has no value, expected {expected}", span, helps=helps)


def empty_value(expected: str, span: Span, least: int, found: int) -> Diagnostic:
    """``{}`` or ``[]`` where something is wanted."""
    number = "an entry" if least == 1 else f"{least} entries or more"
    return error("RW025", f"expected {expected} with {number}, found {found or 'none'}", span)


def do_not_go_together(
    key: str, span: Span, other: str, other_span: Span | None, record: str
) -> Diagnostic:
    """Two keys that make two different things of one record."""
    also = [Label(other_span, f"`{other}` is here")] if other_span else []
    return error(
        "RW026",
        f"`{key}` and `{other}` do not go together in {record}",
        span,
        also=also,
        helps=["keep one of them, or make two records"],
    )


def key_of_other_form(key: str, span: Span, form: str, form_span: Span) -> Diagnostic:
    """A key of a rule of another form."""
    return error(
        "RW026",
        f"`{key}` does not go with `{form}`",
        span,
        also=[Label(form_span, f"`{form}` makes it what it is")],
        helps=[f"delete one of them, or make a rule of its own with `{key}`"],
    )


def trap(found: str, span: Span, taken_for: str, expected: str, helps: Sequence[str]) -> Diagnostic:
    """``no``, ``012``, ``1:30``: words that readers of YAML disagree about."""
    message = f"`{found}` is {taken_for}"
    if expected:
        message += f", expected {expected}"
    return error("RW027", message, span, helps=helps)


def out_of_range(found: int, span: Span, low: int | None, high: int | None) -> Diagnostic:
    """A number that is too small or too large."""
    limit = f"at least {low}" if low is not None else f"at most {high}"
    return error("RW028", f"expected a number of {limit}, found {found}", span)


def not_as_expected(expected: str, found: str, span: Span, helps: Sequence[str] = ()) -> Diagnostic:
    """A text that does not have the form wanted."""
    return error("RW029", f"expected {expected}, found `{found}`", span, helps=helps)


def too_many_entries(expected: str, span: Span, most: int) -> Diagnostic:
    """A mapping with more entries than allowed."""
    number = "one entry" if most == 1 else f"{most} entries"
    return error("RW029", f"expected {expected} with {number}, found more", span)


def not_yet(key: str, span: Span, instead: str) -> Diagnostic:
    """What a later version will have."""
    return error(
        "RW030",
        f"`{key}` is not in this version of the language",
        span,
        helps=[instead] if instead else [],
    )
