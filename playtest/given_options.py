"""Readings and options of a game as typed on the command line: `NAME=VALUE`.

Takes the texts as typed; gives them by name. Whether the game has them is not looked at here.
"""

from __future__ import annotations

from collections.abc import Sequence

import click


def options_of(texts: Sequence[str]) -> dict[str, str]:
    """The options as typed, ``k=v``."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise click.UsageError(f"expected `--option NAME=VALUE`, found `{text}`")
        found[name.strip()] = value.strip()
    return found
