"""Diagnostics as values: what is wrong, where, and what to do about it.

Nothing here prints or raises; ``render`` turns these values into text, JSON or SARIF.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ruleset.source import Span

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Label:
    """A place and the words that stand under it; an empty text shows the caret alone."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault of what a user wrote.

    ``labels[0]`` is the primary place; a fault of a whole file (one that is missing, say)
    has no label and names the file in its message. ``code`` is a key of ``codes.CODES``.
    """

    code: str
    severity: Severity
    message: str
    labels: tuple[Label, ...] = ()
    helps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    within: str = ""
    """The record that the primary place lies in, as a path: ``rules.drive``."""

    @property
    def span(self) -> Span | None:
        """The primary place."""
        return self.labels[0].span if self.labels else None


@dataclass(slots=True)
class Report:
    """The diagnostics of one run, collected in any order."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    _known: set[Diagnostic] = field(default_factory=set, init=False, repr=False, compare=False)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add one; the same fault at the same place is kept once."""
        if diagnostic not in self._known:
            self._known.add(diagnostic)
            self.diagnostics.append(diagnostic)

    @property
    def ok(self) -> bool:
        """Whether there is no error (warnings do not count)."""
        return all(d.severity != "error" for d in self.diagnostics)

    def sorted(self) -> list[Diagnostic]:
        """All of them by file and place."""
        return sorted(self.diagnostics, key=_place)


def _place(diagnostic: Diagnostic) -> tuple[str, int, str]:
    span = diagnostic.span
    return (span.source.name, span.start, diagnostic.code) if span else ("", 0, diagnostic.code)


class RulesetError(Exception):
    """What a user wrote has faults; carries the report and shows it as text."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(report)

    def __str__(self) -> str:
        from ruleset.diagnostics.render import (
            render_report,
        )  # the text needs the renderer, the value does not

        return render_report(self.report)
