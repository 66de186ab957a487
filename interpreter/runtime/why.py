"""Why an option is possible or not: every condition that fails, with its values and its place.

Takes a state and a text; asks the very conditions that lowering made the options from. Says also
what is wrong with the text itself, and what is asked instead where the action is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from interpreter.runtime.content import CHOOSE
from interpreter.runtime.judging import Reason, ReasonKind, hindered, judged
from interpreter.runtime.options import Decision, Option
from interpreter.runtime.typed import Match, Mismatch, Typed, match, ranges_for, take_apart
from ruleset.diagnostics.suggest import nearest

if TYPE_CHECKING:
    from interpreter.runtime.game import Game
    from interpreter.runtime.state import State


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


def explain(state: State, text: str, player: int | None, openly: bool = False) -> Why:
    """Whether a text is an option of this state (of one player, or of any), and if not, why not.

    With ``openly`` the text may name hidden pieces by their ids, and so may the reasons.
    """
    game = state.game
    subject = text.strip()
    if state.over:
        return _no(subject, "over", "the game is over")
    typed = take_apart(text)
    if typed is None:
        return _no(subject, "unknown", "expected an action and its values, as `action member`")
    pending = state.pending
    decisions = [d for d in pending if player is None or d.player == player]
    asked = [d for d in decisions if ranges_for(d.question, typed, partial(d.sight, openly=openly))]
    if not asked:
        reasons = list(_not_asked(game, typed, pending, decisions, player))
        for decision in decisions[:1]:
            reasons += hindered(state, decision.player, typed, openly)
        return Why(subject, False, tuple(reasons))
    reasons = []
    for decision in asked:
        sight = partial(decision.sight, openly=openly)
        for part, rest in ranges_for(decision.question, typed, sight):
            names = sight(part)
            found = match(game.compiled, names, decision.question, part, rest, decision.arguments)
            if isinstance(found, Mismatch):
                reasons.append(Reason("unknown", found.message))
                continue
            why = judged(state, decision, found, names, openly)
            if why is None:
                return Why(_subject(decision, found, subject, openly), True)
            reasons.extend(why)
    return Why(subject, False, tuple(dict.fromkeys(reasons)))


def _no(subject: str, kind: ReasonKind, text: str) -> Why:
    return Why(subject, False, (Reason(kind, text),))


def _subject(decision: Decision, found: Match, text: str, openly: bool) -> str:
    possible = decision.possible(found, openly)
    return Option(decision, possible[0]).text if len(possible) == 1 else text


def _not_asked(
    game: Game,
    typed: Typed,
    pending: Sequence[Decision],
    decisions: Sequence[Decision],
    player: int | None,
) -> tuple[Reason, ...]:
    """The action is not asked of anybody now, or not of this player, or is no action at all."""
    asked = "; ".join(f"player {d.player} is asked {_asks(d)}" for d in decisions or pending)
    known = {*game.compiled.actions, "pass", "done", CHOOSE}
    if typed.word not in known and decisions:
        here = [p.action or p.param for d in decisions for p in d.question.ranges]
        close = nearest(typed.word, [*here, *known])
        hint = f"; did you mean `{close}`?" if close else ""
        return (Reason("unknown", f"there is no action `{typed.word}`{hint} ({asked})"),)
    if not decisions and player is not None:
        return (Reason("not asked", f"player {player} is not asked now: {asked}"),)
    return (Reason("not asked", f"`{typed.word}` is not offered now: {asked}"),)


def _asks(decision: Decision) -> str:
    """What a decision asks, in short: ``put_stone or pass``, ``to choose card``."""
    actions = list(dict.fromkeys(p.action for p in decision.question.ranges if p.action))
    if actions:
        return " or ".join(f"`{action}`" for action in actions)
    names = [p.param for p in decision.question.ranges if p.param]
    return f"to choose `{names[0]}`" if names else f"`{decision.id}`"
