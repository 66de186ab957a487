"""Who has won, read from a state in which the game is over.

Takes the module; gives the text of one function. It means what `interpreter.runtime.result` says.
"""

from __future__ import annotations

from interpreter.ir.words import ALIVE, ENDING, ENDINGS, WINNERS
from interpreter.native.part import Part
from interpreter.native.text import Code


class Winning(Part):
    """``winners``, ``reward``."""

    def winners(self) -> Code:
        """The winners as a set of 64 bits."""
        code = self.begin("internal i64 @winners(ptr noalias %S, ptr noalias %C)")
        if ENDING in self.layout.fields:
            said = code.load_cell(self.layout.fields[ENDING], "0")
            ways = f"i32 {ENDINGS.index('won')}, label %won i32 {ENDINGS.index('score')}, label %by"
            code.put(f"switch i32 {said}, label %nobody [{ways}]")
            code.label("won")
            words = self.layout.set_fields[WINNERS]
            code.put(f"ret i64 {code.load(64, code.set_place(words, '0'))}")
            code.label("nobody")
            code.put("ret i64 0")
            code.label("by")
        code.put(f"ret i64 {self._by_score(code)}")
        return code.closed()

    def _by_score(self, code: Code) -> str:
        result, players = self.program.result, self.program.players
        if result.by_stop:
            return "0"
        if players == 1 and result.solo:
            won = code.op(f"call i32 {self.module.fn(result.solo)}(ptr %S, ptr %C)")
            return code.op(f"zext i1 {code.compare('ne', won, '0')} to i64")
        if not result.most and not result.least:
            return "0"
        best = str((1 << players) - 1)
        if ALIVE in self.layout.set_fields:
            alive = code.load(64, code.set_place(self.layout.set_fields[ALIVE], "0"))
            some = code.compare("ne", alive, "0", "i64")
            best = code.select(some, alive, best, "i64")
        for name in result.most:
            best = self._foremost(code, name, best, most=True)
        for name in result.least:
            best = self._foremost(code, name, best, most=False)
        return best

    def _foremost(self, code: Code, name: str, best: str, most: bool) -> str:
        """Those of a set who have most (least) of a field."""
        players = range(self.program.players)
        last = str(-(1 << 31) if most else (1 << 31) - 1)
        values = []
        for p in players:
            inside = code.op(f"trunc i64 {code.op(f'lshr i64 {best}, {p}')} to i1")
            value = code.load_cell(self.layout.fields[name], str(p))
            values.append((code.select(inside, value, last), inside))
        record = values[0][0]
        for value, _ in values[1:]:
            record = code.clip("smax" if most else "smin", record, value)
        out = "0"
        for p, (value, inside) in enumerate(values):
            there = code.op(f"and i1 {inside}, {code.compare('eq', value, record)}")
            bit = code.op(f"shl i64 {code.op(f'zext i1 {there} to i64')}, {p}")
            out = code.op(f"or i64 {out}, {bit}")
        return out

    def reward(self) -> Code:
        """Write a number for each player: 1 won, -1 not, 0 where nobody or everybody has won.

        A rule that says who has won may go wrong: then there is a fault.
        """
        code = self.begin("internal void @reward(ptr noalias %S, ptr noalias %C, ptr %out)")
        players = self.program.players
        won = code.op("call i64 @winners(ptr %S, ptr %C)")
        level = code.compare("eq", won, "0", "i64")
        if players > 1:
            all_ = code.compare("eq", won, str((1 << players) - 1), "i64")
            level = code.op(f"or i1 {level}, {all_}")
        for p in range(players):
            has = code.op(f"trunc i64 {code.op(f'lshr i64 {won}, {p}')} to i1")
            value = code.select(has, "1.0", "-1.0", "float")
            if players > 1:
                value = code.select(level, "0.0", value, "float")
            code.put(f"store float {value}, ptr {code.at(4 * p, '%out')}, align 4")
        code.put("ret void")
        return code.closed()
