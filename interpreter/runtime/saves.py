"""A state by names, as plain data, and the way back.

A save names fields with their members, pieces, zones, and the rules under way with their labels and
locals. So it survives an edit of other rules; where it does not fit, it says what it does not find.
Locals are numbers: while rules are under way, the kinds must have the members that they had.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import (
    ACTOR,
    COUNTER,
    PENDING,
    SEED,
    STATUS,
    STATUS_NAMES,
    TOP,
    cell,
    put_cell,
)
from interpreter.ir.linker import Point
from interpreter.runtime.errors import DataError
from interpreter.runtime.files import Shape, check_kind, parse_json, read_text, write_json
from interpreter.runtime.saved_values import SavedValues
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import play as say
from ruleset.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from interpreter.runtime.game import Game

FORMAT: Final = "rulewright save"
VERSION: Final = 2


def write_save(path: str | os.PathLike[str], save: Mapping[str, Any]) -> None:
    """Write a save to a file, whole or not at all. Raises `DataError`."""
    write_json(path, save)


def read_save(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a save from a file, for `Game.load`. Raises `DataError`."""
    return parse_json(read_text(path), os.fspath(path), FORMAT, VERSION)


def save_of(game: Game, data: bytes) -> dict[str, Any]:
    """The state as plain data."""
    machine = game.machine
    layout = machine.layout
    program = game.compiled.program
    values = SavedValues(game)
    zones: dict[str, dict[str, list[Any]]] = {}
    for name, group in program.groups.items():
        zones[name] = {}
        for piece in range(group.n):
            zone = group.zones[layout.zone_of(data, name, piece)]
            member = game.names.zone_member(zone) if zone.index >= 0 else None
            place = layout.place_of(data, name, piece)
            zones[name][game.names.show(name, piece)] = [zone.name, member, place]
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "fingerprint": game.fingerprint,
        "players": game.players,
        "options": dict(game.options),
        "status": STATUS_NAMES[machine.status(data)],
        "actor": machine.actor(data) + 1,
        "pending": [player + 1 for player in members_of(machine.pending(data))],
        "chance": {"seed": cell(data, "Q", SEED), "counter": cell(data, "i", COUNTER)},
        "fields": values.fields(data),
        "sets": values.sets(data),
        "pieces": zones,
        "frames": [
            {"rule": frame.function, "at": frame.label, "locals": frame.locals}
            for frame in machine.frames(data)
        ],
        "numbering": values.numbering(),
    }


def bytes_of(game: Game, save: object) -> bytes:
    """The bytes of a saved state. Raises `DataError`."""
    shape = Shape(check_kind(save, "the save", FORMAT, VERSION), "")
    if shape.text("game") != game.name:
        raise DataError(say.other_game("the save", game.name, shape.text("game")))
    if shape.number("players") != game.players:
        raise DataError(
            say.save_misfit(f"expected {game.players} players, found {shape.number('players')}")
        )
    chance = Shape(shape.mapping("chance"), "chance")
    buffer = bytearray(game.machine.layout.initial(chance.number("seed")))
    try:
        put_cell(buffer, "i", COUNTER, chance.number("counter"))
        _header(game, buffer, shape)
        _fields(game, buffer, shape)
        _pieces(game, buffer, shape)
        _frames(game, buffer, shape)
    except (ValueError, OverflowError, TypeError, struct.error) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(say.save_misfit(str(error))) from None
    return bytes(buffer)


def _header(game: Game, buffer: bytearray, shape: Shape) -> None:
    status = shape.text("status")
    if status not in STATUS_NAMES:
        raise DataError(say.wrong_entry("status", "one of " + ", ".join(STATUS_NAMES), status))
    put_cell(buffer, "i", STATUS, STATUS_NAMES.index(status))
    put_cell(buffer, "i", ACTOR, shape.number("actor") - 1)
    pending = 0
    for player in shape.items("pending"):
        if not isinstance(player, int) or not 1 <= player <= game.players:
            raise DataError(say.wrong_entry("pending", f"players 1 to {game.players}", player))
        pending |= 1 << (player - 1)
    put_cell(buffer, "Q", PENDING, pending)


def _fields(game: Game, buffer: bytearray, shape: Shape) -> None:
    """What the save does not have keeps its start; what the game does not have is a fault."""
    layout, saved = game.machine.layout, SavedValues(game)
    for name, values in shape.mapping("fields").items():
        if name not in layout.fields:
            raise DataError(_unknown("field", name, layout.fields))
        for i, value in saved.read(name, values):
            layout.put(buffer, name, i, value)
    for name, values in shape.mapping("sets").items():
        if name not in layout.set_fields:
            raise DataError(_unknown("field", name, layout.set_fields))
        for i, value in saved.read(name, values):
            layout.put_set(buffer, name, i, value)


def _pieces(game: Game, buffer: bytearray, shape: Shape) -> None:
    layout = game.machine.layout
    for name, pieces in shape.mapping("pieces").items():
        group = game.compiled.program.groups.get(name)
        if group is None:
            raise DataError(_unknown("kind of piece", name, game.compiled.program.groups))
        numbers = {
            (zone.name, game.names.zone_member(zone) if zone.index >= 0 else None): k
            for k, zone in enumerate(group.zones)
        }
        missing = set(range(group.n))
        for piece, lies in Shape(pieces, f"pieces.{name}").all().items():
            number = game.names.index(name, piece)
            if number is None:
                raise DataError(say.save_misfit(f"there is no {name} `{piece}`"))
            match lies:
                case [str(zone), (str() | None) as member, int(place)] if (zone, member) in numbers:
                    layout.put_piece(buffer, name, number, numbers[zone, member], place)
                    missing.discard(number)
                case _:
                    wanted = "a zone of that kind, its member, a place"
                    raise DataError(say.wrong_entry(f"pieces.{name}.{piece}", wanted, lies))
        if missing:
            lost = game.names.show(name, min(missing))
            raise DataError(say.save_misfit(f"the save does not say where `{lost}` lies"))


def _frames(game: Game, buffer: bytearray, shape: Shape) -> None:
    """Build the frames from the outermost on, each at the point with the saved label."""
    linked = game.machine.linked
    up = game.machine.layout.frames // 8
    below = 0
    rules = [
        Shape(item, f"frames[{k + 1}]").text("rule") for k, item in enumerate(shape.items("frames"))
    ]
    SavedValues(game).check_numbering(shape.mapping("numbering"), rules)
    for k, item in enumerate(shape.items("frames")):
        frame = Shape(item, f"frames[{k + 1}]")
        rule, label = frame.text("rule"), frame.text("at")
        point = _point(game, rule, label)
        width = linked.frames[rule].width
        if 8 * up + width > len(buffer):
            raise DataError(say.save_misfit("more rules are under way than can be"))
        put_cell(buffer, "i", 2 * up, below)
        put_cell(buffer, "i", 2 * up + 1, point.id)
        _locals(game, buffer, up, point, frame.mapping("locals"))
        put_cell(buffer, "i", TOP, up)
        below, up = up, up + width // 8


def _point(game: Game, rule: str, label: str) -> Point:
    linked = game.machine.linked
    if rule not in linked.frames:
        raise DataError(_unknown("rule under way", rule, linked.frames))
    points = [p for p in linked.points if p is not None and p.function == rule]
    found = next((p for p in points if p.label == label), None)
    if found is None:
        raise DataError(_unknown(f"place in `{rule}`", label, [p.label for p in points]))
    return found


def _locals(game: Game, buffer: bytearray, up: int, point: Point, values: dict[str, Any]) -> None:
    linked = game.machine.linked
    slots = linked.frames[point.function].slots
    types = linked.program.functions[point.function].types
    for register in point.live:
        value = values.get(register)
        if not isinstance(value, int) or isinstance(value, bool):
            where = f"`{register}` in `{point.function}` at `{point.label}`"
            raise DataError(say.save_misfit(f"the save has no number for {where}"))
        at = slots[register]
        if types[register] == "i":
            put_cell(buffer, "i", 2 * up + at // 4, value)
            continue
        for k in range(linked.set_words):
            put_cell(buffer, "Q", up + at // 8 + k, value >> 64 * k & (1 << 64) - 1)


def _unknown(what: str, name: str, known: Iterable[str]) -> Diagnostic:
    close = nearest(name, known)
    hint = f"did you mean `{close}`?" if close else "it was saved under other rules"
    return say.save_misfit(f"there is no {what} `{name}`", hint)
