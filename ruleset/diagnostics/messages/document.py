"""Messages about files and YAML: RW001 to RW019. Those about the shape are in ``shape``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ruleset.diagnostics.diagnostic import Diagnostic, Label
from ruleset.source import Span

CODES: Final[dict[str, str]] = {
    "RW001": "a file cannot be opened",
    "RW002": "a file is not UTF-8 text",
    "RW003": "a file is too large",
    "RW004": "a character that no text has",
    "RW005": "a tab in the indentation",
    "RW006": "lines that do not line up",
    "RW007": "a quote or bracket that is not closed",
    "RW008": "a colon inside a value",
    "RW009": "a comma that ends a value",
    "RW010": "text that is not YAML",
    "RW011": "a tag",
    "RW012": "an anchor, an alias or a merge key",
    "RW013": "a key that comes twice",
    "RW014": "several documents in one file",
    "RW015": "an empty file",
    "RW016": "a key that is not a name",
    "RW017": "a word that YAML takes for nothing",
    "RW018": "a line without a key",
}


def error(
    code: str,
    message: str,
    span: Span | None,
    text: str = "",
    *,
    also: Sequence[Label] = (),
    helps: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Diagnostic:
    """An error with its primary place, or with none where a whole file is meant."""
    labels = (() if span is None else (Label(span, text),)) + tuple(also)
    return Diagnostic(code, "error", message, labels, tuple(helps), tuple(notes))


# ------------------------------------------------------------------ files


def file_missing(path: str, nearest: str | None, asked_by: Span | None) -> Diagnostic:
    """No such file."""
    helps = [f"did you mean `{nearest}`?"] if nearest else []
    return error("RW001", f"there is no file `{path}`", asked_by, helps=helps)


def file_is_folder(path: str, asked_by: Span | None) -> Diagnostic:
    """A folder where a file is wanted."""
    return error(
        "RW001",
        f"`{path}` is a folder, expected a YAML file",
        asked_by,
        helps=["name the file inside it"],
    )


def file_unreadable(path: str, reason: str, asked_by: Span | None) -> Diagnostic:
    """The system refuses."""
    return error("RW001", f"`{path}` cannot be read: {reason}", asked_by)


def not_utf8(path: str, line: int, byte: int, asked_by: Span | None) -> Diagnostic:
    """Bytes that are no UTF-8."""
    return error(
        "RW002",
        f"`{path}` is not UTF-8 text: byte 0x{byte:02x} in line {line}",
        asked_by,
        helps=["save the file as UTF-8"],
    )


def file_too_large(path: str, size: int, limit: int, asked_by: Span | None) -> Diagnostic:
    """Too many bytes."""
    return error(
        "RW003",
        f"`{path}` is too large: {size:,} bytes, at most {limit:,} are read",
        asked_by,
    )


# ------------------------------------------------------------------ limits and characters


def too_long(span: Span, size: int, limit: int) -> Diagnostic:
    """Too many characters."""
    return error(
        "RW003", f"the file is too large: {size:,} characters, at most {limit:,} are read", span
    )


def too_deep(span: Span, limit: int) -> Diagnostic:
    """Too many levels."""
    return error(
        "RW003",
        f"the nesting is too deep: at most {limit} levels are read",
        span,
        "one level too many begins here",
    )


def too_many_nodes(span: Span, limit: int) -> Diagnostic:
    """Too many values."""
    return error("RW003", f"the file has too many values: at most {limit:,} are read", span)


def byte_order_mark(span: Span) -> Diagnostic:
    """U+FEFF at the start."""
    return error(
        "RW004",
        "the file begins with a byte-order mark",
        span,
        helps=["save the file as UTF-8 without a byte-order mark (BOM)"],
    )


def control_character(span: Span, count: int) -> Diagnostic:
    """A character that no text file has."""
    code = ord(span.text)
    notes = [f"there are {count:,} such characters in the file"] if count > 1 else []
    helps = ["delete it; inside a text write a space or a new line"]
    if code == 0x0D:
        helps = ["save the file with the line ends of Unix or of Windows"]
    elif code == 0:
        helps = ["is this a text file?"]
    return error(
        "RW004",
        f"the control character U+{code:04X} cannot stand in the file",
        span,
        helps=helps,
        notes=notes,
    )


# ------------------------------------------------------------------ text that is not YAML


def tab_in_indentation(span: Span) -> Diagnostic:
    """A tab where only spaces count."""
    return error(
        "RW005",
        "a tab cannot indent a line",
        span,
        "this is a tab",
        helps=["indent with spaces, two a level"],
    )


def bad_indentation(span: Span, since: Span | None) -> Diagnostic:
    """A line that lines up with nothing above it."""
    also = [Label(since, "what it belongs to begins here")] if since else []
    return error(
        "RW006",
        "this line does not line up with the lines above",
        span,
        also=also,
        helps=["keys of one record begin in the same column; what belongs to a key stands deeper"],
    )


def text_after_value(span: Span) -> Diagnostic:
    """``a: "b" c``."""
    return error(
        "RW006",
        "expected the end of the line after a value in quotes or brackets",
        span,
        "this does not belong to the value",
        helps=["put the whole value in quotes, or give this a line of its own"],
    )


def unclosed_quote(opened: Span, quote: str) -> Diagnostic:
    """A quote without its partner."""
    return error(
        "RW007",
        f"the quote {quote} is not closed",
        opened,
        "it is opened here",
        helps=[f"close it with {quote}"],
    )


def unclosed_bracket(opened: Span, at: Span, bracket: str, closing: str) -> Diagnostic:
    """``[`` or ``{`` without its partner."""
    also = [Label(at, f"expected `,` or `{closing}`")] if at.start > opened.start else []
    return error(
        "RW007",
        f"the bracket `{bracket}` is not closed",
        opened,
        "it is opened here",
        also=also,
        helps=[f"close it with `{closing}`; a value with signs such as `:` or `]` goes in quotes"],
    )


def unopened_bracket(span: Span) -> Diagnostic:
    """``]`` or ``}`` out of nowhere."""
    return error(
        "RW007",
        f"the bracket `{span.text}` is not opened",
        span,
        helps=["delete it, or put the value in quotes"],
    )


def colon_in_value(span: Span, of_language: bool) -> Diagnostic:
    """``if: x: y``."""
    if of_language:
        return error(
            "RW008",
            "a colon cannot stand in a line of the language",
            span,
            "this colon",
            helps=["write `if C then X`, or an indented block below `if C`"],
        )
    return error(
        "RW008",
        "a colon followed by a space cannot stand inside a value",
        span,
        "this colon",
        helps=["put the value in quotes, or put what follows on lines of its own, indented"],
    )


def comma_ends_value(span: Span) -> Diagnostic:
    """``{event: take(me, card)}``."""
    quoted = f"'{span.text}'" if '"' in span.text else f'"{span.text}"'
    return error(
        "RW009",
        "inside { } and [ ] a comma ends a value",
        span,
        "a comma in here",
        helps=[f"put the value in quotes: `{quoted}`"]
        if len(quoted) <= 80 and "\n" not in quoted
        else ["put the value in quotes"],
    )


def comma_left_over(span: Span, name: str) -> Diagnostic:
    """``{prompt: one, two}``: a key without a value."""
    return error(
        "RW009",
        f"`{name}` has no value: inside {{ }} a comma ends a value",
        span,
        "this is read as a key",
        helps=["put the value before it in quotes, or write `key: value`"],
    )


def bad_first_character(span: Span) -> Diagnostic:
    """``@``, a backtick, ``%``."""
    return error(
        "RW010",
        f"a value cannot begin with `{span.text}`"
        if span.text != "`"
        else "a value cannot begin with a backtick",
        span,
        helps=["put the value in quotes"],
    )


def no_value_here(span: Span) -> Diagnostic:
    """``{a: , , b: 1}``, ``{a: : b}``."""
    return error(
        "RW010",
        f"expected a value, found `{span.text}`",
        span,
        helps=["delete it, or put the whole value in quotes"],
    )


def bad_escape(span: Span) -> Diagnostic:
    r"""``"\q"``."""
    return error(
        "RW010",
        "unknown escape in a text in double quotes",
        span,
        helps=["write the text in single quotes, where `\\` is an ordinary character"],
    )


def text_after_block_sign(span: Span) -> Diagnostic:
    """``do: | move x``."""
    return error(
        "RW010",
        "expected the end of the line after `|` or `>`",
        span,
        helps=["put the text on the lines below, indented, or leave out the sign"],
    )


def not_yaml(span: Span, problem: str) -> Diagnostic:
    """Anything else that YAML complains of."""
    return error("RW010", "this is not YAML", span, notes=[f"YAML says: {problem}"])


def directive(span: Span) -> Diagnostic:
    """``%YAML 1.2``."""
    return error("RW010", "a `%` line cannot stand in the file", span, helps=["delete the line"])


def line_without_key(span: Span) -> Diagnostic:
    """A line in a mapping that has no colon, or none with a blank behind it."""
    key, colon, value = span.text.partition(":")
    if colon and value and key.replace("_", "").replace(" ", "").isalnum():
        return error(
            "RW018",
            "expected a blank after the colon",
            span,
            helps=[f"write `{key}: {value}`" if len(value) < 40 else f"write `{key}: ...`"],
        )
    return error(
        "RW018",
        "expected `key: value`, found a line without a colon",
        span,
        helps=["write `key: value`; a longer text goes below `key: |`, indented"],
    )


# ------------------------------------------------------------------ YAML that is not read here


def tag(span: Span) -> Diagnostic:
    """``!python/object``, ``!x``."""
    helps = ["put the value in quotes, or delete the tag"]
    if len(span.text) > 1 and span.text[1] != "!":
        helps.append(f"if a condition is meant, write `not {span.text[1:]}`")
    return error("RW011", f"`{span.text}` is a YAML tag, and tags are not read", span, helps=helps)


def anchor(span: Span) -> Diagnostic:
    """``&name``."""
    return error(
        "RW012",
        f"`{span.text}` is a YAML anchor, and anchors are not read",
        span,
        helps=["delete it; what several records share is written in each"],
    )


def alias(span: Span) -> Diagnostic:
    """``*name``."""
    return error(
        "RW012",
        f"`{span.text}` is a YAML alias, and aliases are not read",
        span,
        helps=["write the value out"],
    )


def merge_key(span: Span) -> Diagnostic:
    """``<<``."""
    return error(
        "RW012",
        "`<<` is a YAML merge key, and merge keys are not read",
        span,
        helps=["write the keys out"],
    )


def duplicate_key(name: str, span: Span, first: Span) -> Diagnostic:
    """One key twice in one mapping."""
    return error(
        "RW013",
        f"the key `{name}` comes twice",
        span,
        also=[Label(first, "it is here already")],
        helps=["keep one of them, or rename one"],
    )


def second_document(span: Span) -> Diagnostic:
    """``---`` again."""
    return error(
        "RW014",
        "expected the end of the file, found a second document",
        span,
        "`---` begins another document",
        helps=["put each document in a file of its own"],
    )


def empty_file(span: Span) -> Diagnostic:
    """Nothing, or comments only."""
    return error("RW015", "the file is empty", span)


def key_is_no_name(span: Span, found: str) -> Diagnostic:
    """A list, a mapping, a block or nothing as a key."""
    helps = ["write `name: value`"]
    if found == "a mapping":
        helps = ["a value that begins with `{` goes in quotes"]
    return error("RW016", f"expected a name before the colon, found {found}", span, helps=helps)


def null_word(span: Span) -> Diagnostic:
    """``~`` or ``null``."""
    return error(
        "RW017",
        f"`{span.text}` means nothing at all in YAML",
        span,
        helps=["write `none` for no thing, leave the key out, or put the word in quotes"],
    )
