"""Many games as arrays: every lane is a game that the reference plays in the same way."""

from __future__ import annotations

import pytest
from documents import ROOT

from interpreter import Game, RulesFault
from interpreter.ir.layout import OVER
from interpreter.runtime.machine import Machine
from ruleset import load

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)
np = pytest.importorskip("numpy", reason="numpy is not installed: pip install 'rulewright[native]'")

LANES = 12
GAMES = ("connect_four", "goofspiel", "hearts", "liars_dice", "rabbit_race", "tic_tac_toe")


def game(name: str, players: int = 0) -> Game:
    """A game for the most players, or for so many."""
    rules = load(ROOT / "games" / f"{name}.yaml")
    return Game(rules, players or min(rules.file.max_players, 4))


@pytest.mark.parametrize("name", GAMES)
def test_every_lane_is_a_game(name: str) -> None:
    """States, players, candidates, numbers of actions, ends and rewards are the reference's."""
    played = game(name)
    reference: Machine = played.machine
    batch = played.batch(LANES, 5)
    random = np.random.default_rng(3)
    states = [reference.start(5 + k).state for k in range(LANES)]
    seeds = [5 + k for k in range(LANES)]
    for _ in range(40):
        actions = batch.random_actions(random)
        assert batch.mask()[np.arange(LANES), actions].all()
        players = batch.players.copy()
        for k, state in enumerate(states):
            assert batch.state(k) == state
            pending = reference.pending(state)
            assert players[k] == (pending & -pending).bit_length()
            allowed = reference.options(state, int(players[k]) - 1)
            assert int.from_bytes(batch.sets[k].tobytes(), "little") == allowed
        step = batch.step(actions)
        assert not step.refused.any() and not step.wrong.any()
        for k, state in enumerate(states):
            player = int(players[k]) - 1
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


def compare(played: Game, batch: object, k: int, state: bytes, rewards: object) -> None:
    """The rewards and scores of a lane are what the result says."""
    result = played.from_bytes(state).result
    assert result is not None
    gained = [value > 0 for value in rewards]  # type: ignore[attr-defined]
    everybody = range(1, played.players + 1)
    if played.players > 1 and len(result.winners) in (0, played.players):
        assert not any(rewards)  # type: ignore[call-overload]
    elif result.ended != "score" or played.players > 1:
        assert [p for p in everybody if gained[p - 1]] == list(result.winners)
    for name, values in result.scores.items():
        found = batch.scores()[name][k].tolist()  # type: ignore[attr-defined]
        assert found == [values[player] for player in everybody]


def test_threads_give_the_same_lanes() -> None:
    """Lanes on two threads are those of one."""
    played = game("connect_four")
    one, two = played.batch(600, 1), played.batch(600, 1, threads=2)
    for seed in range(12):
        actions = one.random_actions(np.random.default_rng(seed))
        first, second = one.step(actions), two.step(actions)
        assert (first.rewards == second.rewards).all()
        assert (one.states == two.states).all() and (one.sets == two.sets).all()


def test_an_action_that_is_not_allowed_changes_nothing() -> None:
    """A wrong number is refused in its lane alone; a wrong shape is an error."""
    batch = game("tic_tac_toe").batch(4)
    actions = batch.random_actions(np.random.default_rng(1))
    actions[1], actions[2] = -1, 1 << 30
    before = batch.states.copy()
    step = batch.step(actions)
    assert step.refused.tolist() == [False, True, True, False]
    assert (batch.states[1:3] == before[1:3]).all() and (batch.states[0] != before[0]).any()
    with pytest.raises(ValueError, match="expected 4 actions"):
        batch.step(actions[:3])
    with pytest.raises(ValueError, match="no action"):
        batch.meaning(batch.actions)
    with pytest.raises(ValueError, match="no candidate"):
        batch.action("nothing", 0)


def test_fields_can_be_read_in_place() -> None:
    """A field of the program is an array over all lanes that follows the games."""
    played = game("goofspiel", 2)
    batch = played.batch(3, 2)
    name = next(counter.field for counter in played.compiled.counters if counter.each == "player")
    view = batch.field(name)
    layout = played.machine.layout
    for seed in range(10):
        batch.step(batch.random_actions(np.random.default_rng(seed)))
        for k in range(3):
            wanted = [layout.value(batch.state(k), name, i) for i in range(view.shape[1])]
            assert view[k].tolist() == wanted


def test_a_batch_needs_machine_code() -> None:
    """On the reference engine there are no lanes, and the error says what to install."""
    rules = load(ROOT / "games" / "tic_tac_toe.yaml")
    with pytest.raises(Exception, match=r"rulewright\[native\]") as caught:
        Game(rules, 2, engine="reference").batch(2)
    assert not isinstance(caught.value, RulesFault)
