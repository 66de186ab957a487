"""`rulewright build`: a game for a place without Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from playtest.given_options import options_of
from playtest.terminal import say, say_faults

if TYPE_CHECKING:
    from interpreter import Game

FACE: Final = ("face.mjs", "face.d.mts", "sight.mjs", "state.mjs", "view.mjs")
"""Written as they are; `game.wasm` and `game.json` are made for the game."""


@click.command()
@click.argument("path", metavar="FILE")
@click.option("--target", type=click.Choice(["wasm"]), required=True, help="For what to build.")
@click.option("--output", "-o", "folder", metavar="DIR", required=True, help="Where the files go.")
@click.option("--players", type=int, metavar="N", help="How many play; else as few as can.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="A reading or option.")
def build(
    path: str, target: str, folder: str, players: int | None, options: tuple[str, ...]
) -> int:
    """Build a game as a WebAssembly module, with JavaScript that a page or Node can load.

    The number of players and the options are those of the build.
    """
    from interpreter import GameError
    from interpreter.native.compiler import NativeMissing
    from interpreter.native.wasm import NotUnderstood
    from ruleset.diagnostics.diagnostic import RulesetError

    del target
    try:
        game = _game(path, players, options)
        made = dict(_files(game))
        written = _write(Path(folder), made)
    except RulesetError as error:
        say_faults(error.report.diagnostics)
        return 1
    except GameError as error:
        raise click.UsageError(str(error)) from None
    except NativeMissing:
        say("error: building needs the package `llvmlite`: install `rulewright[native]`", True)
        return 1
    except NotUnderstood as error:
        say(f"error: this game cannot be built for `wasm`: {error}", True)
        return 1
    except OSError as error:
        say(f"error: `{error.filename or folder}` cannot be written: {error.strerror}", True)
        return 1
    say(f"{game.name} for {game.players}:")
    for place, size in written:
        say(f"  {place} ({size:,} bytes)")
    return 0


def _game(path: str, players: int | None, options: tuple[str, ...]) -> Game:
    import ruleset
    from interpreter import Game

    rules = ruleset.load(path)
    count = rules.file.min_players if players is None else players
    return Game(rules, count, options_of(options), engine="reference")


def _files(game: Game) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file."""
    from interpreter.native.sheet import sheet_of
    from interpreter.native.web import web_program

    solo = game.compiled.result.solo if game.players == 1 else ""
    program = web_program(game.machine.layout, solo)
    sheet = {**sheet_of(game), "memory": program.memory}
    text = json.dumps(sheet, ensure_ascii=False, separators=(",", ":"))
    yield "game.wasm", program.code
    yield "game.json", text.encode()
    for name in FACE:
        yield name, (files("playtest") / "web" / name).read_bytes()


def _write(folder: Path, made: dict[str, bytes]) -> list[tuple[Path, int]]:
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, content in made.items():
        (folder / name).write_bytes(content)
        written.append((folder / name, len(content)))
    return written
