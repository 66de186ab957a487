"""Where in the flow a game is: the steps under way, the outermost first."""

from __future__ import annotations

from interpreter import State


def steps_under_way(state: State) -> list[str]:
    """Names of the steps of the flow that are not finished, the outermost first."""
    names = {step.name for step in state.game.ruleset.file.flow}
    found = []
    for frame in state.game.machine.frames(state.data):
        if frame.function in names:
            found.append(frame.function)
    return found


def in_set_up(state: State) -> bool:
    """Whether a step of the kind `set-up` is under way."""
    kinds = {step.name: step.kind for step in state.game.ruleset.file.flow}
    return not state.over and any(kinds[name] == "set-up" for name in steps_under_way(state))
