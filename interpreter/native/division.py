"""Division of 32-bit numbers as the language has it: it floors, and a zero divisor gives 0.

Takes two values; writes the steps, since LLVM truncates and leaves both odd cases undefined.
"""

from __future__ import annotations

from interpreter.native.text import Code


def floored(code: Code, op: str, left: str, right: str) -> str:
    """``div`` or ``mod``; -1 apart, for with it the quotient can overflow."""
    zero, minus = code.compare("eq", right, "0"), code.compare("eq", right, "-1")
    odd = code.op(f"or i1 {zero}, {minus}")
    safe = code.select(odd, "1", right)
    rest = code.op(f"srem i32 {left}, {safe}")
    signs = code.op(f"xor i32 {rest}, {safe}")
    down = code.op(f"and i1 {code.compare('ne', rest, '0')}, {code.compare('slt', signs, '0')}")
    if op == "mod":
        got = code.op(f"add i32 {rest}, {code.select(down, safe, '0')}")
        return code.select(odd, "0", got)
    quotient = code.op(f"sdiv i32 {left}, {safe}")
    got = code.op(f"sub i32 {quotient}, {code.flag(down)}")
    got = code.select(minus, code.op(f"sub i32 0, {left}"), got)
    return code.select(zero, "0", got)
