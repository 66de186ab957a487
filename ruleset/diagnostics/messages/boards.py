"""Messages about places, lists and parts of prices: RW366 to RW371."""

from __future__ import annotations

from typing import Final

from ruleset.checking.kinds import article, kind_in_words
from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages.build import did_you_mean, error, listed
from ruleset.source import Span
from ruleset.syntax import (
    Attribute,
    CostEntry,
    Ident,
    Piece,
    PieceType,
    PlaceDecl,
    PlaceType,
    Table,
)

CODES: Final[dict[str, str]] = {
    "RW366": "a list where only a set or a thing can stand",
    "RW367": "places on what has no places",
    "RW368": "a number of pieces in play that does not fit",
    "RW369": "a list of actions with something else in it",
    "RW370": "a part of a price that cannot be replaced",
    "RW371": "an action by name where none can be offered",
}


def list_here(span: Span) -> Diagnostic:
    """A list field where its members are not gone through."""
    text = span.text
    return error(
        "RW366",
        span,
        f"`{text}` is a list: it can be gone through and counted, nothing else",
        f"write `those(x in {text})` for the set of its members",
        f"ask for one member by `any(x in {text} if x is ...)`",
    )


def list_of_each(node: Attribute) -> Diagnostic:
    """``targets.takes``: the lists of several things at once."""
    of = node.of.span.text
    return error(
        "RW366",
        node.name_span,
        f"`{node.name}` is a list, and `{of}` is a set: several lists do not make one",
        f"go through `{of}` first, then through the list of each",
    )


def list_only_in_fields(span: Span, what: str) -> Diagnostic:
    """A list as the type of a mark or an option."""
    return error(
        "RW366",
        span,
        f"{what} cannot be a list: only fields are",
        "write `set of ...` where no member comes twice",
    )


def not_in_a_list(span: Span, kind: str) -> Diagnostic:
    """A list of numbers or of flags."""
    return error(
        "RW366", span, f"a list has members of a kind, and `{kind}` is none", "declare a kind"
    )


def list_of_names(span: Span, name: str, kind: str) -> Diagnostic:
    """Something else than names as the value of a list field."""
    return error(
        "RW366",
        span,
        f"expected a list of {kind_in_words(kind)} as `{name}`, found `{span.text}`",
        "write `[a, b]`, or `(a, b)`",
    )


def flagged_action_type(span: Span, what: str) -> Diagnostic:
    """The kind ``action`` outside a list field."""
    return error(
        "RW219",
        span,
        f"{what} of the type `action` is not in this version of the language",
        "a field can be a `list of action`",
    )


def no_board(each: Ident, place: str, close: str | None) -> Diagnostic:
    """Places of something that is no player and no space."""
    return error(
        "RW367",
        each.span,
        f"the places `{place}` cannot lie on `{each.name}`{did_you_mean(close)}",
        "expected `player`, a kind of spaces, or a named set of spaces",
    )


def board_not_listed(each: Ident, place: str, listed_at: Span) -> Diagnostic:
    """Places of a set of spaces that a condition makes."""
    return error(
        "RW367",
        each.span,
        f"the places `{place}` need fixed spaces, and `{each.name}` is found by a condition",
        "list the spaces of the set under `of`",
        other=Label(listed_at, f"`{each.name}` is declared here"),
    )


def on_a_player(at: Ident, place: str) -> Diagnostic:
    """``at`` of places that players have."""
    return error(
        "RW367",
        at.span,
        f"`at` names a space, and the places `{place}` are `each: player`",
        "delete it: all players have the same places",
    )


def not_on_it(at: Ident, place: PlaceDecl, close: str | None) -> Diagnostic:
    """``at`` a space that is not one of those that have the places."""
    return error(
        "RW367",
        at.span,
        f"`{at.name}` has no places `{place.name}`{did_you_mean(close)}",
        f"expected one of `{place.each.name}`",
        other=Label(place.each.span, "these have them"),
    )


def place_value_missing(place_type: PlaceType, place: PlaceDecl, name: str) -> Diagnostic:
    """A type of place that leaves a field open."""
    return error(
        "RW362",
        place_type.name_span,
        f"`{place_type.name}` has no value for the field `{name}`",
        f"write it, or a default for all under `places.{place.name}.defaults`",
    )


def plural_taken(place: PlaceDecl, base: str) -> Diagnostic:
    """Places called like a zone, counter or mark of whose they are."""
    return error(
        "RW213",
        place.name_span,
        f"`{base}` has a zone, counter or mark called `{place.plural}` already",
        "give the places another `plural`",
    )


def field_is_built_in(span: Span, kind: str, name: str) -> Diagnostic:
    """A field with the name of what every place has."""
    return error("RW213", span, f"every `{kind}` has `{name}` already", "rename the field")


def more_than_copies(piece_type: PieceType, in_play: Ident, table: Table, most: int) -> Diagnostic:
    """More copies in play than there are."""
    players = next(n for n, value in table.values.items() if value == most)
    return error(
        "RW368",
        in_play.span,
        f"`{table.name}` puts {most} of each type in play with {players} players, "
        f"and `{piece_type.name}` has {piece_type.copies}",
        "raise `copies`, or lower the number of the table",
        other=Label(piece_type.name_span, f"copies: {piece_type.copies}"),
    )


def negative_in_play(in_play: Ident, table: Table, least: int) -> Diagnostic:
    """A table with a number below 0."""
    return error("RW368", in_play.span, f"`{table.name}` has {least}, expected 0 or more")


def starts_nowhere(in_play: Ident, piece: Piece) -> Diagnostic:
    """``in play`` of pieces that all start in the box."""
    return error(
        "RW368",
        in_play.span,
        f"nothing says where a `{piece.name}` that is in play starts",
        "add `starts: ZONE`",
    )


def not_an_action(item: Ident, what: str, close: str | None) -> Diagnostic:
    """A name in a list of actions that is no action."""
    if what:
        return error(
            "RW369",
            item.span,
            f"`{item.name}` is {article(what)}, and a list of actions names actions",
        )
    return error("RW369", item.span, f"no action `{item.name}`{did_you_mean(close)}")


def takes_more(item: Ident, params: list[str]) -> Diagnostic:
    """An action in a list that needs more than the player."""
    header = f"{item.name}({', '.join(params)})"
    return error(
        "RW369",
        item.span,
        f"`{header}` cannot stand in a list: an action there takes the player and nothing else",
        "let it ask for the rest under `choose`",
    )


def no_price(cost: Ident, action: str, names: list[str], close: str | None) -> Diagnostic:
    """A price that the action does not have."""
    helps = [f"its prices: {listed(names, 'and')}"] if names else []
    return error(
        "RW370", cost.span, f"`{action}` has no price `{cost.name}`{did_you_mean(close)}", *helps
    )


def no_items(cost: Ident, entry: CostEntry) -> Diagnostic:
    """A price that is no number of pieces."""
    return error(
        "RW370",
        cost.span,
        f"`{cost.name}` is not paid in pieces, so no part of it can be replaced",
        "a price that a player chooses: write a list of prices under its name",
        other=Label(entry.span, "the price"),
    )


def replaces_nothing(span: Span) -> Diagnostic:
    """``replace: 0 of ...``."""
    return error("RW370", span, "this replaces nothing: expected a number of 1 or more, or `all`")


def each_replaces_each(span: Span) -> Diagnostic:
    """A list of prices under ``by`` with one that is paid for each of many."""
    return error(
        "RW370",
        span,
        "one item is replaced by one price, not by one for each of several",
        "write `N me.counter`, or `N x in S`",
    )


def action_with_arguments(span: Span, name: str) -> Diagnostic:
    """``me may action(x)`` for a bound name."""
    return error(
        "RW371", span, f"`{name}` stands for an action, which takes no arguments here", name
    )


def action_among_others(span: Span, name: str, where: str) -> Diagnostic:
    """A bound name of the kind ``action`` among several offers, or after ``can``."""
    return error(
        "RW371",
        span,
        f"`{name}` stands for an action, which cannot be named {where}",
        f"write `me may {name}` or `me must {name}`",
    )


def several_in_secret(span: Span, action: str, amount: Span) -> Diagnostic:
    """A choice of several things in an action that players are asked together."""
    return error(
        "RW219",
        span,
        f"`{action}` chooses several at once, which is not in this version of the language "
        "where players are asked together",
        "choose one thing under `choose`, or ask the players one after the other",
        other=Label(amount, "here it chooses several"),
    )


def not_in_secret(span: Span, what: str, help_: str) -> Diagnostic:
    """An offer to players who are asked together that cannot be made in secret."""
    return error(
        "RW219",
        span,
        f"{what} is not in this version of the language where players are asked together",
        help_,
    )


def places_differ(place: PlaceDecl, listed_: int, base: str) -> Diagnostic:
    """Places that do not add up."""
    assert place.total_span is not None
    where = f"on `{base}`" if base else "for each player"
    are = "is" if listed_ == 1 else "are"
    return error(
        "RW420",
        place.total_span,
        f"{listed_} {are} listed {where}, the total says {place.total}",
    )
