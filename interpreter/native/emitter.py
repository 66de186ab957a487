"""A linked program as the text of one LLVM module.

Takes the names of its parts; gives text. One function for each rule; what does not depend on a
rule comes from the other modules here.
"""

from __future__ import annotations

from interpreter.native.entries import engine_text
from interpreter.native.fastcalls import fastcalls_text
from interpreter.native.functions import function_text
from interpreter.native.lanes import lanes_text
from interpreter.native.module import Module
from interpreter.native.pieces import groups_text
from interpreter.native.prelude import prelude_text


def module_text(module: Module, picks_bits: bool, inline: bool, fast: bool) -> str:
    """The whole module; ``fast``: with what CPython calls directly."""
    attributes = "" if inline else "noinline"
    parts = [prelude_text(module, picks_bits), *_tables(module), groups_text(module)]
    parts += [function_text(module, name, attributes) for name in module.functions]
    parts += [text for _, text in module.searches.values()]
    parts.append(engine_text(module))
    parts.append(lanes_text(module))
    if fast:
        parts.append(fastcalls_text(module))
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
