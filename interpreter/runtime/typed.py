"""Options as people type them: ``put_stone b2``, ``put_stone(cell=b2)``, ``play four``, ``pass``.

Takes such a text and a question, gives the candidates that it can mean, or says what is wrong with
it. Knows nothing of what is legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.runtime.content import CHOOSE, fixed_values
from interpreter.runtime.sight import Sight
from ruleset.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from interpreter.lowering.compiled import Candidates, Compiled, Question

_BETWEEN = re.compile(r",(?![^()]*\))")
"""A comma that does not stand inside brackets."""
_CALL = re.compile(r"\s*([^\s(),=]+)\s*(?:\((.*)\)|(.*))\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Typed:
    """A text taken apart: a word, values by place, values by name."""

    word: str
    places: tuple[str, ...]
    named: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Match:
    """The candidates of one range that a text means, and values for choices still to come.

    ``chosen``: whether the text says what this stage asks, or leaves it open.
    """

    part: Candidates
    candidates: tuple[int, ...]
    chosen: bool
    later: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a text does not fit a range."""

    message: str


def take_apart(text: str) -> Typed | None:
    """Read a text; None where it has another form than ``action(name=member, ...)``."""
    found = _CALL.fullmatch(text)
    if found is None:
        return None
    word, inner, rest = found.groups()
    if inner is None and ("(" in rest or ")" in rest):
        return None
    parts = _BETWEEN.split(inner) if inner is not None else re.split(r"[\s,]+", rest.strip())
    places: list[str] = []
    named: list[tuple[str, str]] = []
    for part in parts:
        name, sign, given = (piece.strip() for piece in part.partition("="))
        if sign:
            if not name or not given:
                return None
            named.append((name, given))
        elif name:
            places.append(name)
    return Typed(word, tuple(places), tuple(named))


def ranges_for(
    question: Question, typed: Typed, sight: Callable[[Candidates], Sight]
) -> list[tuple[Candidates, Typed]]:
    """The ranges of a question that the first word points at, with what is left of the text.

    A plain choice may be named by ``choose``, by its own name, or by its member alone.
    """
    found = [(part, typed) for part in question.ranges if part.action == typed.word]
    if found:
        return found
    for part in question.ranges:
        if part.action or not part.param:
            continue
        if typed.word in (CHOOSE, part.param):
            found.append((part, typed))
        elif not typed.named and sight(part).alike(part.kind, typed.word):
            found.append((part, Typed(CHOOSE, (typed.word, *typed.places), ())))
    return found


def match(
    compiled: Compiled,
    names: Sight,
    question: Question,
    part: Candidates,
    typed: Typed,
    arguments: Sequence[int],
) -> Match | Mismatch:
    """The candidates of a range that a text means."""
    fixed = fixed_values(compiled, question, part, arguments)
    settled = [v.name for v in fixed]
    own = [part.param] if part.param else []
    info = compiled.actions.get(part.action)
    kinds = {v.name: v.kind for v in fixed} | ({part.param: part.kind} if part.param else {})
    later: list[str] = []
    if info is not None:
        kinds |= {name: kind for name, kind in info.choices if name not in kinds}
        later = [name for name, _ in info.choices if name not in settled and name not in own]
    given = _by_name(typed, settled, own, later)
    if isinstance(given, Mismatch):
        return given
    values: dict[str, list[int]] = {}
    shown = {value.name: names.show(value.kind, value.value) for value in fixed}
    for name, text in given.items():
        if name not in kinds:
            close = nearest(name, kinds)
            hint = f"; did you mean `{close}`?" if close else ""
            return Mismatch(f"`{typed.word}` has no parameter `{name}`{hint}")
        values[name] = names.alike(kinds[name], text)
        if not values[name]:
            if name in shown:
                if text == shown[name]:
                    continue
                return Mismatch(f"`{name}` is `{shown[name]}` here, not `{text}`")
            close = names.nearest(kinds[name], text)
            hint = names.advice(kinds[name]) or (f"; did you mean `{close}`?" if close else "")
            return Mismatch(f"there is no {kinds[name]} `{text}`{hint}")
    for value in fixed:
        if value.name in values and value.value not in values[value.name]:
            here = shown[value.name]
            if given[value.name] == here:
                continue  # hidden pieces that go by the same name
            return Mismatch(f"`{value.name}` is `{here}` here, not `{given[value.name]}`")
    chosen = values.get(part.param) if part.param else None
    if chosen is None:
        candidates = tuple(range(part.low, part.low + part.size))
    else:
        numbers = (number - part.first + part.low for number in chosen)
        candidates = tuple(k for k in numbers if part.low <= k < part.low + part.size)
        if not candidates:
            return Mismatch(f"`{given[part.param]}` is never among the choices for `{part.param}`")
    said = chosen is not None or not part.param
    return Match(part, candidates, said, tuple((n, values[n][0]) for n in later if n in values))


def _by_name(
    typed: Typed, settled: list[str], own: list[str], later: list[str]
) -> dict[str, str] | Mismatch:
    """Give the values by place their names: all parameters, or those that are still asked."""
    given = dict(typed.named)
    if not typed.places:
        return given
    for order in (settled + own + later, own + later):
        if len(typed.places) == len(order):
            return given | dict(zip(order, typed.places, strict=True))
    for order in (own, settled + own):
        if len(typed.places) == len(order):
            return given | dict(zip(order, typed.places, strict=True))
    wanted = own + later or settled
    if len(typed.places) < len(wanted):
        return given | dict(zip(wanted, typed.places, strict=False))
    takes = f"takes {', '.join(f'`{n}`' for n in wanted)}" if wanted else "takes nothing"
    return Mismatch(f"`{typed.word}` {takes}; found {' '.join(typed.places)}")
