"""Several rules at one event: replacements need an order, writers of one mark should have one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.linting.graph import Graph
from ruleset.syntax import EffectRule, Hook, SetMark
from ruleset.types import MarkRef

Event = tuple[str, str, str, str]


def _by_event(graph: Graph) -> dict[Event, list[tuple[EffectRule, Hook]]]:
    found: dict[Event, list[tuple[EffectRule, Hook]]] = {}
    for rule in graph.world.hooks():
        for hook in rule.when:
            event = (hook.when, hook.subject, hook.name, hook.field)
            found.setdefault(event, []).append((rule, hook))
    return found


def replacements(graph: Graph) -> Iterator[Diagnostic]:
    """Pairs of rules that replace one event and of which neither stands over the other."""
    above = {rule.name: {ident.name for ident in rule.over} for rule in graph.world.hooks()}
    for (when, _, name, code), hooks in _by_event(graph).items():
        if when != "instead of":
            continue
        for (a, _), (b, hook) in combinations(hooks, 2):
            if a is b or a.over_chosen_by is not None or b.over_chosen_by is not None:
                continue
            if not _over(above, a.name, b.name) and not _over(above, b.name, a.name):
                event = f"{name}.{code}" if code else name
                yield say.both_replace(hook.span, a, b, event)


def _over(above: dict[str, set[str]], a: str, b: str) -> bool:
    """Whether a stands over b, perhaps over others between."""
    seen: set[str] = set()
    left = [a]
    while left:
        rule = left.pop()
        for lower in above.get(rule, ()):
            if lower == b:
                return True
            if lower not in seen:
                seen.add(lower)
                left.append(lower)
    return False


def writers(graph: Graph) -> Iterator[Diagnostic]:
    """Pairs of hooks at one moment that set the same mark."""
    for (when, _, name, _), hooks in _by_event(graph).items():
        if when == "instead of":
            continue
        for (a, _), (b, hook) in combinations(hooks, 2):
            both = _written(graph, a) & _written(graph, b)
            for mark in sorted(both) if a is not b else ():
                yield say.both_write(hook.span, a, b, mark, f"{when} `{name}`")


def _written(graph: Graph, rule: EffectRule) -> set[str]:
    unit = graph.units[rule.path]
    refs = (graph.facts.refs.get(n.target) for n in unit.parts if isinstance(n, SetMark))
    return {ref.name for ref in refs if isinstance(ref, MarkRef)}
