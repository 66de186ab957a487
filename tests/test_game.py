"""The face of a game: states, options, reasons, results, the ledger."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hand_made import card_game, row_game

import ruleset
from interpreter import (
    Game,
    GameError,
    IllegalOption,
    Option,
    State,
)


@pytest.fixture(scope="module")
def row() -> Game:
    """Three in a row."""
    return row_game()


@pytest.fixture(scope="module")
def cards() -> Game:
    """The game of hidden cards."""
    return card_game()


def play(state: State, *texts: str) -> State:
    """Apply options by their texts."""
    for text in texts:
        state = state.apply(text)
    return state


def at_random(game: Game, seed: int) -> list[State]:
    """All states of one random game."""
    generator = random.Random(seed)
    states = [game.start(seed)]
    while not states[-1].over:
        decision = generator.choice(states[-1].pending)
        states.append(states[-1].apply(generator.choice(decision.options)))
    return states


# ------------------------------------------------------------------ states and options


def test_players_count_from_one(row: Game) -> None:
    """The first player to be asked is player 1, then player 2."""
    state = row.start(1)
    assert [d.player for d in state.pending] == [1]
    assert [d.player for d in state.apply("put_stone b2").pending] == [2]


def test_options_are_worked_out_once_for_a_state(
    row: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks a state again, for options, a view or an answer, makes no more work."""
    state = row.start(1)
    asked: list[int] = []
    real = row.machine.options

    def noted(data: bytes, player: int) -> int:
        asked.append(player)
        return real(data, player)

    monkeypatch.setattr(row.machine, "options", noted)
    assert [len(state.pending[0].options) for _ in range(3)] == [9, 9, 9]
    state.view(1)
    state.apply("put_stone b2")
    assert asked == [0]


def test_options_are_a_sequence(row: Game) -> None:
    """Options can be counted, indexed from both ends, sliced, searched and gone through."""
    options = play(row.start(1), "put_stone a1").pending[0].options
    assert len(options) == 8
    assert options[0].text == "put_stone(cell=b1)"
    assert options[-1].text == "put_stone(cell=c3)"
    assert [o.text for o in options[1:3]] == ["put_stone(cell=c1)", "put_stone(cell=a2)"]
    assert [o.text for o in options] == [options[k].text for k in range(8)]
    assert options[3] in options
    assert "put_stone a1" not in options
    with pytest.raises(IndexError):
        options[8]


def test_an_option_has_content(row: Game) -> None:
    """An option names its decision, its action and its parameters, in two languages."""
    option = row.start(1).pending[0].find("put_stone b2")
    assert option.decision_id == "rules.put_stone.choose.cell"
    assert option.action == "put_stone"
    assert option.params == {"cell": "b2"}
    assert option.label() == "Put a stone: b2"
    assert option.label("ja") == "石を置く: b2"


@pytest.mark.parametrize(
    "text", ["put_stone b2", "put_stone(cell=b2)", "put_stone(b2)", " put_stone cell=b2 "]
)
def test_short_forms_mean_the_same(row: Game, text: str) -> None:
    """What people type and the canonical text find the same option."""
    assert row.start(1).pending[0].find(text).text == "put_stone(cell=b2)"


def test_a_type_means_any_of_its_pieces(cards: Game) -> None:
    """A type's name finds a piece of that type that the player can choose."""
    for state in (cards.start(seed) for seed in range(5)):
        for decision in state.pending:
            for option in decision.options:
                short = option.params["card"].partition("#")[0]
                assert decision.find(f"play {short}").text == option.text


def test_apply_leaves_the_state_as_it_was(row: Game) -> None:
    """A step gives a new state and changes nothing of the old one."""
    state = row.start(1)
    before = state.to_bytes()
    state.apply("put_stone a1")
    assert state.to_bytes() == before
    assert len(state.pending[0].options) == 9


def test_equal_options_of_equal_states_are_one(row: Game) -> None:
    """An option of another state is taken by its content."""
    first, second = row.start(1), row.start(1)
    option = first.pending[0].options[4]
    assert option == second.pending[0].options[4]
    assert hash(option) == hash(second.pending[0].options[4])
    assert second.apply(option) == first.apply(option)


def test_a_stale_option_is_refused(row: Game) -> None:
    """An option that is no longer possible is refused with the reason, and nothing changes."""
    state = row.start(1)
    stale = state.pending[0].find("put_stone a1")
    later = play(state, "put_stone a1", "put_stone b1")
    with pytest.raises(IllegalOption, match="not any") as caught:
        later.apply(stale)
    assert caught.value.why is not None
    assert caught.value.why.names("choose.cell")
    assert later.apply("put_stone c1").steps == 3


def test_an_option_made_up_is_refused(row: Game) -> None:
    """A candidate that is not among the options is refused although its decision is right."""
    state = play(row.start(1), "put_stone a1")
    with pytest.raises(IllegalOption):
        state.apply(Option(state.pending[0], 0))


def test_states_are_equal_by_their_bytes(row: Game) -> None:
    """Two ways to one position give equal states with equal hashes."""
    one = play(row.start(1), "put_stone a1", "put_stone b1", "put_stone c3")
    two = play(row.start(1), "put_stone c3", "put_stone b1", "put_stone a1")
    assert one == two
    assert hash(one) == hash(two)
    assert one != play(row.start(1), "put_stone a1", "put_stone b1", "put_stone c2")


def test_a_seed_gives_the_same_game(cards: Game) -> None:
    """The same seed deals the same cards; without a seed a game starts as well."""
    assert cards.start(7) == cards.start(7)
    assert len({cards.start(seed).to_bytes() for seed in range(8)}) > 1
    assert cards.start().pending


def test_simultaneous_answers_in_any_order(cards: Game) -> None:
    """Both are pending; the order of the answers makes no difference to the state."""
    state = cards.start(3)
    first, second = state.pending
    one, two = first.options[0], second.options[0]
    assert state.apply(one).apply(two) == state.apply(two).apply(one)


def test_a_text_needs_its_player(cards: Game) -> None:
    """Where several are asked, `player` says whose answer a text is."""
    state = cards.start(3)
    text = state.pending[1].options[0].text
    assert [d.player for d in state.apply(text, player=2).pending] == [1]


@pytest.mark.parametrize("seed", range(6))
def test_every_option_applies_until_the_end(row: Game, cards: Game, seed: int) -> None:
    """In random games each option offered can be applied, and is explained as possible."""
    for game in (row, cards):
        for state in at_random(game, seed):
            for decision in state.pending:
                assert len(decision.options)
                for option in decision.options:
                    assert state.why(option).offered
                    assert state.apply(option).steps == state.steps + 1


# ------------------------------------------------------------------ results and the ledger


def test_the_result_by_score(cards: Game) -> None:
    """Most points win, equal points share, and the scores are given."""
    for seed in range(12):
        result = at_random(cards, seed)[-1].result
        assert result is not None
        points = result.scores["vp"]
        best = max(points.values())
        assert result.winners == tuple(p for p in (1, 2) if points[p] == best)
        assert [p for group in result.ranking for p in group] in ([1, 2], [2, 1])


def test_there_is_no_result_before_the_end(cards: Game) -> None:
    """A running game has no result."""
    assert cards.start(1).result is None


def test_the_ledger_sums_to_the_score(cards: Game) -> None:
    """The entries of a player sum to the points, and each change says its rule and statement."""
    for seed in range(6):
        end = at_random(cards, seed)[-1]
        assert end.result is not None
        for player in (1, 2):
            entries = end.ledger("vp", player)
            assert sum(e.change for e in entries) == end.result.scores["vp"][player]
            assert entries[-1].total == end.result.scores["vp"][player]
            assert {e.rule for e in entries} <= {"", "rules.score"}
            assert all(e.cites == ("CA-003",) for e in entries if e.rule)


def test_an_unknown_counter_is_named(cards: Game) -> None:
    """A misspelt counter gets the nearest one."""
    with pytest.raises(GameError, match="did you mean `vp`"):
        cards.start(1).ledger("pv")


def test_an_unknown_player_is_refused(cards: Game) -> None:
    """Only players of the game have a view."""
    with pytest.raises(GameError, match="expected player 1 to 2, found 3"):
        cards.start(1).view(3)


# ------------------------------------------------------------------ the past


def test_earlier_states_come_back(row: Game) -> None:
    """Any earlier state of a game can be had again."""
    states = at_random(row, 3)
    end = states[-1]
    for k, state in enumerate(states):
        assert end.at(k) == state
        assert end.at(k).steps == k
    with pytest.raises(GameError, match="there is no step"):
        end.at(len(states))


def test_what_can_be_undone(row: Game, cards: Game) -> None:
    """An answer can be undone while nobody else has answered and nothing was revealed."""
    one = row.start(1).apply("put_stone a1")
    assert one.undoable_to(0)
    assert not one.apply("put_stone b1").undoable_to(0)
    state = cards.start(2)
    first = state.apply(state.pending[0].options[0])
    assert first.undoable_to(0)
    both = first.apply(first.pending[0].options[0])
    assert not both.undoable_to(1)


# ------------------------------------------------------------------ a game from its file

GAMES = Path(__file__).parent.parent / "games"


@pytest.fixture(scope="module")
def grid() -> Game:
    """Three in a row as its file says it."""
    return Game(ruleset.load(GAMES / "tic_tac_toe.yaml"), players=2)


def test_a_file_plays(grid: Game) -> None:
    """A game from its file plays to its end, with every invariant and a journal that agrees."""
    for seed in range(5):
        states = at_random(grid, seed)
        assert not any(grid.broken_invariants(state) for state in states)
        assert grid.verify(states[-1].journal()) == states[-1]
        assert all(grid.load(state.save()) == state for state in states)


def test_winning_is_told(grid: Game) -> None:
    """The winner of `stop game won by` is ranked first."""
    end = play(grid.start(1), *(f"put_stone {cell}" for cell in ("a1", "b1", "a2", "b2", "a3")))
    assert end.over
    assert end.result is not None
    assert (end.result.ended, end.result.winners) == ("won", (1,))
    assert end.result.ranking == ((1,), (2,))


def test_expressions_and_effects_from_outside(grid: Game) -> None:
    """Expressions of the language can be asked of a state, and effects done to it."""
    state = grid.start(1)
    assert grid.evaluate(state, "count(p1.supply)") == 5
    given = grid.perform(
        state, "draw 1 from p1.supply to b2.stone\ndraw 1 from p2.supply to a1.stone"
    )
    assert grid.holds(given, "b2.stone.owner is p1 and a1.stone.owner is p2")
    assert not grid.holds(state, "any(b2.stone)")
    assert grid.evaluate(given, "b2.stone.owner") == "1"
    assert grid.evaluate(given, "those(c in cells if any(c.stone))") == ["a1", "b2"]
    assert [d.player for d in given.pending] == [1]
    assert not given.why("put_stone b2").offered
    assert [e.kind for e in given.events if e.kind == "move"] == ["move", "move"]
    assert grid.verify(given.apply("put_stone c3").journal()) == given.apply("put_stone c3")


@pytest.mark.parametrize("text", ["p1 must put_stone", "if true then p1 may put_stone"])
def test_effects_from_outside_ask_nobody(grid: Game, text: str) -> None:
    """Effects that stand outside a game file and ask a player are refused, each time."""
    state = grid.start(1)
    for _ in range(2):
        with pytest.raises(GameError, match="nobody is asked outside a game file"):
            grid.perform(state, text)


@pytest.mark.parametrize("text", ["count(p1.suply)", "p9", "count(", "draw 1"])
def test_a_wrong_expression_has_diagnostics(grid: Game, text: str) -> None:
    """What is wrong with a text from outside is told as diagnostics."""
    with pytest.raises(ruleset.RulesetError) as caught:
        grid.evaluate(grid.start(1), text)
    assert caught.value.report.diagnostics


@pytest.mark.parametrize("players", [0, 1, 3, True, 2.0, "2"])
def test_a_wrong_number_of_players(grid: Game, players: int) -> None:
    """A game refuses a number of players that it is not made for."""
    with pytest.raises(GameError, match="is for 2 players, found"):
        Game(grid.ruleset, players=players)


def test_unknown_options_are_refused(grid: Game) -> None:
    """A setting that the game does not have is a diagnostic."""
    with pytest.raises(ruleset.RulesetError):
        Game(grid.ruleset, players=2, options={"nonsense": "yes"})
