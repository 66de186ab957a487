"""Machine code kept on disk between runs.

Takes a key and a way to make the code; gives the code. An object file is code: only the user's own
folder is used, and a digest is checked before loading. Whatever goes wrong here is only a slow
start.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ruleset.cache_folder import cache_folder, is_ours

MAGIC: Final = b"rulewright native 1\n"
BODY: Final = len(MAGIC) + 32
"""Where the code begins, after the digest."""
MOST_BYTES: Final = 64 << 20
"""A file that is larger is not looked at."""
MOST_FILES: Final = 200
"""The oldest are removed beyond so many."""


def cached(key: str, make: Callable[[], bytes]) -> tuple[bytes, bool]:
    """The code for a key, and whether it was there already."""
    home = cache_folder()
    if home is None:
        return make(), False
    name = f"native-{hashlib.sha256(key.encode()).hexdigest()[:40]}.object"
    found = _read(home / name)
    if found is not None:
        return found, True
    made = make()
    _write(home, name, made)
    return made, False


def _read(path: Path) -> bytes | None:
    """The code in a file, if the file is whole and ours."""
    try:
        if not is_ours(path):
            return None
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
                return None
            data = file.read()
    except OSError:
        return None
    body = data[BODY:]
    if not body or data[:BODY] != _head(body):
        return None
    return body


def _head(body: bytes) -> bytes:
    return MAGIC + hashlib.sha256(body).digest()


def _write(home: Path, name: str, body: bytes) -> None:
    """Put the code where the next run finds it; nobody ever sees half of it."""
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=home, prefix="native-new-")
        with os.fdopen(handle, "wb") as file:
            file.write(_head(body) + body)
        os.replace(temporary, home / name)
    except OSError:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        return
    with contextlib.suppress(OSError):
        old = sorted(home.glob("native-*"), key=lambda path: path.stat().st_mtime)
        for path in old[:-MOST_FILES]:
            path.unlink()
