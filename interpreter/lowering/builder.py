"""Builds one IR function: fresh registers, straight code, structured control flow.

Takes operands and gives operands; constants are folded where both sides are known, so that what
the file fixes costs nothing in play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

from interpreter.ir import nodes as ir
from interpreter.ir.flow import successors
from interpreter.ir.nodes import Operand, RegType
from interpreter.ir.ranges import wrapped

FOLD: Final[dict[str, Callable[[int, int], int]]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else 0,
    "min": min,
    "max": max,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
    "and": lambda a, b: int(bool(a and b)),
    "or": lambda a, b: int(bool(a or b)),
    "union": lambda a, b: a | b,
    "inter": lambda a, b: a & b,
    "minus": lambda a, b: a & ~b,
    "same": lambda a, b: int(a == b),
    "differ": lambda a, b: int(a != b),
    "within": lambda a, b: int(not a & ~b),
}


class Builder:
    """A function under construction; ``here`` is the block that code is added to."""

    def __init__(self, name: str, params: list[tuple[str, RegType]]) -> None:
        self.name = name
        self.types: dict[str, RegType] = {}
        self.params = tuple(self.register(hint, kind) for hint, kind in params)
        self.blocks = [ir.Block()]
        self.here = 0
        self.labels: dict[str, int] = {}

    # ---- registers and blocks

    def register(self, hint: str, kind: RegType) -> str:
        """A new register, named after what it holds."""
        name, k = hint, 1
        while name in self.types:
            k += 1
            name = f"{hint}.{k}"
        self.types[name] = kind
        return name

    def type_of(self, operand: Operand) -> RegType:
        """The type of a register; a number that is known is an integer."""
        return "i" if isinstance(operand, int) else self.types[operand]

    def label(self, text: str) -> str:
        """The text, made unique in this function by a number where it occurs again."""
        count = self.labels.get(text, 0) + 1
        self.labels[text] = count
        return text if count == 1 else f"{text}~{count}"

    def block(self) -> int:
        """A new empty block."""
        self.blocks.append(ir.Block())
        return len(self.blocks) - 1

    def seek(self, block: int) -> None:
        """Go on adding code at that block."""
        self.here = block

    def add(self, instruction: ir.Instruction) -> None:
        """Add an instruction; after a terminator it is dead and dropped with its block."""
        if self.blocks[self.here].end is not None:
            self.here = self.block()
        self.blocks[self.here].code.append(instruction)

    def end(self, terminator: ir.Terminator) -> None:
        """Close the block, unless it is closed already."""
        if self.blocks[self.here].end is None:
            self.blocks[self.here].end = terminator

    @property
    def open(self) -> bool:
        """Whether code added now can be reached from above."""
        return self.blocks[self.here].end is None

    # ---- values

    def copy(self, hint: str, kind: RegType, a: Operand) -> str:
        """A new register with the value."""
        d = self.register(hint, kind)
        self.add(ir.Copy(d, a))
        return d

    def set(self, d: str, a: Operand) -> None:
        """Give a register another value."""
        self.add(ir.Copy(d, a))

    def bin(self, op: ir.IntOp, a: Operand, b: Operand) -> Operand:
        """a op b on integers."""
        if isinstance(a, int) and isinstance(b, int):
            return wrapped(FOLD[op](a, b))
        if op in ("add", "sub") and b == 0:
            return a
        if op == "and" and (a == 1 or b == 1):
            return b if a == 1 else a
        if op == "or" and (a == 0 or b == 0):
            return b if a == 0 else a
        d = self.register("n", "i")
        self.add(ir.Bin(d, op, a, b))
        return d

    def sets(self, op: ir.SetOp, a: Operand, b: Operand) -> Operand:
        """a op b on sets."""
        if isinstance(a, int) and isinstance(b, int):
            return FOLD[op](a, b)
        if op == "union" and (a == 0 or b == 0):
            return b if a == 0 else a
        if (op == "inter" and (a == 0 or b == 0)) or (op == "minus" and a == 0):
            return 0
        if op == "minus" and b == 0:
            return a
        d = self.register("s", "s" if op in ("union", "inter", "minus") else "i")
        self.add(ir.SetBin(d, op, a, b))
        return d

    def negate(self, a: Operand) -> Operand:
        """Not a."""
        if isinstance(a, int):
            return int(not a)
        d = self.register("not", "i")
        self.add(ir.Not(d, a))
        return d

    def select(self, c: Operand, a: Operand, b: Operand, kind: RegType = "i") -> Operand:
        """a if c else b."""
        if isinstance(c, int):
            return a if c else b
        d = self.register("sel", kind)
        self.add(ir.Select(d, c, a, b))
        return d

    def load(self, field: str, i: Operand) -> str:
        """field[i]."""
        d = self.register(field.rpartition(".")[2], "i")
        self.add(ir.Load(d, field, i))
        return d

    def load_set(self, field: str, i: Operand) -> str:
        """The set field[i]."""
        d = self.register(field.rpartition(".")[2], "s")
        self.add(ir.LoadSet(d, field, i))
        return d

    def lookup(self, table: ir.Table, i: Operand) -> Operand:
        """table[i]."""
        if isinstance(i, int):
            return table.rows[i] if 0 <= i < len(table.rows) else table.absent
        if len(set(table.rows)) == 1 and table.absent == table.rows[0]:
            return table.rows[0]
        d = self.register(table.name.rpartition(".")[2], table.type)
        self.add(ir.Lookup(d, table.name, i))
        return d

    def contents(self, group: str, z: Operand) -> str:
        """The pieces in a zone."""
        d = self.register(group + "s", "s")
        self.add(ir.Contents(d, group, z))
        return d

    def where(self, group: str, p: Operand) -> str:
        """The zone of a piece."""
        d = self.register("zone", "i")
        self.add(ir.Where(d, group, p))
        return d

    def has(self, s: Operand, i: Operand) -> Operand:
        """Whether i is in s."""
        if isinstance(s, int) and isinstance(i, int):
            return int(i >= 0 and s >> i & 1)
        d = self.register("has", "i")
        self.add(ir.Has(d, s, i))
        return d

    def including(self, s: Operand, i: Operand) -> Operand:
        """s with i."""
        if isinstance(s, int) and isinstance(i, int) and i >= 0:
            return s | 1 << i
        d = self.register("s", "s")
        self.add(ir.With(d, s, i))
        return d

    def one(self, i: Operand) -> Operand:
        """The set of i alone; none gives the empty set."""
        if isinstance(i, int):
            return 1 << i if i >= 0 else 0
        d = self.register("s", "s")
        with self.if_else(self.bin("lt", i, 0)) as other:
            self.set(d, 0)
            other()
            self.add(ir.With(d, 0, i))
        return d

    def shift(self, s: Operand, by: int) -> Operand:
        """Each member + by."""
        if by == 0:
            return s
        if isinstance(s, int):
            return s << by
        d = self.register("s", "s")
        self.add(ir.Shift(d, s, by))
        return d

    def first(self, s: Operand) -> Operand:
        """The smallest member, or -1."""
        if isinstance(s, int):
            return (s & -s).bit_length() - 1
        d = self.register("first", "i")
        self.add(ir.First(d, s))
        return d

    def size(self, s: Operand) -> Operand:
        """How many members."""
        if isinstance(s, int):
            return s.bit_count()
        d = self.register("size", "i")
        self.add(ir.Size(d, s))
        return d

    def order(self, group: str, s: Operand, end: Literal["least", "most"]) -> str:
        """The member at the left or right end."""
        d = self.register(group, "i")
        self.add(ir.Order(d, group, s, end))
        return d

    def call(self, fn: str, args: tuple[Operand, ...], kind: RegType = "i") -> str:
        """The answer of another function."""
        d = self.register("r", kind)
        self.add(ir.CallFn(d, fn, args, self.label(fn)))
        return d

    # ---- control

    @contextmanager
    def if_(self, c: Operand) -> Iterator[None]:
        """What is inside happens where c is not 0."""
        if isinstance(c, int):
            if c:
                yield
                return
            skip, join = self.block(), self.block()
            self.end(ir.Jump(join))
            self.seek(skip)
            yield
            self.end(ir.Jump(join))
            self.seek(join)
            return
        yes, join = self.block(), self.block()
        self.end(ir.Branch(c, yes, join))
        self.seek(yes)
        yield
        self.end(ir.Jump(join))
        self.seek(join)

    @contextmanager
    def if_else(self, c: Operand) -> Iterator[Callable[[], None]]:
        """Two ways; calling what is yielded turns to the other one."""
        yes, no, join = self.block(), self.block(), self.block()
        self.end(ir.Branch(c, yes, no) if not isinstance(c, int) else ir.Jump(yes if c else no))
        self.seek(yes)

        def other() -> None:
            self.end(ir.Jump(join))
            self.seek(no)

        yield other
        self.end(ir.Jump(join))
        self.seek(join)

    @contextmanager
    def members(self, s: Operand, hint: str) -> Iterator[tuple[str, int]]:
        """For each member in rising order, fixed on entry; yields it and the block to jump to for
        leaving early."""
        left = self.copy("left", "s", s)
        head, body, done = self.block(), self.block(), self.block()
        self.end(ir.Jump(head))
        self.seek(head)
        k = self.register(hint, "i")
        self.add(ir.First(k, left))
        self.end(ir.Branch(self.bin("lt", k, 0), done, body))
        self.seek(body)
        self.add(ir.Without(left, left, k))
        yield k, done
        self.end(ir.Jump(head))
        self.seek(done)

    @contextmanager
    def counting(self, low: Operand, high: Operand, hint: str) -> Iterator[tuple[str, int]]:
        """For each number from low to high, both included."""
        k = self.copy(hint, "i", low)
        end = self.copy("end", "i", high)
        head, body, done = self.block(), self.block(), self.block()
        self.end(ir.Jump(head))
        self.seek(head)
        self.add(ir.Fuel())
        self.end(ir.Branch(self.bin("le", k, end), body, done))
        self.seek(body)
        yield k, done
        self.add(ir.Bin(k, "add", k, 1))
        self.end(ir.Jump(head))
        self.seek(done)

    @contextmanager
    def forever(self) -> Iterator[int]:
        """Again and again; yields the block to jump to for leaving."""
        head, done = self.block(), self.block()
        self.end(ir.Jump(head))
        self.seek(head)
        self.add(ir.Fuel())
        yield done
        self.end(ir.Jump(head))
        self.seek(done)

    # ---- the end

    def function(self, **attributes: object) -> ir.Function:
        """The finished function: closed with ``return 0``, without what nothing reaches."""
        self.end(ir.Return(0))
        for block in self.blocks:
            if block.end is None:
                block.end = ir.Return(0)
        order = _reached(self.blocks)
        number = {old: new for new, old in enumerate(order)}
        blocks = [
            ir.Block(self.blocks[k].code, _renumbered(self.blocks[k].end, number)) for k in order
        ]
        return ir.Function(self.name, self.params, self.types, blocks, **attributes)  # type: ignore[arg-type]  # attributes are Function's own


def _reached(blocks: list[ir.Block]) -> list[int]:
    seen, todo = {0}, [0]
    while todo:
        for to in successors(blocks[todo.pop()].end):
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return sorted(seen)


def _renumbered(end: ir.Terminator | None, number: dict[int, int]) -> ir.Terminator | None:
    from dataclasses import replace

    match end:
        case ir.Jump(to):
            return ir.Jump(number[to])
        case ir.Branch(c, a, b):
            return ir.Branch(c, number[a], number[b])
        case ir.Switch(a, to_, other):
            return ir.Switch(a, tuple(number[k] for k in to_), number[other])
        case ir.Decide() | ir.Gather() | ir.Enter() | ir.Leave():
            return replace(end, to=number[end.to])
        case _:
            return end
