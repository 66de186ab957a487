"""How the lanes of a batch are stepped: in machine code, or by the reference engine.

Takes the arrays of a batch; changes them in place. Both do the same, byte for byte, so a batch can
change from one to the other between two steps.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from interpreter.ir.bitsets import nth
from interpreter.ir.layout import OVER, WAITING
from interpreter.native.context import ENDED, GOES_ON, REFUSED, WENT_WRONG
from interpreter.runtime.chance import GOLDEN, MASK, mix64
from interpreter.runtime.step import Fault

if TYPE_CHECKING:
    from interpreter.native.engine import NativeMachine
    from interpreter.runtime.machine import Machine

SMALLEST: Final = 256
"""Lanes for a thread: fewer are not worth the change of threads."""


def seeds_from(seed: int, n: int) -> NDArray[np.uint64]:
    """(n,): a seed and those that follow it."""
    return np.arange(n, dtype=np.uint64) + np.uint64(seed & MASK)


class Arrays:
    """The arrays of ``n`` lanes; see `Batch`."""

    def __init__(self, n: int, size: int, words: int, players: int, seed: int) -> None:
        self.n = n
        self.states: NDArray[np.uint8] = np.zeros((n, size), np.uint8)
        self.finals: NDArray[np.uint8] = np.zeros((n, size), np.uint8)
        self.sets: NDArray[np.uint64] = np.zeros((n, words), np.uint64)
        self.bases: NDArray[np.int32] = np.zeros(n, np.int32)
        self.players: NDArray[np.int32] = np.full(n, -1, np.int32)
        """Who acts next, from 0."""
        self.ended: NDArray[np.uint8] = np.zeros(n, np.uint8)
        self.rewards: NDArray[np.float32] = np.zeros((n, players), np.float32)
        self.seeds = seeds_from(seed, n)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        parts = (self.states, self.finals, self.sets, self.bases, self.players, self.ended)
        return sum(part.nbytes for part in (*parts, self.rewards, self.seeds))


class Stepper(Protocol):
    """What both engines can do with lanes."""

    def step(self, actions: NDArray[np.int32] | None) -> None:
        """One action in each lane; without any, every lane begins anew."""

    def illegal(self, actions: NDArray[np.int32]) -> int:
        """The first lane whose action is not allowed, or -1; where nothing is, any is."""

    def pick(self, out: NDArray[np.int32], seed: int) -> None:
        """An allowed action in each lane, all alike likely."""


class InMachineCode:
    """Lanes in machine code, shared out among threads."""

    def __init__(self, arrays: Arrays, machine: NativeMachine, threads: int) -> None:
        self._arrays, self._machine = arrays, machine
        parts = max(1, min(threads, arrays.n // SMALLEST))
        self._edges = [arrays.n * k // parts for k in range(parts + 1)]
        self._contexts = [machine.new_context() for _ in range(parts)]
        self._pool = ThreadPoolExecutor(parts) if parts > 1 else None

    def step(self, actions: NDArray[np.int32] | None) -> None:
        """See `Stepper`. An interrupt waits until all lanes are stepped."""
        if self._pool is None:
            self._part(0, actions)
            return
        parts = [self._pool.submit(self._part, k, actions) for k in range(len(self._contexts))]
        try:
            wait(parts)
        except BaseException:
            wait(parts)
            raise
        for part in parts:
            part.result()

    def _part(self, k: int, actions: NDArray[np.int32] | None) -> None:
        low, high = self._edges[k], self._edges[k + 1]
        a = self._arrays

        def at(array: NDArray[Any]) -> int:
            return int(array.ctypes.data) + low * array.strides[0]

        self._machine.lanes(
            at(a.states),
            self._contexts[k],
            high - low,
            None if actions is None else at(actions),
            at(a.seeds),
            a.n,
            *(at(each) for each in (a.players, a.bases, a.sets, a.ended, a.finals, a.rewards)),
        )

    def illegal(self, actions: NDArray[np.int32]) -> int:
        """See `Stepper`."""
        a = self._arrays
        places = (a.bases.ctypes.data, a.sets.ctypes.data, actions.ctypes.data)
        return int(self._machine.illegal(a.n, *places))

    def pick(self, out: NDArray[np.int32], seed: int) -> None:
        """See `Stepper`."""
        a = self._arrays
        self._machine.pick(a.n, a.bases.ctypes.data, a.sets.ctypes.data, out.ctypes.data, seed)


class OnReference:
    """Lanes one after the other on the reference engine."""

    def __init__(
        self,
        arrays: Arrays,
        machine: Machine,
        bases: dict[tuple[str, int], int],
        reward: Callable[[NDArray[np.uint8]], NDArray[np.float32]],
    ) -> None:
        """``reward``: a number for each player, from states that are over."""
        self._arrays, self._machine, self._bases = arrays, machine, bases
        self._reward = reward

    def step(self, actions: NDArray[np.int32] | None) -> None:
        """See `Stepper`."""
        for k in range(self._arrays.n):
            if actions is None:
                self._arrays.ended[k] = GOES_ON
                self._begin(k)
            else:
                self._act(k, int(actions[k]))

    def _act(self, k: int, action: int) -> None:
        a, machine = self._arrays, self._machine
        allowed, candidate = self.allowed(k), action - int(a.bases[k])
        a.rewards[k] = 0
        if candidate < 0 or not allowed >> candidate & 1:
            a.ended[k] = REFUSED
            return
        before = a.states[k].tobytes()
        end = WENT_WRONG
        try:
            out = machine.apply(before, int(a.players[k]), candidate, None, allowed)
            if out.fault is None:
                a.states[k] = np.frombuffer(out.state, np.uint8)
                if out.status == OVER:
                    a.rewards[k] = self._reward(a.states[k : k + 1])[0]
                    end = ENDED
                elif out.status == WAITING and self.ask(k, out.state):
                    end = GOES_ON
        except Fault:
            pass
        a.ended[k] = end
        if end != GOES_ON:
            a.finals[k] = a.states[k]
            a.seeds[k] = np.uint64(int(a.seeds[k]) + a.n & MASK)
            self._begin(k)

    def _begin(self, k: int) -> None:
        out = self._machine.start(int(self._arrays.seeds[k]))
        self._arrays.states[k] = np.frombuffer(out.state, np.uint8)
        self.ask(k, out.state)

    def ask(self, k: int, state: bytes) -> bool:
        """Write who is asked what in a lane; whether anybody can answer."""
        a, machine = self._arrays, self._machine
        a.sets[k] = 0
        if machine.status(state) != WAITING:
            a.players[k], a.bases[k] = -1, 0
            return False
        pending = machine.pending(state)
        player = (pending & -pending).bit_length() - 1
        a.players[k], a.bases[k] = player, self._bases[machine.decision(state, player)]
        try:
            allowed = machine.options(state, player)
        except Fault:
            return False
        for word in range(a.sets.shape[1]):
            a.sets[k, word] = np.uint64(allowed >> 64 * word & MASK)
        return allowed != 0

    def allowed(self, k: int) -> int:
        """The candidates of a lane as a set."""
        return int.from_bytes(self._arrays.sets[k].astype("<u8").tobytes(), "little")

    def illegal(self, actions: NDArray[np.int32]) -> int:
        """See `Stepper`."""
        for k, action in enumerate(actions.tolist()):
            allowed, candidate = self.allowed(k), action - int(self._arrays.bases[k])
            if allowed and (candidate < 0 or not allowed >> candidate & 1):
                return k
        return -1

    def pick(self, out: NDArray[np.int32], seed: int) -> None:
        """See `Stepper`."""
        for k in range(self._arrays.n):
            allowed = self.allowed(k)
            way = mix64((seed + GOLDEN * k) & MASK) >> 32
            member = nth(allowed, (way * allowed.bit_count()) >> 32) if allowed else 0
            out[k] = int(self._arrays.bases[k]) + member
