"""Words of the language that stand where a game declares a name.

Takes the nodes of a game; tells each such name where it is declared, whatever uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import syntax as messages
from ruleset.document import Mapping, Node, Scalar, Sequence
from ruleset.loader.reading import entries, get
from ruleset.parser_words import HABITS

_NAMED: Final = ("options", "tables", "zones", "counters", "marks", "flow", "rules", "kinds")
_BELOW: Final[dict[str, tuple[str, ...]]] = {
    "kinds": ("members",),
    "map": ("kind", "plural", "fields", "sets", "places"),
    "pieces": ("plural", "fields", "types", "sides"),
    "places": ("plural", "fields", "types"),
    "rules": ("with", "choose"),
}
"""Of the records of a section: the keys under which further names are declared."""


@cache
def reserved_words() -> frozenset[str]:
    """All words of the language, and those that are told apart from names as habits."""
    grammar = files("ruleset").joinpath("grammar.lark").read_text(encoding="utf-8")
    words = re.findall(r'^[A-Z_]+: "([a-z]+)"$', grammar, re.MULTILINE)
    return frozenset(words) | HABITS.keys()


def check_reserved(root: Mapping, report: Report) -> None:
    """Tell every declared name that is a word of the language."""
    words = reserved_words()
    for node in _declared(root):
        name = node.text.partition("(")[0].strip()
        if name in words:
            report.add(messages.reserved_declared(node.span, name))


def _declared(root: Mapping) -> Iterator[Scalar]:
    for entry in root.entries:
        section = entry.key.text
        if section in (*_NAMED, *_BELOW):
            for record in entries(entry.value):
                if section != "map":
                    yield record.key
                if section == "kinds" and isinstance(record.value, Sequence):
                    yield from _names(record.value)
                for key in _BELOW.get(section, ()):
                    yield from _names(get(record.value, key))
    yield from _names(get(get(root, "seats"), "fields"))
    for word in entries(root.get("words")):
        yield from _names(word.value)


def _names(node: Node | None) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Sequence():
            yield from (item for item in node.items if isinstance(item, Scalar))
        case Mapping():
            yield from (entry.key for entry in node.entries)
        case _:
            pass
