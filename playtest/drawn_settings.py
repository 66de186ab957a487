"""Settings of a game by chance: readings of rulings, and values of the options of the table."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ruleset import Ruleset
from ruleset.diagnostics.diagnostic import Report, RulesetError
from ruleset.rulings import setting_faults
from ruleset.syntax import NamedType, NumberType, OptionDecl

WIDEST: Final = 20
"""A number without an end is drawn from so many."""


def drawn(rules: Ruleset, fixed: Mapping[str, str], generator: random.Random) -> dict[str, str]:
    """A random setting; a reading that does not go with those drawn before it is left out."""
    found = dict(fixed)
    setting = {name: fixed.get(name, ruling.default) for name, ruling in rules.rulings.items()}
    names = [name for name in rules.rulings if name not in fixed]
    generator.shuffle(names)
    for name in names:
        reading = generator.choice(rules.rulings[name].names)
        report = Report()
        setting_faults(rules.rulings, {**setting, name: reading}, report)
        if report.ok:
            found[name] = setting[name] = reading
    for option in rules.file.options:
        if option.name not in fixed and (values := possible_values(rules, option)):
            found[option.name] = generator.choice(values)
    try:
        rules.configure(found)
    except RulesetError:  # two readings and a value together: without the values, then
        found = {k: v for k, v in found.items() if k in fixed or k in rules.rulings}
    return found


def possible_values(rules: Ruleset, option: OptionDecl) -> Sequence[str]:
    """Values that an option can have at every number of players."""
    match option.type:
        case NumberType(low=low, high=high):
            first = low if low is not None else (high if high is not None else WIDEST) - WIDEST
            last = high if high is not None else first + WIDEST
            return [str(n) for n in range(first, min(last, first + WIDEST) + 1)]
        case NamedType(name="flag"):
            return ["false", "true"]
        case NamedType(name="player"):
            return [str(n + 1) for n in range(rules.file.min_players)]
        case NamedType(name=kind, shape="one"):
            enumerations = (e for e in rules.file.enumerations if e.name == kind)
            return [member.name for e in enumerations for member in e.members]
        case _:
            return []


def smaller(setting: Mapping[str, str], fixed: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Settings with fewer values than the one given, the smallest first."""
    free = [name for name in setting if name not in fixed]
    size = len(free)
    while size:
        for k in range(0, len(free), size):
            left_out = set(free[k : k + size])
            yield {name: value for name, value in setting.items() if name not in left_out}
        size //= 2
