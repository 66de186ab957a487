"""Running: the top frame, and what it calls and returns to, until somebody is asked.

Takes the module; gives the text of four functions. They mean what the loop of
`interpreter.runtime.machine` does.
"""

from __future__ import annotations

from interpreter.ir import nodes as n
from interpreter.ir.layout import FAULT, OVER, STATUS, TOP, WAITING
from interpreter.ir.linker import Frame, Point
from interpreter.native import context
from interpreter.native.part import Part
from interpreter.native.text import Code


class Running(Part):
    """``reset``, ``pop``, ``clear``, ``run``."""

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

    def clear(self) -> Code:
        """Take off all frames."""
        code = self.begin("internal void @clear(ptr noalias %S)", "noinline")
        _, point = self.point(code)
        k = code.resize(point, 32, 64)
        width = code.load(32, code.op(f"getelementptr i32, ptr @widths, i64 {k}"))
        words = code.op(f"add i32 {code.header(TOP)}, {width}")
        used = code.op(f"sub i32 {words}, {self.layout.frames // 8}")
        size = code.op(f"shl i64 {code.resize(used, 32, 64)}, 3")
        base = code.at(self.layout.frames)
        code.put(f"call void @llvm.memset.p0.i64(ptr align 8 {base}, i8 0, i64 {size}, i1 false)")
        code.set_header(TOP, 0)
        code.put("ret void")
        return code.closed()

    def run(self) -> Code:
        """Run the top frame, and what it calls and returns to, until somebody is asked.

        A function that is called at one point only returns straight to that point.
        """
        code = self.begin("internal i32 @run(ptr noalias %S, ptr noalias %C, i32 %first)")
        frames = self.module.linked.frames
        code.jump("again")
        code.label("again")
        back = ["[ %first, %entry ]", "[ %back, %well ]", "[ 0, %one ]", "[ 0, %stopped ]"]
        code.put(f"%answer = phi i32 {', '.join(back)}")
        top = code.header(TOP)
        code.branch(code.compare("eq", top, "0"), "over", "burn")
        code.label("burn")
        self._burn(code, "enter")
        code.label("enter")
        point = code.load(32, code.at(4, self._frame(code, top)))
        ways = " ".join(
            f"i32 {k}, label %top{frame.entry}" for frame in frames.values() for k in frame.points
        )
        code.put(f"switch i32 {point}, label %lost [{ways}]")
        straight = {name: callers[0] for name in frames if len(callers := self.callers(name)) == 1}
        answers = []
        for name, frame in frames.items():
            k = frame.entry
            from_below = [
                (frames[other].entry, p) for other, p in straight.items() if p.function == name
            ]
            code.label(f"top{k}")
            code.jump(f"go{k}")
            code.label(f"go{k}")
            for what, known, fresh in (
                ("fp", top, "%down"),
                ("point", point, None),
                ("rv", "%answer", "%rv"),
            ):
                known_from = [f"[ {known}, %top{k} ]"]
                known_from += [
                    f"[ {p.id if fresh is None else fresh + str(e)}, %on{e} ]"
                    for e, p in from_below
                ]
                code.put(f"%{what}.{k} = phi i32 {', '.join(known_from)}")
            given = f"i32 %fp.{k}, i32 %point.{k}, i32 %rv.{k}"
            code.put(f"%got{k} = call i64 {self.module.fn(name)}(ptr %S, ptr %C, {given})")
            if name in straight:
                self._straight(code, k, frames[straight[name].function])
            else:
                code.jump("came")
                answers.append(f"[ %got{k}, %go{k} ]")
        for name in straight:
            k = frames[name].entry
            answers.append(f"[ %got{k}, %else{k} ]")
        code.label("lost")
        self.fault(code, "STACK")
        code.jump("broken")
        code.label("came")
        got = code.op("phi i64 " + ", ".join(answers))
        fault = code.get(context.FAULT_CODE)
        code.branch(code.compare("eq", fault, "0", "i64"), "well", "broken", likely=True)
        code.label("well")
        code.put(f"%back = trunc i64 {code.op(f'lshr i64 {got}, 32')} to i32")
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

    def callers(self, name: str) -> list[Point]:
        """The points at which a framed function has been called."""
        return [p for p in self.points if isinstance(p.end, n.Enter) and p.end.fn == name]

    def _frame(self, code: Code, fp: str) -> str:
        return code.op(f"getelementptr i64, ptr %S, i64 {code.resize(fp, 32, 64)}")

    def _burn(self, code: Code, on: str) -> None:
        left = code.op(f"sub i64 {code.get(context.FUEL)}, 1")
        code.set(context.FUEL, left)
        dry = code.name("dry")
        code.branch(code.compare("sge", left, "0", "i64"), on, dry, likely=True)
        code.label(dry)
        self.fault(code, "FUEL")
        code.jump("broken")

    def _straight(self, code: Code, k: int, caller: Frame) -> None:
        """What has returned well goes on where it was called."""
        how = code.resize(f"%got{k}", 64, 32)
        returned = code.compare("eq", how, str(context.RETURNED))
        well = code.compare("eq", code.get(context.FAULT_CODE), "0", "i64")
        code.branch(code.op(f"and i1 {returned}, {well}"), f"back{k}", f"else{k}")
        code.label(f"back{k}")
        code.put(f"%rv{k} = trunc i64 {code.op(f'lshr i64 %got{k}, 32')} to i32")
        code.put(f"%down{k} = sub i32 %fp.{k}, {caller.width // 8}")
        self._burn(code, f"on{k}")
        code.label(f"on{k}")
        code.jump(f"go{caller.entry}")
        code.label(f"else{k}")
        code.jump("came")

    def _unwind(self, code: Code) -> None:
        """Take off frames, as many as the reason says; the call that is unwound answers 0."""
        what, target = code.get(context.UNWIND), code.get(context.TARGET)
        code.set(context.UNWIND, 0)
        code.branch(code.compare("eq", what, str(context.ENDING), "i64"), "all", "off")
        code.label("all")
        code.put("call void @clear(ptr %S)")
        code.jump("over")
        code.label("off")
        fp = code.header(TOP)
        code.branch(code.compare("eq", fp, "0"), "bottom", "take")
        code.label("bottom")
        self.fault(code, "STOP")
        code.jump("broken")
        code.label("take")
        owner = code.op("call i32 @pop(ptr %S)")
        rule = code.op(f"add i64 {code.op(f'zext i32 {owner} to i64')}, {context.FIRST_RULE}")
        stopped = code.compare("eq", rule, what, "i64")
        code.branch(stopped, "stopped", "other")
        code.label("other")
        leaves = code.compare("eq", what, str(context.LEAVING_FRAME), "i64")
        there = code.compare("eq", code.op(f"sext i32 {fp} to i64"), target, "i64")
        code.branch(code.op(f"and i1 {leaves}, {there}"), "one", "off")
        for label in ("stopped", "one"):
            code.label(label)
            code.jump("again")
