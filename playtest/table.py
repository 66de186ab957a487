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
from playtest.scene import View, scene_of
from playtest.wrapping import wrap
from ruleset.syntax import MapDecl, Zone


def table(game: Game, view: View, labels: Labels, width: int = WIDTH) -> list[str]:
    """The whole table as lines of text, at most so many columns wide."""
    lines: list[str] = []
    for board in game.ruleset.file.maps:
        lines += _map(game, board, view, labels, width)
    common = _wrapped("", _common(game, view, labels), width, " · ")
    common += _places(game, view, labels, width)
    if common and lines and not game.ruleset.file.places:
        lines.append("")
    lines += common
    for player in range(1, game.players + 1):
        area = _area(game, player, view, labels)
        mark = "▶ " if player in view["pending"] else "  "
        lines += _wrapped(f"{mark}{labels.player(player)}", area, width)
        lines += _places(game, view, labels, width - 4, player)
    while lines and not lines[0]:
        del lines[0]
    return lines


def _map(game: Game, board: MapDecl, view: View, labels: Labels, width: int) -> list[str]:
    scene = scene_of(game, board, view, labels)
    title = [labels.of(board.path)] if labels.known(board.path) and not board.drawing else []
    drawn = draw(board, scene, width)
    legend: dict[str, str] = {}
    if board.drawing:
        legend = scene.road_legend
    elif board.shape in ("grid", "hex"):
        legend = scene.legend
    words = [f"{sign} {text}" for sign, text in sorted(legend.items()) if sign != text]
    if board.drawing and words:  # beside the roads that have no border
        last = [drawn.pop()] if drawn[-1].startswith("╲╱") else []
        lines = _wrapped("", [*last, *words], width, " · ")
    else:
        lines = _wrapped("   ", words, width, ", ") if words else []
    return [*title, *drawn, *lines]


def _places(game: Game, view: View, labels: Labels, width: int, player: int = 0) -> list[str]:
    """The places of a player's board with what lies on them; for 0 those on the spaces of maps."""
    lines = []
    file = game.ruleset.file
    for place in file.places:
        zone = next(
            (z for z in file.zones if z.each is not None and z.each.name == place.name), None
        )
        if zone is None or (place.each.name == "player") != bool(player):
            continue
        known = game.compiled.kinds[place.name]
        groups: dict[str, list[tuple[str, str, list[str]]]] = {}
        for number, (id_, path) in enumerate(zip(known.ids, known.paths, strict=True)):
            owner = known.owner[number] + 1 if known.owner else 0
            if player and owner != player:
                continue
            whose = "" if player else id_.partition(".")[0]
            group = groups.setdefault(whose, [])
            word, sign = labels.piece_words(place.name, number)
            if not group or group[-1][0] != labels.of(path):
                group.append((labels.of(path), sign if labels.short(path) else word, []))
            group[-1][2].append(_inside(zone, view["zones"][zone.name].get(id_), labels))
        for whose, group in groups.items():
            title = f"{labels.of(place.path)} {whose}".strip()
            for column in (0, 1):
                text = f"{title}: " + " ".join(f"{g[column]}{''.join(g[2])}" for g in group)
                if cell_len(text) <= width:
                    break
            lines += [("    " if player else "") + part for part in wrap(text, width)]
    return lines


def _inside(zone: Zone, shown: Mapping[str, Any] | None, labels: Labels) -> str:
    """What lies on a place, in brackets."""
    if not shown or not shown["count"]:
        return "[ ]"
    if "pieces" not in shown:
        return f"[?{shown['count']}]"
    words = []
    for id_ in shown["pieces"]:
        number = labels.game.names.index(zone.of.name, id_)
        words.append(labels.piece_words(zone.of.name, number)[1] if number is not None else "?")
    return f"[{' '.join(words)}]"


def _common(game: Game, view: View, labels: Labels) -> list[str]:
    """Zones, counters and marks that belong to no player and to no space."""
    file = game.ruleset.file
    boards = game.compiled.box.boards
    elsewhere = {"player", *boards, *(place.name for place in file.places)}
    if any(board.shape == "roads" and board.drawing for board in file.maps):
        elsewhere.add("road")  # drawn on the map
    lines = []
    for counter in file.counters:
        if counter.each is None:
            value = view["counters"].get(counter.name)
            lines.append(f"{labels.of(counter.path)}: {_value(value, labels)}")
    for mark in file.marks:
        value = view["marks"].get(mark.name)
        if mark.each is None and labels.known(mark.path) and value not in (None, False, []):
            lines.append(f"{labels.of(mark.path)}: {_value(value, labels, _kind(game, mark.name))}")
    for zone in file.zones:
        shown = view["zones"].get(zone.name)
        if shown is None:
            continue
        label = labels.of(f"zones.{zone.name}")
        if zone.each is None:
            if text := _pieces(zone, shown, view, labels, 0):
                lines.append(f"{label}: {text}")
        elif zone.each.name not in elsewhere:
            each = zone.each.name
            parts = [
                f"{_member(game, each, member, labels)} {text}"
                for member, inside in shown.items()
                if (text := _pieces(zone, inside, view, labels, 0))
            ]
            if parts:
                lines.append(f"{label}: {'; '.join(parts)}")
    return lines


def _member(game: Game, kind: str, id_: str, labels: Labels) -> str:
    number = game.names.index(kind, id_)
    return id_ if number is None else labels.piece(kind, number)


def _kind(game: Game, name: str) -> str:
    """The kind of a mark's value."""
    return next((c.kind for c in game.compiled.counters if c.name == name), "")


def _area(game: Game, player: int, view: View, labels: Labels) -> list[str]:
    parts: list[str] = []
    who = str(player)
    for counter in game.ruleset.file.counters:
        if counter.each is not None and counter.each.name == "player":
            values = view["counters"].get(counter.name) or {}
            parts.append(f"{labels.of(counter.path)} {_value(values.get(who, '?'), labels)}")
    for zone in game.ruleset.file.zones:
        if zone.each is not None and zone.each.name == "player":
            shown = view["zones"].get(zone.name, {}).get(who)
            text = _pieces(zone, shown, view, labels, player) if shown else ""
            if text:
                label = labels.of(zone.path)
                parts.append(text if text == label else f"{label}: {text}")
    for mark in game.ruleset.file.marks:
        if mark.each is None or mark.each.name != "player" or not labels.known(mark.path):
            continue
        value = (view["marks"].get(mark.name) or {}).get(who)
        if value not in (None, False, []):
            word = labels.of(mark.path)
            parts.append(
                word
                if value is True
                else f"{word}: {_value(value, labels, _kind(game, mark.name))}"
            )
    return parts


def _pieces(zone: Zone, shown: Mapping[str, Any], view: View, labels: Labels, owner: int) -> str:
    if not shown["count"]:
        return ""
    kind = zone.of.name
    if "pieces" in shown:
        row = zone.order in ("row", "slots")
        return labels.pieces(shown["pieces"], kind, owner, view["sides"], row)
    text = phrase("hidden", labels.lang, shown["count"])
    if shown.get("revealed"):
        known = labels.pieces(shown["revealed"], kind, owner, view["sides"])
        text += f" ({phrase('revealed', labels.lang, known)})"
    return text


def _value(value: object, labels: Labels, kind: str = "") -> str:
    match value:
        case None:
            return "-"
        case True:
            return phrase("yes", labels.lang)
        case list():
            return (
                ", ".join(_value(one, labels, kind.removeprefix("set of ")) for one in value) or "-"
            )
        case str() if (number := labels.game.names.index(kind, value)) is not None:
            return labels.piece(kind, number)
        case _:
            return str(value)


def _wrapped(title: str, parts: Sequence[str], width: int, sign: str = "; ") -> list[str]:
    """A title and its parts, as many on a line as fit."""
    if not title and not parts:
        return []
    head = f"{title}:" if parts and title.strip() else title
    text = f"{head.strip()} {sign.join(parts)}".strip()
    margin = head[: len(head) - len(head.lstrip())]
    indent = "    " if title else "  "
    first, *rest = wrap(text, width - len(margin))
    lines = [f"{margin}{first}"]
    if rest:  # the width of what is indented is another
        left = text[len(first) :].lstrip()
        lines += [f"{indent}{piece}" for piece in wrap(left, width - len(indent))]
    return lines
