"""Pieces, zones, counters and rules in the words of the game file, with their owners.

Takes a game and a language. Long labels have a short form for maps: up to the first bracket or
colon.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len, set_cell_size

from interpreter import Game, Option, State
from interpreter.runtime.content import CHOOSE, action_label
from playtest.phrases import phrase

_END = re.compile(r"\s*[:(：（;；]")


def fit(text: str, width: int) -> str:
    """A text in exactly that many columns, cut with `…` where it is longer."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(set_cell_size(text, width - 1).rstrip() + "…", width)


def brief(label: str) -> str:
    """The short form of a label."""
    return _END.split(label, maxsplit=1)[0] or label


def _shared_ending(texts: Iterable[str]) -> str:
    """The longest text that all of some texts end in."""
    ending = ""
    for letters in zip(*(reversed(text) for text in texts), strict=False):
        if len(set(letters)) > 1:
            break
        ending = letters[0] + ending
    return ending


class Labels:
    """The words of one game."""

    def __init__(self, game: Game, lang: str) -> None:
        self.game = game
        self.lang = lang
        self._ruleset = game.ruleset
        self._endings: dict[str, str] = {}

    def player(self, number: int) -> str:
        """A player, counted from 1."""
        return phrase("player", self.lang, number)

    def players(self, numbers: Iterable[int]) -> str:
        """Several players."""
        return ", ".join(map(self.player, numbers))

    def of(self, path: str) -> str:
        """The thing at a path of the file."""
        return self._ruleset.label(path, self.lang)

    def known(self, path: str) -> bool:
        """Whether the file has words for a path."""
        return path in self._ruleset.file.labels

    def short(self, path: str) -> str:
        """The short form that the file gives for maps (`en-short`, `ja-short`), or nothing."""
        words = self._ruleset.file.labels.get(path, {})
        return words.get(f"{self.lang}-short") or words.get("en-short") or ""

    def legend(self) -> dict[str, str]:
        """Every short form of the file with what it stands for."""
        found: dict[str, str] = {}
        for path in self._ruleset.file.labels:
            if sign := self.short(path):
                found.setdefault(sign, self.of(path))
        return found

    def piece_words(self, kind: str, number: int) -> tuple[str, str]:
        """A piece on a map, in full and in short: without what all types of its kind end in."""
        known = self.game.compiled.kinds[kind]
        path = known.paths[number] if number < len(known.paths) else ""
        label = self.game.names.label(kind, number, self.lang)
        label = label.removeprefix(f"p{self.game.names.owner(kind, number) + 1}.")
        own = brief(label)[: len(brief(label)) - len(self._ending(kind))] or brief(label)
        short = self.short(path)
        return (label if short and own == label else own), short or own

    def _ending(self, kind: str) -> str:
        """What the labels of all types of a kind end in: ``" bag"`` of *paper bag*, *glass bag*."""
        if kind not in self._endings:
            known = self.game.compiled.kinds[kind]
            whole = {brief(self.of(p)) for p in known.paths if self.known(p)}
            ending = _shared_ending(whole) if len(whole) > 1 else ""
            if ending.isascii():  # whole words only
                ending = ending[ending.index(" ") :] if " " in ending else ""
            self._endings[kind] = ending if len(ending) > 1 and ending not in whole else ""
        return self._endings[kind]

    def side_words(self, kind: str, side: str) -> tuple[str, str]:
        """A side of a piece in full and in short; where a kind has short sides, one without has no
        sign."""
        path = f"pieces.{kind}.sides."
        sides = self.game.compiled.kinds[f"{kind}.side"].ids
        if any(self.short(path + other) for other in sides):
            return self.of(path + side), self.short(path + side)
        return self.of(path + side), self.of(path + side)

    def short_side(self, kind: str, side: str) -> str:
        """The sign that the file gives for a side, or nothing."""
        return self.short(f"pieces.{kind}.sides.{side}")

    def piece(self, kind: str, number: int) -> str:
        """A member of a kind without its owner, in short."""
        label = brief(self.game.names.label(kind, number, self.lang))
        return label.removeprefix(f"p{self.game.names.owner(kind, number) + 1}.")

    def member(self, kind: str, number: int, own: int = -1) -> str:
        """A member of a kind by number; a piece of a player other than ``own`` (from 0) with its
        owner."""
        label = self.piece(kind, number)
        owner = self.game.names.owner(kind, number)
        return label if owner in (-1, own) else phrase("of_player", self.lang, owner + 1, label)

    def pieces(
        self,
        ids: Sequence[str | None],
        kind: str,
        owner: int = 0,
        sides: Mapping[str, str] | None = None,
        row: bool = False,
    ) -> str:
        """Some pieces by id, alike ones counted; those of ``owner`` (from 1) without saying so. In
        a row each stands in its place."""
        words: list[str] = []
        known = self.game.compiled.kinds[kind]
        numbers = [self.game.names.index(kind, id_) if id_ else None for id_ in ids]
        several = len({known.paths[n] for n in numbers if n is not None}) > 1
        for id_, number in zip(ids, numbers, strict=True):
            if number is None:
                words.append("-" if id_ is None else id_)
                continue
            word = self.piece(kind, number)
            if several and (ending := self._ending(kind)):
                word = word.removesuffix(ending)
            whose = self.game.names.owner(kind, number)
            if whose not in (-1, owner - 1):
                word = phrase("of_player", self.lang, whose + 1, word)
            side = (sides or {}).get(id_ or "")
            words.append(f"{word} ({self.side_words(kind, side)[0]})" if side else word)
        if row and len(set(words)) > 1:
            return " | ".join(words)
        counts = Counter(words)
        return ", ".join(word if n == 1 else f"{word} ×{n}" for word, n in counts.items())

    def option(self, option: Option) -> str:
        """An option in words, for the player who may choose it."""
        said, shown = self.option_parts(option)
        if not shown:
            return said
        return shown if option.action == CHOOSE else f"{said}: {shown}"

    def option_parts(self, option: Option) -> tuple[str, str]:
        """The same as the action and its values."""
        content = option.content
        said = action_label(self.game.compiled, content.action, self.lang)
        shown = ", ".join(
            self.member(value.kind, value.value, option.player - 1)
            + self._side_up(option.decision.state, value.kind, value.value)
            if option.sees(value)
            else label
            for value, label in zip(content.values, option.labels(self.lang), strict=True)
        )
        return said, shown

    def _side_up(self, state: State, kind: str, number: int) -> str:
        """The side of a piece that lies up, in brackets; nothing where it has no sides."""
        field = f"{kind}.side"
        layout = self.game.machine.layout
        if field not in layout.fields or number < 0:
            return ""
        side = self.game.names.show(field, layout.value(state.data, field, number))
        return f" ({self.side_words(kind, side)[0]})"

    def rule(self, path: str) -> str:
        """A rule or step; code on a piece by its own label, or by the piece's."""
        if not self.known(path) and path.startswith("pieces."):
            above = path.rpartition(".")[0].removesuffix(".while held")
            return brief(self.of(above))
        return self.game.names.rule_label(path, self.lang)

    def zone(self, group: str, number: int, owner: int = -1) -> str:
        """A zone as a place to move from or to: a space of the map, or a player's zone.

        The zone of the player ``owner`` (from 0) is named without saying whose it is.
        """
        instance = self.game.compiled.program.groups[group].zones[number]
        label = self.of(f"zones.{instance.name}")
        if instance.index < 0:
            return label
        each = self.each(instance.name)
        if each == "player" and instance.index == owner:
            return label
        if each == "player":
            return phrase("of_player", self.lang, instance.index + 1, label)
        member = self.game.names.label(each, instance.index, self.lang) if each else ""
        return member if each in self.game.compiled.box.boards else f"{label} ({member})"

    def each(self, zone: str) -> str:
        """What a zone is there for each of: ``player``, a kind, or empty."""
        found = self.game.compiled.box.zones.get(zone)
        return found.each.name if found is not None and found.each is not None else ""
