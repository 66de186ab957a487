"""A path -> a ``Source``.

Takes a path as the user gave it; gives its text under that name, or one diagnostic that says why
it cannot be read. ``asked_by`` is the place that names the file, where another file does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import document as messages
from ruleset.diagnostics.suggest import nearest
from ruleset.source import Source, Span

MAX_BYTES: Final = 2_000_000


def open_source(path: str | Path, report: Report, asked_by: Span | None = None) -> Source | None:
    """The text of a file; None and a diagnostic where it is missing, no text, or too large."""
    name = str(path)
    file = Path(path)
    try:
        if file.is_dir():
            report.add(messages.file_is_folder(name, asked_by))
            return None
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            size = max(file.stat().st_size, len(data))
            report.add(messages.file_too_large(name, size, MAX_BYTES, asked_by))
            return None
    except FileNotFoundError:
        report.add(messages.file_missing(name, _nearest_file(file), asked_by))
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        report.add(messages.file_unreadable(name, reason.lower(), asked_by))
        return None
    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        report.add(messages.not_utf8(name, line, data[error.start], asked_by))
        return None


def _nearest_file(file: Path) -> str | None:
    """A file of a similar name in the same folder."""
    try:
        names = [entry.name for entry in file.parent.iterdir() if entry.is_file()]
    except OSError:
        return None
    if file.name + ".yaml" in names:
        return str(file.with_name(file.name + ".yaml"))
    found = nearest(file.name, names)
    return str(file.with_name(found)) if found else None
