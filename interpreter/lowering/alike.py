"""Pieces that nobody can tell apart: where they are offered, one of them is enough.

Only what the player who is asked can see may be merged: two hidden tokens are two options, whether
they are alike or not, or else the options would tell.
"""

from __future__ import annotations

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import ZoneRef


def distinct(s: Scope, source: ast.Expr, who: Operand, members: Operand) -> Operand:
    """Of the members that look the same to the player the first, given where they are from."""
    return merged(s, s.kind(source), members) if merges(s, source, who) else members


def merges(s: Scope, source: ast.Expr, who: Operand) -> bool:
    """Whether a source can give pieces that look the same to the player who is asked."""
    kind = s.kind(source)
    if kind not in s.box.pieces:
        return False
    alike = s.low.program.groups[kind].alike
    return len(set(alike)) < len(alike) and _in_sight(s, source, who)


def merged(s: Scope, kind: str, members: Operand) -> Operand:
    """Of the members that are alike the first."""
    d = s.b.register("distinct", "s")
    s.b.add(ir.Distinct(d, kind, members))
    return d


def _in_sight(s: Scope, source: ast.Expr, who: Operand) -> bool:
    """Whether the player sees all that the source can give."""
    match source:
        case ast.Those(_, None, clause) | ast.Stretch(_, clause) | ast.Best(_, _, _, clause):
            return _in_sight(s, clause.source, who)
        case ast.Binary(_, _, a, b):
            return _in_sight(s, a, who) and _in_sight(s, b, who)
    ref = s.low.facts.refs.get(source)
    if isinstance(ref, ZoneRef):
        zone = s.box.zones[ref.name]
        own = isinstance(source, ast.Attribute) and isinstance(source.of, ast.Name)
        mine = own and s.names.get(source.of.name) == who  # type: ignore[union-attr]  # own says so
        return zone.seen_by == "all" or (zone.seen_by == "owner" and mine)
    kind = s.kind(source)
    return all(z.seen_by != "nobody" for z in s.box.zones.values() if z.of.name == kind)
