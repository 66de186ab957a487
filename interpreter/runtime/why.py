"""Why an option is possible or not: every condition that fails, with its values and its place.

Takes a state and a text; asks the very conditions that lowering made the options from. Says also
what is wrong with the text itself, and what is asked instead where the action is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from interpreter.runtime.content import CHOOSE, Content, Value, action_label, fixed_values, member
from interpreter.runtime.options import Decision
from interpreter.runtime.step import Fault
from interpreter.runtime.typed import Match, Mismatch, Typed, match, ranges_for, take_apart
from ruleset.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from interpreter.lowering.compiled import ActionInfo, Candidates, NamedCondition
    from interpreter.runtime.game import Game
    from interpreter.runtime.state import State

ReasonKind = Literal["condition", "not asked", "unknown", "which", "no way on", "over"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason. ``path`` names the condition: ``rules.drive.needs.no_token``.

    ``values`` are the parts of the condition with what they are now; ``place`` is
    ``file:line:column``; ``cites`` are statements of the game's document.
    """

    kind: ReasonKind
    text: str
    path: str = ""
    condition: str = ""
    values: tuple[tuple[str, str], ...] = ()
    place: str = ""
    cites: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [self.text]
        lines.extend(f"  {part} is {shown}" for part, shown in self.values)
        if self.place:
            cited = f" ({', '.join(self.cites)})" if self.cites else ""
            lines.append(f"  --> {self.place}{cited}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Why:
    """The answer: whether the option is offered, and if not, why not."""

    subject: str
    offered: bool
    reasons: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        if self.offered:
            return f"`{self.subject}` is possible"
        return "\n".join([f"`{self.subject}` is not possible", *map(str, self.reasons)])

    def names(self, text: str) -> bool:
        """Whether some reason is about this: a condition's path, a part of one, a word."""
        return any(
            text == reason.path
            or reason.path.endswith("." + text)
            or f".{text}." in f".{reason.path}."
            or text in reason.text
            for reason in self.reasons
        )


def explain(state: State, text: str, player: int | None) -> Why:
    """Whether a text is an option of this state (of one player, or of any), and if not, why not."""
    game = state.game
    subject = text.strip()
    if state.over:
        return _no(subject, "over", "the game is over")
    typed = take_apart(text)
    if typed is None:
        return _no(subject, "unknown", "expected an action and its values, as `action member`")
    pending = state.pending
    decisions = [d for d in pending if player is None or d.player == player]
    asked = [d for d in decisions if ranges_for(d.question, typed, game.names)]
    if not asked:
        return Why(subject, False, _not_asked(game, typed, pending, decisions, player))
    reasons: list[Reason] = []
    for decision in asked:
        for part, rest in ranges_for(decision.question, typed, game.names):
            found = match(
                game.compiled, game.names, decision.question, part, rest, decision.arguments
            )
            if isinstance(found, Mismatch):
                reasons.append(Reason("unknown", found.message))
                continue
            why = _judge(game, state, decision, found)
            if why is None:
                return Why(_subject(game, decision, found, subject), True)
            reasons.extend(why)
    return Why(subject, False, tuple(dict.fromkeys(reasons)))


def _no(subject: str, kind: ReasonKind, text: str) -> Why:
    return Why(subject, False, (Reason(kind, text),))


def _subject(game: Game, decision: Decision, found: Match, text: str) -> str:
    possible = decision.possible(found)
    if len(possible) != 1:
        return text
    part = found.part
    values = fixed_values(game.compiled, decision.question, part, decision.arguments)
    if part.param:
        values = (*values, Value(part.param, part.kind, member(part, possible[0])))
    return Content(part.action or CHOOSE, values).text(game.names)


def _not_asked(
    game: Game,
    typed: Typed,
    pending: Sequence[Decision],
    decisions: Sequence[Decision],
    player: int | None,
) -> tuple[Reason, ...]:
    """The action is not asked of anybody now, or not of this player, or is no action at all."""
    asked = "; ".join(f"player {d.player} is asked {_asks(game, d)}" for d in decisions or pending)
    known = {*game.compiled.actions, "pass", "done", CHOOSE}
    if typed.word not in known and decisions:
        here = [p.action or p.param for d in decisions for p in d.question.ranges]
        close = nearest(typed.word, [*here, *known])
        hint = f"; did you mean `{close}`?" if close else ""
        return (Reason("unknown", f"there is no action `{typed.word}`{hint} ({asked})"),)
    if not decisions and player is not None:
        return (Reason("not asked", f"player {player} is not asked now: {asked}"),)
    return (Reason("not asked", f"`{typed.word}` is not offered now: {asked}"),)


def _asks(game: Game, decision: Decision) -> str:
    """What a decision asks, in short: ``put_stone or pass``, ``to choose card``."""
    actions = list(dict.fromkeys(p.action for p in decision.question.ranges if p.action))
    if actions:
        return " or ".join(f"`{action}`" for action in actions)
    names = [p.param for p in decision.question.ranges if p.param]
    return f"to choose `{names[0]}`" if names else f"`{decision.id}`"


def _judge(game: Game, state: State, decision: Decision, found: Match) -> list[Reason] | None:
    """None where the option is possible, else the reasons."""
    part = found.part
    possible = decision.possible(found)
    given = found.chosen
    fixed = fixed_values(game.compiled, decision.question, part, decision.arguments)
    known = {value.name: value.value for value in fixed}
    info = game.compiled.actions.get(part.action)
    if info is not None and info.params and part.given:
        known[info.params[0][0]] = decision.arguments[part.given[0]]
    later = dict(found.later)
    if possible and not (given and later):
        owners = {game.names.owner(part.kind, member(part, k)) for k in possible}
        clear = len(owners) == 1 or decision.player - 1 in owners
        if (given and clear) or len(possible) == 1:
            return None
        return [_which(game, part, possible)]
    if info is None:
        return [_plain(game, decision, found)]
    if not given and part.param:
        failing = _failing(game, state, info, known)
        return failing or [_no_way(game, state, info, known, part.param, part.kind)]
    if part.param:
        known[part.param] = _meant(game, state, decision, found, known | later, possible)
    reasons = _failing(game, state, info, known | later)
    if reasons:
        return reasons
    if possible:
        return None
    waiting = [(name, kind) for name, kind in info.choices if name not in known | later]
    if waiting:
        return [_no_way(game, state, info, known | later, *waiting[0])]
    return [Reason("no way on", f"`{info.name}` cannot be done or paid for in any way", info.path)]


def _meant(
    game: Game,
    state: State,
    decision: Decision,
    found: Match,
    known: Mapping[str, int],
    possible: Sequence[int],
) -> int:
    """Of the members that a text can mean the one that comes nearest to being possible."""
    part = found.part
    info = game.compiled.actions[part.action]
    numbers = [member(part, k) for k in possible or found.candidates]
    if len(numbers) == 1:
        return numbers[0]
    return min(
        numbers,
        key=lambda number: (
            len(_failing(game, state, info, {**known, part.param: number})),
            game.names.owner(part.kind, number) != decision.player - 1,
        ),
    )


def _which(game: Game, part: Candidates, possible: Sequence[int]) -> Reason:
    """The text fits several options."""
    shown = [game.names.show(part.kind, member(part, k)) for k in possible[:8]]
    rest = " ..." if len(possible) > 8 else ""
    return Reason("which", f"which `{part.param}`? expected one of {', '.join(shown)}{rest}")


def _plain(game: Game, decision: Decision, found: Match) -> Reason:
    """A plain choice has a set to choose from; the reason is that the member is not in it."""
    part = found.part
    _, place, cites = game.names.site(decision.question.site)
    options = ", ".join(f"`{option.text}`" for option in decision.options[:8])
    if not part.param:
        text = f"`{part.action}` is not possible yet; possible: {options}"
    else:
        wanted = game.names.show(part.kind, member(part, found.candidates[0]))
        text = f"`{wanted}` is not among the choices for `{part.param}`; possible: {options}"
    return Reason("condition", text, decision.id, place=place, cites=cites)


def _failing(game: Game, state: State, info: ActionInfo, known: Mapping[str, int]) -> list[Reason]:
    """The conditions whose names are all known and that fail."""
    reasons = []
    for condition in info.conditions:
        if not all(name in known for name in condition.args):
            continue
        if _holds(game, state, condition, known) is False:
            reasons.append(_reason(game, state, condition, known))
    return reasons


def _holds(
    game: Game, state: State, condition: NamedCondition, known: Mapping[str, int]
) -> bool | None:
    """Whether a condition is met; None where an earlier one that it relies on is not."""
    arguments = [known[name] for name in condition.args]
    try:
        return game.machine.evaluate(state.data, condition.function, arguments) != 0
    except (ValueError, Fault):
        return None


def _reason(
    game: Game, state: State, condition: NamedCondition, known: Mapping[str, int]
) -> Reason:
    ruleset = game.compiled.ruleset
    arguments = [known[name] for name in condition.args]
    values = []
    for part in condition.parts:
        try:
            value = game.machine.evaluate(state.data, part.function, arguments)
        except Fault:
            continue  # a part that makes no sense here explains nothing
        values.append((part.text, game.names.show(part.kind, value)))
    _, place, cites = game.names.site(condition.site)
    text = f"`{condition.path}` is not met: {condition.text}"
    if ".choose." not in condition.path and condition.path in ruleset.file.labels:
        text = f"{ruleset.label(condition.path)} ({text})"
    return Reason("condition", text, condition.path, condition.text, tuple(values), place, cites)


def _no_way(
    game: Game, state: State, info: ActionInfo, known: Mapping[str, int], name: str, kind: str
) -> Reason:
    """No member can be chosen for a name: which conditions stand in the way, and of what.

    Where some member meets all that is asked of it, the fault lies with the choice after it.
    """
    members = game.names.kind(kind)
    stopped: dict[str, list[int]] = {}
    fits: list[int] = []
    for number in range(len(members.ids) if members else 0):
        failing = _failing(game, state, info, {**known, name: number})
        for reason in failing:
            stopped.setdefault(reason.path, []).append(number)
        if not failing:
            fits.append(number)
    label = action_label(game.compiled, info.name, "en")
    if fits:
        now = {**known, name: fits[0]}
        waiting = [choice for choice in info.choices if choice[0] not in now]
        if waiting:
            return _no_way(game, state, info, now, *waiting[0])
        text = f"no `{name}` leads to a way to do or pay for `{label}`"
        return Reason("no way on", text, f"{info.path}.choose.{name}")
    values = tuple(
        (f"`{path}`", f"not met by {_listed(game, kind, numbers)}")
        for path, numbers in sorted(stopped.items(), key=lambda item: -len(item[1]))
    )
    text = f"there is no `{name}` for `{label}`"
    return Reason("no way on", text, f"{info.path}.choose.{name}", values=values)


def _listed(game: Game, kind: str, numbers: Sequence[int]) -> str:
    """Some members by name, copies of a type once."""
    shown = list(dict.fromkeys(game.names.show(kind, k).partition("#")[0] for k in numbers))
    return ", ".join(shown[:6]) + (" ..." if len(shown) > 6 else "")
