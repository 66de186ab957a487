"""All nodes of a syntax tree, whatever their form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache

from ruleset.source import Span


@cache
def _children(of: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(of) if f.name not in ("span", "name", "name_span"))


def nodes(tree: object) -> Iterator[object]:
    """The nodes of a tree or of a tuple or mapping of trees, each before its parts."""
    if isinstance(tree, str | int | None | Span):
        return
    if isinstance(tree, tuple):
        for item in tree:
            yield from nodes(item)
    elif isinstance(tree, Mapping):
        for item in tree.values():
            yield from nodes(item)
    else:
        yield tree
        of: type = type(tree)
        for name in _children(of):
            yield from nodes(getattr(tree, name))
