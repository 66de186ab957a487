"""What holds in every state of every game, however it came about.

Takes a state; gives diagnostics for laws that are broken. The first ones are cheap and looked at
after every step; the others now and then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter import GameError, State, scrambled
from playtest.faults import invariant_faults
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import scenario as say


def faults_now(state: State) -> Iterator[Diagnostic]:
    """Broken invariants of the game, and dead ends."""
    game = state.game
    yield from invariant_faults(game, state, "here")
    if state.over:
        return
    pending = state.pending
    if not pending:
        yield say.dead_end("nobody is asked")
    for decision in pending:
        if not len(decision.options):
            yield say.dead_end(f"player {decision.player} is asked `{decision.id}`")


def faults_in_depth(state: State, seed: int) -> Iterator[Diagnostic]:
    """Pieces are conserved; a state survives bytes and saves; a view tells nothing hidden; `why`
    agrees with options."""
    game = state.game
    for name, group in game.compiled.program.groups.items():
        lies = sum(
            game.machine.layout.pieces_in(state.data, name, zone).bit_count()
            for zone in range(len(group.zones))
        )
        if lies != group.n:
            yield say.broken_law(f"{lies} of {group.n} pieces of the kind `{name}` lie somewhere")
    if game.from_bytes(state.to_bytes()) != state:
        yield say.broken_law("a state is not what its bytes say")
    try:
        if game.load(state.save()) != state:
            yield say.broken_law("a state is not what its save says")
    except GameError as error:
        yield say.broken_law(f"a save cannot be loaded: {error}")
    for player in range(1, game.players + 1):
        if _seen(state, player) != _seen(scrambled(state, player, seed), player):
            yield say.broken_law(f"the view of player {player} tells what is hidden")
    for decision in state.pending:
        options = list(decision.options)
        for option in options[:: max(1, len(options) // 4)]:
            if not state.why(option).offered:
                yield say.broken_law(f"`why` says that `{option.text}` is not possible")
            if decision.look_up(option.text) != option:
                yield say.broken_law(f"`{option.text}` is not found by its own text")


def _seen(state: State, player: int) -> dict[str, Any]:
    """The view of a player, without the result: that is told to all, also where it counts what
    nobody has seen before."""
    return {key: part for key, part in state.view(player).items() if key != "result"}


def faults_at_end(state: State) -> Iterator[Diagnostic]:
    """The ledger of each counter sums to its value."""
    game = state.game
    for counter in game.compiled.counters:
        if counter.is_mark:
            continue
        totals: dict[str, int] = {}
        for entry in state.ledger(counter.name):
            totals[entry.whose] = totals.get(entry.whose, 0) + entry.change
        n = game.compiled.program.fields[counter.field].n
        for i in range(n):
            whose = game.names.show(counter.each, i) if counter.each else ""
            value = game.machine.layout.value(state.data, counter.field, i)
            if totals.get(whose, 0) != value:
                yield say.broken_law(f"the ledger of `{counter.name}` does not sum to {value}")
