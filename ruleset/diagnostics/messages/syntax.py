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
    "RW106": "indentation that does not fit",
    "RW107": "`else` without its `if`",
    "RW108": "a block after a one-line form",
    "RW109": "a line that does nothing",
    "RW110": "a counter or mark without its owner",
    "RW111": "an amount after the counter",
    "RW112": "a condition behind what it decides",
    "RW113": "a verb that the language does not have",
    "RW114": "a set that was chosen and its name",
    "RW115": "text that is nested too deep",
    "RW116": "text that is too long",
    "RW117": "two effects on one line",
    "RW118": "an escape inside quotes",
    "RW119": "nothing where text of the language is expected",
    "RW120": "not in this version of the language",
    "RW121": "a number that is not whole or too large",
    "RW122": "comparisons in a row",
    "RW123": "a list of spaces that does not fit",
    "RW124": "a cost that takes from a place",
    "RW125": "something that cannot be changed so",
    "RW126": "a range from high to low",
}


def _error(
    code: str,
    message: str,
    span: Span,
    text: str = "",
    *,
    also: Sequence[Label] = (),
    helps: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Diagnostic:
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
    return _error("RW100", message, span, helps=[f"did you mean `{near}`?"] if near else helps)


def expected_word(span: Span, wanted: Sequence[str], found: str) -> Diagnostic:
    """One of a few words is wanted and another stands there."""
    words = either([f"`{word}`" for word in wanted])
    return _error("RW100", f"expected {words}, found `{found}`", span)


def habit(span: Span, word: str, advice: str) -> Diagnostic:
    """A word from English or from a programming language."""
    return _error("RW101", f"`{word}` is not a word of the language", span, helps=[advice])


def sign(span: Span, text: str, advice: str) -> Diagnostic:
    """A sign from a programming language."""
    return _error("RW102", f"`{text}` is not a sign of the language", span, helps=[advice])


def equals(span: Span) -> Diagnostic:
    """``=`` where values are compared or a mark is set."""
    return _error(
        "RW102",
        "`=` stands in `let n = ...` only",
        span,
        helps=["a comparison is `a is b`, a mark is changed by `set a.f to b`"],
    )


def reserved(span: Span, word: str) -> Diagnostic:
    """A reserved word where a name is wanted."""
    return _error(
        "RW103",
        f"`{word}` is a word of the language and cannot be a name here",
        span,
        helps=["choose another name, here and where it is declared"],
    )


# ------------------------------------------------------------------ brackets and ends


def not_closed(at: Span, opened: Span, found: str) -> Diagnostic:
    """A ``(`` that has no ``)``."""
    return _error(
        "RW104",
        f"expected `)`, found {found}",
        at,
        also=[Label(opened, "this `(` is not closed")],
    )


def not_opened(span: Span) -> Diagnostic:
    """A ``)`` that has no ``(``."""
    return _error("RW104", "this `)` closes nothing", span, helps=["take it away"])


def too_early(at: Span, wanted: Sequence[str], helps: Sequence[str]) -> Diagnostic:
    """The text is over and something is still wanted."""
    return _error("RW105", f"expected {either(wanted)}, found the end", at, helps=helps)


def empty(at: Span, wanted: str, helps: Sequence[str]) -> Diagnostic:
    """There is no text at all."""
    return _error("RW119", f"expected {wanted}, found nothing", at, helps=helps)


# ------------------------------------------------------------------ lines and blocks


def no_block(head: Span, what: str) -> Diagnostic:
    """``if C`` with nothing indented below it."""
    return _error(
        "RW106",
        f"expected an indented line below `{what}`, found none",
        head,
        helps=["indent the lines that belong to it"],
    )


def too_far_in(line: Span) -> Diagnostic:
    """A line is indented and nothing above it opens a block."""
    return _error(
        "RW106",
        "this line is indented, and the line above it opens no block",
        line,
        helps=["put it below the start of the line above"],
    )


def no_such_level(line: Span) -> Diagnostic:
    """A line goes back to a place where no block begins."""
    return _error(
        "RW106",
        "this line is under no line of the block above it",
        line,
        helps=["put it exactly below the first line of the block that it belongs to"],
    )


def tab(span: Span) -> Diagnostic:
    """A tab anywhere in the language."""
    return _error("RW106", "a tab stands here", span, helps=["write blanks"])


def else_alone(span: Span) -> Diagnostic:
    """``else`` that follows no ``if``."""
    return _error(
        "RW107",
        "`else` follows no `if`",
        span,
        helps=["put it directly below an `if` line or its block, exactly below that `if`"],
    )


def else_needs_a_line(span: Span) -> Diagnostic:
    """``if C then X else Y`` in effects."""
    return _error(
        "RW107",
        "in effects `else` stands on a line of its own",
        span,
        helps=["put `else ...` on the next line, exactly below the `if`"],
    )


def may_needs_no_else(span: Span) -> Diagnostic:
    """``p may a else x``."""
    return _error(
        "RW107",
        "`may` takes no `else`",
        span,
        helps=["who may also passes, and then nothing happens; `must` takes an `else`"],
    )


def word_before_block(span: Span, word: str) -> Diagnostic:
    """``for x in S do`` with a block."""
    return _error(
        "RW108",
        f"`{word}` stands before a block",
        span,
        helps=[f"take `{word}` away: a block needs none; `{word}` is for one effect on its line"],
    )


def two_effects(span: Span) -> Diagnostic:
    """A second effect on the line."""
    return _error(
        "RW117",
        "a second effect begins on this line",
        span,
        helps=["put each effect on a line of its own, in a block below `|`"],
    )


# ------------------------------------------------------------------ effects


def call_it(span: Span, text: str, advice: str | None = None) -> Diagnostic:
    """A name where an effect is wanted."""
    helps = [f"to do a rule call it: `{text}()`; other effects begin with a verb"]
    if advice:
        helps.append(advice)
    return _error("RW109", f"`{text}` alone is not an effect", span, helps=helps)


def not_an_effect(span: Span) -> Diagnostic:
    """A value where an effect is wanted."""
    return _error(
        "RW109",
        "this is a value, not an effect",
        span,
        helps=["an effect begins with a verb, with a player who is asked, or is a call"],
    )


def unknown_verb(span: Span, verb: str, advice: str) -> Diagnostic:
    """``discard x`` and the like."""
    return _error("RW113", f"`{verb}` is not a verb of the language", span, helps=[advice])


def do_is_no_verb(span: Span, name: str) -> Diagnostic:
    """``do x`` with another word than ``base``."""
    return _error(
        "RW113",
        "`do` begins an effect only in `do base`",
        span,
        helps=[f"to do a rule call it: `{name}()`"],
    )


def together_asks(span: Span) -> Diagnostic:
    """``together`` with anything but an offer."""
    return _error(
        "RW125",
        "`together` asks players, and this asks nobody",
        span,
        helps=["write `together p in S do p must ACTION`"],
    )


def whose(span: Span, name: str) -> Diagnostic:
    """``gain 1 vp``."""
    return _error(
        "RW110",
        f"`{name}` does not say whose it is",
        span,
        "whose?",
        helps=[f"write `me.{name}` for a player's, `game.{name}` for one that is nobody's"],
    )


def not_a_counter(span: Span) -> Diagnostic:
    """A counter is wanted and there is a call or the like."""
    return _error(
        "RW125", "expected a counter, found a value", span, helps=["write `owner.counter`"]
    )


def only_marks_are_set(span: Span) -> Diagnostic:
    """``set f(x) to y``."""
    return _error(
        "RW125", "expected a mark, found a value", span, helps=["write `set owner.mark to ...`"]
    )


def amount_first(span: Span, amount: str, verb: str) -> Diagnostic:
    """``gain me.vp 1``."""
    return _error(
        "RW111",
        "the amount comes first",
        span,
        helps=[f"write `{verb} {amount}` and then the counter"],
    )


def set_needs_a_name(span: Span, name: str) -> Diagnostic:
    """``chooses 2 x in S`` without ``as``."""
    return _error(
        "RW114",
        "what is chosen here is a set, and it has no name",
        span,
        helps=[f"write `as` and a name after it; `{name}` is only each candidate"],
    )


def one_needs_no_name(span: Span, name: str) -> Diagnostic:
    """``chooses x in S as y``."""
    return _error(
        "RW114",
        "`as` names a set, and here one thing is chosen",
        span,
        helps=[f"it is called `{name}` already: take `as ...` away"],
    )


# ------------------------------------------------------------------ expressions


def value_if(span: Span) -> Diagnostic:
    """``x if c else y``."""
    return _error(
        "RW112",
        "the condition comes first",
        span,
        helps=["write `if CONDITION then A else B`"],
    )


def effect_if(span: Span) -> Diagnostic:
    """``gain 1 me.vp if c``."""
    return _error(
        "RW112",
        "the condition comes first",
        span,
        helps=["write `if CONDITION then EFFECT`"],
    )


def nobody_asked(span: Span, verb: str) -> Diagnostic:
    """``must a`` at the start of a line."""
    return _error(
        "RW100",
        f"expected the player who is asked, found `{verb}`",
        span,
        helps=[f"write the player before it, for example `me {verb} ...`"],
    )


def several_offers(span: Span, verb: str) -> Diagnostic:
    """``p must a or b``."""
    return _error(
        "RW100",
        "expected the end of the offer, found one more action",
        span,
        helps=[f"write `{verb} one of A, B`"],
    )


def compared_twice(span: Span) -> Diagnostic:
    """``a < b < c``."""
    return _error(
        "RW122",
        "two comparisons stand in a row",
        span,
        helps=["join them by `and`: `a < b and b < c`"],
    )


def all_takes_a_clause(span: Span) -> Diagnostic:
    """``all(S)``."""
    return _error(
        "RW100",
        "expected `x in S if C`, found a value",
        span,
        helps=["`all(x in S if C)`: for each x in S, C holds"],
    )


def number_too_large(span: Span, limit: int) -> Diagnostic:
    """A number beyond what the engine counts."""
    return _error("RW121", f"this number is over {limit}", span, helps=["write a smaller one"])


def whole_numbers(span: Span) -> Diagnostic:
    """``1.5``."""
    return _error(
        "RW121",
        "numbers are whole",
        span,
        helps=["count in a smaller unit, or use `/`, which rounds down"],
    )


def range_backwards(span: Span, low: int, high: int) -> Diagnostic:
    """``4..2``."""
    return _error(
        "RW126", f"the range {low}..{high} is empty", span, helps=[f"write `{high}..{low}`"]
    )


# ------------------------------------------------------------------ costs, maps, versions


def cost_from(span: Span) -> Diagnostic:
    """``1 chip from me.purse`` as a price."""
    return _error(
        "RW124",
        "a cost says where the pieces lie by `in`",
        span,
        helps=["write `in` for `from`: `2 card in me.hand`"],
    )


def no_range_of_spaces(span: Span) -> Diagnostic:
    """``a..7``."""
    return _error(
        "RW123",
        f"`{span.text}` is not a range of spaces",
        span,
        helps=["write the same letters with a smaller and a larger number: `c1..c11`"],
    )


def too_many_spaces(span: Span, limit: int) -> Diagnostic:
    """A range that would make a map huge."""
    return _error("RW123", f"this range has more than {limit} spaces", span)


def grid_size(span: Span, limit: int) -> Diagnostic:
    """``0 x 5``."""
    return _error("RW123", f"a grid has 1 to {limit} columns and 1 to {limit} rows", span)


def sign_between_spaces(span: Span) -> Diagnostic:
    """``A1 = A2 A3``."""
    return _error(
        "RW123",
        "expected `=`, `>` or `<` before this space, found none",
        span,
        helps=["`A = B` leads both ways, `A > B` one way; flags stand at the sign: `A >p B`"],
    )


def not_yet(span: Span, what: str) -> Diagnostic:
    """Something that a later version may have."""
    return _error("RW120", f"{what} is not in this version of the language", span)


# ------------------------------------------------------------------ limits and quotes


def too_deep(span: Span, what: str, limit: int) -> Diagnostic:
    """Nesting beyond a limit."""
    return _error(
        "RW115",
        f"more than {limit} {what} are nested here",
        span,
        helps=["give a part of it a name: a rule, a value or a `let`"],
    )


def too_long(span: Span, limit: int) -> Diagnostic:
    """A scalar beyond the limit."""
    return _error(
        "RW116", f"this text has more than {limit} characters", span, helps=["split it into rules"]
    )


def escape(span: Span) -> Diagnostic:
    """A backslash or a doubled quote inside quotes."""
    return _error(
        "RW118",
        "the language has no quotes and no escapes",
        span,
        helps=["write the text without quotes, or as a block below `|`"],
    )
