"""`rulewright dump`: what a stage makes of a game file, for those who work on rulewright."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Final

import click

from playtest.given_options import options_of
from playtest.terminal import say, say_faults

STAGES: Final = ("document", "syntax", "ir")
PLACES: Final = ("span", "name_span", "players_span", "label_spans")


@click.command()
@click.argument("path", metavar="FILE")
@click.option("--stage", type=click.Choice(STAGES), required=True, help="Which stage.")
@click.option("--players", type=int, metavar="N", help="For `ir`: how many play.")
@click.option(
    "--option", "-o", "options", multiple=True, metavar="K=V", help="A reading or option."
)
def dump(path: str, stage: str, players: int | None, options: tuple[str, ...]) -> int:
    """Show what a stage makes of a game file: its YAML nodes, its syntax tree, or its program."""
    from interpreter import GameError
    from ruleset.diagnostics.diagnostic import RulesetError

    try:
        for line in _lines(path, stage, players, options_of(options)):
            say(line)
    except RulesetError as error:
        say_faults(error.report.diagnostics)
        return 1
    except GameError as error:
        raise click.UsageError(str(error)) from None
    return 0


def _lines(path: str, stage: str, players: int | None, options: dict[str, str]) -> Iterator[str]:
    import ruleset

    if stage == "document":
        yield from _document(path)
        return
    rules = ruleset.load(path, options)
    if stage == "syntax":
        yield from _tree("", rules.file, 0)
        return
    from interpreter import Game
    from interpreter.ir.printer import show

    game = Game(rules, rules.file.min_players if players is None else players)
    yield show(game.compiled.program).rstrip("\n")


def _document(path: str) -> Iterator[str]:
    from ruleset.bundle import read_bundle
    from ruleset.diagnostics.diagnostic import Report, RulesetError
    from ruleset.document import Mapping, Node, Scalar

    report = Report()
    bundle = read_bundle(path, report)
    if bundle is None:
        raise RulesetError(report)
    root = bundle.root

    def walk(key: str, node: Node, depth: int) -> Iterator[str]:
        line, column = node.span.source.position(node.span.start)
        head = f"{'  ' * depth}{key}{': ' if key else ''}"
        other = node.span.source is not root.span.source
        at = f"[{node.span.source.name if other else ''}{':' * other}{line}:{column}]"
        if isinstance(node, Scalar):
            yield f"{head}{node.style} {node.text!r} {at}"
        elif isinstance(node, Mapping):
            yield f"{head}mapping {at}"
            for entry in node.entries:
                yield from walk(entry.key.text, entry.value, depth + 1)
        else:
            yield f"{head}list {at}"
            for item in node.items:
                yield from walk("-", item, depth + 1)

    yield from walk("", root, 0)


def _tree(name: str, value: object, depth: int) -> Iterator[str]:
    """A syntax node with what lies in it, empty parts and places left out."""
    head = f"{'  ' * depth}{name}{': ' if name else ''}"
    match value:
        case None | () | "" | False:
            return
        case tuple():
            yield f"{head}".rstrip()
            for item in value:
                yield from _tree("-", item, depth + 1)
        case dict():
            yield f"{head}".rstrip()
            for key, item in value.items():
                yield from _tree(str(key), item, depth + 1)
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            yield f"{head}{type(value).__name__}"
            for part in dataclasses.fields(value):
                if part.name not in PLACES and not part.name.endswith("_span"):
                    yield from _tree(part.name, getattr(value, part.name), depth + 1)
        case _:
            yield f"{head}{value!r}"
