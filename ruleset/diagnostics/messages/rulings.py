"""Messages about rulings, and about options as somebody sets them: RW52x to RW53x."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Span
from ruleset.syntax import Ident

if TYPE_CHECKING:
    from ruleset.rulings import Ruling

CODES: Final[dict[str, str]] = {
    "RW520": "a default reading that is written out",
    "RW521": "a ruling with one reading",
    "RW522": "a reading that changes nothing",
    "RW523": "a ruling that has the name of an option",
    "RW524": "a reading that does not exist",
    "RW525": "a ruling that excludes or requires itself",
    "RW526": "two readings that touch one part",
    "RW527": "a rulings file of another game",
    "RW528": "a file outside the folder of the game",
    "RW529": "a game that cannot be found",
    "RW530": "an option or ruling that does not exist",
    "RW531": "a value that an option does not have",
    "RW532": "readings that exclude each other",
    "RW533": "a reading that needs another",
    "RW535": "a replacement that goes before nothing",
    "RW534": "a rulings file that its game does not name",
}


def _error(
    code: str, message: str, labels: Iterable[Label] = (), helps: Iterable[str] = ()
) -> Diagnostic:
    return Diagnostic(code, "error", message, tuple(labels), tuple(helps))


# ------------------------------------------------------------------ the rulings file


def default_written_out(span: Span, ruling: str, default: Ident) -> Diagnostic:
    """The default has an entry."""
    return _error(
        "RW520",
        f"`{default.name}` is the default of `{ruling}`, which is the game as it stands",
        [Label(span, "not to be written out"), Label(default.span, "the default")],
        ["leave this reading out, or make another one the default"],
    )


def one_reading(span: Span, ruling: str, question: str) -> Diagnostic:
    """A ruling in which nothing can be picked."""
    named = f"`{question}`" if question else "its question"
    return _error(
        "RW521",
        f"the ruling `{ruling}` has its default only, so there is nothing to pick",
        [Label(span)],
        [f"add a reading, or name {named} under `settled` or `open` in the game"],
    )


def reading_without_change(span: Span, name: str) -> Diagnostic:
    """A reading without ``change``, ``add`` or ``remove``."""
    return _error(
        "RW522",
        f"the reading `{name}` changes nothing",
        [Label(span)],
        ["say what is different under `change`, `add` or `remove`"],
    )


def also_an_option(span: Span, name: str, option: Span) -> Diagnostic:
    """One name for two things that a table sets."""
    return _error(
        "RW523",
        f"`{name}` is the name of an option, too",
        [Label(span, "a ruling"), Label(option, "an option")],
        ["rename one of them: both are set by name"],
    )


def no_such_reading(
    named: Ident, known: Collection[str], rulings: Mapping[str, Ruling]
) -> Diagnostic:
    """``excludes`` or ``requires`` names nothing."""
    found = nearest(named.name, known)
    name, _, reading = named.name.partition(".")
    helps: list[str] = []
    if found:
        helps = [f"did you mean `{found}`?"]
    elif name in rulings:
        helps = [f"`{name}` has {listed(rulings[name].names)}"]
    elif (other := nearest(name, rulings)) is not None:
        helps = [f"did you mean the ruling `{other}`?"]
    else:
        helps = ["write it as RULING.READING"]
    what = f"reading `{reading}` of `{name}`" if name in rulings else f"reading `{named.name}`"
    return _error("RW524", f"there is no {what}", [Label(named.span)], helps)


def over_nothing(named: Ident, known: Iterable[str], within: str) -> Diagnostic:
    """``over`` names a rule that exists with no reading."""
    found = nearest(named.name, sorted(known))
    return Diagnostic(
        "RW535",
        "error",
        f"`over`: no rule `{named.name}`, with any reading",
        (Label(named.span),),
        (f"did you mean `{found}`?",) if found else (),
        (),
        within,
    )


def names_itself(named: Ident, ruling: str) -> Diagnostic:
    """A ruling about its own readings."""
    return _error(
        "RW525",
        f"`{named.name}` belongs to this very ruling, of which a table picks one reading anyway",
        [Label(named.span, f"inside `{ruling}`")],
        ["leave it out"],
    )


def readings_clash(
    span: Span, other_span: Span, name: str, other: str, path: str, ruling: str
) -> Diagnostic:
    """Two readings of different rulings that write one part."""
    return _error(
        "RW526",
        f"the readings `{other}` and `{name}` both touch `{path}`",
        [Label(span, f"in `{name}`"), Label(other_span, f"in `{other}`")],
        [
            f"write `excludes: [{other}]` in `{ruling}` if they do not go together",
            "else let each touch a part of its own, such as a named condition",
        ],
    )


def other_game(span: Span, named: str, game: str) -> Diagnostic:
    """``rulings_of`` names another game than the one that loads the file."""
    return _error(
        "RW527",
        f"these are the rulings of `{named}`, expected those of `{game}`",
        [Label(span)],
        [f"write `rulings_of: {game}`"],
    )


def outside(span: Span, path: str) -> Diagnostic:
    """A path that leaves the folder of the game."""
    return _error(
        "RW528",
        f"`{path}` does not lie in the folder of the game",
        [Label(span)],
        ["put the file beside the game or in a folder there, and name it from the game file"],
    )


def game_not_found(span: Span, game: str, tried: Iterable[str]) -> Diagnostic:
    """A rulings file whose game lies nowhere near."""
    return _error(
        "RW529",
        f"the game `{game}` of these rulings cannot be found",
        [Label(span)],
        [f"expected it as {listed(tried, 'or')}"],
    )


def not_named(span: Span, path: str, game: str) -> Diagnostic:
    """A rulings file that its game does not load."""
    return _error(
        "RW534",
        f"the game `{game}` does not name this file",
        [Label(span, "said to be its rulings")],
        [f"write its path in the game: `rulings: rulings/{PurePath(path).name}`"],
    )


# ------------------------------------------------------------------ one setting


def no_such_option(name: str, rulings: Mapping[str, Ruling], options: Iterable[str]) -> Diagnostic:
    """Somebody sets what the game does not have."""
    known = [*rulings, *options]
    found = nearest(name, known)
    if found:
        helps = [f"did you mean `{found}`?"]
    elif known:
        helps = [f"it has {listed(known)}"]
    else:
        helps = ["it has no options and no rulings"]
    return _error("RW530", f"the game has no option and no ruling `{name}`", (), helps)


def reading_unknown(value: str, ruling: Ruling) -> Diagnostic:
    """Somebody picks a reading that a ruling does not have."""
    found = nearest(value, ruling.names)
    helps = [f"did you mean `{found}`?"] if found else []
    helps.append(f"`{ruling.name}` has {listed(ruling.names)}")
    return _error("RW531", f"the ruling `{ruling.name}` has no reading `{value}`", (), helps)


def option_value(name: str, value: str, expected: str, known: Iterable[str] = ()) -> Diagnostic:
    """Somebody sets an option to what its type does not have."""
    found = nearest(value, known)
    helps = [f"did you mean `{found}`?"] if found else []
    return _error("RW531", f"the option `{name}`: expected {expected}, found `{value}`", (), helps)


def excluded_together(one: str, other: str) -> Diagnostic:
    """Two readings picked that do not go together."""
    return _error(
        "RW532",
        f"the readings `{one}` and `{other}` exclude each other",
        (),
        ["pick the default for one of them"],
    )


def needs_another(one: str, need: str, span: Span) -> Diagnostic:
    """A reading picked without the one that it builds on."""
    ruling, _, reading = need.partition(".")
    return _error(
        "RW533",
        f"the reading `{one}` needs `{need}`",
        [Label(span, "said here")],
        [f"set `{ruling}` to `{reading}`, too"],
    )


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names in backticks with commas; at most twelve."""
    known = [f"`{name}`" for name in names]
    if len(known) > 12:
        known = [*known[:11], f"{len(known) - 11} more"]
    return f" {last} ".join(filter(None, [", ".join(known[:-1]), known[-1]])) if known else "none"
