"""Names and types of a whole game file.

Takes a ``GameFile``, gives ``Facts`` about every expression and name in it, and reports what is
wrong. What is wrong has the type Unknown, which fits everywhere, so that one mistake is told once.
"""

from __future__ import annotations

from collections.abc import Mapping

from ruleset.checking.box import (
    check_counter_record,
    check_map,
    check_mark,
    check_piece,
    check_type,
    check_zone,
)
from ruleset.checking.context import Context
from ruleset.checking.declarations import check_declarations, check_option
from ruleset.checking.effects import check_block
from ruleset.checking.expressions import infer
from ruleset.checking.flow import check_flow
from ruleset.checking.kinds import UNKNOWN
from ruleset.checking.places import (
    check_actions,
    check_in_play,
    check_place_kind,
    check_seats,
)
from ruleset.checking.rules import check_rule, infer_value
from ruleset.checking.scope import Binding, Scope
from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import checking as say
from ruleset.syntax import Block, Expr, GameFile
from ruleset.types import Facts, Type
from ruleset.world import World, build_world


def check_file(file: GameFile, report: Report) -> Facts:
    """Find out what every name means and what type every expression has."""
    context = _context(build_world(file), Facts(), report)
    check_declarations(context, file)
    for option in file.options:
        context.path = option.path
        check_type(context, option.type, f"the option `{option.name}`")
        check_option(context, option)
    for board in file.maps:
        check_map(context, board)
    if file.seats is not None:
        check_seats(context, file.seats)
    for place in file.places:
        check_place_kind(context, place)
    for zone in file.zones:
        check_zone(context, zone)
    for counter in file.counters:
        check_counter_record(context, counter)
    for mark in file.marks:
        check_mark(context, mark)
    for piece in file.pieces:
        check_piece(context, piece)
        check_in_play(context, piece)
    check_actions(context, file)
    for rule in file.rules:
        check_rule(context, rule, Scope())
    check_flow(context, file)
    return context.facts


def check_expression(
    file: GameFile,
    facts: Facts,
    expr: Expr,
    names: Mapping[str, Type],
    report: Report,
    want: Type | None = None,
) -> Type:
    """Type an expression that stands outside the file (of a scenario, say), adding to ``facts``.

    ``names`` are the names that it may use besides those of the file.
    """
    context = _context(build_world(file), facts, report)
    scope = _scope(names)
    if want is None:
        return context.infer(expr, scope)
    return context.want(expr, scope, want, "this", maybe=True)


def check_effects(
    file: GameFile, facts: Facts, block: Block, names: Mapping[str, Type], report: Report
) -> None:
    """Check effects that stand outside the file, adding to ``facts``."""
    context = _context(build_world(file), facts, report)
    check_block(context, block, _scope(names))


def _scope(names: Mapping[str, Type]) -> Scope:
    return Scope({name: Binding(found) for name, found in names.items()})


def _context(world: World, facts: Facts, report: Report) -> Context:
    return Context(world, facts, report, infer, value_of=_value_of)


def _value_of(context: Context, name: str) -> Type:
    """The type of a value rule, found on first use."""
    known = context.facts.values.get(name)
    rule = context.world.values.get(name)
    if known is not None or rule is None:
        return known if known is not None else UNKNOWN
    if name in context.under_way:
        circle = [*context.under_way[context.under_way.index(name) :], name]
        context.add(say.needs_itself(rule.name_span, circle))
        context.facts.values[name] = UNKNOWN
        return UNKNOWN
    before, context.path = context.path, rule.path
    context.under_way.append(name)
    found = infer_value(context, rule)
    context.under_way.pop()
    context.path = before
    return context.facts.values.setdefault(name, found)
