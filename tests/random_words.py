"""Random expressions of the language over a box that is known: numbers and conditions.

Takes a source of chance and what is declared; gives expressions that the checker accepts, as text.
Where nothing of a kind can be said, another way is tried. The first of the ways is the plainest, so
that a source which prefers small numbers gives small texts.
"""

from __future__ import annotations

from collections.abc import Callable

from random_things import Env, Holder, NoWayError, Things


class Words(Things):
    """Makes expressions."""

    # ------------------------------------------------------------------ numbers and flags

    def any_kind(self) -> str:
        """Some kind of which there are sets."""
        places = [self.box.places] if self.box.places else []
        return self.pick(["player", *self.box.kinds, *self.box.pieces, *places])

    def num(self, env: Env, d: int) -> str:
        """A number."""
        box = self.box
        ways: list[Callable[[], str]] = [lambda: str(self.dice.below(5))]
        ways += [lambda n=n: n for n in (*self.names(env, "num"), *box.numbers)]  # type: ignore[misc]
        for holder in [*box.counters, *(m for m in box.marks if m.of == "num")]:
            ways.append(lambda h=holder: self.number_of(h, env, d))  # type: ignore[misc]
        if d > 0:
            below = d - 1
            for of, name, typed in box.fields:
                if typed == "num":
                    ways.append(lambda o=of, n=name: f"{self.thing(o, env, below)}.{n}")  # type: ignore[misc]
            ways.append(lambda: f"count({self.set_(self.any_kind(), env, below)})")
            ways.append(lambda: f"count({self.clause(self.any_kind(), env, below)[0]})")
            op = self.pick(("+", "-", "*", "/", "%"))
            ways.append(lambda: f"({self.num(env, below)} {op} {self.num(env, below)})")
            name = self.pick(("min", "max"))
            ways.append(lambda: f"{name}({self.num(env, below)}, {self.num(env, below)})")
            ways.append(lambda: f"abs({self.num(env, below)} - {self.num(env, below)})")
            ways.append(lambda: self.summed(env, below))
            ways.append(
                lambda: (
                    f"(if {self.flag(env, below)} then {self.num(env, below)}"
                    f" else {self.num(env, below)})"
                )
            )
            ways.append(lambda: self.call("num", env, below))
            if box.shape in ("grid", "hex"):
                ways.append(
                    lambda: f"{self.thing(box.space, env, below)}.{self.pick(('row', 'column'))}"
                )
        return self.first_that_can(ways)

    def number_of(self, holder: Holder, env: Env, d: int) -> str:
        """The value of a counter or a mark that is a number."""
        path = self.whose(holder, env, d)
        return path if "." in path else f"game.{path}"

    def summed(self, env: Env, d: int) -> str:
        """A sum, or the least and greatest of some."""
        if self.chance(4):
            x = self.new()
            text = f"{x} in {self.dice.below(3)}..{3 + self.dice.below(3)}"
            inner = env.bind(x, "num")
        else:
            text, _, inner = self.clause(self.any_kind(), env, d)
        name = self.pick(("sum", "min", "max"))
        body = f"{name}({self.num(inner, d)} for {text})"
        return body if name == "sum" else f"({body} else {self.dice.below(4)})"

    def call(self, kind: str, env: Env, d: int) -> str:
        """A value of the game."""
        del d
        name, params, _ = self.pick([v for v in self.box.values if v[2] == kind])
        return f"{name}({', '.join(self.argument(p, env, 1) for p in params)})"

    def argument(self, kind: str, env: Env, d: int) -> str:
        """What is handed over for a parameter."""
        return self.num(env, d) if kind == "num" else self.thing(kind, env, d)

    def compared(self, env: Env, d: int) -> str:
        """Two numbers of which one can change."""
        left = self.changing(env, d)
        op = self.pick(("<", "<=", ">", ">=", "is", "is not"))
        return f"{left} {op} {self.num(env, d)}"

    def changing(self, env: Env, d: int) -> str:
        """A number that is not written out."""
        found = self.num(env, d)
        if found.isdigit():
            raise NoWayError
        return found

    def same(self, env: Env, d: int) -> str:
        """Whether two things are one."""
        kind = self.any_kind()
        left = self.first_that_can(
            [lambda: self.thing(kind, env, d), lambda: self.maybe(kind, env, d)]
        )
        right = self.first_that_can(
            [lambda: self.thing(kind, env, d), lambda: self.maybe(kind, env, d)]
        )
        if left == right or left in self.box.kinds.get(kind, ()):
            raise NoWayError
        return f"{left} {self.pick(('is', 'is not'))} {right}"

    def flag(self, env: Env, d: int) -> str:
        """A condition."""
        box = self.box
        ways: list[Callable[[], str]] = [lambda: self.compared(env, d)]
        ways += [lambda n=n: n for n in (*self.names(env, "flag"), *box.flags)]  # type: ignore[misc]
        for mark in box.marks:
            if mark.of == "flag":
                ways.append(lambda m=mark: self.number_of(m, env, d))  # type: ignore[misc]
        if d > 0:
            below = d - 1
            ways.append(lambda: f"any({self.clause(self.any_kind(), env, below)[0]})")
            ways.append(lambda: self.every(env, below))
            ways.append(lambda: f"not ({self.flag(env, below)})")
            ways.append(lambda: f"({self.flag(env, below)} and {self.flag(env, below)})")
            ways.append(lambda: f"({self.flag(env, below)} or {self.flag(env, below)})")
            ways.append(lambda: self.same(env, below))
            ways.append(lambda: self.inside(env, below))
            ways.append(lambda: self.absent(env, below))
            low = self.dice.below(3)
            ways.append(lambda: f"{self.changing(env, below)} in {low}..{low + 2}")
            ways.append(lambda: self.call("flag", env, below))
            if box.shape in ("grid", "hex"):
                ways.append(lambda: self.in_line(env, below))
            elif box.shape == "roads":
                ends = (self.thing(box.space, env, 0), self.thing(box.space, env, 0))
                ways.append(lambda: f"road({ends[0]}, {ends[1]}) is not none")
            for of, name, typed in box.fields:
                if typed == "test":
                    ways.append(
                        lambda o=of, n=name: (  # type: ignore[misc]
                            f"{self.thing(o, env, 0)}.{n}({self.thing('player', env, 0)})"
                        )
                    )
            for kind in box.types:
                ways.append(lambda k=kind: self.typed(k, env, below))  # type: ignore[misc]
            for kind in box.sides:
                ways.append(
                    lambda k=kind: (
                        f"{self.thing(k, env, below)}.side is {self.pick(self.box.sides[k])}"
                    )  # type: ignore[misc]
                )
            if box.frames:
                ways.append(lambda: f"within {self.pick(self.box.frames)}")
            if env.can and not env.open and box.actions:
                ways.append(lambda: self.can(env))
        return self.first_that_can(ways) if ways else self.none_there()

    def in_line(self, env: Env, d: int) -> str:
        """Something about a line of cells."""
        line, cell = self.new(), self.new()
        inner = env.bind(line, f"set {self.box.space}")
        every = f"all({cell} in {line} if {self.flag(inner.bind(cell, self.box.space), d)})"
        return f"any({line} in lines(2) if {every})"

    def every(self, env: Env, d: int) -> str:
        """Whether something holds for all."""
        kind = self.any_kind()
        base, x = self.set_(kind, env, d), self.new()
        return f"all({x} in {base} if {self.flag(env.bind(x, kind), d)})"

    def inside(self, env: Env, d: int) -> str:
        """Whether a thing is in a set."""
        kind = self.any_kind()
        thing = self.first_that_can(
            [lambda: self.thing(kind, env, d), lambda: self.maybe(kind, env, d)]
        )
        return f"{thing} {self.pick(('in', 'not in'))} {self.set_(kind, env, max(d, 1))}"

    def absent(self, env: Env, d: int) -> str:
        """Whether there is something."""
        return f"{self.maybe(self.any_kind(), env, d)} {self.pick(('is', 'is not'))} none"

    def typed(self, kind: str, env: Env, d: int) -> str:
        """Which type a piece has."""
        return f"{self.thing(kind, env, d)}.type is {self.pick(self.box.types[kind])}"

    def can(self, env: Env) -> str:
        """Whether somebody could do something."""
        name, params = self.pick(self.box.actions)
        args = ", ".join(self.argument(p, env, 0) for p in params[1:])
        return f"{self.thing('player', env, 0)} can {name}{f'({args})' if args else ''}"
