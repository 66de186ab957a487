"""Where the parser's tables may be kept between runs: a file that only this user can write.

Building the tables takes a quarter of a second, reading them ten milliseconds. They are kept as a
pickle, which runs code when it is read, so that a file that others can write to is not used.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from ruleset.cache_folder import cache_folder, is_ours


def tables(grammar: str) -> Path | None:
    """The file for this grammar, or None where no folder is safe or writable."""
    name = hashlib.sha256(f"{sys.version_info[:2]}\n{grammar}".encode()).hexdigest()[:16]
    folder = cache_folder()
    if folder is None:
        return None
    file = folder / f"grammar-{name}.tables"
    try:
        return file if not file.exists() or is_ours(file) else None
    except OSError:
        return None
