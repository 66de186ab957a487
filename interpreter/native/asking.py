"""Asking: what a player may choose, and where the answer goes.

Takes the module; gives the text of four functions. They mean what `interpreter.runtime.machine`
does with the pending decision.
"""

from __future__ import annotations

from interpreter.ir import nodes as n
from interpreter.ir.layout import ACTOR, PENDING, RUNNING, STATUS, WAITING
from interpreter.ir.linker import Point
from interpreter.native.part import Part
from interpreter.native.text import Code


class Asking(Part):
    """``record``, ``answer``, ``pending``, ``allowed``."""

    def record(self) -> Code:
        """Keep one answer of a simultaneous choice; who is still asked."""
        code = self.begin("internal i64 @record(ptr noalias %S, i32 %player, i32 %candidate)")
        pending = code.load(64, code.at(8 * PENDING))
        bit = code.bit("%player", 64)
        rest = code.op(f"and i64 {pending}, {code.op(f'xor i64 {bit}, -1')}")
        if not self.gathers:
            code.put(f"ret i64 {rest}")
            return code.closed()
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
            ways = " ".join(f"i32 {k}, label %g{point.id}.{k}" for k in range(len(decision.stages)))
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
        return code.closed()

    def _keep(self, code: Code, stage: n.Stage) -> None:
        code.store_cell(self.layout.fields[stage.answers], "%player", "%candidate")

    def _by_point(self, code: Code, points: list[Point], stem: str) -> str:
        place, point = self.point(code)
        ways = " ".join(f"i32 {p.id}, label %{stem}{p.id}" for p in points)
        code.put(f"switch i32 {point}, label %none [{ways}]")
        return place

    def answer(self) -> Code:
        """Put an answer where it belongs; go on if nobody else is asked."""
        code = self.begin(
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
        return code.closed()

    # ------------------------------------------------------------------ options

    def pending(self) -> Code:
        """The candidates of a player who is asked."""
        code = self.begin(
            f"internal {self.module.sets} @pending(ptr noalias %S, ptr noalias %C, i32 %player)"
        )
        if not self.waiting:
            code.put(f"ret {code.sets} 0")
            return code.closed()
        place = self._by_point(code, self.waiting, "o")
        for point in self.waiting:
            code.label(f"o{point.id}")
            if isinstance(point.end, n.Decide):
                self._ask(code, point, place)
            elif isinstance(point.end, n.Gather):
                self._ask_several(code, point, point.end)
        code.label("none")
        code.put(f"ret {code.sets} 0")
        return code.closed()

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
            ways = " ".join(f"i32 {k}, label %o{point.id}.{k}" for k in range(len(decision.stages)))
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
        code = self.begin(
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
        return code.closed()
