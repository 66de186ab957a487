"""The peers of the board and dice games: how our options are called in OpenSpiel."""

from __future__ import annotations

from typing import Final

from lockstep.harness import Chain, Peer


def _place(cell: str, rows: int) -> str:
    """A cell as seen from the other side of the board: their rows are counted from the top."""
    return f"{cell[0]}{rows + 1 - int(cell[1:])}"


def advance(chain: Chain) -> str | None:
    """A man goes from one cell to another; theirs says also whether that takes one."""
    if len(chain) < 2:
        return None
    values, state = chain[-1].params, chain[-1].decision.state
    here, there = values["here"], values["there"]
    took = state.game.holds(state, f"any({there}.man)")
    return f"{_place(here, 8)}{_place(there, 8)}{'*' if took else ''}"


def place(chain: Chain) -> str:
    """A stone on a cell of the same name, or one of the two other things that can be done."""
    values = chain[-1].params
    return values["here"] if values else {"swap_sides": "swap", "skip": "pass"}[chain[-1].action]


def sow(chain: Chain) -> str:
    """Their pits are numbers along the loop: 0 is the second player's store, 7 the first one's."""
    here = chain[-1].params["here"]
    return str(int(here[1]) + (7 if here[0] == "b" else 0))


def throw(chain: Chain) -> str:
    """Roll or stop."""
    return {"roll_die": "roll", "hold": "stop"}[chain[-1].action]


def rolled(label: str, member: int) -> str:
    """A number of the die."""
    assert label == "rules.roll_die.n", label
    return f"Roll {member}"


def pig(players: int = 2, goal: int = 100, faces: int = 6) -> Peer:
    """Pig. Theirs forbids to roll with enough points, and ends after so many moves: we set many."""
    sides = f"players={players},winscore={goal},diceoutcomes={faces}"
    return Peer(
        game="pig",
        judge=f"pig({sides},horizon=1000000)",
        action=throw,
        options={"goal": str(goal), "faces": str(faces), "roll_past_goal": "false"},
        players=players,
        chance=rolled,
    )


PEERS: Final = (
    Peer(game="breakthrough", judge="breakthrough", action=advance),
    Peer(game="hex", judge="hex", action=place),
    Peer(game="hex", judge="hex(swap=True)", action=place, options={"pie_rule": "true"}),
    Peer(game="othello", judge="othello", action=place),
    Peer(game="mancala", judge="mancala", action=sow),
    pig(),
    pig(players=4, goal=30, faces=4),
)
