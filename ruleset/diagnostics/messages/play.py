"""Messages about play, journals, saves and states from outside: RW6xx."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.source import Span

CODES: Final[dict[str, str]] = {
    "RW601": "the rules cannot go on",
    "RW602": "a broken invariant",
    "RW610": "a file that cannot be opened",
    "RW611": "a file that is too large",
    "RW612": "a file that is not JSON",
    "RW613": "a file that ends too early",
    "RW614": "a file of another kind",
    "RW615": "another version of the format",
    "RW616": "a journal or save of another game",
    "RW617": "an entry of the wrong shape",
    "RW618": "a step that the rules no longer allow",
    "RW619": "a chance outcome that the rules no longer ask for",
    "RW620": "a journal that ends in another state",
    "RW621": "a save that does not fit the game",
    "RW622": "bytes that are no state of the game",
    "RW623": "a file that cannot be written",
}

_FAULTS: Final[dict[str, tuple[str, str]]] = {
    "RANGE": (
        "a number leaves the range that is declared for it",
        "widen the range, or test the value before it is set",
    ),
    "INDEX": (
        "something is done to none",
        "test the name first, or bind it under `with:`",
    ),
    "FUEL": (
        "one step does not come to an end",
        "look for a loop that changes nothing, or for rules that cause each other",
    ),
    "DEPTH": (
        "a rule calls itself more often than its `depth` allows",
        "raise `depth`, or stop the circle of calls",
    ),
    "STACK": (
        "too many rules are under way at once",
        "look for rules that cause each other without an end",
    ),
    "EMPTY": (
        "there is too little to choose from, for a player or for chance",
        "test the set with `any(...)` first, or say `else X` where a player is asked",
    ),
    "NUMBER": (
        "a set gets a number below 0 or above 1023",
        "go through the numbers (`for n in A..B`), or count from another end",
    ),
    "OUT": (
        "a player is asked who has left the game",
        "ask only players who are in `players`",
    ),
    "FULL": (
        "a piece is moved to a zone that is full",
        "make room first, or let the zone hold more",
    ),
    "LIMIT": (
        "`repeat until` has made all its passes and its condition is still false",
        "raise `at most`, or make sure that the condition comes true",
    ),
    "SHORT": (
        "`pay` takes more than is there",
        "test what is there first, or put the price under `costs`",
    ),
    "NEGATIVE": (
        "a counter is changed by less than 0",
        "use `lose` to take away, and `max(0, ...)` where a difference can be below 0",
    ),
    "INVARIANT": (
        "what always holds does not hold here",
        "find the rule that broke it in the log of the last step",
    ),
    "STOP": (
        "`stop` names a rule that is not under way",
        "use `stop` only inside of the rule that it names, or test with `within`",
    ),
}


def _error(
    code: str,
    message: str,
    span: Span | None = None,
    text: str = "",
    *,
    helps: Sequence[str] = (),
    notes: Sequence[str] = (),
    within: str = "",
) -> Diagnostic:
    labels = () if span is None else (Label(span, text),)
    return Diagnostic(code, "error", message, labels, tuple(helps), tuple(notes), within)


# ------------------------------------------------------------------ play


def rules_fault(code: str, span: Span | None, rule: str) -> Diagnostic:
    """A step came to nothing because of the rules."""
    said = _FAULTS.get(code)
    if said is None:
        words = code.lower().replace("_", " ")
        said = (f"a check of the rules fails: {words}", "see the marked line of the game file")
    message, help_ = said
    where = f" in `{rule}`" if rule else ""
    return _error(
        "RW601",
        f"the rules cannot go on: {message}{where}",
        span,
        "here",
        helps=(help_,),
        notes=("the state before this step is unchanged",),
        within=rule,
    )


def broken_invariant(path: str, span: Span | None, when: str) -> Diagnostic:
    """An invariant does not hold."""
    return _error(
        "RW602",
        f"`{path}` does not hold {when}",
        span,
        "expected this to be true",
        helps=("find the rule that broke it in the log of the last step",),
        within=path,
    )


# ------------------------------------------------------------------ files of play


def cannot_open(path: str, reason: str) -> Diagnostic:
    """A journal or save cannot be read."""
    return _error("RW610", f"`{path}` cannot be opened: {reason}")


def cannot_write(path: str, reason: str) -> Diagnostic:
    """A journal or save cannot be written."""
    return _error(
        "RW623",
        f"`{path}` cannot be written: {reason}",
        helps=("choose another place; what was there before is unchanged",),
    )


def too_large(path: str, size: int, limit: int) -> Diagnostic:
    """A journal or save is larger than any game can be."""
    return _error(
        "RW611",
        f"`{path}` is too large: expected at most {limit // 1_000_000} MB, "
        f"found {size // 1_000_000} MB",
    )


def not_text(path: str, offset: int) -> Diagnostic:
    """The bytes are no UTF-8 text."""
    return _error("RW612", f"`{path}` is not JSON: byte {offset} is not part of UTF-8 text")


def not_json(span: Span, reason: str) -> Diagnostic:
    """The text is no JSON."""
    return _error("RW612", f"this is not JSON: {reason}", span)


def ends_early(span: Span) -> Diagnostic:
    """The text is the beginning of JSON."""
    return _error(
        "RW613",
        "the file ends too early: the rest of it is missing",
        span,
        "the last that is there",
        helps=("restore the file from a copy; it was cut off when it was written or copied",),
    )


def other_kind(name: str, wanted: str, found: object) -> Diagnostic:
    """The JSON is something else."""
    shown = f"`{found}`" if isinstance(found, str) else "no text under `format`"
    return _error("RW614", f"`{name}` is no {wanted}: expected `format: {wanted}`, found {shown}")


def other_version(name: str, wanted: int, found: object) -> Diagnostic:
    """The format has changed since."""
    return _error(
        "RW615",
        f"`{name}` has another version: expected {wanted}, found {found!r}",
        helps=("read it with the release that wrote it",),
    )


def other_game(name: str, wanted: str, found: str) -> Diagnostic:
    """The file belongs to another game."""
    return _error("RW616", f"`{name}` is of another game: expected `{wanted}`, found `{found}`")


def wrong_entry(where: str, wanted: str, found: object) -> Diagnostic:
    """An entry has another shape."""
    shown = repr(found)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return _error("RW617", f"`{where}`: expected {wanted}, found {shown}")


# ------------------------------------------------------------------ replays


def step_refused(
    number: int, player: int, wanted: str, possible: Sequence[str], why: str
) -> Diagnostic:
    """The rules do not offer what was chosen."""
    shown = ", ".join(f"`{text}`" for text in possible[:8]) + (" ..." if len(possible) > 8 else "")
    return _error(
        "RW618",
        f"step {number} no longer agrees with the rules: player {player} chose `{wanted}`",
        helps=(f"possible now: {shown}" if possible else f"player {player} is not asked now",),
        notes=(why,) if why else (),
    )


def step_after_end(number: int) -> Diagnostic:
    """The game is over before the journal is."""
    return _error(
        "RW618", f"step {number} no longer agrees with the rules: the game is over before it"
    )


def step_fault(number: int, reason: str) -> Diagnostic:
    """What was done in a step cannot be understood any more."""
    return _error("RW618", f"step {number} no longer agrees with the rules: {reason}")


def step_broken(number: int, fault: Diagnostic) -> Diagnostic:
    """The rules cannot go on at a step that was played; the place is that of the fault."""
    return replace(
        fault, code="RW618", message=f"step {number} comes to nothing: {fault.message}", notes=()
    )


def chance_missing(number: int, label: str) -> Diagnostic:
    """The rules ask chance more often than they did."""
    return _error(
        "RW619",
        f"step {number} no longer agrees with the rules: chance is asked for `{label}`, "
        "and the journal has no outcome for it",
    )


def chance_differs(number: int, wanted: Sequence[str], found: Sequence[str]) -> Diagnostic:
    """The rules ask chance for something else."""
    return _error(
        "RW619",
        f"step {number} no longer agrees with the rules: expected the chance events "
        f"{', '.join(wanted) or '(none)'}, found {', '.join(found) or '(none)'}",
    )


def chance_unfit(number: int, reason: str) -> Diagnostic:
    """An outcome of the journal is not among those that the rules ask for, or is too much."""
    return _error("RW619", f"step {number} no longer agrees with the rules: {reason}")


def chance_impossible(number: int, label: str, member: str) -> Diagnostic:
    """An outcome of the journal cannot come about."""
    return _error(
        "RW619",
        f"step {number} no longer agrees with the rules: `{member}` is not a possible outcome "
        f"of `{label}`",
    )


def other_end(steps: int) -> Diagnostic:
    """Every step agrees, the end does not."""
    return _error(
        "RW620",
        f"all {steps} steps agree with the rules, but the game ends in another state",
        helps=("an effect of a rule has changed since the game was played",),
    )


# ------------------------------------------------------------------ states from outside


def save_misfit(what: str, help_: str = "") -> Diagnostic:
    """A save names something that the game does not have, or gives a value that does not fit."""
    return _error(
        "RW621", f"the save does not fit the game: {what}", helps=(help_,) if help_ else ()
    )


def no_state(reason: str) -> Diagnostic:
    """Bytes that are no state."""
    return _error(
        "RW622",
        f"these bytes are no state of this game: {reason}",
        helps=(
            "bytes are for one version of a game, one number of players and one setting of its "
            "options; use a save to go from one to another",
        ),
    )
