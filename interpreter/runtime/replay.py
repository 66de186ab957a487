"""Plays a journal again, with the outcomes that are written in it.

Takes a game and a journal; gives the states, or says at which step the rules no longer agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.runtime import explicit
from interpreter.runtime.errors import DataError, GameError, RulesFault
from interpreter.runtime.history import Rolled
from interpreter.runtime.journal import ChanceOutcome, Journal, JournalStep, digest, member_number
from interpreter.runtime.state import State
from interpreter.runtime.step import MachineError
from ruleset.diagnostics.diagnostic import Diagnostic, RulesetError
from ruleset.diagnostics.messages import play as say

if TYPE_CHECKING:
    from interpreter.runtime.game import Game


class ChanceMissing(GameError):  # noqa: N818 - what happened, for those who give the outcomes
    """Chance was asked for more outcomes than were given. ``members`` is a set of bits."""

    def __init__(self, label: str, members: int) -> None:
        super().__init__(f"chance is asked for `{label}`, and no outcome is given")
        self.label = label
        self.members = members


def replay(game: Game, journal: Journal) -> State:
    """The state at the end of a journal. Raises `DataError` at the first step that disagrees."""
    if journal.game != game.name:
        raise DataError(say.other_game("the journal", game.name, journal.game))
    if journal.players != game.players:
        raise DataError(
            say.other_game(
                "the journal",
                f"{game.name} with {game.players} players",
                f"{journal.game} with {journal.players} players",
            )
        )
    outcomes = _numbers(game, journal.chance, 0)
    last = len(journal.steps) if journal.waits else -1
    try:
        state = (explicit.begin if last == 0 else _begin)(game, journal.seed, outcomes)
    except (ChanceMissing, RulesFault, MachineError) as error:
        raise DataError(_said(0, error)) from None
    if last != 0:
        _compare(0, state, journal.chance, outcomes)
    for number, step in enumerate(journal.steps, 1):
        state = _play(game, state, step, number, waits=number == last)
    return state


def _begin(game: Game, seed: int, outcomes: Sequence[int]) -> State:
    return game.begin(seed, outcomes)


def verify(game: Game, journal: Journal) -> State:
    """The same, and compares the last state where the rules are those of the journal."""
    state = replay(game, journal)
    same = journal.fingerprint == game.fingerprint
    if same and journal.end and digest(state.to_bytes()) != journal.end:
        raise DataError(say.other_end(len(journal.steps)))
    return state


def _play(game: Game, state: State, step: JournalStep, number: int, waits: bool) -> State:
    outcomes = _numbers(game, step.chance, number)
    try:
        if step.effects:
            after = game.perform(state, step.effects)
        else:
            after = _answer(game, state, step, number, outcomes, waits)
    except (ChanceMissing, RulesFault, MachineError) as error:
        raise DataError(_said(number, error)) from None
    except RulesetError as error:
        raise DataError(say.step_fault(number, error.report.sorted()[0].message)) from None
    if not waits:
        _compare(number, after, step.chance, outcomes)
    return after


def _answer(
    game: Game,
    state: State,
    step: JournalStep,
    number: int,
    outcomes: Sequence[int],
    waits: bool,
) -> State:
    if state.over:
        raise DataError(say.step_after_end(number))
    decision = next((d for d in state.pending if d.player == step.player), None)
    option = decision.look_up(step.option, openly=True) if decision is not None else None
    if decision is None or option is None:
        possible = [o.text for o in decision.options[:9]] if decision is not None else []
        why = str(state.why(step.option, step.player, openly=True))
        raise DataError(say.step_refused(number, step.player, step.option, possible, why))
    if waits:
        return explicit.answer(state, step.player - 1, option.candidate, outcomes)
    return game.step(state, step.player - 1, option.candidate, outcomes)


def _said(number: int, error: ChanceMissing | RulesFault | MachineError) -> Diagnostic:
    if isinstance(error, ChanceMissing):
        return say.chance_missing(number, error.label)
    if isinstance(error, MachineError):
        return say.chance_unfit(number, str(error))
    return say.step_broken(number, error.diagnostic)


def _numbers(game: Game, chance: Sequence[ChanceOutcome], step: int) -> list[int]:
    numbers = []
    for outcome in chance:
        number = member_number(game, outcome)
        if number is None:
            raise DataError(say.chance_impossible(step, outcome.label, outcome.member))
        numbers.append(number)
    return numbers


def _compare(
    number: int, state: State, chance: Sequence[ChanceOutcome], outcomes: Sequence[int]
) -> None:
    """The chance events that really were must be those of the journal."""
    assert state.past is not None
    rolled: Rolled = state.past.rolled
    wanted = [outcome.label for outcome in chance]
    found = [label for label, _ in rolled]
    if wanted != found or [member for _, member in rolled] != list(outcomes):
        raise DataError(say.chance_differs(number, wanted, found))
