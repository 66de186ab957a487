"""The reference engine: drives the Python functions that are made from a Program.

Takes a verified Program; gives steps from state to state. The state is bytes; while a step runs,
it lies in one buffer that belongs to the machine. So a machine serves one thread at a time.

A step that faults, or that needs a chance outcome which the oracle does not have, is void: its
outcome carries the state from before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from interpreter.ir import nodes as n
from interpreter.ir.flow import calls
from interpreter.ir.layout import (
    ACTOR,
    CODE,
    COUNTER,
    FAULT,
    OVER,
    PENDING,
    RUNNING,
    SEED,
    SITE,
    STATUS,
    TOP,
    WAITING,
    Layout,
    cell,
)
from interpreter.ir.linker import Point, link
from interpreter.ir.verifier import verify_function
from interpreter.runtime.admission import fault_of
from interpreter.runtime.chance import GOLDEN, MASK, below, mix64
from interpreter.runtime.codegen import options_source, source
from interpreter.runtime.pieces import group_ops
from interpreter.runtime.step import (
    Dry,
    Ended,
    Event,
    EventKind,
    Fault,
    FrameView,
    IllegalCandidate,
    Left,
    MachineError,
    Outcome,
    Stopped,
    fault,
)
from interpreter.runtime.templates import clean

Plain = Callable[..., int]
NO_LIMIT: Final = 1 << 62


class Machine:
    """One program, linked and laid out, with a buffer to run it in."""

    def __init__(self, program: n.Program, watch: bool = False) -> None:
        self.linked = link(program)
        self.program = self.linked.program
        self.layout = Layout(self.linked)
        self.watch = watch
        self._buffer = bytearray(self.layout.size)
        whole = memoryview(self._buffer)
        self._views = {"H": whole.cast("h"), "I": whole.cast("i"), "Q": whole.cast("Q")}
        self._cells, self._words = self._views["I"], self._views["Q"]
        self._zeros = bytes(self.layout.size)
        self._fuel = [program.fuel]
        self._depth: dict[str, int] = {}
        self._under: list[int] = []
        self._oracle: list[int] | None = None
        self._rolled: list[tuple[str, int]] = []
        self._events: list[Event] = []
        self._parent = -1
        self._frame_events: dict[int, int] = {}
        self._names: dict[str, str] = {}
        self._space: dict[str, Any] = {}
        points = self.linked.points
        self._resume: list[Callable[[int, int, int], int | None]] = []
        self._point_function = [p.function if p is not None else "" for p in points]
        self._options: dict[int, Plain] = {}
        self._width = [self.linked.frames[p.function].width if p is not None else 0 for p in points]
        self._fill_space()

    # ------------------------------------------------------------------ stepping

    def start(self, seed: int, outcomes: Sequence[int] | None = None) -> Outcome:
        """The first step: from the beginning to the first decision."""
        blank = self.layout.initial(seed)
        self._load(blank, outcomes)
        out = self._finish(self._first, blank)
        if out.fault is None:
            return out
        code, site = out.fault
        marked = bytearray(blank)
        cells = memoryview(marked).cast("i")
        cells[STATUS], cells[CODE] = FAULT, self.layout.faults.index(code) + 1
        cells[SITE] = site
        cells.release()
        return Outcome(bytes(marked), FAULT, out.events, out.rolled, None, out.fault)

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
        events, rolled = self._events, self._rolled
        if need is None and broken is None:
            if self._oracle:
                raise MachineError(
                    f"the step takes {len(rolled)} chance outcomes, "
                    f"found {len(self._oracle)} too many"
                )
            return Outcome(bytes(self._buffer), self._cells[STATUS], events, rolled)
        status = cell(before, "i", STATUS) if need is not None else FAULT
        return Outcome(before, status, events, rolled, need, broken)

    def _load(self, state: bytes, outcomes: Sequence[int] | None = None) -> None:
        """Take a state into the buffer and forget the step before."""
        self._buffer[:] = state
        self._fuel[0] = self.program.fuel
        self._oracle = None if outcomes is None else list(outcomes)
        self._rolled = []
        if self._under:
            self._under.clear()
        if self._depth:
            for name in self._depth:
                self._depth[name] = 0
        if self.watch:
            self._begin_watching()

    def _first(self) -> None:
        main = self.linked.frames[self.program.main]
        up = self.layout.frames // 8
        self._cells[2 * up + 1] = main.entry
        self._cells[TOP] = up
        if self.watch:
            self._space["enter"](self.program.main, 0, up, ())
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
        self._views[answers.code.upper()][answers.base + player] = candidate
        last = stage + 1 == len(decision.stages)
        if decision.pending:
            counted = self.layout.fields[decision.pending]
            view = self._views[counted.code.upper()]
            view[counted.base + player] = stage + 1
            if last and pending == 1 << player:
                for p in range(self.program.players):
                    view[counted.base + p] = 0
        return pending & ~(1 << player) if last else pending

    def _run(self, back: int) -> None:
        """Run the top frame, and what it calls and returns to, until somebody is asked."""
        cells, fuel, resume = self._cells, self._fuel, self._resume
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
                self._pop_through(stopped.rule)
                back = 0
            except Left as left:
                self._pop_to(left.frame)
                back = 0
            except Ended:
                self._buffer[self.layout.frames :] = self._zeros[self.layout.frames :]
                cells[TOP] = 0
                cells[STATUS] = OVER
                return
            else:
                if got is not None:
                    self._pop(fp)
                    back = got
                elif cells[STATUS]:
                    return

    def _pop(self, fp: int) -> None:
        cells = self._cells
        width = self._width[cells[fp + fp + 1]]
        cells[TOP] = cells[fp + fp]
        self._buffer[8 * fp : 8 * fp + width] = self._zeros[:width]

    def _pop_through(self, rule: str) -> None:
        """Take off frames up to and with the innermost one of a rule."""
        cells = self._cells
        while fp := cells[TOP]:
            found = self._point_function[cells[fp + fp + 1]] == rule
            self._pop(fp)
            if found:
                return
        fault("STOP", -1)

    def _pop_to(self, frame: int) -> None:
        """Take off frames up to and with this one."""
        cells = self._cells
        while fp := cells[TOP]:
            self._pop(fp)
            if fp == frame:
                return

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
        point = self._top()
        if isinstance(point.end, n.Gather):
            return self._gathered(self._decision(), player)
        assert isinstance(point.end, n.Decide)
        kept = self._locals(self._cells[TOP], point)
        return tuple(a if isinstance(a, int) else kept[a] for a in point.end.args)

    def evaluate(self, state: bytes, function: str, args: Sequence[int] = ()) -> int:
        """What a pure function answers in a state; Fault where it goes wrong."""
        self._load(state)
        if not self.program.functions[function].pure:
            raise MachineError(f"`{function}` is not a pure function")
        return int(self._space[self._names[function]](*args))

    def run(self, state: bytes, function: str, args: Sequence[int] = ()) -> bytes:
        """The state after an unframed function; Fault where it goes wrong."""
        self._load(state)
        if self.program.functions[function].framed:
            raise MachineError(f"`{function}` may ask a player: it cannot be run by itself")
        try:
            self._space[self._names[function]](*args)
        except Ended:
            self._buffer[self.layout.frames :] = self._zeros[self.layout.frames :]
            cells = self._cells
            cells[TOP], cells[STATUS], cells[ACTOR] = 0, OVER, -1
            self._words[PENDING] = 0
        except (Stopped, Left) as stop:
            raise MachineError(f"`{function}` stops a rule that it is not part of") from stop
        return bytes(self._buffer)

    @property
    def events(self) -> list[Event]:
        """What the last ``run`` recorded (a step's events lie in its outcome)."""
        return self._events

    @property
    def rolled(self) -> list[tuple[str, int]]:
        """The chance outcomes of the last ``run``."""
        return self._rolled

    def add(self, function: n.Function) -> None:
        """One more function without frames, or a new body for one that was added before."""
        faults = verify_function(self.program, function)
        if faults:
            raise MachineError("; ".join(faults))
        name = function.name
        if name in self.linked.frames:
            raise MachineError(f"`{name}` is a framed function of the program")
        self.program.functions[name] = function
        for target in calls(function):
            if target in self.linked.frames:
                raise MachineError(f"`{name}` calls `{target}`, which may ask a player")
        if name not in self._names:
            self._names[name] = f"F{len(self._names)}_{clean(name)}"
        self._space[self._names[name]] = self._stub(function)

    def frames(self, state: bytes) -> list[FrameView]:
        """The frames under way, from the outermost to the one that waits."""
        self._load(state)
        out: list[FrameView] = []
        fp = self._cells[TOP]
        while fp:
            point = self.linked.points[self._cells[fp + fp + 1]]
            assert point is not None
            out.append(FrameView(point.function, point.label, self._locals(fp, point)))
            fp = self._cells[fp + fp]
        return out[::-1]

    def add_table(self, name: str, table: n.Table) -> None:
        """One more table for functions that are added; nothing where it is known."""
        key = "table " + name
        if key not in self._names:
            self.program.tables[name] = table
            self._names[key] = f"T{len(self._names)}_{clean(name)}"
            self._space[self._names[key]] = (*table.rows, table.absent)

    def check_state(self, state: bytes) -> str | None:
        """What is wrong with a state that comes from outside; none if it can be played."""
        return fault_of(self.layout, state)

    def playout(self, seed: int, max_steps: int = NO_LIMIT) -> int:
        """One game with random choices; how many choices were made. For benchmarks."""
        self._load(self.layout.initial(seed))
        self._first()
        cells, words, resume = self._cells, self._words, self._options
        base, count = mix64(~seed & MASK), 0
        while cells[STATUS] == WAITING and count < max_steps:
            player: int = cells[ACTOR]
            if player >= 0:
                fp = cells[TOP]
                members = resume[cells[fp + fp + 1]](fp)
            else:
                asked: int = words[PENDING]
                player = (asked & -asked).bit_length() - 1
                members = self._allowed(player)
            size = members.bit_count()
            if not size:
                fault("EMPTY", -1)
            if size > 1:
                for _ in range(((mix64((base + GOLDEN * count) & MASK) >> 32) * size) >> 32):
                    members &= members - 1
            self._fuel[0] = self.program.fuel
            self._answer(player, (members & -members).bit_length() - 1)
            count += 1
        return count

    # ------------------------------------------------------------------ the pending decision

    def _top(self) -> Point:
        fp = self._cells[TOP]
        if self._cells[STATUS] != WAITING or not fp:
            raise MachineError("nobody is asked anything in this state")
        point = self.linked.points[self._cells[fp + fp + 1]]
        assert point is not None
        return point

    def _decision(self) -> n.Decision:
        end = self._top().end
        assert isinstance(end, n.Decide | n.Gather)
        return self.program.decisions[end.decision]

    def _stage(self, decision: n.Decision, player: int) -> int:
        return self._field(decision.pending, player) if decision.pending else 0

    def _field(self, name: str, i: int) -> int:
        cells = self.layout.fields[name]
        value: int = self._views[cells.code.upper()][cells.base + i]
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
            return self._options[cells[fp + fp + 1]](fp)
        decision = self._decision()
        stage = decision.stages[self._stage(decision, player)]
        got: int = self._space[self._names[stage.options]](*self._gathered(decision, player))
        return got

    def _refusal(self, player: int, candidate: int) -> str:
        if self._cells[STATUS] != WAITING:
            return "nobody is asked anything in this state"
        if not self._words[PENDING] >> max(player, 0) & 1 or player < 0:
            return f"player {player} is not asked in this state"
        name = self._decision().name
        return f"candidate {candidate} of `{name}` is not among the options of player {player}"

    def _locals(self, fp: int, point: Point) -> dict[str, int]:
        slots = self.linked.frames[point.function].slots
        types = self.program.functions[point.function].types
        out: dict[str, int] = {}
        for register in point.live:
            at = slots[register]
            if types[register] == "i":
                out[register] = self._cells[2 * fp + at // 4]
            else:
                words = self._words[fp + at // 8 : fp + at // 8 + self.linked.set_words]
                out[register] = int.from_bytes(words.tobytes(), sys.byteorder)
        return out

    # ------------------------------------------------------------------ what generated code calls

    def _fill_space(self) -> None:
        """Everything that a generated function can name."""
        program, space = self.program, self._space
        for k, name in enumerate(program.functions):
            self._names[name] = f"F{k}_{clean(name)}"
        for k, (name, table) in enumerate(program.tables.items()):
            self._names["table " + name] = f"T{k}_{clean(name)}"
            # read at -1, a tuple gives its last item
            space[f"T{k}_{clean(name)}"] = (*table.rows, table.absent)
        views = {code.lower() if code != "Q" else code: v for code, v in self._views.items()}
        record = self._record_event if self.watch else None
        for k, name in enumerate(program.groups):
            ops = group_ops(self.layout, name, views, record)
            self._names["group " + name] = f"G{k}_{clean(name)}"
            for part in ("move", "mix", "least", "most", "front", "distinct"):
                space[f"{part}_G{k}_{clean(name)}"] = getattr(ops, part)
        self._depth.update({self._names[k]: 0 for k, f in program.functions.items() if f.depth})
        space.update(self._views)
        space.update(fuel=self._fuel, depth=self._depth, under=self._under)
        space.update(fault=fault, Stopped=Stopped, Left=Left, Ended=Ended, wrap=_wrap)
        space.update(roll=self._roll, within=self._within, leave=self._leave)
        space.update(forget=self._forget, deeper=self._deeper, record=self._record_event)
        space.update(begin=self._begin, leave_event=self._leave_event, enter=self._enter)
        for function in program.functions.values():
            space[self._names[function.name]] = self._stub(function)
        self._resume = [self._unreachable] * len(self.linked.points)
        for point in self.linked.points:
            if point is not None:
                self._resume[point.id] = self._resume_stub(point)
                if isinstance(point.end, n.Decide):
                    self._options[point.id] = self._options_stub(point)

    def _compile(self, function: n.Function) -> Callable[..., Any]:
        name = self._names[function.name]
        text = source(self.layout, function, self._names, self.watch)
        exec(compile(text, f"<{function.name}>", "exec"), self._space)
        made: Callable[..., Any] = self._space[name]
        return made

    def _stub(self, function: n.Function) -> Callable[..., Any]:
        """Stands in for a function until its first call."""

        def stub(*args: int) -> Any:
            return self._compile(function)(*args)

        return stub

    def _resume_stub(self, point: Point) -> Callable[[int, int, int], int | None]:
        def stub(fp: int, pt: int, back: int) -> int | None:
            made = self._compile(self.program.functions[point.function])
            for k in self.linked.frames[point.function].points:
                self._resume[k] = made
            got: int | None = made(fp, pt, back)
            return got

        return stub

    def _options_stub(self, point: Point) -> Plain:
        def stub(fp: int) -> int:
            name = f"O{point.id}"
            text = options_source(self.layout, point, name, self._names)
            exec(compile(text, f"<options of {point.label}>", "exec"), self._space)
            self._options[point.id] = self._space[name]
            return self._options[point.id](fp)

        return stub

    def _unreachable(self, fp: int, pt: int, back: int) -> int | None:
        raise MachineError(f"point {pt} does not exist in this program")

    def _roll(self, members: int, label: str, site: int) -> int:
        if not members:
            fault("EMPTY", site)
        size = members.bit_count()
        if size == 1:
            return members.bit_length() - 1
        if self._oracle is not None:
            if not self._oracle:
                raise Dry(label, members)
            member = self._oracle.pop(0)
            if member < 0 or not members >> member & 1:
                raise MachineError(f"{member} is not a possible outcome of `{label}`")
        else:
            count = self._cells[COUNTER] + 1
            self._cells[COUNTER] = count if count < 1 << 31 else -(1 << 31)
            rest = members
            for _ in range(below(size, self._words[SEED], count & 0xFFFFFFFF)):
                rest &= rest - 1
            member = (rest & -rest).bit_length() - 1
        self._rolled.append((label, member))
        if self.watch:
            self._record_event("roll", label, (member, members), site)
        return member

    def _within(self, function: str, args: tuple[int, ...]) -> int:
        frame = self.linked.frames[function]
        fp = self._cells[TOP]
        while fp:
            if self._point_function[self._cells[fp + fp + 1]] == function:
                point = self.linked.points[frame.entry]
                assert point is not None
                kept = self._locals(fp, point)
                if all(kept[p] == a for p, a in zip(frame.kept, args, strict=False)):
                    return 1
            fp = self._cells[fp + fp]
        return 0

    def _leave(self, player: int) -> None:
        """Unwind for a player who leaves; nothing where no rule is under way for them."""
        found, fp = 0, self._cells[TOP]
        while fp:
            name = self._point_function[self._cells[fp + fp + 1]]
            function = self.program.functions[name]
            if function.player_first:
                at = self.linked.frames[name].slots[function.params[0]]
                if self._cells[2 * fp + at // 4] == player:
                    found = fp
            fp = self._cells[fp + fp]
        if found:
            raise Left(found, -1)
        for level, first in enumerate(self._under):
            if first == player:
                raise Left(0, level)

    def _forget(self, name: str) -> None:
        """Before a simultaneous choice: no answers yet."""
        decision = self.program.decisions[name]
        fields = [stage.answers for stage in decision.stages]
        for field in (*fields, decision.pending):
            if field:
                cells = self.layout.fields[field]
                init = self.program.fields[field].init
                view = self._views[cells.code.upper()]
                for p in range(self.program.players):
                    view[cells.base + p] = init[p]

    def _deeper(self, function: str, limit: int, site: int) -> None:
        """Refuse one more frame of a function that is under way as often as it may be."""
        fp, count = self._cells[TOP], 0
        while fp:
            count += self._point_function[self._cells[fp + fp + 1]] == function
            fp = self._cells[fp + fp]
        if count >= limit:
            fault("DEPTH", site)

    # ------------------------------------------------------------------ events

    def _begin_watching(self) -> None:
        """Start the list of events with the rules that are under way."""
        self._events, self._parent, self._frame_events = [], -1, {}
        chain: list[int] = []
        fp = self._cells[TOP]
        while fp:
            chain.append(fp)
            fp = self._cells[fp + fp]
        parent = -1
        for fp in reversed(chain):
            point = self.linked.points[self._cells[fp + fp + 1]]
            assert point is not None
            function = self.program.functions[point.function]
            if function.begins:
                kept = self._locals(fp, point)
                args = tuple(kept[p] for p in function.params if p in kept)
                name = function.rule or function.name
                parent = self._append("under", name, args, function.site, parent)
            self._frame_events[fp] = parent

    def _append(
        self, kind: EventKind, name: str, args: tuple[int, ...], site: int, parent: int
    ) -> int:
        self._events.append(Event(kind, name, tuple(map(int, args)), site, parent))
        return len(self._events) - 1

    def _record_event(self, kind: EventKind, name: str, args: tuple[int, ...], site: int) -> None:
        """Something happened inside the innermost plain call, else inside the top frame."""
        parent = self._parent
        if parent < 0:
            parent = self._frame_events.get(self._cells[TOP], -1)
        self._append(kind, name, args, site, parent)

    def _begin(self, name: str, args: tuple[int, ...], site: int) -> int:
        """A plain function begins; what was the innermost before."""
        outer = self._parent
        self._record_event("begin", name, args, site)
        self._parent = len(self._events) - 1
        return outer

    def _leave_event(self, outer: int) -> None:
        self._parent = outer

    def _enter(self, name: str, down: int, up: int, args: tuple[int, ...]) -> None:
        """A frame was put on the one at ``down``."""
        function = self.program.functions[name]
        parent = self._frame_events.get(down, -1)
        if function.begins:
            parent = self._append("begin", function.rule or name, args, function.site, parent)
        self._frame_events[up] = parent


def _wrap(value: int) -> int:
    """The value in 32 bits."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)
