"""What lies on a map: the pieces, counters and marks of each space, and what lies on its roads.

Takes a map's declaration and a view (never the state itself); gives a `Scene` for drawing. Words
come in two lengths, and signs of one or two letters for grids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter import Game
from playtest.labels import Labels, brief
from playtest.phrases import phrase
from ruleset.syntax import MapDecl, Zone

View = Mapping[str, Any]
BLACK_AND_WHITE = ("●", "○")
"""How the two sides of pieces that have no types are drawn on a grid, if nothing else is said."""


@dataclass(frozen=True, slots=True)
class Word:
    """A thing in a space: in full, and as short as can be."""

    full: str
    brief: str


@dataclass(frozen=True, slots=True)
class Group:
    """Things that belong together: the pieces of one zone. ``beside``: they may stand beside the
    title."""

    words: Sequence[Word]
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies on a map."""

    contents: Mapping[str, list[Group]]
    """Name of a space to what lies there, zone by zone."""
    marks: Mapping[str, list[str]]
    """The shortest signs for the same, for grids."""
    signs: dict[tuple[str, str], str]
    """What lies on roads, by their two ends."""
    titles: Mapping[str, str]
    """The words above each space."""
    legend: dict[str, str] = field(default_factory=dict)
    """Signs on grids, with what they mean."""
    road_legend: dict[str, str] = field(default_factory=dict)
    """Signs on roads."""


def scene_of(game: Game, board: MapDecl, view: View, labels: Labels) -> Scene:
    """The scene of a map in a view."""
    names = [space.name for space in board.spaces]
    scene = Scene(
        {name: [] for name in names},
        {name: [] for name in names},
        {},
        {name: _title(board, name, labels) for name in names},
    )
    for zone in game.ruleset.file.zones:
        each = zone.each.name if zone.each is not None else ""
        if each == board.kind:
            _zone(game, zone, view, labels, scene)
        elif each == "road" and board.shape == "roads":
            _road_signs(game, board, zone, view, labels, scene)
    file = game.ruleset.file
    for place, values in ((file.counters, "counters"), (file.marks, "marks")):
        for record in place:
            if record.each is not None and record.each.name == board.kind:
                _counted(record.path, view[values].get(record.name), labels, scene)
    for letter, name in board.flags.items():
        scene.road_legend.setdefault(letter, labels.of(f"{board.path}.flags.{name}"))
    return scene


def _title(board: MapDecl, name: str, labels: Labels) -> str:
    """The words above a space: its name or label, its other name, the signs of its sets."""
    path = f"{board.path}.{name}"
    title = brief(labels.of(path)) if labels.known(path) else name
    signs = [
        labels.short(f"{board.path}.sets.{one.name}")
        for one in board.sets
        if any(member.name == name for member in one.of or ())
    ]
    others = [
        labels.short(f"{board.path}.places.{other}")
        for other, space in board.places.items()
        if space.name == name
    ]
    return " ".join([title, *filter(None, [*others, *signs])])


def _zone(game: Game, zone: Zone, view: View, labels: Labels, scene: Scene) -> None:
    kind = zone.of.name
    owned = bool(game.compiled.kinds[kind].owner) and max(game.compiled.kinds[kind].owner) >= 0
    for space, shown in view["zones"].get(zone.name, {}).items():
        ids = [id_ for id_ in shown.get("pieces", ()) if id_ is not None]
        words = _words(game, kind, ids, view["sides"], labels)
        scene.marks[space].extend(_marks(game, view, kind, ids, scene.legend, labels))
        if "pieces" not in shown and shown["count"]:
            text = phrase("hidden", labels.lang, shown["count"])
            words = [Word(text, f"?{shown['count']}")]
            scene.marks[space].append("?" * shown["count"])
        scene.contents[space].append(Group(words, owned))


def _words(
    game: Game, kind: str, ids: Sequence[str], sides: Mapping[str, str], labels: Labels
) -> list[Word]:
    """Pieces of one kind in a space, alike ones together: ``token 1 2`` for players 1 and 2."""
    owners: dict[Word, list[int]] = {}
    for id_ in ids:
        number = game.names.index(kind, id_)
        if number is not None:
            full, brief = labels.piece_words(kind, number)
            if id_ in sides:
                side, sign = labels.side_words(kind, sides[id_])
                full, brief = f"{full} {side}".strip(), f"{brief} {sign}".strip()
            owner = game.names.owner(kind, number) + 1
            owners.setdefault(Word(full, brief), []).append(owner)
    found = []
    for word, players in owners.items():
        known = " ".join(str(player) for player in players if player)
        many = f" {known}" if known else f" ×{len(players)}" if len(players) > 1 else ""
        tight = known.replace(" ", ",") if known else many.strip()
        found.append(Word(f"{word.full}{many}", f"{word.brief}{tight}"))
    return found


def _marks(
    game: Game,
    view: View,
    kind: str,
    ids: Sequence[str],
    legend: dict[str, str],
    labels: Labels,
) -> list[str]:
    """Signs for the pieces on a grid; of more than two that are alike, the number."""
    signs = [_mark(game, view, kind, id_, legend, labels) for id_ in ids]
    if len(ids) > 2 and len(set(signs)) == 1 and len(game.ruleset.file.pieces) == 1:
        return [str(len(ids))]
    return signs


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
    alone = len(game.ruleset.file.pieces) == 1 and types == 1
    side = view["sides"].get(id_, "")
    text = labels.member(kind, number)
    sign = labels.short(known.paths[number]) if number < len(known.paths) else ""
    if side:
        said, short = labels.side_words(kind, side)
        text = f"{text} {said}"
        sides = game.compiled.kinds[f"{kind}.side"].ids
        if alone and not owner and len(sides) == 2 and not labels.short_side(kind, side):
            short = BLACK_AND_WHITE[sides.index(side)]
        sign += short or said[:1]
    if not sign:
        word = id_.partition("#")[0].rpartition(".")[2]
        sign = f"{owner}" if owner and alone else f"{word[:2]}{owner or ''}"
        for length in range(3, len(word) + 2):
            if legend.get(sign, text) == text:
                break
            sign = f"{word[:length]}{owner or ''}"
    legend.setdefault(sign, text)
    return sign


def _road_signs(
    game: Game, board: MapDecl, zone: Zone, view: View, labels: Labels, scene: Scene
) -> None:
    """What lies on the roads of this map."""
    ends = {f"{road.a}-{road.b}": (road.a, road.b) for road in board.roads}
    signs = scene.signs
    for road, shown in view["zones"].get(zone.name, {}).items():
        if road not in ends or not shown["count"]:
            continue
        for id_ in shown.get("pieces", ["?"] * shown["count"]):
            number = game.names.index(zone.of.name, id_) if id_ else None
            full, brief = ("?", "?") if number is None else labels.piece_words(zone.of.name, number)
            sign = brief if len(brief) == 1 else "•"
            scene.road_legend[sign] = full
            signs[ends[road]] = signs.get(ends[road], "") + sign


def _counted(path: str, values: Mapping[str, Any] | None, labels: Labels, scene: Scene) -> None:
    """Counters and marks of spaces; those that say nothing are left out."""
    for space, value in (values or {}).items():
        if value not in (None, False, 0, []):
            full, brief = labels.of(path), labels.short(path) or labels.of(path)
            tail = "" if value is True else f" {value}"
            scene.contents[space].append(Group([Word(f"{full}{tail}", f"{brief}{tail}")]))
            scene.marks[space].append(str(value) if value is not True else brief[:1])
