"""Effects that change the state: counters, marks, pieces and the zones that they lie in."""

from __future__ import annotations

from ruleset.checking.context import Context
from ruleset.checking.kinds import (
    NUMBER,
    UNKNOWN,
    fits,
    is_unknown,
    kind_of,
    maybe_none,
)
from ruleset.checking.numbers import apart
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.diagnostics.messages import checking as say
from ruleset.syntax import (
    Attribute,
    Binary,
    Draw,
    Expr,
    Flip,
    Gain,
    Move,
    Name,
    Reveal,
    RollPieces,
    SetMark,
    SetOf,
    Shuffle,
    Swap,
    Zone,
)
from ruleset.types import (
    BoxRef,
    CounterRef,
    FieldRef,
    MarkRef,
    Member,
    Members,
    NumberT,
    SetT,
    SpaceSet,
    ThingT,
    Type,
    UnknownT,
    ZoneRef,
)


def check_set(context: Context, effect: SetMark, scope: Scope) -> None:
    """``set a.f to E``: a mark of one thing, and a value of its type."""
    target = context.infer(effect.target, scope)
    if is_unknown(target):
        context.infer(effect.value, scope)
        return
    ref = context.facts.refs.get(effect.target)
    if not isinstance(ref, MarkRef):
        context.infer(effect.value, scope)
        if isinstance(ref, CounterRef):
            context.add(say_changes.counter_set(effect.target.span))
        else:
            context.add(say_changes.not_a_mark(effect.target.span, target, ref))
        return
    _one_owner(context, effect.target, "`set`")
    mark = context.world.marks[ref.name]
    declared = context.world.declared_type(mark.type)
    found = context.want(effect.value, scope, declared, f"`{ref.name}`", maybe=True)
    if is_unknown(found):
        return
    if maybe_none(found) and not maybe_none(declared) and not isinstance(declared, SetT):
        context.add(say_changes.mark_cannot_be_none(effect.value.span, mark))
    check_range(context, effect.value, found, declared, f"`{ref.name}`")


def check_range(context: Context, value: Expr, found: Type, declared: Type, what: str) -> None:
    """Report a number that is never in the range that is declared."""
    if isinstance(found, NumberT) and isinstance(declared, NumberT) and apart(found, declared):
        context.add(say.out_of_range(value.span, found, declared, what))


def _one_owner(context: Context, expr: Expr, role: str) -> bool:
    """Whether what stands before the dot is one thing that is there."""
    if not isinstance(expr, Attribute):
        return True
    of = context.facts.types.get(expr.of, UNKNOWN)
    if isinstance(of, SetT):
        context.add(say.one_wanted(expr.of.span, role, of))
        return False
    if maybe_none(of):
        context.may_be_none(expr.of, f"the owner of `{expr.name}`")
        return False
    return True


def check_counter(context: Context, expr: Expr, scope: Scope, role: str) -> bool:
    """A counter of one thing: ``me.vp``, ``game.round``; whether it can be one."""
    found = context.infer(expr, scope)
    if is_unknown(found):
        return True
    ref = context.facts.refs.get(expr)
    if not isinstance(ref, CounterRef):
        context.add(say_changes.not_a_counter(expr.span, found, ref, role))
        return False
    _one_owner(context, expr, role)
    return True


def _amount(context: Context, amount: Expr, scope: Scope, role: str) -> None:
    found = context.want(amount, scope, NUMBER, f"the amount of {role}")
    if isinstance(found, NumberT) and found.high is not None and found.high < 0:
        context.add(say_changes.amount_negative(amount.span, role))
        return
    none_at_all = isinstance(found, NumberT) and found.high is not None and found.high < 1
    if none_at_all and isinstance(found, NumberT) and found.low == found.high:
        context.add(say_changes.amount_below_one(amount.span, role))


def check_gain(context: Context, effect: Gain, scope: Scope) -> None:
    """``gain N a.c``, ``lose N a.c``."""
    role = f"`{effect.kind}`"
    if check_counter(context, effect.counter, scope, role):
        _amount(context, effect.amount, scope, role)
    else:  # what is gained of a mark need not be a number
        context.infer(effect.amount, scope)


def check_pay(context: Context, amount: Expr, counter: Expr, to: Expr | None, scope: Scope) -> None:
    """``pay N a.c to b.c``, as an effect and as a price."""
    _amount(context, amount, scope, "`pay`")
    check_counter(context, counter, scope, "`pay`")
    if to is not None:
        check_counter(context, to, scope, "`pay ... to`")


def check_place(context: Context, expr: Expr, scope: Scope, piece: str, role: str) -> Zone | None:
    """A zone of one thing, or the box, that takes pieces of the kind ``piece`` (empty: any)."""
    found = context.infer(expr, scope)
    ref = context.facts.refs.get(expr)
    if isinstance(ref, BoxRef) or is_unknown(found):
        return None
    if not isinstance(ref, ZoneRef):
        zones = [
            zone.name
            for zone in context.world.zones.values()
            if zone.each is not None and zone.each.name == kind_of(found)
        ]
        context.add(say_changes.not_a_place(expr.span, found, zones, role))
        return None
    if role != "`starts`" or not _spread(context, expr):
        _one_owner(context, expr, role)
    zone = context.world.zones[ref.name]
    if piece and zone.of.name != piece:
        context.add(say_changes.wrong_zone(expr.span, zone, piece))
    return zone


def _spread(context: Context, starts: Expr) -> bool:
    """Whether a start names the zones of several things that the box fixes."""
    if not isinstance(starts, Attribute):
        return False
    several = isinstance(context.facts.types.get(starts.of), SetT)
    return several and _is_fixed(context, starts.of)


def _is_fixed(context: Context, expr: Expr) -> bool:
    match expr:
        case SetOf(items=items):
            return all(_is_fixed(context, item) for item in items)
        case Binary(op="+" | "-", a=a, b=b):
            return _is_fixed(context, a) and _is_fixed(context, b)
        case Attribute(of=of):
            ref = context.facts.refs.get(expr)
            return isinstance(ref, FieldRef) and _is_fixed(context, of)
        case Name(name=name):
            ref = context.facts.refs.get(expr)
            return isinstance(ref, Member | SpaceSet | Members) or name == "owner"
        case _:
            return False


def check_pieces(context: Context, expr: Expr, scope: Scope, role: str) -> str:
    """A piece that is there, a set of pieces, or a zone; the kind, empty where that failed."""
    found = context.infer(expr, scope)
    if isinstance(found, UnknownT):
        return ""
    kind = kind_of(found)
    if kind not in context.world.pieces:
        if kind.removesuffix(".type") in context.world.pieces and kind.endswith(".type"):
            context.add(say_changes.type_moved(expr.span, kind.removesuffix(".type"), role))
        elif kind == "none":
            context.may_be_none(expr, role)
        else:
            context.add(say_changes.not_a_piece(expr.span, found, role))
        return ""
    if maybe_none(found) and not isinstance(context.facts.refs.get(expr), ZoneRef):
        context.may_be_none(expr, role)
    return kind


def check_move(context: Context, effect: Move, scope: Scope) -> None:
    """``move x to ZONE at left``."""
    kind = check_pieces(context, effect.what, scope, "`move`")
    zone = check_place(context, effect.to, scope, kind, "`move ... to`")
    if kind and isinstance(context.facts.refs.get(effect.to), BoxRef):
        check_stays(context, effect.to, kind, None)
    if zone is not None and kind:
        check_stays(context, effect.to, kind, zone)
    if effect.at is None:
        return
    at = context.infer(effect.at, scope, ThingT("end"))
    in_a_slot = zone is not None and zone.order == "slots" and isinstance(at, NumberT)
    if not is_unknown(at) and not isinstance(at, NumberT) and kind_of(at) != "end":
        context.add(say_changes.not_an_end(effect.at.span, at))
    elif zone is not None and zone.order not in ("row", "pile") and not in_a_slot:
        context.add(say_changes.no_ends(effect.at.span, zone))


def check_stays(context: Context, place: Expr, kind: str, zone: Zone | None) -> None:
    """Report a zone (the box: None) that is not of the kind in which a piece stays."""
    stays = context.world.pieces[kind].stays_in
    each = zone.each.name if zone is not None and zone.each is not None else ""
    if stays is not None and stays.name != each:
        context.add(say_changes.leaves_its_place(place.span, kind, stays))


def check_draw(context: Context, effect: Draw, scope: Scope) -> None:
    """``draw N from Z to Y``: from an order, by chance from a bag, else only what is alike."""
    _amount(context, effect.amount, scope, "`draw`")
    source = check_place(context, effect.source, scope, "", "`draw ... from`")
    kind = source.of.name if source is not None else ""
    to = check_place(context, effect.to, scope, kind, "`draw ... to`")
    if to is not None and kind in context.world.pieces:
        check_stays(context, effect.to, kind, to)
    if source is None:
        if isinstance(context.facts.refs.get(effect.source), BoxRef):
            context.add(say_changes.from_the_box(effect.source.span))
        return
    piece = context.world.pieces.get(kind)
    if source.order in ("set", "slots") and piece is not None and len(piece.types) > 1:
        context.add(say_changes.draws_unlike(effect.source.span, source))


def check_shuffle(context: Context, effect: Shuffle, scope: Scope) -> None:
    """``shuffle ZONE``: a zone that has an order."""
    zone = check_place(context, effect.zone, scope, "", "`shuffle`")
    if zone is not None and zone.order not in ("pile", "row"):
        context.add(say_changes.nothing_to_shuffle(effect.zone.span, zone))


def check_reveal(context: Context, effect: Reveal, scope: Scope) -> None:
    """``reveal p to q``."""
    check_pieces(context, effect.what, scope, "`reveal`")
    if effect.to is not None:
        context.want(effect.to, scope, SetT("player"), "`reveal ... to`")


def check_flip(context: Context, effect: Flip, scope: Scope) -> None:
    """``flip p to side``."""
    kind = check_pieces(context, effect.what, scope, "`flip`")
    if kind and f"{kind}.side" not in context.world.kinds:
        context.infer(effect.side, scope)
        context.add(say_changes.has_no_sides(effect.what.span, kind))
        return
    want: Type = ThingT(f"{kind}.side") if kind else UNKNOWN
    piece = context.world.pieces.get(kind)
    if piece is not None and piece.pips is not None:
        want = NumberT(piece.pips, piece.pips + len(piece.sides) - 1)
    found = context.infer(effect.side, scope, want)
    check_range(context, effect.side, found, want, "`flip ... to`")
    if kind and not is_unknown(found) and not fits(found, want):
        context.add(say.mismatch(effect.side.span, want, found, "`flip ... to`", False))


def check_swap(context: Context, effect: Swap, scope: Scope) -> None:
    """``swap p with q``: two pieces of one kind."""
    a = check_pieces(context, effect.a, scope, "`swap`")
    b = check_pieces(context, effect.b, scope, "`swap ... with`")
    for side in (effect.a, effect.b):
        found = context.facts.types.get(side, UNKNOWN)
        if isinstance(found, SetT) and kind_of(found) in context.world.pieces:
            context.add(say.one_wanted(side.span, "`swap`", found))
        elif isinstance(context.facts.refs.get(side), ZoneRef) and maybe_none(found):
            context.may_be_none(side, "`swap`")
    if a and b and a != b:
        context.add(say_changes.swaps_unlike(effect.b.span, a, b))


def check_roll(context: Context, effect: RollPieces, scope: Scope) -> None:
    """``roll dice``: pieces with sides."""
    kind = check_pieces(context, effect.what, scope, "`roll`")
    if kind and f"{kind}.side" not in context.world.kinds:
        context.add(say_changes.has_no_sides(effect.what.span, kind))
