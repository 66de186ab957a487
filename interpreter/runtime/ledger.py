"""The ledger of a counter: every change with its cause, read back by playing the steps again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.runtime.errors import GameError
from interpreter.runtime.events import before_of, events_of
from interpreter.runtime.history import Past, steps_of
from ruleset.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.lowering.compiled import CounterInfo
    from interpreter.runtime.game import Game
    from interpreter.runtime.step import Event


@dataclass(frozen=True, slots=True)
class Entry:
    """One change of a counter.

    ``whose``: the member that the counter belongs to, empty for the game's own. ``total``: the
    value after it. ``step``: the number of the answer that led to it; 0 is the set-up. ``causes``:
    the rules that were under way, the outermost first. A change without a rule is the value at the
    start, or a reset.
    """

    counter: str
    whose: str
    change: int
    total: int
    step: int
    rule: str
    place: str
    cites: tuple[str, ...]
    causes: tuple[str, ...]


def ledger_of(game: Game, past: Past, data: bytes, counter: str, player: int | None) -> list[Entry]:
    """The entries of a counter, oldest first; for one player, or for all who have one."""
    info = next((c for c in game.compiled.counters if c.name == counter and not c.is_mark), None)
    if info is None:
        close = nearest(counter, [c.name for c in game.compiled.counters if not c.is_mark])
        hint = f"; did you mean `{close}`?" if close else ""
        raise GameError(f"this game has no counter `{counter}`{hint}")
    if player is not None:
        game.check_player(player)
    n = game.compiled.program.fields[info.field].n
    wanted = [i for i in range(n) if player is None or _owner(game, info, i) == player - 1]
    return _entries(game, past, data, info, wanted)


def _owner(game: Game, info: CounterInfo, i: int) -> int:
    return i if info.each == "player" else game.names.owner(info.each, i)


def _entries(
    game: Game, past: Past, end: bytes, info: CounterInfo, wanted: list[int]
) -> list[Entry]:
    layout = game.machine.layout
    start, steps = steps_of(past)
    moments: list[Past] = [start, *steps]
    data = before_of(game, start)
    totals = {i: layout.value(data, info.field, i) for i in wanted}
    entries = [_silent(game, info, i, 0, total, total) for i, total in totals.items() if total]
    for moment, later in zip(moments, [*steps, None], strict=True):
        after = later.before if later is not None else end
        events = events_of(game, moment)
        for event in events:
            if event.kind != "gain" or event.name != info.field or event.args[0] not in totals:
                continue
            i, change = event.args
            if change == 0:
                continue
            totals[i] += change
            entries.append(_told(game, info, event, events, totals[i], moment.number))
        for i, total in totals.items():
            now = layout.value(after, info.field, i)
            if now != total:
                entries.append(_silent(game, info, i, moment.number, now - total, now))
                totals[i] = now
    return entries


def _silent(game: Game, info: CounterInfo, i: int, step: int, change: int, total: int) -> Entry:
    return Entry(info.name, _whose(game, info, i), change, total, step, "", "", (), ())


def _told(
    game: Game,
    info: CounterInfo,
    event: Event,
    events: Sequence[Event],
    total: int,
    step: int,
) -> Entry:
    rule, place, cites = game.names.site(event.site)
    causes: list[str] = []
    above = event.parent
    while above >= 0:
        causes.append(events[above].name)
        above = events[above].parent
    i, change = event.args
    whose = _whose(game, info, i)
    return Entry(info.name, whose, change, total, step, rule, place, cites, tuple(reversed(causes)))


def _whose(game: Game, info: CounterInfo, i: int) -> str:
    return game.names.show(info.each, i) if info.each else ""
