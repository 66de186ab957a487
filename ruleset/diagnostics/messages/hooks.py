"""Messages about what rules hang on, and about names of steps: RW23x and RW33x."""

from __future__ import annotations

from typing import Final

from ruleset.checking.kinds import in_words
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages.build import did_you_mean, error
from ruleset.source import Span
from ruleset.syntax import GameFile
from ruleset.types import Type

CODES: Final[dict[str, str]] = {
    "RW231": "an event that does not exist",
    "RW232": "a rule, value or action in the place of another",
    "RW233": "a name of a pattern that means something already",
    "RW331": "a pattern with another number of names",
    "RW332": "a name of a pattern of another kind",
    "RW333": "`over` where nothing is replaced",
    "RW334": "events of one rule that bind different names",
}


def no_event(span: Span, name: str, close: str | None) -> Diagnostic:
    """A hook on a rule or step that does not exist."""
    return error("RW231", span, f"no rule or step `{name}` to hook{did_you_mean(close)}")


def value_hooked(span: Span, name: str) -> Diagnostic:
    """A hook on a value."""
    return error(
        "RW232",
        span,
        f"`{name}` is a value, which does not happen",
        f"a value is changed by `modify: {name}(...)`",
    )


def no_code_field(span: Span, name: str, field: str) -> Diagnostic:
    """A hook on code that a type does not have."""
    return error("RW231", span, f"`{name}` has no code `{field}` to hook")


def wrong_target(span: Span, name: str, verb: str) -> Diagnostic:
    """``modify`` of a rule, ``forbid`` or ``replace`` of a value."""
    if verb == "modify":
        return error(
            "RW232",
            span,
            f"`{name}` has no value to modify",
            f"a rule is changed by `when: instead of {name}(...)`",
        )
    done = "forbidden" if verb == "forbid" else "paid otherwise"
    return error("RW232", span, f"`{name}` is no action and cannot be {done}")


def wrong_arity(span: Span, name: str, params: list[tuple[str, Type]], has: int) -> Diagnostic:
    """A pattern with another number of names."""
    header = f"{name}({', '.join(p for p, _ in params)})" if params else name
    return error("RW331", span, f"`{header}` has {len(params)} names, this gives {has}")


def wrong_kind(
    span: Span, target: str, name: str, want: Type, given: str, found: Type
) -> Diagnostic:
    """A name of a pattern of another kind."""
    return error(
        "RW332",
        span,
        f"`{target}`: `{name}` is {in_words(want)}, `{given}` is {in_words(found)}",
    )


def pattern_name_taken(span: Span, name: str, what: str, param: str) -> Diagnostic:
    """A name of a pattern that is declared as something."""
    return error(
        "RW233",
        span,
        f"`{name}` is {what}, and a name here is bound by the event",
        f"bind `{param}`, and ask for `{param} is {name}` under `if`",
    )


def binds_other_names(span: Span, first: tuple[str, ...], names: tuple[str, ...]) -> Diagnostic:
    """Two events of one rule with different names."""
    a, b = ", ".join(first) or "none", ", ".join(names) or "none"
    return error(
        "RW334",
        span,
        f"the first event binds {a}, this one {b}",
        "all events of one rule bind the same names",
    )


def counts_as_itself(span: Span, name: str) -> Diagnostic:
    """An action that counts as itself."""
    return error("RW232", span, f"`{name}` counts as itself")


def over_without_instead(span: Span, name: str) -> Diagnostic:
    """``over`` in a rule that replaces nothing."""
    return error("RW333", span, f"`{name}` replaces nothing: `over` orders rules with `instead of`")


def over_itself(span: Span) -> Diagnostic:
    """``over`` that names its own rule."""
    return error("RW333", span, "a rule cannot go over itself")


def rule_is_no_step(span: Span, name: str, action: bool) -> Diagnostic:
    """A step that names a rule with parameters."""
    if action:
        return error(
            "RW232",
            span,
            f"`{name}` is an action, not a step",
            f"declare a step: `{{each: me in players, do: me must {name}}}`",
        )
    return error(
        "RW232",
        span,
        f"`{name}` has parameters and cannot be a step",
        f"declare a step whose `do` calls `{name}(...)`",
    )


def not_a_step(span: Span, name: str, what: str) -> Diagnostic:
    """A step that names a hook or a value."""
    return error("RW232", span, f"`{name}` is a {what}, not a step")


def no_game_step(file: GameFile) -> Diagnostic:
    """A flow without its first step."""
    return error("RW231", file.span, "the flow has no step `game`, with which it begins")
