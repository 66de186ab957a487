"""Runs many scenarios in several processes: those that share a game stay together.

Takes scenarios and a runner; gives the outcome of each, in their order. Where processes cannot be
forked, everything runs in this one.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from playtest.scenario_files import Scenario
from playtest.scenarios import Outcome, Runner, Setting, setting_of
from ruleset import Ruleset
from ruleset.diagnostics.diagnostic import Diagnostic

WORTHWHILE: Final = 40
"""Fewer scenarios than this run in one process."""

Result = tuple[int, tuple[Diagnostic, ...], Mapping[str, str]]
"""Which scenario, its faults, the readings of its setting."""

_work: tuple[Runner, Sequence[Scenario]] | None = None
"""What the processes share: they are forked after it is set."""


def outcomes(
    scenarios: Sequence[Scenario], runner: Runner, jobs: int, progress: Callable[[int], None]
) -> list[Outcome]:
    """What becomes of each scenario. ``jobs`` processes; 0 is as many as there are processors."""
    groups: dict[Setting, list[int]] = {}
    for k, scenario in enumerate(scenarios):
        groups.setdefault(setting_of(scenario), []).append(k)
    found: list[Outcome | None] = [None] * len(scenarios)
    results = _results(scenarios, runner, list(groups.values()), jobs)
    for done, (k, faults, readings) in enumerate(results, 1):
        rules = runner.rules(scenarios[k].game)
        known = rules if isinstance(rules, Ruleset) else None
        found[k] = Outcome(scenarios[k], faults, known, readings)
        progress(done)
    return [outcome for outcome in found if outcome is not None]


def _results(
    scenarios: Sequence[Scenario], runner: Runner, groups: Sequence[list[int]], jobs: int
) -> Iterator[Result]:
    global _work
    count = min(jobs or os.cpu_count() or 1, len(groups))
    can_fork = "fork" in multiprocessing.get_all_start_methods()
    _work = (runner, scenarios)
    if count < 2 or not can_fork or (not jobs and len(scenarios) < WORTHWHILE):
        for group in groups:
            yield from _run(group)
        return
    for scenario in scenarios:
        runner.rules(scenario.game)  # read once, before the processes part
    largest_first = sorted(groups, key=len, reverse=True)
    with multiprocessing.get_context("fork").Pool(count, _quiet) as pool:
        for results in pool.imap_unordered(_run, largest_first):
            yield from results


def _run(group: Sequence[int]) -> list[Result]:
    assert _work is not None
    runner, scenarios = _work
    found: list[Result] = []
    for k in group:
        outcome = runner.run(scenarios[k])
        found.append((k, outcome.faults, dict(outcome.readings)))
    runner.forget()
    return found


def _quiet() -> None:
    """An interrupt is for the first process alone, which ends the others. What was read before the
    processes parted is never looked through for garbage."""
    import gc
    import signal

    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
