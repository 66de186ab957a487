"""`rulewright simulate`: many games, and what comes of them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from playtest.engines import check_engine, engine_option
from playtest.given_options import options_of
from playtest.terminal import amount, on_terminal, say, say_faults, say_json, styled

if TYPE_CHECKING:
    from interpreter import Engine
    from playtest.labels import Labels
    from playtest.simulation import Account

BAR = 30
SHOWN = 12
"""So many names of a list are shown."""


@click.command()
@click.argument("path", metavar="FILE")
@click.option("--players", type=int, metavar="N", help="How many play; else as few as can.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=200,
    metavar="N",
    help="How many games; else 200.",
)
@click.option(
    "--seats",
    metavar="KINDS",
    default="random",
    help="`random`, `first`, `greedy` or `mcts:N` for each player, with commas; one kind is for "
    "all. Else all choose at random.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=1, metavar="S", help="Another seed, other games."
)
@engine_option(
    "`auto`: Python; machine code, once it is compiled, for games of random seats and for what "
    "searching players look ahead."
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="For random seats in machine code; the games are the same.",
)
@click.option(
    "--option", "-o", "options", multiple=True, metavar="K=V", help="A reading or option."
)
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
def simulate(
    path: str,
    players: int | None,
    games: int,
    seats: str,
    seed: int,
    engine: Engine,
    threads: int,
    options: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play many games and tell how long they are, who wins, what is used and what never.

    Ctrl-C and SIGTERM end it with what was done so far. Exit status: 0, or 1 where a game broke.
    """
    import ruleset
    from interpreter import Game, GameError
    from playtest.seats import HUMAN, SeatError, seats_of
    from playtest.simulation import begin
    from playtest.simulation import simulate as play_many
    from ruleset.diagnostics.diagnostic import RulesetError

    try:
        rules = ruleset.load(path)
        count = rules.file.min_players if players is None else players
        kinds = seats_of(seats, count) if count > 0 else ()
        if HUMAN in kinds:
            raise click.UsageError("nobody sits at the screen here; see `rulewright play`")
        game = Game(rules, count, options_of(options), check_engine(engine))
    except SeatError as error:
        raise click.UsageError(str(error)) from None
    except RulesetError as error:
        say_faults(error.report.diagnostics)
        return 1
    except GameError as error:
        raise click.UsageError(str(error)) from None

    shows = on_terminal(error=True) and not as_json

    def progress(account: Account) -> None:
        if shows:
            done = account.tally.begun
            full = BAR * done // games
            bar = f"[{'#' * full}{'.' * (BAR - full)}]"
            click.echo(f"\r{bar} {done}/{games}  {account.rate:,.0f} games/s ", err=True, nl=False)

    account = begin(game, kinds)
    interrupted = False
    try:
        with interruptible():
            play_many(account, games, seed, threads, progress)
    except KeyboardInterrupt:
        interrupted = True
    if shows:
        click.echo("\r" + " " * (BAR + 40) + "\r", err=True, nl=False)
    if as_json:
        say_json({**account.plain(), "interrupted": interrupted})
    else:
        _tell(account, games, interrupted)
    return 1 if account.tally.faults else 0


@contextmanager
def interruptible() -> Iterator[None]:
    """Take SIGTERM for Ctrl-C: who ends us wants to know what was done so far, too."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell(account: Account, games: int, interrupted: bool) -> None:
    from playtest.labels import Labels
    from playtest.simulation import MOST
    from playtest.tally import spread

    tally = account.tally
    labels = Labels(account.game, "en")
    head = f"{amount(account.games, 'game')} of {amount(account.game.players, 'player')}"
    if interrupted:
        head += f" (stopped; {games:,} were wanted)"
    say(styled(account.game.ruleset.title(), bold=True))
    say(f"{head}, {account.seconds:.1f} s, {account.engine} engine, {_speed(account)}")
    if tally.faults:
        broken = f"{amount(tally.faults, 'more game')} broke: `rulewright fuzz` shows how"
        say(styled(broken, fg="red"))
    if tally.unfinished:
        say(
            f"{amount(tally.unfinished, 'more game')} had no end in {MOST:,} choices: "
            "`rulewright fuzz` shows a short game without an end, if random play finds one"
        )
    if not account.games:
        return
    length = spread(tally.lengths)
    say(
        f"choices in a game: {length['least']:.0f} to {length['most']:.0f}, half of them up to "
        f"{length['median']:.0f}, on average {length['mean']:.1f} ± {length['within']:.1f}"
    )
    say()
    say("seat                 wins     95 in 100")
    for k, kind in enumerate(account.seats):
        mean, low, high = tally.seat(k)
        name = f"{labels.player(k + 1)} ({kind})"
        sign = _unfair(mean, low, high, 1 / account.game.players) if _seats_alike(account) else ""
        say(f"  {name:<18} {mean:6.1%}   {low:5.1%} to {high:5.1%}{sign}")
    shown = ", ".join(f"{name} {n / account.games:.1%}" for name, n in tally.endings.most_common())
    say(f"endings: {shown}")
    for name, columns in tally.scores.items():
        parts = []
        for column in columns:
            s = spread(column)
            parts.append(f"{s['mean']:.2f} ± {s['within']:.2f} ({s['least']} to {s['most']})")
        say(f"{labels.of(f'counters.{name}')} by seat: {'; '.join(parts)}")
    _tell_usage(account, labels)


def _speed(account: Account) -> str:
    """Games a second, and of which games, where others took longer because they were looked at."""
    rate = account.rate or 0.0
    said = f"{rate:,.0f} games a second" if rate >= 10 else f"{rate:.2g} games a second"
    unseen = account.fast[0]
    return f"{said} in the {unseen:,} that nobody looked at" if unseen else said


def _unfair(mean: float, low: float, high: float, fair: float) -> str:
    """What to say of a seat whose part of the wins is surely not its fair share."""
    if low <= fair <= high:
        return ""
    return "  more than its share" if mean > fair else "  less than its share"


def _seats_alike(account: Account) -> bool:
    """Whether all seats have players of one kind, so that a difference is the seat's."""
    return len(set(account.seats)) == 1 and account.game.players > 1


def _tell_usage(account: Account, labels: Labels) -> None:
    usage = account.usage
    if usage is None or not usage.games:
        return
    say()
    say(f"used, in the {amount(usage.games, 'game')} that somebody looked at:")
    for part in ("rules", "actions", "pieces", "spaces"):
        everything = usage.everything(part)
        if not everything:
            continue
        never = usage.never(part)
        rare = [
            f"{_name(part, name)} {share:.0%}"
            for name, share in usage.shares(part)
            if 0 < share < 0.5
        ]
        say(f"  {part}: {len(everything) - len(never)} of {len(everything)}")
        _list("never", [_name(part, name) for name in never])
        _list("seldom", rare)
    _list("offered and never chosen", [labels.rule(p) for p in usage.offered_never_chosen()])


def _name(part: str, name: str) -> str:
    if part == "spaces":
        return name.partition(".")[2]
    return name.removeprefix("rules.").removeprefix("pieces.")


def _list(title: str, names: list[str]) -> None:
    from playtest.screen import width
    from playtest.wrapping import wrap

    if names:
        rest = f", … ({len(names)} in all)" if len(names) > SHOWN else ""
        for k, part in enumerate(wrap(f"{title}: {', '.join(names[:SHOWN])}{rest}", width() - 6)):
            say(f"    {'  ' if k else ''}{part}")
