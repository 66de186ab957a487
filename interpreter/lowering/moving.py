"""Moving pieces: move, draw, swap, reveal; with the hooks on zones and what pieces do when held."""

from __future__ import annotations

from functools import partial
from typing import Final, TypeAlias

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import REVEAL, REVEALED
from interpreter.lowering import (
    attributes,
    expressions,
    holding,
    iteration,
    rules,
    weaving,
)
from interpreter.lowering.builder import Builder
from interpreter.lowering.scope import Lowering, Scope
from ruleset import syntax as ast
from ruleset.source import Span
from ruleset.types import SetT, ZoneRef
from ruleset.world import ENDS

Hooks: TypeAlias = "list[weaving.Woven]"
END: Final = 32767
"""The right end of a row, the top of a pile."""
_RIGHT: Final = (ENDS.index("right"), ENDS.index("top"))
"""The ends that are this one, as numbers."""


def zone_ref(s: Scope, e: ast.Expr) -> str:
    """The name of the zone that an expression names."""
    ref = s.low.facts.refs[e]
    assert isinstance(ref, ZoneRef)
    return ref.name


def move(s: Scope, e: ast.Move) -> None:
    """A piece, a set of pieces, or all that lies in a zone, in order."""
    kind = s.kind(e.what)
    at = _place_in_row(s, e.at)
    if isinstance(s.type(e.what), SetT) or attributes.contents(s, e.what) is not None:
        with iteration.members(s, e.what, expressions.as_set(s, e.what), kind) as (piece, _):
            place(s, kind, piece, attributes.zone(s, e.to), at, e.span)
        return
    place(s, kind, expressions.value(s, e.what), attributes.zone(s, e.to), at, e.span)


def _place_in_row(s: Scope, at: ast.Expr | None) -> Operand:
    if at is None:
        return END
    if s.kind(at) == "end":
        end = expressions.value(s, at)
        if isinstance(end, int):
            return END if end in _RIGHT else 0
        right, top = (s.b.bin("eq", end, k) for k in _RIGHT)
        return s.b.select(s.b.bin("or", right, top), END, 0)
    return expressions.value(s, at)


def draw(s: Scope, e: ast.Draw) -> None:
    """So many from the top, or by chance from a bag; at most what is there."""
    name = zone_ref(s, e.source)
    declared = s.box.zones[name]
    kind = declared.of.name
    source = s.b.copy("source", "i", attributes.zone(s, e.source))
    target = s.b.copy("target", "i", attributes.zone(s, e.to))
    amount = expressions.value(s, e.amount)

    def once() -> None:
        inside = s.b.contents(kind, source)
        piece = s.b.register(kind, "i")
        if declared.order == "set":
            s.b.add(ir.First(piece, inside))
            place(s, kind, piece, target, END, e.span)
            return
        with s.b.if_(s.b.sets("differ", inside, 0)):
            top = inside
            if declared.order != "bag":
                top = s.b.register("top", "s")
                s.b.add(ir.Front(top, kind, inside))
            s.roll(top, kind, f"draw {name}", piece, e.span)
            place(s, kind, piece, target, END, e.span)

    if amount == 1:
        once()
    else:
        with s.b.counting(1, amount, "drawn"):
            once()


def shuffle(s: Scope, e: ast.Shuffle) -> None:
    """Where nobody sees the zone its order is unknown from here on; else chance lays it anew."""
    declared = s.box.zones[zone_ref(s, e.zone)]
    kind, zone = declared.of.name, s.b.copy("zone", "i", attributes.zone(s, e.zone))
    if declared.seen_by == "nobody":
        s.b.add(ir.Mix(kind, zone, s.site(e.span)))
        return
    left = s.b.copy("left", "s", s.b.contents(kind, zone))
    with s.b.members(left, kind) as (piece, _):
        s.b.add(ir.Move(kind, piece, 0, END, s.site(e.span)))
    with s.b.forever() as done:
        go_on = s.b.block()
        s.b.end(ir.Branch(s.b.sets("differ", left, 0), go_on, done))
        s.b.seek(go_on)
        piece = s.b.register(kind, "i")
        s.roll(left, kind, f"shuffle {declared.name}", piece, e.span)
        s.b.add(ir.Without(left, left, piece))
        s.b.add(ir.Move(kind, piece, zone, END, s.site(e.span)))


def swap(s: Scope, e: ast.Swap) -> None:
    """Two pieces change places, also within rows; both leave and both enter."""
    kind, site = s.kind(e.a), s.site(e.span)
    args = expressions.value(s, e.a), expressions.value(s, e.b)
    if s.low.raw or not _watched(s.low, kind):
        _exchange(s.low, s.b, kind, args, site)
        return
    label = f"swap.{kind}.{site}"
    s.b.call(s.low.need(label, lambda: _make_swap(s.low, label, kind, site)), args)


def _exchange(
    low: Lowering, b: Builder, kind: str, args: tuple[Operand, Operand], site: int
) -> None:
    apart = b.bin("ne", b.where(kind, args[0]), b.where(kind, args[1]))
    with b.if_(apart):
        for piece in args:
            _hide(low, b, kind, piece)
    b.add(ir.Swap(kind, *args, site))


def _make_swap(low: Lowering, label: str, kind: str, site: int) -> None:
    """A swap with the hooks before and after; within one zone nobody leaves or enters."""
    b = Builder(label, [("a", "i"), ("b", "i")])
    places = [b.copy("old", "i", b.where(kind, piece)) for piece in b.params]
    ways = [(b.params[0], *places), (b.params[1], *reversed(places))]
    players = low.box.location_table(kind, "player")
    owners = [b.copy("owner", "i", b.lookup(players, place)) for place in places]
    apart = b.bin("ne", *places)
    with b.if_(apart):
        for piece, old, new in ways:
            _happen(low, b, kind, ("before", "leave"), old, piece)
            _happen(low, b, kind, ("before", "enter"), new, piece)
    _exchange(low, b, kind, (b.params[0], b.params[1]), site)
    with b.if_(apart):
        for k, (piece, old, new) in enumerate(ways):
            _happen(low, b, kind, ("after", "leave"), old, piece)
            _held(low, b, (kind, piece), "lost", old, owners[k])
            _held(low, b, (kind, piece), "gained", new, owners[1 - k])
            _happen(low, b, kind, ("after", "enter"), new, piece)
    low.add(b.function())


def reveal(s: Scope, e: ast.Reveal) -> None:
    """Some players know the piece until it moves; without ``to`` every seat does."""
    kind = s.kind(e.what)
    to = expressions.as_set(s, e.to) if e.to is not None else s.box.all_of("player")
    field = kind + REVEALED
    shown = s.b.copy("shown", "s", expressions.as_set(s, e.what))
    with s.b.members(to, "viewer") as (viewer, _):
        known = s.b.load_set(field, viewer)
        s.b.add(ir.StoreSet(field, viewer, s.b.sets("union", known, shown)))
    s.low.events[REVEAL + kind] = (kind,)
    with s.b.members(shown, kind) as (piece, _):
        s.b.add(ir.Emit(REVEAL + kind, (piece,), s.site(e.span)))


def place(s: Scope, kind: str, piece: Operand, zone: Operand, at: Operand, span: Span) -> None:
    """Put a piece into a zone, through hooks where any look at it."""
    site = s.site(span)
    if s.low.raw or not _watched(s.low, kind):
        put(s.low, s.b, kind, (piece, zone, at), site)
        return
    label = f"move.{kind}.{site}"
    s.b.call(s.low.need(label, lambda: _make(s.low, label, kind, site)), (piece, zone, at))


def put(
    low: Lowering, b: Builder, kind: str, args: tuple[Operand, Operand, Operand], site: int
) -> None:
    """The move itself; what was revealed of the piece is hidden again."""
    if kind + REVEALED in low.program.set_fields:
        with b.if_(b.bin("ne", b.where(kind, args[0]), args[1])):
            _hide(low, b, kind, args[0])
    b.add(ir.Move(kind, *args, site))


def _hide(low: Lowering, b: Builder, kind: str, piece: Operand) -> None:
    """Nobody knows the piece any more from having been shown it."""
    field = kind + REVEALED
    if field not in low.program.set_fields:
        return
    for viewer in range(low.box.players):
        known = b.load_set(field, viewer)
        with b.if_(b.has(known, piece)):
            b.add(ir.Without(known, known, piece))
            b.add(ir.StoreSet(field, viewer, known))


def _watched(low: Lowering, kind: str) -> bool:
    zones = {z.name for z in low.box.file.zones if z.of.name == kind}
    hooked = any(
        hook.subject in ("enter", "leave") and hook.name in zones
        for rule in holding.all_rules(low.box.file)
        if isinstance(rule, ast.EffectRule)
        for hook in rule.when
    )
    piece = low.box.pieces[kind]
    return hooked or any(face.gained or face.lost for face in piece.types)


def _make(low: Lowering, label: str, kind: str, site: int) -> None:
    """A move as two events: it leaves a zone and enters one; a replacement of either replaces it.

    ``LABEL`` asks what replaces the leaving, ``LABEL.enter`` what replaces the entering, and
    ``LABEL.arrive`` moves, with all that happens before and after.
    """
    b = Builder(label, [(kind, "i"), ("zone", "i"), ("at", "i")])
    piece, zone, _ = b.params
    old = b.copy("old", "i", b.where(kind, piece))
    moves = b.bin("and", b.bin("le", 0, piece), b.bin("ne", old, zone))
    entering = low.need(f"{label}.enter", lambda: _make_enter(low, label, kind, site))
    with b.if_(moves):
        _through(low, b, kind, "leave", old, (label, entering))
    low.add(b.function())


def _make_enter(low: Lowering, label: str, kind: str, site: int) -> None:
    b = Builder(f"{label}.enter", [(kind, "i"), ("zone", "i"), ("at", "i")])
    arrive = low.need(f"{label}.arrive", lambda: _make_arrive(low, label, kind, site))
    _through(low, b, kind, "enter", b.params[1], (label, arrive))
    low.add(b.function())


def _make_arrive(low: Lowering, label: str, kind: str, site: int) -> None:
    """The move itself with the hooks before and after, and ``lost`` and ``gained``."""
    b = Builder(f"{label}.arrive", [(kind, "i"), ("zone", "i"), ("at", "i")])
    piece, zone, at = b.params
    old = b.copy("old", "i", b.where(kind, piece))
    players = low.box.location_table(kind, "player")
    before = b.copy("owner", "i", b.lookup(players, old))
    _happen(low, b, kind, ("before", "leave"), old, piece)
    _happen(low, b, kind, ("before", "enter"), zone, piece)
    put(low, b, kind, (piece, zone, at), site)
    _happen(low, b, kind, ("after", "leave"), old, piece)
    _held(low, b, (kind, piece), "lost", old, before)
    _held(low, b, (kind, piece), "gained", zone, b.lookup(players, zone))
    _happen(low, b, kind, ("after", "enter"), zone, piece)
    low.add(b.function())


def _hooked(low: Lowering, kind: str, subject: str, when: str) -> list[tuple[ast.Zone, Hooks]]:
    """The zones of a kind with the hooks of one sort on them."""
    found = []
    for zone in low.box.file.zones:
        if zone.of.name == kind:
            places = [0, 1] if zone.each is not None else [0]
            all_ = weaving.find_hooks(low, subject, zone.name, "", places)
            hooks = [hook for hook in all_ if hook.when == when]
            if hooks:
                found.append((zone, hooks))
    return found


def _happen(
    low: Lowering, b: Builder, kind: str, when: tuple[str, str], at: Operand, piece: Operand
) -> None:
    """The hooks before or after a piece leaves or enters that zone."""
    for zone, hooks in _hooked(low, kind, when[1], when[0]):
        family, declared = low.box.family_table(kind)
        number = b.lookup(family, at)
        with b.if_(b.bin("eq", number, declared.index(zone.name))):
            whose = b.bin("sub", at, low.box.zone_base[zone.name])
            args = (whose, piece) if zone.each is not None else (piece,)
            for hook in hooks:
                weaving.happen(low, b, hook, args)


def _through(
    low: Lowering, b: Builder, kind: str, subject: str, at: Operand, names: tuple[str, str]
) -> None:
    """Go on with ``inner``, unless a hook of the zone replaces it."""
    label, inner = names
    family, declared = low.box.family_table(kind)
    number = b.copy("family", "i", b.lookup(family, at))
    plain = b.copy("plain", "i", 1)
    for zone, hooks in _hooked(low, kind, subject, "instead of"):
        event = f"{label}.{subject}.{zone.name}"
        whose: weaving.Params = [("whose", "i")] if zone.each is not None else []
        params: weaving.Params = [*whose, (kind, "i"), ("zone", "i"), ("at", "i")]
        through = low.need(event, partial(_pass_on, low, event, params, inner))
        with b.if_(b.bin("eq", number, declared.index(zone.name))):
            b.set(plain, 0)
            member = b.bin("sub", at, low.box.zone_base[zone.name])
            given = (member, *b.params) if whose else b.params
            b.call(weaving.woven(low, event, params, through, hooks), given)
    with b.if_(plain):
        b.call(inner, b.params)


def _pass_on(low: Lowering, name: str, params: weaving.Params, inner: str) -> None:
    b = Builder(name, params)
    b.call(inner, b.params[-3:])
    low.add(b.function())


def _held(
    low: Lowering, b: Builder, what: tuple[str, Operand], which: str, at: Operand, owner: Operand
) -> None:
    """Run what a piece does when it comes into a live zone or leaves one."""
    kind, piece = what
    live = [z.name for z in low.box.file.zones if z.of.name == kind and z.live is not None]
    codes = [
        (low.box.of_type(kind, face.name), rules.held_code(low, low.box.pieces[kind], face, which))
        for face in low.box.pieces[kind].types
    ]
    if not live or not any(fn for _, fn in codes):
        return
    family, names = low.box.family_table(kind)
    number = b.lookup(family, at)
    inside: Operand = 0
    for name in live:
        inside = b.bin("or", inside, b.bin("eq", number, names.index(name)))
    with b.if_(inside):
        for pieces, fn in codes:
            if fn:
                with b.if_(b.has(pieces, piece)):
                    b.call(fn, (owner, piece))
