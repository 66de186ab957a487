"""Events: what happens in a step, and inside of what.

Takes calls from the generated code of a watched build; gives a list of events for each step.
"""

from __future__ import annotations

from interpreter.runtime.stack import Stack
from interpreter.runtime.step import Event, EventKind


class Watcher:
    """The events of the step under way."""

    def __init__(self, stack: Stack) -> None:
        self.events: list[Event] = []
        self._stack = stack
        self._functions = stack.layout.program.functions
        self._parent = -1
        """The innermost plain call that is an event; -1 where a frame comes first."""
        self._frames: dict[int, int] = {}
        """For each frame, the event that everything in it happens inside of."""

    def begin_step(self) -> None:
        """A new list, which starts with the rules that are under way."""
        self.events, self._parent, self._frames = [], -1, {}
        parent = -1
        for fp in reversed(list(self._stack.chain())):
            function = self._functions[self._stack.function(fp)]
            if function.begins:
                kept = self._stack.locals(fp)
                args = tuple(kept[p] for p in function.params if p in kept)
                name = function.rule or function.name
                parent = self._append("under", name, args, function.site, parent)
            self._frames[fp] = parent

    def _append(
        self, kind: EventKind, name: str, args: tuple[int, ...], site: int, parent: int
    ) -> int:
        self.events.append(Event(kind, name, args, site, parent))
        return len(self.events) - 1

    def record(self, kind: EventKind, name: str, args: tuple[int, ...], site: int) -> None:
        """Something happened inside the innermost plain call, else inside the top frame."""
        parent = self._parent
        if parent < 0:
            top = next(self._stack.chain(), 0)
            parent = self._frames.get(top, -1)
        self._append(kind, name, args, site, parent)

    def begin(self, name: str, args: tuple[int, ...], site: int) -> int:
        """A plain call that is an event begins; what was the innermost before."""
        outer = self._parent
        self.record("begin", name, args, site)
        self._parent = len(self.events) - 1
        return outer

    def finish(self, outer: int) -> None:
        """A plain call that is an event has ended."""
        self._parent = outer

    def enter(self, name: str, down: int, up: int, args: tuple[int, ...]) -> None:
        """A frame was put on the one at ``down``."""
        function = self._functions[name]
        parent = self._frames.get(down, -1)
        if function.begins:
            parent = self._append("begin", function.rule or name, args, function.site, parent)
        self._frames[up] = parent
