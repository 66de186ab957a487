"""`rulewright`: the command line. A command is a file in `playtest/commands`.

Exit status: 0 all well, 1 the input has faults, 2 wrong usage, 3 a fault of rulewright itself,
130 interrupted, 141 nobody reads the output.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import click

COMMANDS: Final = {
    "check": "Tell everything that is wrong with game files.",
    "play": "Play a game in the terminal, or go on with a saved one.",
    "replay": "Play a journal again, or say where the rules no longer agree with it.",
    "test": "Run scenario files and say what they cover.",
    "fuzz": "Play at random under all invariants and show the shortest game that breaks.",
    "build": "Build a game as a WebAssembly module with a JavaScript face.",
    "simulate": "Play many games: lengths, scores, seats, what is used and what never.",
    "explain": "Show the page of a diagnostic.",
    "dump": "Show what a stage makes of a file: document, syntax or ir.",
}
FAULTS: Final = 1
USAGE: Final = 2
OWN_FAULT: Final = 3
INTERRUPTED: Final = 130
NOBODY_READS: Final = 141


class _Commands(click.Group):
    """The commands, each imported when it is used, so that `--help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"playtest.commands.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from ruleset.diagnostics.suggest import nearest

            close = nearest(args[0], COMMANDS)
            hint = f"did you mean `{close}`?" if close else f"commands: {', '.join(COMMANDS)}"
            raise click.UsageError(f"there is no command `{args[0]}`; {hint}", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version() -> str:
    try:
        return version("rulewright")
    except PackageNotFoundError:
        return "unknown"


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(_version(), prog_name="rulewright", message="%(prog)s %(version)s")
def cli() -> None:
    """Board-game rules as data: check a game file, play it, test it.

    Start with `rulewright check FILE` and `rulewright play FILE`.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """The program: runs a command and leaves with its exit status."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign shows another
    warnings.showwarning = _note
    status = run(sys.argv[1:] if arguments is None else arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        status = _quiet()
    except (OSError, ValueError, AttributeError):
        status = status or FAULTS
    sys.exit(status)


def _note(message: Warning | str, *_: object, **__: object) -> None:
    """A warning as a sentence: where in the program it came up says nothing to a person."""
    click.echo(f"note: {message}", err=True)


def run(arguments: Sequence[str]) -> int:
    """Run a command; gives the exit status. No exception leaves but for a broken console."""
    try:
        status = cli.main(list(arguments), prog_name="rulewright", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("\ninterrupted", err=True)
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # click leaves so when nobody reads
        return _quiet()
    except Exception as error:  # the last line of defence: a person sees a sentence, no stack
        return _own_fault(error)


def _quiet() -> int:
    """Nobody reads what we write: say no more, also not when Python closes the stream."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NOBODY_READS


def _own_fault(error: Exception) -> int:
    if os.environ.get("RULEWRIGHT_TRACEBACK"):
        traceback.print_exception(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(where.filename)}:{where.lineno}"
    click.echo(
        f"error: rulewright itself has a fault: {type(error).__name__}: {error} ({place})\n"
        "  = help: please tell us the command and the file; "
        "`RULEWRIGHT_TRACEBACK=1` shows where it happened",
        err=True,
    )
    return OWN_FAULT
