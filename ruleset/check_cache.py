"""What checking a game gave, kept between runs for as long as no file has changed.

A game with many rulings is checked once for each reading, which takes seconds. The answer depends
on the texts of its files and on this package alone, so it is kept as JSON under a digest of both.
Takes paths and reports; a cache that cannot be read or written is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, cast

from ruleset.cache_folder import cache_folder, is_ours
from ruleset.diagnostics.diagnostic import Diagnostic, Label, Report, Severity
from ruleset.files import MAX_BYTES
from ruleset.source import Source, Span

KEPT: Final = 40
"""So many answers are kept, the newest."""
_CODE: Final = (".py", ".lark", ".json")


def recall(path: str) -> Report | None:
    """The report of an earlier check, if the game at a path and all its files are as they were."""
    data = _read(path)
    file = _file(path, data) if data is not None else None
    if file is None:
        return None
    try:
        if not is_ours(file):
            return None
        kept = json.loads(file.read_bytes())
        sources = []
        for name, digest in kept["files"]:
            text = _read(name)
            if text is None or _digest([text]) != digest:
                return None
            sources.append(Source(name, text.decode("utf-8")))
        report = Report()
        for each in kept["diagnostics"]:
            report.add(_diagnostic(each, sources))
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        return None
    return report


def remember(path: str, sources: Iterable[Source], report: Report) -> None:
    """Keep a report whose diagnostics all lie in these sources; the first is that at the path."""
    sources = list(sources)
    places = {id(source): number for number, source in enumerate(sources)}
    spans = [label.span for each in report.diagnostics for label in each.labels]
    if any(id(span.source) not in places for span in spans):
        return
    texts = [source.text.encode("utf-8") for source in sources]
    file = _file(path, texts[0])
    if file is None:
        return
    kept = {
        "files": [
            [source.name, _digest([text])] for source, text in zip(sources, texts, strict=True)
        ],
        "diagnostics": [_plain(each, places) for each in report.diagnostics],
    }
    scratch = file.with_suffix(f".{os.getpid()}.new")
    try:
        scratch.write_text(json.dumps(kept), "utf-8")
        scratch.replace(file)
        _forget(file.parent)
    except OSError:
        pass


def _forget(folder: Path) -> None:
    """Remove the oldest answers."""
    found = sorted(folder.glob("check-*.json"), key=lambda each: each.stat().st_mtime_ns)
    for each in found[:-KEPT]:
        each.unlink(missing_ok=True)


def _read(path: str) -> bytes | None:
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError):
        return None
    return data if len(data) <= MAX_BYTES else None


def _file(path: str, data: bytes) -> Path | None:
    """Where the answer for this path and text lies, with this package as it is."""
    folder = cache_folder()
    if folder is None:
        return None
    name = _digest([*_package(), os.fsencode(path), data])
    return folder / f"check-{name[:24]}.json"


def _package() -> Iterator[bytes]:
    """What tells one state of this package from another."""
    yield sys.version.encode()
    here = Path(__file__).parent
    for folder, folders, names in os.walk(here):
        folders.sort()
        for name in sorted(names):
            if name.endswith(_CODE):
                found = (Path(folder) / name).stat()
                yield f"{folder}/{name} {found.st_size} {found.st_mtime_ns}".encode()


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d\n" % len(part))
        digest.update(part)
    return digest.hexdigest()


def _plain(diagnostic: Diagnostic, places: dict[int, int]) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "labels": [
            [places[id(label.span.source)], label.span.start, label.span.end, label.text]
            for label in diagnostic.labels
        ],
        "helps": diagnostic.helps,
        "notes": diagnostic.notes,
        "within": diagnostic.within,
    }


def _diagnostic(kept: dict[str, Any], sources: list[Source]) -> Diagnostic:
    return Diagnostic(
        kept["code"],
        cast("Severity", kept["severity"]),
        kept["message"],
        tuple(
            Label(Span(sources[number], start, end), text)
            for number, start, end, text in kept["labels"]
        ),
        tuple(kept["helps"]),
        tuple(kept["notes"]),
        kept["within"],
    )
