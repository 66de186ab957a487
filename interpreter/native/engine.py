"""The native engine: the reference machine, with its steps taken by machine code.

Takes a program; gives the same states byte for byte, the same options, the same faults. What is
rare (chance outcomes from a list, single functions, frames, events) the reference does, on the
same bytes. Bytes that the engine has not made itself are looked at before machine code sees them.
Stepping serves one thread at a time, as in the reference; `playouts` may run in many at once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from interpreter.ir import nodes as n
from interpreter.ir.layout import CODE, FAULT, SITE, STATUS, cell
from interpreter.native import compiler, context, direct
from interpreter.native.many import Run
from interpreter.native.recipe import Recipe
from interpreter.runtime.machine import Machine
from interpreter.runtime.playouts import Playouts
from interpreter.runtime.random_play import NO_LIMIT
from interpreter.runtime.step import Fault, IllegalCandidate, NoState, Outcome

MASK: Final = (1 << 64) - 1
CALLED: Final = ("start", "step", "options", "finish", "playouts", "lanes", "illegal", "pick")
"""What the engine calls in machine code."""


class NativeMachine(Machine):
    """A machine that steps in machine code.

    ``code``: the object file, where somebody else has made it; else it is found on disk or made
    now. Raises `NativeMissing` without llvmlite, and `TooDeep` for a program that it refuses.
    """

    def __init__(
        self, program: n.Program | Recipe, level: int | None = None, code: bytes | None = None
    ) -> None:
        recipe = program if isinstance(program, Recipe) else Recipe(program, level)
        super().__init__(recipe.program, linked=recipe.layout.linked)
        code = recipe.found() if code is None else code
        self.from_cache = code is not None
        """Whether nothing had to be compiled."""
        names = (*CALLED, *(f"py_{name}" for name in direct.NAMES if recipe.fast))
        self._code = compiler.Code(
            recipe.make() if code is None else code,
            names,
            direct.symbols() if recipe.fast else {},
        )
        self.own = direct.state_type()
        """The type of the states that need not be looked at."""
        self.fast = self.fast_calls(0)
        """Stepping without ceremony, players from 0; none where Python has no way."""
        pointer, i32, i64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
        of = self._code.function
        self._c_start = of("start", i32, pointer, pointer, ctypes.c_uint64)
        self._c_step = of("step", i32, pointer, pointer, i32, i32)
        self._c_options = of("options", i32, pointer, pointer, i32, pointer)
        self._c_finish = of("finish", i32, pointer, pointer, ctypes.c_uint64, i64)
        self._c_playouts = of(
            "playouts", i64, pointer, i64, pointer, ctypes.c_uint64, i64, i64, pointer
        )
        self._c_lanes = of(
            "lanes", None, pointer, i64, pointer, i64, pointer, pointer, i64, *[pointer] * 6
        )
        self.illegal = of("illegal", i64, i64, pointer, pointer, pointer)
        self.pick = of("pick", None, i64, pointer, pointer, pointer, ctypes.c_uint64)
        """For many lanes: see `interpreter.native.lanes`."""
        self.labels = recipe.module.labels
        self._context_words = context.size(len(recipe.module.depths), self.linked.set_words)
        self._context, self._quiet = self.new_context(), self.new_context()
        self._state = ctypes.create_string_buffer(self.layout.size + 16)
        self._home = _aligned(self._state)
        self._state_view = (ctypes.c_char * self.layout.size).from_address(self._home)
        self._set = (ctypes.c_uint64 * self.linked.set_words)()
        self._grow_log(64)

    def fast_calls(self, first: int) -> direct.FastCalls | None:
        """Stepping without ceremony, players counted from ``first``."""
        if "py_step" not in self._code.addresses:
            return None
        return direct.FastCalls(self._code.addresses, self.own, self.admit, first)

    def new_context(self) -> Any:
        """What one thread needs beside its states."""
        return (ctypes.c_uint64 * (self._context_words + context.APART))()

    def _grow_log(self, size: int) -> None:
        self._log = (ctypes.c_int32 * (2 * size))()
        self._context[context.LOG] = ctypes.addressof(self._log)
        self._context[context.LOG_SIZE] = size

    # ------------------------------------------------------------------ states

    def admit(self, state: bytes) -> bytes:
        """The same bytes as a state that machine code takes. Raises `NoState` where they are none.

        Bytes of the engine's own are given back as they are.
        """
        if type(state) is self.own:
            return state
        if not isinstance(state, bytes):
            raise TypeError(f"expected the bytes of a state, found {type(state).__name__}")
        reason = self.check_state(state)
        if reason is not None:
            raise NoState(f"these bytes are no state of `{self.program.name}`: {reason}")
        return self._made(state)

    def _made(self, state: bytes) -> bytes:
        """A state that the engine has made itself."""
        return bytes.__new__(self.own, state)

    def _taken(self, out: Outcome) -> Outcome:
        """What the reference has made of a state of ours."""
        return replace(out, state=self._made(out.state))

    def run(self, state: bytes, function: str, args: Sequence[int] = ()) -> bytes:
        """The state after an unframed function; Fault where it goes wrong."""
        return self._made(super().run(self.admit(state), function, args))

    # ------------------------------------------------------------------ stepping

    def start(self, seed: int, outcomes: Sequence[int] | None = None) -> Outcome:
        """The first step: from the beginning to the first decision."""
        if outcomes is not None:
            return self._taken(super().start(seed, outcomes))
        status = self._c_start(self._home, self._context, seed & MASK)
        if not self._logged():
            return self.start(seed)
        return self._outcome(status, self._made(self._state_view.raw))

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
            state = self.admit(state)
            return self._taken(super().apply(state, player, candidate, outcomes, allowed))
        del allowed
        if type(state) is not self.own:
            state = self.admit(state)
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
        return Outcome(self._made(self._state_view.raw), status, [], self.rolled)

    def reseeded(self, state: bytes, seed: int) -> bytes:
        """See `Machine.reseeded`."""
        return self._made(super().reseeded(self.admit(state), seed))

    def finish(self, state: bytes, seed: int, most: int = NO_LIMIT) -> bytes:
        """See `Machine.finish`. It cannot be interrupted."""
        if type(state) is not self.own:
            state = self.admit(state)
        self._state_view.raw = state
        status = self._c_finish(self._home, self._quiet, seed & MASK, most)
        if status == FAULT:
            raise Fault(*self._fault(self._quiet))
        return self._made(self._state_view.raw)

    def options(self, state: bytes, player: int) -> int:
        """The candidates that a player may choose now; none if not asked."""
        if type(state) is not self.own:
            state = self.admit(state)
        self._state_view.raw = state
        status = self._c_options(self._home, self._context, _small(player, 0)[0], self._set)
        if status == FAULT:
            raise Fault(*self._fault())
        return int.from_bytes(self._set, "little")

    def _outcome(self, status: int, state: bytes) -> Outcome:
        fault = self._fault() if status == FAULT else None
        return Outcome(state, status, [], self.rolled, None, fault)

    def _fault(self, own: Any = None) -> tuple[str, int]:
        """The fault of the step before, in the context of stepping or in another."""
        own = self._context if own is None else own
        code = own[context.FAULT_CODE]
        site = ctypes.c_int64(own[context.FAULT_SITE]).value
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

        ``most``: choices in one game. ``keep``: the last states too. An interrupt ends it soon.
        """
        return Run(self, self._c_playouts, games, seed, max(threads, 1), most, keep).all()

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
