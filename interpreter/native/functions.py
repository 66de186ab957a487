"""A function of the program as an LLVM function.

Takes a linked function; gives its text. A plain one takes its arguments and returns its value. A
framed one takes its frame, the point to go on at and what came back, and returns how it stopped
(see `context`), with an integer that it answers in the upper half. It calls other framed functions
itself, and goes on when they return; if they stop it stops too, for its frame holds all it needs
to be taken up again (see `running`). Registers are variables on the machine's stack; LLVM
keeps them in real registers.
"""

from __future__ import annotations

from typing import assert_never

from interpreter.ir import nodes as n
from interpreter.ir.flow import reachable
from interpreter.ir.layout import ACTOR, PENDING, STATUS, TOP, WAITING
from interpreter.ir.linker import Point
from interpreter.native import context
from interpreter.native.filters import filtered
from interpreter.native.gathering import gathered
from interpreter.native.hoisting import hoisted
from interpreter.native.instructions import Instructions
from interpreter.native.lifting import lifted
from interpreter.native.module import Module


def function_text(module: Module, name: str, attributes: str) -> str:
    """The whole LLVM function."""
    function = hoisted(module.linked, module.program.functions[name])
    function = gathered(module.linked, function)
    function = lifted(module.linked, function)
    function = filtered(module.linked, function)
    return _Writer(module, function, attributes).text()


class _Writer(Instructions):
    def __init__(self, module: Module, function: n.Function, attributes: str) -> None:
        super().__init__(module, function)
        self.attributes = attributes
        self.frame = module.linked.frames[function.name] if function.framed else None
        self.points = {
            id(p.end): p
            for p in module.linked.points
            if p is not None and p.function == function.name and p.end is not None
        }
        self.answer = module.answers[function.name]
        self.leavable = not function.framed and module.leavable(function.name)
        self.counted = function.name in module.depths

    def text(self) -> str:
        """Head, registers, blocks, the way out."""
        module, f = self.module, self.function
        if self.frame is None:
            args = "".join(f", {module.type(f.types[p])} %a{k}" for k, p in enumerate(f.params))
            type_ = module.type(self.answer)
        else:
            args, type_ = ", i32 %fp, i32 %point, i32 %rv", "i64"
        self.lines.append(
            f"define internal {type_} {module.fn(f.name)}"
            f"(ptr noalias %S, ptr noalias %C{args}) {self.attributes} nounwind {{"
        )
        self.label("entry")
        for name, kind in f.types.items():
            self.put(f"{self.registers[name]} = alloca {module.type(kind)}")
        if self.frame is None:
            self._begin()
        else:
            self._resume()
        for k in sorted(reachable(f)):
            self.label(f"b{k}")
            self.intervals = self.ranges.inside(k)
            for node in f.blocks[k].code:
                self.instruction(node)
            end = f.blocks[k].end
            assert end is not None
            self._end(end)
        if self.leaves:
            self.label("leave")
            if self.frame is None:
                self._finish("0")
            else:
                self.put(f"ret i64 {context.UNWINDS}")
        self.lines.append("}")
        return "\n".join(self.lines)

    # ------------------------------------------------------------------ plain functions

    def _begin(self) -> None:
        f = self.function
        if self.leavable:
            self.put("%link = alloca [2 x i64]")
        if self.counted:
            slot = context.depth_slot(
                self.module.depths.index(f.name), self.module.linked.set_words
            )
            depth = self.get(slot)
            go, deep = self.name("go"), self.name("deep")
            self.branch(self.compare("slt", depth, str(f.depth), "i64"), go, deep, likely=True)
            self.label(deep)
            self.fault("DEPTH", self.site)
            self.put(f"ret {self.module.type(self.answer)} 0")
            self.label(go)
            self.set(slot, self.op(f"add i64 {depth}, 1"))
        if self.leavable:
            under = self.get(context.UNDER)
            self.put(f"store i64 {under}, ptr %link")
            second = self.at(8, "%link")
            self.put(f"store i64 {self.op('sext i32 %a0 to i64')}, ptr {second}")
            self.set(context.UNDER, self.op("ptrtoint ptr %link to i64"))
            levels = self.get(context.LEVELS)
            self.set(context.LEVELS, self.op(f"add i64 {levels}, 1"))
        for k, param in enumerate(f.params):
            self.write(param, f"%a{k}")
        self.jump("b0")

    def _finish(self, value: str) -> None:
        """Out of a plain function."""
        if self.leavable:
            self.set(context.UNDER, self.op("load i64, ptr %link"))
            levels = self.get(context.LEVELS)
            self.set(context.LEVELS, self.op(f"sub i64 {levels}, 1"))
        if self.counted:
            slot = context.depth_slot(
                self.module.depths.index(self.function.name), self.module.linked.set_words
            )
            self.set(slot, self.op(f"sub i64 {self.get(slot)}, 1"))
        self.put(f"ret {self.module.type(self.answer)} {value}")

    # ------------------------------------------------------------------ terminators

    def _end(self, end: n.Terminator) -> None:
        match end:
            case n.Jump(to):
                self.jump(f"b{to}")
            case n.Branch(c, a, b):
                self.branch(self.compare("ne", self.read(c), "0"), f"b{a}", f"b{b}")
            case n.Switch(a, to, other):
                ways = " ".join(f"i32 {k}, label %b{t}" for k, t in enumerate(to))
                self.put(f"switch i32 {self.read(a)}, label %b{other} [{ways}]")
            case n.Return(a):
                self._return(a)
            case n.StopRule(fn):
                self._unwind(context.FIRST_RULE + self.module.number[fn])
            case n.Leave(p, to):
                found = self.op(f"call i1 @leaving(ptr %S, ptr %C, i32 {self.read(p)})")
                self.branch(found, "leave", f"b{to}")
                self.leaves = True
            case n.End():
                self._unwind(context.ENDING)
            case n.Decide():
                self._decide(end)
            case n.Gather():
                self._gather(end)
            case n.Enter():
                self._enter(end)
            case _:
                assert_never(end)

    def _unwind(self, what: int) -> None:
        self.set(context.UNWIND, what)
        self.jump("leave")
        self.leaves = True

    def _return(self, a: n.Operand) -> None:
        value = self.read(a)
        if self.frame is None:
            self._finish(value)
            return
        self.set_header(TOP, self.load(32, "%F"))
        for k in range(self.frame.width // 8):
            self.store(64, self.at(8 * k, "%F"), 0)
        if self.answer == "s":
            self.set(context.BACK, value, self.sets)
            self.put(f"ret i64 {context.RETURNED}")
            return
        high = self.op(f"shl i64 {self.op(f'zext i32 {value} to i64')}, 32")
        self.put(f"ret i64 {self.op(f'or i64 {high}, {context.RETURNED}')}")

    # ------------------------------------------------------------------ frames

    def _resume(self) -> None:
        """Take the registers of the point out of the frame."""
        assert self.frame is not None
        f = self.function
        self.put(f"%F = getelementptr i64, ptr %S, i64 {self.resize('%fp', 32, 64)}")
        ways = " ".join(f"i32 {k}, label %p{k}" for k in self.frame.points)
        self.put(f"switch i32 %point, label %lost [{ways}]")
        self.label("lost")
        self.put("unreachable")
        for k in self.frame.points:
            at = self.module.linked.points[k]
            assert at is not None
            self.label(f"p{k}")
            for register in at.live:
                bits = 32 if f.types[register] == "i" else self.bits
                offset = self.frame.slots[register]
                self.write(register, self.load(bits, self.at(offset, "%F")))
            if isinstance(at.end, n.Decide):
                self.write(at.end.d, "%rv")
            elif isinstance(at.end, n.Enter):
                self._back(at.end, "%rv")
            self.jump(f"b{at.block}")

    def _back(self, end: n.Enter, value: str) -> None:
        """What the framed function that was called has answered; an integer is given."""
        d = end.d
        if self.function.types[d] == "i":
            self.write(d, value)
        elif self.module.answers[end.fn] == "s":
            self.write(d, self.get(context.BACK, self.sets))
        else:
            self.write(d, self.resize(value, 32, self.bits))

    def _save(self, point: Point) -> None:
        """Put the live registers into the frame, and zero into what is dead."""
        assert self.frame is not None
        for register, offset in self.frame.slots.items():
            bits = 32 if self.function.types[register] == "i" else self.bits
            value = self.read(register) if register in point.live else "0"
            self.store(bits, self.at(offset, "%F"), value)
        self.store(32, self.at(4, "%F"), point.id)

    def _wait(self, pending: str) -> None:
        self.set_header(STATUS, WAITING)
        self.store(64, self.at(8 * PENDING), pending)
        self.put(f"ret i64 {context.WAITS}")

    def _decide(self, end: n.Decide) -> None:
        actor = self.read(end.actor)
        players = self.module.program.players
        if not self.sure(end.actor, 0, players - 1):
            self.require(self.compare("ult", actor, str(players)), "INDEX")
        self._save(self.points[id(end)])
        self.set_header(ACTOR, actor)
        self._wait(self.bit(actor, 64))

    def _gather(self, end: n.Gather) -> None:
        program = self.module.program
        players = self.read(end.players)
        everybody = (1 << program.players) - 1
        if not self.sure(end.players, 0, everybody):
            most = self.compare("ule", players, str(everybody), self.sets)
            self.require(most, "INDEX")
        decision = program.decisions[end.decision]
        for name in (*(stage.answers for stage in decision.stages), decision.pending):
            if name:
                for p in range(program.players):
                    self.store_cell(self.layout.fields[name], str(p), program.fields[name].init[p])
        asks = self.name("asks")
        self.branch(self.compare("ne", players, "0", self.sets), asks, f"b{end.to}")
        self.label(asks)
        self._save(self.points[id(end)])
        self._wait(self.resize(players, self.bits, 64))

    def _enter(self, end: n.Enter) -> None:
        assert self.frame is not None
        module = self.module
        target, function = module.linked.frames[end.fn], module.program.functions[end.fn]
        self._save(self.points[id(end)])
        up = self.op(f"add i32 %fp, {self.frame.width // 8}")
        if function.depth:
            first, count = target.points[0], len(target.points)
            deep, flat = self.name("deep"), self.name("flat")
            few = self.compare("slt", up, str((self.layout.frames + target.depth) // 8))
            self.branch(few, flat, deep, likely=True)
            self.label(deep)
            under = self.op(f"call i32 @frames(ptr %S, i32 {first}, i32 {count})")
            self.require(self.compare("slt", under, str(function.depth)), "DEPTH")
            self.jump(flat)
            self.label(flat)
        limit = (self.layout.size - target.width) // 8
        self.require(self.compare("sle", up, str(limit)), "STACK")
        place = self.at(self.frame.width, "%F")
        self.store(32, place, "%fp")
        self.store(32, self.at(4, place), target.entry)
        self.set_header(TOP, up)
        for param, arg in zip(function.params, end.args, strict=True):
            if param in target.slots:
                bits = 32 if function.types[param] == "i" else self.bits
                self.store(bits, self.at(target.slots[param], place), self.read(arg))
        if end.fn in module.recursive:
            self.put(f"ret i64 {context.CALLED}")
            return
        self._burn()
        name = module.fn(end.fn)
        got = self.op(f"call i64 {name}(ptr %S, ptr %C, i32 {up}, i32 {target.entry}, i32 0)")
        back, stops = self.name("back"), self.name("stops")
        returned = self.compare("eq", self.resize(got, 64, 32), str(context.RETURNED))
        well = self.compare("eq", self.get(context.FAULT_CODE), "0", "i64")
        self.branch(self.op(f"and i1 {returned}, {well}"), back, stops)
        self.label(stops)
        self.put(f"ret i64 {got}")
        self.label(back)
        self._burn()
        self._back(end, self.resize(self.op(f"lshr i64 {got}, 32"), 64, 32))
        self.jump(f"b{end.to}")

    def _burn(self) -> None:
        """What it costs to enter a frame, or to go on in one."""
        left = self.op(f"sub i64 {self.get(context.FUEL)}, 1")
        self.set(context.FUEL, left)
        on, dry = self.name("on"), self.name("dry")
        self.branch(self.compare("sge", left, "0", "i64"), on, dry, likely=True)
        self.label(dry)
        self.fault("FUEL", -1)
        self.put(f"ret i64 {context.CALLED}")
        self.label(on)
