"""How the spaces of a map lie, for people who look at it: rows of names, a dot for a gap.

Takes the text under ``drawing``, gives a row of names and gaps for each of its lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ruleset.diagnostics.messages import loading as messages
from ruleset.document import Node, Scalar
from ruleset.loader.reading import Reader
from ruleset.source import Span
from ruleset.syntax import Ident

GAP: Final = "."
_WORD: Final = re.compile(r"[^\s,]+")


def rows_of(
    reader: Reader, node: Node | None, spaces: Iterable[Ident], kind: str, path: str
) -> tuple[tuple[Ident | None, ...], ...]:
    """The rows; each space of the map stands in one of them, once."""
    if not isinstance(node, Scalar):
        return ()
    left = {space.name: space for space in spaces}
    known = set(left)
    seen: dict[str, Ident] = {}
    rows = []
    fine = bool(known)
    for line in _lines(node.body):
        row: list[Ident | None] = []
        for word in line:
            if word.name == GAP:
                row.append(None)
            elif known and word.name not in known:
                reader.report.add(
                    messages.no_space(
                        word.span, word.name, known, kind=kind, within=f"{path}.drawing"
                    )
                )
                row.append(None)
                fine = False
            elif word.name in seen:
                reader.report.add(messages.space_twice(word, seen[word.name]))
                row.append(None)
                fine = False
            else:
                seen[word.name] = word
                left.pop(word.name, None)
                row.append(word)
        rows.append(tuple(row))
    if left and fine:  # a name that is wrong is likely the one that is missing
        reader.report.add(messages.not_drawn(node.span, list(left), f"{path}.drawing"))
    return tuple(rows)


def _lines(body: Span) -> Iterator[list[Ident]]:
    """The words of each line that has some; what stands behind ``#`` is a comment."""
    start = body.start
    for line in body.text.split("\n"):
        text = line.partition("#")[0]
        words = [
            Ident(Span(body.source, start + at.start(), start + at.end()), at[0])
            for at in _WORD.finditer(text)
        ]
        if words:
            yield words
        start += len(line) + 1
