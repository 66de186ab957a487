"""Messages about scenario files and what they claim (RW650 to RW658), and about what random play
finds (RW660, RW661, RW901)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages.document import error
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Span

CODES: Final[dict[str, str]] = {
    "RW650": "a choice in a scenario that is not possible",
    "RW651": "a claim of a scenario that does not hold",
    "RW652": "an option that a scenario refuses and the rules offer",
    "RW653": "an option that is refused for another reason",
    "RW654": "a game that ends otherwise than a scenario says",
    "RW655": "a scenario that covers an unknown id",
    "RW656": "a scenario that does not fit its game",
    "RW657": "an outcome of chance in a scenario that cannot be",
    "RW658": "no scenarios to run",
    "RW660": "a dead end",
    "RW661": "a game without an end",
    "RW901": "a broken law of the engine",
}


def _indented(lines: str) -> tuple[str, ...]:
    return tuple(line for line in lines.split("\n") if line.strip())


def not_possible(
    span: Span, player: int, text: str, why: str, possible: Sequence[str], help_: str = ""
) -> Diagnostic:
    """A choice of ``setup`` or ``when`` is not among the options."""
    helps = [help_] if help_ else []
    if possible:
        shown = ", ".join(option if option == "..." else f"`{option}`" for option in possible)
        helps.append(f"possible for player {player}: {shown}")
    return error(
        "RW650",
        f"player {player} cannot choose `{text}` here",
        span,
        notes=_indented(why)[1:],
        helps=helps,
    )


def does_not_hold(span: Span, text: str, values: Iterable[tuple[str, str]]) -> Diagnostic:
    """An expression under ``then`` is false."""
    shown = " ".join(text.split())
    return error(
        "RW651",
        f"`{shown}` does not hold",
        span,
        "expected this to be true",
        notes=[f"`{part}` is {value}" for part, value in values],
    )


def no_condition(span: Span, text: str, kind: str) -> Diagnostic:
    """An expression under ``then`` is neither true nor false."""
    return error(
        "RW651",
        f"expected a condition, found a {kind}: `{' '.join(text.split())}`",
        span,
        helps=["say what it should be, as `... is 3`"],
    )


def is_offered(span: Span, player: int, text: str) -> Diagnostic:
    """An option under ``refused`` is there."""
    return error(
        "RW652",
        f"`{text}` is possible for player {player}",
        span,
        "expected this to be refused",
    )


def no_such_option(span: Span, text: str, why: str) -> Diagnostic:
    """An option under ``refused`` is refused only because it names nothing."""
    return error(
        "RW653",
        f"`{text}` is refused only because it is no option of this game",
        span,
        notes=_indented(why)[1:],
        helps=["correct the name; a refused option must be one that the rules can judge"],
    )


def other_reason(span: Span, text: str, because: str, why: str) -> Diagnostic:
    """An option under ``refused`` is refused, but the reason is not the one given."""
    return error(
        "RW653",
        f"`{text}` is refused, but not because of `{because}`",
        span,
        "expected a reason that names this",
        notes=_indented(why)[1:],
    )


def other_end(span: Span, what: str, wanted: str, found: str) -> Diagnostic:
    """``over`` or ``winners`` is not as expected."""
    return error("RW654", f"{what}: expected {wanted}, found {found}", span)


def unknown_id(span: Span, id_: str, known: Iterable[str], title: str) -> Diagnostic:
    """An id under ``covers`` that the document does not have."""
    known = list(known)
    close = nearest(id_, known)
    helps = [f"did you mean `{close}`?"] if close else []
    if not known:
        helps.append("give the game a document (`document:`), or leave out `covers`")
    where = f"the document `{title}`" if title else "a game without a document"
    return error("RW655", f"there is no `{id_}` in {where}", span, helps=helps)


def not_this_game(span: Span, reason: str, help_: str = "") -> Diagnostic:
    """The number of players, or an option, is not one of the game's."""
    return error("RW656", reason, span, helps=[help_] if help_ else [])


def no_random_setup(span: Span) -> Diagnostic:
    """``setup: random`` for a game without a step of the kind `set-up`."""
    return error(
        "RW656",
        "this game has no step of the kind `set-up` that asks anybody",
        span,
        helps=["leave out `setup`"],
    )


def impossible_roll(span: Span, text: str, label: str, possible: Sequence[str]) -> Diagnostic:
    """An outcome under ``rolls`` is not one that chance can give."""
    shown = ", ".join(f"`{member}`" for member in possible)
    return error(
        "RW657",
        f"chance cannot give `{text}` for `{label}`",
        span,
        helps=[f"possible: {shown}"],
    )


def roll_left_over(span: Span, text: str) -> Diagnostic:
    """An outcome under ``rolls`` that nothing asked for."""
    return error(
        "RW657",
        f"chance was not asked as often as `rolls` says: `{text}` is left over",
        span,
        helps=["leave it out"],
    )


def no_scenarios(span: Span) -> Diagnostic:
    """A file that holds no scenarios; a game file, perhaps."""
    return error(
        "RW658",
        "expected a scenario file, found a file without `scenario` or `scenarios`",
        span,
        helps=["a game file is looked at by `rulewright check`"],
    )


def nothing_to_run(path: str) -> Diagnostic:
    """A path without scenario files."""
    return error(
        "RW658",
        f"there are no scenario files in `{path}`",
        None,
        helps=["a scenario file is a YAML file with `scenario:` or `scenarios:`"],
    )


def during(diagnostic: Diagnostic, span: Span, text: str) -> Diagnostic:
    """The same fault of the rules, with the place in the scenario that led to it."""
    label = Label(span, text)
    return Diagnostic(
        diagnostic.code,
        diagnostic.severity,
        diagnostic.message,
        (*diagnostic.labels, label),
        diagnostic.helps,
        diagnostic.notes,
        diagnostic.within,
    )


# ------------------------------------------------------------------ random play


def dead_end(asked: str) -> Diagnostic:
    """A state in which the game is not over and nobody can do anything."""
    return error(
        "RW660",
        f"the game is not over, and nothing is possible: {asked}",
        None,
        helps=["give the choice a way out (`may`, or a condition before it), or end the game"],
    )


def no_end(bound: int) -> Diagnostic:
    """A game that goes on past a bound."""
    return error(
        "RW661",
        f"the game goes on after {bound} choices",
        None,
        helps=["look for choices that undo each other; or raise `--bound`"],
    )


def engine_refuses(span: Span, reason: str) -> Diagnostic:
    """A text that is checked and cannot be lowered."""
    return error(
        "RW901",
        f"the engine cannot do this: {reason}",
        span,
        helps=["this is a fault of rulewright itself; please tell us; say it otherwise meanwhile"],
    )


def broken_law(law: str) -> Diagnostic:
    """Something that holds in every game does not; the engine's fault rather than the rules'."""
    return error(
        "RW901",
        f"a law of every game is broken: {law}",
        None,
        helps=["this is a fault of rulewright itself; please tell us with the journal"],
    )
