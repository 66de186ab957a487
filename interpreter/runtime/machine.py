"""The reference engine: drives the Python functions that are made from a Program.

Takes a verified Program; gives steps from state to state. The state is bytes; while a step runs,
it lies in one buffer that belongs to the machine. So a machine serves one thread at a time.

A step that faults, or that needs a chance outcome which the oracle does not have, is void: its
outcome carries the state from before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from interpreter.ir import nodes as n
from interpreter.ir.flow import calls
from interpreter.ir.layout import (
    ACTOR,
    FAULT,
    OVER,
    PENDING,
    RUNNING,
    STATUS,
    TOP,
    WAITING,
    Layout,
    cell,
)
from interpreter.ir.linker import Linked, Point, link
from interpreter.ir.verifier import verify_function
from interpreter.runtime.admission import fault_of
from interpreter.runtime.chance import Chance
from interpreter.runtime.library import Library
from interpreter.runtime.random_play import RandomPlay
from interpreter.runtime.stack import Stack
from interpreter.runtime.step import (
    Dry,
    Ended,
    Event,
    Fault,
    FrameView,
    IllegalCandidate,
    Left,
    MachineError,
    Outcome,
    Stopped,
    fault,
)
from interpreter.runtime.watcher import Watcher


def _parted(linked: Linked) -> Linked:
    """The same, with tables of functions of its own: asides add to them."""
    whole = linked.program
    program = replace(
        whole,
        functions=dict(whole.functions),
        tables=dict(whole.tables),
        decisions=dict(whole.decisions),
        fields=dict(whole.fields),
    )
    return replace(linked, program=program)


class Machine(RandomPlay):
    """One program, linked and laid out, with a buffer to run it in.

    ``linked``: what linking the program gave before, to save time.
    """

    def __init__(
        self, program: n.Program, watch: bool = False, linked: Linked | None = None
    ) -> None:
        self.linked = link(program) if linked is None else _parted(linked)
        self.program = self.linked.program
        self.layout = Layout(self.linked)
        self._buffer = bytearray(self.layout.size)
        whole = memoryview(self._buffer)
        self._views = {code: whole.cast(code) for code in ("h", "i", "Q")}
        self._cells, self._words = self._views["i"], self._views["Q"]
        self._fuel = [program.fuel]
        self._stack = Stack(self.layout, self._buffer, self._views)
        self._watcher = Watcher(self._stack) if watch else None
        record = self._watcher.record if self._watcher is not None else None
        self._chance = Chance(self._cells, self._words, record)
        given: dict[str, object] = {
            "fuel": self._fuel,
            "under": self._stack.under,
            "roll": self._chance.roll,
            "within": self._stack.within,
            "leave": self._stack.leave,
            "deeper": self._stack.deeper,
            "forget": self._forget,
        }
        self.choices = 0
        """How many choices the last playout made."""
        if self._watcher is not None:
            given |= {
                "record": self._watcher.record,
                "begin": self._watcher.begin,
                "leave_event": self._watcher.finish,
                "enter": self._watcher.enter,
            }
        self._library = Library(self.layout, self._views, record, given)

    # ------------------------------------------------------------------ stepping

    def start(self, seed: int, outcomes: Sequence[int] | None = None) -> Outcome:
        """The first step: from the beginning to the first decision."""
        blank = self.layout.initial(seed)
        self._load(blank, outcomes)
        out = self._finish(self._first, blank)
        if out.fault is None:
            return out
        marked = self.layout.broken(blank, *out.fault)
        return Outcome(marked, FAULT, out.events, out.rolled, None, out.fault)

    def apply(
        self,
        state: bytes,
        player: int,
        candidate: int,
        outcomes: Sequence[int] | None = None,
        allowed: int = -1,
    ) -> Outcome:
        """One choice of a player who is pending, and everything up to the next decision.

        ``allowed``: what ``options`` gave for this state and player, where it is known already.
        """
        self._load(state, outcomes)
        if allowed < 0:
            allowed = self._allowed(player)
        if candidate < 0 or not allowed >> candidate & 1:
            raise IllegalCandidate(self._refusal(player, candidate))
        return self._finish(lambda: self._answer(player, candidate), state)

    def _finish(self, action: Callable[[], None], before: bytes) -> Outcome:
        need: tuple[str, int] | None = None
        broken: tuple[str, int] | None = None
        try:
            action()
        except Dry as dry:
            need = (dry.label, dry.members)
        except Fault as f:
            broken = (f.code, f.site)
        except RecursionError:
            broken = ("DEPTH", -1)
        events, rolled = self.events, self.rolled
        if need is None and broken is None:
            if self._chance.oracle:
                raise MachineError(
                    f"the step takes {len(rolled)} chance outcomes, "
                    f"found {len(self._chance.oracle)} too many"
                )
            return Outcome(bytes(self._buffer), self._cells[STATUS], events, rolled)
        status = cell(before, "i", STATUS) if need is not None else FAULT
        return Outcome(before, status, events, rolled, need, broken)

    def _load(self, state: bytes, outcomes: Sequence[int] | None = None) -> None:
        """Take a state into the buffer and forget the step before."""
        self._buffer[:] = state
        self._fuel[0] = self.program.fuel
        self._chance.begin_step(outcomes)
        if self._stack.under:
            self._stack.under.clear()
        depth = self._library.depth
        if depth:
            for name in depth:
                depth[name] = 0
        if self._watcher is not None:
            self._watcher.begin_step()

    def _first(self) -> None:
        main = self.linked.frames[self.program.main]
        up = self.layout.frames // 8
        self._cells[2 * up + 1] = main.entry
        self._cells[TOP] = up
        if self._watcher is not None:
            self._watcher.enter(self.program.main, 0, up, ())
        self._run(0)

    def _answer(self, player: int, candidate: int) -> None:
        """Put an answer where it belongs; go on if nobody else is asked."""
        cells = self._cells
        if cells[ACTOR] < 0:
            pending = self._record(player, candidate)
            self._words[PENDING] = pending
            if pending:
                return
            candidate = 0
        cells[STATUS] = RUNNING
        cells[ACTOR] = -1
        self._words[PENDING] = 0
        self._run(candidate)

    def _record(self, player: int, candidate: int) -> int:
        """Keep one answer of a simultaneous choice; who is still asked."""
        decision = self._decision()
        pending: int = self._words[PENDING]
        stage = self._stage(decision, player)
        answers = self.layout.fields[decision.stages[stage].answers]
        self._views[answers.code][answers.base + player] = candidate
        last = stage + 1 == len(decision.stages)
        if decision.pending:
            counted = self.layout.fields[decision.pending]
            view = self._views[counted.code]
            view[counted.base + player] = stage + 1
            if last and pending == 1 << player:
                for p in range(self.program.players):
                    view[counted.base + p] = 0
        return pending & ~(1 << player) if last else pending

    def _run(self, back: int) -> None:
        """Run the top frame, and what it calls and returns to, until somebody is asked."""
        cells, fuel, resume = self._cells, self._fuel, self._library.resume
        while True:
            fp: int = cells[TOP]
            if not fp:
                cells[STATUS] = OVER
                return
            fuel[0] -= 1
            if fuel[0] < 0:
                fault("FUEL", -1)
            point = cells[fp + fp + 1]
            try:
                got = resume[point](fp, point, back)
            except Stopped as stopped:
                self._stack.pop_rule(stopped.rule)
                back = 0
            except Left as left:
                self._stack.pop_to(left.frame)
                back = 0
            except Ended:
                self._stack.clear()
            else:
                if got is not None:
                    self._stack.pop(fp)
                    back = got
                elif cells[STATUS]:
                    return

    def _forget(self, name: str) -> None:
        """Before a simultaneous choice: no answers yet."""
        decision = self.program.decisions[name]
        fields = [stage.answers for stage in decision.stages]
        for field in (*fields, decision.pending):
            if field:
                cells = self.layout.fields[field]
                init = self.program.fields[field].init
                for p in range(self.program.players):
                    self._views[cells.code][cells.base + p] = init[p]

    # ------------------------------------------------------------------ asking a state

    def status(self, state: bytes) -> int:
        """RUNNING, WAITING, OVER or FAULT."""
        return cell(state, "i", STATUS)

    def actor(self, state: bytes) -> int:
        """The one player who is asked; -1 while several are, or nobody is."""
        return cell(state, "i", ACTOR)

    def pending(self, state: bytes) -> int:
        """The set of players who are asked and have not answered."""
        return cell(state, "Q", PENDING)

    def options(self, state: bytes, player: int) -> int:
        """The candidates that a player may choose now; none if not asked."""
        self._load(state)
        return self._allowed(player)

    def decision(self, state: bytes, player: int) -> tuple[str, int]:
        """The name of what is asked, and at which stage of it the player is."""
        self._load(state)
        decision = self._decision()
        return decision.name, self._stage(decision, player) if self._cells[ACTOR] < 0 else 0

    def arguments(self, state: bytes, player: int) -> tuple[int, ...]:
        """What the options function of the pending stage is given."""
        self._load(state)
        end = self._top().end
        if isinstance(end, n.Gather):
            return self._gathered(self._decision(), player)
        assert isinstance(end, n.Decide)
        fp = self._cells[TOP]
        return tuple(a if isinstance(a, int) else self._stack.register(fp, a) for a in end.args)

    def change_arguments(self, state: bytearray, change: Callable[[int, int], int]) -> None:
        """Put other arguments into the frame of a question to one player, by their positions."""
        self._load(bytes(state))
        end = self._top().end
        if not isinstance(end, n.Decide):
            return
        fp = self._cells[TOP]
        now = [a if isinstance(a, int) else self._stack.register(fp, a) for a in end.args]
        for k, name in enumerate(end.args):
            if isinstance(name, str):
                self._stack.put_register(fp, name, change(k, now[k]))
        state[:] = self._buffer

    def frames(self, state: bytes) -> list[FrameView]:
        """The frames under way, from the outermost to the one that waits."""
        self._load(state)
        out: list[FrameView] = []
        for fp in self._stack.chain():
            point = self._stack.point(fp)
            out.append(FrameView(point.function, point.label, self._stack.locals(fp)))
        return out[::-1]

    def check_state(self, state: bytes) -> str | None:
        """What is wrong with a state that comes from outside; none if it can be played."""
        return fault_of(self.layout, state)

    def admit(self, state: bytes) -> bytes:
        """A state as this engine takes it."""
        return state

    # ------------------------------------------------------------------ single functions

    def evaluate(self, state: bytes, function: str, args: Sequence[int] = ()) -> int:
        """What a pure function answers in a state; Fault where it goes wrong."""
        self._load(state)
        if not self.program.functions[function].pure:
            raise MachineError(f"`{function}` is not a pure function")
        return int(self._library.function(function)(*args))

    def run(self, state: bytes, function: str, args: Sequence[int] = ()) -> bytes:
        """The state after an unframed function; Fault where it goes wrong."""
        self._load(state)
        if self.program.functions[function].framed:
            raise MachineError(f"`{function}` may ask a player: it cannot be run by itself")
        try:
            self._library.function(function)(*args)
        except Ended:
            self._stack.clear()
            self._cells[STATUS], self._cells[ACTOR] = OVER, -1
            self._words[PENDING] = 0
        except (Stopped, Left) as stop:
            raise MachineError(f"`{function}` stops a rule that it is not part of") from stop
        return bytes(self._buffer)

    @property
    def events(self) -> list[Event]:
        """What the last step or ``run`` recorded."""
        return self._watcher.events if self._watcher is not None else []

    @property
    def rolled(self) -> list[tuple[str, int]]:
        """The chance outcomes of the last step or ``run``."""
        return self._chance.rolled

    def add(self, function: n.Function) -> None:
        """One more function without frames, or a new body for one that was added before."""
        name = function.name
        faults = verify_function(self.program, function)
        if name in self.linked.frames:
            faults.append(f"`{name}` is a framed function of the program")
        for target in calls(function):
            if target in self.linked.frames:
                faults.append(f"`{name}` calls `{target}`, which may ask a player")
        if faults:
            raise MachineError("; ".join(faults))
        self.program.functions[name] = function
        self._library.add(function)

    def add_table(self, name: str, table: n.Table) -> None:
        """One more table for functions that are added; nothing where it is known."""
        if name not in self.program.tables:
            self.program.tables[name] = table
            self._library.add_table(name, table)

    # ------------------------------------------------------------------ the pending decision

    def _top(self) -> Point:
        fp = self._cells[TOP]
        if self._cells[STATUS] != WAITING or not fp:
            raise MachineError("nobody is asked anything in this state")
        return self._stack.point(fp)

    def _decision(self) -> n.Decision:
        end = self._top().end
        assert isinstance(end, n.Decide | n.Gather)
        return self.program.decisions[end.decision]

    def _stage(self, decision: n.Decision, player: int) -> int:
        return self._field(decision.pending, player) if decision.pending else 0

    def _field(self, name: str, i: int) -> int:
        cells = self.layout.fields[name]
        value: int = self._views[cells.code][cells.base + i]
        return value

    def _gathered(self, decision: n.Decision, player: int) -> tuple[int, ...]:
        earlier = decision.stages[: self._stage(decision, player)]
        return (player, *(self._field(stage.answers, player) for stage in earlier))

    def _allowed(self, player: int) -> int:
        cells = self._cells
        if cells[STATUS] != WAITING or player < 0 or not self._words[PENDING] >> player & 1:
            return 0
        if cells[ACTOR] >= 0:
            fp = cells[TOP]
            return self._library.options[cells[fp + fp + 1]](fp)
        decision = self._decision()
        stage = decision.stages[self._stage(decision, player)]
        return self._library.function(stage.options)(*self._gathered(decision, player))

    def _refusal(self, player: int, candidate: int) -> str:
        if self._cells[STATUS] != WAITING:
            return "nobody is asked anything in this state"
        if not self._words[PENDING] >> max(player, 0) & 1 or player < 0:
            return f"player {player} is not asked in this state"
        name = self._decision().name
        return f"candidate {candidate} of `{name}` is not among the options of player {player}"
