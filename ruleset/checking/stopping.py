"""``stop``: what it may name, and who may be said to win."""

from __future__ import annotations

from ruleset.checking.calls import frame
from ruleset.checking.context import Context
from ruleset.checking.kinds import is_unknown, kind_of, maybe_none
from ruleset.checking.scope import Scope
from ruleset.diagnostics.messages import calls as say_calls
from ruleset.diagnostics.messages import changes as say_changes
from ruleset.syntax import Stop
from ruleset.types import GameRef, RuleRef, SetT


def check_stop(context: Context, effect: Stop, scope: Scope) -> None:
    """The frame is a rule or step, or the game; only the game has winners."""
    if effect.name == "game":
        context.refer(effect, GameRef())
    elif frame(context, effect.name, effect.name_span) is not None:
        context.refer(effect, RuleRef(effect.name))
        if effect.won_by is not None or effect.ending:
            context.add(say_changes.only_the_game_is_won(effect.name_span, effect.name))
    if effect.won_by is None:
        return
    found = context.infer(effect.won_by, scope, SetT("player"))
    if is_unknown(found):
        return
    if kind_of(found) not in ("player", "none"):
        context.add(say_calls.only_a_player_wins(effect.won_by.span, found))
    elif maybe_none(found):
        context.may_be_none(effect.won_by, "the winner")
