"""Chance as nodes of the game tree: states at which chance is asked, not a player.

Takes a game and its states; gives states that wait for an outcome. Such a state holds the state
before the step, the answer that began the step, and what chance gave in it so far: the machine
plays the step again with one outcome more until it needs none.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.ir.layout import COUNTER, SEED, cell, put_cell
from interpreter.runtime.errors import DataError, GameError, IllegalOption
from interpreter.runtime.history import Beginning, Step
from interpreter.runtime.state import State
from interpreter.runtime.step import MachineError
from interpreter.runtime.waiting import HEAD, Waiting
from ruleset.diagnostics.messages import play as say

if TYPE_CHECKING:
    from interpreter.runtime.game import Game
    from interpreter.runtime.step import Outcome as Stepped


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
    out = game.stepped(state.data, player, candidate, outcomes, allowed)
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


# ---------------------------------------------------------------------- as bytes and as a save


def from_bytes(game: Game, data: bytes) -> State:
    """The state of such bytes. Raises `DataError`."""
    size = game.machine.layout.size
    try:
        player, candidate, n = HEAD.unpack_from(data, size)
        outcomes = struct.unpack(f"<{n}i", data[size + HEAD.size :])
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
