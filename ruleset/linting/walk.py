"""All nodes of a syntax tree, whatever their form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TypeAlias

from ruleset.source import Span

Walks: TypeAlias = "dict[int, tuple[object, tuple[object, ...]]]"
"""The nodes of trees that were walked before, by the identity of the tree, which is kept, too."""


@cache
def _children(of: type) -> tuple[str, ...] | None:
    """The fields of a node that can hold nodes; None for what is no node."""
    if of is Span or not is_dataclass(of):
        return None
    return tuple(f.name for f in fields(of) if f.name not in ("span", "name", "name_span"))


def nodes(tree: object) -> list[object]:
    """The nodes of a tree or of a tuple or mapping of trees, each before its parts."""
    found: list[object] = []
    left = [tree]
    while left:
        here = left.pop()
        if isinstance(here, tuple):
            left.extend(reversed(here))
            continue
        of: type = type(here)
        names = _children(of)
        if names is not None:
            found.append(here)
            left.extend([getattr(here, name) for name in reversed(names)])
        elif isinstance(here, Mapping):
            left.extend(reversed(list(here.values())))
    return found


def walk(tree: object, walks: Walks) -> tuple[object, ...]:
    """The same, looked up where the tree was walked before."""
    known = walks.get(id(tree))
    if known is None or known[0] is not tree:
        known = walks[id(tree)] = (tree, tuple(nodes(tree)))
    return known[1]
