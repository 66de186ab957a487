"""Built games in Node against the reference engine: every byte, option and view."""

from __future__ import annotations

import base64
import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT, examples
from ir_programs import random_program

import ruleset
from interpreter import Game, State
from interpreter.ir.layout import CODE, FAULT, SITE, STATUS, cell
from interpreter.native import web
from interpreter.native.wasm import NotUnderstood, module_of
from interpreter.native.web import web_program
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import Fault
from playtest import cli

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")
GAMES = (
    ("games/tic_tac_toe.yaml", 2, 3),
    ("games/connect_four.yaml", 2, 2),
    ("games/kuhn_poker.yaml", 2, 4),
    ("games/rabbit_race.yaml", 3, 2),
    ("games/trash_rush.yaml", 2, 1),
    ("tests/veiled.yaml", 3, 2),
    ("tests/market.yaml", 1, 1),
)
"""Path, players, games: chance, simultaneous choices, hidden options, sets of 128 bits."""
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
    choices: list[tuple[int, str]] = []
    moments = [moment(state)]
    while not state.over and len(choices) < MOST:
        option = chance.choice(chance.choice(state.pending).options)
        choices.append((option.player, option.text))
        state = state.apply(option)
        moments.append(moment(state))
    return choices, moments


@needs_node
@pytest.mark.parametrize(("name", "players", "many"), GAMES, ids=[Path(g[0]).stem for g in GAMES])
def test_built_games_agree_byte_for_byte(
    name: str, players: int, many: int, tmp_path: Path
) -> None:
    """The same seeds and choices give the same bytes, options, views and results in Node."""
    path = ROOT / name
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
        assert len(theirs["moments"]) == len(moments)
        for k, ours in enumerate(moments):
            there = theirs["moments"][k]
            for part, value in ours.items():
                assert there[part] == value, (seed, choices[:k], part)
        assert theirs["back"]
        assert theirs["random"] == game.machine.playout(seed, MOST)
        assert theirs["last"] == game.machine.working_state.hex()


@needs_node
@pytest.mark.parametrize("bits", [0, 200])
def test_random_programs_agree_byte_for_byte(bits: int) -> None:
    """Random programs, also with sets of 256 bits: the same last states and the same faults."""
    machines, programs = [], []
    for seed in range(4):
        program = random_program(seed)
        program.fuel, program.set_bits = 5_000, bits
        machine = Machine(program)
        made = web_program(machine.layout)
        machines.append(machine)
        code = base64.b64encode(made.code).decode()
        plan = {"code": code, "memory": made.memory, "size": machine.layout.size}
        programs.append({**plan, "seeds": [1, 2], "most": MOST})
    found = json.loads(node(ROOT / "tests/web_programs.mjs", given=json.dumps(programs)))
    for machine, games in zip(machines, found, strict=True):
        for seed, (many, hexadecimal) in zip([1, 2], games, strict=True):
            state = bytes.fromhex(hexadecimal)
            try:
                assert machine.playout(seed, MOST) == many
            except Fault as fault:
                assert cell(state, "i", STATUS) == FAULT
                assert machine.layout.faults[cell(state, "i", CODE) - 1] == fault.code
                assert cell(state, "i", SITE) == fault.site
            else:
                assert machine.working_state == state


MISTAKES = """
const said = (action) => {
  try { action(); return "nothing"; } catch (error) { return `${error.name}: ${error.message}`; }
};
const { load } = await import(process.argv[2]);
const game = await load();
const out = [said(() => game.options(1)), said(() => game.start(0.5))];
game.start(1);
out.push(said(() => game.apply(1, "fly")), said(() => game.apply(2, "wait")));
out.push(said(() => game.options(3)), said(() => game.view(1, "fr")));
out.push(said(() => game.restore(new Uint8Array(3))), said(() => game.restore("x")));
const before = String(game.bytes());
out.push(said(() => game.apply(1, "fall")), before === String(game.bytes()));
process.stdout.write(JSON.stringify([...out, game.apply(1, "wait").view(1).counters]));
"""


@needs_node
def test_mistakes_are_told_and_change_nothing(tmp_path: Path) -> None:
    """What is not possible throws with a reason; a fault of the rules leaves the game as it was."""
    folder = built(tmp_path / "built", ROOT / "tests/stuck.yaml", 2)
    script = tmp_path / "mistakes.mjs"
    script.write_text(MISTAKES, "utf-8")
    found = json.loads(node(script, (folder / "face.mjs").as_uri()))
    size = Game(ruleset.load(ROOT / "tests/stuck.yaml"), 2).machine.layout.size
    bytes_wanted = f"TypeError: expected the {size} bytes of a state of `stuck`"
    assert found == [
        "Error: the game has not begun: call `start` first",
        "TypeError: expected a whole number as the seed, found 0.5",
        "IllegalOption: `fly` is not among the options of player 1",
        "IllegalOption: player 2 is not asked now",
        "RangeError: expected player 1 to 2, found 3",
        "RangeError: expected `en` or `ja`, found `fr`",
        bytes_wanted,
        bytes_wanted,
        "RulesFault: the rules went wrong: DEPTH in rules.deeper (stuck.yaml:26:3)",
        True,
        {"n": {"1": 1, "2": 0}},
    ]


@needs_node
def test_the_example_of_the_documentation_runs(tmp_path: Path) -> None:
    """The JavaScript in docs/embedding.md plays a game to its end."""
    (example,) = (e for e in examples("docs/embedding.md") if e.what == "js")
    folder = built(tmp_path, ROOT / "games/tic_tac_toe.yaml", 2)
    (folder / "example.mjs").write_text(example.text, "utf-8")
    assert "over: true" in node(folder / "example.mjs")


@needs_node
def test_one_face_loads_games_of_other_folders(tmp_path: Path) -> None:
    """An address is seen from the face, whether in full or not."""
    here = built(tmp_path / "here", ROOT / "games/tic_tac_toe.yaml", 2)
    built(tmp_path / "there", ROOT / "games/kuhn_poker.yaml", 2)
    script = here / "several.mjs"
    there = (tmp_path / "there").as_uri() + "/"
    script.write_text(
        'import { load } from "./face.mjs";\n'
        f'for (const at of [undefined, "../there/", "{there}", new URL("{there}")])\n'
        "  console.log((await load(at)).name);\n",
        "utf-8",
    )
    assert node(script).split() == ["tic_tac_toe"] + ["kuhn_poker"] * 3


def test_what_is_built_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The command says which files it wrote, and takes options; the face has its types."""
    folder = built(tmp_path, ROOT / "games/tic_tac_toe.yaml", 2)
    said = capfd.readouterr().out
    names = {path.name for path in folder.iterdir()}
    assert {"game.wasm", "game.json", "face.mjs", "face.d.mts"} < names
    assert all(name in said for name in names)
    assert (folder / "game.wasm").read_bytes()[:4] == b"\0asm"


def test_mistakes_of_the_command_are_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A wrong number of players, an option without a game's leave, a place that is a file."""
    game, place = str(ROOT / "games/tic_tac_toe.yaml"), tmp_path / "file"
    place.write_text("", "utf-8")
    base = ["build", game, "--target", "wasm", "-o"]
    assert cli.run([*base, str(tmp_path), "--players", "9"]) == cli.USAGE
    assert cli.run([*base, str(tmp_path), "--option", "luck=none"]) == cli.FAULTS
    assert cli.run([*base, str(place)]) == cli.FAULTS
    assert cli.run(["build", "none.yaml", "--target", "wasm", "-o", str(tmp_path)]) == cli.FAULTS
    said = capfd.readouterr().err
    assert "for 2 players, found 9" in said
    assert "luck" in said
    assert f"`{place}` cannot be written" in said


def test_what_is_not_understood_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An object file whose places hold something else, or that wants more, gives no module."""
    objects = []
    monkeypatch.setattr(web, "module_of", lambda data, _: objects.append(data))
    layout = Machine(random_program(1)).layout
    with pytest.raises(AttributeError):
        web_program(layout)
    (data,) = objects
    good = module_of(data, web.EXPORTS)
    assert good.code[:4] == b"\0asm"
    with pytest.raises(NotUnderstood, match="has no `nothing`"):
        module_of(data, ["nothing"])
    with pytest.raises(NotUnderstood, match="is no object file"):
        module_of(b"\x7fELF" + data[4:], web.EXPORTS)
    memory = data.index(b"__linear_memory")
    with pytest.raises(NotUnderstood, match="wants `__linear_memorx`"):
        module_of(data[:memory] + b"__linear_memorx" + data[memory + 15 :], web.EXPORTS)
    at = data.index(b"\x80\x80\x80\x80\x00", data.index(b"__linear_memory") + 60)
    broken = data[:at] + b"\x81" + data[at + 1 :]
    with pytest.raises(NotUnderstood, match="holds something else"):
        module_of(broken, web.EXPORTS)
