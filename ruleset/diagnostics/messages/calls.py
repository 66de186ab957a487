"""Messages about what is called, offered and asked: RW22x and RW32x."""

from __future__ import annotations

from typing import Final

from ruleset.checking.kinds import in_words, kind_of
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages.build import did_you_mean, error
from ruleset.source import Span
from ruleset.syntax import Happen, Hook
from ruleset.types import NumberT, ThingT, Type

CODES: Final[dict[str, str]] = {
    "RW221": "a rule, value or action that does not exist",
    "RW222": "a value, rule, step or hook called as something else",
    "RW223": "an action called instead of offered",
    "RW224": "code that a piece does not have",
    "RW225": "no rule or step of that name",
    "RW321": "another number of arguments",
    "RW322": "an argument of another kind",
    "RW323": "something asked that is no player",
}
Params = list[tuple[str, Type]]


def _header(name: str, params: Params) -> str:
    return f"{name}({', '.join(p for p, _ in params)})"


def no_rule(span: Span, name: str, close: str | None) -> Diagnostic:
    """A call of a rule that does not exist."""
    return error("RW221", span, f"no rule `{name}`{did_you_mean(close)}")


def no_value(span: Span, name: str, close: str | None) -> Diagnostic:
    """A call of a value that does not exist."""
    return error("RW221", span, f"no value `{name}`{did_you_mean(close)}")


def no_action(span: Span, name: str, close: str | None) -> Diagnostic:
    """An offer of an action that does not exist."""
    return error("RW221", span, f"no action `{name}`{did_you_mean(close)}")


def rule_has_no_value(span: Span, name: str) -> Diagnostic:
    """A rule called where a value is wanted."""
    return error(
        "RW222",
        span,
        f"`{name}` is a rule, which has no value",
        f"as an effect it is `{name}(...)` on a line of its own; a value has `is`",
    )


def table_called(span: Span, name: str) -> Diagnostic:
    """``stake(3)`` where stake is a table."""
    return error("RW222", span, f"`{name}` is a table: write `{name}`")


def not_callable(span: Span, name: str) -> Diagnostic:
    """A name with brackets that is no function."""
    return error("RW222", span, f"`{name}` cannot be called: write `{name}`")


def value_as_effect(span: Span, name: str) -> Diagnostic:
    """A value where an effect is wanted."""
    return error(
        "RW222", span, f"`{name}` is a value: nothing happens by asking for it",
        f"`let n = {span.text}` names it for what follows",
    )  # fmt: skip


def condition_as_effect(span: Span, name: str) -> Diagnostic:
    """A condition of a piece where an effect is wanted."""
    return error("RW222", span, f"`{name}` is a condition: write `if {span.text} then ...`")


def code_has_no_value(span: Span, name: str) -> Diagnostic:
    """An effect of a piece where a value is wanted."""
    return error("RW222", span, f"`{name}` is an effect, which has no value")


def value_offered(span: Span, name: str) -> Diagnostic:
    """A value where an action is wanted."""
    return error("RW222", span, f"`{name}` is a value, which cannot be offered")


def step_called(span: Span, name: str) -> Diagnostic:
    """A step of the flow where a rule is wanted."""
    return error(
        "RW222",
        span,
        f"`{name}` is a step of the flow, which no rule can call",
        "name it under `steps` or `repeat` of another step",
    )


def hook_called(span: Span, name: str, hook: Hook) -> Diagnostic:
    """A hook where a rule is wanted."""
    return error(
        "RW222", span, f"`{name}` happens by itself, {hook.span.text}, and cannot be called"
    )


def action_called(effect: Happen, who: str, has_params: bool) -> Diagnostic:
    """An action called like a rule."""
    rest = ", ".join(arg.span.text for arg in effect.args[1:])
    offer = f"{effect.name}({rest})" if rest else effect.name
    helps = [f"write `{who} must {offer}`"] if has_params else []
    return error(
        "RW223", effect.span, f"`{effect.name}` asks or costs something: say who is asked", *helps
    )


def no_code(span: Span, kind: str, found: Type, name: str, close: str | None) -> Diagnostic:
    """A call of code that a piece does not have."""
    what = kind or in_words(found)
    return error("RW224", span, f"{what} has no code `{name}`{did_you_mean(close)}")


def no_frame(span: Span, name: str, close: str | None) -> Diagnostic:
    """A rule or step that does not exist, in ``stop`` or ``within``."""
    return error("RW225", span, f"no such rule or step `{name}`{did_you_mean(close)}")


def value_is_no_frame(span: Span, name: str) -> Diagnostic:
    """A value in ``stop`` or ``within``."""
    return error("RW222", span, f"`{name}` is a value, which is never under way")


def wrong_number(span: Span, name: str, params: Params, has: int) -> Diagnostic:
    """Another number of arguments than names."""
    return error("RW321", span, f"`{_header(name, params)}` takes {len(params)}, this gives {has}")


def wrong_offer(span: Span, name: str, params: Params, has: int) -> Diagnostic:
    """Another number of arguments than names in an offer."""
    wants = len(params) - 1
    return error(
        "RW321",
        span,
        f"`{_header(name, params)}` takes {wants} besides the player, this gives {has}",
        "the player who is asked stands before `must` or `may` and is not repeated",
    )


def wrong_argument(span: Span, called: str, name: str, want: Type, found: Type) -> Diagnostic:
    """An argument of another kind."""
    help_: tuple[str, ...] = ()
    if isinstance(want, ThingT) and isinstance(found, ThingT) and found.kind == f"{want.kind}.type":
        help_ = (f"`{span.text}` is a type, of which there are several pieces",)
    elif isinstance(want, NumberT) and kind_of(found).endswith((".type", ".side")):
        help_ = (f"a name has another kind by its word: `words: {{{kind_of(found)}: [{name}]}}`",)
    return error(
        "RW322",
        span,
        f"`{called}`: `{name}` is {in_words(want)}, this is {in_words(found)}",
        *help_,
    )


def not_offerable(span: Span, name: str, params: Params) -> Diagnostic:
    """A rule that does not say which player does it."""
    first = f"`{params[0][0]}` is {in_words(params[0][1])}" if params else "it has no parameter"
    return error(
        "RW323",
        span,
        f"`{name}` cannot be offered: its first name must be the player, {first}",
        "declare the word: `words: {player: [me]}`",
    )


def asks_a_set(span: Span, text: str) -> Diagnostic:
    """Several players asked at once."""
    return error(
        "RW323",
        span,
        "one player is asked at a time, this is a set of players",
        f"`for p in {text} do p must ...` asks in turn",
        f"`together p in {text} do p must ...` asks all at once",
    )


def only_a_player(span: Span, found: Type) -> Diagnostic:
    """Something asked that is no player."""
    return error("RW323", span, f"only a player can be asked, this is {in_words(found)}")


def only_a_player_wins(span: Span, found: Type) -> Diagnostic:
    """Something that wins and is no player."""
    return error("RW323", span, f"only players can win, this is {in_words(found)}")
