"""Messages about variants, which extend a game by a file of their own: RW505 to RW509."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages.rulings import listed
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Span
from ruleset.syntax import Ident

if TYPE_CHECKING:
    from ruleset.rulings import Ruling
    from ruleset.variants import Edit

CODES: Final[dict[str, str]] = {
    "RW505": "a variant that extends itself",
    "RW506": "a variant and a reading that touch one part",
    "RW507": "two variants that touch one part",
    "RW508": "a variant of what is no game",
    "RW509": "a ruling that the game has already",
}


def _error(
    code: str, message: str, labels: Iterable[Label] = (), helps: Iterable[str] = ()
) -> Diagnostic:
    return Diagnostic(code, "error", message, tuple(labels), tuple(helps))


# ------------------------------------------------------------------ what it extends


def circle(span: Span, names: Sequence[str]) -> Diagnostic:
    """``extends`` leads back."""
    return _error(
        "RW505",
        f"this variant extends itself: {' -> '.join(names)}",
        [Label(span, "leads back")],
        ["one of these files must be a game that extends nothing"],
    )


def too_many(span: Span, limit: int) -> Diagnostic:
    """A chain without an end in sight."""
    return _error(
        "RW505",
        f"more than {limit} variants, each on top of another",
        [Label(span)],
        ["put some of them together in one file"],
    )


def no_game(span: Span, path: str) -> Diagnostic:
    """``extends`` names a rulings file, a scenario, or what is no mapping."""
    return _error(
        "RW508",
        f"`{path}` is no game file: expected the key `game` in it",
        [Label(span)],
        ["name the file of a game, or of another variant"],
    )


def two_games(node_span: Span, games: Sequence[str], name: str) -> Diagnostic:
    """Variants of different games put together."""
    return _error(
        "RW508",
        f"`{name}` extends {listed(games)}, expected variants of one game",
        [Label(node_span)],
        ["take variants that extend the same game"],
    )


def no_path(span: Span, path: str) -> Diagnostic:
    """An absolute path, or one that wanders."""
    return _error(
        "RW528",
        f"`{path}`: expected a path from this file's folder on, such as `../NAME.yaml`",
        [Label(span)],
        ["write `/` between folders and `..` only at the front, or the bare id of a game"],
    )


def base_not_found(span: Span, name: str, tried: Iterable[str]) -> Diagnostic:
    """A bare id, and no file of that name near."""
    return _error(
        "RW529",
        f"the game `{name}` that this extends cannot be found",
        [Label(span)],
        [f"expected it as {listed(tried, 'or')}; or write its path"],
    )


# ------------------------------------------------------------------ what it settles


def no_setting(span: Span, name: str, known: Sequence[str]) -> Diagnostic:
    """``settings`` names no option and no ruling."""
    found = nearest(name, known)
    if found:
        helps = [f"did you mean `{found}`?"]
    else:
        helps = [f"it has {listed(known)}" if known else "it has no options and no rulings"]
    return _error("RW530", f"the game has no option and no ruling `{name}`", [Label(span)], helps)


def no_reading(span: Span, value: str, ruling: Ruling) -> Diagnostic:
    """``settings`` names a reading that its ruling does not have."""
    found = nearest(value, ruling.names)
    helps = [f"did you mean `{found}`?"] if found else []
    helps.append(f"`{ruling.name}` has {listed(ruling.names)}")
    return _error(
        "RW531", f"the ruling `{ruling.name}` has no reading `{value}`", [Label(span)], helps
    )


def setting_needs(span: Span, reading: str, need: Ident) -> Diagnostic:
    """A reading is settled without the one that it builds on."""
    ruling, _, wanted = need.name.partition(".")
    return _error(
        "RW533",
        f"the reading `{reading}` needs `{need.name}`",
        [Label(span), Label(need.span, "said here")],
        [f"write `{ruling}: {wanted}` beside it"],
    )


def no_such_reading(named: Ident, known: Iterable[str]) -> Diagnostic:
    """``excludes`` or ``under`` names no reading of the game."""
    names = sorted(known)
    found = nearest(named.name, names)
    helps = [f"did you mean `{found}`?"] if found else []
    if not helps:
        helps = [f"the game has {listed(names)}" if names else "the game has no rulings"]
    return _error(
        "RW524", f"there is no reading `{named.name}` to pick", [Label(named.span)], helps
    )


def same_ruling(span: Span, there: Span, name: str) -> Diagnostic:
    """A variant's rulings file has a ruling of the game's."""
    return _error(
        "RW509",
        f"the game has a ruling `{name}` already",
        [Label(span), Label(there, "it stands here")],
        [
            "give it another name",
            f"or pick one of its readings for good: `settings: {{{name}: ...}}`",
        ],
    )


# ------------------------------------------------------------------ what stands against each other


def reading_clash(span: Span, there: Span, reading: str, edit: Edit, ruling: Ruling) -> Diagnostic:
    """A reading that a table can pick would undo a part of the variant, or the other way round."""
    return _error(
        "RW506",
        f"this variant and the reading `{reading}` both touch `{'.'.join(edit.names)}`",
        [Label(span, "in this variant"), Label(there, f"in `{reading}`")],
        [
            f"write `excludes: [{reading}]` if they do not go together",
            f"write `settings: {{{ruling.name}: ...}}` to settle the ruling before the variant",
            f"write `under: [{reading}]` if the reading may go on top of the variant",
        ],
    )


def not_with_variant(found: Diagnostic, reading: str) -> Diagnostic:
    """What is wrong only where a reading of the game below goes on top of a variant."""
    return replace(
        found,
        helps=(*found.helps, f"or leave this reading out of the variant: `excludes: [{reading}]`"),
        notes=(*found.notes, f"with the reading `{reading}` on top of this variant"),
    )


def variants_clash(span: Span, there: Span, name: str, other: str, edit: Edit) -> Diagnostic:
    """Two variants side by side write one part."""
    return _error(
        "RW507",
        f"the variants `{other}` and `{name}` both touch `{'.'.join(edit.names)}`",
        [Label(span, f"in `{name}`"), Label(there, f"in `{other}`")],
        [
            "let one of them extend the other",
            "or write `ordered: true` beside `extends`: then the later one has the last word",
        ],
    )
