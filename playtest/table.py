"""The table as a player sees it: the map, what lies beside it, the area of each player.

Takes a view (`State.view`), never the state itself, so that nothing hidden can be shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from interpreter import Game
from playtest.drawing import WIDTH, draw
from playtest.labels import Labels
from playtest.phrases import phrase
from playtest.wrapping import wrap
from ruleset.syntax import MapDecl, Zone

View = Mapping[str, Any]


def table(game: Game, view: View, labels: Labels) -> list[str]:
    """The whole table as lines of text."""
    lines: list[str] = []
    for board in game.ruleset.file.maps:
        lines += _map(game, board, view, labels)
    common = _common(game, view, labels)
    if common:
        lines += ["", *common]
    for player in range(1, game.players + 1):
        area = _area(game, player, view, labels)
        mark = "▶ " if player in view["pending"] else "  "
        lines += _wrapped(f"{mark}{labels.player(player)}", area)
    while lines and not lines[0]:
        del lines[0]
    return lines


def _map(game: Game, board: MapDecl, view: View, labels: Labels) -> list[str]:
    contents: dict[str, list[str]] = {space.name: [] for space in board.spaces}
    marks: dict[str, list[str]] = {space.name: [] for space in board.spaces}
    legend: dict[str, str] = {}
    for zone in game.ruleset.file.zones:
        if zone.each is None or zone.each.name != board.kind:
            continue
        for space, shown in view["zones"].get(zone.name, {}).items():
            ids = [id_ for id_ in shown.get("pieces", ()) if id_ is not None]
            contents[space] += labels.on_map(ids, zone.of.name, view["sides"])
            marks[space] += [_mark(game, view, zone.of.name, id_, legend, labels) for id_ in ids]
            if "pieces" not in shown and shown["count"]:
                text = phrase("hidden", labels.lang, shown["count"])
                contents[space].append(text)
                marks[space].append("?" * shown["count"])
    for counter in game.ruleset.file.counters:
        if counter.each is not None and counter.each.name == board.kind:
            _counted(counter.path, view["counters"].get(counter.name), contents, labels)
    for mark in game.ruleset.file.marks:
        if mark.each is not None and mark.each.name == board.kind:
            _counted(mark.path, view["marks"].get(mark.name), contents, labels)
    title = [labels.of(board.path)] if labels.known(board.path) else []
    drawn = draw(board, contents, marks, labels)
    if board.shape in ("grid", "hex") and not board.drawing:
        drawn += [f"    {', '.join(f'{m} {text}' for m, text in sorted(legend.items()))}"] * bool(
            legend
        )
    return [*title, *drawn]


def _counted(
    path: str, values: Mapping[str, Any] | None, contents: Mapping[str, list[str]], labels: Labels
) -> None:
    """Counters and marks of spaces; those that say nothing are left out."""
    for space, value in (values or {}).items():
        if value not in (None, False, 0, []):
            text = labels.of(path) if value is True else f"{labels.of(path)} {value}"
            contents[space].append(text)


def _mark(
    game: Game, view: View, kind: str, id_: str, legend: dict[str, str], labels: Labels
) -> str:
    """The shortest sign for a piece on a grid: its owner's number, or letters of its name."""
    number = game.names.index(kind, id_)
    if number is None:
        return "?"
    owner = game.names.owner(kind, number) + 1
    known = game.compiled.kinds[kind]
    types = len(set(known.type)) if known.type else 1
    alone = sum(1 for piece in game.ruleset.file.pieces) == 1 and types == 1
    side = view["sides"].get(id_, "")
    word = side or brief_id(id_)
    sign = (
        f"{owner}"
        if owner and alone and not side
        else word[:1]
        if side and alone
        else f"{word[:2]}{owner or ''}"
    )
    text = labels.member(kind, number) + (f" {side}" if side else "")
    for length in range(2, len(word) + 1):
        if legend.setdefault(sign, text) == text:
            break
        sign = f"{word[: length + 1]}{owner or ''}"
    return sign


def brief_id(id_: str) -> str:
    """The type in an id: ``p1.disc#2`` is ``disc``."""
    return id_.partition("#")[0].rpartition(".")[2]


def _common(game: Game, view: View, labels: Labels) -> list[str]:
    """Zones, counters and marks that belong to no player and to no space."""
    boards = game.compiled.box.boards
    lines = []
    for zone in game.ruleset.file.zones:
        shown = view["zones"].get(zone.name)
        if shown is None:
            continue
        label = labels.of(f"zones.{zone.name}")
        if zone.each is None:
            if text := _pieces(zone, shown, labels, 0):
                lines += _wrapped(label, [text])
        elif zone.each.name != "player" and zone.each.name not in boards:
            parts = [
                f"{member}: {text}"
                for member, inside in shown.items()
                if (text := _pieces(zone, inside, labels, 0))
            ]
            if parts:
                lines += _wrapped(label, parts)
    for declared in game.ruleset.file.counters:
        if declared.each is None:
            value = view["counters"].get(declared.name)
            lines.append(f"{labels.of(declared.path)}: {_value(value, labels)}")
    for mark in game.ruleset.file.marks:
        value = view["marks"].get(mark.name)
        if mark.each is None and labels.known(mark.path) and value not in (None, False, []):
            lines.append(f"{labels.of(mark.path)}: {_value(value, labels)}")
    return lines


def _area(game: Game, player: int, view: View, labels: Labels) -> list[str]:
    parts = []
    who = str(player)
    for counter in game.ruleset.file.counters:
        if counter.each is not None and counter.each.name == "player":
            values = view["counters"].get(counter.name) or {}
            parts.append(f"{labels.of(counter.path)} {_value(values.get(who, '?'), labels)}")
    for zone in game.ruleset.file.zones:
        if zone.each is not None and zone.each.name == "player":
            shown = view["zones"].get(zone.name, {}).get(who)
            text = _pieces(zone, shown, labels, player) if shown else ""
            if text:
                label = labels.of(zone.path)
                parts.append(text if text == label else f"{label}: {text}")
    for mark in game.ruleset.file.marks:
        if mark.each is None or mark.each.name != "player" or not labels.known(mark.path):
            continue
        value = (view["marks"].get(mark.name) or {}).get(who)
        if value not in (None, False, []):
            word = labels.of(mark.path)
            parts.append(word if value is True else f"{word}: {_value(value, labels)}")
    return parts


def _pieces(zone: Zone, shown: Mapping[str, Any], labels: Labels, owner: int) -> str:
    if not shown["count"]:
        return ""
    if "pieces" in shown:
        return labels.pieces(shown["pieces"], zone.of.name, owner)
    text = phrase("hidden", labels.lang, shown["count"])
    if shown.get("revealed"):
        known = labels.pieces(shown["revealed"], zone.of.name, owner)
        text += f" ({phrase('revealed', labels.lang, known)})"
    return text


def _value(value: object, labels: Labels) -> str:
    match value:
        case None:
            return "-"
        case True:
            return phrase("yes", labels.lang)
        case list():
            return ", ".join(map(str, value)) or "-"
        case _:
            return str(value)


def _wrapped(title: str, parts: Sequence[str]) -> list[str]:
    """A title and its parts, as many on a line as fit."""
    lines = [f"{title}:" if parts else title]
    for k, part in enumerate(parts):
        text = part + ("" if k == len(parts) - 1 else ";")
        if cell_len(f"{lines[-1]} {text}") <= WIDTH:
            lines[-1] += f" {text}"
        else:
            lines += [f"    {piece}" for piece in wrap(text, WIDTH - 4)]
    return lines
