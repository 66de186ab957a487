"""What a random game declares, and random things and sets of the language over it.

Takes a source of chance and what is declared; gives expressions that the checker accepts, as text.
Where nothing of a kind can be said, another way is tried. The first of the ways is the plainest, so
that a source which prefers small numbers gives small texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

T = TypeVar("T")


class NoWayError(Exception):
    """Nothing of this kind can be said here."""


class Dice(Protocol):
    """Where chance comes from."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""


@dataclass(frozen=True)
class Holder:
    """A zone, a counter or a mark: its name, whose it is, what it holds, who sees it."""

    name: str
    each: str
    of: str
    """The kind of a zone's pieces; of a counter or mark ``num``, ``flag``, ``KIND``, ``KIND?``,
    ``set KIND``."""
    seen: str = "all"
    order: str = "set"
    holds: str = ""
    low: int = 0
    high: int = 99
    hooked: bool = True
    """Whether a hook may look at it; hooks themselves change only what is not."""


@dataclass
class Box:
    """What is declared, as far as expressions must know it."""

    low: int = 2
    high: int = 2
    kinds: dict[str, list[str]] = field(default_factory=dict)
    """Enumerations and spaces with their members."""
    shape: str = ""
    space: str = ""
    zones: list[Holder] = field(default_factory=list)
    counters: list[Holder] = field(default_factory=list)
    marks: list[Holder] = field(default_factory=list)
    pieces: dict[str, str] = field(default_factory=dict)
    """Kinds of pieces: ``player`` where each has some, or nothing."""
    types: dict[str, list[str]] = field(default_factory=dict)
    sides: dict[str, list[str]] = field(default_factory=dict)
    fields: list[tuple[str, str, str]] = field(default_factory=list)
    """Kind, field, type."""
    numbers: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    chosen: dict[str, list[str]] = field(default_factory=dict)
    """Kind to options of that kind."""
    values: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    actions: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    places: str = ""
    pieces_of_places: str = ""
    """Whose the places are: ``player`` or the kind of spaces."""
    tied: list[str] = field(default_factory=list)
    """Kinds of pieces that always lie on a space."""
    own: list[str] = field(default_factory=list)
    """Kinds of which each player has one."""


@dataclass(frozen=True)
class Env:
    """Names that are bound, and what may be read."""

    names: tuple[tuple[str, str], ...] = ()
    open: bool = False
    """Whether only what the player who is asked can see may be read."""
    can: bool = False
    """Whether it may be asked what somebody can do."""

    def bind(self, name: str, kind: str) -> Env:
        """One name more."""
        return replace(self, names=(*self.names, (name, kind)))


class Things:
    """Makes things and sets."""

    def __init__(self, dice: Dice, box: Box) -> None:
        self.dice, self.box = dice, box
        self.fresh = 0

    def num(self, env: Env, d: int) -> str:
        """A number."""
        raise NotImplementedError

    def flag(self, env: Env, d: int) -> str:
        """A condition."""
        raise NotImplementedError

    # ------------------------------------------------------------------ choosing

    def pick(self, ways: Sequence[T]) -> T:
        """One of several."""
        if not ways:
            raise NoWayError
        return ways[self.dice.below(len(ways))] if len(ways) > 1 else ways[0]

    def chance(self, one_in: int) -> bool:
        """True once in so many times; false is the plain case."""
        return self.dice.below(one_in) == one_in - 1

    def first_that_can(self, ways: Sequence[Callable[[], T]]) -> T:
        """One of the ways; where it leads nowhere, the nearest that is plainer."""
        at = self.dice.below(len(ways)) if len(ways) > 1 else 0
        for way in [*reversed(ways[: at + 1]), *ways[at + 1 :]]:
            try:
                return way()
            except NoWayError:
                continue
        raise NoWayError

    def new(self) -> str:
        """A name that nothing has."""
        self.fresh += 1
        return f"v{self.fresh}"

    # ------------------------------------------------------------------ things

    def names(self, env: Env, kind: str) -> list[str]:
        """The bound names of a kind."""
        return [name for name, of in env.names if of == kind]

    def plural(self, kind: str) -> str:
        """The set of all of a kind."""
        return f"{kind}s"

    def in_sight(self, kind: str, env: Env) -> bool:
        """Whether all see where the pieces of a kind lie, if that must be so."""
        return not env.open or all(z.seen == "all" for z in self.box.zones if z.of == kind)

    def whose(self, holder: Holder, env: Env, d: int) -> str:
        """The path of a zone, counter or mark."""
        if env.open and (holder.seen == "nobody" or (holder.seen == "owner")):
            if holder.seen == "owner" and "me" in self.names(env, "player"):
                return f"me.{holder.name}"
            raise NoWayError
        about = holder.of.removeprefix("set ").removesuffix("?")
        if holder in self.box.marks and about in self.box.pieces and not self.in_sight(about, env):
            raise NoWayError
        if not holder.each:
            return holder.name
        return f"{self.thing(holder.each, env, d - 1)}.{holder.name}"

    def thing(self, kind: str, env: Env, d: int) -> str:
        """A thing of a kind that is there."""
        ways: list[Callable[[], str]] = []
        ways += [lambda n=n: n for n in self.names(env, kind)]  # type: ignore[misc]
        ways += [lambda n=n: n for n in self.box.kinds.get(kind, [])[:4]]  # type: ignore[misc]
        ways += [lambda n=n: n for n in self.box.chosen.get(kind, [])]  # type: ignore[misc]
        if kind == "player":
            ways.append(lambda: "first(players)")
        if kind in self.box.own and self.in_sight(kind, env):
            ways.append(lambda: f"{self.thing('player', env, d - 1)}.{kind}")
        if d > 0:
            if kind == self.box.space and self.box.tied and not env.open:
                ways.append(lambda: f"{self.thing(self.pick(self.box.tied), env, d - 1)}.{kind}")
            if kind == "player":
                ways.append(lambda: f"next({self.thing('player', env, d - 1)})")
                ways.append(lambda: f"previous({self.thing('player', env, d - 1)})")
            for owned in [k for k, each in self.box.pieces.items() if each] + [self.box.places]:
                mine = owned != self.box.places or self.box.pieces_of_places == "player"
                if kind == "player" and mine and self.names(env, owned):
                    ways.append(lambda o=owned: f"{self.pick(self.names(env, o))}.owner")  # type: ignore[misc]
            for of, name, typed in self.box.fields:
                if typed == kind:
                    ways.append(lambda o=of, n=name: f"{self.thing(o, env, d - 1)}.{n}")  # type: ignore[misc]
            for mark in self.box.marks:
                if mark.of == kind:
                    ways.append(lambda m=mark: self.whose(m, env, d))  # type: ignore[misc]
            certain = self.names(env, kind) or self.box.kinds.get(kind)
            if certain and self.maybe_ways(kind, env, 0):
                ways.append(
                    lambda: f"({self.maybe(kind, env, d - 1)} else {self.thing(kind, env, 0)})"
                )
            ways.append(
                lambda: (
                    f"(if {self.flag(env, d - 1)} then {self.thing(kind, env, d - 1)}"
                    f" else {self.thing(kind, env, d - 1)})"
                )
            )
        return self.first_that_can(ways) if ways else self.none_there()

    def none_there(self) -> str:
        """There is no way."""
        raise NoWayError

    def maybe_ways(self, kind: str, env: Env, d: int) -> list[Callable[[], str]]:
        """The ways to say a thing that may be none."""
        ways: list[Callable[[], str]] = []
        ways += [lambda n=n: n for n in self.names(env, f"{kind}?")]  # type: ignore[misc]
        for mark in self.box.marks:
            if mark.of == f"{kind}?":
                ways.append(lambda m=mark: self.whose(m, env, d))  # type: ignore[misc]
        for zone in self.box.zones:
            if zone.of == kind and zone.holds == "0..1":
                ways.append(lambda z=zone: self.whose(z, env, d))  # type: ignore[misc]
        if kind == self.box.space and d > 0:
            if self.box.shape in ("grid", "hex"):
                ways.append(
                    lambda: (
                        f"beside({self.thing(kind, env, d - 1)}, {self.thing('direction', env, 0)})"
                    )
                )
                ways.append(lambda: f"{kind}({self.num(env, d - 1)}, {self.num(env, d - 1)})")
            elif self.box.shape in ("path", "loop"):
                ways.append(lambda: f"next({self.thing(kind, env, d - 1)})")
                ways.append(lambda: f"previous({self.thing(kind, env, d - 1)})")
        for piece in self.box.pieces:
            if d > 0 and kind in ("player", self.box.space, self.box.places) and kind:
                lies = [z for z in self.box.zones if z.of == piece and z.each == kind]
                if lies and not env.open and not (piece in self.box.tied and kind != "player"):
                    part = "holder" if kind == "player" else kind
                    ways.append(lambda p=piece, q=part: f"{self.thing(p, env, d - 1)}.{q}")  # type: ignore[misc]
        return ways

    def maybe(self, kind: str, env: Env, d: int) -> str:
        """A thing that may be none."""
        ways = self.maybe_ways(kind, env, d)
        if d > 0:
            ways.append(lambda: f"first({self.in_order(kind, env, d)})")
            ways.append(lambda: f"last({self.in_order(kind, env, d)})")
            rows = [z for z in self.box.zones if z.of == kind and self.known_order(z)]
            if rows:
                n = self.dice.below(3) + 1
                ways.append(lambda: f"nth({self.whose(self.pick(rows), env, d)}, {n})")
                ways.append(lambda: f"last({self.whose(self.pick(rows), env, d)})")
        return self.first_that_can(ways) if ways else self.none_there()

    def in_order(self, kind: str, env: Env, d: int) -> str:
        """A clause of whose members somebody may ask for the first."""
        text = self.clause(kind, env, d)[0]
        words = text.split(" if ")[0].split()[-1].split(".")[-1].strip("()")
        unknown = [z.name for z in self.box.zones if z.order == "pile" and z.seen == "nobody"]
        if words in unknown:
            raise NoWayError
        return text

    @staticmethod
    def known_order(zone: Holder) -> bool:
        """Whether somebody may ask for the first in it."""
        return zone.order in ("row", "slots") or (zone.order == "pile" and zone.seen != "nobody")

    # ------------------------------------------------------------------ sets

    def set_(self, kind: str, env: Env, d: int) -> str:
        """A set of things of a kind."""
        ways: list[Callable[[], str]] = []
        if kind in ("player", *self.box.kinds):
            ways.append(lambda: self.plural(kind))
        zones = [z for z in self.box.zones if z.of == kind and z.holds != "1"]
        ways += [lambda z=z: self.whose(z, env, d) for z in zones if z.order != "bag"]  # type: ignore[misc]
        ways += [lambda n=n: n for n in self.names(env, f"set {kind}")]  # type: ignore[misc]
        if self.box.pieces.get(kind) and kind not in self.box.own and self.in_sight(kind, env):
            ways.append(lambda: f"{self.thing('player', env, 0)}.{self.plural(kind)}")
        if kind == self.box.places and kind:
            ways.append(lambda: self.plural(kind))
            board = self.box.pieces_of_places
            ways.append(lambda: f"{self.thing(board, env, 0)}.{self.plural(kind)}")
        ways += [
            lambda n=of, f=name: f"{self.thing(n, env, d - 1)}.{f}"  # type: ignore[misc]
            for of, name, typed in self.box.fields
            if typed == f"set {kind}"
        ]
        for mark in self.box.marks:
            if mark.of == f"set {kind}":
                ways.append(lambda m=mark: self.whose(m, env, d))  # type: ignore[misc]
        if d > 0:
            below = d - 1
            ways.append(lambda: f"those({self.clause(kind, env, below)[0]})")
            ways.append(lambda: f"({self.set_(kind, env, below)} + {self.set_(kind, env, below)})")
            ways.append(lambda: f"({self.set_(kind, env, below)} - {self.set_(kind, env, below)})")
            ways.append(lambda: f"({self.thing(kind, env, 0)}, {self.thing(kind, env, 0)})")
            ways.append(lambda: self.ranked(kind, env, below))
            ways.append(lambda: self.mapped(kind, env, below))
            each = [z for z in zones if z.each and z.seen == "all" and z.order != "bag"]
            if each:
                ways.append(lambda: self.of_all(self.pick(each), env))
            rows = [z for z in zones if self.known_order(z)]
            if rows:
                ways.append(lambda: self.stretch(self.pick(rows), env, below))
            if kind == self.box.space and kind:
                if self.box.shape != "spaces":
                    ways.append(lambda: f"neighbours({self.thing(kind, env, below)})")
                    ways.append(lambda: self.reach(kind, env, below))
                if self.box.shape in ("path", "loop"):
                    ways.append(lambda: f"ahead({self.thing(kind, env, below)})")
                elif self.box.shape in ("grid", "hex"):
                    ways.append(
                        lambda: (
                            f"ray({self.thing(kind, env, below)},"
                            f" {self.thing('direction', env, 0)})"
                        )
                    )
                elif self.box.shape == "roads":
                    ways.append(lambda: f"exits({self.thing(kind, env, below)})")
        return self.first_that_can(ways) if ways else self.none_there()

    def of_all(self, zone: Holder, env: Env) -> str:
        """What lies in the zones of many."""
        return f"{self.set_(zone.each, env, 0)}.{zone.name}"

    def clause(self, kind: str, env: Env, d: int) -> tuple[str, str, Env]:
        """``x in S if C``; the name; with the name bound."""
        base = self.set_(kind, env, d)
        x = self.new()
        inner = env.bind(x, kind)
        text = f"{x} in {base}"
        if d > 0 and self.chance(2):
            text += f" if {self.flag(inner, d - 1)}"
        return text, x, inner

    def ranked(self, kind: str, env: Env, d: int) -> str:
        """Those for which a number is greatest or least."""
        text, _, inner = self.clause(kind, env, d)
        return f"{self.pick(('highest', 'lowest'))}({self.num(inner, d)} for {text})"

    def mapped(self, kind: str, env: Env, d: int) -> str:
        """A set worked out from another."""
        source = self.pick(["player", *self.box.kinds, *self.box.pieces])
        text, x, inner = self.clause(source, env, d)
        goal = self.first_that_can(
            [lambda: self.thing(kind, inner, d), lambda: self.set_(kind, inner, 0)]
        )
        if x not in goal:
            raise NoWayError
        return f"those({goal} for {text})"

    def stretch(self, zone: Holder, env: Env, d: int) -> str:
        """The first of a row, as long as something holds."""
        x = self.new()
        return f"stretch({x} in {self.whose(zone, env, d)} if {self.flag(env.bind(x, zone.of), d)})"

    def reach(self, kind: str, env: Env, d: int) -> str:
        """A closure over neighbours."""
        text, _, _ = self.clause(kind, env, d)
        x, y = text.split()[0], self.new()
        inner = env.bind(x, kind).bind(y, kind)
        return f"reach({text}, {y} in neighbours({x}) if {self.flag(inner, d)})"
