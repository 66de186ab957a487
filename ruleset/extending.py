"""Variants: files that say of which game they are, and what is different in them.

Takes the file at the end of a chain (`extends`); gives its layers, the game itself first, and
puts one layer on what is below it. What a layer changes are edits by path, as in a reading; so
every part of the result keeps its place in the file that it came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Names
from dataclasses import dataclass, replace
from itertools import combinations
from os.path import normpath
from pathlib import Path, PurePosixPath
from typing import Final

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import extending as messages
from ruleset.document import Mapping, Node, Scalar, Sequence, read
from ruleset.files import open_source
from ruleset.loader.reading import entries, idents
from ruleset.rulings import Ruling, overlays
from ruleset.source import Source
from ruleset.syntax import Ident
from ruleset.variants import Edit, Overlay, Segment, apply, meeting, overlay_edits

MAX_LAYERS: Final = 20
OWN: Final = ("game", "title", "status")
"""What a variant says of itself, in the place of what its game says."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One file of a chain."""

    path: str
    source: Source
    root: Mapping
    below: tuple[Layer, ...]
    """What it extends, directly."""

    @property
    def name(self) -> str:
        """The id of the game or variant."""
        node = self.root.get("game")
        return node.text if isinstance(node, Scalar) else Path(self.path).stem


# ------------------------------------------------------------------ finding the files


@dataclass(slots=True)
class Search:
    """Follows `extends`; each file is read once. ``texts`` stand for what files say."""

    report: Report
    texts: Names[str, str]
    known: dict[Path, Layer]
    """The layers read so far, in the order in which they go on top of each other."""
    under_way: list[Path]

    def layer(self, path: str, source: Source, root: Mapping) -> Layer | None:
        """The layer of a file with all that it extends; None where something cannot be read."""
        place = Path(path).resolve()
        self.under_way.append(place)
        below: list[Layer] = []
        for node in _extended(root):
            found = self._below(path, node)
            if found is None:
                return None
            if found not in below:
                below.append(found)
        self.under_way.pop()
        made = self.known[place] = Layer(path, source, root, tuple(below))
        return made

    def _below(self, path: str, node: Scalar) -> Layer | None:
        found = self._file(path, node)
        if found is None:
            return None
        place = Path(found).resolve()
        if place in self.known:
            return self.known[place]
        if place in self.under_way:
            circle = [each.name for each in self.under_way[self.under_way.index(place) :]]
            self.report.add(messages.circle(node.span, [*circle, place.name]))
            return None
        if len(self.under_way) >= MAX_LAYERS:
            self.report.add(messages.too_many(node.span, MAX_LAYERS))
            return None
        source = open_source(found, self.report, node.span)
        if source is None:
            return None
        source = Source(source.name, self.texts.get(source.name, source.text))
        root = read(source, self.report)
        if root is None:
            return None
        if not isinstance(root, Mapping) or root.get("game") is None:
            self.report.add(messages.no_game(node.span, node.text))
            return None
        return self.layer(found, source, root)

    def _file(self, path: str, node: Scalar) -> str | None:
        """The path that is meant: relative to the file, or a bare id of a game near it."""
        folder, text = Path(path).parent, node.text
        if not text.endswith((".yaml", ".yml")) and PurePosixPath(text).name == text:
            tried = [normpath(folder / up / f"{text}.yaml") for up in (".", "..")]
            found = next((each for each in tried if Path(each).is_file()), None)
            if found is None:
                self.report.add(messages.base_not_found(node.span, text, tried))
            return found
        parts = PurePosixPath(text).parts
        inner = [part for part in parts if part != ".."]
        if PurePosixPath(text).is_absolute() or "\\" in text or ".." in parts[-len(inner) :]:
            self.report.add(messages.no_path(node.span, text))
            return None
        return normpath(folder.joinpath(*parts))


def lineage(
    path: str, source: Source, root: Mapping, report: Report, texts: Names[str, str]
) -> list[Layer] | None:
    """The layers of a variant, the game first; None where one cannot be read."""
    search = Search(report, texts, {}, [])
    top = search.layer(path, source, root)
    if top is None:
        return None
    layers = list(search.known.values())
    games = [layer for layer in layers if not layer.below]
    if len(games) > 1:
        report.add(
            messages.two_games(root_span(top).span, [layer.name for layer in games], top.name)
        )
        return None
    return layers


def root_span(layer: Layer) -> Scalar:
    """What a layer says that it extends, for the place of a message."""
    return next(_extended(layer.root))


def _extended(root: Mapping) -> Iterator[Scalar]:
    node = root.get("extends")
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, Scalar) and item.text:
            yield item


# ------------------------------------------------------------------ one layer on another


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """A game so far: its document, and what a table can still pick."""

    root: Mapping
    rulings: dict[str, Ruling]


def put_on(built: Built, layer: Layer, report: Report) -> Built:
    """The game with one more layer: first what it settles, then what it changes."""
    rulings, root = _settle(built, layer, report)
    overlay = overlay_of(layer, root)
    rulings = _shut(rulings, layer, report)
    _check_readings(overlay, rulings, layer, report)
    return Built(apply(root, overlay, report), rulings)


def overlay_of(layer: Layer, root: Mapping) -> Overlay:
    """All that a variant changes in the game below it, as edits."""
    own = layer.root
    edits: list[Edit] = []
    for key in OWN:
        entry = own.entry(key)
        if entry is not None:
            there = root.get(key) is not None
            edits.append(_edit("change" if there else "add", [entry.key], entry.value))
    edits.extend(overlay_edits(own))
    for section, verb in (("options", "add"), ("labels", "change")):
        before = root.get(section)
        for entry in entries(own.get(section)):
            here = isinstance(before, Mapping) and before.entry(entry.key.text) is not None
            edits.append(
                _edit(
                    "change" if here and verb == "change" else "add",
                    [Scalar(entry.key.span, section, "plain", entry.key.span), entry.key],
                    entry.value,
                )
            )
    span = (own.entry("game") or own.entries[0]).key.span
    return Overlay(layer.name, span, tuple(edits))


def _edit(verb: str, path: list[Scalar], value: Node) -> Edit:
    segments = tuple(Segment(key.text, key.span) for key in path)
    return Edit("change" if verb == "change" else "add", segments, path[-1].span, value)


def check_together(layers: list[Layer], root: Mapping, report: Report) -> None:
    """Variants that stand side by side must not touch one part, unless one file orders them."""
    ordered = [set(_above(layer)) for layer in layers if _is_true(layer.root.get("ordered"))]
    for a, b in combinations([layer for layer in layers if layer.below], 2):
        if a in _above(b) or any(a in group and b in group for group in ordered):
            continue
        # what each says of itself is replaced by the file that puts them together
        one = replace(overlay_of(a, root), edits=_parts(overlay_of(a, root)))
        other = replace(overlay_of(b, root), edits=_parts(overlay_of(b, root)))
        if (met := meeting(one, other)) is not None:
            report.add(messages.variants_clash(met[1].span, met[0].span, b.name, a.name, met[1]))


def _parts(overlay: Overlay) -> tuple[Edit, ...]:
    return tuple(edit for edit in overlay.edits if edit.names[0] not in OWN)


def _above(layer: Layer) -> Iterator[Layer]:
    """All layers that one builds on."""
    for each in layer.below:
        yield each
        yield from _above(each)


def _is_true(node: Node | None) -> bool:
    return isinstance(node, Scalar) and node.text == "true"


# ------------------------------------------------------------------ rulings below a variant


def _settle(built: Built, layer: Layer, report: Report) -> tuple[dict[str, Ruling], Mapping]:
    """Put in the readings and option values that a variant plays with."""
    rulings, root = built.rulings, built.root
    picked: dict[str, str] = {}
    for entry in entries(layer.root.get("settings")):
        name, value = entry.key.text, entry.value
        if not isinstance(value, Scalar):
            continue
        options = root.get("options")
        if (ruling := rulings.get(name)) is not None:
            if value.text in ruling.names:
                picked[name] = value.text
            else:
                report.add(messages.no_reading(value.span, value.text, ruling))
        elif isinstance(options, Mapping) and (option := options.get(name)) is not None:
            root = apply(root, _default(layer, entry.key, value, option), report)
        else:
            known = [*rulings, *(each.key.text for each in entries(options))]
            report.add(messages.no_setting(entry.key.span, name, known))
    if not picked:
        return rulings, root
    for name, reading in picked.items():
        for need in rulings[name].needed(reading):
            other, _, wanted = need.name.partition(".")
            if picked.get(other) != wanted:
                key = layer.root.get("settings")
                assert isinstance(key, Mapping)
                entry_ = key.entry(name)
                assert entry_ is not None
                report.add(messages.setting_needs(entry_.key.span, f"{name}.{reading}", need))
    for overlay in overlays(rulings, picked):
        root = apply(root, overlay, report)
    return _without(rulings, picked), root


def _default(layer: Layer, key: Scalar, value: Scalar, option: Node) -> Overlay:
    path = [Scalar(key.span, text, "plain", key.span) for text in ("options", key.text, "default")]
    there = isinstance(option, Mapping) and option.get("default") is not None
    return Overlay(layer.name, key.span, (_edit("change" if there else "add", path, value),))


def _without(rulings: Names[str, Ruling], picked: Names[str, str]) -> dict[str, Ruling]:
    """The rulings that are still open, less the readings that no longer can be."""
    gone = {
        f"{name}.{reading}"
        for name, settled in picked.items()
        for reading in rulings[name].names
        if reading != settled
    }
    held = {f"{name}.{reading}" for name, reading in picked.items()}
    shut = {
        each.name for name, reading in picked.items() for each in rulings[name].shut_out(reading)
    }
    left = {name: ruling for name, ruling in rulings.items() if name not in picked}
    for name, ruling in left.items():
        for reading in ruling.readings:
            out = {each.name for each in ruling.shut_out(reading)}
            if out & held:
                shut.add(f"{name}.{reading}")
    return _less(left, shut | gone, held)


def _less(rulings: dict[str, Ruling], gone: set[str], held: set[str]) -> dict[str, Ruling]:
    """Rulings without some readings, and without what builds on these."""
    while True:
        more = {
            f"{name}.{reading}"
            for name, ruling in rulings.items()
            for reading in ruling.readings
            if any(need.name in gone for need in ruling.needed(reading))
        } - gone
        if not more:
            break
        gone = gone | more
    known = gone | held
    left: dict[str, Ruling] = {}
    for name, ruling in rulings.items():
        readings = {
            reading: replace(
                overlay,
                excludes=_other(overlay.excludes, known),
                requires=_other(overlay.requires, known),
            )
            for reading, overlay in ruling.readings.items()
            if f"{name}.{reading}" not in gone
        }
        if readings:
            left[name] = replace(
                ruling,
                readings=readings,
                excludes=_other(ruling.excludes, known),
                requires=_other(ruling.requires, known),
            )
    return left


def _other(named: tuple[Ident, ...], known: set[str]) -> tuple[Ident, ...]:
    return tuple(each for each in named if each.name not in known)


def _shut(rulings: dict[str, Ruling], layer: Layer, report: Report) -> dict[str, Ruling]:
    """Leave out the readings that do not go with a variant."""
    known = {f"{name}.{reading}": name for name in rulings for reading in rulings[name].readings}
    gone: set[str] = set()
    for named in (*idents(layer.root.get("excludes")), *idents(layer.root.get("under"))):
        if named.name not in known:
            report.add(messages.no_such_reading(named, known))
    for named in idents(layer.root.get("excludes")):
        gone.add(named.name)
    return _less(rulings, gone, set()) if gone else rulings


def _check_readings(
    overlay: Overlay, rulings: Names[str, Ruling], layer: Layer, report: Report
) -> None:
    """A reading of the game below goes on top of the variant: both must not touch one part."""
    allowed = {each.name for each in idents(layer.root.get("under"))}
    parts = replace(overlay, edits=_parts(overlay))
    for ruling in rulings.values():
        for name, reading in ruling.readings.items():
            full = f"{ruling.name}.{name}"
            if full not in allowed and (met := meeting(parts, reading)) is not None:
                report.add(messages.reading_clash(met[0].span, met[1].span, full, met[0], ruling))
