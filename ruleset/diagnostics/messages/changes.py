"""Messages about what effects do and what declarations promise: RW34x to RW36x."""

from __future__ import annotations

from typing import Final

from ruleset.checking.kinds import article, in_words
from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages.build import error, listed, warning
from ruleset.source import Span
from ruleset.syntax import Ident, Mark, OptionDecl, Piece, PieceType, Zone
from ruleset.types import FieldRef, Local, MarkRef, Ref, Type, ZoneRef

CODES: Final[dict[str, str]] = {
    "RW340": "a counter that is set, or a mark that is counted",
    "RW341": "a place to move to that is none",
    "RW342": "a piece in a zone for another kind",
    "RW343": "something moved that is no piece",
    "RW344": "an end or order of a zone that has none",
    "RW345": "a piece without sides",
    "RW346": "an amount that makes no sense",
    "RW347": "`do base` where nothing is replaced",
    "RW348": "an ending of something else than the game",
    "RW349": "a mark that cannot be none",
    "RW350": "an action without its player",
    "RW351": "players who are not asked together",
    "RW352": "a piece that leaves where it stays",
    "RW353": "an offer made twice",
    "RW354": "a name for nothing",
    "RW355": "a modifier of a number on what is none",
    "RW360": "a result that players do not have",
    "RW361": "a table that lacks a number of players",
    "RW362": "a field without a value",
    "RW363": "a default that the option cannot have",
    "RW364": "an owner to see what has no owner",
    "RW365": "a mark that would hold code",
}


def counter_set(span: Span) -> Diagnostic:
    """``set`` of a counter."""
    text = span.text
    return error(
        "RW340",
        span,
        f"`{text}` is a counter: it changes by `gain`, `lose` and `pay` only",
        f"write `gain N {text}` or `lose N {text}`",
    )


def not_a_mark(span: Span, found: Type, ref: Ref | None) -> Diagnostic:
    """``set`` of something that is no mark."""
    if isinstance(ref, ZoneRef):
        return error("RW340", span, f"`{span.text}` is a zone: write `move x to {span.text}`")
    if isinstance(ref, FieldRef):
        return error("RW340", span, f"`{span.text}` is printed on it and never changes")
    if isinstance(ref, Local):
        return error(
            "RW340",
            span,
            f"`{span.text}` is a name, and a name never changes",
            "what changes is a mark or a counter: declare one under `marks`, `set me.NAME to ...`",
            "for another value write another name: `let m = ...`",
        )
    return error("RW340", span, f"`set` wants a mark, as `me.ready`; this is {in_words(found)}")


def not_a_counter(span: Span, found: Type, ref: Ref | None, role: str) -> Diagnostic:
    """``gain`` of something that is no counter."""
    if isinstance(ref, MarkRef):
        return error(
            "RW340",
            span,
            f"`{span.text}` is a mark: {role} is for counters",
            f"write `set {span.text} to ...`",
        )
    if isinstance(ref, ZoneRef):
        return error(
            "RW340",
            span,
            f"`{span.text}` is a zone: {role} is for counters",
            f"pieces go by `move x to {span.text}`",
        )
    return error("RW340", span, f"{role} wants a counter, this is {in_words(found)}")


def not_a_place(span: Span, found: Type, zones: list[str], role: str) -> Diagnostic:
    """Something to move to that is no zone."""
    helps = []
    if zones:
        helps.append(f"its zones are {listed([f'{span.text}.{z}' for z in zones[:4]], 'and')}")
    return error("RW341", span, f"{role}: expected a zone, found {in_words(found)}", *helps)


def wrong_zone(span: Span, zone: Zone, piece: str) -> Diagnostic:
    """A piece of another kind than the zone holds."""
    return error(
        "RW342",
        span,
        f"`{zone.name}` holds {zone.of.name}, this is {article(piece)}",
        other=Label(zone.name_span, f"for {zone.of.name} only"),
    )


def not_a_piece(span: Span, found: Type, role: str) -> Diagnostic:
    """Something moved that is no piece."""
    return error("RW343", span, f"{role}: expected a piece, found {in_words(found)}")


def type_moved(span: Span, kind: str, role: str) -> Diagnostic:
    """A type in the place of a piece."""
    return error(
        "RW343",
        span,
        f"{role}: `{span.text}` is a type of {kind} with several copies",
        f"say which: `first(x in S if x.type is {span.text})`",
    )


def swaps_unlike(span: Span, a: str, b: str) -> Diagnostic:
    """Two kinds that change places."""
    return error("RW342", span, f"{article(a)} cannot change places with {article(b)}")


def leaves_its_place(span: Span, kind: str, stays: Ident) -> Diagnostic:
    """A move of a piece out of where it stays."""
    return error(
        "RW352",
        span,
        f"{kind} stays in {article(stays.name)}, and `{span.text}` is not of one",
        other=Label(stays.span, "said here"),
    )


def stays_and_never_starts(stays: Ident, kind: str) -> Diagnostic:
    """A piece that stays somewhere and begins in the box."""
    return error(
        "RW352",
        stays.span,
        f"{kind} stays in {article(stays.name)}, and begins in the box: it has no `starts`",
        "say where it begins: `starts: ...`",
    )


def not_an_end(span: Span, found: Type) -> Diagnostic:
    """``at`` something that is no end and no number."""
    return error(
        "RW344",
        span,
        f"`at`: expected `left`, `right`, `top`, `bottom` or a number, found {in_words(found)}",
    )


def no_ends(span: Span, zone: Zone) -> Diagnostic:
    """``at left`` of a zone without an order."""
    return error(
        "RW344",
        span,
        f"`{zone.name}` has no ends",
        "a zone with `order: row` or `order: pile` has",
        other=Label(zone.name_span),
    )


def nothing_to_shuffle(span: Span, zone: Zone) -> Diagnostic:
    """``shuffle`` of a zone without an order."""
    what = "a bag is drawn from by chance" if zone.order == "bag" else "it has no order"
    return error("RW344", span, f"`{zone.name}` need not be shuffled: {what}")


def draws_unlike(span: Span, zone: Zone) -> Diagnostic:
    """``draw`` from a zone without an order that holds several types."""
    return error(
        "RW344",
        span,
        f"which one? `{zone.name}` has no order, and what lies in it may differ",
        "give the zone `order: pile` or `order: bag`, or `move` one that is chosen",
    )


def from_the_box(span: Span) -> Diagnostic:
    """``draw`` from the box."""
    return error("RW341", span, "nothing can be drawn from the box")


def has_no_sides(span: Span, kind: str) -> Diagnostic:
    """``flip`` or ``roll`` of a piece without sides."""
    return error("RW345", span, f"{kind} has no sides", f"give `pieces.{kind}` its `sides`")


def amount_below_one(span: Span, role: str) -> Diagnostic:
    """An amount of nothing."""
    return warning("RW346", span, f"{role} of {span.text} does nothing")


def amount_negative(span: Span, role: str) -> Diagnostic:
    """An amount below nothing."""
    return error(
        "RW346", span, f"{role} of a negative amount: `gain` and `lose` are each the other"
    )


def amount_reversed(span: Span, low: int, high: int) -> Diagnostic:
    """From more to less."""
    return error("RW346", span, f"no number is from {low} to {high}", f"write `{high}..{low}`")


def chooses_none(span: Span) -> Diagnostic:
    """An amount that is never more than none."""
    return error("RW346", span, "at least one must be possible to choose")


def repeats_never(span: Span) -> Diagnostic:
    """``repeat 0 times``."""
    return warning("RW346", span, "this never happens")


def no_base(span: Span) -> Diagnostic:
    """``do base`` in a rule that replaces nothing."""
    return error(
        "RW347",
        span,
        "`do base` means what is replaced, and nothing is replaced here",
        "it stands in a rule with `when: instead of ...`",
    )


def only_the_game_is_won(span: Span, name: str) -> Diagnostic:
    """``stop phase won by p``."""
    return error("RW348", span, f"only the game is won, lost or drawn, not `{name}`")


def mark_cannot_be_none(span: Span, mark: Mark) -> Diagnostic:
    """None for a mark that is not declared so."""
    return error(
        "RW349",
        span,
        f"this may be none, and the mark `{mark.name}` may not",
        f"declare it as `{mark.type.span.text} or none`",
        other=Label(mark.type.span, "declared here"),
    )


def no_player_first(span: Span, name: str, first: Ident | None) -> Diagnostic:
    """An action whose first parameter is no player."""
    has = f"`{first.name}` is no word for a player" if first else "it has no parameter"
    word = first.name if first else "me"
    return error(
        "RW350",
        span,
        f"`{name}` asks or costs something, so its first name must be the player: {has}",
        f"declare the word: `words: {{player: [{word}]}}`",
    )


def together_only_asks(span: Span, name: str) -> Diagnostic:
    """A simultaneous step that does something else than ask."""
    return error(
        "RW351",
        span,
        "`together` asks everybody at once: its `do` is one line that asks",
        f"write `{name} must ACTION` or `{name} may ACTION`",
    )


def together_asks_other(span: Span, name: str) -> Diagnostic:
    """A simultaneous step that asks somebody else."""
    return error("RW351", span, f"`together` asks `{name}` of its own clause, not somebody else")


def together_wants_players(span: Span, found: Type) -> Diagnostic:
    """A simultaneous choice over something else than players."""
    return error("RW351", span, f"`together` wants players, this is {in_words(found)}")


def from_wants_players(span: Span, found: Type) -> Diagnostic:
    """``from`` in a clause over something else than players."""
    return error("RW351", span, f"`from` is a seat, and these are {in_words(found)}")


def offered_twice(span: Span) -> Diagnostic:
    """The same offer twice in one question."""
    return error("RW353", span, f"`{span.text}` is offered twice")


def nothing_to_name(span: Span, name: str) -> Diagnostic:
    """A name for ``none``, ``game`` or ``box``."""
    return error("RW354", span, f"`{name}` would have no type: `{span.text}` is no value")


def modifies_no_number(span: Span, word: str, name: str, found: Type) -> Diagnostic:
    """``add`` to a value that is no number."""
    return error(
        "RW355",
        span,
        f"`{word}` is for numbers, and `{name}` is {in_words(found)}",
        "`becomes` changes any value",
    )


def result_not_of_players(span: Span, name: str) -> Diagnostic:
    """``most`` of a counter that is not each player's."""
    return error("RW360", span, f"`{name}` does not decide who wins: it is not `each: player`")


def table_lacks(span: Span, name: str, missing: list[int]) -> Diagnostic:
    """A table without some number of players."""
    counts = ", ".join(str(n) for n in missing)
    return error("RW361", span, f"`{name}` has no number for {counts} players")


def field_without_value(piece_type: PieceType, piece: Piece, name: str) -> Diagnostic:
    """A type that leaves a field open."""
    return error(
        "RW362",
        piece_type.name_span,
        f"`{piece_type.name}` has no value for the field `{name}`",
        f"write it, or a default for all under `pieces.{piece.name}.defaults`",
    )


def option_default(option: OptionDecl, wants: str) -> Diagnostic:
    """A default that is none of the option's values."""
    return error(
        "RW363", option.default_span, f"`{option.name}`: expected {wants}, found {option.default}"
    )


def no_owner_to_see(span: Span, name: str) -> Diagnostic:
    """``seen by: owner`` of what no player owns."""
    return error(
        "RW364",
        span,
        f"`{name}` is seen by its owner, and has none: it is not `each: player`",
        "write `seen by: all` or `seen by: nobody`",
    )


def mark_of_code(span: Span) -> Diagnostic:
    """A mark with the type of code."""
    return error("RW365", span, "code lies on pieces only, never in a mark")
