"""Steps on whole sets: what a table leads into a set, rows of a table that lie inside a set.

Takes the rows of a table; writes shifts of a set, or vector steps over the rows.
"""

from __future__ import annotations

from typing import Final

from interpreter.ir.bitsets import MOST_SHIFTS, shifts
from interpreter.native.text import Code

LANES: Final = 8
"""Rows that are looked at in one step."""


def preimage(code: Code, rows: tuple[int, ...], s: str) -> str:
    """The set of those k for which rows[k] is in s."""
    parts = shifts(rows)
    type_, out = code.sets, "0"
    if len(parts) > MOST_SHIFTS:
        for k, row in enumerate(rows):
            if row >= 0:
                bit = code.op(f"and {type_} {code.op(f'lshr {type_} {s}, {row}')}, 1")
                out = code.op(f"or {type_} {out}, {code.op(f'shl {type_} {bit}, {k}')}")
        return out
    for by, members in parts:
        part = code.op(f"and {type_} {s}, {members}")
        how = "shl" if by >= 0 else "lshr"
        out = code.op(f"or {type_} {out}, {code.op(f'{how} {type_} {part}, {abs(by)}')}")
    return out


def covers(code: Code, home: str, first: str, many: int, s: str) -> str:
    """Whether one of many rows, from ``first`` on, lies inside s; a bit.

    The last step goes back so far that it ends with the last row: a row may be looked at twice.
    """
    row = code.sets
    lanes = min(LANES, many)
    type_ = f"<{lanes} x {row}>"
    outside = code.op(f"xor {row} {s}, -1")
    one = code.op(f"insertelement {type_} poison, {row} {outside}, i32 0")
    every = code.op(f"shufflevector {type_} {one}, {type_} poison, <{lanes} x i32> zeroinitializer")
    # the first entry of a table in memory is what is read at -1
    start = code.op(f"getelementptr {row}, ptr {home}, i64 1")
    start = code.op(f"getelementptr {row}, ptr {start}, i64 {code.widen(first)}")
    found = "zeroinitializer"
    for k in [*range(0, many - lanes, lanes), many - lanes]:
        place = code.op(f"getelementptr {row}, ptr {start}, i64 {k}")
        rows = code.op(f"load {type_}, ptr {place}, align 8")
        rest = code.op(f"and {type_} {rows}, {every}")
        inside = code.op(f"icmp eq {type_} {rest}, zeroinitializer")
        found = code.op(f"or <{lanes} x i1> {found}, {inside}")
    got = code.op(f"bitcast <{lanes} x i1> {found} to i{lanes}")
    return code.compare("ne", got, "0", f"i{lanes}")
