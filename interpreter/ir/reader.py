"""Reads the text form of a Program: ``read(show(p)) == p``.

Takes text; gives a Program, or raises ``TextError`` that names the line and what was expected.
The text is our own: what a person writes in a game file is never read here.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields
from typing import Any, Final

from interpreter.ir import nodes as n
from interpreter.ir.flow import ROLES, TERMINATORS, Node
from interpreter.ir.printer import BLOCKS, WORDS

TOKEN: Final = re.compile(r'%?"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+')
KINDS: Final = {text: kind for kind, text in WORDS.items()}


class TextError(ValueError):
    """The text form has a fault; the message begins with the number of the line."""


def read(text: str) -> n.Program:
    """The program that a text form stands for."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        reader.number = number
        reader.rest = TOKEN.findall(line)
        if reader.rest:
            reader.line()
    if reader.program is None:
        raise TextError("line 1: expected `program`, found nothing")
    return reader.program


class _Reader:
    """One line at a time; ``rest`` are the tokens not read yet."""

    def __init__(self) -> None:
        self.number = 0
        self.rest: list[str] = []
        self.program: n.Program | None = None
        self.function: n.Function | None = None
        self.block: n.Block | None = None
        self.group = ""
        self.decision = ""

    def fail(self, text: str) -> TextError:
        return TextError(f"line {self.number}: {text}")

    # ------------------------------------------------------------------ tokens

    def take(self, what: str) -> str:
        if not self.rest:
            raise self.fail(f"expected {what}, found the end of the line")
        return self.rest.pop(0)

    def word(self, what: str = "a name") -> str:
        token = self.take(what)
        if token.startswith('"'):
            text: str = json.loads(token)
            return text
        if token in "()" or token[0] in "%@":
            raise self.fail(f"expected {what}, found `{token}`")
        return token

    def number_(self, what: str = "a number", mark: str = "") -> int:
        token = self.take(what)
        try:
            return int(token.removeprefix(mark))
        except ValueError:
            raise self.fail(f"expected {what}, found `{token}`") from None

    def choice(self, *allowed: str) -> Any:
        token = self.word()
        if token not in allowed:
            raise self.fail(f"expected {' or '.join(allowed)}, found `{token}`")
        return token

    def register(self) -> str:
        token = self.take("a register")
        if not token.startswith("%"):
            raise self.fail(f"expected a register, found `{token}`")
        name: str = json.loads(token[1:]) if token[1:2] == '"' else token[1:]
        return name

    def operand(self) -> n.Operand:
        if self.rest and self.rest[0].startswith("%"):
            return self.register()
        return self.number_("a register or a number")

    def target(self) -> int:
        token = self.take("a block")
        if not re.fullmatch(r"b\d+", token):
            raise self.fail(f"expected a block, found `{token}`")
        return int(token[1:])

    def many(self, item: Any) -> tuple[Any, ...]:
        if self.take("`(`") != "(":
            raise self.fail("expected `(`")
        out: list[Any] = []
        while self.rest and self.rest[0] != ")":
            out.append(item())
        self.take("`)`")
        return tuple(out)

    def done(self) -> None:
        if self.rest:
            raise self.fail(f"expected the end of the line, found `{self.rest[0]}`")

    # ------------------------------------------------------------------ lines

    def line(self) -> None:
        if self.block is not None and self.rest[0] in KINDS:
            self.node(self.take("an instruction"))
            return
        if self.function is not None and re.fullmatch(r"b\d+:", self.rest[0]):
            number = int(self.take("a block")[1:-1])
            if number != len(self.function.blocks):
                raise self.fail(f"expected block b{len(self.function.blocks)}, found b{number}")
            self.block = n.Block()
            self.function.blocks.append(self.block)
            self.done()
            return
        head = self.take("a line")
        if head == "program":
            if self.program is not None:
                raise self.fail("expected one `program`, found another")
            name, players, main = self.word(), self.number_(), self.word()
            self.program = n.Program(name, players, main)
            self.program.fuel, self.program.set_bits = self.number_(), self.number_()
        elif self.program is None:
            raise self.fail(f"expected `program`, found `{head}`")
        else:
            self.part(self.program, head)
        self.done()

    def part(self, p: n.Program, head: str) -> None:
        number, word = self.number_, self.word
        match head:
            case "field":
                f = n.Field(
                    word(), number(), number(), number(), self.many(number), number(),
                    self.choice("all", "owner", "nobody"), self.many(number),
                )  # fmt: skip
                p.fields[f.name] = f
            case "setfield":
                g = n.SetField(
                    word(), number(), number(), self.many(number),
                    self.choice("all", "owner", "nobody"), self.many(number),
                )  # fmt: skip
                p.set_fields[g.name] = g
            case "table":
                t = n.Table(word(), self.choice("i", "s"), self.many(number), number())
                p.tables[t.name] = t
            case "group":
                self.group = word()
                p.groups[self.group] = n.Group(
                    self.group, number(), (), self.many(number), self.many(number),
                    self.many(number),
                )  # fmt: skip
            case "zone" if self.group:
                zone = n.ZoneInstance(
                    word(), number(), bool(number()), bool(number()), number(),
                    self.choice("all", "owner", "nobody"), number(),
                )  # fmt: skip
                old = p.groups[self.group]
                p.groups[self.group] = n.Group(
                    old.name, old.n, (*old.zones, zone), old.start, old.alike, old.viewers
                )
            case "plane":
                plane = n.Plane(word(), word(), number(), number(), self.many(number))
                p.planes[plane.name] = plane
            case "decision":
                self.decision = word()
                p.decisions[self.decision] = n.Decision(self.decision, (), word())
            case "stage" if self.decision:
                d = p.decisions[self.decision]
                stage = n.Stage(word(), number(), word(), word())
                p.decisions[d.name] = n.Decision(d.name, (*d.stages, stage), d.pending)
            case "result":
                p.result = n.Result(bool(number()), self.many(word), self.many(word), word())
            case "site":
                p.sites.append(n.Site(word(), word(), number(), number(), self.many(word)))
            case "function":
                name, params, rule = word(), self.many(self.register), word()
                f_ = n.Function(name, params, {}, [], rule=rule, site=number("a site", "@"))
                f_.depth = number()
                for flag in self.many(word):
                    if flag not in ("pure", "begins", "framed", "player_first"):
                        raise self.fail(f"no property `{flag}` of functions")
                    setattr(f_, flag, True)
                p.functions[name] = self.function = f_
                self.block = None
            case "types" if self.function is not None:
                while self.rest:
                    register = self.register()
                    self.function.types[register] = self.choice("i", "s")
            case _:
                raise self.fail(f"no line begins with `{head}` here")

    def node(self, head: str) -> None:
        kind = KINDS[head]
        roles, blocks = ROLES[kind], BLOCKS.get(kind, ())
        values: dict[str, Any] = {}
        for f in fields(kind):
            role = roles.get(f.name)
            if f.name in blocks:
                many = self.rest[:1] == ["("]
                values[f.name] = self.many(self.target) if many else self.target()
            elif role == "args":
                values[f.name] = self.many(self.operand)
            elif role is not None:
                values[f.name] = self.operand()
            elif f.name == "d":
                values[f.name] = self.register()
            elif f.name == "site":
                if self.rest or f.default is MISSING:
                    values[f.name] = self.number_("a site", "@")
            elif f.type == "int":
                values[f.name] = self.number_()
            elif self.rest or f.default is MISSING:
                values[f.name] = self.word()
        self.done()
        node: Node = kind(**values)
        assert self.block is not None
        if self.block.end is not None:
            raise self.fail(f"expected a new block after its end, found `{head}`")
        if isinstance(node, TERMINATORS):
            self.block.end = node
        else:
            self.block.code.append(node)
