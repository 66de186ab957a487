"""The fixed parts of a module: faults, chance, members by number, looking through frames.

Takes the module and whether the processor can pick a bit by number; gives text.
"""

from __future__ import annotations

from typing import Final

from interpreter.ir.layout import COUNTER, SEED, TOP
from interpreter.native import context
from interpreter.native.module import Module
from interpreter.native.places import declarations
from interpreter.native.text import Code
from interpreter.runtime.chance import GOLDEN

GOLD: Final = GOLDEN - (1 << 64)
MIX: Final = f"""
define internal i64 @mix(i64 %z) alwaysinline nounwind {{
  %a = lshr i64 %z, 30
  %b = xor i64 %z, %a
  %c = mul i64 %b, {0xBF58476D1CE4E5B9 - (1 << 64)}
  %d = lshr i64 %c, 27
  %e = xor i64 %c, %d
  %f = mul i64 %e, {0x94D049BB133111EB - (1 << 64)}
  %g = lshr i64 %f, 31
  %h = xor i64 %f, %g
  ret i64 %h
}}
define internal i32 @scale(i64 %z, i32 %n) alwaysinline nounwind {{
  %m = call i64 @mix(i64 %z)
  %high = lshr i64 %m, 32
  %many = zext i32 %n to i64
  %p = mul i64 %high, %many
  %s = lshr i64 %p, 32
  %t = trunc i64 %s to i32
  ret i32 %t
}}
define internal void @fault(ptr noalias %C, i64 %code, i64 %site) noinline cold nounwind {{
  %q = getelementptr i64, ptr %C, i64 {context.FAULT_CODE}
  %old = load i64, ptr %q
  %none = icmp eq i64 %old, 0
  br i1 %none, label %first, label %on
first:
  store i64 %code, ptr %q
  %r = getelementptr i64, ptr %C, i64 {context.FAULT_SITE}
  store i64 %site, ptr %r
  br label %on
on:
  %f = getelementptr i64, ptr %C, i64 {context.FUEL}
  store i64 0, ptr %f
  ret void
}}
define internal void @log(ptr noalias %C, i32 %label, i32 %member) noinline cold nounwind {{
  %f = getelementptr i64, ptr %C, i64 {context.FAULT_CODE}
  %fault = load i64, ptr %f
  %well = icmp eq i64 %fault, 0
  br i1 %well, label %goes, label %on
goes:
  %q = getelementptr i64, ptr %C, i64 {context.LOGGED}
  %k = load i64, ptr %q
  %more = add i64 %k, 1
  store i64 %more, ptr %q
  %r = getelementptr i64, ptr %C, i64 {context.LOG_SIZE}
  %size = load i64, ptr %r
  %fits = icmp slt i64 %k, %size
  br i1 %fits, label %write, label %on
write:
  %h = getelementptr i64, ptr %C, i64 {context.LOG}
  %home = load ptr, ptr %h
  %at = getelementptr [2 x i32], ptr %home, i64 %k
  store i32 %label, ptr %at
  %second = getelementptr i32, ptr %at, i64 1
  store i32 %member, ptr %second
  br label %on
on:
  ret void
}}"""


def prelude_text(module: Module, picks_bits: bool) -> str:
    """Everything that rules call and that does not depend on a rule."""
    bits = module.bits
    widths = sorted({bits, 64, *(64 * w.words for w in module.layout.contents.values())})
    lines = [
        "declare i32 @llvm.smax.i32(i32, i32)",
        "declare i32 @llvm.smin.i32(i32, i32)",
        "declare i64 @llvm.smax.i64(i64, i64)",
        "declare i64 @llvm.smin.i64(i64, i64)",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    ]
    for width in widths:
        lines.append(f"declare i{width} @llvm.ctpop.i{width}(i{width})")
        lines.append(f"declare i{width} @llvm.cttz.i{width}(i{width}, i1)")
    lines += declarations(list(module.layout.places.values()))
    if picks_bits:
        lines.append("declare i64 @llvm.x86.bmi.pdep.64(i64, i64)")
    lines += ['!0 = !{!"branch_weights", i32 100000, i32 1}', MIX]
    parts = [_nth(module, picks_bits), _roll(module), _frames(), _leaving(module)]
    return "\n".join([*lines, *(line for code in parts for line in code.lines)])


def _nth(module: Module, picks_bits: bool) -> Code:
    """Member number k of a set that has more than k."""
    code = Code(module.bits)
    code.lines.append(f"define internal i32 @nth({code.sets} %s, i32 %k) nounwind {{")
    code.label("entry")
    k = "%k"
    words = module.bits // 64
    for w in range(words):
        word = code.op(f"lshr {code.sets} %s, {64 * w}") if w else "%s"
        word = code.resize(word, module.bits, 64)
        if w + 1 < words:
            here, on = code.name("here"), code.name("on")
            held = code.count(word, 64)
            code.branch(code.compare("slt", k, held), here, on)
            code.label(here)
            _pick(code, word, k, 64 * w, picks_bits)
            code.label(on)
            k = code.op(f"sub i32 {k}, {held}")
        else:
            _pick(code, word, k, 64 * w, picks_bits)
    return code.closed()


def _pick(code: Code, word: str, k: str, base: int, picks_bits: bool) -> None:
    if picks_bits:
        one = code.bit(k, 64)
        found = code.op(f"call i64 @llvm.x86.bmi.pdep.64(i64 {one}, i64 {word})")
    else:
        before, head, body, done = (code.name(x) for x in ("before", "each", "body", "done"))
        code.jump(before)
        code.label(before)
        code.jump(head)
        code.label(head)
        rest, less, left, fewer = (code.name(x) for x in ("%rest", "%less", "%left", "%fewer"))
        code.put(f"{rest} = phi i64 [ {word}, %{before} ], [ {less}, %{body} ]")
        code.put(f"{left} = phi i32 [ {k}, %{before} ], [ {fewer}, %{body} ]")
        code.branch(code.compare("sgt", left, "0"), body, done)
        code.label(body)
        code.put(f"{less} = and i64 {rest}, {code.op(f'sub i64 {rest}, 1')}")
        code.put(f"{fewer} = sub i32 {left}, 1")
        code.jump(head)
        code.label(done)
        found = rest
    low = code.lowest(found, 64)
    code.put(f"ret i32 {code.op(f'add i32 {low}, {base}')}")


def _roll(module: Module) -> Code:
    """A member of a set that is not empty; only one: no chance."""
    code = Code(module.bits)
    code.lines.append(
        f"define internal i32 @roll(ptr noalias %S, ptr noalias %C, {code.sets} %s, "
        "i32 %label) nounwind {"
    )
    code.label("entry")
    single, several, logs, out = (code.name(x) for x in ("single", "several", "logs", "out"))
    size = code.count("%s", code.bits)
    code.branch(code.compare("eq", size, "1"), single, several)
    code.label(single)
    code.put(f"ret i32 {code.lowest('%s', code.bits, sure=True)}")
    code.label(several)
    counter = code.op(f"add i32 {code.header(COUNTER)}, 1")
    code.set_header(COUNTER, counter)
    seed = code.load(64, code.at(8 * SEED))
    step = code.op(f"mul i64 {code.op(f'zext i32 {counter} to i64')}, {GOLD}")
    k = code.op(f"call i32 @scale(i64 {code.op(f'add i64 {seed}, {step}')}, i32 {size})")
    member = code.op(f"call i32 @nth({code.sets} %s, i32 {k})")
    code.branch(code.compare("eq", code.get(context.LOG), "0", "i64"), out, logs, likely=True)
    code.label(logs)
    code.put(f"call void @log(ptr %C, i32 %label, i32 {member})")
    code.jump(out)
    code.label(out)
    code.put(f"ret i32 {member}")
    return code.closed()


def _frames() -> Code:
    """How many frames under way go on at one of some points."""
    code = Code(64)
    code.lines.append(
        "define internal i32 @frames(ptr noalias %S, i32 %first, i32 %many) nounwind {"
    )
    code.label("entry")
    top = code.header(TOP)
    code.jump("each")
    code.label("each")
    code.put(f"%fp = phi i32 [ {top}, %entry ], [ %below, %look ]")
    code.put("%count = phi i32 [ 0, %entry ], [ %more, %look ]")
    code.branch(code.compare("eq", "%fp", "0"), "out", "look")
    code.label("look")
    place = code.op(f"getelementptr i64, ptr %S, i64 {code.widen('%fp')}")
    moved = code.op(f"sub i32 {code.load(32, code.at(4, place))}, %first")
    code.put(f"%more = add i32 %count, {code.flag(code.compare('ult', moved, '%many'))}")
    code.put(f"%below = load i32, ptr {place}, align 4")
    code.jump("each")
    code.label("out")
    code.put("ret i32 %count")
    return code.closed()


def _leaving(module: Module) -> Code:
    """Begin to unwind for a player who leaves; whether a rule is under way for them."""
    code = Code(module.bits)
    code.lines.append(
        "define internal i1 @leaving(ptr noalias %S, ptr noalias %C, i32 %p) nounwind {"
    )
    code.label("entry")
    if not module.linked.leaves:
        code.put("ret i1 false")
        return code.closed()
    code.put("%found = alloca i32")
    code.put("store i32 0, ptr %found")
    top = code.header(TOP)
    code.jump("each")
    code.label("each")
    code.put(f"%fp = phi i32 [ {top}, %entry ], [ %below, %again ]")
    code.branch(code.compare("eq", "%fp", "0"), "through", "look")
    code.label("look")
    place = code.op(f"getelementptr i64, ptr %S, i64 {code.widen('%fp')}")
    point = code.load(32, code.at(4, place))
    homes = [
        frame
        for name, frame in module.linked.frames.items()
        if module.program.functions[name].player_first
    ]
    ways = " ".join(f"i32 {k}, label %x{frame.entry}" for frame in homes for k in frame.points)
    code.put(f"switch i32 {point}, label %again [{ways}]")
    for frame in homes:
        code.label(f"x{frame.entry}")
        first = module.program.functions[frame.function].params[0]
        player = code.load(32, code.at(frame.slots[first], place))
        code.branch(code.compare("eq", player, "%p"), "mine", "again")
    code.label("mine")
    code.put("store i32 %fp, ptr %found")
    code.jump("again")
    code.label("again")
    code.put(f"%below = load i32, ptr {place}, align 4")
    code.jump("each")
    code.label("through")
    frame_found = code.op("load i32, ptr %found")
    code.branch(code.compare("ne", frame_found, "0"), "frame", "calls")
    code.label("frame")
    code.set(context.UNWIND, context.LEAVING_FRAME)
    code.set(context.TARGET, code.op(f"sext i32 {frame_found} to i64"))
    code.put("ret i1 true")
    code.label("calls")
    _plain_calls(code)
    return code.closed()


def _plain_calls(code: Code) -> None:
    """The outermost plain call under way for the player; the list begins with the innermost."""
    code.put("%best = alloca i64")
    code.put("store i64 -1, ptr %best")
    under, levels = code.get(context.UNDER), code.get(context.LEVELS)
    code.jump("link")
    code.label("link")
    code.put(f"%node = phi i64 [ {under}, %calls ], [ %deeper, %down ]")
    code.put(f"%level = phi i64 [ {levels}, %calls ], [ %lower, %down ]")
    code.branch(code.compare("eq", "%node", "0", "i64"), "end", "player")
    code.label("player")
    code.put("%lower = sub i64 %level, 1")
    place = code.op("inttoptr i64 %node to ptr")
    player = code.op(f"trunc i64 {code.load(64, code.at(8, place))} to i32")
    code.branch(code.compare("eq", player, "%p"), "hit", "down")
    code.label("hit")
    code.put("store i64 %lower, ptr %best")
    code.jump("down")
    code.label("down")
    code.put(f"%deeper = load i64, ptr {place}, align 8")
    code.jump("link")
    code.label("end")
    best = code.op("load i64, ptr %best")
    code.branch(code.compare("sge", best, "0", "i64"), "call", "nobody")
    code.label("call")
    code.set(context.UNWIND, context.LEAVING_CALL)
    code.set(context.TARGET, best)
    code.put("ret i1 true")
    code.label("nobody")
    code.put("ret i1 false")
