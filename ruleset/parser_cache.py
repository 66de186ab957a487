"""Where the parser's tables may be kept between runs: a file that only this user can write.

Building the tables takes a quarter of a second, reading them ten milliseconds. They are kept as a
pickle, which runs code when it is read, so that a folder that others can write to is not used.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path


def tables(grammar: str) -> Path | None:
    """The file for this grammar, or None where no folder is safe or writable."""
    name = hashlib.sha256(f"{sys.version_info[:2]}\n{grammar}".encode()).hexdigest()[:16]
    try:
        folder = _home() / "rulewright"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / f"grammar-{name}.tables"
        if _is_ours(folder) and os.access(folder, os.W_OK):
            return file if not file.exists() or _is_ours(file) else None
    except (OSError, RuntimeError):
        pass
    return None


def _home() -> Path:
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        folder = Path(os.environ.get(variable) or "")
        if folder.is_absolute():
            return folder
    return Path.home() / ".cache"


def _is_ours(path: Path) -> bool:
    """Whether nobody else owns it or can write to it; a link is not followed."""
    if path.is_symlink():
        return False
    if not hasattr(os, "getuid"):
        return True
    found = path.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022
