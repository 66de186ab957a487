"""A folder of the user's for what may be kept between runs, if there is one that is safe.

A folder that others can write to is not used: what lies there is believed.
"""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path | None:
    """The folder, made if it is missing; None where it is not the user's own or not writable."""
    try:
        folder = _home() / "rulewright"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_ours(folder) and os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):
        pass
    return None


def _home() -> Path:
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        folder = Path(os.environ.get(variable) or "")
        if folder.is_absolute():
            return folder
    return Path.home() / ".cache"


def is_ours(path: Path) -> bool:
    """Whether nobody else owns it or can write to it; a link is not followed."""
    if path.is_symlink():
        return False
    if not hasattr(os, "getuid"):
        return True
    found = path.stat()
    return found.st_uid == os.getuid() and not found.st_mode & 0o022
