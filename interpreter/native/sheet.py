"""The sheet: all that gives the bytes of a state a meaning, as plain data for another language.

Takes a game; gives what `json` can write: where everything lies, who sees it, what is asked, how
it is called in English and Japanese. Places are bytes. What reads it must mean what
`interpreter.runtime.view`, `options`, `sight` and `result` say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from interpreter.ir import nodes as n
from interpreter.ir.layout import (
    ACTOR,
    CODE,
    COUNTER,
    HEADER,
    PENDING,
    SEED,
    SITE,
    STATUS,
    TOP,
    Cells,
    Words,
)
from interpreter.ir.words import ENDINGS, SIDE
from interpreter.runtime.content import CHOOSE, action_label, prompt_of
from interpreter.runtime.sight import ANY, UNKNOWN
from interpreter.runtime.visibility import revealed_field

if TYPE_CHECKING:
    from interpreter.ir.linker import Point
    from interpreter.lowering.compiled import Candidates, CounterInfo, Question
    from interpreter.runtime.game import Game

FORMAT: Final = 1
LANGUAGES: Final = ("en", "ja")
Plain = dict[str, Any]


def sheet_of(game: Game) -> Plain:
    """The sheet of a game with its number of players and its options."""
    return _Sheet(game).whole()


class _Sheet:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.compiled = game.compiled
        self.program = game.compiled.program
        self.layout = game.machine.layout
        self.names = game.names

    def whole(self) -> Plain:
        game, ruleset = self.game, self.game.ruleset
        return {
            "format": FORMAT,
            "game": game.name,
            "title": {lang: ruleset.file.titles.get(lang, game.name) for lang in LANGUAGES},
            "fingerprint": game.fingerprint,
            "players": game.players,
            "options": dict(game.options),
            "size": self.layout.size,
            "set_words": self.layout.linked.set_words,
            "header": {
                "status": 4 * STATUS,
                "code": 4 * CODE,
                "site": 4 * SITE,
                "top": 4 * TOP,
                "actor": 4 * ACTOR,
                "counter": 4 * COUNTER,
                "pending": 8 * PENDING,
                "seed": 8 * SEED,
                "end": HEADER,
            },
            "kinds": {name: self._kind(name) for name in self.compiled.kinds},
            "groups": {name: self._group(group) for name, group in self.program.groups.items()},
            "counters": [self._counter(counter) for counter in self.compiled.counters],
            "points": {
                str(point.id): self._point(point)
                for point in self.layout.linked.points
                if point is not None and isinstance(point.end, n.Decide | n.Gather)
            },
            "result": self._result(),
            "faults": list(self.layout.faults),
            "sites": [
                f"{site.rule} ({site.file.rpartition('/')[2]}:{site.line}:{site.column})"
                for site in self.program.sites
            ],
            "unseen": {"numbered": UNKNOWN, "any": ANY},
        }

    # ------------------------------------------------------------------ what there is

    def _kind(self, name: str) -> Plain:
        kind = self.compiled.kinds[name]
        members = range(len(kind.ids))
        return {
            "ids": list(kind.ids),
            "owner": [self.names.owner(name, k) for k in members],
            "label": {lang: self.names.kind_label(name, lang) for lang in LANGUAGES},
            "labels": {
                lang: [self.names.label(name, k, lang) for k in members] for lang in LANGUAGES
            },
        }

    def _group(self, group: n.Group) -> Plain:
        name = group.name
        side, revealed = name + SIDE, revealed_field(name)
        places = self.layout.places.get(name)
        return {
            "n": group.n,
            "partly": name in self.game.visibility.partly,
            "contents": _words(self.layout.contents[name]),
            "where": _cells(self.layout.zones[name]),
            "place": _cells(places) if places is not None else None,
            "side": _cells(self.layout.fields[side]) if side in self.layout.fields else None,
            "revealed": (
                _words(self.layout.set_fields[revealed])
                if revealed in self.layout.set_fields
                else None
            ),
            "zones": [self._zone(name, number, zone) for number, zone in enumerate(group.zones)],
        }

    def _zone(self, group: str, number: int, zone: n.ZoneInstance) -> Plain:
        return {
            "name": zone.name,
            "member": self.names.zone_member(zone) if zone.index >= 0 else None,
            "owner": self.names.zone_owner(group, number),
            "ordered": zone.ordered,
            "gaps": zone.keeps_gaps,
            "capacity": zone.capacity,
            "seen": zone.seen,
            "viewer": zone.viewer,
            "label": {lang: self.names.zone_label(group, number, lang) for lang in LANGUAGES},
        }

    def _counter(self, counter: CounterInfo) -> Plain:
        field = self.program.fields.get(counter.field) or self.program.set_fields[counter.field]
        cells = self.layout.fields.get(counter.field)
        sets = self.layout.set_fields.get(counter.field)
        return {
            "name": counter.name,
            "mark": counter.is_mark,
            "kind": counter.kind,
            "each": counter.each,
            "cells": _cells(cells) if cells is not None else None,
            "sets": _words(sets) if sets is not None else None,
            "seen": field.seen,
            "viewers": list(field.viewers),
        }

    # ------------------------------------------------------------------ what is asked

    def _point(self, point: Point) -> Plain:
        """Where the arguments of a question lie: in the frame, or among the answers so far."""
        end = point.end
        assert isinstance(end, n.Decide | n.Gather)
        decision = self.program.decisions[end.decision]
        stages = [
            self._question(self.compiled.questions[decision.name, k])
            for k in range(len(decision.stages))
        ]
        if isinstance(end, n.Decide):
            frame = self.layout.linked.frames[point.function]
            types = self.program.functions[point.function].types
            args = [
                a if isinstance(a, int) else {"at": frame.slots[a], "set": types[a] == "s"}
                for a in end.args
            ]
            return {"stages": stages, "args": args}
        fields = self.layout.fields
        return {
            "stages": stages,
            "answers": [_cells(fields[stage.answers]) for stage in decision.stages],
            "stage": _cells(fields[decision.pending]) if decision.pending else None,
        }

    def _question(self, question: Question) -> Plain:
        return {
            "id": question.path,
            "prompt": {lang: prompt_of(self.compiled, question, lang) for lang in LANGUAGES},
            "ranges": [self._range(question, part) for part in question.ranges],
        }

    def _range(self, question: Question, part: Candidates) -> Plain:
        """A run of candidates; ``fixed``: name, kind and argument of what is settled before."""
        info = self.compiled.actions.get(part.action)
        fixed: list[tuple[str, str, int]] = []
        if info is not None:
            pairs = zip(info.params[1:], part.given[1:], strict=False)
            fixed += [(name, kind, where) for (name, kind), where in pairs]
        fixed += [
            (name, kind, where)
            for action, name, kind, where in question.taken
            if action in (part.action, "")
        ]
        action = part.action or CHOOSE
        return {
            "low": part.low,
            "size": part.size,
            "first": part.first,
            "action": action,
            "param": part.param,
            "kind": part.kind,
            "label": {lang: action_label(self.compiled, action, lang) for lang in LANGUAGES},
            "fixed": [list(entry) for entry in fixed],
        }

    # ------------------------------------------------------------------ how it ends

    def _result(self) -> Plain:
        info, fields = self.compiled.result, self.layout.fields
        sets = self.layout.set_fields
        counted = {counter.name: counter.field for counter in self.compiled.counters}
        return {
            "endings": list(ENDINGS),
            "by_stop": info.by_stop,
            "most": list(info.most),
            "least": list(info.least),
            "solo": bool(info.solo),
            "scores": {name: _cells(fields[counted[name]]) for name in (*info.most, *info.least)},
            "ending": _cells(fields[info.ending]) if info.ending in fields else None,
            "winners": _words(sets[info.winners]) if info.winners in sets else None,
            "alive": _words(sets[info.alive]) if info.alive in sets else None,
        }


def _cells(cells: Cells) -> list[int]:
    """Place, bytes of one number."""
    return [cells.offset, cells.width]


def _words(words: Words) -> list[int]:
    """Place, 64-bit words of one set, how many sets."""
    return [words.offset, words.words, words.n]
