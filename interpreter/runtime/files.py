"""Reading and writing the JSON files of play: journals and saves.

A file is written beside its place and moved there, so that what was there before is never lost
half-way. Reading says what is wrong as a diagnostic, whatever the bytes are.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from interpreter.runtime.errors import DataError
from ruleset.diagnostics.messages import play as say
from ruleset.source import Source, Span

LIMIT: Final = 50_000_000
"""Bytes of the largest file that is read."""


def write_json(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Write data as JSON; raises `DataError` where the place cannot be written."""
    target = Path(path)
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise DataError(say.cannot_write(str(path), error.strerror or str(error))) from None


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file; raises `DataError`."""
    name = os.fspath(path)
    try:
        status = os.stat(name)
        if not stat.S_ISREG(status.st_mode):
            kind = "it is a folder" if stat.S_ISDIR(status.st_mode) else "it is not a file"
            raise DataError(say.cannot_open(name, kind))
        if status.st_size > LIMIT:
            raise DataError(say.too_large(name, status.st_size, LIMIT))
        raw = Path(name).read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise DataError(say.cannot_open(name, reason.lower())) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(say.not_text(name, error.start)) from None


def parse_json(text: str, name: str, kind: str, version: int) -> dict[str, Any]:
    """An object of that kind and version; raises `DataError`."""
    source = Source(name, text)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        end = len(text.rstrip())
        if error.pos >= end or error.msg.startswith("Unterminated string"):
            raise DataError(say.ends_early(Span(source, max(end - 1, 0), end))) from None
        at = min(error.pos, max(len(text) - 1, 0))
        raise DataError(say.not_json(Span(source, at, at + 1), error.msg.lower())) from None
    except RecursionError:
        raise DataError(say.not_json(Span(source, 0, 1), "it is nested too deeply")) from None
    except ValueError as error:
        raise DataError(say.not_json(Span(source, 0, 1), str(error).lower())) from None
    return check_kind(data, name, kind, version)


def check_kind(data: object, name: str, kind: str, version: int) -> dict[str, Any]:
    """The object, if it is of that kind and version; raises `DataError`."""
    if not isinstance(data, dict) or data.get("format") != kind:
        found = data.get("format") if isinstance(data, dict) else None
        raise DataError(say.other_kind(name, kind, found))
    if data.get("version") != version or isinstance(data.get("version"), bool):
        raise DataError(say.other_version(name, version, data.get("version")))
    return data


class Shape:
    """Takes an object apart; raises `DataError` with the path of what has another shape."""

    __slots__ = ("_data", "_where")

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, dict):
            raise DataError(say.wrong_entry(where, "a mapping", data))
        self._data: dict[str, Any] = data
        self._where = where

    def text(self, key: str) -> str:
        """A text."""
        return str(self._take(key, str, "a text"))

    def number(self, key: str) -> int:
        """A whole number."""
        return int(self._take(key, int, "a whole number"))

    def items(self, key: str) -> list[Any]:
        """A list."""
        return list(self._take(key, list, "a list"))

    def mapping(self, key: str) -> dict[str, Any]:
        """A mapping."""
        return dict(self._take(key, dict, "a mapping"))

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self._data

    def all(self) -> dict[str, Any]:
        """Everything."""
        return dict(self._data)

    def _take(self, key: str, type_: type, wanted: str) -> Any:
        found = self._data.get(key)
        if not isinstance(found, type_) or isinstance(found, bool):
            raise DataError(say.wrong_entry(f"{self._where}.{key}".lstrip("."), wanted, found))
        return found
