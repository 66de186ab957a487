"""Messages about a game as a whole: RW40x to RW43x."""

from __future__ import annotations

from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages.build import did_you_mean, error, listed, warning
from ruleset.source import Span
from ruleset.syntax import Action, Choose, EffectRule, GameFile, Mark, Piece, Step, Zone

CODES: Final[dict[str, str]] = {
    "RW401": "something that nothing reaches",
    "RW402": "something that nothing uses",
    "RW403": "rules that can go on for ever",
    "RW404": "a step that repeats without an end",
    "RW405": "two rules that replace one event in no order",
    "RW406": "a frame that is never under way here",
    "RW407": "numbers of players that make no sense",
    "RW408": "two hooks that write the same mark in no order",
    "RW410": "a choice that must be made and may be empty",
    "RW411": "two questions of one rule under one name",
    "RW420": "types that do not add up to their total",
    "RW421": "more pieces at the start than the zone holds",
    "RW422": "fewer pieces than there are places that hold one",
    "RW430": "a label for something that does not exist",
    "RW431": "a condition that reads what the player cannot see",
    "RW432": "a result that is never given",
    "RW433": "a hidden pile that is dealt in the order of the file",
    "RW434": "a secret that everybody has seen",
}


def not_reached(span: Span, what: str, name: str) -> Diagnostic:
    """A rule, value, action or step that nothing leads to."""
    return warning(
        "RW401",
        span,
        f"nothing reaches the {what} `{name}`",
        "if that is meant, say so: `spare: WHY`"
        if what != "step"
        else "name it under `steps` or `repeat`",
    )


def not_used(span: Span, what: str, name: str) -> Diagnostic:
    """A declaration that nothing mentions."""
    return warning("RW402", span, f"nothing uses the {what} `{name}`")


def word_not_used(span: Span, name: str) -> Diagnostic:
    """A word that no rule binds."""
    return warning("RW402", span, f"no rule has the word `{name}`")


def pattern_name_not_used(span: Span, name: str, close: str) -> Diagnostic:
    """A name of a pattern that stands nowhere else and means nothing."""
    return warning(
        "RW402",
        span,
        f"`{name}` is bound here, and nothing uses it; did you mean `{close}`?",
        f"a name that is not needed is written as what is hooked writes it: `{close}`",
    )


def named_for_nothing(span: Span, name: str) -> Diagnostic:
    """A choice or a value that has a name and is never asked for."""
    return warning(
        "RW402",
        span,
        f"nothing in this rule uses `{name}`",
        "say what is done with it, or leave it out",
    )


def for_ever(span: Span, circle: list[str]) -> Diagnostic:
    """A circle of rules without a depth."""
    return error(
        "RW403",
        span,
        f"this can go on for ever: {' -> '.join(circle)}; one of them needs `depth`",
        "`depth: 16` in one of these rules says how often it can be inside itself;"
        " reaching it in play is a fault that `fuzz` shows",
    )


def step_in_itself(span: Span, circle: list[str]) -> Diagnostic:
    """Steps of the flow that contain each other."""
    return error("RW403", span, f"a step cannot be inside itself: {' -> '.join(circle)}")


def chosen_twice(span: Span, name: str, first: Span) -> Diagnostic:
    """Two questions of one rule under one name."""
    return error(
        "RW411",
        span,
        f"`{name}` is chosen twice in one rule",
        "a question is known by its rule and its name, so take another name here",
        other=Label(first, "the other one"),
    )


def no_end(step: Step, span: Span, ways: list[str]) -> Diagnostic:
    """A step that repeats and that nothing ends."""
    return error(
        "RW404",
        span,
        f"`{step.name}` repeats without an end: nothing in it can stop it",
        f"write {listed([f'stop {name}' for name in ways])} in a rule that it reaches,"
        " or give it `times` or `until`",
    )


def both_replace(span: Span, a: EffectRule, b: EffectRule, event: str) -> Diagnostic:
    """Two replacements of one event."""
    return error(
        "RW405",
        span,
        f"`{a.name}` and `{b.name}` both replace `{event}`, in no order",
        f"say which goes first: `over: [{a.name}]` in `{b.name}`, or the other way round;"
        " or `over: chosen by P`",
        other=Label(a.name_span, "the other one"),
    )


def both_write(span: Span, a: EffectRule, b: EffectRule, mark: str, event: str) -> Diagnostic:
    """Two hooks at one moment that set one mark."""
    return warning(
        "RW408",
        span,
        f"`{a.name}` and `{b.name}` both set `{mark}` {event}; the one that stands later wins",
        other=Label(a.name_span, "the other one"),
    )


def never_under_way(span: Span, name: str, verb: str) -> Diagnostic:
    """``stop`` or ``within`` of what is never under way there."""
    so = "so this does nothing" if verb == "stop" else "so this is always false"
    return warning("RW406", span, f"`{name}` is never under way here, {so}")


def players_range(file: GameFile) -> Diagnostic:
    """Numbers of players that no game has."""
    return error(
        "RW407",
        file.players_span,
        f"expected 1 to 16 players, the smaller number first,"
        f" found {file.min_players}..{file.max_players}",
    )


WAYS_OUT: Final = (
    "say what happens then: `... else X`",
    "or let an action that is always possible stand beside it: `one of A, B`",
    "or promise it: an invariant with `checked: before STEP` that mentions the same set",
)


def choice_may_be_empty(effect: Choose) -> Diagnostic:
    """``P chooses x in S`` where S may be empty."""
    return error(
        "RW410",
        effect.clause.source.span,
        f"nobody proves that there is something to choose for `{effect.clause.name}`",
        WAYS_OUT[0],
        WAYS_OUT[2],
        label="may be empty",
    )


def offer_may_be_impossible(
    span: Span, offers: tuple[Action, ...], together: str = ""
) -> Diagnostic:
    """``P must A`` where A may be impossible; ``together``: the name of those asked together."""
    names = [action.name for action in offers]
    what = listed(names) if len(names) < 4 else "one of these"
    skip = f"leave out those who cannot: `together {together} in S if {together} can {names[0]}`"
    return error(
        "RW410",
        span,
        f"this must be done, and nobody proves that {what} is possible",
        skip if together else WAYS_OUT[0],
        *WAYS_OUT[1:],
        label="may be impossible",
    )


def total_differs(piece: Piece, listed_: int) -> Diagnostic:
    """Copies that do not add up."""
    assert piece.total_span is not None
    are = "is" if listed_ == 1 else "are"
    return error("RW420", piece.total_span, f"{listed_} {are} listed, the total says {piece.total}")


def too_many_at_start(span: Span, zone: Zone, count: int) -> Diagnostic:
    """More pieces at the start than a zone holds."""
    return error(
        "RW421",
        span,
        f"{count} start here, and `{zone.name}` holds {zone.high}",
        other=Label(zone.name_span, f"holds {zone.high} at most"),
    )


def too_few_pieces(zone: Zone, need: int, have: int) -> Diagnostic:
    """Zones that hold one each, and fewer pieces."""
    assert zone.each is not None
    return error(
        "RW422",
        zone.name_span,
        f"`{zone.name}` needs {need} {zone.of.name}, and there are {have}",
        f"it holds {zone.low} on each {zone.each.name}",
    )


def no_label_path(span: Span, path: str, close: str | None) -> Diagnostic:
    """A label for a path that does not exist."""
    return error("RW430", span, f"there is no `{path}`{did_you_mean(close)}")


def reads_hidden(span: Span, what: str, who: str, asked: str) -> Diagnostic:
    """A condition of an offer that reads what the player cannot see."""
    return error(
        "RW431",
        span,
        f"`{asked}` is asked, and cannot see {what}, which is seen by {who}",
        "what is offered may depend on what that player sees only; `count(...)` may be asked",
    )


def never_decided(span: Span) -> Diagnostic:
    """``by: stop game`` and no ``stop game``."""
    return warning("RW432", span, "`stop game` decides, and nothing reached says `stop game`")


def dealt_in_order(span: Span, zone: Zone) -> Diagnostic:
    """A draw from a hidden pile that nothing shuffles."""
    whose = f"me.{zone.name}" if zone.each is not None else zone.name
    return warning(
        "RW433",
        span,
        f"nothing shuffles `{zone.name}`, so it is dealt in the order of the file,"
        " the last declared first",
        f"write `shuffle {whose}` before the first draw, for example in the set-up",
        "or let chance take each piece: `order: bag`",
        other=Label(zone.name_span, "seen by nobody, and never shuffled"),
    )


def rolled_openly(span: Span, name: str, mark: Mark) -> Diagnostic:
    """A mark that not all see, set to what was rolled before everybody's eyes."""
    seen = "nobody" if mark.seen_by == "nobody" else "its owner only"
    return warning(
        "RW434",
        span,
        f"everybody sees what `roll {name} in ...` gives, so `{mark.name}` is no secret",
        "roll a die in secret: a piece with `sides`, in a zone that only its owner sees,"
        " and `roll me.dice`",
        label=f"seen by all, and `{mark.name}` by {seen}",
        other=Label(mark.name_span, "meant to be a secret"),
    )
