"""Small random games in the language, as files that `load` accepts.

Takes a source of chance (Hypothesis, or a generator for long hunts); gives the text of a game. What
a file holds is drawn first, then its rules over it. A file that is refused is a fault of this
module, or of the checker.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from hypothesis import strategies as st
from random_acts import Lines, Place, Rule, indented
from random_box import BoxMaker
from random_things import Env, NoWayError


@dataclass
class Generator:
    """Chance from Python's generator."""

    r: random.Random

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return self.r.randrange(n)


@dataclass
class Drawn:
    """Chance from Hypothesis."""

    draw: st.DrawFn

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return self.draw(st.integers(0, n - 1))


class Maker(BoxMaker):
    """Makes one file."""

    def text(self) -> str:
        """The whole file."""
        for part in (self.options, self.map, self.places, self.pieces, self.counters, self.marks):
            part()
        self.rules()
        self.flow()
        self.result()
        head = [
            "game: drawn",
            "title: {en: Drawn}",
            "source: drawn by chance",
            f"players: {self.box.low}..{self.box.high}"
            if self.box.low < self.box.high
            else f"players: {self.box.low}",
        ]
        lines = [*head]
        for name, body in self.sections.items():
            if body:
                lines += [f"{name}:", *indented(body)]
        return "\n".join(lines) + "\n"

    # ------------------------------------------------------------------ rules

    def rules(self) -> None:
        """Values, then actions and rules, then hooks and what else changes them."""
        many = self.dice.below(4)
        for k in range(many):
            self.rule_of_value(k)
        self.box.values.sort()
        for k in range(1 + self.dice.below(3)):
            params = [("me", "player")] * (not self.w.chance(3))
            params += [("n", "num")] * self.w.chance(3)
            depth = 1 + self.dice.below(3) if k == 0 or self.w.chance(3) else 0
            self.book.rules.append(Rule(f"rule{k}", tuple(params), depth))
        actions = 1 + self.dice.below(3)
        for k in range(actions):
            more = (("n", "num"),) if self.w.chance(6) else ()
            leaf = k == 0 or self.w.chance(2)
            several = self.w.chance(3)
            action = Rule(f"act{k}", (("me", "player"), *more), leaf=leaf, several=several)
            action = replace(action, choices=1 + self.dice.below(2))
            self.book.actions.append(replace(action, sure=k == 0 and not self.w.chance(3)))
        self.box.actions += [(a.name, tuple(k for _, k in a.params)) for a in self.book.actions]
        self.box.frames += [r.name for r in self.book.rules]
        for k, rule in enumerate(self.book.rules):
            self.rule(k, rule)
        for action in self.book.actions:
            self.action(action)
        for k in range(self.dice.below(4)):
            try:
                self.hook(k)
            except NoWayError:
                continue

    def rule_of_value(self, k: int) -> None:
        """A value and perhaps what modifies it. It may use those after it."""
        params = (("me", "player"),) if self.w.chance(2) else ()
        kind = self.w.pick(("num", "flag"))
        env = Env(params, open=True)
        self.box.values, others = [], self.box.values
        body = self.w.num(env, 2) if kind == "num" else self.w.flag(env, 2)
        lines = [f"{head(f'value{k}', params)}:", *written("is", body)]
        if kind == "num" and self.w.chance(3):
            lines += ["  at most: 12"]
        self.put("rules", *lines)
        if kind == "num" and self.w.chance(2):
            lines = [f"other{k}:", f"  modify: {head(f'value{k}', params)}"]
            lines += written("if", self.w.flag(env, 1))
            way = self.w.pick(("add", "times", "becomes", "at least"))
            self.put("rules", *lines, *written(way, self.w.num(env, 1)))
        self.box.values = [*others, (f"value{k}", tuple(k for _, k in params), kind)]

    def rule(self, k: int, rule: Rule) -> None:
        """A rule with its body."""
        env = Env(rule.params, can=True)
        lines = [f"{head(rule.name, rule.params)}:"]
        if rule.depth:
            lines.append(f"  depth: {rule.depth}")
        if self.w.chance(3):
            kind = self.w.any_kind()
            try:
                lines += ["  with:", f"    here: {self.w.maybe(kind, env, 1)}"]
                env = env.bind("here", kind)
            except NoWayError:
                pass
        if self.w.chance(3):
            lines += written("if", self.w.flag(env, 2))
        stops = ("game", rule.name)
        place = Place(at=k + 1, deep=rule.depth > 0, stops=stops)
        self.put("rules", *lines, "  do: |", *indented(indented(self.acts.block(env, place, 3))))

    def action(self, action: Rule) -> None:
        """An action: choices, needs, costs, and what it does."""
        env = Env(action.params, can=True)
        sight = replace(env, open=True)
        lines = [f"{head(action.name, action.params)}:"]
        first = self.book.actions[0]
        alike = action is not first and action.params == first.params
        plain = action.leaf and not action.several and action.choices == 1
        if alike and plain and self.w.chance(4):
            lines.append(f"  counts as: {head(first.name, first.params)}")
        if action.sure and not action.several:
            lines.append(f"  choose: {{x0: in 1..{1 + self.dice.below(4)}}}")
            env = env.bind("x0", "num")
        elif not action.sure:
            lines, env = self.chosen(action, lines, sight)
        elif action.several and self.box.kinds and self.w.chance(2):
            kind = self.w.pick(list(self.box.kinds))
            lines.append(f"  choose: {{x0: up to 2 in {kind}s}}")
            env = env.bind("x0", f"set {kind}")
        place = Place(at=1, quiet=action.leaf, stops=("game", "turn"))
        body = self.acts.block(replace(env, open=False), place, 2)
        self.put("rules", *lines, "  do: |", *indented(indented(body)))

    def chosen(self, action: Rule, lines: Lines, env: Env) -> tuple[Lines, Env]:
        """What is picked, needed and paid."""
        choices: Lines = []
        for k in range(action.choices):
            kind = self.w.any_kind()
            try:
                base = self.w.set_(kind, env, 1)
                inner = env.bind(f"x{k}", kind)
                amount = ""
                if action.several and self.w.chance(2):
                    amount = self.w.pick(("up to 2 ", "2 ", "1..2 "))
                test = f" if {self.w.flag(inner, 1)}" if self.w.chance(2) else ""
                choices += written(f"x{k}", f"{amount}in {base}{test}")
                env = env.bind(f"x{k}", f"set {kind}") if amount else inner
            except NoWayError:
                continue
        if choices:
            lines += ["  choose:", *indented(choices)]
        if self.w.chance(2) or not choices:
            lines += ["  needs:", *indented(written("fit", self.w.flag(env, 2)))]
        if self.w.chance(2):
            lines += ["  costs:", *indented(self.price(action, env))]
        return lines, env

    def price(self, action: Rule, env: Env) -> Lines:
        """What is paid."""
        box = self.box
        mine = [
            z
            for z in box.zones
            if z.each == "player" and z.seen != "nobody" and z.order != "bag" and not z.holds
        ]
        ways = ["1 me.vp", f"{1 + self.dice.below(2)} me.calm to rival_of(me).calm"]
        ways = ways[:1]
        ways += ["1 me.calm" for c in box.counters if c.name == "calm" and c.seen != "nobody"]
        if action.leaf:
            ways = ways[1:] or ways
        if mine and action.several and not action.leaf:
            zone = self.w.pick(mine)
            x = self.w.new()
            ways.append(f"{1 + self.dice.below(2)} {x} in me.{zone.name}")
            if self.w.chance(2):
                self.put(
                    "rules",
                    f"other_{action.name}:",
                    f"  replace: 1 of {head(action.name, action.params)}.price",
                )
                self.put("rules", f"  by: 1 me.{self.w.pick(('vp', 'calm'))}")
                return [f"  price: {ways[-1]}"]
        if len(ways) > 1 and self.w.chance(3):
            return ["  price:", *(f"    - {way}" for way in ways)]
        return [f"  price: {self.w.pick(ways)}"]

    def hook(self, k: int) -> None:
        """A hook, a forbid, a replacement."""
        deep = [r for r in self.book.rules if r.depth]
        moments: list[tuple[str, tuple[tuple[str, str], ...]]] = []
        moments += [
            (head(r.name, r.params), r.params) for r in (*self.book.rules, *self.book.actions)
        ]
        moments.append(("turn(me)", (("me", "player"),)))
        for counter in self.box.counters:
            if counter.hooked and counter.each in ("player", ""):
                params = (("me", "player"), ("n", "num"))[not counter.each :]
                moments.append((head(f"gain {counter.name}", params), params))
                moments.append((head(f"lose {counter.name}", params), params))
        for zone in self.box.zones:
            if zone.each in ("player", ""):
                params = (("me", "player"), (zone.of, zone.of))[not zone.each :]
                moments.append((head(f"enter {zone.name}", params), params))
                moments.append((head(f"leave {zone.name}", params), params))
        what, params = self.w.pick(moments)
        when = self.w.pick(("after", "before", "instead of"))
        env = Env(params, can=True)
        lines = [f"hook{k}:", f"  when: {when} {what}"]
        if when == "instead of":
            later = [f"hook{j}" for j in range(k)]
            if self.w.chance(3) or "gain vp" in what:
                lines += ["  over: chosen by first(players)"]
            else:
                lines += [f"  over: [{', '.join(later)}]"] * bool(later)
        if self.w.chance(2):
            lines += written("if", self.w.flag(env, 2))
        if deep and self.w.chance(2):
            rule = self.w.pick(deep)
            body = [
                f"{rule.name}({', '.join(self.w.argument(of, env, 1) for _, of in rule.params)})"
            ]
        else:
            body = self.acts.block(env, Place(quiet=True), 1)
        if when == "instead of" and self.w.chance(2):
            body.append("do base")
        self.put("rules", *lines, "  do: |", *indented(indented(body)))
        if self.w.chance(3):
            action = self.w.pick(self.book.actions)
            if not action.sure:
                test = written("if", self.w.flag(Env(action.params, open=True), 1))
                forbid = f"  forbid: {head(action.name, action.params)}"
                self.put("rules", f"forbid{k}:", forbid, *test)

    # ------------------------------------------------------------------ the flow

    def flow(self) -> None:
        """Steps: perhaps a set-up, then rounds of turns, perhaps a phase of all at once."""
        stops = ("game", "turn")
        env = Env((("me", "player"),), can=True)
        times = 1 + self.dice.below(6)
        steps = ["turns"]
        if self.w.chance(2):
            steps.insert(0, "set_up")
            body = self.acts.block(Env(), Place(setup=True, stops=("game",)), 2)
            self.put("flow", "set_up:", "  do: |", *indented(indented(body)))
        inner = ["turn"]
        both = self.acts.simultaneous(Place())
        if both and self.w.chance(2):
            action = self.w.pick(both)
            inner.append("phase")
            if action.sure:
                do = f"me in players, do: me {self.w.pick(('must', 'may'))} {action.name}"
            elif action.choices == 1:
                do = f"me in players, do: me may {action.name}"
            else:
                do = f"me in players if me can {action.name}, do: me must {action.name}"
            self.put("flow", f"phase: {{together: {do}}}")
        self.put("flow", f"game: {{steps: [{', '.join(steps)}]}}")
        self.put("flow", f"turns: {{repeat: round, times: {times}}}")
        self.put("flow", f"round: {{steps: [{', '.join(inner)}]}}")
        order = self.w.pick(("", f" from {self.w.thing('player', Env(), 2)}"))
        lines = ["turn:", f"  each: me in players{order}"]
        if order and self.w.chance(2):
            lines.append("  order: live")
        if self.w.chance(3):
            lines += written("if", self.w.flag(env, 2))
        body = [*self.first_question(env), *self.acts.block(env, Place(stops=stops), 3)]
        body = [line for k, line in enumerate(body) if line != "nothing" or k]
        self.put("flow", *lines, "  do: |", *indented(indented(body or ["nothing"])))

    def first_question(self, env: Env) -> Lines:
        """Every turn asks something."""
        try:
            return self.acts.ask(env, Place(), 0)
        except NoWayError:
            return []

    def result(self) -> None:
        """Who wins; and perhaps something that should always hold, and does not."""
        if self.w.chance(6):
            when = self.w.pick(("before turn", "after turn", f"before {self.book.rules[0].name}"))
            holds = self.w.flag(Env(can=True), 2)
            self.put("invariants", "so:", *written("holds", holds), f"  checked: {when}")
        self.put("result", self.w.pick(("most: [vp]", "least: [vp, calm]", "by: stop game")))
        if self.box.low == 1 and self.w.chance(2):
            self.put("result", "solo: {needs: any(me in players if me.vp > 0)}")


def head(name: str, params: tuple[tuple[str, str], ...]) -> str:
    """A name with its parameters."""
    return f"{name}({', '.join(p for p, _ in params)})" if params else name


def written(key: str, text: str) -> Lines:
    """A key with a piece of the language."""
    return [f"  {key}: |", f"    {text}"]


def random_file(seed: int) -> str:
    """One file, always the same for a seed."""
    return Maker(Generator(random.Random(seed))).text()


@st.composite
def files(draw: st.DrawFn) -> str:
    """Files of the language, the plain ones first."""
    return Maker(Drawn(draw)).text()
