"""Orders of many pieces in machine code: rows that one vector holds, and rows that take several."""

from __future__ import annotations

import random

import pytest
from ir_programs import Programs

from interpreter.ir import nodes as n
from interpreter.ir.layout import chunks_of

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)

from native_lockstep import agree

FUEL = 5_000


class LongRows(Programs):
    """Programs with one more group: many pieces in piles, rows and slots, moved a lot."""

    def groups(self) -> None:
        """The group is there before functions are made, which use any group."""
        super().groups()
        r, p = self.r, self.p
        size = r.choice((16, 17, 64, 65, 130))
        zones = (
            n.ZoneInstance("pile", -1, ordered=True),
            n.ZoneInstance("row", -1, ordered=True, capacity=r.choice((-1, size // 2))),
            n.ZoneInstance("slots", -1, ordered=True, keeps_gaps=True, capacity=6),
            n.ZoneInstance("heap", -1),
        )
        start = tuple(r.choice((0, 0, 0, 3)) for _ in range(size))
        p.planes.pop("in rows", None)
        p.groups["rows"] = n.Group("rows", size, zones, start, tuple(k // 3 for k in range(size)))


@pytest.mark.parametrize("block", range(6))
def test_long_rows_agree_byte_for_byte(block: int) -> None:
    """Whatever is moved, mixed, swapped and looked for, both engines end in the same states."""
    for seed in range(block * 5, block * 5 + 5):
        program = LongRows(seed).p
        program.fuel = FUEL
        agree(program, seed % 3, seed, 25)


def test_runs_hold_every_cell_once_and_are_wide_enough() -> None:
    """A row is cut into runs of at most 64; only the last reaches past the end."""
    for count in (*range(1, 200), random.Random(1).randint(200, 900)):
        runs = chunks_of(count)
        assert [first for first, _ in runs] == list(range(0, count, 64))
        assert all(length in (8, 16, 32, 64) for _, length in runs)
        assert all(length == 64 for _, length in runs[:-1])
        assert sum(runs[-1]) >= count
