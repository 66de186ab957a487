"""The native engine: the reference machine, with its steps taken by machine code.

Takes a program; gives the same states byte for byte, the same options, the same faults. What is
rare (chance outcomes from a list, single functions, frames, events) the reference does, on the
same bytes. States must come from an engine or have passed `check_state`. Stepping serves one
thread at a time, as in the reference; `playouts` may run in many threads at once.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
from collections.abc import Sequence
from typing import Any, Final

from interpreter.ir import nodes as n
from interpreter.ir.layout import CODE, FAULT, SITE, STATUS, cell
from interpreter.ir.printer import show
from interpreter.native import compiler, context, fastcalls
from interpreter.native.cache import cached
from interpreter.native.emitter import module_text, version
from interpreter.native.entries import EXPORTS
from interpreter.native.module import Module
from interpreter.runtime.machine import NO_LIMIT, Machine
from interpreter.runtime.playouts import Playouts
from interpreter.runtime.step import Fault, IllegalCandidate, Outcome

LARGE: Final = 2_500
"""A program of more instructions is compiled faster, and runs a little slower."""
DEEPEST: Final = 300
"""A program whose plain functions may nest deeper through recursion stays with the reference."""
MASK: Final = (1 << 64) - 1


class TooDeep(ValueError):  # noqa: N818 - said where the engine is chosen
    """The program recurses deeper than machine code may."""


class NativeMachine(Machine):
    """A machine that steps in machine code.

    Raises `NativeMissing` without llvmlite, and `TooDeep` for a program that it refuses.
    """

    def __init__(self, program: n.Program, level: int | None = None) -> None:
        compiler.llvm()
        super().__init__(program)
        module = Module(self.layout)
        deep = sum(self.program.functions[name].depth for name in module.depths)
        if deep > DEEPEST:
            raise TooDeep(f"`{program.name}` may call itself {deep} times")
        ops = sum(
            len(block.code) + 1
            for name in module.functions
            for block in self.program.functions[name].blocks
        )
        inline = ops <= LARGE
        chosen = level if level is not None else 2 if inline else 1
        # the text form does not say what is cut for frames: that follows from it
        fast = fastcalls.available()
        parts = (version(), f"{chosen} {inline} {fast}", compiler.identity(), show(program))
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()

        def make() -> bytes:
            text = module_text(module, compiler.picks_bits(), inline, fast)
            return compiler.compile_object(text, chosen)

        data, self.from_cache = cached(key, make)
        names = (*EXPORTS, *(f"py_{name}" for name in fastcalls.NAMES if fast))
        self._code = compiler.Code(data, names, fastcalls.symbols() if fast else {})
        self.fast = fastcalls.FastCalls(self._code.addresses) if fast else None
        """Stepping without ceremony, for loops over many states; none where Python has no way."""
        pointer, i32, i64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
        code = self._code
        self._c_start = code.function("start", i32, pointer, pointer, ctypes.c_uint64)
        self._c_step = code.function("step", i32, pointer, pointer, i32, i32)
        self._c_options = code.function("options", i32, pointer, pointer, i32, pointer)
        self._c_lanes = code.function(
            "lanes", None, pointer, i64, pointer, i64, pointer, pointer, i64, *[pointer] * 5
        )
        self.pick = code.function("pick", None, i64, pointer, pointer, pointer, ctypes.c_uint64)
        """Random actions for many lanes, see `interpreter.native.lanes`."""
        self._c_playouts = code.function(
            "playouts", i64, pointer, i64, pointer, ctypes.c_uint64, i64, i64, pointer
        )
        self.labels = module.labels
        self._context_words = context.size(len(module.depths), self.linked.set_words)
        self._context = self.new_context()
        self._state = ctypes.create_string_buffer(self.layout.size + 16)
        self._home = _aligned(self._state)
        self._state_view = (ctypes.c_char * self.layout.size).from_address(self._home)
        self._set = (ctypes.c_uint64 * self.linked.set_words)()
        self._grow_log(64)

    def new_context(self) -> Any:
        """What one thread needs beside its states."""
        return (ctypes.c_uint64 * self._context_words)()

    def _grow_log(self, size: int) -> None:
        self._log = (ctypes.c_int32 * (2 * size))()
        self._context[context.LOG] = ctypes.addressof(self._log)
        self._context[context.LOG_SIZE] = size

    # ------------------------------------------------------------------ stepping

    def start(self, seed: int, outcomes: Sequence[int] | None = None) -> Outcome:
        """The first step: from the beginning to the first decision."""
        if outcomes is not None:
            return super().start(seed, outcomes)
        status = self._c_start(self._home, self._context, seed & MASK)
        if not self._logged():
            return self.start(seed)
        return self._outcome(status, self._state_view.raw)

    def apply(
        self,
        state: bytes,
        player: int,
        candidate: int,
        outcomes: Sequence[int] | None = None,
        allowed: int = -1,
    ) -> Outcome:
        """One choice of a player who is pending, and everything up to the next decision.

        What is allowed is looked up in any case.
        """
        if outcomes is not None:
            return super().apply(state, player, candidate, outcomes, allowed)
        del allowed
        self._state_view.raw = state
        status = self._c_step(self._home, self._context, *_small(player, candidate))
        if status == context.ILLEGAL:
            self._load(state)
            raise IllegalCandidate(self._refusal(player, candidate))
        if status == context.BROKEN_OPTIONS:
            raise Fault(*self._fault())
        if not self._logged():
            return self.apply(state, player, candidate)
        if status == FAULT:
            return Outcome(state, FAULT, [], self.rolled, None, self._fault())
        return Outcome(self._state_view.raw, status, [], self.rolled)

    def options(self, state: bytes, player: int) -> int:
        """The candidates that a player may choose now; none if not asked."""
        self._state_view.raw = state
        status = self._c_options(self._home, self._context, _small(player, 0)[0], self._set)
        if status == FAULT:
            raise Fault(*self._fault())
        return int.from_bytes(self._set, "little")

    def _outcome(self, status: int, state: bytes) -> Outcome:
        fault = self._fault() if status == FAULT else None
        return Outcome(state, status, [], self.rolled, None, fault)

    def _fault(self) -> tuple[str, int]:
        code = self._context[context.FAULT_CODE]
        site = ctypes.c_int64(self._context[context.FAULT_SITE]).value
        return self.layout.faults[code - 1], site

    def _logged(self) -> bool:
        """Take up the chance outcomes of the step; whether there was room for all."""
        many: int = self._context[context.LOGGED]
        if many > self._context[context.LOG_SIZE]:
            self._grow_log(2 * many)
            return False
        log = self._log
        self._chance.rolled = [(self.labels[log[2 * k]], log[2 * k + 1]) for k in range(many)]
        return True

    # ------------------------------------------------------------------ many games

    def playout(self, seed: int, max_steps: int = NO_LIMIT) -> int:
        """One game with random choices; how many choices were made. For benchmarks."""
        got = self.playouts(1, seed, most=max_steps, keep=True)
        if cell(bytes(got.states), "i", STATUS) == FAULT:
            code = cell(bytes(got.states), "i", CODE)
            raise Fault(self.layout.faults[code - 1], cell(bytes(got.states), "i", SITE))
        self._buffer[:] = got.states
        return got.choices

    def playouts(
        self,
        games: int,
        seed: int = 0,
        threads: int = 1,
        most: int = NO_LIMIT,
        keep: bool = False,
    ) -> Playouts:
        """Games with random choices, the first with this seed, the next with the next.

        ``most``: choices in one game. ``keep``: the last states too.
        """
        size = self.layout.size
        lengths = (ctypes.c_int64 * games)()
        states = (ctypes.c_uint64 * (size // 8 * games if keep else 0))()
        total = [0] * max(threads, 1)

        def work(k: int) -> None:
            low, high = games * k // len(total), games * (k + 1) // len(total)
            own = self.new_context()
            scratch = (ctypes.c_uint64 * (size // 8))()
            home = ctypes.addressof(states) + size * low if keep else ctypes.addressof(scratch)
            total[k] = self._c_playouts(
                home,
                size if keep else 0,
                own,
                (seed + low) & MASK,
                high - low,
                most,
                ctypes.addressof(lengths) + 8 * low,
            )

        if len(total) == 1:
            work(0)
        else:
            workers = [threading.Thread(target=work, args=(k,)) for k in range(len(total))]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
        return Playouts(sum(total), list(lengths), bytes(states) if keep else b"")

    def lanes(self, home: int, own: Any, many: int, actions: int | None, *rest: int) -> None:
        """One choice in each of many states that lie one after the other, from an address on.

        ``own``: a context. ``rest``: see `interpreter.native.lanes`, from the seeds on.
        """
        self._c_lanes(home, self.layout.size, own, many, actions, *rest)


def _aligned(buffer: Any) -> int:
    """The first address in a buffer that is a multiple of 16."""
    return (ctypes.addressof(buffer) + 15) & ~15


def _small(player: int, candidate: int) -> tuple[int, int]:
    """Numbers that fit into 32 bits; what does not is nobody, or nothing."""
    high = 1 << 31
    return player if -high <= player < high else -1, candidate if 0 <= candidate < high else -1
