"""Machine code kept on disk between runs.

Takes a key and a way to make the code; gives the code. The folder is the user's own: an object
file is code, so one that others may write to is not used, and a digest is checked before loading.
Whatever goes wrong here is only a slow start.
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

MAGIC: Final = b"rulewright native 1\n"
DIGEST: Final = 32
MOST_BYTES: Final = 64 << 20
"""An object file that is larger is not looked at."""
MOST_FILES: Final = 200
"""The oldest are removed beyond so many."""


def folder() -> Path | None:
    """The folder for machine code, made if need be; none where it cannot be trusted."""
    given = os.environ.get("RULEWRIGHT_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    path = Path(given) if given else Path(home) / "rulewright"
    path = path / "native"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = path.stat()
    except OSError:
        return None
    if hasattr(os, "getuid") and (
        about.st_uid != os.getuid() or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    ):
        return None
    return path


def cached(key: str, make: Callable[[], bytes]) -> tuple[bytes, bool]:
    """The code for a key, and whether it was there already."""
    home = folder()
    name = hashlib.sha256(key.encode()).hexdigest()[:40] + ".object"
    if home is None:
        return make(), False
    found = _read(home / name)
    if found is not None:
        return found, True
    made = make()
    _write(home, name, made)
    return made, False


def _read(path: Path) -> bytes | None:
    """The code in a file, if the file is whole and ours."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    try:
        with os.fdopen(handle, "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
                return None
            if hasattr(os, "getuid") and about.st_uid != os.getuid():
                return None
            data = file.read()
    except OSError:
        return None
    body = data[len(MAGIC) + DIGEST :]
    if data[: len(MAGIC)] != MAGIC or not body:
        return None
    if hashlib.sha256(body).digest() != data[len(MAGIC) : len(MAGIC) + DIGEST]:
        return None
    return body


def _write(home: Path, name: str, body: bytes) -> None:
    """Put the code where the next run finds it; nobody ever sees half of it."""
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=home, prefix="new")
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + hashlib.sha256(body).digest() + body)
        os.replace(temporary, home / name)
    except OSError:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        return
    with contextlib.suppress(OSError):
        old = sorted(home.glob("*.object"), key=lambda path: path.stat().st_mtime)
        for path in old[:-MOST_FILES]:
            path.unlink()
