"""A save between two versions of a game: it survives an edit, or says clearly why it does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ruleset
from interpreter import DataError, Game

TEXT = """
game: edited
title: {en: Edited}
source: made up for tests
players: 2
flow:
  game: {steps: [deal, rounds]}
  deal: {kind: set-up, do: deal_all()}
  rounds: {repeat: turn, times: 3}
  turn: {kind: turn, each: me in players, do: play_one(me)}
zones:
  deck: {of: card, order: pile, seen by: nobody}
  hand: {each: player, of: card, seen by: owner}
  shown: {of: card, order: row}
pieces:
  card: {starts: deck, types: {low: {copies: 5}, high: {copies: 5}}}
counters:
  vp: {each: player, range: 0..}
  wear: {each: card, range: 0..9}
marks:
  latest: {type: card or none, start: none}
rules:
  deal_all:
    do: |
      shuffle deck
      for me in players do draw 4 from deck to me.hand
  play_one(me):
    do: |
      me must play else nothing
      score(me)
  play(me):
    choose: {card: in me.hand}
    do: |
      move card to shown
      gain 1 card.wear
      set game.latest to card
  score(me): {do: gain 1 me.vp}
result: {most: [vp]}
"""


def game_of(folder: Path, *edits: tuple[str, str]) -> Game:
    """The game with some texts replaced."""
    text = TEXT
    for old, new in edits:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = folder / f"edited{len(list(folder.iterdir()))}.yaml"
    path.write_text(text, "utf-8")
    return Game(ruleset.load(path), players=2)


def saved(game: Game, steps: int) -> dict[str, Any]:
    """A save after some choices."""
    state = game.start(3)
    for _ in range(steps):
        state = state.apply(state.pending[0].options[0])
    return state.save()


def test_an_edit_of_another_rule(tmp_path: Path) -> None:
    """A save in the middle of a turn is taken up by the new rules, and goes on under them."""
    save = saved(game_of(tmp_path), 2)
    edits = [
        ("gain 1 me.vp", "gain 3 me.vp"),
        (
            "wear: {each: card, range: 0..9}",
            "wear: {each: card, range: 0..99}\n  more: {range: 0..5, start: 2}",
        ),
    ]
    game = game_of(tmp_path, *edits)
    state = game.load(save)
    assert game.evaluate(state, "p1.vp") == 1
    assert game.evaluate(state, "sum(c.wear for c in cards)") == 2
    assert game.evaluate(state, "game.latest.wear") == 1
    assert game.evaluate(state, "game.more") == 2
    state = state.apply(state.pending[0].options[0])
    assert game.evaluate(state, "p1.vp") == 4


def test_members_in_another_order(tmp_path: Path) -> None:
    """Where nothing is under way, members go by their names, in marks and counters as well."""
    game = game_of(tmp_path)
    save = saved(game, 6)
    before = game.load(save)
    assert before.over
    turned = game_of(
        tmp_path,
        (
            "types: {low: {copies: 5}, high: {copies: 5}}",
            "types: {high: {copies: 5}, low: {copies: 5}}",
        ),
    )
    after = turned.load(save)
    for text in ("game.latest", "p1.vp", "count(c in shown if c.type is low)"):
        assert turned.evaluate(after, text) == game.evaluate(before, text)
    for card in ("low#1", "high#3"):
        assert after.view(1)["counters"]["wear"].get(card) == before.view(1)["counters"][
            "wear"
        ].get(card)


def test_members_that_a_rule_under_way_may_name(tmp_path: Path) -> None:
    """While a rule is under way the kinds must be the same; the message says which are not."""
    save = saved(game_of(tmp_path), 2)
    more = game_of(
        tmp_path, ("low: {copies: 5}, high: {copies: 5}", "high: {copies: 5}, low: {copies: 5}")
    )
    with pytest.raises(DataError) as error:
        more.load(save)
    assert error.value.diagnostic.code == "RW621"
    assert "the members of `card`" in str(error.value)
    assert "is under way" in str(error.value)


def test_a_rule_that_is_gone(tmp_path: Path) -> None:
    """A save in the middle of a rule that has another name now says which one is missing."""
    save = saved(game_of(tmp_path), 2)
    renamed = game_of(
        tmp_path,
        ("do: play_one(me)}", "do: play_some(me)}"),
        ("  play_one(me):", "  play_some(me):"),
    )
    with pytest.raises(DataError, match="play_one"):
        renamed.load(save)
