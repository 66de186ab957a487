"""What Python calls: start, one step, options, whole games.

Takes the module; gives text.

    start(S, C, seed)                 a status
    step(S, C, player, candidate)     a status, or `ILLEGAL`, or `BROKEN_OPTIONS`; S changes
    options(S, C, player, out)        a status; the set of candidates at ``out``
    playout(S, C, seed, most)         choices made in one game of random play
    playouts(S, stride, C, seed, n, most, lengths)   choices made in n of them
    finish(S, C, seed, most)          a status, after random choices to the end
"""

from __future__ import annotations

from typing import Final

from interpreter.ir.layout import CODE, COUNTER, FAULT, PENDING, SEED, SITE, STATUS, TOP, WAITING
from interpreter.native import context
from interpreter.native.asking import Asking
from interpreter.native.module import Module
from interpreter.native.part import Part
from interpreter.native.prelude import GOLD
from interpreter.native.running import Running
from interpreter.native.text import Code

EXPORTS: Final = ("start", "step", "options", "playout", "playouts", "lanes", "pick")


ALWAYS, BY_CHANCE = 1, 2
"""Of the first state: the same in every game but for the seed; or another each time."""


def engine_text(module: Module) -> str:
    """The engine's own functions, all of them."""
    running, asking, entries = Running(module), Asking(module), _Entries(module)
    parts = [running.reset(), running.pop(), running.clear(), running.run()]
    parts += [asking.record(), asking.answer()]
    parts += [asking.pending(), asking.allowed(), entries.start(), entries.step()]
    parts += [
        entries.options(),
        entries.play(),
        entries.playout(),
        entries.playouts(),
        entries.finish(),
    ]
    return "\n".join([*entries.tables(), *(line for code in parts for line in code.lines)])


class _Entries(Part):
    def tables(self) -> list[str]:
        """The first state; the width and the function of each point."""
        blank = self.layout.initial(0)
        data = "".join(f"\\{byte:02X}" for byte in blank)
        widths = ["i32 0"]
        owners = ["i32 -1"]
        for point in self.points:
            widths.append(f"i32 {self.module.linked.frames[point.function].width // 8}")
            owners.append(f"i32 {self.module.number[point.function]}")
        many = len(widths)
        return [
            f'@blank = internal unnamed_addr constant [{len(blank)} x i8] c"{data}", align 16',
            f"@started = internal global [{len(blank)} x i8] zeroinitializer, align 16",
            "@known = internal global i32 0",
            f"@widths = internal unnamed_addr constant [{many} x i32] [{', '.join(widths)}]",
            f"@owners = internal unnamed_addr constant [{many} x i32] [{', '.join(owners)}]",
        ]

    def start(self) -> Code:
        """The first step; where it faults, the first state with the fault in it.

        Where chance has no part in it, it is done once, and the state copied ever after.
        """
        code = self.begin("i32 @start(ptr noalias %S, ptr noalias %C, i64 %seed)")
        code.put("call void @reset(ptr %C)")
        code.put("%known = load atomic i32, ptr @known acquire, align 4")
        code.branch(code.compare("eq", "%known", str(ALWAYS)), "copy", "fresh")
        code.label("copy")
        self._fill(code, "@started")
        code.put(f"ret i32 {WAITING}")
        code.label("fresh")
        self._fill(code, "@blank")
        main = self.module.linked.frames[self.program.main]
        place = code.at(self.layout.frames)
        code.store(32, code.at(4, place), main.entry)
        code.set_header(TOP, self.layout.frames // 8)
        code.put("%status = call i32 @run(ptr %S, ptr %C, i32 0)")
        code.branch(code.compare("eq", "%status", str(FAULT)), "bad", "well")
        code.label("bad")
        self._broken(code)
        code.jump("out")
        code.label("well")
        code.branch(code.compare("eq", "%known", "0"), "learn", "out")
        code.label("learn")
        waits = code.compare("eq", "%status", str(WAITING))
        same = code.op(f"and i1 {waits}, {code.compare('eq', code.header(COUNTER), '0')}")
        code.branch(same, "keep", "drop")
        code.label("keep")
        code.put(
            "call void @llvm.memcpy.p0.p0.i64(ptr align 16 @started, ptr align 8 %S, "
            f"i64 {self.layout.size}, i1 false)"
        )
        code.put(f"store atomic i32 {ALWAYS}, ptr @known release, align 4")
        code.jump("out")
        code.label("drop")
        code.put(f"store atomic i32 {BY_CHANCE}, ptr @known release, align 4")
        code.jump("out")
        code.label("out")
        code.put("ret i32 %status")
        return code.closed()

    def _broken(self, code: Code) -> None:
        """The first state with the fault in it."""
        self._fill(code, "@blank")
        code.set_header(STATUS, FAULT)
        code.set_header(CODE, code.resize(code.get(context.FAULT_CODE), 64, 32))
        code.set_header(SITE, code.resize(code.get(context.FAULT_SITE), 64, 32))

    def _fill(self, code: Code, home: str) -> None:
        """A state as it is kept, with the seed."""
        code.put(
            f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 %S, ptr align 16 {home}, "
            f"i64 {self.layout.size}, i1 false)"
        )
        code.store(64, code.at(8 * SEED), "%seed")

    def step(self) -> Code:
        """One choice, which must be allowed, and everything up to the next decision."""
        code = self.begin("i32 @step(ptr noalias %S, ptr noalias %C, i32 %player, i32 %candidate)")
        code.put("call void @reset(ptr %C)")
        code.put(f"%s = call {code.sets} @allowed(ptr %S, ptr %C, i32 %player)")
        fault = code.get(context.FAULT_CODE)
        code.branch(code.compare("eq", fault, "0", "i64"), "well", "broken", likely=True)
        code.label("broken")
        code.put(f"ret i32 {context.BROKEN_OPTIONS}")
        code.label("well")
        inside = code.compare("ult", "%candidate", str(code.bits))
        safe = code.select(inside, "%candidate", "0")
        moved = code.op(f"lshr {code.sets} %s, {code.resize(safe, 32, code.bits)}")
        held = code.op(f"trunc {code.sets} {moved} to i1")
        code.branch(code.op(f"and i1 {inside}, {held}"), "good", "illegal", likely=True)
        code.label("illegal")
        code.put(f"ret i32 {context.ILLEGAL}")
        code.label("good")
        code.put("%status = call i32 @answer(ptr %S, ptr %C, i32 %player, i32 %candidate)")
        code.put("ret i32 %status")
        return code.closed()

    def options(self) -> Code:
        """The candidates of a player, none if not asked."""
        code = self.begin(
            "i32 @options(ptr noalias %S, ptr noalias %C, i32 %player, ptr noalias %out)"
        )
        code.put("call void @reset(ptr %C)")
        code.put(f"%s = call {code.sets} @allowed(ptr %S, ptr %C, i32 %player)")
        code.put(f"store {code.sets} %s, ptr %out, align 8")
        fault = code.compare("eq", code.get(context.FAULT_CODE), "0", "i64")
        code.put(f"ret i32 {code.select(fault, str(WAITING), str(FAULT))}")
        return code.closed()

    # ------------------------------------------------------------------ whole games

    def play(self) -> Code:
        """Random play to the end, or to ``most`` choices; the state holds how it ended."""
        code = self.begin(
            "internal i64 @play(ptr noalias %S, ptr noalias %C, i64 %seed, i64 %most, i32 %begin)"
        )
        turned = code.op("xor i64 %seed, -1")
        base = code.op(f"call i64 @mix(i64 {turned})")
        code.jump("again")
        code.label("again")
        code.put("%status = phi i32 [ %begin, %entry ], [ %next, %choose ]")
        code.put("%count = phi i64 [ 0, %entry ], [ %more, %choose ]")
        waits = code.compare("eq", "%status", str(WAITING))
        room = code.compare("slt", "%count", "%most", "i64")
        code.branch(code.op(f"and i1 {waits}, {room}"), "ask", "done", likely=True)
        code.label("ask")
        pending = code.load(64, code.at(8 * PENDING))
        player = code.lowest(pending, 64)
        s = code.op(f"call {code.sets} @pending(ptr %S, ptr %C, i32 {player})")
        size = code.count(s, code.bits)
        code.branch(code.compare("ne", size, "0"), "choose", "broken", likely=True)
        code.label("choose")
        way = code.op(f"mul i64 %count, {GOLD}")
        k = code.op(f"call i32 @scale(i64 {code.op(f'add i64 {base}, {way}')}, i32 {size})")
        member = code.op(f"call i32 @nth({code.sets} {s}, i32 {k})")
        code.set(context.FUEL, self.program.fuel)
        code.put(f"%next = call i32 @answer(ptr %S, ptr %C, i32 {player}, i32 {member})")
        code.put("%more = add i64 %count, 1")
        code.jump("again")
        code.label("broken")
        self.fault(code, "EMPTY")
        code.jump("bad")
        code.label("done")
        code.branch(code.compare("eq", "%status", str(FAULT)), "bad", "out")
        code.label("bad")
        self._broken(code)
        code.jump("out")
        code.label("out")
        code.put("ret i64 %count")
        return code.closed()

    def finish(self) -> Code:
        """Random play from a state on."""
        code = self.begin("i32 @finish(ptr noalias %S, ptr noalias %C, i64 %seed, i64 %most)")
        code.put("call void @reset(ptr %C)")
        code.put(f"%begin = load i32, ptr {code.at(4 * STATUS)}, align 4")
        code.op("call i64 @play(ptr %S, ptr %C, i64 %seed, i64 %most, i32 %begin)")
        code.put(f"ret i32 {code.header(STATUS)}")
        return code.closed()

    def playout(self) -> Code:
        """One whole game."""
        code = self.begin("i64 @playout(ptr noalias %S, ptr noalias %C, i64 %seed, i64 %most)")
        code.put("%begin = call i32 @start(ptr %S, ptr %C, i64 %seed)")
        code.put("%count = call i64 @play(ptr %S, ptr %C, i64 %seed, i64 %most, i32 %begin)")
        code.put("ret i64 %count")
        return code.closed()

    def playouts(self) -> Code:
        """Many whole games; each ends in its own state, or all in one where the stride is 0."""
        code = self.begin(
            "i64 @playouts(ptr %home, i64 %stride, ptr noalias %C, i64 %seed, i64 %many, "
            "i64 %most, ptr %lengths)"
        )
        code.jump("again")
        code.label("again")
        code.put("%k = phi i64 [ 0, %entry ], [ %next, %on ]")
        code.put("%sum = phi i64 [ 0, %entry ], [ %all, %on ]")
        code.branch(code.compare("slt", "%k", "%many", "i64"), "game", "out")
        code.label("game")
        offset = code.op("mul i64 %k, %stride")
        place = code.op(f"getelementptr i8, ptr %home, i64 {offset}")
        seed = code.op("add i64 %seed, %k")
        count = code.op(f"call i64 @playout(ptr {place}, ptr %C, i64 {seed}, i64 %most)")
        code.put(f"%all = add i64 %sum, {count}")
        keeps = code.compare("ne", "%lengths", "null", "ptr")
        code.branch(keeps, "write", "on")
        code.label("write")
        at = code.op("getelementptr i64, ptr %lengths, i64 %k")
        code.store(64, at, count)
        code.jump("on")
        code.label("on")
        code.put("%next = add i64 %k, 1")
        code.jump("again")
        code.label("out")
        code.put("ret i64 %sum")
        return code.closed()
