"""The rulings of a game: for each open question of its document, the readings to pick from.

Takes the nodes of a rulings file; gives `Ruling` records. The default reading is the game file
itself; every other one is an overlay on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Names
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import rulings as messages
from ruleset.document import Entry, Mapping, Node
from ruleset.loader.reading import entries, get, ident, idents, text
from ruleset.source import Span
from ruleset.syntax import Ident
from ruleset.variants import Overlay, meeting, overlay_edits

KEYS: Final = frozenset(
    {"from", "asks", "default", "excludes", "requires", "cites", "assumed", "labels"}
)
"""The keys of a ruling that are not readings."""


@dataclass(frozen=True, slots=True, eq=False)
class Ruling:
    """One question with its readings."""

    name: str
    span: Span
    """The key."""
    question: Ident | None
    """The question of the document that it answers."""
    asks: str
    default: str
    readings: Names[str, Overlay]
    """All readings but the default, which changes nothing."""
    excludes: tuple[Ident, ...]
    requires: tuple[Ident, ...]
    cites: tuple[Ident, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All readings, the default first."""
        return (self.default, *self.readings)

    def shut_out(self, reading: str) -> tuple[Ident, ...]:
        """The readings of other rulings that cannot go with this one."""
        overlay = self.readings.get(reading)
        return (*self.excludes, *overlay.excludes) if overlay else ()

    def needed(self, reading: str) -> tuple[Ident, ...]:
        """The readings of other rulings that this one builds on."""
        overlay = self.readings.get(reading)
        return (*self.requires, *overlay.requires) if overlay else ()


def read_rulings(root: Mapping, report: Report) -> dict[str, Ruling]:
    """The rulings of a file, in its order; faults inside one ruling are told."""
    return {
        entry.key.text: _ruling(entry, report)
        for entry in entries(root.get("rulings"))
        if isinstance(entry.value, Mapping)
    }


def _ruling(entry: Entry, report: Report) -> Ruling:
    name, body = entry.key.text, entry.value
    default = ident(get(body, "default"))
    readings: dict[str, Overlay] = {}
    for each in entries(body):
        if each.key.text in KEYS:
            continue
        reading = each.key.text
        if default is not None and reading == default.name:
            report.add(messages.default_written_out(each.key.span, name, default))
            continue
        readings[reading] = _reading(each, name, report)
    if not readings and default is not None:
        report.add(messages.one_reading(entry.key.span, name, text(get(body, "from"))))
    return Ruling(
        name=name,
        span=entry.key.span,
        question=ident(get(body, "from")),
        asks=text(get(body, "asks")),
        default=default.name if default else "",
        readings=readings,
        excludes=idents(get(body, "excludes")),
        requires=idents(get(body, "requires")),
        cites=idents(get(body, "cites")),
    )


def _reading(entry: Entry, ruling: str, report: Report) -> Overlay:
    edits = overlay_edits(entry.value)
    name = f"{ruling}.{entry.key.text}"
    if not edits and isinstance(entry.value, Mapping):
        report.add(messages.reading_without_change(entry.key.span, name))
    return Overlay(
        name=name,
        span=entry.key.span,
        edits=edits,
        excludes=idents(get(entry.value, "excludes")),
        requires=idents(get(entry.value, "requires")),
    )


# ------------------------------------------------------------------ all of them together


def check_rulings(rulings: Names[str, Ruling], options: Node | None, report: Report) -> None:
    """Names that clash or do not exist, and readings that touch one part of the game."""
    for entry in entries(options):
        if (ruling := rulings.get(entry.key.text)) is not None:
            report.add(messages.also_an_option(ruling.span, ruling.name, entry.key.span))
    known = {f"{ruling.name}.{reading}" for ruling in rulings.values() for reading in ruling.names}
    for ruling in rulings.values():
        for named in _named(ruling):
            if named.name not in known:
                report.add(messages.no_such_reading(named, known, rulings))
            elif named.name.partition(".")[0] == ruling.name:
                report.add(messages.names_itself(named, ruling.name))
    for a, b in combinations(rulings.values(), 2):
        _check_pair(a, b, report)


def _named(ruling: Ruling) -> Iterator[Ident]:
    yield from ruling.excludes
    yield from ruling.requires
    for overlay in ruling.readings.values():
        yield from overlay.excludes
        yield from overlay.requires


def _check_pair(a: Ruling, b: Ruling, report: Report) -> None:
    for first, one in a.readings.items():
        for second, other in b.readings.items():
            if excluded(a, first, b, second) or _builds_on(a, first, b, second):
                continue
            if (met := meeting(one, other)) is None:
                continue
            report.add(
                messages.readings_clash(
                    met[1].span, met[0].span, other.name, one.name, ".".join(met[1].names), b.name
                )
            )


def excluded(a: Ruling, first: str, b: Ruling, second: str) -> bool:
    """Whether two readings say that they do not go together."""
    return any(each.name == f"{b.name}.{second}" for each in a.shut_out(first)) or any(
        each.name == f"{a.name}.{first}" for each in b.shut_out(second)
    )


def _builds_on(a: Ruling, first: str, b: Ruling, second: str) -> bool:
    """Whether one of two readings requires the other, and so may change what that one brings."""
    return any(each.name == f"{b.name}.{second}" for each in a.needed(first)) or any(
        each.name == f"{a.name}.{first}" for each in b.needed(second)
    )


def overlays(rulings: Names[str, Ruling], setting: Names[str, str]) -> list[Overlay]:
    """The overlays of a setting as they apply: in the order of the file, required ones first.

    Rulings that the setting does not name stay at their default.
    """
    found: list[Overlay] = []
    seen: set[str] = set()

    def visit(name: str) -> None:
        ruling = rulings.get(name)
        if ruling is None or name in seen or name not in setting:
            return
        seen.add(name)
        for need in ruling.needed(setting[name]):
            visit(need.name.partition(".")[0])
        overlay = ruling.readings.get(setting[name])
        if overlay is not None:
            found.append(overlay)

    for name in rulings:
        visit(name)
    return found


def alone(rulings: Names[str, Ruling], ruling: Ruling, reading: str) -> dict[str, str]:
    """The smallest setting with a reading: itself, and all that it builds on."""
    setting: dict[str, str] = {}
    waiting = [(ruling.name, reading)]
    while waiting:
        name, picked = waiting.pop()
        if name in rulings and name not in setting:
            setting[name] = picked
            for need in rulings[name].needed(picked):
                other, _, needed = need.name.partition(".")
                waiting.append((other, needed))
    return setting


def setting_faults(rulings: Names[str, Ruling], setting: Names[str, str], report: Report) -> None:
    """Readings in one setting that exclude each other, or lack what they build on."""
    for a, b in combinations(rulings.values(), 2):
        if excluded(a, setting[a.name], b, setting[b.name]):
            report.add(
                messages.excluded_together(
                    f"{a.name}.{setting[a.name]}", f"{b.name}.{setting[b.name]}"
                )
            )
    for ruling in rulings.values():
        for need in ruling.needed(setting[ruling.name]):
            other, _, reading = need.name.partition(".")
            if setting.get(other) != reading:
                report.add(
                    messages.needs_another(
                        f"{ruling.name}.{setting[ruling.name]}", need.name, need.span
                    )
                )
