"""Small faults put into the emitter on purpose: does lockstep notice them?

Takes how many and a seed; gives what became of each. A mutant is one place in the source of the
emitter that says something else: an instruction, a number, two arms, a line that is gone. A child
process emits, compiles and plays programs with it; it may crash or hang. What emits the same text
as the original for all of the programs is no mutant.

By itself, `python -m native_mutants MANY SEED` in this folder lists those that were not noticed.
"""

from __future__ import annotations

import ast
import copy
import faulthandler
import importlib
import os
import random
import re
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import interpreter
from interpreter.ir import nodes as n
from interpreter.runtime.machine import Machine

SECONDS = 20
PACKAGE = "interpreter.native"
FOLDER = Path(interpreter.__file__).parent / "native"
PARTS = (
    "asking",
    "entries",
    "filters",
    "functions",
    "gathering",
    "instructions",
    "lifting",
    "loops",
)
PARTS += ("module", "pieces", "places", "prelude", "running", "symbols", "text", "vectors")
"""What is emitted for stepping and playing; the rest is for other faces of the same code."""
SWAPPED = {
    "add": "sub",
    "sub": "add",
    "and": "or",
    "or": "and",
    "xor": "or",
    "shl": "lshr",
    "lshr": "shl",
    "ashr": "lshr",
    "sext": "zext",
    "umin": "umax",
    "smax": "smin",
    "smin": "smax",
    "eq": "ne",
    "ne": "eq",
    "slt": "sle",
    "sle": "slt",
    "sgt": "sge",
    "sge": "sgt",
    "ult": "ule",
    "ule": "ult",
    "ugt": "uge",
    "uge": "ugt",
}
WORD = re.compile(rf"(?<![\w%@]){'|'.join(SWAPPED)}(?!\w)")
NUMBER = re.compile(r"(?<= )-?\d+(?= *(,|\]|\)|$))")
CHANGES = ("store", "fault", "set_header", "store_cell", "put")


@dataclass(frozen=True)
class Mutant:
    """One place in a module of the emitter, by its number among all places there."""

    part: str
    number: int
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.part}.py:{self.line}: {self.what}"


def places(tree: ast.Module) -> Iterator[tuple[int, str, object]]:
    """Everything that can be changed in a module: the line, in words, and a way to change it."""
    texts = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
            for found in WORD.finditer(node.value):
                word = SWAPPED[found.group()]
                text = node.value[: found.start()] + word + node.value[found.end() :]
                yield node.lineno, f"{node.value!r} -> {word}", (node, "value", text)
            for found in NUMBER.finditer(node.value):
                more = str(int(found.group()) + 1)
                text = node.value[: found.start()] + more + node.value[found.end() :]
                yield node.lineno, f"{node.value!r} -> {more}", (node, "value", text)
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield node.lineno, f"{node.value} -> {node.value + 1}", (node, "value", node.value + 1)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("select", "branch") and len(node.args) == 3:
                a, b, c = node.args
                yield node.lineno, f"arms of {node.func.attr}", (node, "args", [a, c, b])
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            called = node.value.func
            if isinstance(called, ast.Attribute) and called.attr in CHANGES:
                gone = ast.copy_location(ast.Constant(None), node.value)
                yield node.lineno, f"no {ast.unparse(node)}", (node, "value", gone)


def mutants() -> list[Mutant]:
    """Every mutant there is."""
    out = []
    for part in PARTS:
        tree = ast.parse((FOLDER / f"{part}.py").read_text("utf-8"))
        out += [Mutant(part, k, line, what) for k, (line, what, _) in enumerate(places(tree))]
    return out


def code_of(mutant: Mutant) -> ast.Module:
    """The module with the change in it."""
    tree = copy.deepcopy(ast.parse((FOLDER / f"{mutant.part}.py").read_text("utf-8")))
    _, _, change = list(places(tree))[mutant.number]
    node, name, value = change  # type: ignore[misc]
    setattr(node, name, value)
    return tree


class Instead(MetaPathFinder, Loader):
    """Imports one module as its mutant."""

    def __init__(self, mutant: Mutant) -> None:
        self.name, self.tree = f"{PACKAGE}.{mutant.part}", code_of(mutant)

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """The mutated module, and no other."""
        return ModuleSpec(fullname, self) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the mutated source."""
        exec(compile(self.tree, self.name, "exec"), module.__dict__)


def emitted(programs: list[n.Program]) -> list[str]:
    """The text of each program, by the emitter that is imported now."""
    emitter = importlib.import_module(f"{PACKAGE}.emitter")
    module = importlib.import_module(f"{PACKAGE}.module")
    layout = importlib.import_module("interpreter.ir.layout")
    linker = importlib.import_module("interpreter.ir.linker")
    return [
        emitter.module_text(module.Module(layout.Layout(linker.link(p))), True, True, False)
        for p in programs
    ]


def fate(mutant: Mutant, references: list[Machine], texts: list[str], seed: int) -> str:
    """``same`` text, ``noticed`` or ``survived``; found out in a child process."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 12
        return {0: "survived", 10: "same"}.get(code, "noticed")
    code = 12
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(10 * SECONDS)
        faulthandler.disable()
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.environ["XDG_CACHE_HOME"] = "/dev/null/none"  # a mutant is not to be kept
        for name in [name for name in sys.modules if name.startswith(PACKAGE)]:
            del sys.modules[name]
        sys.meta_path.insert(0, Instead(mutant))
        found = emitted([machine.program for machine in references])
        differ = [m for m, a, b in zip(references, texts, found, strict=True) if a != b]
        code = 10
        if differ:
            code = 12
            _judge(differ, seed)
            code = 0
    finally:
        os._exit(code)


def _judge(references: list[Machine], seed: int) -> None:
    """Lockstep of the programs whose text the mutant changes."""
    from native_lockstep import play, whole_games

    engine = importlib.import_module(f"{PACKAGE}.engine")
    for k, reference in enumerate(references):
        native = engine.NativeMachine(reference.program, k % 2)
        for game in range(3):
            play(reference, native, seed + game, 40)
        whole_games(reference, native, range(seed, seed + 3))


def tried(
    many: int, seed: int, references: list[Machine], told: bool = False
) -> list[tuple[Mutant, str]]:
    """So many mutants, drawn by chance, and what became of them."""
    texts = emitted([machine.program for machine in references])
    every = mutants()
    random.Random(seed).shuffle(every)
    out: list[tuple[Mutant, str]] = []
    for mutant in every:
        if sum(end != "same" for _, end in out) >= many:
            break
        end = fate(mutant, references, texts, seed)
        out.append((mutant, end))
        if told and end == "survived":
            print(mutant, flush=True)
    return out


def main() -> None:
    """Try mutants and list the survivors."""
    from test_native_mutants import references

    found = tried(int(sys.argv[1]), int(sys.argv[2]), references(), told=True)
    ends = [end for _, end in found]
    print({end: ends.count(end) for end in sorted(set(ends))})


if __name__ == "__main__":
    main()
