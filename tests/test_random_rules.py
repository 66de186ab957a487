"""Random small games: `load` accepts them, and both engines play them alike, whatever they hold.

``RULEWRIGHT_SOAK`` is how many more games are drawn; ``RULEWRIGHT_SEED`` where the long run begins.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from random_rules import files, random_file

from interpreter import Game
from interpreter.ir.printer import show
from interpreter.ir.reader import read
from interpreter.ir.verifier import verify
from interpreter.lowering import Compiled, lower
from playtest.cli import run
from playtest.drawn_settings import drawn
from playtest.trials import play_one
from ruleset import Ruleset, load

FUEL = 4_000
SOAK = int(os.environ.get("RULEWRIGHT_SOAK", "0"))
FIRST = int(os.environ.get("RULEWRIGHT_SEED", "0"))
PLAYED = ("RW601", "RW602", "RW661")
"""What random rules may do: ask for what cannot be, and go on for long."""
CHOICES = 40
COMMANDS = (
    ("check",),
    ("dump", "--stage", "ir"),
    ("dump", "--stage", "syntax"),
    ("play", "--seats", "random", "--seed", "3"),
    ("fuzz", "--games", "2", "--bound", "30"),
)


def compiled(rules: Ruleset, seed: int) -> Compiled:
    """A game for some number of players and some options; its program is well made."""
    r = random.Random(seed)
    players = r.randint(rules.file.min_players, rules.file.max_players)
    chosen = drawn(rules, {}, r)
    if chosen:
        rules = rules.configure(chosen)
    made = lower(rules, players, {**rules.readings, **rules.option_values}, checks=True)
    assert verify(made.program) == []
    return made


def engines_agree(made: Compiled, seed: int, level: int) -> None:
    """Games in lockstep, choice by choice and in one go."""
    from native_lockstep import both, play, whole_games  # needs llvmlite

    made.program.fuel = FUEL
    reference, native = both(made.program, level)
    for k in range(3):
        play(reference, native, seed + k, CHOICES)
    whole_games(reference, native, range(seed, seed + 2))


def laws_hold(made: Compiled, seed: int) -> None:
    """What holds in every game holds in this one, too."""
    game = Game.of_compiled(made, engine="reference")
    _, finding = play_one(game, seed, CHOICES)
    assert finding is None or finding.diagnostic.code in PLAYED, finding.diagnostic.message


def written(folder: Path, text: str) -> Path:
    """A file with this text."""
    path = folder / "drawn.yaml"
    path.write_text(text, "utf-8")
    return path


@settings(
    max_examples=SOAK or 15,
    deadline=None,
    derandomize=not SOAK,
    suppress_health_check=list(HealthCheck),
)
@given(text=files())
def test_a_drawn_game_is_played_alike(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """A game that Hypothesis draws: accepted, lowered, verified, played on both engines."""
    pytest.importorskip("llvmlite")
    made = compiled(load(written(tmp_path_factory.getbasetemp(), text)), 1)
    laws_hold(made, 1)
    engines_agree(made, 1, 0)


@pytest.mark.parametrize("block", range(4))
def test_many_games_are_played_alike(tmp_path: Path, block: int) -> None:
    """Games from seeds: larger ones than Hypothesis likes, and many more of them."""
    pytest.importorskip("llvmlite")
    many = max(4, SOAK // 4)
    first = FIRST + block * many
    for seed in range(first, first + many):
        try:
            made = compiled(load(written(tmp_path, random_file(seed))), seed)
            laws_hold(made, seed)
            engines_agree(made, seed, 0 if seed % 4 else 1 + seed // 4 % 2)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise


def test_every_program_can_be_read_again(tmp_path: Path) -> None:
    """The text of a program says all of it; so it can be the key of what is kept on disk."""
    for seed in range(FIRST, FIRST + 10):
        program = compiled(load(written(tmp_path, random_file(seed))), seed).program
        assert show(read(show(program))) == show(program), seed


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:3]))
def test_no_command_breaks_on_a_random_game(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
) -> None:
    """All commands end with a status that speaks of the game, never with a fault of our own."""
    monkeypatch.chdir(tmp_path)
    for seed in range(FIRST, FIRST + max(6, SOAK // 20)):
        path = written(tmp_path, random_file(seed))
        assert run([command[0], str(path), *command[1:]]) in (0, 1), seed
        assert "rulewright itself" not in capsys.readouterr().err
