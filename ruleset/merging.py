"""Diagnostics that say one thing of several places, put together.

Takes diagnostics and gives as many or fewer of them; nothing is checked again here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.diagnostics.messages import mending as messages
from ruleset.source import Span

_LACKING: Final = frozenset(
    {"RW103", "RW201", "RW202", "RW204", "RW221", "RW225", "RW231", "RW280", "RW281", "RW501"}
)
_ALIKE: Final = frozenset({"RW553", "RW554"})
"""What one deleted line brings about in many places."""
_CALLS: Final = frozenset({"RW321", "RW322", "RW331", "RW332"})
"""What is told of all who call or hook one rule whose header is wrong."""
MANY: Final = 3
"""So many things that may be none where they must be there lack one promise, all together."""
_BINDING: Final = frozenset({"RW009", "RW022", "RW025", "RW210", "RW211", "RW212"})
"""Faults of what gives things their names; what cannot find these names follows."""
_OF_NAMES: Final = frozenset({"RW201", "RW205", "RW302", "RW341", "RW343"})
_ONE_OF_GAME: Final = frozenset({("RW404", "RW406"), ("RW432", "RW406"), ("RW404", "RW432")})
"""Of a game that cannot end: the first follows from the second."""
_STRUCTURE: Final = frozenset({"RW006", "RW010", "RW013", "RW018", "RW024"})
"""Faults after which it is not sure what belongs to what."""
_SHAPE: Final = frozenset({"RW020", "RW021", "RW022", "RW023", "RW025", "RW026"})
_TYPES: Final = frozenset(
    {"RW301", "RW304", "RW310", "RW340", "RW362", "RW501", "RW502", "RW503", "RW521", "RW522"}
)
"""What is told, too, of a record whose keys are wrong."""
_YAML: Final = re.compile(r"RW0[01]")
_FOLLOWING: Final = re.compile(r"RW(?:0[23]|[2-5])")


def merged(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The same faults, each told once, in the order of the first of each."""
    return list(_together(_without_followers(_one_a_place(list(found)))))


def _one_a_place(found: list[Diagnostic]) -> list[Diagnostic]:
    """One of those at the very same place: one with a way out, or the first."""
    kept: dict[object, Diagnostic] = {}
    for number, diagnostic in enumerate(found):
        span = diagnostic.span
        at: object = number if span is None else (span.source, span.start)
        before = kept.get(at)
        if before is None or (not _suggests(before) and _suggests(diagnostic)):
            kept[at] = diagnostic
    return list(kept.values())


def _suggests(diagnostic: Diagnostic) -> bool:
    return any("did you mean" in text for text in (diagnostic.message, *diagnostic.helps))


def _without_followers(found: list[Diagnostic]) -> list[Diagnostic]:
    """Where keys and lines are out of place, some of what is told later follows from it."""
    shapes = {_record_name(d) for d in found if d.code in _SHAPE} - {""}
    broken = [d for d in found if _breaks(d)]
    records = {_record_name(d) for d in broken} - {""}
    kept: list[Diagnostic] = []
    for diagnostic in found:
        record = _record_name(diagnostic)
        if diagnostic.code in _STRUCTURE:
            if record and any(
                d.code == diagnostic.code and _record_name(d) == record for d in kept
            ):
                continue
        elif diagnostic.code == "RW021" and any(
            d.code == "RW020" and _record_name(d) == record for d in found
        ):
            continue  # the key that it lacks is the one that it does not know
        elif broken and _FOLLOWING.match(diagnostic.code) and not _breaks(diagnostic):
            lacking = diagnostic.code in _LACKING and not _suggests(diagnostic)
            about = _names(diagnostic) & records
            if lacking or about or record in records or diagnostic.code in _ALIKE:
                continue
        elif (
            diagnostic.code in _TYPES and (record in shapes or _names(diagnostic) & shapes)
        ) or any(_follows(diagnostic, other) for other in found if other is not diagnostic):
            continue
        kept.append(diagnostic)
    return kept


def _line(diagnostic: Diagnostic) -> tuple[str, int]:
    span = diagnostic.span
    return (span.source.name, span.line) if span else ("", 0)


def _names(diagnostic: Diagnostic) -> set[str]:
    """The names in the code that a message quotes."""
    quoted = re.findall(r"`([^`]*)`", diagnostic.message)
    return {name for text in quoted for name in re.findall(r"\w+", text)}


def _breaks(diagnostic: Diagnostic) -> bool:
    """Whether it is not sure any more what belongs to what, or what there is."""
    section = diagnostic.span is not None and diagnostic.span.column <= 3
    return diagnostic.code in _STRUCTURE or (section and diagnostic.code == "RW025")


def _follows(diagnostic: Diagnostic, other: Diagnostic) -> bool:
    """Whether one is only the other once more."""
    if diagnostic.code == "RW022" and other.code == "RW280":
        return _record_name(diagnostic) == _record_name(other)
    if diagnostic.code == "RW430" and other.code != "RW430":
        path = diagnostic.span.text if diagnostic.span else ""
        return _record_name(other) in path.split(".")[:2]
    if other.code == "RW103" and diagnostic.code == "RW100":
        return _word(diagnostic) == _word(other) != ""
    if diagnostic.code in ("RW401", "RW404") and other.code == "RW403":
        return "cannot be inside itself" in other.message
    if diagnostic.code in _ALIKE and other.code in ("RW550", "RW551", "RW555"):
        return True
    if diagnostic.code == "RW526" and other.code in ("RW524", "RW525", "RW020"):
        return _record_name(diagnostic) == _record_name(other)
    if other.code in _BINDING and diagnostic.code in _OF_NAMES and not _suggests(diagnostic):
        return _record_name(diagnostic) == _record_name(other)
    if diagnostic.code == "RW521" and other.code == "RW520":
        return _record_name(diagnostic) == _record_name(other)
    if (diagnostic.code, other.code) in _ONE_OF_GAME:
        return True
    if diagnostic.code == "RW308" and other.code == "RW349":
        return _record_name(diagnostic) == _record_name(other)
    if diagnostic.code == "RW303" and other.code == "RW352":
        return True
    if diagnostic.code == "RW205" and other.code == "RW351":
        return _line(diagnostic) == _line(other)
    if diagnostic.code == "RW021" and other.code == "RW026":
        return _record_name(diagnostic) == _record_name(other)
    if _YAML.match(other.code) and not _YAML.match(diagnostic.code):
        return _line(diagnostic) == _line(other)
    if diagnostic.code == "RW021" and other.code == "RW022":
        return "a reading" in other.message and _record_name(diagnostic) == _record_name(other)
    if diagnostic.code == "RW501" and other.code == "RW021":
        name = diagnostic.span.text if diagnostic.span else ""
        return f"`{name}`" in other.message
    return False


def _word(diagnostic: Diagnostic) -> str:
    """What stands at a place, without the parameters of a rule."""
    return diagnostic.span.text.partition("(")[0].strip() if diagnostic.span else ""


def _record_name(diagnostic: Diagnostic) -> str:
    """The key of the record around a place, by the columns of the lines above it."""
    span = diagnostic.span
    if span is None:
        return ""
    for number in range(span.line, 0, -1):
        if head := re.match(r" {2}(\w+)", span.source.line(number)):
            return head[1]
    return ""


def _together(found: list[Diagnostic]) -> Iterator[Diagnostic]:
    groups: dict[object, list[Diagnostic]] = {}
    unsure = sum(d.code == "RW303" for d in found)
    for number, diagnostic in enumerate(found):
        cause = _cause(diagnostic, number)
        if diagnostic.code == "RW303" and unsure >= MANY:
            cause = diagnostic.code
        groups.setdefault(cause, []).append(diagnostic)
    for first, *others in groups.values():
        places = [d.span for d in others if d.span is not None]
        yield _with_places(first, places) if places else first


def _cause(diagnostic: Diagnostic, number: int) -> object:
    """What two diagnostics have in common where one mistake brings about both."""
    if diagnostic.code in _ALIKE:
        return diagnostic.code
    if diagnostic.code in _LACKING and diagnostic.span is not None:
        return diagnostic.span.text
    if diagnostic.code in _CALLS:
        return diagnostic.code, diagnostic.message.split("(")[0].split(":")[0]
    return number


def _with_places(first: Diagnostic, places: list[Span]) -> Diagnostic:
    near, far = places[: messages.SHOWN], places[messages.SHOWN :]
    labels = (*first.labels, *(Label(place, "and here") for place in near))
    notes = (*first.notes, messages.further(far)) if far else first.notes
    return replace(first, labels=labels, notes=notes)
