"""How the messages of the checker are put together: one place, words under it, ways out."""

from __future__ import annotations

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.source import Span


def error(
    code: str,
    span: Span,
    message: str,
    *helps: str,
    label: str = "",
    other: Label | None = None,
    notes: tuple[str, ...] = (),
) -> Diagnostic:
    """An error at one place; ``other`` is a second place that it is about."""
    labels = (Label(span, label),) if other is None else (Label(span, label), other)
    return Diagnostic(code, "error", message, labels, helps, notes)


def warning(
    code: str, span: Span, message: str, *helps: str, label: str = "", other: Label | None = None
) -> Diagnostic:
    """A warning at one place."""
    labels = (Label(span, label),) if other is None else (Label(span, label), other)
    return Diagnostic(code, "warning", message, labels, helps)


def meant(close: str | None) -> tuple[str, ...]:
    """The help for a name that is near."""
    return (f"did you mean `{close}`?",) if close else ()


def did_you_mean(close: str | None) -> str:
    """The end of a headline for a name that is near."""
    return f"; did you mean `{close}`?" if close else ""


def listed(names: list[str], last: str = "or") -> str:
    """Names as a list in words: `a`, `b` or `c`."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"
