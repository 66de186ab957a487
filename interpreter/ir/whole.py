"""What values parameters and answers can have in a whole program, from all calls that it makes.

Takes a linked program; gives an interval for each parameter of a function that is called, and one
for what each function answers. Only calls that play makes are looked at, and those of functions
without parameters: who calls a function from outside, with any numbers, must not rely on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from interpreter.ir import nodes as n
from interpreter.ir.linker import Linked
from interpreter.ir.ranges import Interval, Ranges, joined, ranges, widest

PATIENCE = 6
"""A parameter or an answer that has grown so often is given up."""


@dataclass(slots=True)
class Whole:
    """Intervals by function: of parameters, in their order, and of answers."""

    params: dict[str, list[Interval | None]] = field(default_factory=dict)
    answers: dict[str, Interval] = field(default_factory=dict)


def whole(linked: Linked) -> Whole:
    """The intervals, found by following the calls until nothing changes; found once."""
    if linked.known is None:
        linked.known = _Search(linked).run()
    return linked.known


def intervals(linked: Linked, function: n.Function) -> Ranges:
    """The interval of each register of a function that only play calls."""
    known = whole(linked)
    params = known.params.get(function.name)
    if params is not None and None in params:
        params = None  # nobody calls it
    return ranges(function, linked.program, linked.set_words, params, known.answers)


class _Search:
    def __init__(self, linked: Linked) -> None:
        self.program = linked.program
        self.words = linked.set_words
        self.found = Whole({name: [None] * len(f.params) for name, f in self.functions.items()})
        self.callers: dict[str, set[str]] = {}
        self.grown: dict[tuple[str, int], int] = {}
        # what has no parameters may be wanted by itself: a score, an invariant
        self.todo = {name: None for name, f in self.functions.items() if not f.params}
        self.seen: set[str] = set()

    @property
    def functions(self) -> dict[str, n.Function]:
        """All functions of the program."""
        return self.program.functions

    def run(self) -> Whole:
        """Function by function, as long as what is known of one has changed."""
        while self.todo:
            name = next(iter(self.todo))
            del self.todo[name]
            self.seen.add(name)
            self._function(self.functions[name])
        return self.found

    def _function(self, f: n.Function) -> None:
        params = self.found.params[f.name]
        known = ranges(f, self.program, self.words, params, self.found.answers)

        for k, block in enumerate(f.blocks):
            of = partial(known.at, k)
            for node in (*block.code, block.end):
                match node:
                    case n.CallFn(_, fn, args) | n.Enter(_, fn, args):
                        self.callers.setdefault(fn, set()).add(f.name)
                        self._called(fn, [of(a) for a in args])
                    case n.Decide(_, decision, _, args):
                        stage = self.program.decisions[decision].stages[0]
                        self._called(stage.options, [of(a) for a in args])
                    case n.Gather(decision):
                        self._asked(self.program.decisions[decision])
                    case n.Return(a) if (got := of(a)) is not None:
                        self._answers(f.name, got)
                    case _:
                        pass

    def _asked(self, decision: n.Decision) -> None:
        """The options functions of a simultaneous choice."""
        given: list[Interval | None] = [(0, self.program.players - 1)]
        for stage in decision.stages:
            self._called(stage.options, list(given))
            if stage.answers:
                kept = self.program.fields[stage.answers]
                given.append((min(kept.low, *kept.init), max(kept.high, *kept.init)))

    def _called(self, fn: str, given: list[Interval | None]) -> None:
        f, params = self.functions[fn], self.found.params[fn]
        changed = fn not in self.seen
        for k, got in enumerate(given[: len(params)]):
            top = widest(f.types[f.params[k]], self.words)
            new = self._wider(fn, k, params[k], got, top)
            if new != params[k]:
                params[k] = new
                changed = True
        if changed:
            self.todo[fn] = None

    def _answers(self, fn: str, got: Interval) -> None:
        old = self.found.answers.get(fn)
        low, high = widest("i", self.words)[0], widest("s", self.words)[1]
        new = self._wider(fn, -1, old, got, (low, high))
        if new is not None and new != old:
            self.found.answers[fn] = new
            self.todo |= dict.fromkeys(self.callers.get(fn, ()))

    def _wider(
        self, fn: str, k: int, old: Interval | None, got: Interval | None, top: Interval
    ) -> Interval | None:
        new = joined(old, got)
        if new is None or new == old:
            return old
        self.grown[fn, k] = self.grown.get((fn, k), 0) + 1
        if self.grown[fn, k] > PATIENCE or not (top[0] <= new[0] and new[1] <= top[1]):
            return top
        return new
