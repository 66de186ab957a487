"""What a player may see, as plain data by names.

Built only from what is visible: the view is never a copy with holes. The number of pieces in a
zone is public; what they are, and in which order, is seen by those who see the zone. While a choice
is simultaneous a player sees only whether they themselves are asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.ir.bitsets import members_of
from interpreter.ir.nodes import ZoneInstance
from interpreter.ir.words import SET_OF, SIDE
from interpreter.runtime.sight import Sight
from interpreter.runtime.visibility import SPECTATOR

if TYPE_CHECKING:
    from interpreter.lowering.compiled import CounterInfo
    from interpreter.runtime.game import Game
    from interpreter.runtime.options import Decision
    from interpreter.runtime.state import State


def view_of(state: State, player: int | None, lang: str) -> dict[str, Any]:
    """The view of a player (from 1), or of a spectator.

    Shape: ``game``, ``players``, ``viewer``, ``over``; ``zones``: name to ``{count, pieces}``, or
    member to that where each player, space or piece has one; ``counters`` and ``marks``: name to
    value, or member to value; ``sides``: piece to side; ``pending``: the players who are known to
    be asked; ``decisions``: what the viewer is asked; ``result`` when it is over.
    """
    game = state.game
    viewer = SPECTATOR if player is None else player - 1
    out: dict[str, Any] = {
        "game": game.name,
        "players": game.players,
        "viewer": player,
        "over": state.over,
        "zones": _zones(game, state.data, viewer),
        "counters": {},
        "marks": {},
        "sides": _sides(game, state.data, viewer),
    }
    for counter in game.compiled.counters:
        home = out["marks" if counter.is_mark else "counters"]
        home[counter.name] = _counter(game, state.data, counter, viewer)
    out["pending"], out["decisions"] = _pending(state, player, lang)
    if state.waiting is not None:
        out["chance"] = state.waiting.label
    result = state.result
    if result is not None:
        out["result"] = result.plain()
    return out


def _zones(game: Game, data: bytes, viewer: int) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for group, declared in game.compiled.program.groups.items():
        for number, zone in enumerate(declared.zones):
            shown = _zone(game, data, group, number, zone, viewer)
            if zone.index >= 0:
                out.setdefault(zone.name, {})[game.names.zone_member(zone)] = shown
            elif zone.name in out:
                out[zone.name]["count"] += shown["count"]
                out[zone.name]["pieces"] += shown["pieces"]
            else:
                out[zone.name] = shown
    return out


def _zone(
    game: Game, data: bytes, group: str, number: int, zone: ZoneInstance, viewer: int
) -> dict[str, Any]:
    layout = game.machine.layout
    pieces = members_of(layout.pieces_in(data, group, number))
    shown: dict[str, Any] = {"count": len(pieces)}
    if not game.visibility.zone(group, number, viewer):
        known = game.visibility.revealed(layout, data, group, viewer)
        if revealed := [game.names.show(group, p) for p in pieces if known >> p & 1]:
            shown["revealed"] = revealed
        return shown
    if zone.ordered:
        pieces.sort(key=lambda piece: layout.place_of(data, group, piece))
    ids = [game.names.show(group, piece) for piece in pieces]
    if zone.keeps_gaps:
        places = {layout.place_of(data, group, p): i for p, i in zip(pieces, ids, strict=True)}
        length = zone.capacity if zone.capacity >= 0 else max(places, default=-1) + 1
        shown["pieces"] = [places.get(k) for k in range(length)]
    else:
        shown["pieces"] = ids
    return shown


def _counter(game: Game, data: bytes, counter: CounterInfo, viewer: int) -> Any:
    """The value, or by member those values that are seen; None where it is not seen."""
    layout = game.machine.layout

    sight = Sight(game, data, viewer)

    def value(i: int) -> Any:
        if counter.kind.startswith(SET_OF):
            return sight.plain(counter.kind, layout.set_value(data, counter.field, i))
        return sight.plain(counter.kind, layout.value(data, counter.field, i))

    if not counter.each:
        return value(0) if game.visibility.field(counter.field, 0, viewer) else None
    kind = game.names.kind(counter.each)
    members = range(len(kind.ids) if kind else 0)
    if counter.each in game.compiled.program.groups:
        seen = game.visibility.pieces(layout, data, counter.each, viewer)
        members_seen = [i for i in members if seen >> i & 1]
    else:
        members_seen = list(members)
    return {
        game.names.show(counter.each, i): value(i)
        for i in members_seen
        if game.visibility.field(counter.field, i, viewer)
    }


def _sides(game: Game, data: bytes, viewer: int) -> dict[str, str]:
    layout = game.machine.layout
    out: dict[str, str] = {}
    for group in game.compiled.program.groups:
        field = group + SIDE
        if field not in layout.fields:
            continue
        for piece in members_of(game.visibility.pieces(layout, data, group, viewer)):
            side = layout.value(data, field, piece)
            out[game.names.show(group, piece)] = game.names.show(field, side)
    return out


def _pending(state: State, player: int | None, lang: str) -> tuple[list[int], list[dict[str, Any]]]:
    if state.waiting is not None:
        return [], []
    decisions = state.pending
    own = [_decision(decision, lang) for decision in decisions if decision.player == player]
    if state.game.machine.actor(state.data) >= 0:
        return [decision.player for decision in decisions], own
    return ([player] if own and player is not None else []), own


def _decision(decision: Decision, lang: str) -> dict[str, Any]:
    return {
        "id": decision.id,
        "prompt": decision.prompt(lang),
        "options": [
            {"option": option.text, "label": option.label(lang)} for option in decision.options
        ],
    }
