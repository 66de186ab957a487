"""Lines on the terminal: wrapped to its width, styled where somebody sees it, cleared for others.

Takes lines of the story and of the table; writes them. Reads what a person types.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator

import click
from rich.cells import cell_len

from playtest.story import Line
from playtest.terminal import on_terminal, say, styled, with_colour

WIDEST = 100


def width() -> int:
    """Columns to write in."""
    if not on_terminal():
        return WIDEST
    return max(40, min(shutil.get_terminal_size().columns, WIDEST))


def tell(lines: Iterable[Line]) -> None:
    """Lines of a story."""
    for line in lines:
        for k, part in enumerate(wrap(line.text, width() - 2 * line.level - 2)):
            text = "  " * line.level + ("  " if k else "") + part
            match line.kind:
                case "heading":
                    say(styled(text, bold=True, fg="cyan") if with_colour() else text)
                case "choice":
                    say(styled(text, bold=True))
                case "why":
                    say(styled(text, dim=True))
                case _:
                    say(text)


def wrap(text: str, columns: int) -> Iterator[str]:
    """A text in pieces of at most so many columns, cut at blanks where there are any."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= columns or not line:
            line = longer
        else:
            yield line
            line = word
        while cell_len(line) > columns:
            cut = _cut(line, columns)
            yield line[:cut]
            line = line[cut:]
    yield line


def _cut(text: str, columns: int) -> int:
    used = 0
    for k, character in enumerate(text):
        used += cell_len(character)
        if used > columns:
            return max(k, 1)
    return len(text)


def clear() -> None:
    """Take what others may not see off the screen."""
    if on_terminal():
        click.clear()
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
