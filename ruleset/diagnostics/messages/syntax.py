"""Messages about text of the language that does not read as such: RW1xx."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.source import Span

CODES: Final[dict[str, str]] = {
    "RW100": "a word that does not fit here",
    "RW101": "a word that is not of the language",
    "RW102": "a sign that is not of the language",
    "RW103": "a word of the language used as a name",
    "RW104": "a bracket that is not closed or not opened",
    "RW105": "text that ends too early",
    "RW112": "a condition behind what it decides",
    "RW115": "text that is nested too deep",
    "RW116": "text that is too long",
    "RW118": "an escape inside quotes",
    "RW119": "nothing where text of the language is expected",
    "RW121": "a number that is not whole or too large",
    "RW122": "comparisons in a row",
    "RW123": "a list of spaces that does not fit",
    "RW124": "a cost that takes from a place",
    "RW126": "a range from high to low",
}


def error(
    code: str,
    message: str,
    span: Span,
    text: str = "",
    *,
    also: Sequence[Label] = (),
    helps: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Diagnostic:
    """An error at a place, with the words that stand under it and further labels."""
    return Diagnostic(
        code, "error", message, (Label(span, text), *also), tuple(helps), tuple(notes)
    )


def either(words: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


# ------------------------------------------------------------------ words and signs


def unexpected(
    span: Span, wanted: Sequence[str], found: str, near: str | None, helps: Sequence[str] = ()
) -> Diagnostic:
    """Anything that fits no better message."""
    message = f"expected {either(wanted)}, found {found}"
    return error("RW100", message, span, helps=[f"did you mean `{near}`?"] if near else helps)


def expected_word(span: Span, wanted: Sequence[str], found: str) -> Diagnostic:
    """One of a few words is wanted and another stands there."""
    words = either([f"`{word}`" for word in wanted])
    return error("RW100", f"expected {words}, found `{found}`", span)


def habit(span: Span, word: str, advice: str) -> Diagnostic:
    """A word from English or from a programming language."""
    return error("RW101", f"`{word}` is not a word of the language", span, helps=[advice])


def sign(span: Span, text: str, advice: str) -> Diagnostic:
    """A sign from a programming language."""
    return error("RW102", f"`{text}` is not a sign of the language", span, helps=[advice])


def equals(span: Span) -> Diagnostic:
    """``=`` where values are compared or a mark is set."""
    return error(
        "RW102",
        "`=` stands in `let n = ...` only",
        span,
        helps=["a comparison is `a is b`, a mark is changed by `set a.f to b`"],
    )


def reserved(span: Span, word: str) -> Diagnostic:
    """A reserved word where a name is wanted."""
    return error(
        "RW103",
        f"`{word}` is a word of the language and cannot be a name here",
        span,
        helps=["choose another name, here and where it is declared"],
    )


def reserved_declared(span: Span, word: str) -> Diagnostic:
    """A reserved word where a name is declared."""
    return error(
        "RW103",
        f"`{word}` is a word of the language and cannot be a name",
        span,
        helps=["choose another name, here and wherever it is used"],
    )


# ------------------------------------------------------------------ brackets and ends


def not_closed(at: Span, opened: Span, found: str) -> Diagnostic:
    """A ``(`` that has no ``)``."""
    return error(
        "RW104",
        f"expected `)`, found {found}",
        at,
        also=[Label(opened, "this `(` is not closed")],
    )


def not_opened(span: Span) -> Diagnostic:
    """A ``)`` that has no ``(``."""
    return error("RW104", "this `)` closes nothing", span, helps=["take it away"])


def too_early(at: Span, wanted: Sequence[str], helps: Sequence[str]) -> Diagnostic:
    """The text is over and something is still wanted."""
    return error("RW105", f"expected {either(wanted)}, found the end", at, helps=helps)


def empty(at: Span, wanted: str, helps: Sequence[str]) -> Diagnostic:
    """There is no text at all."""
    return error("RW119", f"expected {wanted}, found nothing", at, helps=helps)


# ------------------------------------------------------------------ expressions


def value_if(span: Span) -> Diagnostic:
    """``x if c else y``."""
    return error(
        "RW112",
        "the condition comes first",
        span,
        helps=["write `if CONDITION then A else B`"],
    )


def effect_if(span: Span) -> Diagnostic:
    """``gain 1 me.vp if c``."""
    return error(
        "RW112",
        "the condition comes first",
        span,
        helps=["write `if CONDITION then EFFECT`"],
    )


def compared_twice(span: Span) -> Diagnostic:
    """``a < b < c``."""
    return error(
        "RW122",
        "two comparisons stand in a row",
        span,
        helps=["join them by `and`: `a < b and b < c`"],
    )


def all_takes_a_clause(span: Span) -> Diagnostic:
    """``all(S)``."""
    return error(
        "RW100",
        "expected `x in S if C`, found a value",
        span,
        helps=["`all(x in S if C)`: for each x in S, C holds"],
    )


def number_too_large(span: Span, limit: int) -> Diagnostic:
    """A number beyond what the engine counts."""
    return error("RW121", f"this number is over {limit}", span, helps=["write a smaller one"])


def whole_numbers(span: Span) -> Diagnostic:
    """``1.5``."""
    return error(
        "RW121",
        "numbers are whole",
        span,
        helps=["count in a smaller unit, or use `/`, which rounds down"],
    )


def range_backwards(span: Span, low: int, high: int) -> Diagnostic:
    """``4..2``."""
    return error(
        "RW126", f"the range {low}..{high} is empty", span, helps=[f"write `{high}..{low}`"]
    )


# ------------------------------------------------------------------ costs, maps, versions


def cost_from(span: Span) -> Diagnostic:
    """``1 chip from me.purse`` as a price."""
    return error(
        "RW124",
        "a cost says where the pieces lie by `in`",
        span,
        helps=["write `in` for `from`: `2 card in me.hand`"],
    )


def no_range_of_spaces(span: Span) -> Diagnostic:
    """``a..7``."""
    return error(
        "RW123",
        f"`{span.text}` is not a range of spaces",
        span,
        helps=["write the same letters with a smaller and a larger number: `c1..c11`"],
    )


def too_many_spaces(span: Span, limit: int) -> Diagnostic:
    """A range that would make a map huge."""
    return error("RW123", f"this range has more than {limit} spaces", span)


def spaces_in_all(span: Span, found: int, limit: int) -> Diagnostic:
    """Ranges that are each small enough, and together make a map huge."""
    return error("RW123", f"these are {found} spaces; a map has at most {limit}", span)


def grid_size(span: Span, limit: int) -> Diagnostic:
    """``0 x 5``."""
    return error("RW123", f"a grid has 1 to {limit} columns and 1 to {limit} rows", span)


def sign_between_spaces(span: Span) -> Diagnostic:
    """``A1 = A2 A3``."""
    return error(
        "RW123",
        "expected `=`, `>` or `<` before this space, found none",
        span,
        helps=["`A = B` leads both ways, `A > B` one way; flags stand at the sign: `A >p B`"],
    )


# ------------------------------------------------------------------ limits and quotes


def too_deep(span: Span, what: str, limit: int) -> Diagnostic:
    """Nesting beyond a limit."""
    return error(
        "RW115",
        f"more than {limit} {what} are nested here",
        span,
        helps=["give a part of it a name: a rule, a value or a `let`"],
    )


def too_long(span: Span, limit: int) -> Diagnostic:
    """A scalar beyond the limit."""
    return error(
        "RW116", f"this text has more than {limit} characters", span, helps=["split it into rules"]
    )


def escape(span: Span) -> Diagnostic:
    """A backslash or a doubled quote inside quotes."""
    return error(
        "RW118",
        "the language has no quotes and no escapes",
        span,
        helps=["write the text without quotes, or as a block below `|`"],
    )
