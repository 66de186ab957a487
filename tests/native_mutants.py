"""Small faults put into the emitter on purpose: does lockstep notice them?

Takes how many and a seed; gives what became of each. A mutant is one place in the source of the
emitter that says something else: an instruction, a number, two arms, a line that is gone. A child
process emits, compiles and plays programs with it; it may crash or hang. What emits the same text
as the original for all of the programs is no mutant.

Which mutants are drawn hangs on what each says and in which function, not on where it stands: a
change of the emitter changes few of them. By itself, `python -m native_mutants MANY SEED` in this
folder lists those that were not noticed.
"""

from __future__ import annotations

import ast
import copy
import faulthandler
import hashlib
import importlib
import os
import re
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from ir_programs import sifted_program

import interpreter
from interpreter.ir import nodes as n
from interpreter.ir.printer import show
from interpreter.runtime.machine import Machine

SECONDS = 60
SIFTED = 40
LOOPS: list[tuple[n.Program, str]] = []
"""Programs full of loops, and what the passes make of them."""
PACKAGE = "interpreter.native"
FOLDER = Path(interpreter.__file__).parent / "native"
PARTS = (
    *("asking", "context", "entries", "fastcalls", "filters", "folding", "functions"),
    *("gathering", "group", "hoisting", "instructions", "lanes", "lifting", "loops", "module"),
    *("orders", "pieces", "places", "prelude", "rounds", "running", "symbols", "text"),
    *("vectors", "winning"),
)
"""All that decides what is emitted for this machine."""
PASSES = (
    *("filters", "folding", "gathering", "hoisting", "lifting", "loops", "rounds", "symbols"),
)
"""What rewrites loops: the reference judges that, too, on more programs."""
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
    """One place in a module of the emitter, by its number among all places there.

    ``name`` says the same as long as the function that it is in does not change much.
    """

    part: str
    number: int
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.name}  (line {self.line})"


@dataclass(frozen=True)
class Exhibit:
    """A program that is played; ``reward``: of a game that is over, where it is a game."""

    machine: Machine
    reward: Callable[[Any], Any] | None = None


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


def homes(tree: ast.Module) -> Callable[[int], str]:
    """In which function or class a line lies."""
    kinds = ast.FunctionDef | ast.ClassDef
    spans = [
        (node.lineno, node.end_lineno or node.lineno, node.name)
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    ]

    def home(line: int) -> str:
        around = [span for span in spans if span[0] <= line <= span[1]]
        return ".".join(name for _, _, name in sorted(around)) or "module"

    return home


def mutants() -> list[Mutant]:
    """Every mutant there is."""
    out: list[Mutant] = []
    for part in PARTS:
        tree = ast.parse((FOLDER / f"{part}.py").read_text("utf-8"))
        home, seen = homes(tree), Counter[str]()
        for k, (line, what, _) in enumerate(places(tree)):
            name = f"{part}.{home(line)}: {what}"
            seen[name] += 1
            out.append(Mutant(part, k, line, f"{name} #{seen[name]}"))
    return out


def drawn(seed: int) -> list[Mutant]:
    """All of them, in an order that hangs on their names."""
    return sorted(mutants(), key=lambda m: hashlib.sha256(f"{seed} {m.name}".encode()).digest())


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


def emitted(program: n.Program) -> str:
    """The text of a program, by the emitter that is imported now."""
    emitter = importlib.import_module(f"{PACKAGE}.emitter")
    module = importlib.import_module(f"{PACKAGE}.module")
    layout = importlib.import_module("interpreter.ir.layout")
    linker = importlib.import_module("interpreter.ir.linker")
    made = module.Module(layout.Layout(linker.link(program)))
    text: str = emitter.module_text(made, True, True, True)
    return text


def fate(mutant: Mutant, exhibits: list[Exhibit], texts: list[str], seed: int) -> str:
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
        for name in ("native_lockstep", "test_native_passes"):
            sys.modules.pop(name, None)
        sys.meta_path.insert(0, Instead(mutant))
        differ = False
        for k, (exhibit, text) in enumerate(zip(exhibits, texts, strict=True)):
            if emitted(exhibit.machine.program) != text:
                differ = True
                _judge(exhibit, k, seed)
        if mutant.part in PASSES:
            differ |= _judge_passes(seed)
        code = 0 if differ else 10
    finally:
        os._exit(code)


def _judge(exhibit: Exhibit, k: int, seed: int) -> None:
    """Lockstep of a program whose text the mutant changes, by every way to play."""
    import native_lockstep as lockstep

    reference = exhibit.machine
    engine = importlib.import_module(f"{PACKAGE}.engine")
    native = engine.NativeMachine(reference.program, k % 2)
    lockstep.every_answer(reference, native, seed)
    for game in range(3):
        lockstep.play(reference, native, seed + game, 40)
        lockstep.fast_calls_agree(reference, native, seed + game)
    lockstep.whole_games(reference, native, range(seed, seed + 3))
    lockstep.lanes_agree(reference, native, seed, exhibit.reward)


def _judge_passes(seed: int) -> bool:
    """The reference plays rewritten programs; whether any was rewritten in another way."""
    passes = importlib.import_module("test_native_passes")
    differ = False
    for k, (program, text) in enumerate(LOOPS):
        made, _ = passes.rewritten(program)
        if show(made) != text:
            differ = True
            passes.agree(program, seed + k)
    return differ


def tried(
    many: int,
    seed: int,
    exhibits: list[Exhibit],
    known: Collection[str] = (),
    told: bool = False,
) -> list[tuple[Mutant, str]]:
    """So many mutants, drawn by chance, and what became of them; none of those that are known."""
    passes = importlib.import_module("test_native_passes")
    if not LOOPS:
        for k in range(SIFTED):
            program = sifted_program(1_000 * seed + k)
            program.fuel = passes.FUEL
            LOOPS.append((program, show(passes.rewritten(program)[0])))
    texts = [emitted(exhibit.machine.program) for exhibit in exhibits]
    out: list[tuple[Mutant, str]] = []
    for mutant in drawn(seed):
        if sum(end != "same" for _, end in out) >= many:
            break
        if mutant.name in known:
            continue
        end = fate(mutant, exhibits, texts, seed)
        out.append((mutant, end))
        if told and end != "noticed":
            print(end, mutant, flush=True)
    return out


def main() -> None:
    """Try mutants and list the survivors."""
    from test_native_mutants import KNOWN, exhibits

    found = tried(int(sys.argv[1]), int(sys.argv[2]), exhibits(), KNOWN, told=True)
    ends = [end for _, end in found]
    print({end: ends.count(end) for end in sorted(set(ends))})


if __name__ == "__main__":
    main()
