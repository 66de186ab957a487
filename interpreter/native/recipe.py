"""What the machine code of a program is made from, and where it is kept.

Takes a program; gives a key and the code. Nothing is emitted, and nothing of the emitter is
imported, where the code is on disk already.
"""

from __future__ import annotations

import hashlib
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from interpreter.ir import nodes as n
from interpreter.ir.layout import Layout
from interpreter.ir.linker import Linked, link
from interpreter.ir.printer import show
from interpreter.native import compiler, direct
from interpreter.native.cache import keep, kept
from interpreter.native.module import Module

LARGE: Final = 2_500
"""A program of more instructions is compiled faster, and runs a little slower."""
DEEPEST: Final = 300
"""A program whose plain functions may nest deeper through recursion stays with the reference."""


class TooDeep(ValueError):  # noqa: N818 - said where the engine is chosen
    """The program recurses deeper than machine code may."""


@cache
def version() -> str:
    """A digest of everything that decides what is emitted and where a state keeps what."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*package.glob("*.py"), *(package.parent / "ir").glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Recipe:
    """How one program becomes machine code.

    ``level``: how much the compiler may think, 0 to 3; without one it follows from the size.
    ``linked``: the program as it was linked before, to save time. Raises `NativeMissing` without
    llvmlite, and `TooDeep` for a program that machine code refuses.
    """

    def __init__(
        self, program: n.Program, level: int | None = None, linked: Linked | None = None
    ) -> None:
        compiler.llvm()
        self.program = program
        self.layout = Layout(linked if linked is not None else link(program))
        self.module = Module(self.layout)
        functions = self.layout.program.functions
        deep = sum(functions[name].depth for name in self.module.depths)
        if deep > DEEPEST:
            raise TooDeep(f"`{program.name}` may call itself {deep} times")
        needed = [functions[name] for name in self.module.functions]
        ops = sum(len(block.code) + 1 for function in needed for block in function.blocks)
        self.inline = ops <= LARGE
        self.level = level if level is not None else 2 if self.inline else 1
        self.fast = direct.available()

    @cached_property
    def key(self) -> str:
        """Everything that the code depends on, as a digest."""
        # the text form does not say what is cut for frames: that follows from it
        flags = f"{self.level} {self.inline} {self.fast}"
        parts = (version(), flags, compiler.identity(), show(self.program))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def found(self) -> bytes | None:
        """The code, if it is on disk."""
        return kept(self.key)

    def make(self) -> bytes:
        """The code, made now and put on disk for the next time."""
        from interpreter.native.emitter import module_text  # not for those who find the code

        text = module_text(self.module, compiler.picks_bits(), self.inline, self.fast)
        code = compiler.compile_object(text, self.level)
        keep(self.key, code)
        return code
