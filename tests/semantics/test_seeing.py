"""Who sees what: revealing until a piece moves, hidden answers and orders, one seed one game."""

from __future__ import annotations

from typing import Any

from small_world import get, options, play, trace

from interpreter import State

HIDDEN = """{heap: {of: card}, deck: {of: card, order: pile, seen by: nobody},
  pile: {of: card, order: pile}, hand: {each: player, of: card, seen by: owner},
  line: {of: card, order: row}, sack: {of: card, order: bag, seen by: nobody},
  spot: {each: cell, of: pawn}, base: {each: player, of: pawn}, dice: {of: die}}"""
SECRET = (
    "{trace: {type: 0.., start: 0}, plan: {each: player, type: 0..9, start: 0, seen by: owner}}"
)


def hand_of(state: State, player: int, viewer: int | None) -> Any:
    """What a viewer sees of a hand."""
    return state.view(viewer)["zones"]["hand"][str(player)]


def test_revealed_until_it_moves() -> None:
    """`reveal x to q` shows a piece to q alone, until it moves; moved back it is unknown again."""
    state = play(
        "move ace to ann.hand\nmove two to ann.hand\nreveal ace to bob\n"
        "ann chooses n in 1..2 else note(9)\nmove ace to bob.hand\nmove ace to ann.hand\n"
        "ann chooses m in 1..2 else note(8)\nnote(n + m)",
        players=3,
        zones=HIDDEN,
    )
    assert hand_of(state, 1, 1)["pieces"] == ["ace", "two"]
    assert hand_of(state, 1, 2) == {"count": 2, "revealed": ["ace"]}
    assert hand_of(state, 1, 3) == {"count": 2}
    assert hand_of(state, 1, None) == {"count": 2}
    state = state.apply(state.pending[0].options[0])
    assert hand_of(state, 1, 2) == {"count": 2}


def test_revealed_to_all_and_moved_to_where_it_lies() -> None:
    """Without `to` all see it; a move to where it lies is no move and hides nothing."""
    state = play(
        "move ace to ann.hand\nmove two to ann.hand\nreveal ann.hand\nmove ace to ann.hand\n"
        "ann chooses n in 1..2 else note(9)\nnote(n)",
        zones=HIDDEN,
    )
    assert hand_of(state, 1, 2)["revealed"] == ["ace", "two"]
    assert hand_of(state, 1, None)["revealed"] == ["ace", "two"]


def test_a_mark_of_the_owner() -> None:
    """A mark that is seen by its owner is shown to no other player and to no spectator."""
    state = play(
        "set ann.plan to 4\nann chooses n in 1..2 else note(9)\nnote(n)",
        zones=HIDDEN,
        marks=SECRET,
    )
    assert state.view(1)["marks"]["plan"] == {"1": 4}
    assert "1" not in state.view(2)["marks"]["plan"]
    assert state.view(None)["marks"]["plan"] == {}


def test_answers_are_hidden_until_all_have_answered() -> None:
    """What a player has chosen together with others, and who has chosen, shows in no other view."""
    rules = "show(me):\n  choose: {card: in cards}\n  do: note(card.value)"
    state = play("together p in players do p must show", rules=rules, players=3)
    before = [state.view(viewer) for viewer in (2, 3, None)]
    state = state.apply("show two", 1)
    assert [state.view(viewer) for viewer in (2, 3, None)] == before
    state = state.apply("show ace", 3).apply("show four", 2)
    assert trace(state) == 241


def test_the_order_of_a_shuffled_hidden_pile_is_no_part_of_the_state() -> None:
    """A pile that nobody sees keeps no order: states with the same cards in it are equal."""
    body = "move heap to deck\nshuffle deck\nann chooses n in 1..2 else note(9)\nnote(n)"
    one = play(body, zones=HIDDEN, seed=3)
    assert one.view(1)["zones"]["deck"] == {"count": 6}
    draws = {
        get(
            play(body.replace("ann ch", "draw 1 from deck to line\nann ch"), zones=HIDDEN, seed=s),
            "first(line)",
        )
        for s in range(40)
    }
    assert {text.partition("#")[0] for text in draws} == {"ace", "two", "trey", "four", "five"}


def test_one_seed_is_one_game() -> None:
    """The same seed and the same choices give the same game; another seed may give another."""
    body = "move heap to pile\nshuffle pile\nfor c in pile do note(c.value)"
    results = [trace(play(body, zones=HIDDEN, seed=seed)) for seed in (5, 5, 6, 7, 8)]
    assert results[0] == results[1]
    assert len(set(results)) > 1
    assert {"".join(sorted(str(found))) for found in results} == {"123455"}


def test_one_outcome_is_no_event() -> None:
    """A draw from one piece and a roll of one number leave nothing to chance in the journal."""
    state = play(
        "move ace to sack\ndraw 1 from sack to line\nroll n in 4..4\nnote(n)", zones=HIDDEN
    )
    assert trace(state) == 4
    assert state.journal().chance == ()


def test_a_hidden_piece_is_offered_by_its_place() -> None:
    """Pieces that the player who is asked cannot see are not offered by their names."""
    state = play(
        "move ace to ann.hand\nmove two to ann.hand\n"
        "bob chooses c in ann.hand else note(9)\nnote(c.value)",
        zones=HIDDEN,
    )
    assert not any("ace" in text or "two" in text for text in options(state))
