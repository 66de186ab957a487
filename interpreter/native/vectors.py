"""Zones that hold something, many at once.

Takes where the rows of pieces lie; writes the set of the zones, one by one or with vectors.
"""

from __future__ import annotations

from typing import Final

from interpreter.ir.layout import Words
from interpreter.native.text import Code

SCALAR: Final = 20
"""So many zones are looked at one by one: a load of several at once waits for a store to one."""


def occupied(code: Code, words: Words, base: int, size: int, mask: str = "") -> str:
    """The zones of a run that hold something (of a mask)."""
    first = code.at(words.offset + 8 * words.words * base)
    bits = 64 * words.words
    if size > SCALAR:
        return _at_once(code, first, size, words.words, mask)
    out = "0"
    for k in range(size):
        inside = code.load(bits, code.at(8 * words.words * k, first), 8)
        if mask:
            inside = code.op(f"and i{bits} {inside}, {mask}")
        held = code.compare("ne", inside, "0", f"i{bits}")
        bit = code.op(f"zext i1 {held} to {code.sets}")
        if k:
            bit = code.op(f"shl {code.sets} {bit}, {k}")
        out = code.op(f"or {code.sets} {out}, {bit}")
    return out


def _at_once(code: Code, first: str, size: int, words: int, mask: str) -> str:
    """The same with vectors: word k of all zones is one of them."""
    whole, type_ = f"<{size * words} x i64>", f"<{size} x i64>"
    rows = code.op(f"load {whole}, ptr {first}, align 8")
    some = "zeroinitializer"
    for k in range(words):
        part = rows
        if words > 1:
            places = ", ".join(f"i32 {i * words + k}" for i in range(size))
            part = code.op(
                f"shufflevector {whole} {rows}, {whole} poison, <{size} x i32> <{places}>"
            )
        if mask:
            word = code.op(f"lshr i{64 * words} {mask}, {64 * k}") if k else mask
            one = code.resize(word, 64 * words, 64)
            one = code.op(f"insertelement {type_} poison, i64 {one}, i32 0")
            zeros = f"<{size} x i32> zeroinitializer"
            one = code.op(f"shufflevector {type_} {one}, {type_} poison, {zeros}")
            part = code.op(f"and {type_} {part}, {one}")
        some = code.op(f"or {type_} {some}, {part}")
    held = code.op(f"icmp ne {type_} {some}, zeroinitializer")
    got = code.op(f"bitcast <{size} x i1> {held} to i{size}")
    return code.resize(got, size, code.bits)
