"""Long texts in lines: cut at blanks, wide characters counted twice."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len


def wrap(text: str, columns: int) -> Iterator[str]:
    """A text in pieces of at most so many columns, cut at blanks where there are any."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= columns or not line:
            line = longer
        else:
            yield line
            line = word
        while cell_len(line) > columns:
            cut = _cut(line, columns)
            yield line[:cut]
            line = line[cut:]
    yield line


def _cut(text: str, columns: int) -> int:
    used = 0
    for k, character in enumerate(text):
        used += cell_len(character)
        if used > columns:
            return max(k, 1)
    return len(text)
