"""Lines on the terminal: wrapped to its width, styled where somebody sees it, cleared for others.

Takes lines of the story and of the table; writes them. Reads what a person types.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable

import click
from rich.cells import cell_len

from playtest.story import Line
from playtest.terminal import on_terminal, say, styled, with_colour
from playtest.wrapping import wrap

WIDEST = 100


def width() -> int:
    """Columns to write in."""
    if not on_terminal():
        return WIDEST
    return max(40, min(shutil.get_terminal_size().columns, WIDEST))


def tell(lines: Iterable[Line], full: bool = False) -> None:
    """Lines of a story, with their causes in brief or in full."""
    for line in lines:
        why = line.full if full else line.brief
        room = width() - 2 * line.level - 2
        parts = list(wrap(line.text, room))
        beside = not full and why and cell_len(parts[-1]) + cell_len(why) + 6 <= room
        for k, part in enumerate(parts):
            text = "  " * line.level + ("  " if k else "") + part
            match line.kind:
                case "heading":
                    say(styled(text, bold=True, fg="cyan") if with_colour() else text)
                case "choice":
                    say(styled(text, bold=True))
                case _:
                    tail = f"  ({why})" if beside and k == len(parts) - 1 else ""
                    say(text + (styled(tail, dim=True) if tail else ""))
        if why and not beside:
            shown = why if full else f"({why})"
            for k, part in enumerate(wrap(shown, room - 2)):
                say(styled("  " * (line.level + 1 + bool(k)) + part, dim=True))


def clear() -> None:
    """Take what others may not see off the screen."""
    if on_terminal():
        click.echo("\x1b[2J\x1b[3J\x1b[H", nl=False)  # what has scrolled away, too
    else:
        say("-" * 40)


def ask(prompt: str) -> str | None:
    """A line from the person; None where there is no more input."""
    try:
        click.echo(prompt, nl=False)
        line = sys.stdin.readline() if sys.stdin is not None else ""
    except BrokenPipeError:
        raise
    except (ValueError, OSError):  # the input is closed, or is no text
        line = ""
    if not line:
        say()
        return None
    if not sys.stdin.isatty():
        say(line.strip())  # so that a transcript shows what was typed
    return line.strip()
