"""Machine code as it is used: kept on disk, chosen by a game, called directly, or missing."""

from __future__ import annotations

import os
import pickle
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from documents import ROOT
from ir_games import three_in_a_row

from interpreter import Game, GameError
from interpreter.ir.bitsets import members_of, nth
from interpreter.native import cache
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import IllegalCandidate, NoState
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
@pytest.mark.parametrize(
    "damage",
    [
        "cut",
        "turned",
        "zeroed",
        "header",
        "digest",
        "longer",
        "empty",
        "foreign",
        "linked",
        "folder",
        "full folder",
        "pipe",
        "large",
    ],
)
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
    elif damage == "header":
        file.write_bytes(bytes(cache.BODY) + data[cache.BODY :])
    elif damage == "digest":
        data[cache.BODY - 1] ^= 255
        file.write_bytes(data)
    elif damage == "longer":
        file.write_bytes(data + b"x")
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "large":
        os.truncate(file, cache.MOST_BYTES + 1)
    elif damage == "pipe":
        file.unlink()
        os.mkfifo(file, 0o600)
    elif damage in ("folder", "full folder"):
        file.unlink()
        file.mkdir()
        if damage == "full folder":
            (file / "something").write_bytes(b"x")
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
        cache.keep(str(k), b"code")
    assert len(list(home.glob("native-*"))) == 3
    assert cache.kept("5") == b"code" and cache.kept("0") is None


@needs_native
def test_what_a_killed_process_has_left_is_cleared_away(home: Path) -> None:
    """A new file that nobody has written to for long is removed; a fresh one is let be."""
    cache.keep("first", b"code")
    old, fresh = home / f"{cache.NEW}old", home / f"{cache.NEW}fresh"
    for path in (old, fresh):
        path.write_bytes(b"half")
    past = time.time() - 2 * cache.LEFT
    os.utime(old, (past, past))
    cache.keep("second", b"code")
    assert not old.exists() and fresh.exists()
    assert cache.kept("first") == cache.kept("second") == b"code"


@needs_native
def test_no_folder_and_no_room_are_only_a_slow_start(tmp_path: Path) -> None:
    """Where the cache folder is a file, or no file may grow, everything works and nothing stays."""
    (tmp_path / "file").write_bytes(b"")
    for folder in (tmp_path / "file", tmp_path / "room"):
        out = run(
            "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
            + PLAYED.format(engine="native"),
            XDG_CACHE_HOME=str(folder),
        )
        assert out.split() == ["False", WANTED]
    assert [path.name for path in (tmp_path / "room").rglob("native-*")] == []


@needs_native
def test_two_processes_may_begin_at_once(tmp_path: Path) -> None:
    """Processes that compile the same program side by side do not disturb each other."""
    code = [sys.executable, "-c", PLAYED.format(engine="native")]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    children = [
        subprocess.Popen(code, stdout=subprocess.PIPE, env=environment, cwd=ROOT, text=True)
        for _ in range(3)
    ]
    assert [child.communicate()[0].split()[1] for child in children] == [WANTED] * 3
    assert len(list((tmp_path / "rulewright").glob("native-*"))) == 1
    assert run(code[2], XDG_CACHE_HOME=str(tmp_path)).split() == ["True", WANTED]


PLAYED = f"""
from interpreter import Game
from ruleset import load
game = Game(load({str(GAME)!r}), 2, engine="{{engine}}")
print(game.native.from_cache, game.playouts(30, 1).choices)
"""
WANTED = str(Game(load(GAME), 2, engine="reference").playouts(30, 1).choices)


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
        assert fast.candidates(state, player) == members_of(allowed)
        assert fast.options(state, 1 - player) == 0
        assert fast.candidates(state, 1 - player) == []
        choice_ = nth(allowed, k % allowed.bit_count())
        new = fast.step(state, player, choice_)
        assert new == machine.apply(state, player, choice_).state
        assert fast.step(state, player, 63) == fast.step(state, 1 - player, choice_) == b""
        assert fast.step(state, -5, choice_) == fast.step(state, player, 1 << 40) == b""
        state, k = new, k + 1
    assert machine.status(state) == 2 and fast.options(state, 0) == 0
    assert fast.start(3) == machine.start(3).state
    for seed in (-1, 0, (1 << 64) - 1, 1 << 64, 1 << 80, True):
        assert fast.start(seed) == machine.start(seed).state
    for wrong in ((), (1, 2), ("x",), (1.5,), (None,)):
        with pytest.raises(TypeError):
            fast.start(*wrong)  # type: ignore[call-arg, arg-type]
    for wrong in ((), (state,), (state, 0), ("x", 0, 0), (state, "a", 0), (None, 0, 0)):
        with pytest.raises(TypeError):
            fast.step(*wrong)  # type: ignore[call-arg, arg-type]
    for junk in (b"", b"x", bytes(len(state)), state + b"x", state[1:]):
        with pytest.raises(NoState, match="no state of"):
            fast.asked(junk)
    with pytest.raises(OverflowError):
        fast.options(state, 1 << 90)
    with pytest.raises(IllegalCandidate):
        native.apply(machine.start(3).state, 0, 1 << 90)


@needs_native
def test_a_game_has_fast_calls() -> None:
    """The public functions count players from 1; their states are bytes like any other."""
    game = Game(load(GAME), 2, engine="native")
    fast = game.fast
    assert fast is not None and fast is game.fast
    state = fast.start(3)
    assert fast.admit(game.start(seed=3).to_bytes()) == state
    slow = Game(load(GAME), 2, engine="reference").start(seed=3)
    while player := fast.asked(state):
        assert (player,) == tuple(decision.player for decision in slow.pending)
        allowed = fast.options(state, player)
        assert allowed == slow.pending[0].mask and not fast.options(state, 3 - player)
        state, slow = (
            fast.step(state, player, nth(allowed, 0)),
            slow.apply(slow.pending[0].options[0]),
        )
        assert state == slow.to_bytes() and hash(state) == hash(slow.to_bytes())
        assert game.from_bytes(state) == slow
    assert fast.admit(state) is state
    plain = pickle.loads(pickle.dumps(state))
    assert type(plain) is type(state[:]) is type(state + b"") is bytes and plain == state
    with pytest.raises(TypeError):
        type(state)(b"junk")
    assert sys.getrefcount(state) < 5


@needs_native
def test_fast_calls_keep_no_memory() -> None:
    """Many steps, refusals and errors leave as many objects as there were."""
    game = Game(load(GAME), 2)
    fast = game.fast
    assert fast is not None
    state = fast.admit(game.start(seed=3).to_bytes())

    def work() -> None:
        for _ in range(2000):
            fast.start(7)
            fast.step(state, 1, 0)
            fast.step(state, 1, 60)
            fast.options(state, 1)
            fast.asked(bytes(state))

    work()
    before = sys.getrefcount(type(state)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work()
    after = sys.getrefcount(type(state)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after[0] == before[0] and after[1] - before[1] < 2000


@needs_native
@pytest.mark.parametrize(
    ("name", "players"), [("connect_four", 2), ("hearts", 4), ("rabbit_race", 3)]
)
def test_a_state_is_played_on_at_random(name: str, players: int) -> None:
    """The choices are those of whole games with the seed, and the winners those of the result."""
    rules = load(ROOT / "games" / f"{name}.yaml")
    game, slow = Game(rules, players, engine="native"), Game(rules, players, engine="reference")
    fast = game.fast
    assert fast is not None
    for seed in range(4):
        first = fast.start(seed)
        assert fast.winners(first) == []
        last = fast.finish(first, seed, 1 << 20)
        assert last == slow.playouts(1, seed, keep=True).states
        result = slow.from_bytes(last).result
        assert result is not None and fast.winners(last) == list(result.winners)
        some = fast.finish(first, seed + 50, 5)
        assert some == slow.machine.finish(bytes(first), seed + 50, 5)
        assert fast.finish(some, 1, 0) == some and fast.finish(last, 1, 9) == last
    for wrong in ((), (first, 1), (first, "x", 1), (first, 1, None)):
        with pytest.raises(TypeError):
            fast.finish(*wrong)  # type: ignore[call-arg, arg-type]


def test_open_games_hide_nothing() -> None:
    """Where all lies open a search need not guess; secret cards, bids or bags are not open."""
    found = {
        path.stem: Game(load(path), load(path).file.min_players).visibility.open
        for path in (ROOT / "games").glob("*.yaml")
    }
    assert {name for name, is_open in found.items() if is_open} == {
        "breakthrough", "connect_four", "hex", "mancala", "othello", "pig", "tic_tac_toe"
    }  # fmt: skip
