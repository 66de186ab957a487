"""Many games side by side as numpy arrays: what a learner steps.

Takes a game; gives lanes. One action a lane and step; a lane that is over begins a new game by
itself. An action is a number: decisions in the order of the program, stages in order, then the
candidates of each; `Batch.action` and `Batch.meaning` say which. A number means something only
together with the fingerprint of the game.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from interpreter.native.engine import NativeMachine
from interpreter.native.lanes import ENDED, REFUSED, WENT_WRONG
from interpreter.native.outcomes import rewards, scores
from interpreter.runtime.errors import GameError

if TYPE_CHECKING:
    from interpreter.runtime.game import Game

SMALLEST: Final = 256
"""Lanes for a thread: fewer are not worth the change of threads."""


@dataclass(frozen=True, slots=True)
class BatchStep:
    """What a step gave, lane by lane.

    ``rewards``: for each player 1 won, -1 not, 0 where nobody or everybody has won or the game
    goes on. ``done``: the game of the lane is over, and a new one has begun. ``refused``: the
    action was not allowed, and nothing has changed. ``wrong``: the rules went wrong; a new game
    has begun.
    """

    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    refused: NDArray[np.bool_]
    wrong: NDArray[np.bool_]


class Batch:
    """``n`` games under way.

    Lane k begins with the seed ``seed + k``; its next game has a seed that is larger by ``n``.

    states    (n, bytes of a state), uint8
    players   (n,), int32: who acts next, from 1; 0 where a game cannot even begin
    sets      (n, words), uint64: the candidates of what is asked
    bases     (n,), int32: the action number of candidate 0
    finals    (n, bytes of a state): the last state of the game that ended last in each lane
    """

    def __init__(self, game: Game, n: int, seed: int = 0, threads: int = 1) -> None:
        machine = game.native
        if machine is None:
            raise GameError("a batch needs machine code: install `rulewright[native]`")
        self.game, self.n = game, n
        self._machine: NativeMachine = machine
        layout = machine.layout
        self.states: NDArray[np.uint8] = np.zeros((n, layout.size), np.uint8)
        self.finals: NDArray[np.uint8] = np.zeros((n, layout.size), np.uint8)
        self.sets: NDArray[np.uint64] = np.zeros((n, machine.linked.set_words), np.uint64)
        self.bases: NDArray[np.int32] = np.zeros(n, np.int32)
        self._zero_based: NDArray[np.int32] = np.zeros(n, np.int32)
        self._ended: NDArray[np.uint8] = np.zeros(n, np.uint8)
        self._seeds = (np.arange(n, dtype=np.uint64) + np.uint64(seed & (1 << 64) - 1)).astype(
            np.uint64
        )
        parts = max(1, min(threads, n // SMALLEST))
        self._edges = [n * k // parts for k in range(parts + 1)]
        self._contexts = [machine.new_context() for _ in range(parts)]
        self._pool = ThreadPoolExecutor(parts) if parts > 1 else None
        self._table = action_table(machine)
        self.actions = self._table[-1][3] if self._table else 0
        """How many action numbers there are."""
        self._round(None)

    def _round(self, actions: NDArray[np.int32] | None) -> None:
        parts = range(len(self._contexts))
        if self._pool is None:
            self._part(0, actions)
        else:
            list(self._pool.map(lambda k: self._part(k, actions), parts))

    def _part(self, k: int, actions: NDArray[np.int32] | None) -> None:
        low, high = self._edges[k], self._edges[k + 1]

        def at(array: NDArray[Any]) -> int:
            return int(array.ctypes.data) + low * array.strides[0]

        self._machine.lanes(
            at(self.states),
            self._contexts[k],
            high - low,
            None if actions is None else at(actions),
            at(self._seeds),
            self.n,
            at(self._zero_based),
            at(self.bases),
            at(self.sets),
            at(self._ended),
            at(self.finals),
        )

    # ------------------------------------------------------------------ playing

    @property
    def players(self) -> NDArray[np.int32]:
        """Who acts next in each lane, from 1."""
        return self._zero_based + np.int32(1)

    def step(self, actions: NDArray[Any]) -> BatchStep:
        """One action in each lane."""
        given = np.ascontiguousarray(actions, np.int32)
        if given.shape != (self.n,):
            raise ValueError(f"expected {self.n} actions, found an array of shape {given.shape}")
        self._round(given)
        done = self._ended == ENDED
        won = np.zeros((self.n, self.game.players), np.float32)
        if done.any():
            won[done] = rewards(self.game, self.finals[done])
        return BatchStep(won, done, self._ended == REFUSED, self._ended == WENT_WRONG)

    def mask(self) -> NDArray[np.bool_]:
        """(n, actions): the action numbers that are allowed."""
        out = np.zeros((self.n, self.actions), np.bool_)
        members = self.candidates()
        for _, _, low, high in self._table:
            here = self.bases == low
            if here.any():
                out[here, low:high] = members[here, : high - low]
        return out

    def candidates(self) -> NDArray[np.bool_]:
        """(n, bits of a set): the candidates that are allowed, whatever is asked."""
        words = self.sets.astype("<u8").view(np.uint8)
        return np.unpackbits(words, axis=1, bitorder="little").view(np.bool_)

    def random_actions(self, random: np.random.Generator) -> NDArray[np.int32]:
        """An allowed action in each lane, all alike likely."""
        out: NDArray[np.int32] = np.empty(self.n, np.int32)
        seed = int(random.integers(1 << 63))
        at = (self.bases.ctypes.data, self.sets.ctypes.data, out.ctypes.data)
        self._machine.pick(self.n, *at, seed)
        return out

    # ------------------------------------------------------------------ reading

    def scores(self) -> dict[str, NDArray[np.int32]]:
        """Counter that decides to (n, players): in the last state of each lane's last game."""
        return scores(self.game, self.finals)

    def field(self, name: str) -> NDArray[Any]:
        """(n, length): a field of the program in all lanes, as a view that follows the states.

        All of it, whoever may see it.
        """
        cells = self._machine.layout.fields[name]
        raw = self.states[:, cells.offset : cells.offset + cells.width * cells.n]
        return raw.view(np.int16 if cells.width == 2 else np.int32)

    def state(self, lane: int) -> bytes:
        """The state of a lane; `Game.from_bytes` takes it."""
        return bytes(self.states[lane].tobytes())

    # ------------------------------------------------------------------ numbers of actions

    def action(self, decision: str, candidate: int, stage: int = 0) -> int:
        """The action number of a candidate of a decision's stage."""
        for name, number, low, high in self._table:
            if (name, number) == (decision, stage) and 0 <= candidate < high - low:
                return low + candidate
        raise ValueError(f"no candidate {candidate} of `{decision}` at stage {stage}")

    def meaning(self, action: int) -> tuple[str, int, int]:
        """Decision, stage and candidate of an action number."""
        for name, number, low, high in self._table:
            if low <= action < high:
                return name, number, action - low
        raise ValueError(f"no action {action}: expected 0 to {self.actions - 1}")

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch of {self.n} x {self.game.name}>"


def action_table(machine: NativeMachine) -> list[tuple[str, int, int, int]]:
    """Decision, stage, first action number, first number after it."""
    out = []
    low = 0
    for decision in machine.program.decisions.values():
        for k, stage in enumerate(decision.stages):
            out.append((decision.name, k, low, low + stage.size))
            low += stage.size
    return out
