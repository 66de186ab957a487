"""Faults that random games have found, each by the smallest game that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleset
from interpreter import Game, RulesFault
from interpreter.ir.verifier import verify

HEAD = """\
game: small
title: {en: Small}
source: a test
players: 2
flow:
  game: {repeat: turn, times: 2}
  turn: {kind: turn, each: me in players, do: "FIRST"}
counters: {vp: {each: player, range: 0..}}
rules:
"""


def game(folder: Path, first: str, rules: str) -> Game:
    """A game whose turns do something; its program is well made."""
    path = folder / "small.yaml"
    path.write_text(HEAD.replace("FIRST", first) + rules + "result: {most: [vp]}\n", "utf-8")
    made = Game(ruleset.load(path), 2)
    assert verify(made.compiled.program) == []
    return made


ACT = """\
  act(me):
    needs: {poor: me.vp < 3}
    do: |
      gain 1 me.vp
      if me can act then gain 1 me.vp
"""


def test_who_can_is_proof_where_all_choose_at_once(tmp_path: Path) -> None:
    """`together p in S if p can A` inside a rule leaves out who cannot, so `must` has an answer."""
    first = "together p in players if p can act do p must act"
    state = game(tmp_path, first, ACT).start(1)
    assert [decision.player for decision in state.pending] == [1, 2]


def test_an_action_may_ask_whether_it_can_be_done_again(tmp_path: Path) -> None:
    """To ask whether an action is possible, inside what it does, is no circle."""
    state = game(tmp_path, "me may act", ACT).start(1)
    assert state.apply("act").view(1)["counters"]["vp"] == {"1": 2, "2": 0}


@pytest.mark.parametrize(
    "rules",
    [
        "  act(me):\n    needs: {again: me can act}\n    do: gain 1 me.vp\n",
        "  act(me):\n    needs: {other: me can rest}\n    do: nothing\n"
        "  rest(me):\n    needs: {other: me can act}\n    do: nothing\n",
        "  act(me):\n    needs: {well: able(me)}\n    do: nothing\n"
        "  able(me):\n    is: me can act\n",
    ],
)
def test_an_action_cannot_need_itself(tmp_path: Path, rules: str) -> None:
    """To ask whether an action is possible in order to know whether it is, is a circle."""
    path = tmp_path / "small.yaml"
    path.write_text(HEAD.replace("FIRST", "me may act") + rules + "result: {most: [vp]}\n", "utf-8")
    assert "RW403" in [d.code for d in ruleset.check(path).sorted()]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_hook_that_leads_to_its_own_rule_is_bounded(tmp_path: Path, when: str) -> None:
    """What a hook on a rule adds counts for the `depth` of the rule; beyond it is a fault."""
    rules = f"""\
  step_on(me):
    depth: 3
    do: gain 1 me.vp
  again:
    when: {when} step_on(me)
    if: me.vp < LEAST
    do: step_on(me)
"""
    with pytest.raises(RulesFault, match="more often than its `depth`"):
        game(tmp_path, "step_on(me)", rules.replace("LEAST", "9")).start(1)
    if when == "after":
        state = game(tmp_path, "step_on(me)", rules.replace("LEAST", "3")).start(1)
        assert state.over and state.view(1)["counters"]["vp"]["1"] == 4


def test_the_condition_of_a_choice_of_several_is_told(tmp_path: Path) -> None:
    """In the condition the name is one candidate; what is told of the whole set leaves it out."""
    rules = """\
  act(me):
    choose:
      pair: 1..2 in players if pair.vp > 0 or pair is not me
    do: gain 2 me.vp
"""
    why = game(tmp_path, "me may act", rules).start(1).why("act(pair=p1)")
    assert [reason.path for reason in why.reasons] == ["rules.act.choose.pair"]
    assert all("pair" not in part for part, _ in why.reasons[0].values)
