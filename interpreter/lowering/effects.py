"""Effects, one by one. A block ends early where a mandatory choice is empty and says ``else``."""

from __future__ import annotations

from interpreter.ir import nodes as ir
from interpreter.ir.nodes import Operand
from interpreter.ir.words import ALIVE, ENDING, ENDINGS, FLIP, SET, SET_OF, SIDE, WINNERS
from interpreter.lowering import (
    asking,
    attributes,
    changes,
    expressions,
    iteration,
    loops,
    moving,
    rules,
    sifting,
    together,
)
from interpreter.lowering.scope import Scope
from interpreter.lowering.static import constant
from ruleset import syntax as ast
from ruleset.types import MarkRef, SetT


def block(s: Scope, effects: ast.Block) -> None:
    """A block of effects, in order; its names are not known outside."""
    inner = s.inner()
    end = s.b.block()
    inner.exits = [*s.exits, end]
    for one in effects:
        effect(inner, one)
    s.b.end(ir.Jump(end))
    s.b.seek(end)


def effect(s: Scope, e: ast.Effect) -> None:
    """One effect."""
    match e:
        case ast.Let():
            is_set = isinstance(s.type(e.value), SetT)
            read = expressions.as_set if is_set else expressions.value
            s.names[e.name] = s.b.copy(e.name, "s" if is_set else "i", read(s, e.value))
        case ast.SetMark():
            _set_mark(s, e)
        case ast.Gain():
            changes.gain(s, e)
        case ast.Pay():
            changes.pay(s, e.amount, e.counter, e.to, e.span)
        case ast.Move():
            moving.move(s, e)
        case ast.Draw():
            moving.draw(s, e)
        case ast.Shuffle():
            moving.shuffle(s, e)
        case ast.Reveal():
            moving.reveal(s, e)
        case ast.Flip():
            _flip(s, e)
        case ast.Swap():
            moving.swap(s, e)
        case ast.RollValue(_, clause):
            members = sifting.those(s, clause)
            d = s.b.register(clause.name, "i")
            kind = "number" if isinstance(clause.source, ast.Numbers) else s.kind(clause.source)
            s.roll(members, kind, f"{s.record.path}.{clause.name}", d, e.span)
            s.names[clause.name] = d
        case ast.RollPieces():
            _roll_pieces(s, e)
        case ast.DoBase():
            assert s.base is not None
            s.base(s)
        case ast.Stop():
            _stop(s, e)
        case ast.Eliminate():
            _eliminate(s, e)
        case ast.DoNothing():
            pass
        case ast.Happen():
            _happen(s, e)
        case ast.Ask():
            asking.ask(s, e)
        case ast.Choose():
            asking.choose(s, e)
        case ast.If():
            _if(s, e)
        case ast.For() | ast.Repeat() | ast.RepeatUntil():
            loops.loop(s, e)
        case ast.Together():
            together.together(s, e)


def reset(s: Scope, name: str) -> None:
    """Counters and marks that start anew when the step or rule of that name begins."""
    changing: tuple[ast.Counter | ast.Mark, ...] = (*s.box.file.counters, *s.box.file.marks)
    for declared in changing:
        if declared.resets is not None and declared.resets.name == name:
            start_anew(s, declared)


def start_anew(s: Scope, declared: ast.Counter | ast.Mark) -> None:
    """Give a counter or mark of all things its start value; one that play knows is worked out."""
    info = s.box.counters[declared.name]
    is_set = info.kind.startswith(SET_OF)
    store = ir.StoreSet if is_set else ir.Store
    kept = s.low.program.set_fields[info.field] if is_set else s.low.program.fields[info.field]
    start = declared.start
    fixed = start is None or constant(s.box, start, {}) is not None
    inner = Scope(s.low, s.b, {}, declared)
    for k, first in enumerate(kept.init):
        found: Operand = first
        if not fixed and start is not None:
            inner.names["owner"] = k
            read = expressions.as_set if is_set else expressions.value
            found = read(inner, start)
        s.b.add(store(info.field, k, found))


def _set_mark(s: Scope, e: ast.SetMark) -> None:
    ref = s.low.facts.refs[e.target]
    assert isinstance(ref, MarkRef)
    info = s.box.counters[ref.name]
    if isinstance(e.target, ast.Attribute) and isinstance(s.type(e.target.of), SetT):
        with iteration.each(s, e.target.of, "x") as (each, _):
            _store(s, info.field, info.kind, each, e)
        return
    owner: Operand = 0
    if isinstance(e.target, ast.Attribute):
        _, owner, _ = attributes.owner(s, e.target.of)
    _store(s, info.field, info.kind, owner, e)


def _store(s: Scope, field: str, kind: str, owner: Operand, e: ast.SetMark) -> None:
    name = field.partition(".")[2]
    if kind.startswith(SET_OF):
        s.b.add(ir.StoreSet(field, owner, expressions.as_set(s, e.value), s.site(e.span)))
        return
    if isinstance(e.value, ast.Nothing):
        found: Operand = -1
    else:
        found = expressions.value(s, e.value)
    s.b.add(ir.Store(field, owner, found, s.site(e.span)))
    each = s.box.counters[name].each
    s.low.events[SET + name] = (each, kind)
    s.b.add(ir.Emit(SET + name, (owner, found), s.site(e.span)))


def _flip(s: Scope, e: ast.Flip) -> None:
    kind = s.kind(e.what)
    side = expressions.value(s, e.side)
    low = s.box.pieces[kind].pips
    site = -1
    if low is not None:  # a number that is worked out may be on no side
        side, site = s.b.bin("sub", side, low), s.site(e.span)
    s.low.events[FLIP + kind] = (kind, kind + SIDE)
    with iteration.members(s, e.what, expressions.as_set(s, e.what), kind) as (piece, _):
        s.b.add(ir.Store(kind + SIDE, piece, side, site))
        s.b.add(ir.Emit(FLIP + kind, (piece, side), s.site(e.span)))


def _roll_pieces(s: Scope, e: ast.RollPieces) -> None:
    kind = s.kind(e.what)
    sides = s.box.all_of(kind + SIDE)
    s.low.events[FLIP + kind] = (kind, kind + SIDE)
    with iteration.members(s, e.what, expressions.as_set(s, e.what), kind) as (piece, _):
        side = s.b.register("side", "i")
        s.roll(sides, kind + SIDE, f"{s.record.path}.{kind}", side, e.span)
        s.b.add(ir.Store(kind + SIDE, piece, side))
        s.b.add(ir.Emit(FLIP + kind, (piece, side), s.site(e.span)))


def _stop(s: Scope, e: ast.Stop) -> None:
    if e.name != "game":
        s.b.end(ir.StopRule(rules.inner_function(s.low, e.name)))
        return
    ending = ENDINGS.index("won" if e.won_by is not None else e.ending or "score")
    s.b.add(ir.Store(ENDING, 0, ending))
    if e.won_by is not None:
        s.b.add(ir.StoreSet(WINNERS, 0, expressions.as_set(s, e.won_by)))
    s.low.events["stop game"] = ("",)
    s.b.add(ir.Emit("stop game", (ending,), s.site(e.span)))
    s.b.end(ir.End())


def _eliminate(s: Scope, e: ast.Eliminate) -> None:
    """The player is out: the own pieces leave the map, and what is about this player ends."""
    player = expressions.value(s, e.who)
    alive = s.b.load_set(ALIVE, 0)
    s.b.add(ir.Without(alive, alive, player))
    s.b.add(ir.StoreSet(ALIVE, 0, alive))
    s.low.events["eliminate"] = ("player",)
    s.b.add(ir.Emit("eliminate", (player,), s.site(e.span)))
    for piece in s.box.file.pieces:
        owners = s.box.kinds[piece.name].owner
        if max(owners, default=-1) < 0:
            continue
        for zone in s.box.file.zones:
            if zone.of.name == piece.name and zone.each and zone.each.name in s.box.boards:
                _clear(s, piece.name, zone, player, e)
    to = s.b.block()
    s.b.end(ir.Leave(player, to))
    s.b.seek(to)


def _clear(s: Scope, kind: str, zone: ast.Zone, player: Operand, e: ast.Eliminate) -> None:
    owners = s.box.kinds[kind].owner
    sets = [
        sum(1 << k for k, owner in enumerate(owners) if owner == seat)
        for seat in range(s.box.players)
    ]
    own = s.b.lookup(s.box.table(f"{kind}.owned", sets, 0, "s"), player)
    assert zone.each is not None
    for k in range(s.box.size(zone.each.name)):
        inside = s.b.contents(kind, s.box.zone_base[zone.name] + k)
        with s.b.members(s.b.sets("inter", inside, own), kind) as (piece, _):
            moving.place(s, kind, piece, 0, moving.END, e.span)


def _happen(s: Scope, e: ast.Happen) -> None:
    if e.of is not None:
        attributes.code_call(s, e.of, e.name, tuple(expressions.value(s, a) for a in e.args))
        return
    record = rules.find(s.low, e.name)
    wanted = rules.parameters(s.low, record)
    args = tuple(
        expressions.as_set(s, arg) if kind == "s" else expressions.value(s, arg)
        for arg, (_, kind) in zip(e.args, wanted, strict=True)
    )
    s.b.call(rules.outer_function(s.low, e.name), args)


def _if(s: Scope, e: ast.If) -> None:
    yes, no, join = s.b.block(), s.b.block(), s.b.block()
    expressions.jump(s, e.condition, yes, no)
    for at, branch in ((yes, e.then), (no, e.otherwise)):
        s.b.seek(at)
        block(s, branch)
        s.b.end(ir.Jump(join))
    s.b.seek(join)
