"""`rulewright fuzz`: random play under all invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from playtest.engines import check_engine, engine_option
from playtest.given_options import options_of
from playtest.terminal import amount, on_terminal, plain_faults, say, say_faults, say_json, styled

if TYPE_CHECKING:
    from interpreter import Engine


@click.command()
@click.argument("path", metavar="FILE")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=100,
    metavar="N",
    help="How many games; else 100.",
)
@click.option("--players", type=int, metavar="N", help="How many play; else every number in turn.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, metavar="S", help="Another seed, other games."
)
@click.option(
    "--options",
    "how",
    type=click.Choice(["default", "random"]),
    default="random",
    help="Readings of rulings: as the file has them, or drawn anew every few games.",
)
@click.option(
    "--option", "-o", "options", multiple=True, metavar="K=V", help="A reading that stays."
)
@click.option(
    "--bound",
    type=click.IntRange(min=1),
    default=5000,
    metavar="N",
    help="A game of more choices than this counts as one without an end; else 5000.",
)
@click.option("--journal", "target", metavar="PATH", help="Where a fault's game is written.")
@engine_option("`auto`: Python.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
def fuzz(
    path: str,
    games: int,
    players: int | None,
    seed: int,
    how: str,
    options: tuple[str, ...],
    bound: int,
    target: str | None,
    engine: Engine,
    as_json: bool,
) -> int:
    """Play at random over all numbers of players and look at every invariant after every choice.

    A fault comes back as the shortest game that shows it, written as a journal for `replay`. Ctrl-C
    ends it with what was found so far. Exit status: 0 where nothing was found, 1 where something
    was, 130 where it was stopped before.
    """
    import ruleset
    from interpreter import DataError, GameError
    from playtest.cli import INTERRUPTED  # it imports the commands
    from playtest.fuzz import Account
    from playtest.fuzz import fuzz as play_at_random
    from playtest.journals import write_journal
    from ruleset.diagnostics.diagnostic import RulesetError

    shows = on_terminal(error=True) and not as_json

    def progress(number: int) -> None:
        if shows and number % 10 == 0:
            click.echo(f"\r{number}/{games}", err=True, nl=False)

    account = Account()
    stopped = False
    written: list[str] = []
    try:
        rules = ruleset.load(path)
        given, steps = options_of(options), check_engine(engine)
        drawn = how == "random"
        try:
            play_at_random(
                rules, games, players, seed, given, drawn, bound, progress, steps, account
            )
        except KeyboardInterrupt:
            stopped = True
        for number, finding in enumerate(account.findings.values(), 1):
            name = target or f"{rules.file.name}.fault.json"
            if number > 1:
                name = name.removesuffix(".json") + f"-{number}.json"
            write_journal(finding.journal, name, path, checks=True)
            written.append(name)
    except RulesetError as error:
        say_faults(error.report.diagnostics)
        return 1
    except DataError as error:
        say_faults([error.diagnostic])
        return 1
    except GameError as error:
        raise click.UsageError(str(error)) from None
    if shows:
        click.echo("\r", err=True, nl=False)
    findings = list(account.findings.values())
    status = 1 if findings else INTERRUPTED if stopped else 0
    if as_json:
        say_json(
            {
                "game": rules.file.name,
                **account.plain(),
                "interrupted": stopped,
                "findings": [
                    {
                        "fault": plain_faults([finding.diagnostic])[0],
                        "players": finding.journal.players,
                        "options": dict(finding.journal.options),
                        "steps": finding.length,
                        "journal": name,
                    }
                    for finding, name in zip(findings, written, strict=True)
                ],
            }
        )
        return status
    for finding, name in zip(findings, written, strict=True):
        say_faults([finding.diagnostic], error=False)
        say(
            f"shown by a game of {amount(finding.length, 'choice')} "
            f"with {amount(finding.journal.players, 'player')}: rulewright replay {name}"
        )
        say()
    for count, lengths in account.plain()["lengths"].items():
        say(
            f"{amount(int(count), 'player')}: {amount(lengths['games'], 'game')} of "
            f"{lengths['least']} to {lengths['most']} choices, "
            f"half of them up to {lengths['median']}"
        )
    text = amount(len(findings), "fault") if findings else "no faults"
    colour = "red" if findings else "green"
    settings = f", {amount(account.settings, 'setting')} of the rulings" if rules.rulings else ""
    wanted = f" (stopped; {games:,} were wanted)" if stopped else ""
    say(
        f"{amount(account.games, 'game')}{wanted}{settings}: {styled(text, fg=colour)} "
        f"({account.seconds:.1f} s)"
    )
    return status
