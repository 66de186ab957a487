"""What goes on for ever, and what is stopped where it is not under way."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import checking as say_types
from ruleset.diagnostics.messages import game as say
from ruleset.linting.graph import Graph
from ruleset.linting.reachability import roots
from ruleset.syntax import EffectRule, Modifier, Step, Stop, ValueRule, Within


def circles(graph: Graph) -> Iterator[Diagnostic]:
    """Rules that lead to themselves, none of which has a ``depth``."""
    bounded = {
        path
        for path, unit in graph.units.items()
        if isinstance(unit.record, EffectRule) and unit.record.depth is not None
    }
    told: set[str] = set()
    for path in graph.going:
        if path in bounded or path in told:
            continue
        circle = _circle(graph, path, bounded)
        if not circle:
            continue
        told |= _tangle(graph, path, bounded)
        units = [graph.units[step.removesuffix("?")] for step in circle]
        names = [*(unit.name for unit in units), units[0].name]
        if all(isinstance(unit.record, ValueRule | Modifier) for unit in units):
            yield say_types.needs_itself(units[0].span, names)
        elif all(isinstance(unit.record, Step) for unit in units):
            yield say.step_in_itself(units[0].span, names)
        else:
            yield say.for_ever(units[0].span, names)


def _circle(graph: Graph, start: str, bounded: set[str]) -> list[str]:
    """The shortest way from a unit back to itself that goes through no bounded one."""
    before: dict[str, str] = {}
    left = [start]
    while left:
        following: list[str] = []
        for path in left:
            for target in graph.going.get(path, ()):
                if target == start:
                    return _way(before, start, path)
                if target not in before and target not in bounded and target in graph.going:
                    before[target] = path
                    following.append(target)
        left = following
    return []


def _tangle(graph: Graph, start: str, bounded: set[str]) -> set[str]:
    """All units that lead to each other with ``start``: one bound in them is one thing to mend."""
    edges = {a: [b for b in targets if b not in bounded] for a, targets in graph.going.items()}
    back: dict[str, list[str]] = {}
    for a, targets in edges.items():
        for b in targets:
            back.setdefault(b, []).append(a)
    return _closure(edges, start) & _closure(back, start)


def _closure(edges: dict[str, list[str]], start: str) -> set[str]:
    found: set[str] = set()
    left = [start]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left.extend(edges.get(path, ()))
    return found


def _way(before: dict[str, str], start: str, end: str) -> list[str]:
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def repeats(graph: Graph) -> Iterator[Diagnostic]:
    """Steps that repeat without a number of times, and in which nothing stops them."""
    for step in graph.file.flow:
        if step.repeat is None or step.times is not None or step.until is not None:
            continue
        inside = graph.reach(step.path)
        around = {other.name for other in graph.file.flow if step.path in graph.reach(other.path)}
        if not any(_stops(graph, path, around) for path in inside):
            ways = ["game"] if step.name == "game" else [step.name, "game"]
            yield say.no_end(step, step.repeat.span, ways)


def _stops(graph: Graph, path: str, frames: set[str]) -> bool:
    return any(
        isinstance(node, Stop) and (node.name == "game" or node.name in frames)
        for node in graph.units[path].parts
    )


def decided(graph: Graph) -> Iterator[Diagnostic]:
    """A result by ``stop game`` wants a ``stop game`` that is reached."""
    result = graph.file.result
    if not result.by_stop:
        return
    reached = graph.reach_from(roots(graph))
    if not any(_stops(graph, path, set()) for path in reached):
        yield say.never_decided(result.span)


def frames(graph: Graph) -> Iterator[Diagnostic]:
    """``stop X`` and ``within X`` where X is never under way."""
    reached = graph.reach_from(roots(graph))
    for unit in graph.units.values():
        if unit.path not in reached:
            continue
        for node in unit.parts:
            if not isinstance(node, Stop | Within) or node.name == "game":
                continue
            frame = graph.by_name.get(node.name)
            if frame is None or unit.path in graph.reach(frame):
                continue
            verb = "stop" if isinstance(node, Stop) else "within"
            yield say.never_under_way(node.name_span, node.name, verb)
