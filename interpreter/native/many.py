"""Whole games of random play in machine code, some at a time, so that an interrupt takes effect.

Takes a native machine and its function; gives `Playouts`. A call of machine code cannot be
interrupted, so each makes as many games as take `CALL` seconds; a game that is very long is played
on a choice at a time.
"""

from __future__ import annotations

import ctypes
import threading
import time
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from interpreter.ir.layout import FAULT, WAITING
from interpreter.native.context import APART
from interpreter.runtime.playouts import Playouts, chosen
from interpreter.runtime.step import Fault

if TYPE_CHECKING:
    from interpreter.native.engine import NativeMachine

CALL: Final = 0.05
"""Seconds that one call of machine code takes, about."""
LONG: Final = 1 << 18
"""Choices of a game that is played in one call; what comes after is played one by one."""
MASK: Final = (1 << 64) - 1


class Run:
    """Some games, shared out among threads."""

    def __init__(
        self,
        machine: NativeMachine,
        play: Callable[..., int],
        games: int,
        seed: int,
        threads: int,
        most: int,
        keep: bool,
    ) -> None:
        self._machine = machine
        self._play = play
        self._games, self._seed, self._most, self._keep = games, seed, most, keep
        self._size = machine.layout.size
        self._lengths = array("q", bytes(8 * games))
        self._states = (ctypes.c_uint64 * (self._size // 8 * games if keep else 0))()
        self._threads = max(1, min(threads, games))
        self._choices = [0] * self._threads
        self._stopped = False
        self._failed: BaseException | None = None
        self._alone = threading.Lock()
        """Stepping serves one thread at a time."""

    def all(self) -> Playouts:
        """Play them all."""
        if self._threads == 1:
            self._work(0)
        else:
            self._share()
        if self._failed is not None:
            raise self._failed
        return Playouts(sum(self._choices), self._lengths, bytes(self._states))

    def _share(self) -> None:
        workers = [
            threading.Thread(target=self._guarded, args=(k,), daemon=True)
            for k in range(self._threads)
        ]
        try:
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        except BaseException:
            self._stopped = True
            for worker in workers:
                if worker.ident is not None:
                    worker.join()
            raise

    def _guarded(self, k: int) -> None:
        try:
            self._work(k)
        except BaseException as error:
            self._failed, self._stopped = error, True

    def _work(self, k: int) -> None:
        """The games of one thread."""
        low, high = self._games * k // self._threads, self._games * (k + 1) // self._threads
        own = self._machine.new_context()
        scratch = (ctypes.c_uint64 * (self._size // 8 + APART))()
        most, many = min(self._most, LONG), 1
        while low < high and not self._stopped:
            many = min(many, high - low)
            began = time.perf_counter()
            made = self._call(low, many, most, own, scratch)
            if self._most > LONG and made >= LONG:
                for game in range(low, low + many):
                    if self._lengths[game] == LONG:
                        self._play_on(game, own, scratch)
                        made += self._lengths[game] - LONG
            self._choices[k] += made
            low += many
            took = max(time.perf_counter() - began, 1e-6)
            # so few choices in all that no game can be a long one
            few = LONG * many // (2 * max(made, 1))
            many = max(1, min(8 * many, int(many * CALL / took), few))

    def _call(self, low: int, many: int, most: int, own: Any, scratch: Any) -> int:
        return self._play(
            self._home(low, scratch),
            self._size if self._keep else 0,
            own,
            (self._seed + low) & MASK,
            many,
            most,
            self._lengths.buffer_info()[0] + 8 * low,
        )

    def _home(self, game: int, scratch: Any) -> int:
        """Where the state of a game lies."""
        if self._keep:
            return ctypes.addressof(self._states) + self._size * game
        return ctypes.addressof(scratch)

    def _play_on(self, game: int, own: Any, scratch: Any) -> None:
        """The rest of a game of which `LONG` choices are made."""
        machine = self._machine
        if not self._keep:  # others came after it
            self._call(game, 1, LONG, own, scratch)
        home = self._home(game, scratch)
        state, count = ctypes.string_at(home, self._size), LONG
        with self._alone:
            state = machine.admit(state) if machine.status(state) != FAULT else state
            while machine.status(state) == WAITING and count < self._most and not self._stopped:
                pending = machine.pending(state)
                player = (pending & -pending).bit_length() - 1
                try:
                    allowed = machine.options(state, player)
                    if not allowed:
                        raise Fault("EMPTY", -1)
                    out = machine.apply(state, player, chosen(self._seed + game, count, allowed))
                    count += 1
                    if out.fault is not None:
                        raise Fault(*out.fault)
                except Fault as fault:
                    blank = machine.layout.initial(self._seed + game)
                    state = machine.layout.broken(blank, fault.code, fault.site)
                    break
                state = out.state
        ctypes.memmove(home, state, self._size)
        self._lengths[game] = count
