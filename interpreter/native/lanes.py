"""Many states stepped at once: one choice in each lane, finished lanes begin anew.

Takes the module; gives text.

    lanes(home, stride, C, n, actions, seeds, hop, players, bases, masks, ended, finals, rewards)

For each lane: the action is made, unless ``actions`` is null; a lane that is over puts its last
state into ``finals`` and begins anew with its seed plus ``hop``. Then the lane's player, the first
action number of what is asked, and the set of candidates are written. ``ended``: 0 goes on, 1 over,
2 the action was not allowed and nothing has changed, 3 the rules went wrong. ``rewards``: a number
for each player, 0 unless the game is over.

    illegal(n, bases, masks, actions)

The first lane whose action is not allowed, or -1. A lane in which nothing is allowed takes any.

    pick(n, bases, masks, actions, seed)

An allowed action for each lane, all alike likely; the first number where none is.
"""

from __future__ import annotations

from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.layout import OVER, PENDING, WAITING
from interpreter.native import context
from interpreter.native.context import ENDED, GOES_ON, REFUSED, WENT_WRONG
from interpreter.native.module import Module
from interpreter.native.part import Part
from interpreter.native.prelude import GOLD
from interpreter.native.text import Code
from interpreter.native.winning import Winning

HEAD: Final = (
    "void @lanes(ptr noalias %home, i64 %stride, ptr noalias %C, i64 %many, ptr %actions, "
    "ptr %seeds, i64 %hop, ptr noalias %players, ptr noalias %bases, ptr noalias %masks, "
    "ptr noalias %ended, ptr noalias %finals, ptr noalias %rewards)"
)


def lanes_text(module: Module) -> str:
    """All of it."""
    lanes = _Lanes(module)
    winning = Winning(module)
    parts = [
        winning.winners(),
        winning.reward(),
        lanes.base(),
        lanes.ask(),
        lanes.lanes(),
        lanes.illegal(),
        lanes.pick(),
    ]
    return "\n".join(line for code in parts for line in code.lines)


class _Lanes(Part):
    def base(self) -> Code:
        """The first action number of what a player is asked."""
        bases = self.module.action_bases()
        code = self.begin("internal i32 @base(ptr noalias %S, i32 %player)")
        _, point = self.point(code)
        ways = " ".join(f"i32 {p.id}, label %w{p.id}" for p in self.waiting)
        code.put(f"switch i32 {point}, label %none [{ways}]")
        for p in self.waiting:
            code.label(f"w{p.id}")
            if isinstance(p.end, n.Decide):
                code.put(f"ret i32 {bases[p.end.decision, 0]}")
                continue
            assert isinstance(p.end, n.Gather)
            decision = self.program.decisions[p.end.decision]
            out = str(bases[decision.name, 0])
            if decision.pending:
                stage = code.load_cell(self.layout.fields[decision.pending], "%player")
                for k in range(1, len(decision.stages)):
                    here = code.compare("eq", stage, str(k))
                    out = code.select(here, str(bases[decision.name, k]), out)
            code.put(f"ret i32 {out}")
        code.label("none")
        code.put("ret i32 0")
        return code.closed()

    def ask(self) -> Code:
        """Write who is asked what; whether anybody can answer."""
        code = self.begin(
            "internal i1 @ask(ptr noalias %S, ptr noalias %C, i32 %status, ptr noalias %player, "
            "ptr noalias %base, ptr noalias %mask)"
        )
        code.branch(code.compare("eq", "%status", str(WAITING)), "waits", "nobody", likely=True)
        code.label("waits")
        first = code.lowest(code.load(64, code.at(8 * PENDING)), 64)
        code.set(context.FUEL, self.program.fuel)
        s = code.op(f"call {code.sets} @pending(ptr %S, ptr %C, i32 {first})")
        code.put(f"store i32 {first}, ptr %player")
        base = code.op(f"call i32 @base(ptr %S, i32 {first})")
        code.put(f"store i32 {base}, ptr %base")
        some = code.compare("ne", s, "0", code.sets)
        well = code.compare("eq", code.get(context.FAULT_CODE), "0", "i64")
        offered = code.select(well, s, "0", code.sets)
        code.put(f"store {code.sets} {offered}, ptr %mask, align 8")
        code.put(f"ret i1 {code.op(f'and i1 {some}, {well}')}")
        code.label("nobody")
        code.put(f"store {code.sets} 0, ptr %mask, align 8")
        code.put("store i32 -1, ptr %player")
        code.put("store i32 0, ptr %base")
        code.put("ret i1 false")
        return code.closed()

    def lanes(self) -> Code:
        """One round over all lanes."""
        code = self.begin(HEAD)
        acts = code.compare("ne", "%actions", "null", "ptr")
        code.jump("again")
        code.label("again")
        code.put("%k = phi i64 [ 0, %entry ], [ %next, %on ]")
        code.branch(code.compare("slt", "%k", "%many", "i64"), "lane", "out")
        code.label("lane")
        code.put(f"%S = getelementptr i8, ptr %home, i64 {code.op('mul i64 %k, %stride')}")
        for name, type_ in (
            ("player", "i32"),
            ("base", "i32"),
            ("mask", f"[{self.module.bits // 64} x i64]"),
        ):
            code.put(f"%{name} = getelementptr {type_}, ptr %{name}s, i64 %k")
        code.put("%end = getelementptr i8, ptr %ended, i64 %k")
        each = f"[{self.program.players} x float]"
        code.put(f"%reward = getelementptr {each}, ptr %rewards, i64 %k")
        self._level(code)
        code.branch(acts, "act", "fresh")
        self._act(code)
        self._finish(code)
        code.label("on")
        code.put("%next = add i64 %k, 1")
        code.jump("again")
        code.label("out")
        code.put("ret void")
        return code.closed()

    def _level(self, code: Code) -> None:
        """No reward for anybody."""
        for p in range(self.program.players):
            code.put(f"store float 0.0, ptr {code.at(4 * p, '%reward')}, align 4")

    def _act(self, code: Code) -> None:
        code.label("act")
        place = code.op("getelementptr i32, ptr %actions, i64 %k")
        action = code.op(f"load i32, ptr {place}")
        player, base = code.op("load i32, ptr %player"), code.op("load i32, ptr %base")
        candidate = code.op(f"sub i32 {action}, {base}")
        mask = code.load(self.module.bits, "%mask", 8)
        code.branch(self._held(code, candidate, mask), "make", "refuse", likely=True)
        code.label("refuse")
        code.put(f"store i8 {REFUSED}, ptr %end")
        code.jump("on")
        code.label("make")
        code.put("call void @reset(ptr %C)")
        code.put(f"%status = call i32 @answer(ptr %S, ptr %C, i32 {player}, i32 {candidate})")
        code.put(
            f"switch i32 %status, label %fault [i32 {WAITING}, label %goes i32 {OVER}, label %over]"
        )
        code.label("goes")
        code.put(f"store i8 {GOES_ON}, ptr %end")
        args = "ptr %S, ptr %C, i32 1, ptr %player, ptr %base, ptr %mask"
        code.branch(code.op(f"call i1 @ask({args})"), "on", "fault", likely=True)

    def _finish(self, code: Code) -> None:
        code.label("over")
        code.put(f"store i8 {ENDED}, ptr %end")
        code.set(context.FUEL, self.program.fuel)
        code.put("call void @reward(ptr %S, ptr %C, ptr %reward)")
        well = code.compare("eq", code.get(context.FAULT_CODE), "0", "i64")
        code.branch(well, "keep", "spoilt", likely=True)
        code.label("spoilt")
        self._level(code)
        code.jump("fault")
        code.label("fault")
        code.put(f"store i8 {WENT_WRONG}, ptr %end")
        code.jump("keep")
        code.label("keep")
        size = self.layout.size
        last = code.op(f"getelementptr i8, ptr %finals, i64 {code.op(f'mul i64 %k, {size}')}")
        code.put(
            f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {last}, ptr align 8 %S, "
            f"i64 {size}, i1 false)"
        )
        place = code.op("getelementptr i64, ptr %seeds, i64 %k")
        code.store(64, place, code.op(f"add i64 {code.load(64, place)}, %hop"))
        code.jump("begin")
        code.label("fresh")
        code.put(f"store i8 {GOES_ON}, ptr %end")
        code.jump("begin")
        code.label("begin")
        seed = code.load(64, code.op("getelementptr i64, ptr %seeds, i64 %k"))
        code.put(f"%new = call i32 @start(ptr %S, ptr %C, i64 {seed})")
        args = "ptr %S, ptr %C, i32 %new, ptr %player, ptr %base, ptr %mask"
        code.op(f"call i1 @ask({args})")
        code.jump("on")

    def _held(self, code: Code, candidate: str, mask: str) -> str:
        """Whether a candidate, which may be any number, is in a set."""
        inside = code.compare("ult", candidate, str(code.bits))
        safe = code.select(inside, candidate, "0")
        moved = code.op(f"lshr {code.sets} {mask}, {code.resize(safe, 32, code.bits)}")
        held = code.op(f"trunc {code.sets} {moved} to i1")
        return code.op(f"and i1 {inside}, {held}")

    def illegal(self) -> Code:
        """The first action that is not allowed."""
        code = self.begin(
            "i64 @illegal(i64 %many, ptr noalias %bases, ptr noalias %masks, ptr noalias %actions)"
        )
        code.jump("again")
        code.label("again")
        code.put("%k = phi i64 [ 0, %entry ], [ %next, %on ]")
        code.branch(code.compare("slt", "%k", "%many", "i64"), "lane", "well", likely=True)
        code.label("lane")
        words = self.module.bits // 64
        s = code.load(code.bits, code.op(f"getelementptr [{words} x i64], ptr %masks, i64 %k"), 8)
        base = code.load(32, code.op("getelementptr i32, ptr %bases, i64 %k"))
        action = code.load(32, code.op("getelementptr i32, ptr %actions, i64 %k"))
        held = self._held(code, code.op(f"sub i32 {action}, {base}"), s)
        none = code.compare("eq", s, "0", code.sets)
        code.branch(code.op(f"or i1 {held}, {none}"), "on", "bad", likely=True)
        code.label("on")
        code.put("%next = add i64 %k, 1")
        code.jump("again")
        code.label("bad")
        code.put("ret i64 %k")
        code.label("well")
        code.put("ret i64 -1")
        return code.closed()

    def pick(self) -> Code:
        """Random actions."""
        code = self.begin(
            "void @pick(i64 %many, ptr noalias %bases, ptr noalias %masks, ptr noalias %actions, "
            "i64 %seed)"
        )
        code.jump("again")
        code.label("again")
        code.put("%k = phi i64 [ 0, %entry ], [ %next, %on ]")
        code.branch(code.compare("slt", "%k", "%many", "i64"), "lane", "out")
        code.label("lane")
        words = self.module.bits // 64
        s = code.load(code.bits, code.op(f"getelementptr [{words} x i64], ptr %masks, i64 %k"), 8)
        base = code.load(32, code.op("getelementptr i32, ptr %bases, i64 %k"))
        size = code.count(s, code.bits)
        code.branch(code.compare("ne", size, "0"), "some", "on", likely=True)
        code.label("some")
        way = code.op(f"add i64 %seed, {code.op(f'mul i64 %k, {GOLD}')}")
        number = code.op(f"call i32 @scale(i64 {way}, i32 {size})")
        code.put(f"%member = call i32 @nth({code.sets} {s}, i32 {number})")
        code.jump("on")
        code.label("on")
        member = code.op("phi i32 [ 0, %lane ], [ %member, %some ]")
        place = code.op("getelementptr i32, ptr %actions, i64 %k")
        code.store(32, place, code.op(f"add i32 {member}, {base}"))
        code.put("%next = add i64 %k, 1")
        code.jump("again")
        code.label("out")
        code.put("ret void")
        return code.closed()
