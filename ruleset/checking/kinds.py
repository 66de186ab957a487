"""Types as such: whether one fits another, what two have in common, how they are told in words."""

from __future__ import annotations

from typing import assert_never

from ruleset.types import CodeT, FlagT, ListT, NumberT, SetT, ThingT, Type, UnknownT

NO_KIND = "none"
"""The kind of ``none`` and of ``()`` where nothing says which kind is meant."""
LINE_OF = "set of "
"""What ``lines(n)`` is a set of."""

UNKNOWN = UnknownT()
FLAG = FlagT()
NUMBER = NumberT()


def is_unknown(found: Type) -> bool:
    """Whether a fault was told already."""
    return isinstance(found, UnknownT)


def maybe_none(found: Type) -> bool:
    """Whether a value of this type can be none."""
    return isinstance(found, NumberT | ThingT) and found.maybe


def certain(found: Type) -> Type:
    """The same type where it is not none."""
    match found:
        case NumberT(low, high, True):
            return NumberT(low, high)
        case ThingT(kind, True):
            return ThingT(kind)
        case _:
            return found


def perhaps(found: Type) -> Type:
    """The same type where it can be none."""
    match found:
        case NumberT(low, high, False):
            return NumberT(low, high, True)
        case ThingT(kind, False):
            return ThingT(kind, True)
        case _:
            return found


def unordered(found: Type) -> Type:
    """The type of a value that is kept: the order of a row is not kept with it."""
    return SetT(found.kind) if isinstance(found, SetT) else found


def kind_of(found: Type) -> str:
    """The kind of a thing or of the members of a set; ``number`` for numbers, else empty."""
    match found:
        case ThingT(kind) | SetT(kind) | ListT(kind):
            return kind
        case NumberT():
            return "number"
        case _:
            return ""


def element(found: Type) -> Type:
    """What a member of a set is."""
    match found:
        case SetT("number"):
            return NUMBER
        case SetT(kind) if kind.startswith(LINE_OF):
            return SetT(kind.removeprefix(LINE_OF))
        case SetT(kind) | ListT(kind):
            return ThingT(kind)
        case NumberT() | ThingT():
            return certain(found)
        case _:
            return UNKNOWN


def as_set(found: Type) -> Type:
    """The set that a value is where a set is wanted."""
    match found:
        case SetT():
            return found
        case NumberT() | ThingT() | ListT():
            return SetT(kind_of(found))
        case _:
            return UNKNOWN


def fits(found: Type, want: Type) -> bool:
    """Whether a value of one type may stand where another is wanted; being none apart."""
    if is_unknown(found) or is_unknown(want):
        return True
    match want:
        case NumberT():
            return isinstance(found, NumberT) or found == ThingT(NO_KIND, True)
        case FlagT():
            return isinstance(found, FlagT)
        case ThingT(kind):
            return isinstance(found, ThingT) and found.kind in (kind, NO_KIND)
        case SetT(kind):
            return kind_of(found) in (kind, NO_KIND) and not isinstance(found, FlagT | ListT)
        case CodeT() | ListT():
            return found == want
        case UnknownT():
            return True
        case _:
            assert_never(want)


def comparable(a: Type, b: Type) -> bool:
    """Whether ``a is b`` can ever be so."""
    if is_unknown(a) or is_unknown(b):
        return True
    if isinstance(a, CodeT | ListT) or isinstance(b, CodeT | ListT):
        return False
    if isinstance(a, FlagT) or isinstance(b, FlagT):
        return isinstance(a, FlagT) and isinstance(b, FlagT)
    if NO_KIND in (kind_of(a), kind_of(b)):
        return True
    if isinstance(a, SetT) != isinstance(b, SetT) and (
        isinstance(a, NumberT) or isinstance(b, NumberT)
    ):
        return False
    return kind_of(a) == kind_of(b)


def join(a: Type, b: Type) -> Type | None:
    """The type of a value that is one or the other; None where there is none."""
    if is_unknown(a) or is_unknown(b):
        return UNKNOWN
    match a, b:
        case NumberT(), NumberT():
            return NumberT(_low(a, b), _high(a, b), a.maybe or b.maybe)
        case FlagT(), FlagT():
            return a
        case ThingT(), ThingT() if NO_KIND in (a.kind, b.kind):
            other = b if a.kind == NO_KIND else a
            return ThingT(other.kind, True)
        case ThingT(), ThingT() if a.kind == b.kind:
            return ThingT(a.kind, a.maybe or b.maybe)
        case (NumberT(), ThingT("none")):
            return perhaps(a)
        case (ThingT("none"), NumberT()):
            return perhaps(b)
        case SetT(), SetT() if a.kind == b.kind:
            return SetT(a.kind)
        case SetT(), _ if kind_of(b) in (a.kind, NO_KIND):
            return SetT(a.kind)
        case _, SetT() if kind_of(a) in (b.kind, NO_KIND):
            return SetT(b.kind)
        case _:
            return None


def _low(a: NumberT, b: NumberT) -> int | None:
    return None if a.low is None or b.low is None else min(a.low, b.low)


def _high(a: NumberT, b: NumberT) -> int | None:
    return None if a.high is None or b.high is None else max(a.high, b.high)


def article(noun: str) -> str:
    """The noun with ``a`` or ``an``."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def kind_in_words(kind: str) -> str:
    """A kind as a noun: ``card``, ``type of card``."""
    if kind.endswith(".type"):
        return f"type of {kind[:-5]}"
    if kind.endswith(".side"):
        return f"side of {kind[:-5]}"
    return kind


def in_words(found: Type) -> str:
    """A type as messages tell it: ``a number``, ``a set of card``, ``a player or none``."""
    match found:
        case NumberT():
            return "a number or none" if found.maybe else "a number"
        case FlagT():
            return "a condition"
        case ThingT("none"):
            return "none"
        case ThingT(kind, maybe):
            return article(kind_in_words(kind)) + (" or none" if maybe else "")
        case SetT("none"):
            return "the empty set"
        case SetT("number"):
            return "a set of numbers"
        case SetT(kind):
            return f"a set of {kind_in_words(kind)}"
        case ListT(kind):
            return f"a list of {kind_in_words(kind)}"
        case CodeT(kind):
            return f"code ({kind})"
        case UnknownT():
            return "unknown"
        case _:
            assert_never(found)
