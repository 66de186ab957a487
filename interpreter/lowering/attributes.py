"""What stands after a dot, of one thing and of each member of a set; code that lies on pieces.

A dot after none is none: index -1 of every table and field gives what none gives, and the zone
of none holds nothing.
"""

from __future__ import annotations

from typing import TypeAlias

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import NUMBER_NONE, SET_OF, SIDE
from interpreter.lowering import expressions, iteration, numbers
from interpreter.lowering.scope import Scope
from ruleset import syntax as ast
from ruleset.types import (
    BoxOf,
    BuiltIn,
    CounterRef,
    FieldRef,
    GameRef,
    LocationRef,
    MarkRef,
    NumberT,
    OwnRef,
    PlacesOf,
    Ref,
    SetT,
    ThingT,
    ZoneRef,
)

Owner: TypeAlias = "tuple[str, Operand, bool]"
"""The kind of the thing before the dot, the thing, and whether it can be none."""


def attribute(s: Scope, e: ast.Attribute) -> Operand:
    """The value of ``of.name``."""
    ref = s.low.facts.refs[e]
    if isinstance(ref, BoxOf):
        return s.b.contents(ref.kind, 0)
    of = s.type(e.of)
    if isinstance(of, SetT):
        return _of_each(s, e, ref, of.kind)
    kind, thing, maybe = owner(s, e.of)
    return of_thing(s, ref, kind, thing, maybe)


def owner(s: Scope, e: ast.Expr) -> Owner:
    """What stands before a dot, where it is one thing; ``game`` is the thing 0."""
    if isinstance(s.low.facts.refs.get(e), GameRef):
        return "game", 0, False
    of = s.type(e)
    assert isinstance(of, ThingT)
    return of.kind, expressions.value(s, e), of.maybe


def of_thing(s: Scope, ref: Ref, kind: str, thing: Operand, maybe: bool) -> Operand:
    """The attribute of one thing, in its own type: a zone that holds one piece gives the piece."""
    match ref:
        case ZoneRef(name):
            inside = s.b.contents(s.box.zones[name].of.name, zone_number(s, name, thing, maybe))
            return s.b.first(inside) if s.box.zones[name].high == 1 else inside
        case CounterRef(name) | MarkRef(name):
            info = s.box.counters[name]
            if info.kind.startswith(SET_OF):
                return s.b.load_set(info.field, thing)
            return s.b.load(info.field, thing)
        case FieldRef(of, name):
            return s.b.lookup(s.box.field_table(of, name), thing)
        case LocationRef(of):
            return s.b.lookup(s.box.location_table(kind, of), s.b.where(kind, thing))
        case OwnRef(of, every):
            return s.b.lookup(s.box.own_table(of, every), thing)
        case PlacesOf(of):
            return s.b.lookup(s.box.places_table(of), thing)
        case BuiltIn("holder"):
            return s.b.lookup(s.box.location_table(kind, "player"), s.b.where(kind, thing))
        case BuiltIn("side"):
            return _side(s, kind, s.b.load(kind + SIDE, thing), maybe)
        case BuiltIn(name):
            return s.b.lookup(s.box.attribute_table(kind, name), thing)
        case _:
            raise AssertionError(f"{ref} is no attribute")


def _side(s: Scope, kind: str, side: Operand, maybe: bool) -> Operand:
    """The side that lies up: a member, or the number on it."""
    low = s.box.pieces[kind].pips
    if low is None:
        return side
    number = s.b.bin("add", side, low)
    return s.b.select(s.b.bin("lt", side, 0), NUMBER_NONE, number) if maybe else number


def zone_number(s: Scope, name: str, thing: Operand, maybe: bool) -> Operand:
    """The zone of that name that belongs to a thing; -1 for none."""
    base = s.box.zone_base[name]
    number = s.b.bin("add", thing, base)
    if not maybe:
        return number
    return s.b.select(s.b.bin("lt", thing, 0), -1, number)


def contents(s: Scope, e: ast.Expr) -> Operand | None:
    """What lies in the zone that an expression names, as a set; None where it names no zone."""
    ref = s.low.facts.refs.get(e)
    if not isinstance(ref, ZoneRef):
        return None
    if isinstance(e, ast.Attribute) and isinstance(s.type(e.of), SetT):
        return attribute(s, e)
    return s.b.contents(s.box.zones[ref.name].of.name, zone(s, e))


def zone(s: Scope, e: ast.Expr) -> Operand:
    """The number of the zone that an expression names; ``box`` is 0."""
    ref = s.low.facts.refs.get(e)
    if not isinstance(ref, ZoneRef):
        return 0
    if isinstance(e, ast.Attribute):
        _, thing, maybe = owner(s, e.of)
        return zone_number(s, ref.name, thing, maybe)
    return s.box.zone_base[ref.name]


def _of_each(s: Scope, e: ast.Attribute, ref: Ref, kind: str) -> Operand:
    """The union over the members of a set."""
    result: Operand = s.b.copy(e.name, "s", 0)
    each = _number_of(s, e, ref, kind)
    with iteration.each(s, e.of, "x") as (member, _):
        match ref:
            case ZoneRef(name):
                group = s.box.zones[name].of.name
                found: Operand = s.b.contents(group, zone_number(s, name, member, False))
            case _ if isinstance(each, NumberT):
                found = numbers.one(s, of_thing(s, ref, kind, member, False), each, e.span)
            case CounterRef(name) | MarkRef(name) if not s.box.counters[name].kind.startswith(
                SET_OF
            ):
                found = s.b.one(of_thing(s, ref, kind, member, False))
            case FieldRef(of, field) if s.box.field_table(of, field).type == "s":
                found = of_thing(s, ref, kind, member, False)
            case MarkRef() | OwnRef(every=True) | PlacesOf():
                found = of_thing(s, ref, kind, member, False)
            case _:
                found = s.b.one(of_thing(s, ref, kind, member, False))
        s.b.add(ir.SetBin(str(result), "union", result, found))
    return result


def _number_of(s: Scope, e: ast.Attribute, ref: Ref, kind: str) -> NumberT | None:
    """The range of a number of each thing; None where it is no number."""
    if s.type(e) != SetT("number"):
        return None
    match ref:
        case CounterRef(name) | MarkRef(name):
            field = s.low.program.fields.get(s.box.counters[name].field)
            return None if field is None else NumberT(field.low, field.high)
        case FieldRef(of, name):
            rows = s.box.field_table(of, name).rows
        case BuiltIn("side"):
            piece = s.box.pieces[kind]
            low = piece.pips or 0
            return NumberT(low, low + len(piece.sides) - 1)
        case BuiltIn(name):
            rows = s.box.attribute_table(kind, name).rows
        case _:
            return NumberT(None, None)
    return NumberT(max(min(rows), 0), max(rows))


def code_call(s: Scope, of: ast.Expr, name: str, args: tuple[Operand, ...]) -> Operand:
    """Run the code that lies on a piece under a field's name."""
    from interpreter.lowering import rules  # rules are made of effects, which call code

    _, piece, _ = owner(s, of)
    fn = rules.code_function(s.low, s.kind(of), name)
    return s.b.call(fn, (piece, *args))
