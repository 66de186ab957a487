"""The verifier: what an engine may rely on without looking.

Takes a Program that is not linked yet; gives its faults as text, none when it is sound. An engine
may do anything at all with a program that has faults.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from interpreter.ir import nodes as n
from interpreter.ir.flow import (
    ROLES,
    TERMINATORS,
    WRITERS,
    Node,
    calls,
    defined,
    operands,
    successors,
)
from interpreter.ir.linker import components, set_words
from interpreter.ir.paths import endless, unassigned
from interpreter.ir.ranges import FULL

MOST_PLAYERS: Final = 64
MOST_CLASSES: Final = 64
"""A plane is kept as a set for each class."""
PURE_ENDS: Final = (n.Jump, n.Branch, n.Switch, n.Return)


def verify(program: n.Program) -> list[str]:
    """The faults of a whole program."""
    out = list(_parts(program))
    if program.main not in program.functions:
        out.append(f"program: no function `{program.main}` to begin with")
    elif program.functions[program.main].params:
        out.append(f"program: `{program.main}` begins the game and takes no parameters")
    for name, function in program.functions.items():
        if name != function.name:
            out.append(f"program: function `{function.name}` is listed as `{name}`")
        out += verify_function(program, function)
    if not out:
        for decision in program.decisions.values():
            out += _decision(program, decision)
        out += _recursion(program)
    return out


def verify_function(program: n.Program, function: n.Function) -> list[str]:
    """The faults of one function, given the rest of its program."""
    out = list(_frame_of(function))
    for k, block in enumerate(function.blocks):
        where = f"{function.name} b{k}"
        if not isinstance(block.end, TERMINATORS):
            out.append(f"{where}: expected a terminator, found {block.end!r}")
            continue
        for to in successors(block.end):
            if not 0 <= to < len(function.blocks):
                out.append(f"{where}: no block b{to}")
        for node in (*block.code, block.end):
            if type(node) not in ROLES or isinstance(node, TERMINATORS) != (node is block.end):
                out.append(f"{where}: `{type(node).__name__}` cannot stand here")
                continue
            out += (f"{where}: {text}" for text in _Check(program, function).node(node))
    if not out:
        out += unassigned(function)
        out += endless(function)
    return out


def return_type(function: n.Function) -> n.RegType | None:
    """What a function answers; none where it answers only constants."""
    for block in function.blocks:
        if isinstance(block.end, n.Return) and isinstance(block.end.a, str):
            return function.types.get(block.end.a)
    return None


def _frame_of(function: n.Function) -> Iterator[str]:
    name = function.name
    if not function.blocks:
        yield f"{name}: no blocks"
    for param in function.params:
        if param not in function.types:
            yield f"{name}: parameter %{param} has no type"
    if len(set(function.params)) != len(function.params):
        yield f"{name}: two parameters have one name"
    for register, kind in function.types.items():
        if kind not in ("i", "s"):
            yield f"{name}: %{register} has the type `{kind}`, expected `i` or `s`"
    if function.pure and (function.begins or function.framed):
        yield f"{name}: a pure function has no frame, and its call is no event"
    if function.player_first:
        if not function.params or function.types.get(function.params[0]) != "i":
            yield f"{name}: the first parameter must be a player"
        elif _assigned(function, function.params[:1]):
            yield f"{name}: %{function.params[0]} names the player and must not change"


def _assigned(function: n.Function, registers: tuple[str, ...]) -> bool:
    return any(
        node is not None and defined(node) in registers
        for block in function.blocks
        for node in (*block.code, block.end)
    )


class _Check:
    """The checks of one node."""

    def __init__(self, program: n.Program, function: n.Function) -> None:
        self.program = program
        self.function = function
        self.bits = 64 * set_words(program)

    def node(self, node: Node) -> Iterator[str]:
        """Operands, names, types, purity."""
        for operand, role in operands(node):
            yield from self.operand(operand, role)
        d = defined(node)
        if d is not None and d not in self.function.types:
            yield f"no register %{d}"
            return
        if isinstance(site := getattr(node, "site", -1), int) and not (
            -1 <= site < len(self.program.sites)
        ):
            yield f"no site {site}"
        if self.function.pure:
            if isinstance(node, WRITERS):
                yield f"a pure function cannot hold `{type(node).__name__}`"
            if isinstance(node, TERMINATORS) and not isinstance(node, PURE_ENDS):
                yield f"a pure function cannot hold `{type(node).__name__}`"
        yield from self.meaning(node)

    def operand(self, operand: n.Operand, role: str) -> Iterator[str]:
        if isinstance(operand, bool) or not isinstance(operand, str | int):
            yield f"{operand!r} is no operand"
        elif isinstance(operand, int):
            if role == "s" and (operand < 0 or operand.bit_length() > self.bits):
                yield f"the constant {operand} is no set of 0 to {self.bits - 1}"
            elif role == "i" and not FULL[0] <= operand <= FULL[1]:
                yield f"the constant {operand} does not fit into 32 bits"
        elif operand not in self.function.types:
            yield f"no register %{operand}"
        elif role in ("i", "s") and self.function.types[operand] != role:
            yield f"%{operand} is {_WORDS[self.function.types[operand]]}, expected {_WORDS[role]}"

    def type(self, operand: n.Operand) -> n.RegType | None:
        """The type of a register; none of a constant."""
        return self.function.types.get(operand) if isinstance(operand, str) else None

    def same(self, want: n.RegType | None, *found: n.Operand) -> Iterator[str]:
        """The operands are of the wanted type, where it is known."""
        for operand in found:
            kind = self.type(operand)
            if want is None:
                want = kind
            elif kind is not None and kind != want:
                yield f"%{operand} is {_WORDS[kind]}, expected {_WORDS[want]}"
            elif kind is None:
                yield from self.operand(operand, want)

    def named(self, home: dict[str, object], name: str, what: str) -> Iterator[str]:
        if name not in home:
            yield f"no {what} `{name}`"

    def meaning(self, node: Node) -> Iterator[str]:
        """What goes beyond operands."""
        p = self.program
        match node:
            case n.Copy(d, a):
                yield from self.same(self.type(d), a)
            case n.Select(d, _, a, b):
                yield from self.same(self.type(d), a, b)
            case n.Bin(d) | n.Not(d) | n.Where(d) | n.Has(d) | n.First(d) | n.Size(d):
                yield from self.same("i", d)
                if isinstance(node, n.Where):
                    yield from self.named({**p.groups}, node.group, "group")
            case n.SetBin(d, op, _, _):
                yield from self.same("i" if op in ("same", "differ", "within") else "s", d)
            case n.Load(d, name, _):
                yield from self.named({**p.fields}, name, "field")
                yield from self.same("i", d)
            case n.Store(name) | n.Gain(name):
                yield from self.named({**p.fields}, name, "field")
            case n.LoadSet(d, name, _):
                yield from self.named({**p.set_fields}, name, "set field")
                yield from self.same("s", d)
            case n.StoreSet(name):
                yield from self.named({**p.set_fields}, name, "set field")
            case n.Lookup(d, name, _):
                yield from self.named({**p.tables}, name, "table")
                if name in p.tables:
                    yield from self.same(p.tables[name].type, d)
            case (
                n.Contents(d, group) | n.Lying(d, group) | n.Front(d, group) | n.Distinct(d, group)
            ):
                yield from self.named({**p.groups}, group, "group")
                yield from self.same("s", d)
            case n.Order(d, group, _, end):
                yield from self.named({**p.groups}, group, "group")
                yield from self.same("i", d)
                if end not in ("least", "most"):
                    yield f"`{end}` is no end of an order"
            case n.Held(d, name, _):
                yield from self.named({**p.planes}, name, "plane")
                yield from self.same("s", d)
            case n.Preimage(d, name, _):
                yield from self.named({**p.tables}, name, "table")
                yield from self.same("s", d)
                if name in p.tables and not self.is_table(name, "i", 1, self.bits):
                    yield f"`{name}` is no table of at most {self.bits} integers"
            case n.Covers(d, name, _, many, _):
                yield from self.named({**p.tables}, name, "table")
                yield from self.same("i", d)
                if name in p.tables and not (many > 0 and self.is_table(name, "s", many)):
                    yield f"`{name}` is no table of {many} sets or more"
            case n.Move(group) | n.Mix(group) | n.Swap(group):
                yield from self.named({**p.groups}, group, "group")
            case n.Shift(d, _, by):
                yield from self.same("s", d)
                if not 0 <= by < self.bits:
                    yield f"a set cannot be shifted by {by}"
            case n.With(d, _, i) | n.Without(d, _, i):
                yield from self.same("s", d)
                if isinstance(node, n.With) and isinstance(i, int) and not -1 <= i < self.bits:
                    yield f"no set has the member {i}"
            case n.Roll(d):
                yield from self.same("i", d)
            case n.CallFn(d, fn, args, _) | n.Enter(d, fn, args, _, _):
                yield from self.call(d, fn, args)
            case n.Within(d, fn, args):
                yield from self.same("i", d)
                yield from self.within(fn, args)
            case n.Return(a):
                yield from self.same(return_type(self.function), a)
            case n.Decide(d, decision, _, args, _, _):
                yield from self.same("i", d)
                yield from self.asked(decision, args)
            case n.Gather(decision):
                yield from self.named({**p.decisions}, decision, "decision")
                if decision in p.decisions:
                    yield from self.gathered(p.decisions[decision])
            case n.StopRule(fn):
                yield from self.named({**p.functions}, fn, "function")
            case n.Check() | n.Emit() | n.Fuel() | n.Jump() | n.Branch() | n.Switch():
                pass
            case n.Leave() | n.End():
                pass
            case _:
                assert_never(node)

    def is_table(self, name: str, kind: n.RegType, low: int, high: int | None = None) -> bool:
        table = self.program.tables[name]
        rows = len(table.rows)
        return table.type == kind and low <= rows and (high is None or rows <= high)

    def call(self, d: str, fn: str, args: tuple[n.Operand, ...]) -> Iterator[str]:
        target = self.program.functions.get(fn)
        if target is None:
            yield f"no function `{fn}`"
            return
        yield from self.arguments(target, args)
        if (kind := return_type(target)) is not None:
            yield from self.same(kind, d)
        if self.function.pure and not target.pure:
            yield f"a pure function cannot call `{fn}`, which is not pure"

    def arguments(self, target: n.Function, args: tuple[n.Operand, ...]) -> Iterator[str]:
        if len(args) != len(target.params):
            yield f"`{target.name}` takes {len(target.params)} arguments, found {len(args)}"
        for param, arg in zip(target.params, args, strict=False):
            yield from self.same(target.types.get(param), arg)

    def within(self, fn: str, args: tuple[n.Operand, ...]) -> Iterator[str]:
        target = self.program.functions.get(fn)
        if target is None:
            yield f"no function `{fn}`"
        elif len(args) > len(target.params):
            yield f"`{fn}` takes {len(target.params)} arguments, found {len(args)}"
        else:
            for param, arg in zip(target.params, args, strict=False):
                yield from self.same(target.types.get(param), arg)
            if _assigned(target, target.params[: len(args)]):
                yield f"`{fn}` is looked for by arguments that it changes"
            if target.pure:
                yield f"`{fn}` is pure and never under way"

    def asked(self, name: str, args: tuple[n.Operand, ...]) -> Iterator[str]:
        decision = self.program.decisions.get(name)
        if decision is None:
            yield f"no decision `{name}`"
            return
        if len(decision.stages) != 1:
            yield f"`{name}` has {len(decision.stages)} stages, expected one"
        elif (options := self.program.functions.get(decision.stages[0].options)) is not None:
            yield from self.arguments(options, args)

    def gathered(self, decision: n.Decision) -> Iterator[str]:
        players = self.program.players
        if len(decision.stages) > 1 and not decision.pending:
            yield f"`{decision.name}` has stages and no field that counts them"
        wanted = [(stage.answers, stage.size - 1) for stage in decision.stages]
        if decision.pending:
            wanted.append((decision.pending, len(decision.stages)))
        for name, high in wanted:
            field = self.program.fields.get(name)
            if field is None:
                yield f"`{decision.name}` keeps answers in `{name}`, which is no field"
            elif field.n != players or field.low > 0 or field.high < high:
                yield f"`{name}` cannot hold a number up to {high} for each of {players} players"
        for k, stage in enumerate(decision.stages):
            options = self.program.functions.get(stage.options)
            if options is not None and (
                len(options.params) != k + 1
                or any(options.types.get(param) != "i" for param in options.params)
            ):
                yield f"`{stage.options}` must take the player and {k} answers"


_WORDS: Final = {"i": "an integer", "s": "a set"}


def _decision(program: n.Program, decision: n.Decision) -> Iterator[str]:
    if not decision.stages:
        yield f"decision {decision.name}: no stages"
    for stage in decision.stages:
        options = program.functions.get(stage.options)
        if options is None:
            yield f"decision {decision.name}: no function `{stage.options}`"
        elif not options.pure:
            yield f"decision {decision.name}: `{stage.options}` is not pure"
        elif return_type(options) == "i":
            yield f"decision {decision.name}: `{stage.options}` must answer a set"
        if stage.size < 1:
            yield f"decision {decision.name}: no candidates"


def _recursion(program: n.Program) -> Iterator[str]:
    """Cycles of calls that no function with a ``depth`` bounds."""
    free = {name for name, f in program.functions.items() if not f.depth}
    graph = {name: set(calls(program.functions[name])) & free for name in free}
    for component in components(graph):
        if len(component) > 1 or component[0] in graph[component[0]]:
            names = ", ".join(f"`{name}`" for name in sorted(component))
            yield f"program: {names} call each other without a depth"


def _parts(program: n.Program) -> Iterator[str]:
    """Fields, tables and groups."""
    if not 1 <= program.players <= MOST_PLAYERS:
        yield f"program: {program.players} players, expected 1 to {MOST_PLAYERS}"
    if program.fuel < 1:
        yield "program: no fuel"
    for name, f in program.fields.items():
        where = f"field {name}"
        if name != f.name or f.n < 0 or len(f.init) != f.n:
            yield f"{where}: expected {f.n} initial values, found {len(f.init)}"
        if not FULL[0] <= f.low <= f.high <= FULL[1] or not FULL[0] <= f.absent <= FULL[1]:
            yield f"{where}: {f.low} to {f.high} (absent {f.absent}) is no range of 32 bits"
        if any(not f.low <= v <= f.high for v in f.init):
            yield f"{where}: an initial value is out of range"
        if f.seen == "owner" and len(f.viewers) != f.n:
            yield f"{where}: expected a viewer for each of {f.n} values"
    for name, g in program.set_fields.items():
        where = f"set field {name}"
        if name != g.name or g.n < 0 or len(g.init) != g.n:
            yield f"{where}: expected {g.n} initial values, found {len(g.init)}"
        if any(v < 0 or v.bit_length() > g.bits for v in g.init):
            yield f"{where}: an initial value is out of range"
    for name, t in program.tables.items():
        values = (*t.rows, t.absent)
        bad = (
            any(v < 0 for v in values)
            if t.type == "s"
            else any(not FULL[0] <= v <= FULL[1] for v in values)
        )
        if name != t.name or bad or t.type not in ("i", "s"):
            yield f"table {name}: a row is out of range"
    for group in program.groups.values():
        yield from _group(program, group)
    for name in (*program.result.most, *program.result.least):
        if name not in program.fields or program.fields[name].n < program.players:
            yield f"result: `{name}` is no field of each player"
    solo = program.result.solo
    if solo and (solo not in program.functions or not program.functions[solo].pure):
        yield f"result: `{solo}` is no pure function"
    for name, plane in program.planes.items():
        group_ = program.groups.get(plane.group)
        zones = len(group_.zones) if group_ is not None else 0
        if name != plane.name or plane.base < 0 or not 0 < plane.n <= zones - plane.base:
            yield f"plane {name}: `{plane.group}` has no such zones"
        elif group_ is not None and len(plane.classes) != group_.n:
            yield f"plane {name}: expected a class for each of {group_.n} pieces"
        elif not 0 < plane.many <= MOST_CLASSES or min(plane.classes) < -1:
            yield f"plane {name}: expected classes from 0 to {MOST_CLASSES - 1}"


def _group(program: n.Program, group: n.Group) -> Iterator[str]:
    where = f"group {group.name}"
    if group.name not in program.groups:
        yield f"{where}: listed under another name"
    if len(group.start) != group.n or len(group.alike) != group.n:
        yield f"{where}: expected a zone and a number for each of {group.n} pieces"
    if not group.zones:
        yield f"{where}: no zones"
    for k, zone in enumerate(group.zones):
        held = group.start.count(k)
        if 0 <= zone.capacity < held:
            yield f"{where}: {held} pieces begin in `{zone.name}`, which holds {zone.capacity}"
        if zone.keeps_gaps and not zone.ordered:
            yield f"{where}: `{zone.name}` keeps gaps and has no order"
    if any(not 0 <= z < len(group.zones) for z in group.start):
        yield f"{where}: a piece begins in no zone"
