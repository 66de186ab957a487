"""Values for all members of a set at once, as instructions without a loop.

What a step gives for each member x of 0..n-1 is one of

    Same     the same for every x: a register of the function, or a constant
    Row      a constant for each x, known now: tables of x, tables of these
    Flag     a flag, kept as the set of those x for which it is set
    Tree     anything else: the step, on such values

A flag that hangs on a tree is found class by class: members that look alike to the tree (to its
rows) are of one class. `Outer` is a value of the loop around, which is the same for every x here;
where it is no constant, the loop around is cut into classes too (`Split`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from interpreter.ir import nodes as n
from interpreter.ir.flow import COMPARISONS, RESULTS, SET_TESTS
from interpreter.native.folding import fields_of, folded, put_into

MOST_CLASSES: Final = 20
"""Classes of members that are told apart."""
TREES: Final = (
    n.Bin,
    n.SetBin,
    n.Not,
    n.Select,
    n.Load,
    n.LoadSet,
    n.Lookup,
    n.Contents,
    n.Where,
    n.Has,
    n.First,
    n.Size,
)
"""Steps that only look."""


class NotLifted(Exception):  # noqa: N818 - no error: the loop stays as it is
    """There is no way to do this without the loop."""


class Split(Exception):  # noqa: N818 - no error: a question to the loop around
    """A loop around must be cut into classes by one of its rows."""

    def __init__(self, home: Members, row: Row) -> None:
        super().__init__()
        self.home, self.row = home, row


@dataclass(frozen=True, slots=True)
class Same:
    """The same for every member."""

    a: n.Operand


@dataclass(frozen=True, slots=True)
class Row:
    """A constant for each member."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flag:
    """The members for which a flag is set."""

    s: n.Operand


@dataclass(frozen=True, slots=True)
class Tree:
    """A step on such values, not done yet; its ``d`` is empty."""

    node: n.Instruction
    given: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Outer:
    """A value of the loop around."""

    value: Value


Value: TypeAlias = "Same | Row | Flag | Tree | Outer"


@dataclass(slots=True)
class Straight:
    """Steps without jumps; the same step on the same operands is written once."""

    program: n.Program
    types: dict[str, n.RegType]
    stem: str
    code: list[n.Instruction] = field(default_factory=list)
    known: dict[n.Instruction, str] = field(default_factory=dict)

    def step(self, node: n.Instruction, given: Mapping[str, n.Operand]) -> n.Operand:
        """The value of a step."""
        numbers = {k: a for k, a in given.items() if isinstance(a, int)}
        if len(numbers) == len(given):
            constant = folded(node, numbers, self.program)
            if constant is not None:
                return constant
        bare = put_into(node, "", given)
        if bare not in self.known:
            name = f"{self.stem}{len(self.types)}"
            role = RESULTS[type(node)]
            kind: n.RegType = "s" if role == "s" else "i"
            if isinstance(node, n.SetBin):
                kind = "i" if node.op in SET_TESTS else "s"
            elif isinstance(node, n.Lookup):
                kind = self.program.tables[node.table].type
            elif isinstance(node, n.Select | n.Copy):
                kind = "s" if node.d == "s" else "i"
            self.types[name] = kind
            self.known[bare] = name
            self.code.append(put_into(node, name, given))
        return self.known[bare]

    def sets(self, op: n.SetOp, a: n.Operand, b: n.Operand) -> n.Operand:
        """Two sets together."""
        if op == "union" and 0 in (a, b):
            return b if a == 0 else a
        if op == "inter" and 0 in (a, b):
            return 0
        if op == "minus" and b == 0:
            return a
        return self.step(n.SetBin("", op, 0, 0), {"a": a, "b": b})

    def choose(self, c: n.Operand, s: n.Operand) -> n.Operand:
        """A set where c, else nothing."""
        if isinstance(c, int):
            return s if c else 0
        return self.step(n.Select("s", 0, 0, 0), {"c": c, "a": s, "b": 0})


class Members:
    """The members 0..many-1 of one loop; ``outer`` is the loop around, of one class."""

    def __init__(
        self, straight: Straight, many: int, outer: Members | None, fixed: Mapping[Row, int]
    ) -> None:
        self.straight = straight
        self.many = many
        self.everybody = (1 << many) - 1
        self.outer = outer
        self.fixed = fixed

    def row(self, values: tuple[int, ...]) -> Value:
        """Constants, one for each member."""
        return Same(values[0]) if len(set(values)) == 1 else Row(values)

    def step(self, node: n.Instruction, get: Mapping[str, Value]) -> Value:
        """What a step gives; ``get`` has the values of its operands by the name of the field."""
        names = fields_of(node)
        given = {name: get[name] for name in names}
        if isinstance(node, n.Copy):
            return given["a"]
        if type(node) not in TREES and not isinstance(node, n.With | n.Without):
            raise NotLifted
        values = given.values()
        if self.outer is not None and any(isinstance(v, Outer) for v in values):
            if all(isinstance(v, Outer | Same) for v in values):
                bare = {k: v.value if isinstance(v, Outer) else v for k, v in given.items()}
                got = self.outer.step(node, bare)
                return got if isinstance(got, Same) else Outer(got)
            given = {k: self.inside(v) for k, v in given.items()}
            values = given.values()
        if all(isinstance(v, Same) for v in values):
            return Same(self._on_same(node, given))
        if any(isinstance(v, Flag) for v in values):
            return self._on_flags(node, given)
        if all(
            isinstance(v, Row) or (isinstance(v, Same) and isinstance(v.a, int)) for v in values
        ):
            row = self._on_rows(node, given)
            if row is not None:
                return row
        if isinstance(node, n.With | n.Without):
            raise NotLifted
        tree = Tree(put_into(node, "", dict.fromkeys(names, 0)), tuple(given.items()))
        return self._flag(tree) if self._tests(node) else tree

    @staticmethod
    def _tests(node: n.Instruction) -> bool:
        match node:
            case n.Bin(_, op, _, _):
                return op in COMPARISONS
            case n.SetBin(_, op, _, _):
                return op in SET_TESTS
            case n.Not() | n.Has():
                return True
        return False

    # ------------------------------------------------------------------ kinds of operands

    def _on_same(self, node: n.Instruction, given: Mapping[str, Value]) -> n.Operand:
        bare = {k: v.a for k, v in given.items() if isinstance(v, Same)}
        if isinstance(node, n.Select):
            raise NotLifted
        return self.straight.step(node, bare)

    def _on_rows(self, node: n.Instruction, given: Mapping[str, Value]) -> Value | None:
        out = []
        for k in range(self.many):
            here = {}
            for name, v in given.items():
                a = v.values[k] if isinstance(v, Row) else v.a if isinstance(v, Same) else 0
                assert isinstance(a, int)
                here[name] = a
            got = folded(node, here, self.straight.program)
            if got is None:
                return None
            out.append(got)
        return self.row(tuple(out))

    def _on_flags(self, node: n.Instruction, given: Mapping[str, Value]) -> Value:
        match node:
            case n.Not():
                return Flag(self.straight.sets("minus", self.everybody, self.set_of(given["a"])))
            case n.Bin(_, "and" | "or" as op, _, _) if all(
                self._is_flag(v) for v in given.values()
            ):
                how: n.SetOp = "inter" if op == "and" else "union"
                a, b = self.set_of(given["a"]), self.set_of(given["b"])
                return Flag(self.straight.sets(how, a, b))
            case n.Bin(_, "eq" | "ne" as op, _, _):
                for one, other in (("a", "b"), ("b", "a")):
                    if isinstance(given[one], Flag) and given[other] in (Same(0), Same(1)):
                        kept = self.set_of(given[one])
                        if (given[other] == Same(1)) != (op == "eq"):
                            kept = self.straight.sets("minus", self.everybody, kept)
                        return Flag(kept)
        raise NotLifted

    @staticmethod
    def _is_flag(v: Value) -> bool:
        if isinstance(v, Row):
            return set(v.values) <= {0, 1}
        return isinstance(v, Flag) or v in (Same(0), Same(1))

    def merged(self, ways: list[tuple[n.Operand, Value]]) -> Value:
        """One of several flags, each for the members of a set."""
        if not all(self._is_flag(v) for _, v in ways):
            raise NotLifted
        out: n.Operand = 0
        for active, v in ways:
            out = self.straight.sets(
                "union", out, self.straight.sets("inter", active, self.set_of(v))
            )
        return Flag(out)

    # ------------------------------------------------------------------ flags as sets

    def set_of(self, v: Value) -> n.Operand:
        """The members for which a value is not 0."""
        v = self.inside(v)
        match v:
            case Same(a):
                return self.straight.choose(a, self.everybody)
            case Row(values):
                return sum(1 << k for k, x in enumerate(values) if x)
            case Flag(s):
                return s
            case Tree():
                zero = (("a", v), ("b", Same(0)))
                got = self._flag(Tree(n.Bin("", "ne", 0, 0), zero))
                return got.s if isinstance(got, Flag) else self.set_of(got)
            case _:
                raise NotLifted

    def _flag(self, tree: Tree) -> Value:
        """A flag that hangs on a tree."""
        quick = self._at_once(tree)
        if quick is not None:
            return quick
        out: n.Operand = 0
        for fixed, members in self.classes(list(rows_of(tree))):
            out = self.straight.sets(
                "union", out, self.straight.choose(self.fix(tree, fixed), members)
            )
        if isinstance(out, int):
            return self.row(tuple(out >> k & 1 for k in range(self.many)))
        return Flag(out)

    def _at_once(self, tree: Tree) -> Value | None:
        """Whether the member is in a set."""
        given = dict(tree.given)
        match tree.node:
            case n.Has() if given["i"] == Row(tuple(range(self.many))):
                s = given["s"]
                if isinstance(s, Same):
                    return Flag(self.straight.sets("inter", s.a, self.everybody))
            case n.SetBin(_, "differ" | "same" as op, _, _) if given["b"] == Same(0):
                plane = self._plane(given["a"])
                if plane is not None:
                    held = self.straight.step(n.Held("", plane, 0), {"a": 0})
                    some = self.straight.sets("inter", held, self.everybody)
                    if op == "same":
                        some = self.straight.sets("minus", self.everybody, some)
                    return Flag(some)
        return None

    def _plane(self, v: Value) -> str | None:
        """The plane that shows which zones hold anything, from the zone of member 0 on."""
        match v:
            case Tree(n.Contents(_, group, _), ((_, Row(zones)),)):
                for plane in self.straight.program.planes.values():
                    if plane.group != group or plane.n < self.many or set(plane.classes) != {0}:
                        continue
                    if zones == tuple(range(plane.base, plane.base + self.many)):
                        return plane.name
        return None

    def classes(self, rows: list[Row]) -> list[tuple[dict[Row, int], int]]:
        """The classes of members that rows tell apart: what they hold, and the members."""
        kinds: dict[tuple[int, ...], int] = {}
        for k in range(self.many):
            key = tuple(row.values[k] for row in rows)
            kinds[key] = kinds.get(key, 0) | 1 << k
        if len(kinds) > MOST_CLASSES:
            raise NotLifted
        return [(dict(zip(rows, key, strict=True)), members) for key, members in kinds.items()]

    def fix(self, v: Value, fixed: Mapping[Row, int]) -> n.Operand:
        """A value in one class."""
        match v:
            case Same(a):
                return a
            case Row():
                if v not in fixed:
                    raise Split(self, v)
                return fixed[v]
            case Tree(node, given):
                return self.straight.step(node, {k: self.fix(x, fixed) for k, x in given})
            case _:
                raise NotLifted

    def inside(self, v: Value) -> Value:
        """A value of the loop around, in the class that it is in."""
        if not isinstance(v, Outer):
            return v
        if self.outer is None:
            raise NotLifted
        return Same(self.outer.fix(self.outer.inside(v.value), self.fixed))


def rows_of(v: Value) -> Iterator[Row]:
    """The rows that a tree hangs on."""
    match v:
        case Row():
            yield v
        case Tree(_, given):
            seen: set[Row] = set()
            for _, x in given:
                for row in rows_of(x):
                    if row not in seen:
                        seen.add(row)
                        yield row
        case Flag() | Outer():
            raise NotLifted
        case _:
            pass
