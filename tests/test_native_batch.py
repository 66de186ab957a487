"""Many games as arrays: every lane is a game that the reference plays in the same way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from documents import ROOT

from interpreter import DataError, Game, GameError, IllegalOption, State, scrambled
from interpreter.ir.layout import OVER
from interpreter.runtime.machine import Machine
from ruleset import load

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)
np = pytest.importorskip("numpy", reason="numpy is not installed: pip install 'rulewright[native]'")

if TYPE_CHECKING:
    from interpreter.native.batch import Batch

LANES = 6
NAMES = sorted(path.stem for path in (ROOT / "games").glob("*.yaml"))
COUNTS = [
    (path.stem, players)
    for path in sorted((ROOT / "games").glob("*.yaml"))
    for file in [load(path).file]
    for players in range(file.min_players, file.max_players + 1)
]
FEW = [(name, max(p for other, p in COUNTS if other == name and p <= 4)) for name in NAMES]
"""Every game for the most players, up to four."""


@cache
def game(name: str, players: int) -> Game:
    """A game on the engine that begins at once."""
    return Game(load(ROOT / "games" / f"{name}.yaml"), players)


@cache
def slow(name: str, players: int) -> Game:
    """The same on the reference alone."""
    return Game.of_compiled(game(name, players).compiled, "reference")


@cache
def quick(name: str, players: int) -> Game:
    """The same in machine code from the first step on."""
    played = Game.of_compiled(game(name, players).compiled)
    assert played.native is not None
    return played


@pytest.mark.parametrize(("name", "players"), FEW)
def test_every_lane_is_a_game(name: str, players: int) -> None:
    """States, players, candidates, numbers of actions, ends and rewards are the reference's."""
    played = quick(name, players)
    reference: Machine = played.machine
    batch = played.batch(LANES, 5)
    assert batch.engine == "native"
    random = np.random.default_rng(3)
    states = [reference.start(5 + k).state for k in range(LANES)]
    seeds = [5 + k for k in range(LANES)]
    for _ in range(40):
        actions = batch.random_actions(random)
        assert batch.mask()[np.arange(LANES), actions].all()
        asked = batch.players.copy()
        for k, state in enumerate(states):
            assert batch.state(k) == state
            pending = reference.pending(state)
            assert asked[k] == (pending & -pending).bit_length()
            assert [p for p in range(players) if pending >> p & 1] == np.flatnonzero(
                batch.pending[k]
            ).tolist()
            allowed = reference.options(state, int(asked[k]) - 1)
            assert int.from_bytes(batch.sets[k].tobytes(), "little") == allowed
        step = batch.step(actions)
        assert not step.wrong.any()
        for k, state in enumerate(states):
            player = int(asked[k]) - 1
            decision, stage, candidate = batch.meaning(int(actions[k]))
            assert (decision, stage) == reference.decision(state, player)
            assert batch.action(decision, candidate, stage) == actions[k]
            out = reference.apply(state, player, candidate)
            states[k] = out.state
            assert step.done[k] == (out.status == OVER)
            if step.done[k]:
                compare(played, batch, k, out.state, step.rewards[k])
                seeds[k] += LANES
                states[k] = reference.start(seeds[k]).state
            else:
                assert not step.rewards[k].any()


def compare(played: Game, batch: Batch, k: int, state: bytes, rewards: Any) -> None:
    """The rewards and scores of a lane are what the result says."""
    result = played.from_bytes(state).result
    assert result is not None
    gained = [value > 0 for value in rewards]
    everybody = range(1, played.players + 1)
    if played.players > 1 and len(result.winners) in (0, played.players):
        assert not any(rewards)
    elif result.ended != "score" or played.players > 1:
        assert [p for p in everybody if gained[p - 1]] == list(result.winners)
    for name, values in result.scores.items():
        assert batch.scores()[name][k].tolist() == [values[player] for player in everybody]


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_both_engines_fill_the_same_arrays(name: str, players: int) -> None:
    """A batch on the reference, and one that changes to machine code on the way, are the same."""
    one = slow(name, players).batch(3, 9)
    turning = Game.of_compiled(game(name, players).compiled)
    turning.native_now = lambda compile=True: None  # type: ignore[method-assign]
    two = turning.batch(3, 9)
    for number in range(12):
        if number == 6 and (name, players) in FEW:
            turning.native_now = lambda compile=True: quick(name, players).native  # type: ignore[method-assign]
        actions = one.random_actions(np.random.default_rng(number))
        assert (actions == two.random_actions(np.random.default_rng(number))).all()
        first, second = one.step(actions), two.step(actions)
        assert (first.rewards == second.rewards).all() and (first.done == second.done).all()
        for each in ("states", "finals", "sets", "bases", "players"):
            assert (getattr(one, each) == getattr(two, each)).all()
    assert one.engine == "reference"
    assert two.engine == ("native" if (name, players) in FEW else "reference")


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_a_player_observes_what_the_view_shows(name: str, players: int) -> None:
    """Every column holds what `State.view` says, for players and spectators, and no more."""
    played = slow(name, players)
    batch = played.batch(2, 3)
    for number in range(9):
        for player in range(players + 1):
            seen = batch.observe(player)
            for lane in range(2):
                state = played.from_bytes(batch.state(lane))
                shown = told(batch, seen.values[lane], seen.seen[lane])
                assert shown == wanted(batch, state, player or None)
        acting = batch.observe()
        for lane in range(2):
            own = batch.observe(int(batch.players[lane]))
            assert (acting.values[lane] == own.values[lane]).all()
        batch.step(batch.random_actions(np.random.default_rng(number)))


def told(batch: Batch, values: Any, seen: Any) -> dict[str, int]:
    """The columns that are seen, by name; what is not seen is 0."""
    assert not values[~seen].any()
    return {
        name: int(value) for name, value, ok in zip(batch.columns, values, seen, strict=True) if ok
    }


def wanted(batch: Batch, state: State, player: int | None) -> dict[str, int]:
    """The columns as the view of a state says them."""
    played = batch.game
    view: Mapping[str, Any] = state.view(player)
    names, program = played.names, played.compiled.program
    out: dict[str, int] = {}
    for p in range(1, played.players + 1):
        alone = played.machine.actor(state.data) >= 0
        if alone or p == player or not state.pending:
            out[f"asked[{p}]"] = int(p in view["pending"])
    visible: dict[str, set[str]] = {}
    for group, declared in program.groups.items():
        home = visible[group] = set()
        for k, zone in enumerate(declared.zones):
            inside = played.machine.layout.pieces_in(state.data, group, k).bit_count()
            label = batch.zones[group][k]
            out[f"count.{group}.{label}"] = inside
            shown = view["zones"][zone.name]
            if zone.index >= 0:
                shown = shown[names.zone_member(zone)]
            every = {names.show(group, piece) for piece in range(declared.n)}
            for place, piece in enumerate(shown.get("pieces", ())):
                if piece in every and lies(state, group, piece) == k:
                    home.add(piece)
                    out[f"at.{group}.{piece}"] = k
                    if zone.ordered:
                        index = names.index(group, piece)
                        assert index is not None
                        exact = played.machine.layout.place_of(state.data, group, index)
                        out[f"place.{group}.{piece}"] = exact
                        assert exact == place or not zone.keeps_gaps
            for piece in shown.get("revealed", ()):
                home.add(piece)
                out[f"at.{group}.{piece}"] = k
    for piece, side in view["sides"].items():
        group = next(g for g in program.groups if names.index(g, piece) is not None)
        number = names.index(group + ".side", side)
        out[f"side.{group}.{piece}"] = -9 if number is None else number
    for counter in played.compiled.counters:
        home = view["marks" if counter.is_mark else "counters"][counter.name]
        stem = f"{'marks' if counter.is_mark else 'counters'}.{counter.name}"
        members = {f"[{m}]": value for m, value in home.items()} if counter.each else {"": home}
        for member, value in members.items():
            inner = counter.kind.removeprefix("set of ")
            hides = visible.get(inner)
            if counter.kind.startswith("set of "):
                if not counter.each and value is None:
                    continue
                for each in names.members(inner, (1 << size(played, counter.field)) - 1):
                    if hides is None or each in hides:
                        out[f"{stem}{member}.{each}"] = int(each in value)
            elif value is None and not counter.each and not known(played, counter, player):
                continue
            elif counter.kind == "number":
                out[stem + member] = value
            elif counter.kind == "flag":
                out[stem + member] = int(value)
            elif value is None:
                out[stem + member] = -1
            elif hides is None or value in hides:
                index = names.index(counter.kind, value)
                assert index is not None
                out[stem + member] = index
    return out


def lies(state: State, group: str, piece: str) -> int:
    """The zone of a piece."""
    index = state.game.names.index(group, piece)
    assert index is not None
    return state.game.machine.layout.zone_of(state.data, group, index)


def size(played: Game, field: str) -> int:
    """How many members a set may have."""
    return played.machine.layout.set_fields[field].bits


def known(played: Game, counter: Any, player: int | None) -> bool:
    """Whether a player sees a value that belongs to nobody."""
    return played.visibility.field(counter.field, 0, (player or 0) - 1)


@pytest.mark.parametrize(("name", "players"), FEW)
def test_an_observation_tells_nothing_hidden(name: str, players: int) -> None:
    """With other hidden pieces, values and answers an observation is the same."""
    played = slow(name, players)
    batch, other = played.batch(1, 3), played.batch(1, 3)
    for number in range(14):
        state = played.from_bytes(batch.state(0))
        for player in range(1, players + 1):
            for seed in range(3):
                other._arrays.states[0] = np.frombuffer(
                    scrambled(state, player, seed).data, np.uint8
                )
                one, two = batch.observe(player), other.observe(player)
                assert (one.values == two.values).all() and (one.seen == two.seen).all()
        batch.step(batch.random_actions(np.random.default_rng(number)))


def test_threads_give_the_same_lanes() -> None:
    """Lanes on two threads are those of one."""
    played = quick("connect_four", 2)
    one, two = played.batch(600, 1), played.batch(600, 1, threads=2)
    for seed in range(12):
        actions = one.random_actions(np.random.default_rng(seed))
        first, second = one.step(actions), two.step(actions)
        assert (first.rewards == second.rewards).all()
        assert (one.states == two.states).all() and (one.sets == two.sets).all()


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_an_action_that_is_not_allowed_changes_nothing(engine: str) -> None:
    """A wrong number, shape or type is an error that names lane and action; no lane has moved."""
    batch = (quick if engine == "native" else slow)("tic_tac_toe", 2).batch(4)
    assert batch.engine == engine
    batch.step([4, 0, 0, 0])
    before = batch.states.copy()
    good = batch.random_actions(np.random.default_rng(1))
    for lane, action, text in (
        (0, 4, r"lane 0: action 4 \(candidate 4 of `[^`]*`\) is not among the options of player 2"),
        (2, -1, "lane 2: there is no action -1; expected 0 to 8"),
        (3, 1 << 40, f"lane 3: there is no action {1 << 40}"),
    ):
        actions = good.astype(np.int64)
        actions[lane] = action
        with pytest.raises(IllegalOption, match=text):
            batch.step(actions)
    for wrong in (good[:3], good.reshape(2, 2), np.zeros((4, 1), np.int32)):
        with pytest.raises(ValueError, match="expected 4 actions"):
            batch.step(wrong)
    for kind in (np.float32, np.bool_, object):
        with pytest.raises(TypeError, match="expected integers"):
            batch.step(good.astype(kind))
    assert (batch.states == before).all()
    for small in (np.uint8, np.int64, np.uint64):
        batch.restart(0)
        batch.step(np.zeros(4, small))
    with pytest.raises(ValueError, match="no action"):
        batch.meaning(batch.actions)
    with pytest.raises(ValueError, match="no candidate"):
        batch.action("nothing", 0)


def test_an_action_of_another_question_is_named() -> None:
    """What is asked, and what the action answers, are both in the message."""
    batch = slow("rabbit_race", 3).batch(1, 2)
    table = {batch.meaning(a)[0]: a for a in range(batch.actions)}
    asked = batch.meaning(int(batch.bases[0]))[0]
    other = next(action for name, action in table.items() if name != asked)
    with pytest.raises(IllegalOption, match=f"is asked `{asked}`"):
        batch.step([other])


@pytest.mark.parametrize(("name", "players"), FEW)
def test_actions_have_texts(name: str, players: int) -> None:
    """The text of an action is an option of the state, and has the number of the action."""
    batch = slow(name, players).batch(1, 4)
    for number in range(8):
        state = batch.game.from_bytes(batch.state(0))
        decision = next(d for d in state.pending if d.player == batch.players[0])
        allowed = np.flatnonzero(batch.mask()[0])
        texts = [batch.text(0, int(action)) for action in allowed]
        assert sorted(texts) == sorted(option.text for option in decision.options)
        assert [batch.number(0, text) for text in texts] == allowed.tolist()
        batch.step(batch.random_actions(np.random.default_rng(number)))
    refused = np.flatnonzero(~batch.mask()[0])
    if len(refused):
        with pytest.raises(IllegalOption, match="lane 0"):
            batch.text(0, int(refused[0]))
    with pytest.raises(IllegalOption):
        batch.number(0, "nothing(at=all)")
    with pytest.raises(GameError, match="expected a lane"):
        batch.text(1, 0)


def test_arrays_cannot_be_written_to() -> None:
    """What machine code reads cannot be changed but through `put`, which looks at it."""
    batch = quick("tic_tac_toe", 2).batch(2)
    for each in (
        batch.states,
        batch.finals,
        batch.sets,
        batch.bases,
        batch.field(any_field(batch)),
    ):
        with pytest.raises(ValueError, match="read-only"):
            each[0] = 1
    batch.players[0] = 77
    assert batch.players[0] == 1


def any_field(batch: Batch) -> str:
    """A field of the program."""
    return next(iter(batch.game.machine.layout.fields))


def test_states_are_put_into_lanes() -> None:
    """A state that is put in goes on from there; damaged ones and finished ones are refused."""
    played = quick("tic_tac_toe", 2)
    batch = played.batch(3, 1)
    state = played.start(9).apply("put_stone b2")
    batch.put([1], [state])
    assert batch.state(1) == state.to_bytes() and batch.players.tolist() == [1, 2, 1]
    assert not batch.mask()[1, batch.number(0, "put_stone b2")]
    before = batch.states.copy()
    damaged = bytearray(state.to_bytes())
    damaged[0] = 7
    with pytest.raises(DataError):
        batch.put([0, 2], [state.to_bytes(), bytes(damaged)])
    while not state.over:
        state = state.apply(state.pending[0].options[0])
    with pytest.raises(GameError, match="lane 0: nobody is asked"):
        batch.put([0], [state])
    with pytest.raises(GameError, match="expected a lane"):
        batch.put([3], [played.start(1)])
    assert (batch.states == before).all()


def test_fields_can_be_read_in_place() -> None:
    """A field of the program is an array over all lanes that follows the games."""
    played = quick("goofspiel", 2)
    batch = played.batch(3, 2)
    name = next(counter.field for counter in played.compiled.counters if counter.each == "player")
    view = batch.field(name)
    layout = played.machine.layout
    for seed in range(10):
        batch.step(batch.random_actions(np.random.default_rng(seed)))
        for k in range(3):
            values = [layout.value(batch.state(k), name, i) for i in range(view.shape[1])]
            assert view[k].tolist() == values


def test_a_batch_says_how_large_it_is() -> None:
    """A batch takes two states, some words and a reward for each player a lane."""
    batch = slow("hearts", 4).batch(10)
    state = len(batch.state(0))
    assert batch.nbytes == 10 * (2 * state + 8 * batch.sets.shape[1] + 17 + 4 * 4)
    for wrong in (0, -1, True, "2"):
        with pytest.raises(GameError, match="expected a number of"):
            batch.game.batch(wrong)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="expected a number of threads"):
        batch.game.batch(2, threads=0)


def test_a_batch_that_was_interrupted_says_so() -> None:
    """After an interrupt in the middle of a step nothing goes on before a restart."""
    batch = slow("tic_tac_toe", 2).batch(3)
    actions = batch.random_actions(np.random.default_rng(1))
    act = batch._slow._act

    def stop(lane: int, action: int) -> None:
        if lane == 1:
            raise KeyboardInterrupt
        act(lane, action)

    batch._slow._act = stop  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        batch.step(actions)
    with pytest.raises(GameError, match="interrupted"):
        batch.step(actions)
    del batch._slow._act
    batch.restart(0)
    assert (batch.states == slow("tic_tac_toe", 2).batch(3).states).all()
    batch.step(actions)


def test_without_llvmlite_the_reference_steps_the_lanes() -> None:
    """Without llvmlite a batch works all the same, and without numpy it says what to install."""
    head = "import sys; sys.modules['llvmlite'] = None\n"
    code = f"""
from interpreter import Game
from ruleset import load
rules = load({str(ROOT / "games" / "tic_tac_toe.yaml")!r})
for seed in range(2):
    batch = Game(rules, 2).batch(2, seed)
    batch.step([0, 1])
    print(batch.engine, batch.players.tolist())
"""
    done = run(head + code)
    assert done.stdout.split("\n")[:2] == ["reference [2, 2]", "reference [2, 2]"]
    assert done.stderr.count("rulewright[native]") == 1
    assert "a batch needs numpy" in run(head + "sys.modules['numpy'] = None\n" + code).stderr


def run(code: str) -> subprocess.CompletedProcess[str]:
    """A fresh Python."""
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, cwd=ROOT
    )


SOLO = """
game: small
title: {en: Small}
source: made up
players: 1
flow:
  game: {each: me in players, do: "me must one of rest, work"}
words: {player: [me]}
counters:
  vp: {each: player, range: 0..5000}
rules:
  rest(me): {do: gain 3 me.vp}
  work(me): {do: gain 2000 me.vp}
result: {most: [vp], solo: {needs: 3 in players.vp}}
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_result_that_goes_wrong_is_a_game_that_went_wrong(
    engine: Literal["reference", "native"], tmp_path: Path
) -> None:
    """A set of numbers holds at most 1023: with 2000 points nobody can say who has won."""
    path = tmp_path / "small.yaml"
    path.write_text(SOLO, encoding="utf-8")
    batch = Game(load(path), 1, engine=engine).batch(3, seed=1)
    for actions in ([0, 1, 0], [1, 1, 0]):
        step = batch.step(actions)
        won = [action == 0 for action in actions]
        assert step.done.tolist() == won
        assert step.wrong.tolist() == [not well for well in won]
        assert step.rewards[:, 0].tolist() == [float(well) for well in won]
