"""Journals, saves and bytes: round trips, and what is said of damaged ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hand_made import card_game, row_game
from test_game import at_random

from interpreter import DataError, Game, GameError, Journal


@pytest.fixture(scope="module")
def cards() -> Game:
    """The game of hidden cards."""
    return card_game()


@pytest.fixture(scope="module")
def played(cards: Game) -> Journal:
    """A whole game of cards."""
    return at_random(cards, 5)[-1].journal()


@pytest.mark.parametrize("seed", range(5))
def test_a_journal_gives_the_same_game(cards: Game, tmp_path: Path, seed: int) -> None:
    """A journal, written and read, leads to the same bytes at every step, chance included."""
    states = at_random(cards, seed)
    path = tmp_path / "game.json"
    states[-1].journal().save(path)
    journal = Journal.read(path)
    assert cards.verify(journal) == states[-1]
    for k, state in enumerate(states):
        assert cards.replay_steps(journal, k) == state
    assert [p.name for p in tmp_path.iterdir()] == ["game.json"]


def test_a_replay_does_not_use_the_generator(cards: Game, played: Journal) -> None:
    """With another seed in the journal the same cards are dealt."""
    data = played.plain() | {"seed": 999, "end": ""}
    state = cards.replay(Journal.parse(json.dumps(data)))
    assert state.view(1) == cards.replay(played).view(1)


def _edit(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], str]:
    def edited(data: dict[str, Any]) -> str:
        change(data)
        return json.dumps(data)

    return edited


@pytest.mark.parametrize(
    ("damage", "code", "said"),
    [
        (lambda d: json.dumps(d)[:-20], "RW613", "ends too early"),
        (lambda d: json.dumps(d).replace(":", ";", 1), "RW612", "not JSON"),
        (lambda d: "", "RW613", "ends too early"),
        (lambda d: "[" * 100_000, "RW612", "too deeply"),
        (lambda d: "[1]", "RW614", "rulewright journal"),
        (lambda d: '{"seed": ' + "9" * 5000 + "}", "RW612", "digits"),
        (_edit(lambda d: d.update(format="another")), "RW614", "`another`"),
        (_edit(lambda d: d.update(version=2)), "RW615", "expected 1, found 2"),
        (_edit(lambda d: d.pop("seed")), "RW617", "`seed`: expected a whole number"),
        (_edit(lambda d: d.update(seed=True)), "RW617", "found True"),
        (_edit(lambda d: d["steps"].append(3)), "RW617", "expected a mapping, found 3"),
        (_edit(lambda d: d["steps"][1].pop("option")), "RW617", "steps[2].option"),
        (_edit(lambda d: d["chance"].append(["a"])), "RW617", "a label and a member"),
        (_edit(lambda d: d.update(options={"a": 1})), "RW617", "options.a"),
    ],
)
def test_a_damaged_journal_is_told(
    played: Journal, damage: Callable[[dict[str, Any]], str], code: str, said: str
) -> None:
    """A journal that cannot be read says what is wrong with it, and where."""
    with pytest.raises(DataError) as caught:
        Journal.parse(damage(json.loads(json.dumps(played.plain()))))
    assert caught.value.diagnostic.code == code
    assert said in str(caught.value)


def test_every_cut_of_a_journal_is_told(played: Journal) -> None:
    """Wherever a journal is cut off, reading it ends in a diagnostic."""
    text = json.dumps(played.plain())
    for end in range(len(text)):
        with pytest.raises(DataError):
            Journal.parse(text[:end])


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (lambda d: d.update(game="another"), "RW616", "found `another`"),
        (lambda d: d.update(players=3), "RW616", "3 players"),
        (lambda d: d["steps"][0].update(option="play(card=nine)"), "RW618", "possible now: `play("),
        (lambda d: d["steps"][0].update(player=7), "RW618", "player 7 is not asked now"),
        (lambda d: d["steps"].append(d["steps"][0]), "RW618", "over before it"),
        (lambda d: d["chance"].pop(), "RW619", "asked for `draw deck`"),
        (lambda d: d["chance"].append(d["chance"][0]), "RW619", "too many"),
        (lambda d: d["chance"][0].__setitem__(0, "a roll"), "RW619", ""),
        (lambda d: d["chance"][0].__setitem__(1, "nine"), "RW619", "`nine`"),
        (lambda d: d["chance"].__setitem__(1, d["chance"][0]), "RW619", "not a possible outcome"),
        (lambda d: d.update(end="0" * 32), "RW620", "another state"),
    ],
)
def test_a_journal_that_disagrees_is_told(
    cards: Game, played: Journal, change: Callable[[dict[str, Any]], object], code: str, said: str
) -> None:
    """A journal that the rules do not follow says at which step, and what is possible there."""
    data = json.loads(json.dumps(played.plain()))
    change(data)
    with pytest.raises(DataError) as caught:
        cards.verify(Journal.parse(json.dumps(data)))
    assert caught.value.diagnostic.code == code
    assert said in str(caught.value)


def test_files_that_cannot_be_read_or_written(played: Journal, tmp_path: Path) -> None:
    """A missing file, a folder, other bytes and a missing folder are told, and leave no trace."""
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(DataError) as caught:
            Journal.read(path)
        assert caught.value.diagnostic.code == "RW610"
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="UTF-8"):
        Journal.read(tmp_path / "bytes")
    with pytest.raises(DataError) as caught:
        played.save(tmp_path / "no" / "such" / "folder.json")
    assert caught.value.diagnostic.code == "RW623"
    assert [p.name for p in tmp_path.iterdir()] == ["bytes"]


# ------------------------------------------------------------------ saves and bytes


@pytest.mark.parametrize("seed", range(3))
def test_states_survive_a_round_trip(cards: Game, seed: int) -> None:
    """Every state comes back equal from its bytes and from its save, also in JSON."""
    for game in (cards, row_game()):
        for state in at_random(game, seed):
            assert game.from_bytes(state.to_bytes()) == state
            assert game.load(json.loads(json.dumps(state.save()))) == state


def test_a_state_without_a_past_says_so(cards: Game) -> None:
    """From bytes nobody can tell how they came about; play goes on."""
    state = cards.from_bytes(cards.start(1).to_bytes())
    for ask in (lambda: state.ledger("vp"), lambda: state.events, state.journal, state.log):
        with pytest.raises(GameError, match="the past of this state is not known"):
            ask()
    assert state.apply(state.pending[0].options[0]).pending


@pytest.mark.parametrize("data", [b"", b"x", bytes(4096)])
def test_other_bytes_are_refused(cards: Game, data: bytes) -> None:
    """Bytes that are no state of the game are refused with a reason."""
    with pytest.raises(DataError) as caught:
        cards.from_bytes(data)
    assert caught.value.diagnostic.code == "RW622"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(game="another"), "another game"),
        (lambda d: d.update(players=4), "expected 2 players"),
        (lambda d: d["fields"].update({"counter.pv": [1, 2]}), "did you mean `counter.vp`"),
        (lambda d: d["fields"].update({"counter.vp": [99, 2]}), "99"),
        (lambda d: d["fields"].update({"counter.vp": [1, 2, 3]}), "no index 2"),
        (lambda d: d["fields"].update({"counter.vp": "x"}), "expected a list"),
        (lambda d: d["fields"].update({"counter.vp": ["x", 1]}), ""),
        (lambda d: d["pieces"]["card"].pop("four"), "where `four` lies"),
        (lambda d: d["pieces"]["card"].update(nine=["hand", "1", 0]), "no card `nine`"),
        (lambda d: d["pieces"]["card"].update(four=["hat", "1", 0]), "expected a zone"),
        (lambda d: d["frames"][0].update(rule="mein"), "did you mean `main`"),
        (lambda d: d["frames"][0].update(at="plai"), "did you mean `play`"),
        (lambda d: d["frames"][0]["locals"].clear(), "no number for"),
        (lambda d: d.update(frames=d["frames"] * 99), "more rules"),
        (lambda d: d.update(status="asleep"), "one of running"),
        (lambda d: d.update(pending=[9]), "players 1 to 2"),
        (lambda d: d.update(chance={"seed": 1, "counter": 1 << 40}), ""),
    ],
)
def test_a_save_that_does_not_fit_is_told(
    cards: Game, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    """A save of other rules names what it does not find."""
    data = json.loads(json.dumps(cards.start(1).save()))
    change(data)
    with pytest.raises(DataError) as caught:
        cards.load(data)
    assert said in str(caught.value)
