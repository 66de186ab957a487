"""The text that the emitter writes, for the programs that the tests of it share.

By itself, `python emitted_texts.py` in this folder prints a digest of the text of every program;
what it prints hangs on nothing but the sources.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from documents import ROOT
from ir_programs import random_program, sifted_program

from interpreter.ir import nodes as n
from interpreter.ir.layout import Layout
from interpreter.ir.linker import link
from interpreter.lowering import lower
from interpreter.native.emitter import module_text
from interpreter.native.module import Module
from ruleset import load


def text_of(program: n.Program) -> str:
    """The whole module, but for what CPython calls: that holds addresses of this process."""
    return module_text(Module(Layout(link(program))), True, True, False)


def every_program() -> Iterator[tuple[str, n.Program]]:
    """Each game for up to four players, and some random programs full of loops."""
    folder = ROOT / "games"
    for path in sorted([*folder.glob("*.yaml"), *(folder / "cookbook").glob("*.yaml")]):
        rules = load(path)
        players = min(4, rules.file.max_players)
        settings = {**rules.readings, **rules.option_values}
        yield path.stem, lower(rules, players, settings).program
    for seed in range(12):
        yield f"sifted{seed}", sifted_program(seed)
        yield f"random{seed}", random_program(seed)


def main() -> None:
    """One line a program."""
    for name, program in every_program():
        print(name, hashlib.sha256(text_of(program).encode()).hexdigest())


if __name__ == "__main__":
    main()
