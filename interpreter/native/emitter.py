"""A linked program as the text of one LLVM module.

Takes the names of its parts; gives text. One function for each rule; the fixed parts come from the prelude and
the driver.
"""

from __future__ import annotations

from typing import Final

from interpreter.native.driver import driver_text
from interpreter.native.functions import function_text
from interpreter.native.module import Module
from interpreter.native.pieces import groups_text
from interpreter.native.prelude import prelude_text

VERSION: Final = "1"
"""Changes with the meaning of the emitted code; part of the key of what is cached."""


def module_text(module: Module, picks_bits: bool, inline: bool) -> str:
    """The whole module."""
    attributes = "" if inline else "noinline"
    parts = [prelude_text(module, picks_bits), *_tables(module), groups_text(module)]
    parts += [function_text(module, name, attributes) for name in module.functions]
    parts.append(driver_text(module))
    return "\n".join(parts) + "\n"




def _tables(module: Module) -> list[str]:
    """The tables of the program; what is read at -1 comes first."""
    out = []
    for name, table in module.program.tables.items():
        type_ = module.type(table.type)
        rows = ", ".join(f"{type_} {row}" for row in (table.absent, *table.rows))
        many = len(table.rows) + 1
        out.append(
            f"{module.tables[name]} = internal unnamed_addr constant [{many} x {type_}] [{rows}]"
        )
    return out
