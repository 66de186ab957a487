"""What a step of the machine gives, and how it can end early.

The exceptions below the line never leave the machine: generated code raises them and the step
turns them into an ``Outcome``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NoReturn, TypeAlias

EventKind: TypeAlias = Literal["under", "begin", "emit", "gain", "move", "mix", "roll"]
Watch: TypeAlias = "Callable[[EventKind, str, tuple[int, ...], int], None]"
"""Who is told of events: kind, name, args and site of an `Event`."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, for those who watch.

    kind     name           args
    under    the rule       arguments still known: it began in an earlier step and goes on
    begin    the rule       its arguments
    emit     the event      as emitted
    gain     the field      index, the change that really happened
    move     the group      piece, zone before, zone after
    mix      the group      zone
    roll     the label      the member, the set it was drawn from

    ``parent`` is the position in the list of the event that it happened inside of, or -1.
    """

    kind: EventKind
    name: str
    args: tuple[int, ...]
    site: int
    parent: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a step.

    ``state`` is the new state; where the step came to nothing (a fault, or the oracle ran dry)
    it is the one before. ``need`` says which chance outcome was missing and its possible members.
    """

    state: bytes
    status: int
    events: list[Event] = field(default_factory=list)
    rolled: list[tuple[str, int]] = field(default_factory=list)
    need: tuple[str, int] | None = None
    fault: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class FrameView:
    """One frame under way: the function, where it waits, and the registers it keeps, by name."""

    function: str
    label: str
    locals: dict[str, int]


class MachineError(ValueError):
    """The machine was asked for something that it cannot do; nothing has changed."""


class NoState(MachineError):  # noqa: N818 - named for what was given
    """Bytes from outside are no state of this program."""


class IllegalCandidate(MachineError):  # noqa: N818 - named for what was offered
    """The candidate is not among the options, or this player is not asked."""


class Fault(Exception):  # noqa: N818 - a fault of the rules, not of the engine
    """A rule went wrong: a code and the place in the program's list of sites."""

    def __init__(self, code: str, site: int) -> None:
        super().__init__(f"{code} at site {site}")
        self.code = code
        self.site = site


def fault(code: str, site: int) -> NoReturn:
    """Raise a fault from an expression."""
    raise Fault(code, site)


# ---------------------------------------------------------------------- inside a step


class Stopped(Exception):  # noqa: N818 - control flow, not an error
    """``StopRule``: unwind through the innermost call of ``rule``."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


class Left(Exception):  # noqa: N818 - control flow, not an error
    """``Leave``: unwind through the frame, or through the plain call with this number."""

    def __init__(self, frame: int, level: int) -> None:
        super().__init__(frame, level)
        self.frame = frame
        self.level = level


class Ended(Exception):  # noqa: N818 - control flow, not an error
    """``End``: the game is over."""


class Dry(Exception):  # noqa: N818 - control flow, not an error
    """The oracle has no outcome left."""

    def __init__(self, label: str, members: int) -> None:
        super().__init__(label, members)
        self.label = label
        self.members = members
