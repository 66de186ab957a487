"""`rulewright fuzz`: random play under all invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from playtest.engines import check_engine, engine_option
from playtest.given_options import options_of
from playtest.terminal import on_terminal, plain_faults, say, say_faults, say_json, styled

if TYPE_CHECKING:
    from interpreter import Engine


@click.command()
@click.argument("path", metavar="FILE")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, metavar="N", help="How many games."
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
    help="A game of more choices than this counts as one without an end.",
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

    A fault comes back as the shortest game that shows it, written as a journal for `replay`. Exit
    status: 0 where nothing was found, 1 otherwise.
    """
    import ruleset
    from interpreter import DataError, GameError
    from playtest.fuzz import fuzz as play_at_random
    from playtest.journals import write_journal
    from ruleset.diagnostics.diagnostic import RulesetError

    shows = on_terminal(error=True) and not as_json

    def progress(number: int) -> None:
        if shows and number % 10 == 0:
            click.echo(f"\r{number}/{games}", err=True, nl=False)

    written: list[str] = []
    try:
        rules = ruleset.load(path)
        account = play_at_random(
            rules,
            games,
            players,
            seed,
            options_of(options),
            how == "random",
            bound,
            progress,
            check_engine(engine),
        )
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
    if as_json:
        say_json(
            {
                "game": rules.file.name,
                **account.plain(),
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
        return 1 if findings else 0
    for finding, name in zip(findings, written, strict=True):
        say_faults([finding.diagnostic], error=False)
        number = finding.length
        say(
            f"shown by a game of {number} choice{'' if number == 1 else 's'} "
            f"with {finding.journal.players} players: rulewright replay {name}"
        )
        say()
    for count, lengths in account.plain()["lengths"].items():
        say(
            f"{count} players: {lengths['games']} games of {lengths['least']} to {lengths['most']} "
            f"choices, half of them up to {lengths['median']}"
        )
    text = "no faults" if not findings else f"{len(findings)} fault{'s' * (len(findings) > 1)}"
    colour = "red" if findings else "green"
    settings = f", {account.settings} settings of the rulings" if rules.rulings else ""
    say(f"{account.games} games{settings}: {styled(text, fg=colour)} ({account.seconds:.1f} s)")
    return 1 if findings else 0
