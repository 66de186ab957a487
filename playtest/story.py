"""What happened, told to people: a few lines a step, each with the rule that made it happen.

Takes log entries with their causes; gives lines. A line of facts says why: in brief the rule and
the statements it cites, in full the chain of rules, the record's path, its line in the file. For a
viewer (a player from 1) only what that player may know; None shows everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interpreter import Game, LogEntry, State
from interpreter.runtime.content import action_label
from playtest.labels import Labels, brief
from playtest.phrases import phrase

FLOW = "flow."
LONGEST = 4
"""So many rules of a chain are named, the innermost ones."""
CITED = 3
"""So many statements are named in brief."""


@dataclass(slots=True)
class Fact:
    """Something that changed. ``trail`` is where a piece went, place by place; of pieces that went
    the same way together ``words`` are the names."""

    text: str
    entry: LogEntry
    chain: tuple[int, ...]
    trail: list[str] = field(default_factory=list)
    piece: tuple[str, int] = ("", -1)
    owner: int = -1
    words: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if not self.trail:
            return self.text
        return f"{self.text.format(self.shown())}: {' → '.join(self.trail)}"

    def shown(self) -> str:
        """The names of the pieces, alike ones counted."""
        return _counted(self.words)


@dataclass(frozen=True, slots=True)
class Why:
    """Why something changed: the chain of rules, what is said in brief and in full."""

    chain: str
    brief: str
    full: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the story. ``level`` indents it; ``brief`` and ``full`` say why."""

    kind: str  # heading, choice, fact
    text: str
    level: int
    brief: str = ""
    full: str = ""


class Story:
    """Tells the steps of one game one after the other; it counts the rounds."""

    def __init__(self, game: Game, labels: Labels, viewer: int | None = None) -> None:
        self._game = game
        self._labels = labels
        self._viewer = viewer
        self._counts: dict[str, int] = {}
        self._state: State | None = None
        self._known: dict[tuple[object, ...], object] = {}
        """What marks were set to when they were last told."""
        self._kinds = {f"{FLOW}{step.name}": step.kind for step in game.ruleset.file.flow}
        self._each = {mark.name for mark in game.ruleset.file.marks if mark.each is not None}
        self._alone = {
            f"{FLOW}{step.name}" for step in game.ruleset.file.flow if step.each is not None
        }

    def tell(self, state: State) -> list[Line]:
        """The lines for the last step that led to a state; none yet where half a choice is made."""
        log = state.events
        lines: list[Line] = []
        if any(decision.question.taken for decision in state.pending) and not any(
            entry.kind not in ("choose", "under") for entry in log
        ):
            return []
        self._state = state
        facts: list[Fact] = []
        heading: list[Line] = []
        for k, entry in enumerate(log):
            if entry.kind == "choose":
                text = self._choice(entry)
                lines += [Line("choice", text, 1)] if text else []
            elif entry.kind == "begin" and entry.name.startswith(FLOW):
                lines += self._told(facts, log, heading)
                facts = []
                heading = self._heading(entry, heading)
            elif (fact := self._fact(log, k)) is not None:
                _add(facts, fact)
        lines += self._told(facts, log, heading)
        return [*lines, *(line for line in heading if line.level == 0)]

    # ------------------------------------------------------------------ headings, choices

    def _heading(self, entry: LogEntry, waiting: list[Line]) -> list[Line]:
        """The headings that wait to be told; a step for each player waits for something in it."""
        kind = self._kinds.get(entry.name, "")
        label = self._labels.rule(entry.name)
        if entry.name in self._alone:
            shown = self._describe(entry)
            return [line for line in waiting if line.level == 0] + [Line("heading", shown, 1)]
        if kind in ("round", "turn"):
            self._counts[entry.name] = self._counts.get(entry.name, 0) + 1
            return [Line("heading", f"{label} {self._counts[entry.name]}", 0)]
        return [*waiting, Line("heading", label, 0)] if kind == "set-up" else waiting

    def _choice(self, entry: LogEntry) -> str:
        """What somebody chose; in a simultaneous choice not before all have chosen."""
        if not entry.seen & 1:
            return ""
        names, lang = self._game.names, self._labels.lang
        said = action_label(self._game.compiled, entry.name, lang)
        shown = []
        for arg in entry.args[1:]:
            known = self._sees(arg.seen)
            label = self._labels.member(arg.kind, arg.value, entry.args[0].value)
            shown.append(label if known else names.kind_label(arg.kind, lang))
        who = names.label("player", entry.args[0].value, lang)
        return f"{who}: {said}{': ' if shown else ''}{', '.join(shown)}"

    def _describe(self, entry: LogEntry) -> str:
        return entry.describe(self._labels.lang, self._viewer, full=self._viewer is None)

    # ------------------------------------------------------------------ facts

    def _sees(self, seen: int) -> bool:
        return self._viewer is None or bool(seen >> self._viewer & 1)

    def _fact(self, log: Sequence[LogEntry], k: int) -> Fact | None:
        entry = log[k]
        if not self._sees(entry.seen):
            return None
        chain = tuple(_causes(log, k))
        match entry.kind:
            case "move":
                return self._move(entry, chain)
            case "gain" | "mix":
                return Fact(self._describe(entry), entry, chain)
            case "roll" if not _moves_next(log, k):
                return Fact(self._describe(entry), entry, chain)
            case "emit" if entry.name.startswith("set "):
                path = f"marks.{entry.name.removeprefix('set ')}"
                return self._set(entry, path, chain) if self._labels.known(path) else None
            case "emit" if entry.name == "stop game":
                return Fact(phrase("ends", self._labels.lang), entry, chain)
            case "emit" if entry.name.startswith(("flip ", "reveal ")) and entry.args:
                return Fact(self._shown(entry), entry, chain)
            case "emit" if entry.name != "hook":
                return Fact(self._describe(entry), entry, chain)
            case _:
                return None

    def _move(self, entry: LogEntry, chain: tuple[int, ...]) -> Fact | None:
        piece, old, new = entry.args
        if old.value == new.value:
            return None
        names, lang = self._game.names, self._labels.lang
        owner = names.owner(piece.kind, piece.value)
        word, known = names.kind_label(piece.kind, lang), ("", -1)
        if self._sees(piece.seen):
            word, known = (
                brief(self._labels.piece(piece.kind, piece.value)),
                (piece.kind, piece.value),
            )
        else:
            owner = -1
        trail = [self._labels.zone(entry.name, zone.value, owner) for zone in (old, new)]
        text = "{}" if owner < 0 else phrase("of_player", lang, owner + 1, "{}")
        return Fact(text, entry, chain, trail, known, owner, [word])

    def _shown(self, entry: LogEntry) -> str:
        """A piece that is turned or revealed, with where it lies."""
        piece = entry.args[0]
        names, lang = self._game.names, self._labels.lang
        group = self._game.compiled.program.groups.get(piece.kind)
        if not self._sees(piece.seen) or group is None or self._state is None:
            return f"{names.rule_label(entry.name, lang)} ({names.kind_label(piece.kind, lang)})"
        zone = self._game.machine.layout.zone_of(self._state.data, piece.kind, piece.value)
        text = self._labels.member(piece.kind, piece.value)
        text = f"{text} ({self._labels.zone(piece.kind, zone)})"
        sides = [names.label(arg.kind, arg.value, lang) for arg in entry.args[1:2]]
        if entry.name.startswith("flip ") and sides:
            return f"{text}: {sides[0]}"
        return phrase("shown", lang, text)

    def _set(self, entry: LogEntry, path: str, chain: tuple[int, ...]) -> Fact | None:
        if not entry.args:
            return None
        names, lang = self._game.names, self._labels.lang
        key = (path, *(arg.value for arg in entry.args[:-1]))
        if self._known.get(key) == entry.args[-1].value:
            return None  # it says nothing new
        self._known[key] = entry.args[-1].value
        shown = [names.label(arg.kind, arg.value, lang) for arg in entry.args]
        label = self._labels.of(path)
        whose = f"{shown[0]}: " if len(shown) == 2 and path.partition(".")[2] in self._each else ""
        return Fact(f"{whose}{label} = {shown[-1]}", entry, chain)

    # ------------------------------------------------------------------ lines

    def _told(
        self, facts: Sequence[Fact], log: Sequence[LogEntry], heading: list[Line]
    ) -> list[Line]:
        """The facts, those with one cause on a line; with the headings that waited for them."""
        if not facts:
            return []
        lines = list(heading)
        heading.clear()
        groups: list[tuple[Why, list[Fact]]] = []
        for fact in facts:
            why = self._why(fact, log)
            if not groups or groups[-1][0].chain != why.chain:
                groups.append((why, []))
            groups[-1][1].append(fact)
        for why, told in groups:
            lines.append(Line("fact", _joined(told), 2, why.brief, why.full))
        return lines

    def _why(self, fact: Fact, log: Sequence[LogEntry]) -> Why:
        """The chain of rules with the innermost one's path, its place, its statements."""
        labels: list[str] = []
        for k in fact.chain:
            entry = log[k]
            if not entry.name.startswith(FLOW):
                label = self._labels.rule(entry.name)
                if not labels or labels[-1] != label:
                    labels.append(label)
        chosen = next((log[k] for k in range(len(log)) if log[k].kind == "choose"), None)
        said = self._labels.rule(chosen.name) if chosen is not None else ""
        last = labels[-1] if labels and labels[-1] != said else ""
        if len(labels) > LONGEST:
            labels = ["…", *labels[-LONGEST:]]
        cites = fact.entry.cites
        for k in reversed(fact.chain):
            cites = cites or log[k].cites
        place = fact.entry.place.rpartition(":")[0]
        chain = " › ".join(labels)
        rule = f"{chain} · {fact.entry.rule}" if chain else fact.entry.rule
        shown = " ".join(cites[:CITED]) + (" …" if len(cites) > CITED else "")
        return Why(
            rule,
            ", ".join(filter(None, (last, shown))),
            " · ".join(filter(None, (rule, place, " ".join(cites)))),
        )


def _causes(log: Sequence[LogEntry], k: int) -> Iterator[int]:
    """The rules that an entry happened inside of, the outermost first."""
    found = []
    above = log[k].parent
    while above >= 0:
        if log[above].kind in ("begin", "under"):
            found.append(above)
        above = log[above].parent
    return reversed(found)


def _moves_next(log: Sequence[LogEntry], k: int) -> bool:
    """Whether what chance gave is told by the move that follows."""
    if k + 1 >= len(log) or log[k + 1].kind != "move" or not log[k].args:
        return False
    return log[k + 1].args[0].value == log[k].args[0].value


def _add(facts: list[Fact], fact: Fact) -> None:
    """Add a fact; a piece that goes on from where it came makes one trail."""
    if facts and fact.trail and facts[-1].trail and _same_rule(facts[-1], fact):
        last = facts[-1]
        if fact.piece[1] >= 0 and last.piece == fact.piece and last.trail[-1] == fact.trail[0]:
            last.trail.append(fact.trail[-1])
            last.entry, last.chain = fact.entry, fact.chain
            return
        if last.trail == fact.trail and last.owner == fact.owner and last.text == fact.text:
            last.words += fact.words
            last.piece = ("", -1)
            return
    facts.append(fact)


def _joined(facts: Sequence[Fact]) -> str:
    """Facts on one line; pieces that are dealt from one place to many share its name."""
    parts: list[str] = []
    dealt: dict[str, dict[str, list[str]]] = {}
    for fact in facts:
        start = fact.trail[0] if len(fact.trail) == 2 else ""
        key = f"{fact.text.format(start)}"
        if start and sum(o.trail[:1] == [start] and o.text == fact.text for o in facts) > 2:
            if key not in dealt:
                parts.append(key)
            dealt.setdefault(key, {}).setdefault(fact.trail[1], []).append(fact.shown())
        else:
            parts.append(str(fact))
    return "; ".join(_dealt(part, dealt[part]) if part in dealt else part for part in parts)


def _dealt(start: str, places: Mapping[str, Sequence[str]]) -> str:
    """What went from one place to many; pieces that are alike are named once."""
    words = {to: _counted(names) for to, names in places.items()}
    if len(places) > 2 and len(set(words.values())) == 1:
        return f"{start}: {next(iter(words.values()))} → {', '.join(places)}"
    return f"{start}: {'; '.join(f'{word} → {to}' for to, word in words.items())}"


def _counted(words: Sequence[str]) -> str:
    """Some names, alike ones counted."""
    return ", ".join(word if n == 1 else f"{word} ×{n}" for word, n in Counter(words).items())


def _same_rule(a: Fact, b: Fact) -> bool:
    return a.entry.rule == b.entry.rule and a.chain[:-1] == b.chain[:-1]
