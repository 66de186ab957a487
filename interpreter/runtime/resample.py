"""Another state that a player cannot tell from this one, as likely as the rules of chance make it.

Takes a state with its past. Where chance gave the player a piece that they have not seen since, any
piece that could have come instead may have come: the game is played again with other outcomes, and
with the same choices, about the pieces that lie there now. Secret answers that are still open are
drawn anew. What follows from that must look the same to the player at each of their decisions;
where it does not, another try is made. Inside, players are numbers from 0.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from interpreter.ir.bitsets import members_of
from interpreter.ir.words import FLIP, SIDE
from interpreter.runtime.chance import SEEDS
from interpreter.runtime.content import member, range_of
from interpreter.runtime.errors import GameError
from interpreter.runtime.events import before_of, events_of, still_gathers
from interpreter.runtime.history import Beginning, Past, Step, steps_of
from interpreter.runtime.step import MachineError

if TYPE_CHECKING:
    from interpreter.runtime.game import Game
    from interpreter.runtime.state import State
    from interpreter.runtime.step import Event

TRIES: Final = 200


@dataclass(slots=True)
class Roll:
    """One outcome of the past: when it was, of what it was drawn, and what was drawn."""

    moment: int
    time: int
    kind: str
    member: int
    members: tuple[int, ...]
    """Those that could have come instead without the player's knowing."""


@dataclass(slots=True)
class Known:
    """What a player has seen of the past."""

    rolls: list[Roll] = field(default_factory=list)
    seen: dict[tuple[str, int], int] = field(default_factory=dict)
    """When each piece was seen the last time."""


def resampled(state: State, player: int, seed: int) -> State:
    """A state that looks the same to a player (from 1), drawn by chance. See `State.resample`."""
    game = state.game
    game.check_player(player)
    if state.past is None:
        raise GameError("the past of this state is not known, so nobody knows what was seen of it")
    start, steps = steps_of(state.past)
    known = _known(game, start, steps, state.data, player - 1)
    secret = _secret_answers(state, steps, player - 1)
    generator = random.Random(seed)
    for _ in range(TRIES):
        found = _try(state, start, steps, known, secret, player, generator)
        if found is not None:
            return found
    raise GameError(f"no other state was found in {TRIES} tries that looks like this one")


def _known(game: Game, start: Beginning, steps: list[Step], end: bytes, viewer: int) -> Known:
    """Goes through the past and notes what was drawn and what was seen."""
    known = Known()
    moments: list[Past] = [start, *steps]
    ends = [step.before for step in steps] + [end]
    groups = game.compiled.program.groups
    layout, time = game.machine.layout, 0
    bit = 1 << (viewer + 1)
    for number, (moment, after) in enumerate(zip(moments, ends, strict=True)):
        before = before_of(game, moment)
        events = events_of(game, moment)
        for name in groups:
            for piece in members_of(game.visibility.pieces(layout, before, name, viewer)):
                known.seen[name, piece] = time
        for k, event in enumerate(events):
            time += 1
            if event.kind == "move":
                piece, old, new = event.args
                sight = game.visibility.sight(event.name, old) | game.visibility.sight(
                    event.name, new
                )
                if old != new and sight & bit:
                    known.seen[event.name, piece] = time
            elif event.kind == "roll":
                known.rolls.append(_roll(game, number, time, event, events[k + 1 :]))
        time += 1
        for name in groups:
            for piece in members_of(game.visibility.pieces(layout, after, name, viewer)):
                known.seen[name, piece] = time
    for roll in known.rolls:
        _leave_open(game, roll, known)
    return known


def _roll(game: Game, moment: int, time: int, event: Event, later: Sequence[Event]) -> Roll:
    kind = game.compiled.chances.get(event.name, "number")
    result, members = event.args
    if kind.endswith(SIDE):
        group = kind.removesuffix(SIDE)
        turned = next((e for e in later if e.kind == "emit" and e.name == FLIP + group), None)
        of = turned.args[0] if turned is not None else -1
        return Roll(moment, time, f"{group}{SIDE} {of}", result, tuple(members_of(members)))
    return Roll(moment, time, kind, result, tuple(members_of(members)))


def _leave_open(game: Game, roll: Roll, known: Known) -> None:
    """Keep what could have come instead: of pieces those that were not seen since."""
    if SIDE in roll.kind:
        kind, _, piece = roll.kind.partition(" ")
        if int(piece) < 0 or known.seen.get((kind.removesuffix(SIDE), int(piece)), -1) > roll.time:
            roll.members = ()
    elif roll.kind in game.compiled.program.groups:
        unseen = [k for k in roll.members if known.seen.get((roll.kind, k), -1) <= roll.time]
        roll.members = tuple(unseen)
    else:
        roll.members = ()


def _secret_answers(state: State, steps: list[Step], viewer: int) -> set[int]:
    """Numbers of the steps that are others' answers to the choice that is still open."""
    machine = state.game.machine
    found: set[int] = set()
    if state.over or machine.actor(state.data) >= 0:
        return found
    after = state.data
    for step in reversed(steps):
        if step.effects or machine.actor(step.before) >= 0:
            break
        if not still_gathers(state.game, step.before, after, step.player):
            break
        if step.player != viewer:
            found.add(step.number)
        after = step.before
    return found


def _try(
    state: State,
    start: Beginning,
    steps: list[Step],
    known: Known,
    secret: set[int],
    player: int,
    generator: random.Random,
) -> State | None:
    """Play the past again with other outcomes; None where the player could tell."""
    game = state.game
    names: dict[tuple[str, int], int] = {}
    rolls = iter(known.rolls)
    try:
        outcomes = _outcomes(rolls, len(start.rolled), names, generator)
        now = game.begin(generator.randrange(SEEDS), outcomes)
        for step in steps:
            if step.player == player - 1 and not _looks_same(state, now, step, player):
                return None
            if step.effects:
                if len(step.rolled):
                    return None
                now = game.perform(now, step.effects)
                continue
            decision = next((d for d in now.pending if d.player == step.player + 1), None)
            if decision is None:
                return None
            if step.number in secret:
                candidate = generator.choice(decision.options).candidate
            else:
                candidate = _candidate(game, step, names)
            outcomes = _outcomes(rolls, len(step.rolled), names, generator)
            now = game.step(now, step.player, candidate, outcomes)
    except (GameError, MachineError):
        return None
    same = now.view(player) == state.view(player)
    return now if same else None


def _outcomes(
    rolls: Iterator[Roll],
    count: int,
    names: dict[tuple[str, int], int],
    generator: random.Random,
) -> list[int]:
    """Other outcomes for the next so many rolls; ``names``: which piece takes whose place."""
    found = []
    for _, roll in zip(range(count), rolls, strict=False):
        open_ = list(roll.members)
        if SIDE in roll.kind:
            found.append(generator.choice(open_) if open_ else roll.member)
            continue
        others = [names.get((roll.kind, k), k) for k in open_]
        generator.shuffle(others)
        names.update({(roll.kind, k): other for k, other in zip(open_, others, strict=True)})
        found.append(names.get((roll.kind, roll.member), roll.member))
    return found


def _candidate(game: Game, step: Step, names: dict[tuple[str, int], int]) -> int:
    """The same choice, about the piece that lies there now."""
    question = game.compiled.questions[game.machine.decision(step.before, step.player)]
    part = range_of(question, step.candidate)
    if not part.param or part.kind not in game.compiled.program.groups:
        return step.candidate
    piece = member(part, step.candidate)
    return names.get((part.kind, piece), piece) - part.first + part.low


def _looks_same(state: State, now: State, step: Step, player: int) -> bool:
    """Whether the player saw the same when they made a choice."""
    if now.data == step.before:
        return True
    return now.view(player) == state.at(step.number - 1).view(player)
