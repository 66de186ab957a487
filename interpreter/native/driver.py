"""The engine's own functions: start, options, answer, run until somebody is asked, whole games.

Takes the module; gives text. They mean what `interpreter.runtime.machine` does. Exported:

    start(S, C, seed)                 a status
    step(S, C, player, candidate)     a status, or `ILLEGAL`, or `BROKEN_OPTIONS`; S changes
    options(S, C, player, out)        a status; the set of candidates at ``out``
    playouts(S, stride, C, seed, n, most, lengths)   choices made in n games of random play
    playout(S, C, seed, most)         choices made in one
"""

from __future__ import annotations

from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.layout import (
    ACTOR,
    CODE,
    FAULT,
    OVER,
    PENDING,
    RUNNING,
    SEED,
    SITE,
    STATUS,
    TOP,
    WAITING,
)
from interpreter.ir.linker import Point
from interpreter.native import context
from interpreter.native.module import Module
from interpreter.native.prelude import GOLD
from interpreter.native.text import Code

EXPORTS: Final = ("start", "step", "options", "playout", "playouts")


def driver_text(module: Module) -> str:
    """All of it."""
    driver = _Driver(module)
    parts = [driver.reset(), driver.pop(), driver.run(), driver.record(), driver.answer()]
    parts += [driver.pending_options(), driver.allowed(), driver.start(), driver.step()]
    parts += [driver.options(), driver.play(), driver.playout(), driver.playouts()]
    return "\n".join([*driver.tables(), *(line for code in parts for line in code.lines)])


class _Driver:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.layout = module.layout
        self.program = module.program
        self.points = [p for p in module.linked.points if p is not None]
        self.waiting = [p for p in self.points if isinstance(p.end, n.Decide | n.Gather)]
        self.gathers = [p for p in self.points if isinstance(p.end, n.Gather)]
        self.bases = module.action_bases()

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
            f"@widths = internal unnamed_addr constant [{many} x i32] [{', '.join(widths)}]",
            f"@owners = internal unnamed_addr constant [{many} x i32] [{', '.join(owners)}]",
        ]

    def _function(self, head: str, attributes: str = "") -> Code:
        code = Code(self.module.bits)
        code.lines.append(f"define {head} {attributes} nounwind {{")
        code.label("entry")
        return code

    def _fault(self, code: Code, name: str) -> None:
        code.put(f"call void @fault(ptr %C, i64 {self.module.faults[name]}, i64 -1)")

    def _point(self, code: Code) -> tuple[str, str]:
        """The top frame and where it goes on."""
        fp = code.header(TOP)
        place = code.op(f"getelementptr i64, ptr %S, i64 {code.resize(fp, 32, 64)}")
        return place, code.load(32, code.at(4, place))

    # ------------------------------------------------------------------ running

    def reset(self) -> Code:
        """Forget the step before."""
        code = self._function("internal void @reset(ptr noalias %C)", "alwaysinline")
        code.set(context.FUEL, self.program.fuel)
        for slot in (
            context.FAULT_CODE,
            context.FAULT_SITE,
            context.UNWIND,
            context.LEVELS,
            context.UNDER,
            context.LOGGED,
        ):
            code.set(slot, 0)
        for k in range(len(self.module.depths)):
            code.set(context.depth_slot(k, self.module.linked.set_words), 0)
        code.put("ret void")
        code.lines.append("}")
        return code

    def pop(self) -> Code:
        """Take off the top frame; the number of its function."""
        code = self._function("internal i32 @pop(ptr noalias %S)", "noinline")
        place, point = self._point(code)
        k = code.resize(point, 32, 64)
        width = code.load(32, code.op(f"getelementptr i32, ptr @widths, i64 {k}"))
        owner = code.load(32, code.op(f"getelementptr i32, ptr @owners, i64 {k}"))
        code.set_header(TOP, code.load(32, place))
        words = code.resize(width, 32, 64)
        size = code.op(f"shl i64 {words}, 3")
        code.put(f"call void @llvm.memset.p0.i64(ptr align 8 {place}, i8 0, i64 {size}, i1 false)")
        code.put(f"ret i32 {owner}")
        code.lines.append("}")
        return code

    def run(self) -> Code:
        """Run the top frame, and what it calls and returns to, until somebody is asked."""
        code = self._function("internal i32 @run(ptr noalias %S, ptr noalias %C, i32 %first)")
        code.put("%back = alloca i32")
        code.put("store i32 %first, ptr %back")
        code.jump("again")
        code.label("again")
        fp = code.header(TOP)
        code.branch(code.compare("eq", fp, "0"), "over", "burn")
        code.label("burn")
        left = code.op(f"sub i64 {code.get(context.FUEL)}, 1")
        code.set(context.FUEL, left)
        code.branch(code.compare("sge", left, "0", "i64"), "enter", "dry", likely=True)
        code.label("dry")
        self._fault(code, "FUEL")
        code.jump("broken")
        code.label("enter")
        place = code.op(f"getelementptr i64, ptr %S, i64 {code.resize(fp, 32, 64)}")
        point = code.load(32, code.at(4, place))
        back = code.op("load i32, ptr %back")
        frames = self.module.linked.frames
        ways = " ".join(
            f"i32 {k}, label %go{frame.entry}" for frame in frames.values() for k in frame.points
        )
        code.put(f"switch i32 {point}, label %lost [{ways}]")
        answers = []
        for frame in frames.values():
            code.label(f"go{frame.entry}")
            name = self.module.fn(frame.function)
            got = code.op(f"call i64 {name}(ptr %S, ptr %C, i32 {fp}, i32 {back})")
            answers.append(f"[ {got}, %go{frame.entry} ]")
            code.jump("came")
        code.label("lost")
        self._fault(code, "STACK")
        code.jump("broken")
        code.label("came")
        got = code.op("phi i64 " + ", ".join(answers))
        fault = code.get(context.FAULT_CODE)
        code.branch(code.compare("eq", fault, "0", "i64"), "well", "broken", likely=True)
        code.label("well")
        high = code.op(f"lshr i64 {got}, 32")
        code.put(f"store i32 {code.resize(high, 64, 32)}, ptr %back")
        how = code.resize(got, 64, 32)
        code.put(
            f"switch i32 {how}, label %again "
            f"[i32 {context.WAITS}, label %waits i32 {context.UNWINDS}, label %unwinds]"
        )
        code.label("waits")
        code.put(f"ret i32 {WAITING}")
        code.label("unwinds")
        self._unwind(code)
        code.label("over")
        code.set_header(STATUS, OVER)
        code.put(f"ret i32 {OVER}")
        code.label("broken")
        code.put(f"ret i32 {FAULT}")
        code.lines.append("}")
        return code

    def _unwind(self, code: Code) -> None:
        """Take off frames, as many as the reason says."""
        code.put("store i32 0, ptr %back")
        what, target = code.get(context.UNWIND), code.get(context.TARGET)
        code.set(context.UNWIND, 0)
        code.jump("off")
        code.label("off")
        fp = code.header(TOP)
        code.branch(code.compare("eq", fp, "0"), "bottom", "take")
        code.label("bottom")
        code.branch(code.compare("eq", what, str(context.ENDING), "i64"), "over", "nothing")
        code.label("nothing")
        self._fault(code, "STOP")
        code.jump("broken")
        code.label("take")
        owner = code.op("call i32 @pop(ptr %S)")
        rule = code.op(f"add i64 {code.op(f'zext i32 {owner} to i64')}, {context.FIRST_RULE}")
        stopped = code.compare("eq", rule, what, "i64")
        leaves = code.compare("eq", what, str(context.LEAVING_FRAME), "i64")
        there = code.compare("eq", code.op(f"sext i32 {fp} to i64"), target, "i64")
        left = code.op(f"and i1 {leaves}, {there}")
        code.branch(code.op(f"or i1 {stopped}, {left}"), "again", "off")

    # ------------------------------------------------------------------ answering

    def record(self) -> Code:
        """Keep one answer of a simultaneous choice; who is still asked."""
        code = self._function(
            "internal i64 @record(ptr noalias %S, i32 %player, i32 %candidate)"
        )
        pending = code.load(64, code.at(8 * PENDING))
        bit = code.bit("%player", 64)
        rest = code.op(f"and i64 {pending}, {code.op(f'xor i64 {bit}, -1')}")
        if not self.gathers:
            code.put(f"ret i64 {rest}")
            code.lines.append("}")
            return code
        last = code.compare("eq", pending, bit, "i64")
        self._by_point(code, self.gathers, "g")
        for point in self.gathers:
            code.label(f"g{point.id}")
            assert isinstance(point.end, n.Gather)
            decision = self.program.decisions[point.end.decision]
            if not decision.pending:
                self._keep(code, decision.stages[0])
                code.put(f"ret i64 {rest}")
                continue
            counted = self.layout.fields[decision.pending]
            stage = code.load_cell(counted, "%player")
            ways = " ".join(
                f"i32 {k}, label %g{point.id}.{k}" for k in range(len(decision.stages))
            )
            code.put(f"switch i32 {stage}, label %none [{ways}]")
            for k, asked in enumerate(decision.stages):
                code.label(f"g{point.id}.{k}")
                self._keep(code, asked)
                code.store_cell(counted, "%player", k + 1)
                if k + 1 < len(decision.stages):
                    code.put(f"ret i64 {pending}")
                    continue
                with code.when(last):
                    for p in range(self.program.players):
                        code.store_cell(counted, str(p), 0)
                code.put(f"ret i64 {rest}")
        code.label("none")
        code.put(f"ret i64 {rest}")
        code.lines.append("}")
        return code

    def _keep(self, code: Code, stage: n.Stage) -> None:
        code.store_cell(self.layout.fields[stage.answers], "%player", "%candidate")

    def _by_point(self, code: Code, points: list[Point], stem: str) -> str:
        place, point = self._point(code)
        ways = " ".join(f"i32 {p.id}, label %{stem}{p.id}" for p in points)
        code.put(f"switch i32 {point}, label %none [{ways}]")
        return place

    def answer(self) -> Code:
        """Put an answer where it belongs; go on if nobody else is asked."""
        code = self._function(
            "internal i32 @answer(ptr noalias %S, ptr noalias %C, i32 %player, i32 %candidate)"
        )
        if self.gathers:
            alone = code.compare("sge", code.header(ACTOR), "0")
            code.branch(alone, "go", "several")
            code.label("several")
            rest = code.op("call i64 @record(ptr %S, i32 %player, i32 %candidate)")
            code.store(64, code.at(8 * PENDING), rest)
            code.branch(code.compare("eq", rest, "0", "i64"), "go", "wait")
            code.label("wait")
            code.put(f"ret i32 {WAITING}")
        else:
            code.jump("go")
        code.label("go")
        more = ", [ 0, %several ]" if self.gathers else ""
        code.put(f"%back = phi i32 [ %candidate, %entry ]{more}")
        code.set_header(STATUS, RUNNING)
        code.set_header(ACTOR, -1)
        code.store(64, code.at(8 * PENDING), 0)
        code.put("%status = call i32 @run(ptr %S, ptr %C, i32 %back)")
        code.put("ret i32 %status")
        code.lines.append("}")
        return code

    # ------------------------------------------------------------------ options

    def pending_options(self) -> Code:
        """The candidates of a player who is asked."""
        code = self._function(
            f"internal {self.module.sets} @pending(ptr noalias %S, ptr noalias %C, i32 %player)"
        )
        if not self.waiting:
            code.put(f"ret {code.sets} 0")
            code.lines.append("}")
            return code
        place = self._by_point(code, self.waiting, "o")
        for point in self.waiting:
            code.label(f"o{point.id}")
            if isinstance(point.end, n.Decide):
                self._ask(code, point, place)
            elif isinstance(point.end, n.Gather):
                self._ask_several(code, point, point.end)
        code.label("none")
        code.put(f"ret {code.sets} 0")
        code.lines.append("}")
        return code

    def _ask(self, code: Code, point: Point, place: str) -> None:
        assert isinstance(point.end, n.Decide)
        stage = self.program.decisions[point.end.decision].stages[0]
        frame = self.module.linked.frames[point.function]
        types = self.program.functions[point.function].types
        params = self.program.functions[stage.options]
        args = []
        for param, a in zip(params.params, point.end.args, strict=True):
            type_ = self.module.type(params.types[param])
            if isinstance(a, int):
                args.append(f"{type_} {a}")
            else:
                bits = 32 if types[a] == "i" else self.module.bits
                args.append(f"{type_} {code.load(bits, code.at(frame.slots[a], place))}")
        self._call_options(code, stage, args)

    def _ask_several(self, code: Code, point: Point, end: n.Gather) -> None:
        decision = self.program.decisions[end.decision]
        if decision.pending:
            stage = code.load_cell(self.layout.fields[decision.pending], "%player")
            ways = " ".join(
                f"i32 {k}, label %o{point.id}.{k}" for k in range(len(decision.stages))
            )
            code.put(f"switch i32 {stage}, label %none [{ways}]")
        for k, asked in enumerate(decision.stages):
            if decision.pending:
                code.label(f"o{point.id}.{k}")
            args = ["i32 %player"]
            for earlier in decision.stages[:k]:
                args.append("i32 " + code.load_cell(self.layout.fields[earlier.answers], "%player"))
            self._call_options(code, asked, args)

    def _call_options(self, code: Code, stage: n.Stage, args: list[str]) -> None:
        given = "".join(", " + a for a in args)
        name = self.module.fn(stage.options)
        got = code.op(f"call {code.sets} {name}(ptr %S, ptr %C{given})")
        code.put(f"ret {code.sets} {got}")

    def allowed(self) -> Code:
        """The candidates of any player; none for one who is not asked."""
        code = self._function(
            f"internal {self.module.sets} @allowed(ptr noalias %S, ptr noalias %C, i32 %player)"
        )
        waits = code.compare("eq", code.header(STATUS), str(WAITING))
        player = code.compare("ult", "%player", str(self.program.players))
        code.branch(code.op(f"and i1 {waits}, {player}"), "asked", "none", likely=True)
        code.label("asked")
        pending = code.load(64, code.at(8 * PENDING))
        mine = code.op(f"and i64 {pending}, {code.bit('%player', 64)}")
        code.branch(code.compare("ne", mine, "0", "i64"), "yes", "none", likely=True)
        code.label("yes")
        code.put(f"%s = call {code.sets} @pending(ptr %S, ptr %C, i32 %player)")
        code.put(f"ret {code.sets} %s")
        code.label("none")
        code.put(f"ret {code.sets} 0")
        code.lines.append("}")
        return code

    # ------------------------------------------------------------------ what Python calls

    def start(self) -> Code:
        """The first step; where it faults, the first state with the fault in it."""
        code = self._function("i32 @start(ptr noalias %S, ptr noalias %C, i64 %seed)")
        code.put("call void @reset(ptr %C)")
        self._blank(code)
        main = self.module.linked.frames[self.program.main]
        place = code.at(self.layout.frames)
        code.store(32, code.at(4, place), main.entry)
        code.set_header(TOP, self.layout.frames // 8)
        code.put("%status = call i32 @run(ptr %S, ptr %C, i32 0)")
        code.branch(code.compare("eq", "%status", str(FAULT)), "bad", "well")
        code.label("bad")
        self._blank(code)
        code.set_header(STATUS, FAULT)
        code.set_header(CODE, code.resize(code.get(context.FAULT_CODE), 64, 32))
        code.set_header(SITE, code.resize(code.get(context.FAULT_SITE), 64, 32))
        code.jump("well")
        code.label("well")
        code.put("ret i32 %status")
        code.lines.append("}")
        return code

    def _blank(self, code: Code) -> None:
        """Everything as declared; nothing lies above the header and the cells but zeros."""
        size = self.layout.size
        code.put(
            "call void @llvm.memcpy.p0.p0.i64(ptr align 8 %S, ptr align 16 @blank, "
            f"i64 {size}, i1 false)"
        )
        code.store(64, code.at(8 * SEED), "%seed")

    def step(self) -> Code:
        """One choice, which must be allowed, and everything up to the next decision."""
        code = self._function(
            "i32 @step(ptr noalias %S, ptr noalias %C, i32 %player, i32 %candidate)"
        )
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
        code.lines.append("}")
        return code

    def options(self) -> Code:
        """The candidates of a player, none if not asked."""
        code = self._function(
            "i32 @options(ptr noalias %S, ptr noalias %C, i32 %player, ptr noalias %out)"
        )
        code.put("call void @reset(ptr %C)")
        code.put(f"%s = call {code.sets} @allowed(ptr %S, ptr %C, i32 %player)")
        code.put(f"store {code.sets} %s, ptr %out, align 8")
        fault = code.compare("eq", code.get(context.FAULT_CODE), "0", "i64")
        code.put(f"ret i32 {code.select(fault, str(WAITING), str(FAULT))}")
        code.lines.append("}")
        return code

    # ------------------------------------------------------------------ whole games

    def play(self) -> Code:
        """Random play to the end, or to ``most`` choices; the state holds how it ended."""
        code = self._function(
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
        self._fault(code, "EMPTY")
        code.jump("bad")
        code.label("done")
        code.branch(code.compare("eq", "%status", str(FAULT)), "bad", "out")
        code.label("bad")
        code.set_header(STATUS, FAULT)
        code.set_header(CODE, code.resize(code.get(context.FAULT_CODE), 64, 32))
        code.set_header(SITE, code.resize(code.get(context.FAULT_SITE), 64, 32))
        code.jump("out")
        code.label("out")
        code.put("ret i64 %count")
        code.lines.append("}")
        return code

    def playout(self) -> Code:
        """One whole game."""
        code = self._function(
            "i64 @playout(ptr noalias %S, ptr noalias %C, i64 %seed, i64 %most)"
        )
        code.put("%begin = call i32 @start(ptr %S, ptr %C, i64 %seed)")
        code.put(
            "%count = call i64 @play(ptr %S, ptr %C, i64 %seed, i64 %most, i32 %begin)"
        )
        code.put("ret i64 %count")
        code.lines.append("}")
        return code

    def playouts(self) -> Code:
        """Many whole games; each ends in its own state, or all in one where the stride is 0."""
        code = self._function(
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
        count = code.op(
            f"call i64 @playout(ptr {place}, ptr %C, i64 {seed}, i64 %most)"
        )
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
        code.lines.append("}")
        return code


