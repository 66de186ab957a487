"""A game with its number of players and options: where states come from.

Takes a checked ruleset; lowers it and drives the reference engine. A game serves one thread at a
time; its states are values and may go anywhere.
"""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from interpreter.ir.linker import link
from interpreter.runtime import explicit
from interpreter.runtime.asides import Aside, Asides
from interpreter.runtime.chance import SEEDS
from interpreter.runtime.errors import DataError, GameError, IllegalOption, RulesFault
from interpreter.runtime.explicit import counted
from interpreter.runtime.history import Beginning, Step
from interpreter.runtime.journal import Journal, JournalStep
from interpreter.runtime.machine import Machine
from interpreter.runtime.naming import Names
from interpreter.runtime.playouts import Playouts, some_games
from interpreter.runtime.random_play import NO_LIMIT
from interpreter.runtime.replay import ChanceMissing, replay, verify
from interpreter.runtime.saves import bytes_of
from interpreter.runtime.state import State
from interpreter.runtime.step import Event, Fault, IllegalCandidate, MachineError, NoState, Outcome
from interpreter.runtime.visibility import Visibility
from ruleset.diagnostics.messages import play as say
from ruleset.source import Span

if TYPE_CHECKING:
    from interpreter.lowering.compiled import Compiled
    from interpreter.native.batch import Batch
    from interpreter.native.choice import Coming
    from interpreter.native.direct import FastCalls
    from interpreter.native.engine import NativeMachine
    from ruleset.model import Ruleset

TEXT = "<text>"
"""How a text from outside is called in the sites of a program."""
ENGINES = ("auto", "native", "reference")
ChanceMode: TypeAlias = Literal["sampled", "explicit"]
Engine: TypeAlias = Literal["auto", "native", "reference"]
"""Who takes the steps. ``reference``: generated Python. ``native``: machine code, compiled at once
(kept on disk for the next time). ``auto``: the reference for single states; for many games the
reference begins, and machine code goes on as soon as it is compiled, which is done meanwhile. The
states are the same, byte for byte, whoever takes the steps and whenever they change."""


class Game:
    """A ruleset, a number of players, a setting of its options.

    With ``checks``, an invariant that is bound to a step is looked at there while playing, and one
    that does not hold is a `RulesFault`; for tests, it costs time. With ``auto_forced`` a decision
    with one option is answered at once; it is a step of the journal as any other.

    Raises `GameError` for a number of players that the game does not allow, and `RulesetError`
    (with diagnostics) for options that it does not have.
    """

    def __init__(
        self,
        rules: Ruleset,
        players: int,
        options: Mapping[str, str] | None = None,
        engine: Engine = "auto",
        checks: bool = False,
        auto_forced: bool = False,
    ) -> None:
        if engine not in ENGINES:
            raise GameError(f"expected engine `auto`, `native` or `reference`, found `{engine}`")
        if options:
            rules = rules.configure(dict(options))
        low, high = rules.file.min_players, rules.file.max_players
        if isinstance(players, bool) or not isinstance(players, int) or not low <= players <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise GameError(f"`{rules.file.name}` is for {wanted} players, found {players!r}")
        from interpreter.lowering import lower  # an import for those who play, not for all

        settings = {**rules.readings, **rules.option_values}
        self._set_up(lower(rules, players, settings, checks), engine, auto_forced)

    @classmethod
    def of_compiled(
        cls, compiled: Compiled, engine: Engine = "auto", auto_forced: bool = False
    ) -> Game:
        """A game that has been lowered already."""
        game = cls.__new__(cls)
        game._set_up(compiled, engine, auto_forced)
        return game

    def _set_up(self, compiled: Compiled, engine: Engine, auto_forced: bool) -> None:
        self.auto_forced = auto_forced
        self.compiled = compiled
        whole = compiled.program  # texts from outside add to it: the machines start from this
        self._program = dataclasses.replace(
            whole,
            functions=dict(whole.functions),
            tables=dict(whole.tables),
            decisions=dict(whole.decisions),
            fields=dict(whole.fields),
        )
        self._linked = link(self._program)
        self._engine = engine
        self._native: NativeMachine | None = None
        self._coming: Coming | None = None
        self.machine: Machine = (self.native if engine == "native" else None) or Machine(
            self._program, linked=self._linked
        )
        self.names = Names(compiled)
        self.visibility = Visibility(compiled.program)
        self.name = compiled.ruleset.file.name
        self.fingerprint = compiled.ruleset.fingerprint
        self.players = compiled.players
        self.options: Mapping[str, str] = dict(compiled.options)
        self.identity = (self.name, self.fingerprint, self.players)
        self._watched: Machine | None = None
        self._fast: FastCalls | None = None
        self._asides = Asides(compiled)

    @property
    def ruleset(self) -> Ruleset:
        """The rules, with the options of this game."""
        return self.compiled.ruleset

    @property
    def watched(self) -> Machine:
        """The machine that records events; made when it is first needed."""
        if self._watched is None:
            self._watched = Machine(self._program, watch=True, linked=self._linked)
            for aside in self._asides.known():
                self._teach(self._watched, aside)
        return self._watched

    @property
    def native(self) -> NativeMachine | None:
        """The machine code of this game; it is waited for.

        None with ``engine="reference"``, and (after one warning) where llvmlite is missing.
        """
        if self._native is None and self._engine != "reference":
            from interpreter.native.choice import native_machine  # for those who want speed

            if self._coming is not None:
                self._native = self._coming.wait()
            else:
                self._native = native_machine(self._program, self._linked)
            if self._native is None:
                self._engine = "reference"
        return self._native

    def native_now(self, compile: bool = True) -> NativeMachine | None:
        """The same, if it is there by now; never waits for a compiler.

        What is not on disk is compiled meanwhile, if ``compile`` says so, in another process.
        With ``engine="native"`` it is waited for.
        """
        if self._native is not None or self._engine != "auto":
            return self.native
        if self._coming is None:
            from interpreter.native.choice import Coming

            self._coming = Coming(self._program, self._linked)
        self._native = self._coming.ready()
        if self._coming.failed:
            self._engine = "reference"
        elif self._native is None and compile:
            self._coming.begin()
        return self._native

    @property
    def fast(self) -> FastCalls | None:
        """Single states as bytes, stepped as fast as by a C extension; players count from 1.

        None where there is no machine code, or where Python is not CPython with a lock.
        """
        if self._fast is None and self.native is not None:
            self._fast = self.native.fast_calls(1)
        return self._fast

    def check_player(self, player: int) -> None:
        """Raises `GameError` where there is no such player (players count from 1)."""
        if isinstance(player, bool) or not isinstance(player, int):
            raise GameError(f"expected the number of a player, found {player!r}")
        if not 1 <= player <= self.players:
            raise GameError(f"expected player 1 to {self.players}, found {player}")

    # ------------------------------------------------------------------ play

    def start(self, seed: int | None = None, chance: ChanceMode = "sampled") -> State:
        """The first state in which somebody is asked; without a seed chance is new each time.

        With ``chance="explicit"`` chance is asked as a player is, from the set-up on: see
        `State.chance`. Raises `RulesFault` where the rules cannot even be set up.
        """
        if chance not in ("sampled", "explicit"):
            raise GameError(f"expected chance `sampled` or `explicit`, found `{chance}`")
        if chance == "explicit":
            return self.unforced(explicit.begin(self, seed or 0))
        return self.unforced(self.begin(secrets.randbelow(SEEDS) if seed is None else seed))

    def unforced(self, state: State) -> State:
        """With ``auto_forced`` the state in which somebody has a choice, or chance is asked."""
        while self.auto_forced:
            forced = next((d for d in state.pending if d.mask & (d.mask - 1) == 0), None)
            if forced is None:
                break
            state = self.step(state, forced.player - 1, forced.mask.bit_length() - 1)
        return state

    def begin(self, seed: int, outcomes: Sequence[int] | None = None) -> State:
        """The first state, perhaps with the outcomes of chance given.

        Raises `ChanceMissing` when they run out.
        """
        out = self._checked(self.machine.start(seed, outcomes))
        data = out.state if outcomes is None else counted(out.state, out.state, out.rolled)
        return State(self, data, Beginning(seed, tuple(out.rolled)))

    def step(
        self,
        state: State,
        player: int,
        candidate: int,
        outcomes: Sequence[int] | None = None,
        allowed: int = -1,
    ) -> State:
        """One answer by numbers from 0, perhaps with the outcomes of chance given.

        ``allowed``: the player's candidates in this state as a set, where they are known already.
        """
        before = state.data
        if state.explicit and outcomes is None:
            return explicit.answer(state, player, candidate, (), allowed)
        out = self.stepped(before, player, candidate, outcomes, allowed)
        if out.fault is not None or out.need is not None:
            self._checked(out)
        data = out.state if outcomes is None else counted(out.state, before, out.rolled)
        past = state.past
        return State(
            self, data, Step(past, before, player, candidate, out.rolled) if past else None
        )

    def stepped(
        self,
        before: bytes,
        player: int,
        candidate: int,
        outcomes: Sequence[int] | None,
        allowed: int = -1,
    ) -> Outcome:
        """What the machine makes of an answer. Raises `IllegalOption`.

        Raises `RulesFault` where not even the options can be worked out.
        """
        try:
            return self.machine.apply(before, player, candidate, outcomes, allowed)
        except IllegalCandidate as error:
            raise IllegalOption(str(error)) from None
        except NoState as error:
            raise GameError(str(error)) from None
        except Fault as error:
            raise self.fault(error.code, error.site) from None

    def roll(self, state: State, member: int) -> State:
        """One outcome, where chance is asked. Raises `IllegalOption`."""
        return explicit.go_on(state, member)

    def _checked(self, out: Outcome) -> Outcome:
        if out.need is not None:
            raise ChanceMissing(*out.need)
        if out.fault is not None:
            raise self.fault(*out.fault)
        return out

    def fault(self, code: str, site: int) -> RulesFault:
        """A fault of the machine as an error that names the line of the game file."""
        rule, place, _ = self.names.site(site)
        file, _, rest = place.partition(":")
        if file != TEXT:
            return RulesFault(say.rules_fault(code, self.span(site), rule))
        return RulesFault(say.rules_fault(code, None, ""), int(rest.partition(":")[0]))

    def span(self, site: int) -> Span | None:
        """The place of a site in its source, to the end of the line."""
        sites = self.compiled.program.sites
        if not 0 <= site < len(sites):
            return None
        where = sites[site]
        for source in self.ruleset.sources:
            if source.name == where.file:
                start = sum(len(source.line(k)) + 1 for k in range(1, where.line))
                start = source.text.find(source.line(where.line), max(start - 1, 0))
                end = start + len(source.line(where.line))
                return Span(source, start + where.column - 1, end)
        return None

    def playouts(
        self,
        games: int,
        seed: int = 0,
        threads: int = 1,
        most: int = NO_LIMIT,
        keep: bool = False,
    ) -> Playouts:
        """Whole games of random play, in machine code as soon as there is some.

        The first game has this seed, the next one the next. ``most``: choices in one game.
        ``keep``: the last states too; `from_bytes` takes each of them. What comes of it does not
        depend on the engine, nor on threads, of which only machine code makes use. An interrupt
        takes effect soon.
        """
        return some_games(self, games, seed, threads, most, keep)

    def batch(self, n: int, seed: int = 0, threads: int = 1) -> Batch:
        """Games side by side as numpy arrays. Raises `GameError` without numpy."""
        try:
            from interpreter.native.batch import Batch  # numpy, for those who want it
        except ImportError as error:
            if error.name != "numpy":
                raise
            raise GameError("a batch needs numpy: install `rulewright[native]`") from None
        return Batch(self, n, seed, threads)

    # ------------------------------------------------------------------ states from outside

    def from_bytes(self, data: bytes, chance: ChanceMode = "sampled") -> State:
        """The state with these bytes. It has no past. Raises `DataError`.

        Bytes of a state that waits for chance give one that does so again.
        """
        if len(data) > self.machine.layout.size:
            return explicit.from_bytes(self, bytes(data))
        reason = self.machine.check_state(bytes(data))
        if reason is not None:
            raise DataError(say.no_state(reason))
        return State(self, bytes(data), None, chance == "explicit")

    def load(self, save: Mapping[str, Any], chance: ChanceMode = "sampled") -> State:
        """The state of a save, as `State.save` gives it. It has no past. Raises `DataError`."""
        data = bytes_of(self, save)
        step = save.get("step")
        if isinstance(step, Mapping):
            return explicit.from_plain(self, data, step)
        return self.from_bytes(data, chance)

    def replay(self, journal: Journal) -> State:
        """The state at the end of a journal, with its past.

        Raises `DataError` at the first step that the rules no longer allow.
        """
        return replay(self, journal)

    def verify(self, journal: Journal) -> State:
        """The same, and raises `DataError` also where the game ends in another state."""
        return verify(self, journal)

    def replay_steps(self, journal: Journal, steps: Sequence[JournalStep] | int) -> State:
        """The state after some of a journal's steps, or the first so many."""
        if isinstance(steps, int):
            return replay(self, journal.cut(steps))
        return replay(self, dataclasses.replace(journal, steps=tuple(steps), end=""))

    # ------------------------------------------------------------------ the language

    def evaluate(self, state: State, text: str) -> Any:
        """The value of an expression of the language; ``p1``, ``p2`` ... are the players.

        A number, a flag, a name of a member or None, a list of names. Raises `RulesetError` for
        what is wrong with the text.
        """
        aside = self._aside("expression", text)
        return self.names.plain(aside.kind, self.value(state, aside.name))

    def holds(self, state: State, text: str) -> bool:
        """Whether a condition of the language is true in a state."""
        return self.value(state, self._aside("expression", text).name) != 0

    def perform(self, state: State, text: str) -> State:
        """The state after effects of the language, done as they stand; nothing is asked.

        Chance goes on from the state's own counter, also in a replay.
        Raises `RulesetError` for the text, `RulesFault` where an effect cannot be done.
        """
        aside = self._aside("effects", text)
        try:
            data = self.machine.run(state.data, aside.name)
        except Fault as error:
            raise self.fault(error.code, error.site) from None
        except MachineError as error:
            raise GameError(str(error)) from None
        rolled = tuple(self.machine.rolled)
        past = state.past
        step = Step(past, state.data, -1, -1, rolled, text) if past is not None else None
        return State(self, data, step, state.explicit)

    def watch_effects(self, before: bytes, text: str) -> Sequence[Event]:
        """The events of such effects."""
        aside = self._aside("effects", text)
        watched = self.watched
        watched.run(before, aside.name)
        return watched.events

    def broken_invariants(self, state: State) -> list[str]:
        """Paths of the invariants that do not hold, of those that hold at every moment."""
        broken = []
        for invariant in self.compiled.invariants:
            if not invariant.moment and not self.value(state, invariant.function):
                broken.append(invariant.path)
        return broken

    def value(self, state: State, function: str, args: Sequence[int] = ()) -> int:
        """What a pure function of the program answers. Raises `RulesFault`."""
        try:
            return self.machine.evaluate(state.data, function, args)
        except Fault as error:
            raise self.fault(error.code, error.site) from None

    def _aside(self, what: Literal["expression", "effects"], text: str) -> Aside:
        """The text as a function that both machines know."""
        make = self._asides.expression if what == "expression" else self._asides.effects
        aside, new = make(text)
        if new:
            try:
                self._teach(self.machine, aside)
            except MachineError as error:
                self._asides.forget(what, text)
                raise GameError(str(error)) from None
            if self._watched is not None:
                self._teach(self._watched, aside)
        return aside

    def _teach(self, machine: Machine, aside: Aside) -> None:
        for name, table in self.compiled.program.tables.items():
            machine.add_table(name, table)
        for function in aside.functions:  # they may call each other
            machine.program.functions.setdefault(function.name, function)
        for function in aside.functions:
            machine.add(function)

    def __repr__(self) -> str:
        return f"<Game {self.name} with {self.players} players>"
