"""Pieces, zones, counters and rules in the words of the game file, with their owners.

Takes a game and a language. Long labels have a short form for maps: up to the first bracket or
colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len, set_cell_size

from interpreter import Game, Option
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


class Labels:
    """The words of one game."""

    def __init__(self, game: Game, lang: str) -> None:
        self.game = game
        self.lang = lang
        self._ruleset = game.ruleset

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

    def pieces(self, ids: Iterable[str | None], kind: str, owner: int = 0) -> str:
        """Some pieces by id, alike ones counted; those of ``owner`` (from 1) without saying so."""
        counts: dict[str, int] = {}
        for id_ in ids:
            number = self.game.names.index(kind, id_) if id_ is not None else None
            if number is None:
                word = "·" if id_ is None else id_
            elif self.game.names.owner(kind, number) == owner - 1:
                word = self.piece(kind, number)
            else:
                word = self.member(kind, number)
            counts[word] = counts.get(word, 0) + 1
        return ", ".join(word if n == 1 else f"{word} ×{n}" for word, n in counts.items())

    def on_map(self, ids: Sequence[str], kind: str, sides: Mapping[str, str]) -> list[str]:
        """Pieces of one kind in a space: ``token 1 2`` for those of players 1 and 2."""
        owners: dict[str, list[int]] = {}
        for id_ in ids:
            number = self.game.names.index(kind, id_)
            if number is not None:
                word = self.piece(kind, number) + (f" {sides[id_]}" if id_ in sides else "")
                owners.setdefault(word, []).append(self.game.names.owner(kind, number) + 1)
        lines = []
        for word, players in owners.items():
            known = [str(p) for p in players if p]
            count = len(players)
            lines.append(
                f"{word} {' '.join(known)}" if known else word if count == 1 else f"{word} ×{count}"
            )
        return lines

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
            self.member(value.kind, value.value, option.player - 1) for value in content.values
        )
        return said, shown

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
