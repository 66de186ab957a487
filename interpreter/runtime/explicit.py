"""Chance as nodes of the game tree: states at which chance is asked, not a player.

Takes a game and its states; gives states that wait for an outcome. Such a state holds the state
before the step, the answer that began the step, and what chance gave in it so far: the machine
plays the step again with one outcome more until it needs none.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.ir.layout import COUNTER, SEED, cell, put_cell
from interpreter.runtime.errors import DataError, GameError, IllegalOption
from interpreter.runtime.history import Beginning, Step
from interpreter.runtime.naming import SET_OF, bits
from interpreter.runtime.state import State
from interpreter.runtime.step import IllegalCandidate, MachineError
from interpreter.runtime.waiting import Chance, Outcome, Waiting
from ruleset.diagnostics.messages import play as say

if TYPE_CHECKING:
    from collections.abc import Hashable

    from interpreter.runtime.game import Game
    from interpreter.runtime.step import Outcome as Stepped

_HEAD = struct.Struct("<iiI")


def begin(game: Game, seed: int, outcomes: Sequence[int] = ()) -> State:
    """The start of a game: the first decision, or the first chance event of the set-up."""
    blank = game.machine.layout.initial(seed)
    out = game.machine.start(seed, outcomes)
    return _after(game, out, blank, Beginning(seed, tuple(out.rolled)), -1, -1, outcomes)


def answer(
    state: State, player: int, candidate: int, outcomes: Sequence[int] = (), allowed: int = -1
) -> State:
    """The state after an answer, with these outcomes: it may wait for one more."""
    game = state.game
    try:
        out = game.machine.apply(state.data, player, candidate, outcomes, allowed)
    except IllegalCandidate as error:
        raise IllegalOption(str(error)) from None
    past = state.past
    if past is not None and out.need is None:
        past = Step(past, state.data, player, candidate, out.rolled)
    return _after(game, out, state.data, past, player, candidate, outcomes)


def _after(
    game: Game,
    out: Stepped,
    before: bytes,
    past: Step | Beginning | None,
    player: int,
    candidate: int,
    outcomes: Sequence[int],
) -> State:
    if out.need is not None:
        waiting = Waiting(player, candidate, tuple(outcomes), *out.need)
        return State(game, before, past, True, waiting)
    if out.fault is not None:
        raise game.fault(*out.fault)
    start = out.state if player < 0 else before
    return State(game, counted(out.state, start, out.rolled), past, True)


def counted(data: bytes, before: bytes, rolled: Sequence[tuple[str, int]]) -> bytes:
    """The counter of chance as it would be if the generator had given the outcomes."""
    if not rolled:
        return data
    buffer = bytearray(data)
    put_cell(buffer, "i", COUNTER, cell(before, "i", COUNTER) + len(rolled))
    return bytes(buffer)


def go_on(state: State, member: int) -> State:
    """The state after one more outcome."""
    waiting = state.waiting
    assert waiting is not None
    if member < 0 or not waiting.members >> member & 1:
        raise IllegalOption(f"chance cannot give {member} for `{waiting.label}`")
    outcomes = (*waiting.outcomes, member)
    if waiting.player < 0:
        seed = state.past.seed if isinstance(state.past, Beginning) else 0
        return begin(state.game, seed, outcomes)
    return answer(state, waiting.player, waiting.candidate, outcomes)


# ---------------------------------------------------------------------- what chance can give


def chance_of(state: State) -> Chance | None:
    """The event that a state waits for, with its outcomes; alike pieces are one outcome."""
    waiting = state.waiting
    if waiting is None:
        return None
    game = state.game
    kind = game.compiled.chances.get(waiting.label, "number")
    alike: dict[Hashable, list[int]] = {}
    for member in bits(waiting.members):
        alike.setdefault(_looks(game, state, kind, member), []).append(member)
    total = waiting.members.bit_count()
    outcomes = tuple(_outcome(game, kind, same, total) for same in alike.values())
    return Chance(waiting.label, kind, outcomes)


def _outcome(game: Game, kind: str, same: list[int], total: int) -> Outcome:
    text = game.names.show(kind, same[0])
    if len(same) > 1:
        text = text.partition("#")[0]
    return Outcome(text, Fraction(len(same), total), same[0], tuple(same), kind, game)


def _looks(game: Game, state: State, kind: str, member: int) -> Hashable:
    """All that makes a difference between pieces of a kind; other members are all different."""
    group = game.compiled.program.groups.get(kind)
    if group is None:
        return member
    layout, data = game.machine.layout, state.data
    values = [
        (layout.set_value if c.kind.startswith(SET_OF) else layout.value)(data, c.field, member)
        for c in game.compiled.counters
        if c.each == kind
    ]
    named = any(
        c.kind.removeprefix(SET_OF) == kind and _names(game, state, c.field, c.kind, member)
        for c in game.compiled.counters
    )
    side = f"{kind}.side"
    turned = layout.value(data, side, member) if side in layout.fields else 0
    shown = game.visibility.shown_to(layout, data, kind, member)
    return (group.alike[member], turned, shown, tuple(values), member if named else -1)


def _names(game: Game, state: State, field: str, kind: str, member: int) -> bool:
    """Whether a mark names the piece."""
    layout, program = game.machine.layout, game.compiled.program
    if kind.startswith(SET_OF):
        n = program.set_fields[field].n
        return any(layout.set_value(state.data, field, i) >> member & 1 for i in range(n))
    return any(layout.value(state.data, field, i) == member for i in range(program.fields[field].n))


def outcome_of(state: State, text: str) -> Outcome:
    """The outcome with this text, or with the id of one of its members. Raises `IllegalOption`."""
    chance = chance_of(state)
    assert chance is not None
    for outcome in chance.outcomes:
        ids = [state.game.names.show(chance.kind, member) for member in outcome.members]
        if text.strip() in (outcome.text, *ids):
            return outcome
    possible = ", ".join(f"`{outcome.text}`" for outcome in chance.outcomes[:9])
    raise IllegalOption(f"chance is asked for `{chance.label}`: expected one of {possible}")


# ---------------------------------------------------------------------- as bytes and as a save


def bytes_of_waiting(data: bytes, waiting: Waiting) -> bytes:
    """The bytes before the step, then the answer and the outcomes."""
    head = _HEAD.pack(waiting.player, waiting.candidate, len(waiting.outcomes))
    return data + head + struct.pack(f"<{len(waiting.outcomes)}i", *waiting.outcomes)


def from_bytes(game: Game, data: bytes) -> State:
    """The state of such bytes. Raises `DataError`."""
    size = game.machine.layout.size
    try:
        player, candidate, n = _HEAD.unpack_from(data, size)
        outcomes = struct.unpack(f"<{n}i", data[size + _HEAD.size :])
    except struct.error:
        raise DataError(say.no_state("what follows the state is no answer with outcomes")) from None
    return waiting_state(game, data[:size], player, candidate, outcomes)


def waiting_state(
    game: Game, before: bytes, player: int, candidate: int, outcomes: Sequence[int]
) -> State:
    """The state that waits for the next outcome of a step. Raises `DataError` where none does."""
    try:
        if player < 0:
            seed = cell(before, "Q", SEED)
            state = begin(game, seed, outcomes)
        else:
            reason = game.machine.check_state(before)
            if reason is not None:
                raise DataError(say.no_state(reason))
            state = answer(State(game, before), player, candidate, outcomes)
    except (MachineError, GameError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(say.no_state(str(error))) from None
    if state.waiting is None or state.data != before:
        raise DataError(say.no_state("nothing is asked of chance after these outcomes"))
    return state


def plain(state: State) -> dict[str, Any]:
    """What a save says of the step that waits."""
    waiting = state.waiting
    assert waiting is not None
    return {
        "player": waiting.player + 1,
        "candidate": waiting.candidate,
        "outcomes": list(waiting.outcomes),
    }


def from_plain(game: Game, before: bytes, said: Mapping[str, Any]) -> State:
    """The state of a save that waits for chance. Raises `DataError`."""
    player, candidate, outcomes = (said.get(key) for key in ("player", "candidate", "outcomes"))
    if not (
        isinstance(player, int)
        and isinstance(candidate, int)
        and isinstance(outcomes, list)
        and all(isinstance(member, int) for member in outcomes)
    ):
        raise DataError(say.wrong_entry("step", "a player, a candidate and outcomes", said))
    return waiting_state(game, before, player - 1, candidate, outcomes)
