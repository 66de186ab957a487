"""`rulewright play`: a game in the terminal, from the start or from a journal."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from playtest.engines import check_engine, engine_option
from playtest.given_options import options_of
from playtest.phrases import LANGUAGES, phrase
from playtest.terminal import say, say_faults, styled

if TYPE_CHECKING:
    from interpreter import Engine, State

LARGEST_SEED = 1_000_000


@click.command()
@click.argument("path", metavar="FILE")
@click.option("--players", type=int, metavar="N", help="How many play; else as few as can.")
@click.option(
    "--seats",
    metavar="KINDS",
    help="`human`, `random`, `first`, `greedy` or `mcts:N` for each player, with commas; one "
    "kind is for all. "
    "Else you are player 1 and the others choose at random.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="S", help="The same seed, the same game."
)
@click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="K=V",
    help="A reading or option of the game.",
)
@click.option("--save", "save_path", metavar="PATH", help="Write the journal there in the end.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="English or Japanese.")
@click.option("--causes", is_flag=True, help="Tell in full why each thing happened.")
@click.option("--rules", metavar="FILE", help="For a journal: another game file than it names.")
@engine_option("`auto`: Python, and machine code for what searching players look ahead.")
def play(
    path: str,
    players: int | None,
    seats: str | None,
    seed: int | None,
    options: tuple[str, ...],
    save_path: str | None,
    lang: str,
    causes: bool,
    rules: str | None,
    engine: Engine,
) -> int:
    """Play a game file in the terminal, or go on with a journal that `save` wrote.

    Seats without a person play themselves. Type `help` in the game for what can be typed.
    """
    from interpreter import DataError, GameError, RulesFault
    from playtest.journals import is_game_file
    from playtest.seats import SeatError, seats_of
    from ruleset.diagnostics.diagnostic import RulesetError

    try:
        if is_game_file(path):
            if rules is not None:
                raise click.UsageError("`--rules` goes with a journal, not with a game file")
            chosen = secrets.randbelow(LARGEST_SEED) if seed is None else seed
            state = _begin(path, players, options, chosen, engine)
            kinds: Sequence[str] = seats_of(seats, state.game.players)
        else:
            if players is not None or options or seed is not None:
                raise click.UsageError("a journal has its own players, options and seed")
            state, chosen, saved, path = _resume(path, rules, engine)
            kinds = seats_of(seats or ",".join(saved) or None, state.game.players)
        return _run(state, tuple(kinds), chosen, lang, causes, path, save_path)
    except SeatError as error:
        raise click.UsageError(str(error)) from None
    except RulesetError as error:
        say_faults(error.report.diagnostics)
    except (DataError, RulesFault) as error:
        say_faults([error.diagnostic])
    except GameError as error:
        raise click.UsageError(str(error)) from None
    return 1


def _begin(
    path: str, players: int | None, options: Sequence[str], seed: int, engine: Engine
) -> State:
    import ruleset
    from interpreter import Game

    rules = ruleset.load(path)
    count = rules.file.min_players if players is None else players
    return Game(rules, count, options_of(options), check_engine(engine)).start(seed)


def _resume(
    path: str, rules: str | None, engine: Engine
) -> tuple[State, int, tuple[str, ...], str]:
    from playtest.journals import game_of, read_journal

    saved = read_journal(path, rules)
    state = game_of(saved, check_engine(engine)).replay(saved.journal)
    return state, saved.journal.seed + state.steps, saved.seats, saved.rules


def _run(
    state: State,
    seats: tuple[str, ...],
    seed: int,
    lang: str,
    causes: bool,
    path: str,
    save_path: str | None,
) -> int:
    from interpreter import GameError, RulesFault
    from playtest.journals import write_journal
    from playtest.session import Left, Session, describe_setting

    def save(now: State, where: str = "") -> str:
        target = where or save_path
        if not target:
            raise GameError(phrase("no_path", lang))
        write_journal(now.journal(), target, path, seats)
        return target

    if save_path:
        save(state)  # a place that cannot be written is told before the game, not after it
    for k, line in enumerate(describe_setting(state, seats, seed, lang)):
        say(styled(line, bold=True) if k == 0 else line)
    say()
    session = Session.of(state, seats, seed, lang, save, causes)
    try:
        session.play()
    except Left as left:
        say(phrase("no_input" if left.no_input else "quit", lang, session.state.steps))
        return 1 if left.no_input else 0
    except RulesFault as error:
        say_faults([error.diagnostic])
        return 1
    finally:
        if save_path:
            save(session.state)
    if save_path:
        say(phrase("saved", lang, save_path))
    return 0
