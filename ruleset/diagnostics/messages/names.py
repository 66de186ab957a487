"""Messages about names: RW20x for those that do not exist, RW21x for those that exist twice."""

from __future__ import annotations

from typing import Final

from ruleset.checking.kinds import article, in_words, kind_in_words
from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages.build import did_you_mean, error, listed
from ruleset.source import Span
from ruleset.syntax import Attribute, Ident
from ruleset.types import Member, Type

CODES: Final[dict[str, str]] = {
    "RW201": "a name that does not exist",
    "RW202": "a thing that does not have what stands after the dot",
    "RW203": "something of each thing, without saying whose",
    "RW204": "a declaration that names something unknown",
    "RW205": "a value, rule or kind written as a name",
    "RW206": "a dot after something that has no parts",
    "RW210": "a name bound twice",
    "RW211": "a bound name that means something already",
    "RW212": "a word for one kind, bound to another",
    "RW213": "a name declared twice",
    "RW214": "a name that could mean several things",
    "RW219": "not in this version of the language",
}
SHOWN: Final = 8


def no_name(span: Span, name: str, close: str | None) -> Diagnostic:
    """A bare name that nothing declares or binds."""
    return error("RW201", span, f"no name `{name}` here{did_you_mean(close)}")


def no_seat(span: Span, name: str) -> Diagnostic:
    """``p1``, which scenarios know and games do not."""
    number = name[-1]
    ways = ["`first(players)` is the first player"] if number == "1" else []
    ways.append(f"`nth(players, {number})` is the player in seat {number}, or none")
    return error(
        "RW201",
        span,
        f"no name `{name}` here: a game does not name its players",
        *ways,
        "what is different for each seat stands under `seats`, and is read as `me.NAME`",
    )


def no_such(span: Span, what: str, name: str, close: str | None) -> Diagnostic:
    """A name of one sort that does not exist."""
    return error("RW204", span, f"no {kind_in_words(what)} `{name}`{did_you_mean(close)}")


def no_kind(span: Span, name: str, where: str, close: str | None) -> Diagnostic:
    """A kind that is not declared."""
    return error(
        "RW204",
        span,
        f"no kind `{name}` for {where}{did_you_mean(close)}",
        "a kind is `player`, a key of `pieces` or `kinds`, or the `kind` of a map",
    )


def zone_of_what(span: Span, zone: str, name: str, close: str | None) -> Diagnostic:
    """A zone that holds no kind of piece."""
    return error(
        "RW204",
        span,
        f"`{zone}` holds `{name}`, which is no kind of piece{did_you_mean(close)}",
        "say which kind of piece lies here: `of: KIND`",
    )


def no_attribute(
    node: Attribute,
    kind: str,
    close: str | None,
    other: str | None,
    names: list[str] | None = None,
) -> Diagnostic:
    """A thing that lacks what stands after the dot."""
    helps = []
    if other:
        helps.append(f"`{node.name}` belongs to {in_words_of_kind(other)}")
    elif not close and names and len(names) <= SHOWN:
        helps.append(f"{kind} has {listed(names, 'and')}")
    message = f"{kind} has no `{node.name}`{did_you_mean(None if other else close)}"
    return error("RW202", node.name_span, message, *helps)


def in_words_of_kind(kind: str) -> str:
    """``a player`` for a kind."""
    return article(kind_in_words(kind))


def no_attributes(node: Attribute, of: Type, undeclared: bool) -> Diagnostic:
    """A dot after a number or a flag."""
    text = node.of.span.text
    if undeclared:
        return error(
            "RW206",
            node.of.span,
            f"`{text}` has no declared kind, so it is a number and has no `{node.name}`",
            f"say its kind under `words`, as `player: [{text}]`",
        )
    return error(
        "RW206", node.name_span, f"`{node.name}` of {in_words(of)}: only things have parts"
    )


def of_the_game(node: Attribute) -> Diagnostic:
    """``me.market`` where the market belongs to the game."""
    return error(
        "RW202",
        node.name_span,
        f"`{node.name}` belongs to the game, not to {node.of.span.text}",
        f"write `{node.name}` or `game.{node.name}`",
    )


def no_owner(node: Attribute, kind: str) -> Diagnostic:
    """``.owner`` of pieces that belong to nobody."""
    return error(
        "RW202",
        node.name_span,
        f"{kind} has no `owner`: it is not `each: player`",
        "`.holder` is the player in whose zone it lies, or none",
    )


def never_lies_there(node: Attribute, kind: str, place: str) -> Diagnostic:
    """``piece.KIND`` where no zone of that kind holds the piece."""
    return error(
        "RW202",
        node.name_span,
        f"{kind} has no `{place}`: no zone of {in_words_of_kind(place)} holds it",
        f"declare a zone with `each: {place}` and `of: {kind}`",
    )


def whose(span: Span, name: str, words: str, each: str, bound: list[str]) -> Diagnostic:
    """A zone, counter or mark of each thing without its owner."""
    owner = bound[0] if bound else each
    return error(
        "RW203",
        span,
        f"no name `{name}` here; whose? `{owner}.{name}`",
        f"the {words} `{name}` is `each: {each}`",
    )


def value_without_call(span: Span, name: str, params: tuple[Ident, ...]) -> Diagnostic:
    """A value without its brackets."""
    shape = f"{name}({', '.join(p.name for p in params)})"
    return error("RW205", span, f"`{name}` is a value: write `{shape}`")


def rule_as_value(span: Span, name: str, action: bool) -> Diagnostic:
    """A rule where a value is wanted."""
    what = "an action" if action else "a rule"
    return error("RW205", span, f"`{name}` is {what}, which has no value")


def step_as_value(span: Span, name: str) -> Diagnostic:
    """A step of the flow where a value is wanted."""
    return error(
        "RW205",
        span,
        f"`{name}` is a step of the flow, which has no value",
        f"`within {name}` says whether it is under way",
    )


def kind_as_name(span: Span, name: str, plural: str) -> Diagnostic:
    """The name of a kind that is not bound here."""
    helps = (f"all of them are `{plural}`",) if plural else ()
    return error("RW205", span, f"`{name}` is a kind, and no {name} has that name here", *helps)


def bound_twice(span: Span, name: str, first: Span | None) -> Diagnostic:
    """A name that is bound where it is bound already."""
    other = Label(first, "bound here first") if first is not None else None
    return error(
        "RW210",
        span,
        f"`{name}` is bound already",
        "a name never changes: take another one here",
        other=other,
    )


def name_taken(span: Span, name: str, what: str, first: Span | None) -> Diagnostic:
    """A bound name that is declared as something."""
    other = Label(first, f"{what} of that name") if first is not None else None
    return error("RW211", span, f"`{name}` is {what}, so it cannot be bound here", other=other)


def word_of_other_kind(span: Span, name: str, kind: str, found: Type) -> Diagnostic:
    """A word that is bound to a thing of another kind."""
    why = "its own name" if name == kind else "`words`"
    return error(
        "RW212",
        span,
        f"`{name}` is {in_words_of_kind(kind)} by {why}, here it would be {in_words(found)}",
        "take another name, or mend what it is taken from",
    )


def word_is_a_kind(span: Span, name: str, kind: str) -> Diagnostic:
    """The name of a kind under ``words`` of another kind."""
    return error("RW212", span, f"`{name}` is a kind and cannot be a word for `{kind}`")


def declared_twice(span: Span, name: str, what: str, before: str, first: Span) -> Diagnostic:
    """Two declarations under one name."""
    again = "twice" if what == before else f"as {what} and as {before}"
    return error(
        "RW213", span, f"`{name}` is declared {again}", other=Label(first, "declared here first")
    )


def kind_is_built_in(span: Span, name: str) -> Diagnostic:
    """A kind with a name that the language has already."""
    return error("RW213", span, f"`{name}` is a kind of the language; take another name")


def field_taken(span: Span, kind: str, name: str) -> Diagnostic:
    """A field with the name of a zone, counter or mark of the same kind."""
    return error("RW213", span, f"`{kind}` has a zone, counter or mark called `{name}` already")


def ambiguous(span: Span, name: str, found: list[Member]) -> Diagnostic:
    """A member that several kinds have, where nothing says which is meant."""
    kinds = " and ".join(in_words_of_kind(member.kind) for member in found)
    return error("RW214", span, f"`{name}` is {kinds}, and nothing here says which is meant")


def member_in_words(member: Member) -> str:
    """A member of a kind as ``a space``, ``a colour``."""
    return in_words_of_kind(member.kind)


def code_param_without_word(span: Span, name: str) -> Diagnostic:
    """A parameter of code on a piece whose kind nothing says."""
    return error(
        "RW204", span, f"nothing says what `{name}` is", f"say its kind under `words`: `{name}`"
    )


def not_yet(span: Span, what: str) -> Diagnostic:
    """Something that a later version will have."""
    return error("RW219", span, f"{what} is not in this version of the language")


def not_held(span: Span, form: str) -> Diagnostic:
    """A form of rule that a piece cannot bring."""
    return error(
        "RW219",
        span,
        f"{form} that a piece brings is not in this version of the language",
        "write it under `rules`, and ask there whether the piece is held",
    )
