"""Machine code kept on disk between runs.

Takes a key; gives the code that was kept under it, or none. An object file is code: only the user's
own folder is used, and a digest is checked before loading. Whatever goes wrong here is only a slow
start: nothing is raised, and what a killed process has left is cleared away by a later one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
import time
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
NEW: Final = "native-new-"
"""What a file is called while it is written."""
LEFT: Final = 600.0
"""Seconds after which nobody writes a new file any more: whoever began it was killed."""


def kept(key: str) -> bytes | None:
    """The code for a key, if it is there and whole."""
    home = cache_folder()
    return None if home is None else _read(home / _name(key))


def keep(key: str, code: bytes) -> None:
    """Put the code where the next run finds it; nobody ever sees half of it."""
    home = cache_folder()
    if home is not None:
        _write(home, _name(key), code)
        _tidy(home)


def _name(key: str) -> str:
    return f"native-{hashlib.sha256(key.encode()).hexdigest()[:40]}.object"


def _read(path: Path) -> bytes | None:
    """The code in a file, if the file is whole and ours."""
    try:
        if not is_ours(path):
            return None
        flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
        handle = os.open(path, flags)  # what is no file must not keep us waiting
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


def digest(code: bytes) -> bytes:
    """What tells code that is whole from other code."""
    return hashlib.sha256(code).digest()


def _head(body: bytes) -> bytes:
    return MAGIC + digest(body)


def _write(home: Path, name: str, body: bytes) -> None:
    temporary = ""
    path = home / name
    try:
        handle, temporary = tempfile.mkstemp(dir=home, prefix=NEW)
        with os.fdopen(handle, "wb") as file:
            file.write(_head(body) + body)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        os.replace(temporary, path)
    except OSError:
        _remove(temporary)
    except BaseException:  # an interrupt in the middle leaves nothing behind either
        _remove(temporary)
        raise


def _remove(path: str) -> None:
    if path:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _tidy(home: Path) -> None:
    """Remove the oldest code beyond `MOST_FILES`, and what killed processes have left."""
    now = time.time()
    found: list[tuple[float, str]] = []
    with contextlib.suppress(OSError), os.scandir(home) as entries:
        for entry in entries:
            if not entry.name.startswith("native-"):
                continue
            with contextlib.suppress(OSError):
                age = entry.stat(follow_symlinks=False).st_mtime
                if not entry.name.startswith(NEW):
                    found.append((age, entry.path))
                elif now - age > LEFT:
                    _remove(entry.path)
    for _, path in sorted(found)[:-MOST_FILES]:
        _remove(path)
