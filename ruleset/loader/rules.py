"""Rules in their forms: ``is``, ``modify``, ``forbid``, ``replace``, or effects."""

from __future__ import annotations

from ruleset.document import Entry, Mapping, Node, Scalar, Sequence
from ruleset.loader.reading import Head, Reader, entries, head, idents, maybe_number, text, whole
from ruleset.syntax import (
    Condition,
    Cost,
    CostEntry,
    Domain,
    EffectRule,
    Expr,
    Forbid,
    Header,
    Hook,
    Ident,
    Modifier,
    Rule,
    Substitute,
    ValueRule,
)


def rule(reader: Reader, entry: Entry, path: str, held_by: str = "") -> Rule | None:
    """One rule; ``held_by`` names the piece type that brings it while it is held."""
    body = entry.value
    if not isinstance(body, Mapping):
        return None
    key = reader.header(entry.key)
    shared = head(entry, f"{path}.{key.name}", key.name, key.name_span)
    conditions = reader.conditions(body.get("if"))
    if (value := body.get("is")) is not None:
        return ValueRule(
            **shared,
            params=key.params,
            value=reader.expr(value),
            at_least=reader.maybe(body.get("at least")),
            at_most=reader.maybe(body.get("at most")),
            spare=body.get("spare") is not None,
        )
    if (modified := body.get("modify")) is not None:
        return _modifier(reader, body, modified, shared, conditions, held_by)
    if (forbidden := body.get("forbid")) is not None:
        target = reader.pattern(forbidden)
        return Forbid(
            **shared,
            target=target or Header(forbidden.span, "", forbidden.span, ()),
            conditions=conditions if target else (),
            held_by=held_by,
        )
    if (replaced := body.get("replace")) is not None:
        return _substitute(reader, body, replaced, shared, conditions, held_by)
    return _effect_rule(reader, body, key, shared, conditions, held_by)


def _substitute(
    reader: Reader,
    body: Mapping,
    replaced: Node,
    shared: Head,
    conditions: tuple[Condition, ...],
    held_by: str,
) -> Substitute:
    part = reader.part(replaced)
    by = body.get("by")
    ways = () if by is None else _ways(reader, by)
    if part is None:  # without its names the rest would only seem wrong
        place = replaced.span
        header = Header(place, "", place, ())
        return Substitute(
            **shared, target=header, cost=Ident(place, ""), amount=None, held_by=held_by
        )
    return Substitute(
        **shared,
        target=part.target,
        cost=part.cost,
        amount=part.amount,
        ways=ways,
        conditions=conditions,
        held_by=held_by,
    )


def _modifier(
    reader: Reader,
    body: Mapping,
    modified: Node,
    shared: Head,
    conditions: tuple[Condition, ...],
    held_by: str,
) -> Modifier:
    keys = ("becomes", "times", "add", "at least", "at most")
    becomes, times, add, at_least, at_most = (reader.maybe(body.get(key)) for key in keys)
    target = reader.pattern(modified)
    if target is None:  # without its names the rest would only seem wrong
        return Modifier(
            **shared, target=Header(modified.span, "", modified.span, ()), held_by=held_by
        )
    return Modifier(
        **shared,
        target=target,
        conditions=conditions,
        becomes=becomes,
        times=times,
        add=add,
        at_least=at_least,
        at_most=at_most,
        held_by=held_by,
    )


def _effect_rule(
    reader: Reader,
    body: Mapping,
    key: Header,
    shared: Head,
    conditions: tuple[Condition, ...],
    held_by: str,
) -> EffectRule:
    over, chooser = _over(reader, body.get("over"))
    hooks = _hooks(reader, body.get("when"))
    with_ = tuple(
        (Ident(e.key.span, e.key.text), reader.expr(e.value)) for e in entries(body.get("with"))
    )
    choose = _choices(reader, body.get("choose"))
    do = reader.block(body.get("do"))
    if None in hooks:  # without its names the rest would only seem wrong
        conditions, with_, choose, do, chooser = (), (), (), (), None
    return EffectRule(
        **shared,
        params=key.params,
        kind="turn" if text(body.get("kind")) == "turn" else "",
        when=tuple(hook for hook in hooks if hook is not None),
        over=over,
        over_chosen_by=chooser,
        counts_as=reader.pattern(body.get("counts as")),
        with_=with_,
        choose=choose,
        needs=_needs(reader, body.get("needs")),
        costs=tuple(_cost(reader, e) for e in entries(body.get("costs"))),
        conditions=conditions,
        do=do,
        depth=maybe_number(body.get("depth")),
        spare=body.get("spare") is not None,
        held_by=held_by,
    )


def _hooks(reader: Reader, node: Node | None) -> list[Hook | None]:
    items = node.items if isinstance(node, Sequence) else (() if node is None else (node,))
    return [reader.hook(item) for item in items]


def _over(reader: Reader, node: Node | None) -> tuple[tuple[Ident, ...], Expr | None]:
    if isinstance(node, Scalar):
        return reader.over(node)
    return idents(node), None


def _choices(reader: Reader, node: Node | None) -> tuple[Domain, ...]:
    found = (reader.domain(e.key, e.value) for e in entries(node))
    return tuple(domain for domain in found if domain is not None)


def _needs(reader: Reader, node: Node | None) -> tuple[Condition, ...]:
    return reader.conditions(node) if isinstance(node, Mapping) else ()


def _cost(reader: Reader, entry: Entry) -> CostEntry:
    return CostEntry(whole(entry), entry.key.text, _ways(reader, entry.value))


def _ways(reader: Reader, node: Node) -> tuple[Cost, ...]:
    items = node.items if isinstance(node, Sequence) else (node,)
    return tuple(way for item in items if (way := reader.cost(item)) is not None)
