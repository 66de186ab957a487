"""Diagnostics -> text for people; ``export`` has the forms for programs.

Takes a report; gives its diagnostics by file and place. Columns of the excerpt follow the width
that a terminal gives each character; what a terminal would act on is shown as a sign.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ruleset.diagnostics.diagnostic import Diagnostic, Label, Report
from ruleset.source import Source

RenderStyle: TypeAlias = Literal["full", "line", "json", "sarif"]

MAX_SHOWN: Final = 50
"""So many diagnostics are shown in full, then only their number."""
MAX_WIDTH: Final = 100
"""Lines of the file that are wider are cut around the place."""
TAB: Final = "    "

_CODES: Final = {"red": "31", "yellow": "33", "blue": "34", "cyan": "36", "bold": "1"}


def render_report(
    report: Report, style: RenderStyle = "full", colour: bool = False, limit: int = MAX_SHOWN
) -> str:
    """All diagnostics of a report as text, without a line break at the end; empty if none."""
    found = report.sorted()
    match style:
        case "full":
            return _full(found, colour, limit)
        case "line":
            return "\n".join(_one_line(diagnostic) for diagnostic in found)
        case "json":
            from ruleset.diagnostics.export import as_json  # only tools need these forms

            return as_json(found)
        case "sarif":
            from ruleset.diagnostics.export import as_sarif  # only tools need these forms

            return as_sarif(found)


def render_diagnostic(diagnostic: Diagnostic, colour: bool = False) -> str:
    """One diagnostic in full."""
    return "\n".join(_Painter(colour).diagnostic(diagnostic))


def summary(found: Sequence[Diagnostic]) -> str:
    """``3 errors, 1 warning in 2 files``."""
    numbers = Counter(diagnostic.severity for diagnostic in found)
    parts = [
        f"{numbers[severity]:,} {severity}{'' if numbers[severity] == 1 else 's'}"
        for severity in ("error", "warning")
        if numbers[severity]
    ]
    files = {diagnostic.span.source.name for diagnostic in found if diagnostic.span}
    text = ", ".join(parts) or "no errors"
    if files:
        text += f" in {len(files)} file{'' if len(files) == 1 else 's'}"
    return text


def _full(found: Sequence[Diagnostic], colour: bool, limit: int) -> str:
    if not found:
        return ""
    painter = _Painter(colour)
    blocks = ["\n".join(painter.diagnostic(diagnostic)) for diagnostic in found[:limit]]
    more = len(found) - limit
    if more > 0:
        blocks.append(f"... {more:,} more {'is' if more == 1 else 'are'} not shown here")
    blocks.append(painter.paint("bold", summary(found)))
    return "\n\n".join(blocks)


def _one_line(diagnostic: Diagnostic) -> str:
    head = f"{diagnostic.severity}[{diagnostic.code}]: {visible(diagnostic.message)}"
    span = diagnostic.span
    return f"{visible(span.source.name)}:{span.line}:{span.column}: {head}" if span else head


# ------------------------------------------------------------------ characters and columns


def visible(text: str) -> str:
    """The text with signs in place of what would steer a terminal; line breaks become blanks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if char in "\n\t" else _sign(char) for char in text)


def width(text: str) -> int:
    """How many columns a terminal gives a text."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _sign(char: str) -> str:
    code = ord(char)
    if code < 32:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return "\ufffd"
    return char


def _shown(text: str) -> str:
    """A line of a file as the excerpt shows it."""
    return "".join(TAB if char == "\t" else _sign(char) for char in text)


# ------------------------------------------------------------------ the excerpt


@dataclass(frozen=True, slots=True)
class _Mark:
    """What is marked in one line: characters ``start`` to ``end`` of it, and the words for it."""

    line: int
    start: int
    end: int
    text: str
    primary: bool


class _Painter:
    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def paint(self, colour: str, text: str) -> str:
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.colour and text else text

    def diagnostic(self, diagnostic: Diagnostic) -> list[str]:
        accent = "red" if diagnostic.severity == "error" else "yellow"
        head = self.paint(accent, f"{diagnostic.severity}[{diagnostic.code}]")
        lines = [f"{head}: {self.paint('bold', visible(diagnostic.message))}"]
        gutter = max((len(str(_last_line(label))) for label in diagnostic.labels), default=1)
        bar = self.paint("blue", f"{' ' * gutter} |")
        for i, source in enumerate(_sources(diagnostic.labels)):
            labels = [label for label in diagnostic.labels if label.span.source is source]
            line, column = source.position(labels[0].span.start)
            arrow = self.paint("blue", " " * gutter + ("-->" if i == 0 else ":::"))
            place = f"{arrow} {visible(source.name)}:{line}:{column}"
            if i == 0 and diagnostic.within:
                place += f" in `{visible(diagnostic.within)}`"
            lines.append(place)
            lines.append(bar)
            marks = [m for label in labels for m in _marks(label, label is diagnostic.labels[0])]
            lines += self.excerpt(source, marks, gutter, accent)
        if diagnostic.helps or diagnostic.notes:
            if diagnostic.labels:
                lines.append(bar)
            equals = self.paint("blue", f"{' ' * gutter} =")
            for word, texts in (("help", diagnostic.helps), ("note", diagnostic.notes)):
                painted = self.paint("cyan", word)
                lines += [f"{equals} {painted}: {visible(text)}" for text in texts]
        return [line.rstrip() for line in lines]

    def excerpt(self, source: Source, marks: list[_Mark], gutter: int, accent: str) -> list[str]:
        lines: list[str] = []
        before: int | None = None
        for number in sorted({mark.line for mark in marks}):
            if before is not None and number > before + 1:
                if number == before + 2:
                    lines += [self.row(before + 1, gutter, _cut(source.line(before + 1), 0, 1)[0])]
                else:
                    lines.append(self.paint("blue", f"{' ' * gutter} ..."))
            here = sorted(
                (mark for mark in marks if mark.line == number),
                key=lambda mark: (not mark.primary, mark.start),
            )
            text = source.line(number)
            shown = None
            for mark in here:
                cut, start, end = _cut(text, mark.start, mark.end)
                if cut != shown:
                    lines.append(self.row(number, gutter, cut))
                    shown = cut
                sign = ("^" if mark.primary else "-") * max(1, end - start)
                words = f"{sign} {visible(mark.text)}".rstrip()
                painted = self.paint(accent if mark.primary else "blue", words)
                bar = self.paint("blue", f"{' ' * gutter} |")
                lines.append(f"{bar} {' ' * start}{painted}")
            before = number
        return lines

    def row(self, number: int, gutter: int, text: str) -> str:
        return f"{self.paint('blue', f'{number:>{gutter}} |')} {text}"


def _sources(labels: Iterable[Label]) -> list[Source]:
    found: list[Source] = []
    for label in labels:
        if label.span.source not in found:
            found.append(label.span.source)
    return found


def _last_line(label: Label) -> int:
    span = label.span
    return span.source.position(max(span.start, span.end - 1))[0]


def _marks(label: Label, primary: bool) -> list[_Mark]:
    """The marks of a label: one, or those of its first and last line, the words at the last."""
    span, source = label.span, label.span.source
    first, column = source.position(span.start)
    last = _last_line(label)
    if first == last:
        return [_Mark(first, column - 1, column - 1 + span.end - span.start, label.text, primary)]
    end_column = source.position(span.end - 1)[1]
    start_of_last = len(source.line(last)) - len(source.line(last).lstrip())
    return [
        _Mark(first, column - 1, max(len(source.line(first)), column), "", primary),
        _Mark(last, min(start_of_last, end_column - 1), end_column, label.text, primary),
    ]


def _cut(line: str, start: int, end: int) -> tuple[str, int, int]:
    """A line as shown, and the columns of a mark in it; what is too wide is cut around the mark."""
    start, end = min(start, len(line)), min(end, len(line))
    first, dots, more = 0, "", ""
    if len(line) > 8 * MAX_WIDTH:  # a line of a megabyte need not be measured as a whole
        skipped = max(0, start - 2 * MAX_WIDTH)
        line = line[skipped : skipped + 8 * MAX_WIDTH]
        start, end = start - skipped, min(end - skipped, len(line))
        dots = "..." if skipped else ""
    if width(_shown(line)) > MAX_WIDTH:
        if width(_shown(line[: min(end, start + MAX_WIDTH // 2)])) > MAX_WIDTH - 10:
            first, dots = max(0, start - MAX_WIDTH // 3), "..."
        last = first
        columns = len(dots)
        while last < len(line):
            columns += width(_shown(line[last]))
            if columns > MAX_WIDTH - 3:
                break
            last += 1
        more = "..." if last < len(line) else ""
        line = line[:last]
        end = min(end, last)
    shown = dots + _shown(line[first:]) + more
    left = len(dots) + width(_shown(line[first:start]))
    return shown, left, left + width(_shown(line[start:end]))
