"""A game being played at the terminal, by people and by programs.

Takes a state and who sits where; asks, tells, and gives the last state. What a person sees is the
view of their player; the screen changes hands where several people play and something is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from interpreter import (
    DataError,
    Decision,
    GameError,
    IllegalOption,
    Option,
    RulesFault,
    State,
)
from playtest.claims import value_text
from playtest.drawing import WIDTH
from playtest.labels import Labels, fit
from playtest.peeking import answer
from playtest.phrases import phrase
from playtest.screen import ask, clear, tell, width
from playtest.seats import HUMAN, Bots
from playtest.story import Line, Story
from playtest.table import table
from playtest.terminal import on_terminal, say, say_faults, styled
from playtest.wrapping import wrap
from ruleset.diagnostics.diagnostic import RulesetError
from ruleset.diagnostics.render import render_diagnostic

QUIT = ("quit", "q", "exit")
LISTED = 9
"""A list of more options than this is shown in columns."""
MOST = 20_000
"""So many choices a game may have here."""


class Left(Exception):  # noqa: N818 - how a person leaves the game
    """The person stops; ``no_input`` where there was nothing more to read."""

    def __init__(self, no_input: bool = False) -> None:
        super().__init__()
        self.no_input = no_input


@dataclass(slots=True)
class Session:
    """One game at one terminal."""

    state: State
    seats: tuple[str, ...]
    bots: Bots
    lang: str
    save: Callable[[State, str], str]
    """Writes the game; takes the path that the person gave, gives the one used."""
    labels: Labels
    told: list[int]
    """For each player how many steps they have been told of."""
    causes: bool = False
    """Whether to tell in full why something happened."""
    before: int = 0
    """The person who sat at the screen last."""

    @classmethod
    def of(
        cls,
        state: State,
        seats: tuple[str, ...],
        seed: int,
        lang: str,
        save: Callable[[State, str], str],
        causes: bool = False,
    ) -> Session:
        """A session that begins with a state."""
        labels = Labels(state.game, lang)
        told = [-1] * (len(seats) + 1)
        return cls(state, seats, Bots(seats, seed), lang, save, labels, told, causes)

    # ------------------------------------------------------------------ the game

    def play(self) -> None:
        """Play to the end. Raises `Left` where a person stops, `RulesFault` as the engine does."""
        watched = HUMAN not in self.seats
        story = Story(self.state.game, self.labels)
        if watched:
            tell(story.tell(self.state), self.causes)
            self._show_table(None)
        while not self.state.over and self.state.steps < MOST:
            player = self._next()
            if self.seats[player - 1] == HUMAN:
                self._human(player)
            else:
                self.state = self.state.apply(self.bots.choose(self.state, player))
                if watched:
                    tell(story.tell(self.state), self.causes)
        if not self.state.over:
            say(phrase("too_long", self.lang, self.state.steps))
        elif not watched:
            self._tell_news(self.before or self._humans()[0])
        self._show_table(None)
        self._show_result()

    def _next(self) -> int:
        """Who is asked next: programs first, so that nobody waits for them."""
        asked = [decision.player for decision in self.state.pending]
        for player in asked:
            if self.seats[player - 1] != HUMAN:
                return player
        return asked[0]

    def _humans(self) -> list[int]:
        return [k + 1 for k, kind in enumerate(self.seats) if kind == HUMAN]

    def _several(self) -> bool:
        return len(self._humans()) > 1

    # ------------------------------------------------------------------ a person's turn

    def _human(self, player: int) -> None:
        if self._several() and player != self.before and self._secret():
            clear()
            line = ask(phrase("handover", self.lang, player))
            if line is None or line.lower() in QUIT:
                raise Left(no_input=line is None)
            clear()
        self.before = player
        self._tell_news(player)
        self._show_table(player)
        while not self.state.over:
            decision = next((d for d in self.state.pending if d.player == player), None)
            if decision is None:
                return
            self._show_options(decision)
            steps = self.state.steps
            while self.state.steps == steps:
                line = ask(styled(phrase("choice", self.lang), bold=True))
                if line is None:
                    raise Left(no_input=True)
                if self._command(player, decision, line) and not self._goes_on(player):
                    return

    def _goes_on(self, player: int) -> bool:
        """Whether the player is asked the next part of the same choice."""
        return any(d.player == player and d.question.taken for d in self.state.pending)

    def _secret(self) -> bool:
        """Whether players see different things in this game."""
        file = self.state.game.ruleset.file
        seen = [zone.seen_by for zone in file.zones]
        seen += [counter.seen_by for counter in file.counters]
        seen += [mark.seen_by for mark in file.marks]
        return any(by != "all" for by in seen) or len(self.state.pending) > 1

    def _command(self, player: int, decision: Decision, line: str) -> bool:
        """Do what a line says; whether the table should be shown anew."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if line.startswith("?"):
            self._evaluate(player, line[1:].strip())
            return False
        match word.lower():
            case "":
                self._show_options(decision)
            case "help" | "h":
                say(phrase("help", self.lang))
            case _ if line.lower() in QUIT:
                raise Left
            case "why" if rest:
                self._why(player, decision, rest)
            case "undo":
                return self._undo(player)
            case "save":
                self._save(rest)
            case "state":
                self._show_table(player)
                self._show_options(decision)
            case "log":
                self._show_log(player)
            case "legend":
                self._show_legend()
            case _:
                return self._choose(decision, line)
        return False

    def _choose(self, decision: Decision, line: str) -> bool:
        option = self._meant(decision, line)
        if option is None:
            return False
        self.state = self.state.apply(option)
        return True

    def _meant(self, decision: Decision, line: str) -> Option | None:
        """The option that a number or a text means; says so where there is none."""
        count = len(decision.options)
        if line.isdecimal() and len(line) < 10:
            number = int(line)
            if 1 <= number <= count:
                return decision.options[number - 1]
            say(phrase("no_such", self.lang, number, count))
            return None
        meant = [o for o in decision.options if line in o.text and self._is_value(o, line)]
        if len(meant) == 1:  # the value alone, where it can mean one option
            return meant[0]
        try:
            return decision.find(line)
        except IllegalOption as error:
            say(str(error))
            return None

    def _is_value(self, option: Option, text: str) -> bool:
        """Whether what an option picks is called so."""
        return option.text.endswith(f"={text})") or self.labels.option_parts(option)[1] == text

    def _why(self, player: int, decision: Decision, text: str) -> None:
        if text.isdecimal() and 1 <= int(text) <= len(decision.options):
            text = decision.options[int(text) - 1].text
        say(str(self.state.why(text, player)))

    def _undo(self, player: int) -> bool:
        steps = self.state.steps - 1
        last = self.state.past
        own = steps >= 0 and getattr(last, "player", -1) == player - 1
        if not own or not self.state.undoable_to(steps):
            say(phrase("no_undo", self.lang))
            return False
        text = self.state.journal().steps[-1].option
        self.state = self.state.at(steps)
        self.told = [min(told, steps) for told in self.told]
        say(phrase("undone", self.lang, text))
        return True

    def _save(self, path: str) -> None:
        try:
            say(phrase("saved", self.lang, self.save(self.state, path)))
        except DataError as error:
            say_faults([error.diagnostic], error=False)
        except GameError as error:
            say(str(error))

    def _evaluate(self, player: int, text: str) -> None:
        try:
            known, value = answer(self.state, player, text)
            say(value_text(value) if known else phrase("hidden_answer", self.lang))
        except RulesetError as error:
            for fault in error.report.sorted():
                say(render_diagnostic(fault))
        except RulesFault as error:
            say(error.diagnostic.message)

    # ------------------------------------------------------------------ what is shown

    def _tell_news(self, player: int) -> None:
        """What has happened since this player was last told."""
        first, last = self.told[player], self.state.steps
        self.told[player] = last
        lines = self._story(player, first)
        if lines:
            say()
            tell(lines, self.causes)

    def _story(self, player: int, first: int) -> list[Line]:
        """The lines of all steps after the first so many, as a player may know them."""
        story = Story(self.state.game, self.labels, player)
        lines: list[Line] = []
        for steps in range(self.state.steps + 1):
            told = story.tell(self.state.at(steps))
            if steps > first:
                lines += told
        return lines

    def _show_log(self, player: int) -> None:
        tell(self._story(player, -1), self.causes)

    def _show_legend(self) -> None:
        words = [f"{sign} = {text}" for sign, text in self.labels.legend().items()]
        for line in wrap(" · ".join(words) or phrase("nothing", self.lang), width()):
            say(line)

    def _show_table(self, player: int | None) -> None:
        """The table as a player sees it; for None as all see it."""
        say()
        for line in table(
            self.state.game, self.state.view(player, self.lang), self.labels, self._width()
        ):
            say(line)
        say()

    def _width(self) -> int:
        return width() if on_terminal() else WIDTH

    def _show_options(self, decision: Decision) -> None:
        prompt = decision.prompt(self.lang)
        say(
            styled(
                phrase("asked", self.lang, self.labels.player(decision.player), prompt), bold=True
            )
        )
        options = decision.options
        digits = len(str(len(options)))
        if len(options) > LISTED:
            self._show_many(options, digits)
            return
        for k, option in enumerate(options, 1):
            text = self.labels.option(option)
            for j, part in enumerate(wrap(text, width() - digits - 4)):
                say(f"  {k:>{digits}}  {part}" if j == 0 else " " * (digits + 4) + part)

    def _show_many(self, options: Sequence[Option], digits: int) -> None:
        """A long list in columns, under the name of each action."""
        groups: dict[str, list[str]] = {}
        for k, option in enumerate(options, 1):
            head, word = self.labels.option_parts(option)
            groups.setdefault(head, []).append(f"{k:>{digits}} {word}")
        for head, words in groups.items():
            say(f"  {head}")
            column = min(max(map(cell_len, words)), width() - 6) + 2
            across = max(1, (width() - 4) // column)
            for k in range(0, len(words), across):
                row = "".join(fit(word, column) for word in words[k : k + across])
                say(f"    {row.rstrip()}")

    def _show_result(self) -> None:
        result = self.state.result
        if result is None:
            return
        if result.winners:
            head = phrase("won_by", self.lang, self.labels.players(result.winners))
        else:
            key = result.ended if result.ended in ("drawn", "lost") else "nobody"
            head = phrase(key, self.lang)
        say(styled(f"{phrase('result', self.lang)}: {head}", bold=True))
        place = 1
        for group in result.ranking:
            scores = "; ".join(
                f"{self.labels.of(f'counters.{name}')} "
                + " / ".join(str(values[player]) for player in group)
                for name, values in result.scores.items()
            )
            text = self.labels.players(group) + (f"  ({scores})" if scores else "")
            say("  " + phrase("ranking", self.lang, place, text))
            place += len(group)


def describe_setting(state: State, seats: Sequence[str], seed: int, lang: str) -> list[str]:
    """What is played: title, seats, seed, readings that differ from the default."""
    game = state.game
    ruleset = game.ruleset
    labels = Labels(game, lang)
    shown = ", ".join(f"{labels.player(k + 1)}: {kind}" for k, kind in enumerate(seats))
    lines = [ruleset.title(lang), f"{shown}; {phrase('seed', lang, seed)}"]
    if ruleset.file.status:
        lines.append(ruleset.file.status)
    other = [
        f"{name}={reading}"
        for name, reading in ruleset.readings.items()
        if reading != ruleset.rulings[name].default
    ]
    return lines + ([", ".join(other)] if other else [])
