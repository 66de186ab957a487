"""Machine code as it is used: kept on disk, chosen by a game, called directly, or missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT
from ir_games import three_in_a_row

from interpreter import Game, GameError
from interpreter.ir.bitsets import nth
from interpreter.native import cache
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import IllegalCandidate
from ruleset import load

GAME = ROOT / "games" / "tic_tac_toe.yaml"
HIDDEN = "import sys; sys.modules['llvmlite'] = None; sys.modules['numpy'] = None; "


def run(code: str, **environment: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
        cwd=ROOT,
    )
    return done.stdout + done.stderr


def test_importing_the_engine_loads_no_library() -> None:
    """`import interpreter` and play on the reference engine touch neither llvmlite nor numpy."""
    code = f"""
import sys
from interpreter import Game
from ruleset import load
Game(load({str(GAME)!r}), 2).start(1)
print(*({{"llvmlite", "numpy"}} & set(sys.modules)))
"""
    assert run(code).split() == []


def test_without_llvmlite_the_reference_plays_and_says_so_once() -> None:
    """A game that asks for machine code works without it, with one warning for all games."""
    code = f"""
{HIDDEN}
from interpreter import Game
from ruleset import load
rules = load({str(GAME)!r})
for _ in range(2):
    game = Game(rules, 2, engine="native")
    print(game.native, game.playouts(3, 1).choices)
"""
    out = run(code)
    assert out.count("rulewright[native]") == 1
    assert [line for line in out.splitlines() if line.startswith("None")] != []


needs_native = pytest.mark.skipif(
    subprocess.run(
        [sys.executable, "-c", "import llvmlite.binding"], capture_output=True
    ).returncode
    != 0,
    reason="llvmlite is not installed: pip install 'rulewright[native]'",
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of one's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "rulewright"


def made() -> bool:
    """Compile or load; whether it was loaded; the code must work."""
    from interpreter.native.engine import NativeMachine

    native = NativeMachine(three_in_a_row(), 0)
    assert native.playouts(5, 1).choices == sum(
        Machine(three_in_a_row()).playout(seed) for seed in range(1, 6)
    )
    return native.from_cache


@needs_native
def test_machine_code_is_kept(home: Path) -> None:
    """The second time nothing is compiled; the folder and the file belong to the user alone."""
    assert not made()
    assert made()
    assert home.stat().st_mode & 0o077 == 0
    (file,) = home.glob("native-*.object")
    assert file.stat().st_mode & 0o077 == 0


@needs_native
@pytest.mark.parametrize("damage", ["cut", "turned", "zeroed", "empty", "foreign", "linked"])
def test_a_damaged_cache_is_only_a_slow_start(home: Path, damage: str) -> None:
    """What is not whole, or not ours, is compiled anew and replaced."""
    made()
    (file,) = home.glob("native-*.object")
    data = bytearray(file.read_bytes())
    if damage == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "turned":
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    elif damage == "zeroed":
        file.write_bytes(bytes(len(data)))
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "foreign":
        file.chmod(0o666)
    else:
        file.rename(home / "elsewhere")
        file.symlink_to(home / "elsewhere")
    assert not made()
    assert made()


@needs_native
@pytest.mark.parametrize("call", ["mkstemp", "replace", "fdopen"])
def test_a_full_or_read_only_cache_is_only_a_slow_start(
    home: Path, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be written, the code works all the same and no half file is left."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(cache.tempfile if call == "mkstemp" else cache.os, call, refuse)
    assert not made()
    monkeypatch.undo()
    assert list(home.glob("native-*")) == []


@needs_native
def test_the_oldest_code_is_removed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow without end."""
    monkeypatch.setattr(cache, "MOST_FILES", 3)
    for k in range(6):
        cache.cached(str(k), lambda: b"code")
    assert len(list(home.glob("native-*"))) == 3


@needs_native
def test_a_game_chooses_its_engine() -> None:
    """All engines give the same states; `auto` plays single states on the reference."""
    rules = load(GAME)
    games = {name: Game(rules, 2, engine=name) for name in ("auto", "native", "reference")}  # type: ignore[arg-type]
    assert len({game.start(4).data for game in games.values()}) == 1
    assert type(games["auto"].machine) is Machine
    assert type(games["native"].machine) is not Machine
    assert games["reference"].native is None
    played = [game.playouts(20, 3, keep=True) for game in games.values()]
    assert played[0] == played[1] == played[2]
    size = len(games["auto"].start(0).data)
    assert games["auto"].from_bytes(played[0].states[:size]).over
    with pytest.raises(GameError):
        Game(rules, 2, engine="quick")  # type: ignore[arg-type]


@needs_native
def test_a_game_on_machine_code_has_every_face() -> None:
    """Views, reasons, journals and saves work on native states as on any other."""
    rules = load(GAME)
    games = [Game(rules, 2, engine="native"), Game(rules, 2, engine="reference")]
    ends = []
    for game in games:
        state = game.start(7)
        while not state.over:
            state = state.apply(state.pending[0].options[0])
        assert game.replay(state.journal()).data == state.data
        assert game.load(state.save()).data == state.data
        ends.append((state.data, str(state.result)))
    assert ends[0] == ends[1]


@needs_native
def test_single_states_are_stepped_directly() -> None:
    """The functions made for CPython agree with the machine, and check what they are given."""
    from interpreter.native.engine import NativeMachine

    machine, native = Machine(three_in_a_row()), NativeMachine(three_in_a_row(), 1)
    fast = native.fast
    assert fast is not None
    state = machine.start(3).state
    k = 0
    while (player := fast.asked(state)) >= 0:
        allowed = fast.options(state, player)
        assert allowed == machine.options(state, player)
        assert fast.options(state, 1 - player) == 0
        choice_ = nth(allowed, k % allowed.bit_count())
        new = fast.step(state, player, choice_)
        assert new == machine.apply(state, player, choice_).state
        assert fast.step(state, player, 63) == fast.step(state, 1 - player, choice_) == b""
        assert fast.step(state, -5, choice_) == fast.step(state, player, 1 << 40) == b""
        state, k = new, k + 1
    assert machine.status(state) == 2 and fast.options(state, 0) == 0
    for wrong in ((), (state,), (state, 0), (b"x", 0, 0), ("x", 0, 0), (state, "a", 0)):
        with pytest.raises(TypeError):
            fast.step(*wrong)  # type: ignore[call-arg, arg-type]
    with pytest.raises(OverflowError):
        fast.options(state, 1 << 90)
    with pytest.raises(IllegalCandidate):
        native.apply(machine.start(3).state, 0, 1 << 90)
