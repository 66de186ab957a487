"""Built games in Node against the reference engine: every byte, option and view."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT

import ruleset
from interpreter import Game, State
from interpreter.native.wasm import NotUnderstood, module_of
from playtest import cli

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")
GAMES = (
    ("tic_tac_toe", 2, 3),
    ("connect_four", 2, 2),
    ("kuhn_poker", 2, 4),
    ("rabbit_race", 3, 2),
    ("sushi_go", 2, 1),
    ("hex", 2, 1),
    ("trash_rush", 2, 1),
)
"""Name, players, games: perfect information, chance, simultaneous choices, sets of 128 bits."""
MOST = 60
"""Choices of one game."""


def built(folder: Path, path: Path, players: int, *more: str) -> Path:
    """The files of a game, built with the command."""
    arguments = ["build", str(path), "--target", "wasm", "-o", str(folder)]
    assert cli.run([*arguments, "--players", str(players), *more]) == 0
    return folder


def node(script: Path, *arguments: str, given: str = "") -> str:
    """What a script writes."""
    assert NODE is not None
    command = [NODE, str(script), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def moment(state: State) -> dict[str, Any]:
    """What the face must say of a state, but for the options."""
    players = range(1, state.game.players + 1)
    return {
        "bytes": state.to_bytes().hex(),
        "pending": [{"player": d.player, "id": d.id, "prompt": d.prompt()} for d in state.pending],
        "options": [
            [
                {
                    "option": option.text,
                    "label": option.label(),
                    "action": option.action,
                    "params": dict(option.params),
                    "candidate": option.candidate,
                }
                for decision in state.pending
                if decision.player == player
                for option in decision.options
            ]
            for player in players
        ],
        "views": [state.view(player) for player in (None, *players)],
        "ja": state.view(1, "ja"),
        "result": state.result.plain() if state.result is not None else None,
    }


def played(game: Game, seed: int) -> tuple[list[tuple[int, str]], list[dict[str, Any]]]:
    """The choices of a random game, and all its moments."""
    chance, state = random.Random(seed), game.start(seed)
    choices, moments = [], [moment(state)]
    while not state.over and len(choices) < MOST:
        option = chance.choice(chance.choice(state.pending).options)
        choices.append((option.player, option.text))
        state = state.apply(option)
        moments.append(moment(state))
    return choices, moments


@needs_node
@pytest.mark.parametrize(("name", "players", "many"), GAMES, ids=[entry[0] for entry in GAMES])
def test_built_games_agree_byte_for_byte(
    name: str, players: int, many: int, tmp_path: Path
) -> None:
    """The same seeds and choices give the same bytes, options, views and results in Node."""
    path = ROOT / "games" / f"{name}.yaml"
    game = Game(ruleset.load(path), players, engine="reference")
    seeds = [7, -1 & (1 << 63) - 1, 1 << 40, 3][:many]
    wanted = [played(game, seed) for seed in seeds]
    given = [
        {"seed": str(seed), "choices": choices}
        for seed, (choices, _) in zip(seeds, wanted, strict=True)
    ]
    folder = built(tmp_path, path, players)
    found = json.loads(node(ROOT / "tests/web_driver.mjs", str(folder), given=json.dumps(given)))
    for seed, (choices, moments), theirs in zip(seeds, wanted, found, strict=True):
        for k, ours in enumerate(moments):
            there = theirs["moments"][k]
            for part, value in ours.items():
                assert there[part] == value, (seed, choices[:k], part)
        assert theirs["back"]
        assert theirs["random"] == game.machine.playout(seed, MOST)
        assert theirs["last"] == game.machine.working_state.hex()
