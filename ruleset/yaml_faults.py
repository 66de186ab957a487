"""What a YAML parser complains of -> one diagnostic in our own words.

Takes the parser's problem and context with their offsets; looks at the text around them to find
the usual cause. Knows the words of both of PyYAML's parsers.
"""

from __future__ import annotations

import re
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import document as messages
from ruleset.source import Source, Span

_LANGUAGE_LINE: Final = re.compile(
    r"^\s*(?:- )?(?:if|do|is|holds|where|with|else|gained|lost|penalty|event)\b\s*:"
    r"|\b(?:if|for|repeat|else|then)\b"
)
_KEY: Final = re.compile(r"\s*[\w.]+( [\w.]+){0,2}(\([\w, ]*\))?")
_CLOSING: Final = {"[": "]", "{": "}"}


def explain(
    source: Source, *, problem: str, context: str, at: int, since: int | None
) -> Diagnostic:
    """The diagnostic for ``problem`` at offset ``at``; ``since`` is where the construct begins."""
    text = source.text

    def span(start: int, length: int = 1) -> Span:
        start = min(start, len(text))
        return Span(source, start, min(start + length, len(text)))

    if "tab character" in problem:
        return messages.tab_in_indentation(span(at, _run(text, at, "\t")))
    if "mapping values" in problem:
        if _is_key(source, at):
            return messages.bad_indentation(_line_of(source, at), None)
        return messages.colon_in_value(span(at), _of_language(source, at))
    if "cannot start any token" in problem:
        if text[at : at + 1] == "\t":
            return messages.tab_in_indentation(span(at, _run(text, at, "\t")))
        return messages.bad_first_character(span(at))
    if "node content" in problem and text[at : at + 1] not in ("]", "}"):
        if text[at : at + 1].strip():
            return messages.no_value_here(span(at))
        return messages.not_yaml(span(at), "a value is missing here")
    if "alphabetic or numeric" in problem and since is not None:
        return messages.bad_first_character(span(since))
    if "quoted scalar" in context:
        return _in_quotes(source, problem, at, since)
    if "block scalar" in context:
        if "line break" in problem or "indicator" in problem:
            return messages.text_after_block_sign(span(at))
        return messages.bad_indentation(span(at), None)
    if "flow" in context and since is not None:
        bracket = text[since : since + 1]
        if bracket in _CLOSING:
            return messages.unclosed_bracket(span(since), span(at), bracket, _CLOSING[bracket])
    if "directive" in context or "directive" in problem:
        return messages.directive(span(at))
    if "simple key" in context or "expected ':'" in problem:
        start = since if since is not None else at
        return messages.line_without_key(_rest_of_line(source, start))
    if "block mapping" in context or "block collection" in context or "block" in problem:
        return _in_block(source, at, since)
    if text[at : at + 1] in ("]", "}"):
        return messages.unopened_bracket(span(at))
    if "document start" in problem:
        return messages.bad_indentation(span(at), None)
    return messages.not_yaml(span(at), problem)


def _in_quotes(source: Source, problem: str, at: int, since: int | None) -> Diagnostic:
    start = since if since is not None else at
    if "escape" in problem or "hexadecimal" in problem or "Unicode" in problem:
        return messages.bad_escape(Span(source, min(at, len(source)), min(at + 1, len(source))))
    return messages.unclosed_quote(
        Span(source, start, min(start + 1, len(source))), source.text[start : start + 1]
    )


def _in_block(source: Source, at: int, since: int | None) -> Diagnostic:
    text = source.text
    here = Span(source, at, min(at + 1, len(text)))
    line_start = text.rfind("\n", 0, at) + 1
    before = text[line_start:at]
    if text[at : at + 1] in ("]", "}"):
        return messages.unopened_bracket(here)
    closing = before.rstrip()[-1:]
    if closing in ("'", '"') and before.count(closing) == 1:
        opened = text.rfind(closing, 0, line_start)  # the quote was meant to end far above
        if opened >= 0:
            return messages.unclosed_quote(Span(source, opened, opened + 1), closing)
    if closing in ("'", '"', "]", "}"):
        return messages.text_after_value(_rest_of_line(source, at))
    if "\t" in before and not before.strip():
        tab = line_start + before.index("\t")
        return messages.tab_in_indentation(Span(source, tab, tab + 1))
    above = None
    if since is not None and source.position(since)[0] != source.position(at)[0]:
        above = Span(source, since, min(since + 1, len(text)))
    return messages.bad_indentation(_rest_of_line(source, at), above)


def _is_key(source: Source, at: int) -> bool:
    """Whether the colon comes after a key of its own line, which then is indented wrongly."""
    line, column = source.position(min(at, len(source)))
    before = source.line(line)[: column - 1]
    return line > 1 and bool(_KEY.fullmatch(before)) and not _LANGUAGE_LINE.search(before)


def _of_language(source: Source, at: int) -> bool:
    """Whether the line looks like one of the language, where a colon opens a block elsewhere."""
    line, column = source.position(min(at, len(source)))
    return bool(_LANGUAGE_LINE.search(source.line(line)[: column - 1]))


def _rest_of_line(source: Source, start: int) -> Span:
    end = source.text.find("\n", start)
    end = len(source) if end < 0 else end
    stop = start + len(source.text[start:end].split(" #")[0].rstrip())
    return Span(source, start, max(stop, min(start + 1, len(source))))


def _line_of(source: Source, at: int) -> Span:
    start = source.text.rfind("\n", 0, at) + 1
    while start < at and source.text[start].isspace():
        start += 1
    return _rest_of_line(source, start)


def _run(text: str, at: int, char: str) -> int:
    end = at
    while end < len(text) and text[end] == char:
        end += 1
    return end - at
