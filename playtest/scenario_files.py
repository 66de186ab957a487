"""Scenario files: YAML -> `Scenario` values that know their places.

Takes a path; gives the scenarios of that file and tells what is wrong with its shape. A file holds
one scenario, or several under ``scenarios:`` with the shared keys above them. Nothing is played.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import scenario as say
from ruleset.document import Entry, Node, Scalar, Sequence, read
from ruleset.document import Mapping as MappingNode
from ruleset.files import open_source
from ruleset.shape import check_shape
from ruleset.source import Span

SIGNS: Final = ("scenario", "scenarios", "when", "then", "given", "setup")
"""Keys of which a scenario file has some and a game file has none."""


@dataclass(frozen=True, slots=True)
class Word:
    """A short text with its place."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Move:
    """A choice: the player (from 1) and the option as text."""

    player: int
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Refusal:
    """An option that must not be possible, and what the reason must name."""

    player: int
    option: Word
    because: Word | None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. ``game`` is the path of the game file; None stands for what was not said."""

    title: Word
    path: str
    game: str
    covers: tuple[Word, ...]
    players: int | None
    players_span: Span
    options: Mapping[str, str]
    options_span: Span
    seed: int
    random_setup: Span | None
    setup: tuple[Move, ...]
    given: Scalar | None
    when: tuple[Move, ...]
    rolls: tuple[Word, ...]
    refused: tuple[Refusal, ...]
    then: tuple[Scalar, ...]
    over: Word | None
    winners: tuple[int, ...] | None
    winners_span: Span

    @property
    def id(self) -> str:
        """How a report names it."""
        return f"{self.path}: {self.title.text}"


def scenario_paths(paths: Iterable[str], report: Report) -> list[str]:
    """The scenario files at some paths; in folders all YAML files, in order."""
    found: dict[str, None] = {}
    for path in paths:
        if not os.path.isdir(path):
            found[path] = None
            continue
        inside = sorted(
            str(file)
            for file in Path(path).rglob("*")
            if file.suffix in {".yaml", ".yml"} and file.is_file()
        )
        if not inside:
            report.add(say.nothing_to_run(path))
        found.update(dict.fromkeys(inside))
    return list(found)


def read_scenarios(path: str, report: Report) -> list[Scenario]:
    """The scenarios of a file; none where its shape has faults, which go to the report."""
    source = open_source(path, report)
    root = read(source, report) if source is not None else None
    if root is None:
        return []
    if isinstance(root, MappingNode) and not any(map(root.get, SIGNS)) and root.get("game"):
        report.add(say.no_scenarios(root.entries[0].span))
        return []
    if not check_shape(root, report, "scenario"):
        return []
    assert isinstance(root, MappingNode)
    shared = {entry.key.text: entry for entry in root.entries}
    inside = shared.pop("scenarios", None)
    if inside is None:
        return [_scenario(path, root, shared)]
    assert isinstance(inside.value, Sequence)
    found = []
    for item in inside.value.items:
        assert isinstance(item, MappingNode)
        found.append(
            _scenario(path, item, {**shared, **{entry.key.text: entry for entry in item.entries}})
        )
    return found


def _scenario(path: str, node: MappingNode, keys: Mapping[str, Entry]) -> Scenario:
    def value(key: str) -> Node | None:
        entry = keys.get(key)
        return entry.value if entry is not None else None

    def span(key: str) -> Span:
        entry = keys.get(key)
        return entry.key.span if entry is not None else title.span

    title = _word(value("scenario")) or Word("", node.span)
    game = _word(value("game")) or Word("", node.span)
    players, seed = _word(value("players")), _word(value("seed"))
    given = value("given")
    setup = value("setup")
    options = value("options")
    winners = value("winners")
    return Scenario(
        title=title,
        path=path,
        game=_shown(Path(path).parent / game.text),
        covers=tuple(_words(value("covers"))),
        players=int(players.text) if players else None,
        players_span=span("players"),
        options={
            entry.key.text: entry.value.text
            for entry in (options.entries if isinstance(options, MappingNode) else ())
            if isinstance(entry.value, Scalar)
        },
        options_span=span("options"),
        seed=int(seed.text) if seed else 1,
        random_setup=setup.span if isinstance(setup, Scalar) else None,
        setup=tuple(_moves(setup)),
        given=given if isinstance(given, Scalar) else None,
        when=tuple(_moves(value("when"))),
        rolls=tuple(_words(value("rolls"))),
        refused=tuple(_refusals(value("refused"))),
        then=tuple(item for item in _items(value("then")) if isinstance(item, Scalar)),
        over=_word(value("over")),
        winners=tuple(int(w.text) for w in _words(winners)) if winners is not None else None,
        winners_span=span("winners"),
    )


def _shown(path: Path) -> str:
    """The path from here where it lies below, else as it is."""
    whole = os.path.normpath(os.path.abspath(path))
    short = os.path.relpath(whole)
    return whole if short.startswith("..") else short


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else ()


def _word(node: Node | None) -> Word | None:
    return Word(node.text, node.span) if isinstance(node, Scalar) else None


def _words(node: Node | None) -> Iterable[Word]:
    for item in _items(node):
        word = _word(item)
        if word is not None:
            yield word


def _moves(node: Node | None) -> Iterable[Move]:
    for item in _items(node):
        for entry in item.entries if isinstance(item, MappingNode) else ():
            if isinstance(entry.value, Scalar):
                yield Move(int(entry.key.text), entry.value.text, entry.value.span)


def _refusals(node: Node | None) -> Iterable[Refusal]:
    for item in _items(node):
        if isinstance(item, MappingNode):
            player, option = _word(item.get("player")), _word(item.get("option"))
            assert player is not None
            assert option is not None
            yield Refusal(int(player.text), option, _word(item.get("because")))
