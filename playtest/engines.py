"""`--engine`: who takes the steps, as an option of commands.

Gives the option, and what is said where machine code is asked for and there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from interpreter import Engine

F = TypeVar("F", bound=Callable[..., Any])


def engine_option(text: str) -> Callable[[F], F]:
    """The option `--engine`, whose help begins with ``text``."""
    return click.option(
        "--engine",
        type=click.Choice(["auto", "native", "reference"]),
        default="auto",
        help=f"{text} `native`: machine code. `reference`: Python. What happens is the same.",
    )


def check_engine(engine: Engine) -> Engine:
    """The engine; raises a usage error where machine code is asked for and there can be none."""
    if engine == "native":
        from interpreter.native.compiler import NativeMissing, llvm

        try:
            llvm()
        except NativeMissing as error:
            raise click.UsageError(str(error)) from None
    return engine
