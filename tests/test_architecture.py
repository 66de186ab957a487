"""The house keeps its own rules: who imports whom, what names stand where, what the maps list."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import pytest
from documents import ROOT, made_part

from ruleset import document
from ruleset.diagnostics.diagnostic import Report
from ruleset.source import Source

PACKAGES: Final = ("ruleset", "interpreter", "playtest")
FILES: Final = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
LONGEST: Final = 450
VAGUE: Final = {"utils", "util", "helpers", "common", "core", "manager", "base", "misc"}
ONLY: Final = {"yaml": "ruleset/document.py", "lark": "ruleset/parser.py"}
MUTUAL: Final = ("interpreter.lowering.", "ruleset.checking.")
"""Folders whose modules follow the syntax tree, and so call each other."""
VOCABULARIES: Final = {"ruleset/syntax.py", "interpreter/ir/nodes.py"}
"""Files that are one small class after another: longer, and still read as one list."""
ORDINARY: Final = {
    *("card", "disc", "driver", "fine", "four", "item", "lock", "mine", "seed", "stone", "target"),
    *("three", "token"),
}
"""Names of pieces in the games that are ordinary words, fit for code and examples anywhere."""
SHORT: Final = 4
"""Names with fewer letters say nothing of a game: `c4`, `six`, `hex`."""


def place(path: Path) -> str:
    """A file as the maps name it."""
    return path.relative_to(ROOT).as_posix()


def module(path: Path) -> str:
    """The name under which a file is imported."""
    return place(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


MODULES: Final = {module(path): path for path in FILES}


def imports(path: Path, *, lazy: bool) -> set[str]:
    """Dotted names that a file imports; `lazy`: also inside functions and for types alone."""
    tree = ast.parse(path.read_text("utf-8"))
    found: set[str] = set()
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        match node:
            case ast.Import(names):
                found.update(alias.name for alias in names)
            case ast.ImportFrom(name, names, 0) if name is not None:
                inner = {f"{name}.{alias.name}" for alias in names} & MODULES.keys()
                found |= inner
                if len(inner) < len(names):
                    found.add(name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() if not lazy:
                continue
            case ast.If(test=ast.Name("TYPE_CHECKING")) if not lazy:
                continue
        todo.extend(ast.iter_child_nodes(node))
    return found


@pytest.mark.parametrize("path", FILES, ids=place)
def test_packages_import_only_those_below(path: Path) -> None:
    """The language knows neither engine nor tools, and the engine does not know the tools."""
    package = place(path).split("/")[0]
    above = PACKAGES[PACKAGES.index(package) + 1 :]
    assert [name for name in imports(path, lazy=True) if name.split(".")[0] in above] == []


@pytest.mark.parametrize(("library", "only"), ONLY.items(), ids=ONLY)
def test_a_library_has_one_importer(library: str, only: str) -> None:
    """YAML is read in one file, and Lark is used in one file."""
    found = {
        place(path)
        for path in FILES
        if any(name.split(".")[0] == library for name in imports(path, lazy=True))
    }
    assert found <= {only}


def test_no_imports_in_a_circle() -> None:
    """Modules import each other in one direction, but for those that walk one recursive tree."""
    graph = {
        name: {
            other
            for other in imports(path, lazy=False) & MODULES.keys() - {name}
            if not any(name.startswith(folder) and other.startswith(folder) for folder in MUTUAL)
        }
        for name, path in MODULES.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_importing_the_language_loads_no_library() -> None:
    """`import ruleset` is quick: Lark, PyYAML and jsonschema come in when they are needed."""
    code = "import sys, ruleset; print(*({'lark', 'yaml', 'jsonschema'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("path", FILES, ids=place)
def test_files_are_short_and_named_after_their_job(path: Path) -> None:
    """No file grows long, and none has a name that says nothing."""
    lines = path.read_text("utf-8").count("\n")
    assert lines <= LONGEST or place(path) in VOCABULARIES
    assert path.stem not in VAGUE


def names_of_games() -> set[str]:
    """Ids of the games, their kinds of pieces and the types of these, ordinary words left out."""
    found: set[str] = set()
    for path in sorted((ROOT / "games").glob("*.yaml")):
        node = document.read(Source(place(path), path.read_text("utf-8")), Report())
        assert isinstance(node, document.Mapping)
        found.add(path.stem)
        pieces = node.get("pieces")
        for entry in pieces.entries if isinstance(pieces, document.Mapping) else ():
            found.add(entry.key.text)
            assert isinstance(entry.value, document.Mapping)
            types = entry.value.get("types")
            if isinstance(types, document.Mapping):
                found.update(each.key.text for each in types.entries)
    return {name for name in found - ORDINARY if len(name) >= SHORT}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_game_has_code_of_its_own(package: str) -> None:
    """No name of a game, a card or a piece stands in the language, the engine or the tools."""
    pattern = re.compile(rf"\b({'|'.join(sorted(names_of_games()))})s?\b")
    files = [
        path for path in (ROOT / package).rglob("*") if path.suffix in {".py", ".lark", ".json"}
    ]
    assert [
        f"{place(path)}: {found[0]}"
        for path in files
        for found in pattern.finditer(path.read_text("utf-8"))
    ] == []


def test_the_map_of_files_is_true() -> None:
    """The map in docs/architecture.md lists every file with the first line of its docstring."""
    rows = []
    for path in FILES:
        text = path.read_text("utf-8")
        if text.strip():
            first = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ")
            rows.append(
                f"| `{place(path)}` | {first.replace('``', '`').replace('|', chr(92) + '|')} |\n"
            )
    table = "| file | job |\n| --- | --- |\n" + "".join(rows)
    there, wanted = made_part("docs/architecture.md", "files", table)
    assert there == wanted
