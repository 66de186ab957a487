"""Log entries in words, English and Japanese; labels of the game file where it has them.

Takes an entry and its values, None for what the viewer may not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.ir.words import SET
from interpreter.runtime.content import action_label

if TYPE_CHECKING:
    from interpreter.runtime.events import LogEntry


def words(entry: LogEntry, values: Sequence[int | None], lang: str) -> str:
    """The sentence for an entry."""
    game = entry.game
    shown = [_value(entry, k, value, lang) for k, value in enumerate(values)]
    ja = lang == "ja"
    match entry.kind:
        case "choose":
            said = action_label(game.compiled, entry.name, lang)
            rest = ", ".join(shown[1:])
            return f"{shown[0]}: {said}{f' ({rest})' if rest else ''}"
        case "gain":
            counter = game.names.counter_of(entry.name)
            path = f"counters.{counter.name}" if counter is not None else entry.name
            label = game.compiled.ruleset.label(path, lang)
            change = values[1]
            sign = "?" if change is None else f"{change:+d}"
            whose = counter is not None and counter.each
            if not whose:
                return f"{label} {sign}"
            return f"{shown[0]}の{label} {sign}" if ja else f"{shown[0]}: {label} {sign}"
        case "move":
            return f"{shown[0]}: {shown[1]} → {shown[2]}"
        case "mix":
            return f"{shown[0]}をシャッフル" if ja else f"{shown[0]} is shuffled"
        case "roll":
            return f"抽選: {shown[0]}" if ja else f"by chance: {shown[0]}"
        case "emit" if entry.name.startswith(SET):
            label = game.compiled.ruleset.label(f"marks.{entry.name.removeprefix(SET)}", lang)
            owned = len(entry.args) > 1 and entry.args[0].kind != ""
            return f"{label} ({shown[0]}): {shown[-1]}" if owned else f"{label}: {shown[-1]}"
        case _:
            label = game.names.rule_label(entry.name, lang)
            return f"{label} ({', '.join(shown)})" if shown else label


def _value(entry: LogEntry, k: int, value: int | None, lang: str) -> str:
    game = entry.game
    kind = entry.args[k].kind
    if kind == "zone":
        group = entry.name
        return game.names.zone_label(group, value if value is not None else -1, lang)
    if value is None:
        label = game.names.kind_label(kind, lang)
        return f"{label}?" if lang == "ja" else f"a {label}"
    return game.names.label(kind, value, lang)
