"""What can be wrong with a state as such, whatever led to it: broken invariants.

Takes a game and a state; gives diagnostics at the invariants' own lines.
"""

from __future__ import annotations

from interpreter import Game, State
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages.play import broken_invariant


def invariant_faults(game: Game, state: State, when: str = "here") -> list[Diagnostic]:
    """The invariants of every moment that do not hold in a state."""
    sites = {invariant.path: invariant.site for invariant in game.compiled.invariants}
    return [
        broken_invariant(path, game.span(sites[path]), when)
        for path in game.broken_invariants(state)
    ]
