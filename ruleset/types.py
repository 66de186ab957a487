"""The types of expressions, and what names refer to. Values only; the checker finds them.

``maybe`` says that a value can be none. A flag never is: the flag of none is false.
Kinds are named by strings: ``player``, the kind of a map's spaces (``cell``), a kind of piece,
an enumeration, ``road``; ``card.type`` is the kind of the types of ``card`` and ``card.side``
that of its sides; ``direction`` and ``end`` (left, right, top, bottom) are built in; ``action``
is the kind of the actions that are named in list fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar, dataclass_transform

from ruleset.syntax import Expr, Header, Hook

_C = TypeVar("_C")


@dataclass_transform(frozen_default=True)
def value(cls: type[_C]) -> type[_C]:
    """A frozen value."""
    return dataclass(frozen=True, slots=True)(cls)


@dataclass(frozen=True, slots=True)
class NumberT:
    """A whole number; a bound is None where none is known."""

    low: int | None = None
    high: int | None = None
    maybe: bool = False


@dataclass(frozen=True, slots=True)
class FlagT:
    """true or false."""


@dataclass(frozen=True, slots=True)
class ThingT:
    """A member of a kind."""

    kind: str
    maybe: bool = False


@dataclass(frozen=True, slots=True)
class SetT:
    """A set of things of a kind; of numbers where ``kind`` is ``number``. A row has an order."""

    kind: str
    row: bool = False


@dataclass(frozen=True, slots=True)
class ListT:
    """A field that lists members of a kind, in order, perhaps some of them several times."""

    kind: str


@dataclass(frozen=True, slots=True)
class CodeT:
    """Code that lies in a field of a piece."""

    kind: str
    """``effect`` or ``condition``."""
    params: tuple[str, ...]
    """The kinds of its parameters."""


@dataclass(frozen=True, slots=True)
class UnknownT:
    """The type of what is wrong already; fits everywhere, so that one mistake is told once."""


Type: TypeAlias = NumberT | FlagT | ThingT | SetT | ListT | CodeT | UnknownT


# ------------------------------------------------------------------ what a name means


@dataclass(frozen=True, slots=True)
class Local:
    """A parameter, or a name bound by ``let``, ``for``, ``chooses``, ``choose``, a clause ..."""


@dataclass(frozen=True, slots=True)
class Members:
    """All members of a kind: ``players``, ``cells``, ``colours``."""

    kind: str


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a kind: a space, an enumeration's member, a piece type, a side, an end."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class OnlyPiece:
    """The one piece of a type, named by the type where a piece is wanted."""

    kind: str
    type: str


@dataclass(frozen=True, slots=True)
class SpaceSet:
    """A named set of a map's spaces."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class OptionRef:
    """An option of the table."""

    name: str


@dataclass(frozen=True, slots=True)
class TableRef:
    """A number by the number of players."""

    name: str


@dataclass(frozen=True, slots=True)
class GameRef:
    """``game``: the owner of what is not ``each``."""


@dataclass(frozen=True, slots=True)
class BoxRef:
    """``box``: where pieces are out of the game."""


@dataclass(frozen=True, slots=True)
class BoxOf:
    """``box.KINDS``: the pieces of a kind that are out of the game."""

    kind: str


@dataclass(frozen=True, slots=True)
class ZoneRef:
    """A zone: ``me.hand``, ``market``, ``game.market``."""

    name: str


@dataclass(frozen=True, slots=True)
class CounterRef:
    """A counter."""

    name: str


@dataclass(frozen=True, slots=True)
class MarkRef:
    """A mark."""

    name: str


@dataclass(frozen=True, slots=True)
class FieldRef:
    """A declared field of a kind of pieces, spaces or places."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class LocationRef:
    """``piece.KIND``: the player, space or piece in whose zone the piece lies, or none."""

    kind: str


@dataclass(frozen=True, slots=True)
class OwnRef:
    """``player.KIND``: the one piece of that kind that is the player's, wherever it lies; with
    ``every``, ``player.KINDS``: the set of all of them."""

    kind: str
    every: bool = False


@dataclass(frozen=True, slots=True)
class PlacesOf:
    """``player.KINDS``, ``space.KINDS``: the places of that kind on it, a row as declared."""

    kind: str


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A built-in attribute (``owner holder type side row column``) or function (``next`` ...).

    ``space_of`` is the attribute of a place that is named like the kind of its space.
    """

    name: str


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A rule, value, action or step of the flow."""

    name: str


Ref: TypeAlias = (
    Local
    | Members
    | Member
    | OnlyPiece
    | SpaceSet
    | OptionRef
    | TableRef
    | GameRef
    | BoxRef
    | BoxOf
    | ZoneRef
    | CounterRef
    | MarkRef
    | FieldRef
    | LocationRef
    | OwnRef
    | PlacesOf
    | BuiltIn
    | RuleRef
)


@dataclass(slots=True)
class Facts:
    """What the checker found out about a game file."""

    types: dict[Expr, Type] = field(default_factory=dict)
    """Of every expression; of a zone read as an expression, the type of its contents."""
    refs: dict[object, Ref] = field(default_factory=dict)
    """Of ``Name``, ``Attribute``, ``Call``, ``CallOf``, ``Happen``, ``Action``, ``Within`` and
    ``Stop``.

    An ``Action`` that is a bound name of the kind ``action`` has ``Local``; a name in the value of
    a list field has the ``Member`` that it names; ``Piece.in_play`` has its ``TableRef``.
    """
    params: dict[str, dict[str, Type]] = field(default_factory=dict)
    """Record path to parameter to type."""
    hooks: dict[Hook, Ref] = field(default_factory=dict)
    patterns: dict[Header, Ref] = field(default_factory=dict)
    """Of ``modify``, ``forbid``, ``replace`` and ``counts as``: what they are about."""
    values: dict[str, Type] = field(default_factory=dict)
    """Name of a value rule to the type of the value."""

    def copy(self) -> Facts:
        """The same facts in tables of their own, to which those of other texts can be added."""
        return Facts(
            dict(self.types),
            dict(self.refs),
            dict(self.params),
            dict(self.hooks),
            dict(self.patterns),
            dict(self.values),
        )
