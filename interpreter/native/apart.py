"""Compiles one program in a process of its own, for `interpreter.native.choice`.

Takes a pickled program and a level on its input; gives the code on its output, after its digest,
and leaves it on disk for the next time.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress

from interpreter.native.cache import digest
from interpreter.native.recipe import Recipe


def main() -> None:
    """Read, compile, write. Whoever asked does not wait for it: others come first."""
    with suppress(OSError, AttributeError):
        os.nice(5)
    program, level = pickle.load(sys.stdin.buffer)
    recipe = Recipe(program, level)
    code = recipe.found() or recipe.make()
    with suppress(OSError):
        sys.stdout.buffer.write(digest(code) + code)
        sys.stdout.buffer.flush()
