"""Plays scenarios: given, when, then.

Takes scenarios; gives an `Outcome` for each, whose faults are diagnostics in the scenario's file.
Games are loaded and lowered once for each setting.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import ruleset
from interpreter import Engine, Game, GameError, Option, RulesFault, State
from playtest.claims import claim_faults, perform
from playtest.faults import invariant_faults
from playtest.given_chance import RollFault, Rolls
from playtest.scenario_files import Move, Refusal, Scenario
from playtest.stages import in_set_up
from ruleset import Ruleset
from ruleset.diagnostics.diagnostic import Diagnostic, Label, RulesetError
from ruleset.diagnostics.messages import scenario as say
from ruleset.source import Span

SHOWN = 8
"""So many options are shown where a choice is not among them."""
LONGEST_SETUP = 1000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a scenario; it holds where there are no faults."""

    scenario: Scenario
    faults: tuple[Diagnostic, ...]
    rules: Ruleset | None = None
    """The rules, in the setting that the file has, where they could be loaded."""
    readings: Mapping[str, str] = field(default_factory=dict)
    """The readings of the scenario's setting."""

    @property
    def ok(self) -> bool:
        """Whether the scenario holds."""
        return not self.faults


@dataclass(slots=True)
class Runner:
    """Runs scenarios and keeps the games that they share."""

    engine: Engine = "auto"
    _rules: dict[str, Ruleset | RulesetError] = field(default_factory=dict)
    _games: dict[tuple[str, int, frozenset[tuple[str, str]]], Game] = field(default_factory=dict)

    def run(self, scenario: Scenario) -> Outcome:
        """What becomes of a scenario; never raises for what a file says."""
        rules = self.rules(scenario.game)
        if isinstance(rules, RulesetError):
            return Outcome(scenario, tuple(rules.report.sorted()))
        try:
            game = self._game(scenario, rules)
        except RulesetError as error:
            place = (Label(scenario.options_span),)
            found = [d if d.labels else replace(d, labels=place) for d in error.report.sorted()]
            return Outcome(scenario, tuple(found), rules)
        except GameError as error:
            fault = say.not_this_game(scenario.players_span, str(error))
            return Outcome(scenario, (fault,), rules)
        return Outcome(scenario, tuple(_Play(game, scenario).run()), rules, game.ruleset.readings)

    def rules(self, path: str) -> Ruleset | RulesetError:
        """A game file, or what is wrong with it."""
        key = os.path.realpath(path)
        if key not in self._rules:
            try:
                self._rules[key] = ruleset.load(path)
            except RulesetError as error:
                self._rules[key] = error
        return self._rules[key]

    def _game(self, scenario: Scenario, rules: Ruleset) -> Game:
        players = scenario.players or rules.file.min_players
        key = setting_of(scenario, players)
        if key not in self._games:
            self._games[key] = Game(rules, players, scenario.options, self.engine, checks=True)
        return self._games[key]

    def forget(self) -> None:
        """Give back the games that were made."""
        self._games.clear()


Setting = tuple[str, int, frozenset[tuple[str, str]]]


def setting_of(scenario: Scenario, players: int = 0) -> Setting:
    """What must be the same in two scenarios that can share a game."""
    count = players or scenario.players or 0
    return os.path.realpath(scenario.game), count, frozenset(scenario.options.items())


class _Stop(Exception):  # noqa: N818 - ends a scenario early, within this module
    """The scenario cannot go on."""

    def __init__(self, *faults: Diagnostic) -> None:
        super().__init__()
        self.faults = faults


class _Play:
    """One scenario being played."""

    def __init__(self, game: Game, scenario: Scenario) -> None:
        self.game = game
        self.scenario = scenario
        self.rolls = Rolls(game, scenario.rolls, scenario.seed)

    def run(self) -> list[Diagnostic]:
        """The faults; nothing where the scenario holds."""
        scenario = self.scenario
        try:
            state = self._begin()
            for move in scenario.when:
                state = self._move(state, move)
                broken = invariant_faults(self.game, state)
                if broken:
                    here = "after this choice"
                    raise _Stop(*(say.during(fault, move.span, here) for fault in broken))
        except _Stop as stop:
            return list(stop.faults)
        faults = [fault for refusal in scenario.refused for fault in self._refused(state, refusal)]
        for claim in scenario.then:
            faults.extend(claim_faults(self.game, state, claim))
        faults.extend(self._end(state))
        if (left := self.rolls.left_over()) is not None:
            faults.append(say.roll_left_over(left.span, left.text))
        return faults

    def _begin(self) -> State:
        """The state after ``setup`` and ``given``."""
        scenario = self.scenario
        try:
            state = self.game.start(scenario.seed)
        except RulesFault as error:
            raise _Stop(
                say.during(error.diagnostic, scenario.title.span, "when it begins")
            ) from None
        if scenario.random_setup is not None:
            state = self._random_setup(state)
        for move in scenario.setup:
            state = self._move(state, move)
        if scenario.given is not None:
            state, faults = perform(self.game, state, scenario.given)
            if faults:
                raise _Stop(*faults)
        return state

    def _random_setup(self, state: State) -> State:
        span = self.scenario.random_setup
        assert span is not None
        if not in_set_up(state):
            raise _Stop(say.no_random_setup(span))
        generator = random.Random(self.scenario.seed)
        for _ in range(LONGEST_SETUP):
            if not in_set_up(state):
                break
            decision = generator.choice(state.pending)
            state = self._apply(state, generator.choice(decision.options), span)
        return state

    def _move(self, state: State, move: Move) -> State:
        decision = next((d for d in state.pending if d.player == move.player), None)
        option = decision.look_up(move.text, openly=True) if decision is not None else None
        if option is not None:
            return self._apply(state, option, move)
        first = decision.look_up(move.text, True, openly=True) if decision is not None else None
        if first is not None:  # a line may give several choices of one action
            return self._move(self._apply(state, first, move), move)
        possible: list[str] = []
        if decision is not None:
            possible = [o.text for o in decision.options[:SHOWN]]
            if len(decision.options) > SHOWN:
                possible.append("...")
        why = str(state.why(move.text, move.player, openly=True))
        help_ = ""
        if in_set_up(state) and not self.scenario.setup and not self.scenario.random_setup:
            help_ = "write the choices of the set-up under `setup`, or `setup: random`"
        raise _Stop(say.not_possible(move.span, move.player, move.text, why, possible, help_))

    def _apply(self, state: State, option: Option, move: Move | Span) -> State:
        span = move.span if isinstance(move, Move) else move
        try:
            return self.rolls.step(state, option)
        except RulesFault as error:
            raise _Stop(say.during(error.diagnostic, span, "while this is chosen")) from None
        except RollFault as error:
            raise _Stop(error.diagnostic) from None

    def _refused(self, state: State, refusal: Refusal) -> Sequence[Diagnostic]:
        text = refusal.option.text
        decisions = [d for d in state.pending if d.player == refusal.player]
        if any(decision.look_up(text, openly=True) is not None for decision in decisions):
            return [say.is_offered(refusal.option.span, refusal.player, text)]
        why = state.why(text, refusal.player, openly=True)
        if why.reasons and all(reason.kind == "unknown" for reason in why.reasons):
            return [say.no_such_option(refusal.option.span, text, str(why))]
        because = refusal.because
        if because is None or why.names(because.text) or because.text in str(why):
            return []
        return [say.other_reason(because.span, text, because.text, str(why))]

    def _end(self, state: State) -> Sequence[Diagnostic]:
        scenario = self.scenario
        faults = []
        if scenario.over is not None:
            wanted = scenario.over.text.lower() in ("true", "yes", "on")
            if state.over != wanted:
                said = ("a game that is over", "one that goes on")
                expected, found = said if wanted else said[::-1]
                faults.append(say.other_end(scenario.over.span, "over", expected, found))
        if scenario.winners is not None:
            result = state.result
            found = "a game that goes on" if result is None else _players(result.winners)
            if result is None or set(result.winners) != set(scenario.winners):
                wanted_ = _players(scenario.winners)
                faults.append(say.other_end(scenario.winners_span, "winners", wanted_, found))
        return faults


def _players(players: Sequence[int]) -> str:
    return "player " + " and ".join(map(str, sorted(players))) if players else "nobody"
