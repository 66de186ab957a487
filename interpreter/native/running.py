"""Running: the top frame, and what it calls and returns to, until somebody is asked.

Takes the module; gives the text of three functions. They mean what the loop of
`interpreter.runtime.machine` does.
"""

from __future__ import annotations

from interpreter.ir.layout import FAULT, OVER, STATUS, TOP, WAITING
from interpreter.native import context
from interpreter.native.part import Part
from interpreter.native.text import Code


class Running(Part):
    """``reset``, ``pop``, ``run``."""

    def reset(self) -> Code:
        """Forget the step before."""
        code = self.begin("internal void @reset(ptr noalias %C)", "alwaysinline")
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
        return code.closed()

    def pop(self) -> Code:
        """Take off the top frame; the number of its function."""
        code = self.begin("internal i32 @pop(ptr noalias %S)", "noinline")
        place, point = self.point(code)
        k = code.resize(point, 32, 64)
        width = code.load(32, code.op(f"getelementptr i32, ptr @widths, i64 {k}"))
        owner = code.load(32, code.op(f"getelementptr i32, ptr @owners, i64 {k}"))
        code.set_header(TOP, code.load(32, place))
        words = code.resize(width, 32, 64)
        size = code.op(f"shl i64 {words}, 3")
        code.put(f"call void @llvm.memset.p0.i64(ptr align 8 {place}, i8 0, i64 {size}, i1 false)")
        code.put(f"ret i32 {owner}")
        return code.closed()

    def run(self) -> Code:
        """Run the top frame, and what it calls and returns to, until somebody is asked."""
        code = self.begin("internal i32 @run(ptr noalias %S, ptr noalias %C, i32 %first)")
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
        self.fault(code, "FUEL")
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
        self.fault(code, "STACK")
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
        return code.closed()

    def _unwind(self, code: Code) -> None:
        """Take off frames, as many as the reason says; the call that is unwound answers 0."""
        what, target = code.get(context.UNWIND), code.get(context.TARGET)
        code.set(context.UNWIND, 0)
        code.jump("off")
        code.label("off")
        fp = code.header(TOP)
        code.branch(code.compare("eq", fp, "0"), "bottom", "take")
        code.label("bottom")
        code.branch(code.compare("eq", what, str(context.ENDING), "i64"), "over", "nothing")
        code.label("nothing")
        self.fault(code, "STOP")
        code.jump("broken")
        code.label("take")
        owner = code.op("call i32 @pop(ptr %S)")
        rule = code.op(f"add i64 {code.op(f'zext i32 {owner} to i64')}, {context.FIRST_RULE}")
        stopped = code.compare("eq", rule, what, "i64")
        leaves = code.compare("eq", what, str(context.LEAVING_FRAME), "i64")
        there = code.compare("eq", code.op(f"sext i32 {fp} to i64"), target, "i64")
        left = code.op(f"and i1 {leaves}, {there}")
        code.branch(code.op(f"or i1 {stopped}, {left}"), "again", "off")
