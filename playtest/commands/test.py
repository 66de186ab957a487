"""`rulewright test`: runs scenario files and says what they cover."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from playtest.engines import check_engine, engine_option
from playtest.terminal import on_terminal, plain_faults, say, say_faults, say_json, styled

if TYPE_CHECKING:
    from interpreter import Engine
    from playtest.coverage import Coverage
    from playtest.scenarios import Outcome
    from ruleset.diagnostics.diagnostic import Diagnostic

DEFAULT = "tests/scenarios"
WIDTH = 100


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--verbose", "-v", is_flag=True, help="Name every scenario and what is not covered.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help="So many processes; else as many as there are processors.",
)
@engine_option("`auto`: Python.")
def test(
    paths: tuple[str, ...], verbose: bool, as_json: bool, jobs: int | None, engine: Engine
) -> int:
    """Run scenario files or folders (`tests/scenarios` where none is named).

    Says which statements of the games' documents the scenarios cover. Exit status: 0 where every
    scenario holds, 1 otherwise.
    """
    from playtest.coverage import coverage_of, unknown_ids
    from playtest.scenario_files import read_scenarios, scenario_paths
    from playtest.scenarios import Runner
    from playtest.workers import outcomes
    from ruleset.diagnostics.diagnostic import Report

    if not paths and not os.path.isdir(DEFAULT):
        raise click.UsageError(f"there is no folder `{DEFAULT}` here; name scenario files")
    report = Report()
    started = time.monotonic()
    scenarios = [
        scenario
        for path in scenario_paths(paths or (DEFAULT,), report)
        for scenario in read_scenarios(path, report)
    ]
    shows = on_terminal(error=True) and not as_json

    def progress(done: int) -> None:
        if shows:
            click.echo(f"\r{done}/{len(scenarios)}", err=True, nl=False)

    found: list[Outcome] = []
    for outcome in outcomes(scenarios, Runner(check_engine(engine)), jobs or 0, progress):
        more = unknown_ids(outcome)
        found.append(replace(outcome, faults=(*outcome.faults, *more)) if more else outcome)
        if verbose and not as_json:
            say(f"{_mark(found[-1])} {outcome.scenario.id}")
    if shows:
        click.echo("\r", err=True, nl=False)
    covered = coverage_of(found)
    if as_json:
        say_json(_plain(found, covered, report.sorted()))
    else:
        _tell(found, covered, report.sorted(), time.monotonic() - started, verbose)
    return 0 if report.ok and all(outcome.ok for outcome in found) else 1


def _mark(outcome: Outcome) -> str:
    return styled("ok  ", fg="green") if outcome.ok else styled("FAIL", fg="red")


def _tell(
    outcomes: Sequence[Outcome],
    covered: Sequence[Coverage],
    files: Sequence[Diagnostic],
    seconds: float,
    verbose: bool,
) -> None:
    bad = [outcome for outcome in outcomes if not outcome.ok]
    say_faults([*files, *(fault for outcome in bad for fault in outcome.faults)], error=False)
    if bad or files:
        say()
    for outcome in bad:
        say(f"{styled('FAIL', fg='red')} {outcome.scenario.id}")
    for entry in covered:
        for line in coverage_lines(entry, verbose):
            say(line)
    number = len(outcomes)
    good = number - len(bad)
    colour = "red" if bad or files else "green"
    text = "1 scenario holds" if number == good == 1 else f"{good} of {_scenarios(number)} hold"
    say(styled(text, fg=colour) + f" ({seconds:.1f} s)")


def _scenarios(number: int) -> str:
    return f"{number} scenario{'s' if number != 1 else ''}"


def coverage_lines(entry: Coverage, verbose: bool = False) -> list[str]:
    """The coverage of a game in words."""
    lines = [f"{entry.game}: {_scenarios(entry.scenarios)}"]
    if entry.is_variant:
        return lines
    document = entry.statements
    if document is not None:
        inform = len(entry.information())
        of = f"{len(entry.covered()) + inform} of {len(entry.wanted()) + inform}"
        line = f"  {document.prefix}: {of} statements"
        lines.append(f"{line} ({inform} of them only inform)" if inform else line)
        lines += _listed("  not covered", entry.missing(), verbose)
        derived = entry.derived()
        if derived:
            told = [id_ for id_ in derived if id_ in entry.ids]
            lines.append(f"  derived facts: {len(told)} of {len(derived)}")
        answered, open_ = entry.questions()
        if answered or open_:
            lines.append(f"  questions: {len(answered)} of {len(answered) + len(open_)}")
            lines += _listed("  not covered", open_, verbose)
        if entry.examples():
            lines.append(f"  worked examples: {len(entry.examples())}")
    readings = entry.all_readings()
    if readings:
        played = [reading for reading in readings if reading in entry.readings]
        lines.append(f"  readings of rulings in force: {len(played)} of {len(readings)}")
        left = [f"{a}={b}" for a, b in readings if (a, b) not in entry.readings]
        lines += _listed("  never in force", left, verbose)
    return lines


def _listed(title: str, ids: Sequence[str], verbose: bool) -> list[str]:
    if not ids:
        return []
    shown = ids if verbose else ids[:12]
    rest = f", ... ({len(ids)} in all)" if len(shown) < len(ids) else ""
    return [f"  {title}: {', '.join(shown)}{rest}"]


def _plain(
    outcomes: Sequence[Outcome], covered: Sequence[Coverage], files: Sequence[Diagnostic]
) -> dict[str, Any]:
    return {
        "scenarios": [
            {
                "file": outcome.scenario.path,
                "line": outcome.scenario.title.span.line,
                "scenario": outcome.scenario.title.text,
                "covers": [word.text for word in outcome.scenario.covers],
                "holds": outcome.ok,
                "faults": plain_faults(outcome.faults),
            }
            for outcome in outcomes
        ],
        "files": plain_faults(files),
        "coverage": [entry.plain() for entry in covered],
    }
