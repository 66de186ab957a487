"""One mistake, one diagnostic: what follows from a mistake is not told beside it.

Takes the report of a check and a way to check again with other texts. Where a diagnostic says
what was meant, that is put in its place, and the game is checked once more; what is then gone
followed from it. What several places lack is told once, with all the places.
Places are those of the texts as written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.messages import mending as messages
from ruleset.diagnostics.suggest import nearest
from ruleset.merging import merged
from ruleset.source import Source, Span

MAX_FAULTS: Final = 300
"""A report with more of them is left as it is."""
MAX_TEXT: Final = 200_000
MAX_TRIES: Final = 12
"""How often a game is checked again to find out what follows from what."""

_MEANT: Final = re.compile(r"did you mean `([^`\n]{1,80})`\?")
_WRITE: Final = re.compile(r"write `([^`\n]{1,80})`")
_NOT_A_NAME: Final = "RW024"
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NO_KIND: Final = re.compile(r"`(\w+)` is a number, this is an? (\w+)")
"""How a parameter is told whose kind nothing says."""
_EXPECTED: Final = re.compile(r"expected (`.*), found `([^`]*)`$")
_LACKING: Final = frozenset({"RW201", "RW202", "RW204", "RW221", "RW225", "RW231", "RW501"})
"""What is told of a name that nothing declares; the name stands at the place told."""
_UNKNOWN_KEY: Final = "RW020"
_TWICE: Final = "RW013"
_ARGUMENTS: Final = frozenset({"RW321", "RW323", "RW350"})

Again = Callable[[Mapping[str, str], bool], Report]
"""Check again with these texts; the second says whether the readings are left out."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """A text in the place of another."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class _Guess:
    """What was meant, and the diagnostic that says so."""

    edit: _Edit
    told: Diagnostic


def settled(report: Report, again: Again) -> Report:
    """The report without what follows from something else that it tells."""
    found = report.sorted()
    if len(found) < 2 or len(found) > MAX_FAULTS:
        return report
    search = _Search(again, found)
    if sum(len(source) for source in search.sources.values()) <= MAX_TEXT:
        search.run()
    settled_report = Report()
    for diagnostic in (*search.told, *merged(search.rest)):
        settled_report.add(diagnostic)
    return settled_report


class _Search:
    """The mistakes found so far, and what is left to explain."""

    def __init__(self, again: Again, found: list[Diagnostic]) -> None:
        self.again = again
        self.rest = found
        self.told: list[Diagnostic] = []
        self.edits: list[_Edit] = []
        self.sources: dict[str, Source] = {}
        self.tries = 0
        for diagnostic in found:
            for label in diagnostic.labels:
                self.sources.setdefault(label.span.source.name, label.span.source)

    def run(self) -> None:
        while len(self.rest) > 1 and self.step():
            pass

    def step(self) -> bool:
        """Take the guess that explains most; False where none explains anything."""
        base = self.checked(self.edits, quick=True)
        quick = len(base) > 1
        before = base if quick else self.rest
        best: _Guess | None = None
        least = len(before) - 1
        for guess in _guesses(self.rest):
            if self.tries == MAX_TRIES or least <= len(before) // 4:
                break
            if any(_meet(guess.edit.span, edit.span) for edit in self.edits):
                continue
            self.tries += 1
            left = len(self.checked([*self.edits, guess.edit], quick=quick))
            if left < least:
                best, least = guess, left
        if best is None:
            return False
        left_in_all = self.checked([*self.edits, best.edit])
        if len(left_in_all) >= len(self.rest) - 1:
            return False
        self.edits.append(best.edit)
        self.told.append(best.told)
        self.rest = left_in_all
        return True

    def checked(self, edits: list[_Edit], *, quick: bool = False) -> list[Diagnostic]:
        """What is told with these edits, at the places of the texts as written."""
        texts = {}
        for name in {edit.span.source.name for edit in edits}:
            text = self.sources[name].text
            for edit in sorted(_of(name, edits), key=lambda e: e.span.start, reverse=True):
                text = text[: edit.span.start] + edit.text + text[edit.span.end :]
            texts[name] = text
        report = Report()
        for diagnostic in self.again(texts, quick).sorted():
            labels = tuple(replace(at, span=self.back(at.span, edits)) for at in diagnostic.labels)
            report.add(replace(diagnostic, labels=labels))
        return report.diagnostics

    def back(self, span: Span, edits: list[_Edit]) -> Span:
        name = span.source.name
        source = self.sources.setdefault(name, span.source)
        own = sorted(_of(name, edits), key=lambda edit: edit.span.start)
        return Span(source, _back(span.start, own, end=False), _back(span.end, own, end=True))


def _of(name: str, edits: Iterable[_Edit]) -> Iterator[_Edit]:
    return (edit for edit in edits if edit.span.source.name == name)


def _back(offset: int, edits: list[_Edit], *, end: bool) -> int:
    """The offset in the text as written; inside an edit, its start or end."""
    moved = 0
    for edit in edits:
        start = edit.span.start + moved
        if offset < start or (offset == start and not end):
            break
        if offset < start + len(edit.text) or (offset == start + len(edit.text) and end):
            return edit.span.end if end else edit.span.start
        moved += len(edit.text) - (edit.span.end - edit.span.start)
    return offset - moved


def _meet(a: Span, b: Span) -> bool:
    return a.source.name == b.source.name and a.start < b.end and b.start < a.end


# ------------------------------------------------------------------ what may have been meant


def _guesses(found: list[Diagnostic]) -> Iterator[_Guess]:
    """Each once, those that explain much first."""
    seen: set[_Edit] = set()
    for guess in _all_guesses(found):
        if guess.edit not in seen:
            seen.add(guess.edit)
            yield guess


def _all_guesses(found: list[Diagnostic]) -> Iterator[_Guess]:
    yield from _lines_twice(found)
    yield from (guess for d in found if d.code == _UNKNOWN_KEY for guess in _as_suggested(d))
    yield from _misspelt_where_declared(found)
    yield from _header_without_parameters(found)
    yield from (guess for d in found if d.code != _UNKNOWN_KEY for guess in _as_suggested(d))
    yield from _as_expected(found)
    yield from _word_left_out(found)
    yield from _another_key(found)
    yield from _renamed(found)


def _as_expected(found: list[Diagnostic]) -> Iterator[_Guess]:
    """The word that is nearest to what is written, of those that could stand there."""
    parameters = [d.span.text for d in found if d.code == "RW201" and d.span is not None]
    for diagnostic in found:
        span = diagnostic.span
        said = _EXPECTED.match(diagnostic.message)
        if span is not None and said is not None and said[2] == span.text:
            near = nearest(said[2], re.findall(r"`([^`]*)`", said[1]))
            if near is not None:
                yield _Guess(_Edit(span, near), diagnostic)
        elif span is not None and span.text in ("effect", "condition") and parameters:
            name = max(sorted(set(parameters)), key=parameters.count)
            yield _Guess(_Edit(span, f"{span.text}({name})"), diagnostic)


def _word_left_out(found: list[Diagnostic]) -> Iterator[_Guess]:
    """A parameter that is no word of the kind with which it is called."""
    for diagnostic in found:
        span, said = diagnostic.span, _NO_KIND.search(diagnostic.message)
        if span is None or said is None:
            continue
        for source in {id(d.span.source): d.span.source for d in found if d.span}.values():
            words = re.search(rf"(?m)^words:(?:\n .*)*?\n {{2}}{said[2]}: *\[", source.text)
            insert = f"{said[1]}, "
            if words is None:
                words = re.search(r"(?m)^words:.*\n", source.text)
                insert = f"  {said[2]}: [{said[1]}]\n"
            head = re.search(rf"(?m)^ {{2}}\w+\(.*?\b({said[1]})\b.*\):", source.text)
            if words is not None:
                at = Span(source, words.end(), words.end())
                first = Span(source, head.start(1), head.end(1)) if head else span
                told = messages.no_word(first, said[1], said[2])
                yield _Guess(_Edit(at, insert), told)


def _as_suggested(diagnostic: Diagnostic) -> Iterator[_Guess]:
    """The name that the message suggests; the usual owner of what is `each` of something else."""
    span = diagnostic.span
    if span is not None and diagnostic.message.endswith("for `each`"):
        yield _Guess(_Edit(span, "player"), diagnostic)
    pattern = _WRITE if diagnostic.code == _NOT_A_NAME else _MEANT
    said = pattern.search(" ".join((diagnostic.message, *diagnostic.helps)))
    if span is not None and said is not None and said[1] != span.text:
        yield _Guess(_Edit(span, said[1]), diagnostic)


def _lines_twice(found: list[Diagnostic]) -> Iterator[_Guess]:
    """A line that was written twice, one after the other."""
    for diagnostic in found:
        span = diagnostic.span
        if diagnostic.code == _TWICE and span is not None and span.line > 1:
            line, before = span.source.line(span.line), span.source.line(span.line - 1)
            if line.strip() == before.strip():
                start = span.start - span.column + 1
                yield _Guess(_Edit(Span(span.source, start, start + len(line)), ""), diagnostic)


def _lacking(found: Iterable[Diagnostic]) -> dict[str, list[Span]]:
    """The names that nothing declares, with the places that lack them."""
    lacking: dict[str, list[Span]] = {}
    for diagnostic in found:
        span = diagnostic.span
        if span is not None and (word := _NO_KIND.search(diagnostic.message)):
            lacking.setdefault(word[1], []).append(span)
        if span is not None and diagnostic.code in _LACKING and _NAME.fullmatch(span.text):
            lacking.setdefault(span.text, []).append(span)
    return lacking


def _misspelt_where_declared(found: list[Diagnostic]) -> Iterator[_Guess]:
    """A name that stands once, where it is declared, and that the others write otherwise."""
    for name, places in _lacking(found).items():
        source = places[0].source
        regions = [_record(places)]
        if len(places) > 1 or len(found) > 2:
            regions.append(Span(source, 0, len(source)))
        for region in regions:
            once = _words_once(region)
            near = nearest(name, [word for word in once if word != name])
            if near is not None:
                yield _declared_as(once[near], name, places)
        for diagnostic in found:  # misspelt as the name of something else
            span = diagnostic.span
            if diagnostic.code == "RW213" and span and nearest(name, [span.text]):
                yield _declared_as(span, name, places)


def _declared_as(span: Span, name: str, places: list[Span]) -> _Guess:
    return _Guess(_Edit(span, name), messages.misspelt(span, name, places))


def _record(places: list[Span]) -> Span:
    """The record around a place: the lines that stand deeper than its first one."""
    source, line = places[0].source, places[0].line
    while line > 1 and not re.match(r" {2}\S", source.line(line)):
        line -= 1
    start = places[0].start - places[0].column + 1
    for number in range(places[0].line - 1, line - 1, -1):
        start -= len(source.line(number)) + 1
    rest = re.compile(r"^ {0,2}\S", re.MULTILINE).search(source.text, max(places[0].end, start + 3))
    return Span(source, max(start, 0), rest.start() if rest else len(source))


def _words_once(region: Span) -> dict[str, Span]:
    """The words that stand once in a text, comments left out."""
    text = re.sub(r"(?m)(^|\s)#.*$", lambda m: " " * len(m[0]), region.text)
    places: dict[str, Span] = {}
    often: set[str] = set()
    for match in _NAME.finditer(text):
        if match[0] in places:
            often.add(match[0])
        start = region.start + match.start()
        places[match[0]] = Span(region.source, start, start + len(match[0]))
    return {word: span for word, span in places.items() if word not in often}


def _header_without_parameters(found: list[Diagnostic]) -> Iterator[_Guess]:
    """A rule that takes less than all who call it give, and lacks just such names inside."""
    said = [re.match(r"`(\w+)", d.message) for d in found if d.code in _ARGUMENTS]
    called = {match[1] for match in said if match is not None}
    for name in sorted(called):
        for source in {id(d.span.source): d.span.source for d in found if d.span}.values():
            head = re.search(rf"(?m)^ +({re.escape(name)}(?:\(([^)\n]*)\))?) *:", source.text)
            if head is None:
                continue
            span = Span(source, head.start(1), head.end(1))
            inside = _record([span])
            lacking = [
                d.span.text
                for d in found
                if d.code == "RW201" and d.span and d.span.source is source
                if inside.start <= d.span.start < inside.end
            ]
            names = list(dict.fromkeys([*filter(None, (head[2] or "").split(", ")), *lacking]))
            if lacking:
                edit = _Edit(span, f"{name}({', '.join(names)})")
                yield _Guess(edit, messages.lacks_parameters(span, name, lacking))


def _another_key(found: list[Diagnostic]) -> Iterator[_Guess]:
    """A key that the record does not have, in the place of one that it lacks."""
    for diagnostic in found:
        span = diagnostic.span
        if diagnostic.code != _UNKNOWN_KEY or span is None or _suggests(diagnostic):
            continue
        lacks = {
            key
            for other in found
            if other.code == "RW021"
            for key in re.findall(
                r"`(\w+)`", " ".join((other.message.split(" missing in ")[0], *other.helps))
            )
        }
        if span.column == 1:  # a section: the one that others look for
            lacks |= {"pieces", "map", "zones", "rules", "counters", "marks", "words", "flow"}
            lacks = {key for key in lacks if not re.search(rf"(?m)^{key}:", span.source.text)}
        for key in sorted(lacks):
            yield _Guess(_Edit(span, key), diagnostic)


def _suggests(diagnostic: Diagnostic) -> bool:
    return any(_MEANT.search(text) for text in (diagnostic.message, *diagnostic.helps))


def _renamed(found: list[Diagnostic]) -> Iterator[_Guess]:
    """A declaration that nothing names, while several places lack one."""
    for name, places in _lacking(found).items():
        if len(places) < 2 and len(found) < 3:
            continue
        source = places[0].source
        once = _words_once(Span(source, 0, len(source)))
        keys = re.compile(r"(?m)^ {2}(\w+)(?=[(:])")
        for key in keys.finditer(source.text):
            span = once.get(key[1])
            if span is not None and span.start == key.start(1):
                yield _declared_as(span, name, places)
