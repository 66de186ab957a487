"""What happened in a step, for people and tools: readable entries, each with its cause.

The events come from the watched build of the machine, which plays the step once more with the
outcomes that chance gave then. Who sees an argument is settled here, from where each piece lay at
that moment; an entry shows a viewer nothing else.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from interpreter.ir.bitsets import members_of
from interpreter.ir.words import FLIP, REVEAL, SET, SET_OF, SIDE
from interpreter.runtime.content import content
from interpreter.runtime.history import Past, Step
from interpreter.runtime.sight import Sight
from interpreter.runtime.step import Event
from interpreter.runtime.wording import words

if TYPE_CHECKING:
    from interpreter.runtime.game import Game

EntryKind = Literal["choose", "under", "begin", "emit", "gain", "move", "mix", "roll"]
NOBODY = 0
BOX = 0
"""Number of the box among a group's zones."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A value of an event. ``seen``: bit p for each player p who sees it, bit 0 for spectators."""

    kind: str
    value: int
    seen: int


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Something that happened.

    ``kind`` and ``name``: ``choose`` an action, ``begin`` a rule, ``gain`` a counter's field,
    ``move`` a kind of piece, ``mix`` a kind of piece, ``roll`` a chance event, ``emit`` an event of
    the rules, ``under`` a rule that goes on. ``parent``: position in the same log of the entry that
    it happened inside of, or -1. ``rule``, ``place`` and ``cites`` say which line made it happen.
    ``seen``: who may know that it happened (bits as in `Argument`).
    """

    kind: EntryKind
    name: str
    args: tuple[Argument, ...]
    parent: int
    rule: str
    place: str
    cites: tuple[str, ...]
    seen: int
    game: Game = field(repr=False, compare=False)

    def describe(self, lang: str = "en", viewer: int | None = None, full: bool = False) -> str:
        """The entry in words, for a player (from 1) or for a spectator; ``full`` hides nothing.

        Empty where the viewer may not even know that it happened.
        """
        bit = 1 << (viewer or 0)
        if not full and not self.seen & bit:
            return ""
        known = [arg.value if full or arg.seen & bit else None for arg in self.args]
        return words(self, known, lang)


def events_of(game: Game, past: Past) -> Sequence[Event]:
    """The machine's events of a step; worked out once."""
    events: Sequence[Event]
    if past.events is None:
        outcomes = [member for _, member in past.rolled]
        if not isinstance(past, Step):
            events = game.watched.start(past.seed, outcomes).events
        elif past.effects:
            events = game.watch_effects(past.before, past.effects)
        else:
            outcome = game.watched.apply(past.before, past.player, past.candidate, outcomes)
            events = outcome.events
        past.events = bridged(events)
    return past.events


def bridged(events: Sequence[Event]) -> list[Event]:
    """Moves through the box within one effect (a swap, a shuffle) as the moves that they mean.

    The piece is nowhere to be seen on its way: the first half becomes a move to where it lay, and
    the second starts from there.
    """
    found = list(events)
    away: dict[tuple[str, int, int], int] = {}
    for k, event in enumerate(events):
        if event.kind != "move":
            continue
        piece, old, new = event.args
        key = (event.name, piece, event.site)
        if old == BOX and key in away:
            first = away.pop(key)
            lay = events[first].args[1]
            found[first] = dataclasses.replace(events[first], args=(piece, lay, lay))
            found[k] = dataclasses.replace(event, args=(piece, lay, new))
        elif new == BOX:
            away[key] = k
    return found


def log_of(game: Game, past: Past, after: bytes) -> list[LogEntry]:
    """The entries of one step: what was chosen, then what came of it."""
    events = events_of(game, past)
    tracker = Tracker(game, before_of(game, past), after, events)
    entries = list(_choices(game, past, after, tracker))
    first = len(entries)
    if _kept_secret(game, past, after):
        return entries  # the rules under way are in the log of the step that goes on
    for event in events:
        outermost = 0 if first == 1 else -1
        parent = event.parent + first if event.parent >= 0 else outermost
        entries.append(tracker.entry(event, parent))
    return entries


def _kept_secret(game: Game, past: Past, after: bytes) -> bool:
    """Whether a step is an answer to a simultaneous choice that goes on."""
    return (
        isinstance(past, Step)
        and not past.effects
        and game.machine.actor(past.before) < 0
        and still_gathers(game, past.before, after, past.player)
    )


def before_of(game: Game, past: Past) -> bytes:
    """The state before a step; before the first, everything as declared."""
    return past.before if isinstance(past, Step) else game.machine.layout.initial(past.seed)


def reveals_nothing(game: Game, past: Step) -> bool:
    """Whether nobody came to see a piece in a step that they did not see before."""
    for event in events_of(game, past):
        if event.kind == "emit" and event.name.startswith(REVEAL):
            return False
        if event.kind == "move":
            _, old, new = event.args
            if game.visibility.sight(event.name, new) & ~game.visibility.sight(event.name, old):
                return False
    return True


class Tracker:
    """Follows where the pieces lie while the events of a step are gone through."""

    __slots__ = ("_after", "_ahead", "_game", "_turned", "_zones")

    def __init__(self, game: Game, before: bytes, after: bytes, events: Sequence[Event]) -> None:
        layout = game.machine.layout
        self._game = game
        self._after = after
        self._ahead: dict[tuple[str, int], list[int]] = {}
        for event in reversed(events):
            if event.kind == "move":
                self._ahead.setdefault((event.name, event.args[0]), []).append(event.args[2])
        flips = [e for e in events if e.kind == "emit" and e.name.startswith(FLIP)]
        self._turned = [(e.name.removeprefix(FLIP), e.args[0]) for e in reversed(flips)]
        self._zones = {
            name: [layout.zone_of(before, name, piece) for piece in range(group.n)]
            for name, group in game.compiled.program.groups.items()
        }

    def argument(self, kind: str, value: int) -> Argument:
        """A value of a kind; a piece is seen by those who see where it lies now."""
        game = self._game
        zones = self._zones.get(kind)
        if zones is not None and 0 <= value < len(zones):
            return Argument(kind, value, game.visibility.sight(kind, zones[value]))
        group = kind.removeprefix(SET_OF)
        if kind.startswith(SET_OF) and group in self._zones:
            seen = game.visibility.everybody
            for piece in members_of(value):
                seen &= game.visibility.sight(group, self._zones[group][piece])
            return Argument(kind, value, seen)
        return Argument(kind, value, game.visibility.everybody)

    def going(self, kind: str, value: int) -> Argument:
        """The same; a piece is also known to those who see where it goes next."""
        shown = self.argument(kind, value)
        ahead = self._ahead.get((kind, value))
        if not ahead:
            return shown
        return Argument(kind, value, shown.seen | self._game.visibility.sight(kind, ahead[-1]))

    def entry(self, event: Event, parent: int) -> LogEntry:
        """An event of the machine as an entry."""
        game = self._game
        seen = game.visibility.everybody
        args: tuple[Argument, ...]
        match event.kind:
            case "move":
                piece, old, new = event.args
                sight = game.visibility.sight(event.name, old) | game.visibility.sight(
                    event.name, new
                )
                self._zones[event.name][piece] = new
                self._ahead[event.name, piece].pop()
                if old == new:
                    sight = seen = NOBODY
                args = (
                    Argument(event.name, piece, sight),
                    Argument("zone", old, seen),
                    Argument("zone", new, seen),
                )
            case "mix":
                args = (Argument("zone", event.args[0], seen),)
            case "gain":
                seen = game.visibility.field_sight(event.name, event.args[0])
                counter = game.names.counter_of(event.name)
                each = counter.each if counter is not None and counter.each else "number"
                whose = self.argument(each, event.args[0])
                seen &= whose.seen
                args = (whose, Argument("number", event.args[1], seen))
            case "roll":
                known = game.compiled.chances.get(event.name)
                shown = self.going(known or "number", event.args[0])
                if known is not None and known.endswith(SIDE) and self._turned:
                    shown = Argument(known, shown.value, self.argument(*self._turned[-1]).seen)
                args = (shown if known else Argument("number", shown.value, NOBODY),)
            case "emit" if event.name.startswith(SET):
                seen, args = self._mark(event)
            case "emit" if event.name.startswith(FLIP):
                turned = self.argument(*self._turned.pop())
                args = (turned, Argument(turned.kind + SIDE, event.args[1], turned.seen))
            case "emit" if event.name.startswith(REVEAL):
                args = (self._revealed(event.name.removeprefix(REVEAL), event.args[0]),)
            case _:
                kinds = game.names.event_kinds(event.name)
                args = tuple(
                    self.argument(kinds[k], value)
                    if k < len(kinds)
                    else Argument("number", value, NOBODY)
                    for k, value in enumerate(event.args)
                )
        rule, place, cites = game.names.site(event.site)
        return LogEntry(event.kind, event.name, args, parent, rule, place, cites, seen, game)

    def _mark(self, event: Event) -> tuple[int, tuple[Argument, ...]]:
        """A mark is set: known to those who see the mark, and whose it is."""
        game = self._game
        kinds = game.names.event_kinds(event.name)
        name = event.name.removeprefix(SET)
        info = next((c for c in game.compiled.counters if c.name == name), None)
        if info is None or len(kinds) != len(event.args):
            return NOBODY, ()
        whose = self.argument(kinds[0], event.args[0])
        seen = game.visibility.field_sight(info.field, event.args[0]) & whose.seen
        to = self.argument(kinds[1], event.args[1])
        return seen, (whose, Argument(to.kind, to.value, to.seen & seen))

    def _revealed(self, group: str, piece: int) -> Argument:
        game = self._game
        shown = self.argument(group, piece)
        also = game.visibility.shown_to(game.machine.layout, self._after, group, piece)
        return Argument(group, piece, shown.seen | also)


def _choices(game: Game, past: Past, after: bytes, tracker: Tracker) -> Iterable[LogEntry]:
    """The answers that a step makes known: one, or when a simultaneous choice ends all of them."""
    if not isinstance(past, Step) or past.effects:
        return
    if game.machine.actor(past.before) >= 0:
        yield _choice(game, past, tracker, game.visibility.everybody)
        return
    if _kept_secret(game, past, after):
        yield _choice(game, past, tracker, 1 << (past.player + 1))
        return
    together = [past]
    earlier = past.previous
    while isinstance(earlier, Step) and _kept_secret(game, earlier, together[-1].before):
        together.append(earlier)
        earlier = earlier.previous
    last = {step.player: step for step in reversed(together)}  # a later choice has the earlier
    for _, step in sorted(last.items()):
        yield _choice(game, step, tracker, game.visibility.everybody)


def still_gathers(game: Game, before: bytes, after: bytes, player: int) -> bool:
    """Whether the simultaneous choice of ``before`` goes on after an answer of ``player``."""
    machine = game.machine
    if machine.pending(before) != 1 << player:
        return True
    if machine.pending(after) != 1 << player or machine.actor(after) >= 0:
        return False
    name, stage = machine.decision(before, player)
    return machine.decision(after, player) == (name, stage + 1)


def _choice(game: Game, step: Step, tracker: Tracker, seen: int) -> LogEntry:
    """An answer; a piece in it is known to those who see where it lies or goes next, and to the
    player who chose it if they saw it."""
    where = game.machine.decision(step.before, step.player)
    question = game.compiled.questions[where]
    arguments = game.machine.arguments(step.before, step.player)
    chosen = content(game.compiled, question, step.candidate, arguments)
    own = 1 << (step.player + 1)
    sight = Sight(game, step.before, step.player)
    args = [Argument("player", step.player, seen)]
    for value in chosen.values:
        shown = tracker.going(value.kind, value.value)
        known = shown.seen | own if sight.sees(value.kind, value.value) else shown.seen
        args.append(Argument(shown.kind, shown.value, known & seen))
    rule, place, cites = game.names.site(question.site)
    return LogEntry("choose", chosen.action, tuple(args), -1, rule, place, cites, seen, game)
