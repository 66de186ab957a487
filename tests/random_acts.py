"""Random effects of the language: blocks of statements that the checker accepts.

Takes words and what rules there are; gives lines. What a block may call is settled by its place in
the file, so that every circle of rules goes through one with a `depth`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from random_things import Env, Holder, NoWayError
from random_words import Words

Lines = list[str]


@dataclass(frozen=True)
class Rule:
    """Something that can be called, or offered: its name, parameters and place in the order."""

    name: str
    params: tuple[tuple[str, str], ...]
    depth: int = 0
    leaf: bool = False
    """An action that calls nothing."""
    several: bool = False
    """Whether it makes choices of several, which nobody makes at once with others."""
    choices: int = 1
    """How many choices it has at most."""
    sure: bool = False
    """Whether it can always be done."""


@dataclass(frozen=True)
class Place:
    """Where a block stands: what it may call and stop."""

    at: int = 0
    deep: bool = False
    """Inside a rule with a `depth`: it may call everything."""
    quiet: bool = False
    """Only what no hook looks at."""
    stops: tuple[str, ...] = ()
    setup: bool = False


@dataclass
class Book:
    """The rules and actions there are."""

    rules: list[Rule] = field(default_factory=list)
    actions: list[Rule] = field(default_factory=list)

    def callable(self, place: Place) -> list[Rule]:
        """What may be called."""
        if place.quiet:
            return []
        return [r for k, r in enumerate(self.rules) if place.deep or r.depth or k >= place.at]

    def offered(self, place: Place) -> list[Rule]:
        """Which actions may be offered."""
        if place.quiet:
            return []
        return [a for a in self.actions if place.deep or a.leaf or place.at == 0]


class Acts:
    """Makes effects."""

    def __init__(self, words: Words, book: Book) -> None:
        self.w, self.book, self.box = words, book, words.box

    def block(self, env: Env, place: Place, d: int) -> Lines:
        """Some statements; what one binds the next ones know."""
        lines: Lines = []
        for _ in range(1 + self.w.dice.below(3)):
            try:
                more, env = self.statement(env, place, d)
            except NoWayError:
                continue
            lines += more
            if more and more[-1].startswith("stop"):
                break
        return lines or ["nothing"]

    def statement(self, env: Env, place: Place, d: int) -> tuple[Lines, Env]:
        """One statement, and the names after it."""
        plain: list[Callable[[], Lines]] = [
            lambda: self.count(env, place, d),
            lambda: self.mark(env, place, d),
            lambda: self.move(env, place, d),
            lambda: self.draw(env, place, d),
            lambda: self.pay(env, place, d),
            lambda: self.odd(env, d),
            lambda: self.swap(env, place, d),
        ]
        if not place.quiet:
            plain += [
                lambda: self.call(env, place, d),
                lambda: self.ask(env, place, d),
                lambda: self.code(env, d),
            ]
        if d > 0:
            plain += [
                lambda: self.if_(env, place, d),
                lambda: self.loop(env, place, d),
                lambda: self.again(env, place, d),
            ]
        if place.stops and self.w.chance(8):
            plain = [lambda: self.stop(env, place, d)]
        if not place.quiet and self.w.chance(40):
            plain = [lambda: [f"eliminate {self.w.thing('player', env, 1)}"]]
        if not place.quiet and self.w.chance(25):
            plain = [lambda: self.together(env, place)]
        binding: list[Callable[[], tuple[Lines, Env]]] = [
            lambda: (self.w.first_that_can(plain), env)
        ]
        binding += [lambda: (self.w.first_that_can(plain), env)] * 5
        binding.append(lambda: self.let(env, d))
        binding.append(lambda: self.roll(env, d))
        if not place.quiet:
            binding.append(lambda: self.choose(env, place, d))
        return self.w.first_that_can(binding)

    # ------------------------------------------------------------------ plain ones

    def path(self, holder: Holder, env: Env, d: int) -> str:
        """A counter or mark with its dot."""
        found = self.w.number_of(holder, replace(env, open=False), d)
        if found.startswith("("):  # what is changed is named without brackets around it
            raise NoWayError
        return found

    def free(self, holders: list[Holder], place: Place) -> Holder:
        """One that may be changed here."""
        return self.w.pick([h for h in holders if not (place.quiet and h.hooked)])

    def count(self, env: Env, place: Place, d: int) -> Lines:
        """A gain or a loss."""
        counter = self.free(self.box.counters, place)
        number = self.w.num(env, d)
        amount = self.w.pick((str(1 + self.w.dice.below(3)), f"max({number}, 1)", f"({number})"))
        return [f"{self.w.pick(('gain', 'lose'))} {amount} {self.path(counter, env, d)}"]

    def pay(self, env: Env, place: Place, d: int) -> Lines:
        """A payment, mostly one that can be made."""
        counter = self.free([c for c in self.box.counters if c.each], place)
        one, n = self.path(counter, env, 0), 1 + self.w.dice.below(2)
        to = self.w.pick(("", f" to {self.path(counter, env, 1)}"))
        guard = f"if {one} >= {n + counter.low} then " if not self.w.chance(6) else ""
        return [f"{guard}pay {n} {one}{to}"]

    def mark(self, env: Env, place: Place, d: int) -> Lines:
        """A mark is set."""
        mark = self.w.pick(self.box.marks)
        return [f"set {self.path(mark, env, d)} to {self.value(mark, env, d)}"]

    def value(self, mark: Holder, env: Env, d: int) -> str:
        """What a mark may hold."""
        of = mark.of
        if of == "num":
            low, high = str(mark.low), str(mark.high)
            safe = f"max({low}, min({high}, {self.w.num(env, d)}))"
            return safe if not self.w.chance(8) else self.w.num(env, d)
        if of == "flag":
            return self.w.first_that_can(
                [
                    lambda: self.w.pick(("true", "false")),
                    lambda: f"({self.w.flag(env, d)})",
                ]
            )
        if of.endswith("?"):
            ways = [lambda: "none", lambda: self.w.maybe(of[:-1], env, d)]
            return self.w.first_that_can([*ways, lambda: self.w.thing(of[:-1], env, d)])
        if of.startswith("set "):
            return self.w.set_(of[4:], env, d)
        return self.w.thing(of, env, d)

    def target(self, kind: str, env: Env, place: Place, d: int) -> tuple[str, Holder | None]:
        """Where pieces may go."""
        zones = [z for z in self.box.zones if z.of == kind and not (place.quiet and z.hooked)]
        if kind in self.box.tied:
            zones = [z for z in zones if z.each == self.box.space]
        elif not zones or self.w.chance(8):
            return "box", None
        zone = self.w.pick(zones)
        return self.w.whose(zone, replace(env, open=False), d), zone

    def move(self, env: Env, place: Place, d: int) -> Lines:
        """Pieces move."""
        kind = self.w.pick(list(self.box.pieces))
        if place.quiet:
            raise NoWayError
        to, zone = self.target(kind, env, place, d)
        end = ""
        if zone is not None and zone.order in ("row", "pile") and self.w.chance(3):
            ends = ("left", "right") if zone.order == "row" else ("top", "bottom")
            end = f" at {self.w.pick((*ends, str(self.w.dice.below(3))))}"
        guard = ""
        if zone is not None and zone.holds.startswith("0.."):
            full = to
            guard = f"if count({full}) < {zone.holds[3:]} then " if not self.w.chance(8) else ""
            x = self.w.new()
            what = f"first({self.w.in_order(kind, env, d)})"
            return [f"for {x} in {what}", f"  {guard}move {x} to {to}{end}"]
        what = self.w.first_that_can(
            [
                lambda: self.w.thing(kind, env, d),
                lambda: self.w.set_(kind, env, d),
            ]
        )
        return [f"move {what} to {to}{end}"]

    def draw(self, env: Env, place: Place, d: int) -> Lines:
        """Pieces are drawn."""
        if place.quiet:
            raise NoWayError
        zones = [z for z in self.box.zones if z.order in ("row", "pile", "bag")]
        zone = self.w.pick(zones)
        to, goal = self.target(zone.of, env, place, d)
        if to == "box" or (goal is not None and goal.holds):
            raise NoWayError
        n = self.w.pick((str(1 + self.w.dice.below(3)), self.w.num(env, d)))
        return [f"draw {n} from {self.w.whose(zone, replace(env, open=False), d)} to {to}"]

    def swap(self, env: Env, place: Place, d: int) -> Lines:
        """Two pieces change places."""
        if place.quiet:
            raise NoWayError
        kind = self.w.pick([k for k in self.box.pieces if k not in self.box.tied])
        a, b = self.w.new(), self.w.new()
        one, two = self.w.maybe(kind, env, d), self.w.maybe(kind, env, d)
        return [
            f"for {a} in {one}",
            f"  for {b} in {two} if {a} is not {b}",
            f"    swap {a} with {b}",
        ]

    def odd(self, env: Env, d: int) -> Lines:
        """Shuffles, reveals, flips, throws."""
        rows = [z for z in self.box.zones if z.order in ("row", "pile")]
        ways: list[Callable[[], Lines]] = [lambda: ["nothing"]]
        env = replace(env, open=False)
        if rows:
            ways.append(lambda: [f"shuffle {self.w.whose(self.w.pick(rows), env, d)}"])
        hidden = [z for z in self.box.zones if z.seen != "all" and not z.holds]
        if hidden:
            to = self.w.pick(("", f" to {self.w.thing('player', env, 1)}"))
            ways.append(lambda: [f"reveal {self.w.whose(self.w.pick(hidden), env, d)}{to}"])
        for kind, sides in self.box.sides.items():
            ways.append(
                lambda k=kind, s=sides: [f"flip {self.w.set_(k, env, 0)} to {self.w.pick(s)}"]
            )  # type: ignore[misc]
            ways.append(lambda k=kind: [f"roll {self.w.set_(k, env, d)}"])  # type: ignore[misc]
        return self.w.first_that_can(ways)

    def call(self, env: Env, place: Place, d: int) -> Lines:
        """A rule happens."""
        rule = self.w.pick(self.book.callable(place))
        args = ", ".join(self.w.argument(kind, env, d) for _, kind in rule.params)
        return [f"{rule.name}({args})"]

    def code(self, env: Env, d: int) -> Lines:
        """What is printed on a piece is done."""
        kind = self.w.pick([k for k, _, typed in self.box.fields if typed == "code"])
        x = self.w.new()
        who = self.w.thing("player", env, 0)
        return [f"for {x} in {self.w.set_(kind, env, d)} do {x}.power({who})"]

    def stop(self, env: Env, place: Place, d: int) -> Lines:
        """Something ends."""
        name = self.w.pick(place.stops)
        if name != "game":
            return [f"if {self.w.flag(env, d)} then stop {name}"]
        how = self.w.pick(("", " drawn", " lost", f" won by {self.w.thing('player', env, 1)}"))
        return [f"if {self.w.flag(env, d)} then stop game{how}"]

    # ------------------------------------------------------------------ blocks

    def if_(self, env: Env, place: Place, d: int) -> Lines:
        """One way or the other."""
        lines = [f"if {self.w.flag(env, d)}", *indented(self.block(env, place, d - 1))]
        if self.w.chance(2):
            lines += ["else", *indented(self.block(env, place, d - 1))]
        return lines

    def loop(self, env: Env, place: Place, d: int) -> Lines:
        """A loop over a set or a range."""
        if self.w.chance(5):
            x = self.w.new()
            head, inner = f"for {x} in 0..{1 + self.w.dice.below(4)}", env.bind(x, "num")
        else:
            kind = self.w.any_kind()
            text, _, inner = self.w.clause(kind, env, d)
            head = f"for {text}"
            if kind == "player" and self.w.chance(4):
                head += f" from {self.w.thing('player', env, 1)}"
            elif self.w.chance(6) and not place.quiet and env.names:
                head += f" chosen by {self.w.thing('player', env, 0)}"
        return [head, *indented(self.block(inner, place, d - 1))]

    def again(self, env: Env, place: Place, d: int) -> Lines:
        """So often, or until something holds."""
        n = 1 + self.w.dice.below(3)
        if self.w.chance(3):
            head = f"repeat until {self.w.flag(env, d)} at most {n + 6} times"
        else:
            head = f"repeat {self.w.pick((str(n), f'min(3, {self.w.num(env, 1)})'))} times"
        return [head, *indented(self.block(env, place, d - 1))]

    # ------------------------------------------------------------------ binding ones

    def let(self, env: Env, d: int) -> tuple[Lines, Env]:
        """A name for a value."""
        x, kind = self.w.new(), self.w.any_kind()
        ways: list[tuple[Callable[[], str], str]] = [
            (lambda: self.w.num(env, d), "num"),
            (lambda: self.w.set_(kind, env, d), f"set {kind}"),
            (lambda: self.w.thing(kind, env, d), kind),
            (lambda: self.w.maybe(kind, env, d), f"{kind}?"),
        ]
        make, of = self.w.pick(ways)
        return [f"let {x} = {make()}"], env.bind(x, of)

    def roll(self, env: Env, d: int) -> tuple[Lines, Env]:
        """Chance picks one."""
        x = self.w.new()
        if self.w.chance(2):
            kind = self.w.pick(["player", *self.box.kinds])
            return [f"roll {x} in {self.w.plural(kind)}"], env.bind(x, kind)
        return [f"roll {x} in 1..{2 + self.w.dice.below(4)}"], env.bind(x, "num")

    # ------------------------------------------------------------------ asking

    def offer(self, action: Rule, env: Env) -> str:
        """An action with its arguments."""
        args = ", ".join(self.w.argument(kind, env, 0) for _, kind in action.params[1:])
        return f"{action.name}({args})" if args else action.name

    def ask(self, env: Env, place: Place, d: int) -> Lines:
        """Somebody is asked to do something."""
        actions = self.book.offered(place)
        who = self.w.thing("player", env, d)
        first = self.w.pick(actions)
        many = [first, *[a for a in actions if a is not first and self.w.chance(2)]]
        named = [self.offer(a, env) for a in many]
        what = named[0] if len(named) == 1 else f"one of {', '.join(named)}"
        if self.w.chance(2):
            return [f"{who} may {what}"]
        if any(a.sure for a in many):
            return [f"{who} must {what}"]
        return [f"{who} must {what} else nothing"]

    def choose(self, env: Env, place: Place, d: int) -> tuple[Lines, Env]:
        """Somebody picks."""
        who = self.w.thing("player", env, 0)
        if self.w.chance(4):
            x = self.w.new()
            return [f"{who} chooses {x} in 0..{1 + self.w.dice.below(5)}"], env.bind(x, "num")
        kind = self.w.any_kind()
        sight = Env((*((n, k) for n, k in env.names),), open=True)
        text, _, _ = self.w.clause(kind, sight, d)
        if self.w.chance(3):
            n, them = 1 + self.w.dice.below(2), self.w.new()
            amount = self.w.pick((f"up to {n}", f"{n}", f"{n}..{n + 1}"))
            tail = "" if amount.startswith("up") else " else nothing"
            return [f"{who} chooses {amount} {text} as {them}{tail}"], env.bind(them, f"set {kind}")
        return [f"{who} chooses {text} else nothing"], env.bind(text.split()[0], kind)

    def together(self, env: Env, place: Place) -> Lines:
        """All choose at once."""
        p = self.w.new()
        action = self.w.pick(self.simultaneous(place))
        if action.sure:
            return [f"together {p} in players do {p} must {action.name}"]
        return [f"together {p} in players if {p} can {action.name} do {p} must {action.name}"]

    def simultaneous(self, place: Place) -> list[Rule]:
        """Actions that several may do at once."""
        offered = self.book.offered(place)
        return [a for a in offered if len(a.params) == 1 and not a.several]


def indented(lines: Lines) -> Lines:
    """A block below the line that opens it."""
    return [f"  {line}" for line in lines]
