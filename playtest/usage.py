"""What games use of their rules: rules, types of pieces, actions, spaces; and what they never do.

Takes whole games with their past; counts in how many of them each thing came up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from interpreter import Game, State
from ruleset.syntax import EffectRule

PARTS: Final = ("rules", "actions", "pieces", "spaces")


class Usage:
    """How often each part of a game came up, in so many games."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: list[tuple[dict[str, set[str]], set[str]]] = []
        """For each game what came up, and which actions were offered."""
        self._types = {
            kind.name: game.compiled.kinds[kind.name].paths for kind in game.ruleset.file.pieces
        }
        self._boards = {board.kind for board in game.ruleset.file.maps}
        self._offered: set[str] = set()

    @property
    def games(self) -> int:
        """How many games were looked at."""
        return len(self._found)

    def begin(self) -> None:
        """A new game; what a broken one offered is forgotten."""
        self._offered = set()

    def offered(self, state: State) -> None:
        """Notes which actions a player may choose from."""
        for decision in state.pending:
            self._offered.update(part.action for part in decision.question.ranges if part.action)

    def add(self, state: State) -> None:
        """One more game, at its end: all of it or nothing, whenever an interrupt comes."""
        offered, self._offered = self._offered, set()
        seen: dict[str, set[str]] = {part: set() for part in PARTS}
        for entry in state.log():
            match entry.kind:
                case "begin" | "under":
                    seen["rules"].add(entry.name)
                case "choose":
                    seen["actions"].add(entry.name)
                case "move":
                    piece, _, to = entry.args
                    paths = self._types.get(piece.kind, ())
                    if piece.value < len(paths):
                        seen["pieces"].add(paths[piece.value])
                    self._space(entry.name, to.value, seen["spaces"])
                case _:
                    pass
            if entry.rule:
                seen["rules"].add(entry.rule)
        self._found.append((seen, offered))

    def _space(self, group: str, zone: int, seen: set[str]) -> None:
        instance = self._game.compiled.program.groups[group].zones[zone]
        declared = self._game.compiled.box.zones.get(instance.name)
        each = declared.each.name if declared is not None and declared.each is not None else ""
        if each in self._boards and instance.index >= 0:
            seen.add(f"{each}.{self._game.names.show(each, instance.index)}")

    def everything(self, part: str) -> list[str]:
        """All that could come up, in the order of the file."""
        file = self._game.ruleset.file
        match part:
            case "rules":  # no log tells of a value, of what forbids, of what modifies
                return [
                    rule.path for rule in file.rules if isinstance(rule, EffectRule) and rule.do
                ]
            case "actions":
                return list(dict.fromkeys(a.path for a in self._game.compiled.actions.values()))
            case "pieces":
                return list(dict.fromkeys(p for paths in self._types.values() for p in paths))
            case _:
                moved = {zone.each.name for zone in file.zones if zone.each is not None}
                return [
                    f"{board.kind}.{space.name}"
                    for board in file.maps
                    if board.kind in moved
                    for space in board.spaces
                ]

    def never(self, part: str) -> list[str]:
        """What did not come up in any game."""
        return [name for name in self.everything(part) if not self._came_up(part, name)]

    def _came_up(self, part: str, name: str) -> int:
        games = [seen[part] for seen, _ in self._found]
        plain = name.partition(".")[2]
        return sum(name in seen for seen in games) or sum(plain in seen for seen in games)

    def offered_never_chosen(self) -> list[str]:
        """Actions that were offered and never chosen."""
        actions = self._game.compiled.actions
        offers = {name for _, offered in self._found for name in offered}
        return [
            info.path
            for name, info in actions.items()
            if name in offers and not self._came_up("actions", info.path)
        ]

    def shares(self, part: str) -> Iterable[tuple[str, float]]:
        """Each thing with the part of the games in which it came up, the rarest first."""
        found = [
            (name, self._came_up(part, name) / max(self.games, 1)) for name in self.everything(part)
        ]
        return sorted(found, key=lambda pair: pair[1])

    def plain(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "games": self.games,
            **{
                part: {name: round(share, 3) for name, share in self.shares(part)} for part in PARTS
            },
        }
