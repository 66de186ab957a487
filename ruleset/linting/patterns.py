"""Names that a hook or modifier gives to what an event carries."""

from __future__ import annotations

from collections.abc import Iterator

from ruleset.checking.signatures import Signature, rule_signature
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import game as say
from ruleset.diagnostics.suggest import nearest
from ruleset.linting.graph import Graph
from ruleset.linting.walk import nodes
from ruleset.syntax import EffectRule, Ident, Let, Modifier, Name, Rule
from ruleset.types import ThingT


def patterns(graph: Graph) -> Iterator[Diagnostic]:
    """A name that is no word, not the parameter's own, and used nowhere, is a slip."""
    for rule in _rules(graph):
        used = {node.name for node in nodes(rule) if isinstance(node, Name)}
        for ident, (name, found) in _bound(graph, rule):
            if ident.name in used or ident.name == name or graph.world.word_kind(ident.name):
                continue
            kind = found.kind if isinstance(found, ThingT) else ""
            words = [w for w, k in graph.file.words.types.items() if k.name == kind]
            own = ["owner"] if getattr(rule, "held_by", "") and kind == "player" else []
            close = nearest(ident.name, [*own, name, *words]) or (own or [name])[0]
            yield say.pattern_name_not_used(ident.span, ident.name, close)


def named_for_nothing(graph: Graph) -> Iterator[Diagnostic]:
    """What a player chooses, or `let` names, and nothing in the rule then mentions."""
    for rule in _rules(graph):
        if not isinstance(rule, EffectRule):
            continue
        found = list(nodes(rule))
        used = {node.name for node in found if isinstance(node, Name)}
        named = [(n.name, n.name_span) for n in found if isinstance(n, Let)]
        named += [(d.name, d.clause.name_span) for d in rule.choose]
        for name, span in named:
            if name not in used:
                yield say.named_for_nothing(span, name)


def _rules(graph: Graph) -> Iterator[Rule]:
    yield from graph.file.rules
    for piece in graph.file.pieces:
        for each in piece.types:
            yield from each.while_held


def _bound(graph: Graph, rule: Rule) -> Iterator[tuple[Ident, tuple[str, object]]]:
    world = graph.world
    if isinstance(rule, Modifier) and rule.target.name in world.values:
        params = rule_signature(world, world.values[rule.target.name])
        yield from zip(rule.target.params or (), params, strict=False)
    if isinstance(rule, EffectRule):
        for hook in rule.when:
            found: Signature = []
            if hook.subject == "rule" and hook.name in world.rules:
                found = rule_signature(world, world.rules[hook.name])
            yield from zip(hook.params or (), found, strict=False)
