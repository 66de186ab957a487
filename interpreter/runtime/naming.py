"""Names for the numbers inside a game, and the way back.

Takes what lowering says of kinds and their members. A member is a number from 0 inside; outside it
is its id (``b2``, ``four#1``), and for people its label. Kinds that are not lists: ``number``,
``flag``, and ``set of K`` for any kind K.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.ir.bitsets import members_of
from interpreter.ir.nodes import ZoneInstance
from interpreter.ir.words import NUMBER_NONE, SET_OF, kind_word
from ruleset.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from interpreter.lowering.compiled import Compiled, CounterInfo, Kind


class Names:
    """The names of one compiled game."""

    __slots__ = ("_compiled", "_indices")

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._indices: dict[str, dict[str, int]] = {}

    def kind(self, name: str) -> Kind | None:
        """The kind of that name, where its members are listed."""
        return self._compiled.kinds.get(name)

    def show(self, kind: str, value: int) -> str:
        """The id of a member; a number or flag as it is written; a set as ``(a, b)``."""
        if kind.startswith(SET_OF):
            return f"({', '.join(self.members(kind, value))})"
        if kind == "flag":
            return "true" if value else "false"
        known = self._compiled.kinds.get(kind)
        if known is None:
            return "none" if value == NUMBER_NONE else str(value)
        return known.ids[value] if 0 <= value < len(known.ids) else "none"

    def members(self, kind: str, value: int) -> list[str]:
        """The ids in a set of the kind ``set of K``."""
        return [self.show(kind.removeprefix(SET_OF), k) for k in members_of(value)]

    def plain(self, kind: str, value: int) -> str | int | bool | list[str] | None:
        """The same as plain data: a number, a flag, an id or None, a list of ids."""
        if kind.startswith(SET_OF):
            return self.members(kind, value)
        if kind == "flag":
            return bool(value)
        if kind not in self._compiled.kinds:
            return None if value == NUMBER_NONE else value
        return self.show(kind, value) if value >= 0 else None

    def index(self, kind: str, text: str) -> int | None:
        """The member with exactly this id."""
        return self._index(kind).get(text)

    def alike(self, kind: str, text: str) -> list[int]:
        """The members that a typed name means: the one of that id, or all pieces of a type.

        A piece of player 1 has an id as ``p1.four#2``; ``four`` means the fours of all players.
        """
        if kind not in self._compiled.kinds:
            number = self._number(kind, text)
            return [] if number is None else [number]
        exact = self._index(kind).get(text)
        if exact is None and kind == "player" and text.startswith("p"):
            exact = self._index(kind).get(text[1:])
        if exact is not None:
            return [exact]
        ids = self._compiled.kinds[kind].ids
        return [k for k, name in enumerate(ids) if text in _shorter(name)]

    def owner(self, kind: str, value: int) -> int:
        """The player to whom a member belongs, or -1."""
        known = self._compiled.kinds.get(kind)
        owners = known.owner if known else ()
        return owners[value] if 0 <= value < len(owners) else -1

    def nearest(self, kind: str, text: str) -> str | None:
        """The id that was perhaps meant."""
        known = self._compiled.kinds.get(kind)
        return (
            nearest(text, {short for name in known.ids for short in (name, *_shorter(name))})
            if known
            else None
        )

    def label(self, kind: str, value: int, lang: str) -> str:
        """A member in the words of the file, or its id; numbers and flags as they are."""
        known = self._compiled.kinds.get(kind)
        if known is None or not 0 <= value < len(known.ids):
            return self.show(kind, value)
        if kind == "player":
            return f"プレイヤー{value + 1}" if lang == "ja" else f"player {value + 1}"
        path = known.paths[value] if value < len(known.paths) else ""
        if path in self._compiled.ruleset.file.labels:
            return self._compiled.ruleset.label(path, lang)
        return known.ids[value].partition("#")[0].replace("_", " ")

    # ------------------------------------------------------------------ parts of the program

    def site(self, number: int) -> tuple[str, str, tuple[str, ...]]:
        """A site: the record, ``file:line:column``, the statements it cites."""
        sites = self._compiled.program.sites
        if not 0 <= number < len(sites):
            return "", "", ()
        site = sites[number]
        return site.rule, f"{site.file}:{site.line}:{site.column}", site.cites

    def counter_of(self, field: str) -> CounterInfo | None:
        """The counter or mark that a field of the program keeps."""
        return next((c for c in self._compiled.counters if c.field == field), None)

    def event_kinds(self, name: str) -> tuple[str, ...]:
        """The kinds of an event's arguments."""
        known = self._compiled.events.get(name)
        if known is not None:
            return known
        info = next((a for a in self._compiled.actions.values() if a.path == name), None)
        if info is not None:
            return tuple(kind for _, kind in (*info.params, *info.choices))
        types = self._compiled.ruleset.facts.params.get(name, {}).values()
        return tuple(kind_word(type_, other="") for type_ in types)

    def zone_member(self, zone: ZoneInstance) -> str:
        """The id of the member that a zone belongs to."""
        each = self._each(zone.name)
        return self.show(each, zone.index) if each else str(zone.index)

    def zone_owner(self, group: str, number: int) -> int:
        """The player to whom a zone belongs, or -1."""
        zone = self._compiled.program.groups[group].zones[number]
        return zone.index if self._each(zone.name) == "player" else -1

    def zone_label(self, group: str, number: int, lang: str) -> str:
        """A zone in words: ``hand (player 1)``."""
        zones = self._compiled.program.groups[group].zones
        if not 0 <= number < len(zones):
            return "?"
        zone = zones[number]
        label = self._compiled.ruleset.label(f"zones.{zone.name}", lang)
        if zone.index < 0:
            return label
        each = self._each(zone.name)
        return f"{label} ({self.label(each, zone.index, lang) if each else zone.index})"

    def kind_label(self, kind: str, lang: str) -> str:
        """A kind in words."""
        labels = self._compiled.ruleset.file.labels
        for path in (f"pieces.{kind}", f"map.{kind}", f"kinds.{kind}"):
            if path in labels:
                return self._compiled.ruleset.label(path, lang)
        return kind.replace("_", " ")

    def rule_label(self, name: str, lang: str) -> str:
        """A rule or step in words, given its path or its name."""
        labels = self._compiled.ruleset.file.labels
        code_of_a_type = name.rpartition(".")[0]
        for path in (name, f"rules.{name}", f"flow.{name}", code_of_a_type):
            if path in labels:
                return self._compiled.ruleset.label(path, lang)
        return self._compiled.ruleset.label(name, lang)

    def _each(self, zone: str) -> str:
        declared = (z for z in self._compiled.ruleset.file.zones if z.name == zone)
        return next((z.each.name for z in declared if z.each is not None), "")

    def _index(self, kind: str) -> dict[str, int]:
        found = self._indices.get(kind)
        if found is None:
            known = self._compiled.kinds.get(kind)
            found = {name: k for k, name in enumerate(known.ids)} if known else {}
            self._indices[kind] = found
        return found

    @staticmethod
    def _number(kind: str, text: str) -> int | None:
        if kind == "flag":
            return {"true": 1, "false": 0}.get(text)
        try:
            return int(text)
        except ValueError:
            return None


def _shorter(name: str) -> tuple[str, ...]:
    """The shorter names of a piece: ``p1.four#2`` is also ``p1.four``, ``four#2`` and ``four``."""
    bare = name.partition("#")[0]
    if name[:1] == "p" and "." in name and name[1 : name.index(".")].isdigit():
        after = name.index(".") + 1
        return (bare, name[after:], bare[after:])
    return (bare,) if bare != name else ()
