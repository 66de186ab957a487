"""States that differ only in what a player may not see: the test that nothing leaks.

Takes a state and a viewer; gives a state with other hidden pieces, other hidden values, other
answers, other chance. Its view for that player must be the same, byte for byte. The hidden pieces
of a kind change their names, everywhere: where they lie, in marks, and in what the question at hand
is about. Such a state need not be one that play can reach, so it is good for looking at and for
nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import COUNTER, PENDING, SEED, cell, put_cell
from interpreter.ir.words import SET_OF, SIDE
from interpreter.runtime.state import State
from interpreter.runtime.visibility import revealed_field

if TYPE_CHECKING:
    from interpreter.lowering.compiled import Question
    from interpreter.runtime.game import Game

Renaming: TypeAlias = "Mapping[str, Mapping[int, int]]"
"""Of each kind of piece: the piece that takes the place of a hidden one."""


def scrambled(state: State, player: int, seed: int) -> State:
    """Another state that looks the same to a player (from 1); without a past."""
    game = state.game
    game.check_player(player)
    viewer, generator = player - 1, random.Random(seed)
    asked = _asked(game, state, viewer)
    renaming = _renaming(game, state.data, viewer, generator)
    buffer = bytearray(state.data)
    put_cell(buffer, "Q", SEED, generator.getrandbits(64))
    put_cell(buffer, "i", COUNTER, generator.getrandbits(30))
    _pending(game, state, buffer, viewer, generator)
    _pieces(game, state.data, buffer, renaming)
    _marks(game, state.data, buffer, renaming)
    _fields(game, buffer, viewer, generator)
    _stages(game, state.data, buffer, viewer, generator)
    if asked is not None:
        _arguments(game, buffer, asked, renaming)
        _answers(game, state.data, buffer, viewer, renaming)
    return State(game, bytes(buffer))


def _asked(game: Game, state: State, viewer: int) -> Question | None:
    """What the viewer is asked, if they are; else what somebody is asked."""
    pending = members_of(game.machine.pending(state.data))
    if not pending:
        return None
    who = viewer if viewer in pending else pending[0]
    return game.compiled.questions[game.machine.decision(state.data, who)]


def _renaming(game: Game, data: bytes, viewer: int, generator: random.Random) -> Renaming:
    found: dict[str, dict[int, int]] = {}
    for name, group in game.compiled.program.groups.items():
        seen = game.visibility.pieces(game.machine.layout, data, name, viewer)
        hidden = [piece for piece in range(group.n) if not seen >> piece & 1]
        others = list(hidden)
        generator.shuffle(others)
        found[name] = dict(zip(hidden, others, strict=True))
    return found


def _renamed(renaming: Renaming, kind: str, value: int) -> int:
    """A value of a kind under the other names."""
    if not kind.startswith(SET_OF):
        return renaming.get(kind, {}).get(value, value)
    names = renaming.get(kind.removeprefix(SET_OF), {})
    return sum(1 << names.get(member, member) for member in members_of(value)) if names else value


def _pending(
    game: Game, state: State, buffer: bytearray, viewer: int, generator: random.Random
) -> None:
    """In a simultaneous choice any of the others may have answered."""
    pending = game.machine.pending(state.data)
    if not pending or game.machine.actor(state.data) >= 0:
        return
    own = pending & 1 << viewer
    others = generator.getrandbits(game.players) & ~(1 << viewer)
    if own | others:
        put_cell(buffer, "Q", PENDING, own | others)


def _pieces(game: Game, data: bytes, buffer: bytearray, renaming: Renaming) -> None:
    """Each piece goes where the one lay whose place it takes, with what is revealed of it."""
    layout = game.machine.layout
    for name, others in renaming.items():
        for old, new in others.items():
            zone, place = layout.zone_of(data, name, old), layout.place_of(data, name, old)
            layout.put_piece(buffer, name, new, zone, place)
        field = revealed_field(name)
        if field in layout.set_fields:
            for i in range(game.players):
                shown = layout.set_value(data, field, i)
                layout.put_set(buffer, field, i, _renamed(renaming, SET_OF + name, shown))


def _marks(game: Game, data: bytes, buffer: bytearray, renaming: Renaming) -> None:
    """Marks that name pieces; counters and marks that lie on pieces, and their sides."""
    layout = game.machine.layout
    for name, others in renaming.items():
        if (side := name + SIDE) in layout.fields:
            for old, new in others.items():
                layout.put(buffer, side, new, layout.value(data, side, old))
    for counter in game.compiled.counters:
        is_set = counter.kind.startswith(SET_OF)
        if counter.each not in renaming and counter.kind.removeprefix(SET_OF) not in renaming:
            continue
        read, put = (layout.set_value, layout.put_set) if is_set else (layout.value, layout.put)
        program = game.compiled.program
        n = (program.set_fields if is_set else program.fields)[counter.field].n
        for i in range(n):
            value = _renamed(renaming, counter.kind, read(data, counter.field, i))
            put(buffer, counter.field, _renamed(renaming, counter.each, i), value)


def _fields(game: Game, buffer: bytearray, viewer: int, generator: random.Random) -> None:
    layout = game.machine.layout
    program = game.compiled.program
    for name, field in program.fields.items():
        for i in range(field.n):
            if field.seen != "all" and not game.visibility.field(name, i, viewer):
                layout.put(buffer, name, i, generator.randint(field.low, field.high))
    for name, sets in program.set_fields.items():
        for i in range(sets.n):
            if sets.seen != "all" and not game.visibility.field(name, i, viewer):
                layout.put_set(buffer, name, i, generator.getrandbits(sets.bits))


def _stages(
    game: Game, data: bytes, buffer: bytearray, viewer: int, generator: random.Random
) -> None:
    """In a simultaneous choice the others are at stages that agree with who has answered."""
    machine = game.machine
    if not machine.pending(data) or machine.actor(data) >= 0:
        return
    name, _ = machine.decision(data, members_of(machine.pending(data))[0])
    decision = game.compiled.program.decisions[name]
    pending = cell(buffer, "Q", PENDING)
    for player in range(game.players):
        if decision.pending and player != viewer:
            many = len(decision.stages)
            stage = generator.randrange(many) if pending >> player & 1 else many
            machine.layout.put(buffer, decision.pending, player, stage)


def _arguments(game: Game, buffer: bytearray, asked: Question, renaming: Renaming) -> None:
    """What the question at hand is about lies in the frame that asks it."""

    def renamed(k: int, value: int) -> int:
        return _renamed(renaming, asked.kinds[k], value) if k < len(asked.kinds) else value

    game.machine.change_arguments(buffer, renamed)


def _answers(game: Game, data: bytes, buffer: bytearray, viewer: int, renaming: Renaming) -> None:
    """What the viewer has chosen already in a simultaneous choice."""
    machine = game.machine
    if machine.actor(data) >= 0 or not machine.pending(data) >> viewer & 1:
        return
    name, stage = machine.decision(data, viewer)
    stages: Sequence[str] = [s.answers for s in game.compiled.program.decisions[name].stages]
    for k, field in enumerate(stages[:stage]):
        (part, *rest) = game.compiled.questions[name, k].ranges
        answer = machine.layout.value(data, field, viewer)
        if not rest and part.param:
            machine.layout.put(buffer, field, viewer, _renamed(renaming, part.kind, answer))
