"""`rulewright replay`: a journal again, or where the rules no longer agree with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from playtest.engines import check_engine, engine_option
from playtest.phrases import LANGUAGES
from playtest.terminal import plain_faults, say, say_faults, say_json, styled

if TYPE_CHECKING:
    from interpreter import Engine, Game, Journal, State
    from ruleset.diagnostics.diagnostic import Diagnostic


@click.command()
@click.argument("journal", metavar="JOURNAL")
@click.option("--verify", is_flag=True, help="Tell only whether the game still comes to its end.")
@click.option("--rules", metavar="FILE", help="Another game file than the journal names.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="English or Japanese.")
@engine_option("`auto`: Python.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
def replay(
    journal: str, verify: bool, rules: str | None, lang: str, engine: Engine, as_json: bool
) -> int:
    """Play a journal again and tell what happens and why.

    Exit status: 0 where the rules agree with every step, and with `--verify` also with the end;
    1 otherwise.
    """
    from interpreter import DataError, GameError
    from playtest.faults import invariant_faults
    from playtest.journals import game_of, read_journal
    from ruleset.diagnostics.diagnostic import RulesetError

    faults: list[Diagnostic] = []
    state: State | None = None
    game: Game | None = None
    same = True
    try:
        saved = read_journal(journal, rules)
        game = game_of(saved, check_engine(engine))
        same = game.fingerprint == saved.journal.fingerprint
        state = game.verify(saved.journal) if verify else game.replay(saved.journal)
        faults = invariant_faults(game, state, "at the end of this game")
    except RulesetError as error:
        faults = error.report.sorted()
    except DataError as error:
        faults = [error.diagnostic]
    except GameError as error:
        raise click.UsageError(str(error)) from None
    agrees = state is not None and not faults
    if as_json:
        result = state.result if state is not None else None
        say_json(
            {
                "agrees": agrees,
                "same_rules": same,
                "steps": state.steps if state is not None else None,
                "over": state.over if state is not None else None,
                "result": result.plain() if result is not None else None,
                "faults": plain_faults(faults),
            }
        )
        return 0 if agrees else 1
    if state is None:
        if not verify and game is not None:
            _tell_before(game, saved.journal, lang)
        say_faults(faults)
        return 1
    if not verify:
        _tell(state, lang)
    if faults:
        say_faults(faults)
        return 1
    end = "to its end" if state.over else "as far as it goes"
    rules_now = "" if same else "; the rules have changed since, and still allow it"
    say(styled(f"{state.steps} steps agree with the rules, {end}{rules_now}", fg="green"))
    return 0


def _tell(state: State, lang: str) -> None:
    """All that led to a state."""
    from playtest.labels import Labels
    from playtest.screen import tell
    from playtest.story import Story

    story = Story(state.game, Labels(state.game, lang))
    for steps in range(state.steps + 1):
        tell(story.tell(state.at(steps)), full=True)


def _tell_before(game: Game, journal: Journal, lang: str) -> None:
    """The game up to the step that the rules do not allow."""
    from interpreter import DataError

    low, high = 0, len(journal.steps)
    state = None
    while low < high:  # the most steps that can be played
        middle = (low + high) // 2
        try:
            state, low = game.replay_steps(journal, middle), middle + 1
        except DataError:
            high = middle
    if state is not None:
        _tell(state, lang)
        say()
