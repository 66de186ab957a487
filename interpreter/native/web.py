"""A game as a WebAssembly module: the same text as for machine code, and where its memory goes.

Takes a layout; gives the module and a plan of its memory. The module takes 64-bit numbers as two
32-bit words, low first. All functions get the address of a state and of a context:

    begin(S, C, low, high)            a status; the seed in two words
    step(S, C, player, candidate)     a status, or `ILLEGAL`, or `BROKEN_OPTIONS`; S changes
    options(S, C, player, out)        a status; the set of candidates at ``out``
    random_game(S, C, low, high, n)   choices made in one game of random play, at most n
    alone(S, C)                       1: the one who plays alone has won
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from interpreter.ir.layout import Layout
from interpreter.native import compiler, context
from interpreter.native.emitter import module_text
from interpreter.native.module import Module
from interpreter.native.recipe import LARGE
from interpreter.native.wasm import module_of

EXPORTS: Final = ("begin", "step", "options", "random_game")
STACK: Final = 1 << 20
"""Bytes for calls that wait for calls; more than the deepest rules need."""

ENTRIES: Final = """
define internal i64 @two_words(i32 %low, i32 %high) alwaysinline nounwind {
  %a = zext i32 %low to i64
  %b = zext i32 %high to i64
  %c = shl i64 %b, 32
  %d = or i64 %a, %c
  ret i64 %d
}
define i32 @begin(ptr noalias %S, ptr noalias %C, i32 %low, i32 %high) nounwind {
  %seed = call i64 @two_words(i32 %low, i32 %high)
  %status = call i32 @start(ptr %S, ptr %C, i64 %seed)
  ret i32 %status
}
define i32 @random_game(ptr noalias %S, ptr noalias %C, i32 %low, i32 %high, i32 %most) nounwind {
  %seed = call i64 @two_words(i32 %low, i32 %high)
  %limit = zext i32 %most to i64
  %many = call i64 @playout(ptr %S, ptr %C, i64 %seed, i64 %limit)
  %count = trunc i64 %many to i32
  ret i32 %count
}"""

SHIFTS: Final = """
define void @__ashlti3(ptr %out, i64 %low, i64 %high, i32 %n) nounwind {
  %k = zext i32 %n to i64
  %far = icmp uge i64 %k, 64
  %m = and i64 %k, 63
  %l = shl i64 %low, %m
  %h = call i64 @llvm.fshl.i64(i64 %high, i64 %low, i64 %m)
  %a = select i1 %far, i64 0, i64 %l
  %b = select i1 %far, i64 %l, i64 %h
  %q = getelementptr i64, ptr %out, i64 1
  store i64 %a, ptr %out
  store i64 %b, ptr %q
  ret void
}
define void @__lshrti3(ptr %out, i64 %low, i64 %high, i32 %n) nounwind {
  %k = zext i32 %n to i64
  %far = icmp uge i64 %k, 64
  %m = and i64 %k, 63
  %h = lshr i64 %high, %m
  %l = call i64 @llvm.fshr.i64(i64 %high, i64 %low, i64 %m)
  %a = select i1 %far, i64 %h, i64 %l
  %b = select i1 %far, i64 0, i64 %h
  %q = getelementptr i64, ptr %out, i64 1
  store i64 %a, ptr %out
  store i64 %b, ptr %q
  ret void
}
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)"""
"""What LLVM calls to shift 128 bits; elsewhere the compiler's own library has it."""


@dataclass(frozen=True, slots=True)
class WebProgram:
    """The module, and where in its memory everything lies, by name (bytes)."""

    code: bytes
    memory: dict[str, int]


def web_program(layout: Layout, solo: str = "") -> WebProgram:
    """The module of a game; ``solo``: a pure function that says who plays alone has won.

    Raises `NativeMissing` without llvmlite, `NotUnderstood` for what the way of linking lacks.
    """
    module = Module(layout, also=(solo,) if solo else ())
    functions = layout.program.functions
    ops = sum(len(b.code) + 1 for name in module.functions for b in functions[name].blocks)
    inline = ops <= LARGE
    parts = [module_text(module, False, inline, False), ENTRIES]
    names: tuple[str, ...] = EXPORTS
    if solo:
        parts.append(_alone(module, solo))
        names = (*names, "alone")
    if module.bits > 64:
        parts.append(SHIFTS)
    kept = (*names, "__ashlti3", "__lshrti3")
    made = compiler.compile_wasm("\n".join(parts), 2 if inline else 1, kept)
    linked = module_of(made, names)
    return WebProgram(linked.code, _memory(module, linked.data_end))


def _alone(module: Module, solo: str) -> str:
    return (
        "define i32 @alone(ptr noalias %S, ptr noalias %C) nounwind {\n"
        "  call void @reset(ptr %C)\n"
        f"  %a = call i32 {module.fn(solo)}(ptr %S, ptr %C)\n"
        "  %b = icmp ne i32 %a, 0\n"
        "  %c = zext i1 %b to i32\n"
        "  ret i32 %c\n}"
    )


def _memory(module: Module, data_end: int) -> dict[str, int]:
    """Data, the stack (it grows down from ``stack``), a context, one state, one set."""
    words = context.size(len(module.depths), module.linked.set_words)
    stack = _round(data_end) + STACK
    state = stack + _round(8 * words)
    members = state + _round(module.layout.size)
    return {
        "stack": stack,
        "context": stack,
        "state": state,
        "set": members,
        "end": members + module.bits // 8,
        "fault_code": stack + 8 * context.FAULT_CODE,
        "fault_site": stack + 8 * context.FAULT_SITE,
    }


def _round(size: int) -> int:
    return (size + 15) & ~15
