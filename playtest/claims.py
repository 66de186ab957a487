"""Expressions and effects of a scenario: done in a state, with faults at their own place.

Takes a game, a state and a scalar of a file. What is wrong with the text is told where it stands;
a claim that is false is told with the values of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import Game, GameError, RulesFault, State
from ruleset import syntax as ast
from ruleset.checker import check_effects, check_expression
from ruleset.diagnostics.diagnostic import Diagnostic, Report, RulesetError
from ruleset.diagnostics.messages import scenario as say
from ruleset.document import Scalar
from ruleset.parser import parse, parse_text
from ruleset.source import Span
from ruleset.types import ThingT, Type

SHOWN = 12
"""So many members of a set are shown."""


def claim_faults(game: Game, state: State, claim: Scalar) -> list[Diagnostic]:
    """Why a claim of a scenario does not hold; nothing where it does."""
    text = claim.text
    try:
        value = game.evaluate(state, text)
    except RulesetError as error:
        return _in_place(game, "expr", claim, error)
    except RulesFault as error:
        return [say.during(error.diagnostic, claim.span, "while this is looked at")]
    except ValueError as error:  # the engine refuses what the checker let pass
        return [say.engine_refuses(claim.span, str(error))]
    if not isinstance(value, bool):
        kind = "number" if isinstance(value, int) else "set" if isinstance(value, list) else "thing"
        return [say.no_condition(claim.span, text, kind)]
    if value:
        return []
    return [say.does_not_hold(claim.span, text, list(_values(game, state, text)))]


def perform(game: Game, state: State, effects: Scalar) -> tuple[State, list[Diagnostic]]:
    """The state after effects of a scenario, or the same state and the faults."""
    try:
        return game.perform(state, effects.text), []
    except RulesetError as error:
        return state, _in_place(game, "effects", effects, error)
    except RulesFault as error:
        place = _line(effects, error.line) if error.line else effects.span
        return state, [say.during(error.diagnostic, place, "while this is done")]
    except GameError as error:
        return state, [say.not_this_game(effects.span, str(error))]
    except ValueError as error:
        return state, [say.engine_refuses(effects.span, str(error))]


def _line(scalar: Scalar, number: int) -> Span:
    """A line of a text, from 1, in the file."""
    span = scalar.span
    lines = span.text.split("\n")
    block = lines[0].lstrip()[:1] in ("|", ">")
    k = min(number - 1 + block, len(lines) - 1)
    start = span.start + sum(len(line) + 1 for line in lines[:k])
    indent = len(lines[k]) - len(lines[k].lstrip())
    return Span(span.source, start + indent, start + len(lines[k].rstrip()))


def _in_place(game: Game, start: str, scalar: Scalar, error: RulesetError) -> list[Diagnostic]:
    """The faults of a text again, at their places in the file."""
    report = Report()
    node = parse(start, scalar, report)
    file, facts = game.ruleset.file, game.ruleset.facts.copy()
    names: dict[str, Type] = {f"p{k + 1}": ThingT("player") for k in range(game.players)}
    if start == "effects" and isinstance(node, tuple):
        check_effects(file, facts, node, names, report)
    elif node is not None:
        check_expression(file, facts, node, names, report)  # type: ignore[arg-type]  # of `expr`
    return (report if report.diagnostics else error.report).sorted()


def _values(game: Game, state: State, text: str) -> Iterator[tuple[str, str]]:
    """The parts of a false condition that are worth a look, with their values."""
    expr = parse_text("expr", text, Report())
    for part in _parts(expr) if expr is not None else ():
        shown = part.span.text
        try:
            value = game.evaluate(state, shown)
        except (RulesetError, ValueError):  # a part may need a name that only the whole binds
            continue
        if value_text(value) != shown:  # a name that stands for itself says nothing
            yield shown, value_text(value)


def _parts(e: ast.Expr) -> Iterator[ast.Expr]:
    match e:
        case ast.Unary(_, "not", a):
            yield from _parts(a)
        case ast.Binary(_, "and" | "or", a, b):
            yield from _parts(a)
            yield from _parts(b)
        case ast.Binary(_, _, a, b):
            yield from (
                s for s in (a, b) if not isinstance(s, ast.Number | ast.Truth | ast.Nothing)
            )
        case ast.Test(_, _, source):
            yield source.source if isinstance(source, ast.Clause) else source
        case _:
            yield e


def value_text(value: object) -> str:
    """A value of the language as a person writes it."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list():
            rest = ", ..." if len(value) > SHOWN else ""
            return f"({', '.join(map(str, value[:SHOWN]))}{rest})"
        case _:
            return str(value)
