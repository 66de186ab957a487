"""What goes to the terminal: colour only where somebody sees it, texts made safe to print.

Everything that a command says goes through here.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Any

import click

from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.render import render_report


def on_terminal(error: bool = False) -> bool:
    """Whether a person looks at the output."""
    stream = sys.stderr if error else sys.stdout
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def with_colour(error: bool = False) -> bool:
    """Whether to colour the output; `NO_COLOR` switches it off."""
    return on_terminal(error) and "NO_COLOR" not in os.environ


def say(text: str = "", error: bool = False) -> None:
    """A line of output."""
    click.echo(text, err=error, color=with_colour(error))


def styled(text: str, **style: Any) -> str:
    """A text in a style, plain where nobody sees it."""
    return click.style(text, **style) if with_colour() else text


def amount(number: int, noun: str) -> str:
    """So many of something: `1 game`, `2,000 games`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def say_json(data: object) -> None:
    """Plain data for a program."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=1))


def say_faults(faults: Iterable[Diagnostic], error: bool = True) -> None:
    """Diagnostics in full."""
    report = Report()
    for fault in faults:
        report.add(fault)
    if report.diagnostics:
        click.echo(render_report(report, "full", with_colour(error)), err=error)


def plain_faults(faults: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    """Diagnostics as plain data, in the form of `check --json`."""
    report = Report()
    for fault in faults:
        report.add(fault)
    found: list[dict[str, Any]] = json.loads(render_report(report, "json"))
    return found
