"""Messages about lines of effects that do not read as such, and how they nest: RW106 to RW125."""

from __future__ import annotations

from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages.syntax import error
from ruleset.source import Span

CODES: Final[dict[str, str]] = {
    "RW106": "indentation that does not fit",
    "RW107": "`else` without its `if`",
    "RW108": "a block after a one-line form",
    "RW109": "a line that does nothing",
    "RW110": "a counter or mark without its owner",
    "RW111": "an amount after the counter",
    "RW113": "a verb that the language does not have",
    "RW114": "a set that was chosen and its name",
    "RW117": "two effects on one line",
    "RW125": "something that cannot be changed so",
}


# ------------------------------------------------------------------ lines and blocks


def no_block(head: Span, what: str) -> Diagnostic:
    """``if C`` with nothing indented below it."""
    return error(
        "RW106",
        f"expected an indented line below `{what}`, found none",
        head,
        helps=["indent the lines that belong to it"],
    )


def too_far_in(line: Span) -> Diagnostic:
    """A line is indented and nothing above it opens a block."""
    return error(
        "RW106",
        "this line is indented, and the line above it opens no block",
        line,
        helps=["put it below the start of the line above"],
    )


def no_such_level(line: Span) -> Diagnostic:
    """A line goes back to a place where no block begins."""
    return error(
        "RW106",
        "this line is under no line of the block above it",
        line,
        helps=["put it exactly below the first line of the block that it belongs to"],
    )


def tab(span: Span) -> Diagnostic:
    """A tab anywhere in the language."""
    return error("RW106", "a tab stands here", span, helps=["write blanks"])


def else_alone(span: Span) -> Diagnostic:
    """``else`` that follows no ``if``."""
    return error(
        "RW107",
        "`else` follows no `if`",
        span,
        helps=["put it directly below an `if` line or its block, exactly below that `if`"],
    )


def else_needs_a_line(span: Span) -> Diagnostic:
    """``if C then X else Y`` in effects."""
    return error(
        "RW107",
        "in effects `else` stands on a line of its own",
        span,
        helps=["put `else ...` on the next line, exactly below the `if`"],
    )


def may_needs_no_else(span: Span) -> Diagnostic:
    """``p may a else x``."""
    return error(
        "RW107",
        "`may` takes no `else`",
        span,
        helps=["who may also passes, and then nothing happens; `must` takes an `else`"],
    )


def word_before_block(span: Span, word: str) -> Diagnostic:
    """``for x in S do`` with a block."""
    return error(
        "RW108",
        f"`{word}` stands before a block",
        span,
        helps=[f"take `{word}` away: a block needs none; `{word}` is for one effect on its line"],
    )


def two_effects(span: Span) -> Diagnostic:
    """A second effect on the line."""
    return error(
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
    return error("RW109", f"`{text}` alone is not an effect", span, helps=helps)


def not_an_effect(span: Span) -> Diagnostic:
    """A value where an effect is wanted."""
    return error(
        "RW109",
        "this is a value, not an effect",
        span,
        helps=["an effect begins with a verb, with a player who is asked, or is a call"],
    )


def unknown_verb(span: Span, verb: str, advice: str) -> Diagnostic:
    """``discard x`` and the like."""
    return error("RW113", f"`{verb}` is not a verb of the language", span, helps=[advice])


def do_is_no_verb(span: Span, name: str) -> Diagnostic:
    """``do x`` with another word than ``base``."""
    return error(
        "RW113",
        "`do` begins an effect only in `do base`",
        span,
        helps=[f"to do a rule call it: `{name}()`"],
    )


def together_asks(span: Span) -> Diagnostic:
    """``together`` with anything but an offer."""
    return error(
        "RW125",
        "`together` asks players, and this asks nobody",
        span,
        helps=["write `together p in S do p must ACTION`"],
    )


def whose(span: Span, name: str, *, is_set: bool = False) -> Diagnostic:
    """``gain 1 vp``; ``set vp to 1`` may mean a name that was bound."""
    helps = [f"write `me.{name}` for a player's, `game.{name}` for one that is nobody's"]
    if is_set:
        helps.append("a bound name never changes: write `let other = ...`, or use a mark")
    return error(
        "RW110",
        f"`{name}` does not say whose it is",
        span,
        "whose?",
        helps=helps,
    )


def not_a_counter(span: Span) -> Diagnostic:
    """A counter is wanted and there is a call or the like."""
    return error(
        "RW125", "expected a counter, found a value", span, helps=["write `owner.counter`"]
    )


def only_marks_are_set(span: Span) -> Diagnostic:
    """``set f(x) to y``."""
    return error(
        "RW125", "expected a mark, found a value", span, helps=["write `set owner.mark to ...`"]
    )


def amount_first(span: Span, amount: str, verb: str) -> Diagnostic:
    """``gain me.vp 1``."""
    return error(
        "RW111",
        "the amount comes first",
        span,
        helps=[f"write `{verb} {amount}` and then the counter"],
    )


def set_needs_a_name(span: Span, name: str) -> Diagnostic:
    """``chooses 2 x in S`` without ``as``."""
    return error(
        "RW114",
        "what is chosen here is a set, and it has no name",
        span,
        helps=[f"write `as` and a name after it; `{name}` is only each candidate"],
    )


def one_needs_no_name(span: Span, name: str) -> Diagnostic:
    """``chooses x in S as y``."""
    return error(
        "RW114",
        "`as` names a set, and here one thing is chosen",
        span,
        helps=[f"it is called `{name}` already: take `as ...` away"],
    )


def several_offers(span: Span, verb: str) -> Diagnostic:
    """``p must a or b``."""
    return error(
        "RW100",
        "expected the end of the offer, found one more action",
        span,
        helps=[f"write `{verb} one of A, B`"],
    )


def nobody_asked(span: Span, verb: str) -> Diagnostic:
    """``must a`` at the start of a line."""
    return error(
        "RW100",
        f"expected the player who is asked, found `{verb}`",
        span,
        helps=[f"write the player before it, for example `me {verb} ...`"],
    )
