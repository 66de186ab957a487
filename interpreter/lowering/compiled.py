"""What lowering answers: the Program, and the names that give its numbers a meaning.

The Program alone is enough to play; this is what options, views, reasons and saves are worded with.
Everything here is a frozen value; players are counted from 0 inside and from 1 in every face.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from interpreter.ir.nodes import Program
from interpreter.ir.words import ALIVE, ENDING, WINNERS
from ruleset.model import Ruleset

if TYPE_CHECKING:
    from interpreter.lowering.box import Box


@dataclass(frozen=True, slots=True)
class Kind:
    """The members of a kind, in order: their ids (``b2``, ``four#2``) and how they are labelled.

    ``paths`` are the label paths, as ``pieces.card.types.four``; an id stands in for a label that
    the file does not give. ``owner``: player of each member that is ``each: player``, else -1.
    ``type``: index of the piece type of each piece.
    """

    name: str
    ids: tuple[str, ...]
    paths: tuple[str, ...]
    owner: tuple[int, ...] = ()
    type: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates ``low`` to ``low + size - 1`` of a stage: ``action``, ``param`` one of ``kind``.

    A range of size 1 without ``param`` is the action as it stands, or ``pass`` (of ``may``), or
    ``done`` (enough chosen). ``action`` is empty where a plain choice is made (``chooses``).
    ``given``: which arguments of the decision are the action's own parameters, the player first.
    ``first``: number of the first member where the kind is ``number``.
    """

    low: int
    size: int
    action: str = ""
    param: str = ""
    kind: str = ""
    given: tuple[int, ...] = ()
    first: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """One stage of a decision, as a person is asked it.

    ``path`` is its stable id and label path: ``rules.drive.choose.goal``, ``flow.betting.offer``.
    ``names``: the local names behind the decision's arguments, in order (for messages).
    ``taken``: (action, param, kind) of the stages before this one that are already answered, with
    the position of each answer among the decision's arguments.
    """

    path: str
    rule: str
    site: int
    ranges: tuple[Candidates, ...]
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """Kind of each argument of the decision, ``set of K`` for sets; empty where nobody needs it."""
    taken: tuple[tuple[str, str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a condition worth showing: its text and the pure function that gives its value."""

    text: str
    function: str
    kind: str
    """Kind of the value: a kind's name, ``number``, ``flag``, or ``set of KIND``."""


@dataclass(frozen=True, slots=True)
class NamedCondition:
    """One reason why an action can be refused: a pure function of the names in ``args`` (the
    action's parameters and choices), not 0 where the condition is met."""

    path: str
    """``rules.drive.needs.no_token``, ``rules.drive.choose.goal``, ``rules.forbidding_rule``."""
    text: str
    function: str
    args: tuple[str, ...]
    site: int
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionInfo:
    """What is asked of an action, in order, and what can stand in its way.

    ``params``: (name, kind), the player first. ``choices``: (name, kind, size of the domain).
    A condition is asked as soon as all of its ``args`` are known; a later one may rely on an
    earlier one.
    """

    name: str
    path: str
    params: tuple[tuple[str, str], ...]
    choices: tuple[tuple[str, str], ...]
    conditions: tuple[NamedCondition, ...]
    amounts: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """Of each choice of several (its kind is ``set of K``): the name, the pure function that gives
    how many can be chosen at most, and that function's arguments."""


@dataclass(frozen=True, slots=True)
class InvariantInfo:
    """A pure function without arguments; ``moment`` and ``step`` as in the file."""

    path: str
    function: str
    moment: str
    step: str
    site: int


@dataclass(frozen=True, slots=True)
class CounterInfo:
    """A counter or mark as a field of the Program: whose it is (a kind, or empty) and its type."""

    name: str
    field: str
    each: str
    kind: str
    """``number``, ``flag``, a kind, or ``set of KIND``."""
    is_mark: bool


@dataclass(frozen=True, slots=True)
class ResultInfo:
    """How the game is decided. Fields of the Program hold what ``stop game`` said: ``ending``
    (a place in `ENDINGS`), ``winners`` (a set of players) and ``alive`` (those still in)."""

    by_stop: bool
    most: tuple[str, ...]
    least: tuple[str, ...]
    solo: str
    """Name of a pure function, or empty."""
    ending: str = ENDING
    winners: str = WINNERS
    alive: str = ALIVE


@dataclass(frozen=True, slots=True)
class Compiled:
    """A game ready to be played by an engine."""

    ruleset: Ruleset
    program: Program
    players: int
    options: Mapping[str, str]
    kinds: Mapping[str, Kind]
    questions: Mapping[tuple[str, int], Question]
    """By name of the decision and number of the stage."""
    actions: Mapping[str, ActionInfo]
    counters: tuple[CounterInfo, ...]
    invariants: tuple[InvariantInfo, ...]
    result: ResultInfo
    events: Mapping[str, tuple[str, ...]]
    """Event name to the kinds of its arguments."""
    box: Box
    """What the names of the file stand for with this many players."""
    chances: Mapping[str, str] = field(default_factory=dict)
    """Label of a chance event to the kind of its outcomes."""
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    """Name of a rule that may stand in for a part of a price, to the path of its label."""
