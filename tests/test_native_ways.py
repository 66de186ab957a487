"""The ways between the engines: which one plays when, what is told of it, and how it is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import test_machine
from documents import ROOT

from interpreter import Game, scrambled
from interpreter.ir.layout import WAITING
from interpreter.runtime.machine import Machine
from interpreter.runtime.playouts import playouts
from ruleset import load

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)

from interpreter.native import choice, many
from interpreter.native.choice import Coming
from interpreter.native.engine import NativeMachine

GAME = ROOT / "games" / "tic_tac_toe.yaml"
NAMES = sorted(path.stem for path in (ROOT / "games").glob("*.yaml"))
ENDLESS = """
        function all () "" @0 0 ()
          types %s s
         b0:
          with %s 0 0
          with %s %s 1
          return %s
        function main () "" @0 0 ()
          types %c i
         b0:
          jump b1
         b1:
          decide %c pick 0 () b1 pick
"""


@cache
def compiled(name: str) -> Any:
    """A game for up to three players, lowered once."""
    rules = load(ROOT / "games" / f"{name}.yaml")
    return Game(rules, min(rules.file.max_players, max(rules.file.min_players, 3))).compiled


@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_is_the_same(name: str) -> None:
    """Events, log, views, reasons and ledgers of a game in machine code are the reference's."""
    games = [Game.of_compiled(compiled(name), engine) for engine in ("native", "reference")]
    assert type(games[0].machine) is NativeMachine and type(games[1].machine) is Machine
    states = [game.start(5) for game in games]
    for step in range(15):
        one, two = states
        assert one.data == two.data
        assert [e.describe() for e in one.events] == [e.describe() for e in two.events]
        assert [e.describe(viewer=1) for e in one.events] == [
            e.describe(viewer=1) for e in two.events
        ]
        if one.over:
            break
        if step % 5 == 4:
            for player in range(1, games[0].players + 1):
                assert one.view(player) == two.view(player)
            assert one.save() == two.save() and one.journal() == two.journal()
            counters = [c.name for c in games[0].compiled.counters if not c.is_mark]
            for counter in counters:
                assert list(one.ledger(counter)) == list(two.ledger(counter))
        decisions = [state.pending[-1] for state in states]
        texts = [[option.text for option in decision.options] for decision in decisions]
        assert texts[0] == texts[1]
        chosen = texts[0][step * 7 % len(texts[0])]
        states = [s.apply(chosen, d.player) for s, d in zip(states, decisions, strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_guesses_can_be_played(name: str) -> None:
    """A state in which the hidden has changed places is one that machine code may step."""
    state = Game.of_compiled(compiled(name), "reference").start(4)
    for step in range(30):
        if state.over:
            break
        for player in range(1, state.game.players + 1):
            guess = scrambled(state, player, step)
            assert state.game.machine.check_state(guess.data) is None
        decision = state.pending[-1]
        state = state.apply(decision.options[step * 5 % len(decision.options)])


@pytest.mark.parametrize("turn", [0, 1, 4, 9, 99])
def test_it_does_not_matter_when_machine_code_takes_over(turn: int) -> None:
    """Playouts are the same games whenever the engine changes on the way."""
    game = Game.of_compiled(compiled("liars_dice"))
    wanted = playouts(game.machine, 10, 3, 500, keep=True)
    native = NativeMachine(game.compiled.program)
    left = turn

    def now(compile: bool = True) -> NativeMachine | None:
        nonlocal left
        left -= 1
        return native if left < 0 else None

    game.native_now = now  # type: ignore[method-assign]
    assert game.playouts(10, 3, most=500, keep=True) == wanted


def test_a_compiler_works_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not on disk is compiled in another process, and is on disk then."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = test_machine.three_in_a_row()
    coming = Coming(program)
    assert coming.machine is None and coming.ready() is None and not coming.failed
    assert list(tmp_path.rglob("native-*")) == []
    coming.begin()
    machine = wait_for(coming)
    assert not coming.failed
    assert machine.playouts(20, 1) == playouts(Machine(program), 20, 1, 1 << 62, keep=False)
    (file,) = tmp_path.rglob("native-*")
    assert file.suffix == ".object"
    assert Coming(program).machine is not None


def wait_for(coming: Coming) -> NativeMachine:
    """The machine; asks again and again, which never takes long."""
    for _ in range(3000):
        began = time.process_time()
        machine = coming.ready()
        if machine is not None:
            return machine
        assert time.process_time() - began < 0.5
        time.sleep(0.02)
    raise AssertionError("no machine code has come")


@pytest.mark.parametrize("executable", ["/nowhere/python", sys.executable])
def test_without_another_process_a_thread_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    """Where no process can be made, or it fails, the code comes all the same."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(choice.sys, "executable", executable)
    monkeypatch.setattr(choice, "CHILD", "raise SystemExit(1)")
    program = test_machine.three_in_a_row()
    coming = Coming(program)
    coming.begin()
    machine = coming.wait()
    assert machine is not None and machine.playouts(5, 1).choices > 0


def test_code_that_cannot_be_made_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the compiler fails, the reference goes on, and one warning says so."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(choice, "CHILD", "raise SystemExit(1)")
    game = Game.of_compiled(compiled("tic_tac_toe"))

    def refuse(self: object) -> bytes:
        raise RuntimeError("no such instruction")

    monkeypatch.setattr(choice.Recipe, "make", refuse)
    assert game.native_now() is None
    with pytest.warns(RuntimeWarning, match="no such instruction.*reference engine plays"):
        for _ in range(500):
            game.native_now()
            time.sleep(0.01)
            if game._engine == "reference":
                break
    assert game._engine == "reference" and game.native is None
    assert game.playouts(3, 1).choices > 0


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("most", [1 << 62, 6, 8])
def test_long_games_are_played_on_choice_by_choice(
    keep: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that one call does not finish ends as it would have."""
    program = test_machine.three_in_a_row()
    wanted = NativeMachine(program).playouts(12, 3, most=most, keep=keep)
    assert wanted == playouts(Machine(program), 12, 3, most, keep)
    monkeypatch.setattr(many, "LONG", 3)
    for threads in (1, 2, 40):
        assert NativeMachine(program).playouts(12, 3, threads, most, keep) == wanted


def test_an_endless_game_can_be_bounded() -> None:
    """A game without an end stops after as many choices as it may take."""
    machine = NativeMachine(endless(), 1)
    found = machine.playouts(3, 1, most=many.LONG + 5, keep=True)
    assert list(found.lengths) == [many.LONG + 5] * 3
    assert machine.status(found.states[: machine.layout.size]) == WAITING


def endless() -> Any:
    """A program that asks for ever."""
    return test_machine.program(ENDLESS)


INTERRUPTED = """
import sys, time
sys.path.insert(0, "tests")
{make}
print("ready", flush=True)
began = None
try:
    {call}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
MANY = f"""
from interpreter import Game
from ruleset import load
game = Game(load({str(GAME)!r}), 2, engine="{{engine}}")
game.native
"""
FOR_EVER = """
import test_native_ways as ways
machine = ways.NativeMachine(ways.endless(), 1)
"""


@pytest.mark.parametrize(
    ("make", "call"),
    [
        (MANY.format(engine="native"), "game.playouts(10**8, 1)"),
        (MANY.format(engine="native"), "game.playouts(10**8, 1, threads=3)"),
        (MANY.format(engine="reference"), "game.playouts(10**8, 1)"),
        (FOR_EVER, "machine.playouts(5, 1)"),
        (FOR_EVER, "machine.playouts(5, 1, threads=2, keep=True)"),
        (
            MANY.format(engine="native"),
            "b = game.batch(100_000, 1, 2)\n    while True: b.restart()",
        ),
    ],
)
def test_an_interrupt_takes_effect_soon(make: str, call: str) -> None:
    """Ctrl-C ends playouts and batches in the middle, on any engine and any number of threads."""
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED.format(make=make, call=call)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    out, errors = child.communicate(timeout=15)
    assert (out, errors, child.returncode) == ("stopped\n", "", 0)


@pytest.mark.parametrize("name", ["hearts", "liars_dice", "rabbit_race", "sushi_go", "tic_tac_toe"])
def test_damaged_states_do_no_harm(name: str) -> None:
    """Thousands of states with wrong bytes are refused, or can be played on; nothing crashes."""
    rules = load(ROOT / "games" / f"{name}.yaml")
    players = min(rules.file.max_players, 3 + (name == "hearts"))
    done = subprocess.run(
        [sys.executable, "tests/damaged_states.py", f"games/{name}.yaml", str(players), "7", "700"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    refused, played = map(int, done.stdout.split())
    assert refused + played == 700 and min(refused, played) > 20


def test_a_large_game_is_playable_at_once(tmp_path: Path) -> None:
    """With nothing on disk the first games of `auto` do not wait for the compiler."""
    code = f"""
import time
from interpreter import Game
from ruleset import load
game = Game(load({str(ROOT / "games" / "trash_rush.yaml")!r}), 4)
game.playouts(2, 1)
print(game._native is None)
while game.native_now() is None:
    time.sleep(0.05)
print(game.playouts(2, 1) == Game.of_compiled(game.compiled, "reference").playouts(2, 1))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )
    assert done.stdout.split() == ["True", "True"], done.stderr
