"""Effects, offers, calls, and the records that hold them."""

from __future__ import annotations

import pytest
from small_game import SECTIONS, check, effect, rule


@pytest.mark.parametrize(
    ("text", "code", "at", "words"),
    [
        ("set me.vp to 5", "RW340", "me.vp", "is a counter"),
        ("gain 1 me.ready", "RW340", "me.ready", "is a mark"),
        ("gain me.hue me.ready", "RW340", "me.ready", "is a mark"),
        ("gain 0 - 2 me.vp", "RW346", "0 - 2", "negative amount"),
        ("gain 1 me.hand", "RW340", "me.hand", "is a zone"),
        ("gain me.hand me.vp", "RW301", "me.hand", "expected a number, found a set of card"),
        ("gain 1 players.vp", "RW310", "players", "expected one thing"),
        ("gain 1 me.held.holder.vp", "RW303", "me.held.holder", "may be none"),
        ("set me.ready to 1", "RW304", "1", "expected a condition, found a number"),
        ("set me.hue to none", "RW349", "none", "may not"),
        ("set me.hue to me.vp", "RW301", "me.vp", "expected a colour, found a number"),
        ("move me.hand to me", "RW341", "me", "expected a zone, found a player"),
        ("move start to me.hand", "RW343", "start", "expected a piece, found a space"),
        ("move me.held to me.vp", "RW341", "me.vp", "expected a zone, found a number"),
        ("move me.held to me.hand", "RW342", "me.hand", "holds card, this is an item"),
        ("move rope to me.held", "RW343", "rope", "with several copies"),
        ("move first(me.shown) to me.hand", "RW303", "first(me.shown)", "may be none"),
        ("move me.hand to players.shown", "RW310", "players", "expected one thing"),
        ("move me.hand to me.shown at me", "RW344", "me", "expected `left`"),
        ("move me.shown to me.hand at left", "RW344", "left", "has no ends"),
        ("swap me with lamp", "RW343", "me", "expected a piece, found a player"),
        ("swap lamp with me.pawn", "RW342", "me.pawn", "cannot change places"),
        ("draw 1 from me.hand to me.shown", "RW344", "me.hand", "which one?"),
        ("draw 1 from secret to me.held", "RW342", "me.held", "holds item"),
        ("shuffle market", "RW344", "market", "no order"),
        ("flip lamp to red", "RW345", "lamp", "no sides"),
        ("do base", "RW347", "do base", "nothing is replaced here"),
        ("stop turn won by me", "RW348", "turn", "only the game is won"),
        ("stop game won by start", "RW323", "start", "only players can win"),
        ("start must act", "RW323", "start", "only a player can be asked, this is a space"),
        ("players must act", "RW323", "players", "one player is asked at a time"),
        ("me must act(me)", "RW321", "act(me)", "besides the player"),
        ("act(me, me)", "RW321", "act(me, me)", "`act(me)` takes 1, this gives 2"),
        ("act(start)", "RW322", "start", "`me` is a player, this is a space"),
        ("me must one of act, act", "RW353", "act", "offered twice"),
        ("me chooses 3..1 card in me.hand as them", "RW346", "3..1", "no number is from 3 to 1"),
        ("repeat 0 times do nothing", "RW346", "0", "never happens"),
        ("for card in me.hand from me do nothing", "RW351", "me", "`from` is a seat"),
        ("together p in players do me must act", "RW351", "me", "asks `p`"),
        ("let x = none", "RW354", "none", "no type"),
        ("lamp.play(me)", "RW224", "play", "item has no code `play`"),
        ("eliminate start", "RW301", "start", "expected a player"),
    ],
)
def test_effects(text: str, code: str, at: str, words: str) -> None:
    """Each effect wants the right kind of thing; the fault stands on what is wrong."""
    found = effect(text).only()
    assert found[:2] == (code, at)
    assert words in found[2]


@pytest.mark.parametrize(
    "text",
    [
        "me chooses up to 2 card in me.hand if card.rank > 1 as them\nmove them to me.shown",
        "me chooses card in me.hand else nothing\nmove card to me.shown at left",
        "for p in players if p is not me from me do gain 1 p.vp",
        "for card in me.hand chosen by me do card.play(me)",
        "repeat until me.vp > 3 at most 9 times do act(me)",
        "together p in players do p must act",
        "roll here in spaces\nmove me.pawn to here.pawns",
        "pay 1 me.vp to next(me).vp",
        "reveal me.hand to next(me)",
        "draw 1 from secret to me.hand",
        "set game.led to red\nset game.led to none",
        "stop game won by those(p in players if p.vp is 9)",
        "stop game drawn",
    ],
)
def test_effects_that_are_right(text: str) -> None:
    """Good effects have no fault."""
    assert effect(text).codes == []


def test_an_action_is_offered_and_never_called() -> None:
    """Calling what asks or costs something says who should be asked."""
    rules = SECTIONS["rules"] + (
        "\n  take(me):\n    choose: {card: in me.hand}\n    do: move card to me.shown"
        "\n  wrong(me):\n    do: take(me)"
    )
    code, at, words = check(rules=rules).only()
    assert (code, at) == ("RW223", "take(me)")
    assert "asks or costs something: say who is asked" in words


def test_an_action_begins_with_its_player() -> None:
    """What chooses must say which player does."""
    found = rule("choose: {here: in spaces}\ndo: nothing", "probe(here_)").found
    assert "RW350" in [d.code for d in found]


def test_choices_of_an_action_see_the_ones_before() -> None:
    """A key of `choose` is a name for the next keys, the needs, the costs and the effects."""
    body = (
        "choose:\n  card: in me.hand if card.rank < 3\n  here: in spaces if here is not start\n"
        "needs: {cheap: card.rank <= me.vp}\ncosts: {price: card.rank me.vp to next(me).vp}\n"
        "do: move card to me.shown"
    )
    assert rule(body).codes == []


def test_an_amount_under_choose_gives_a_set() -> None:
    """With an amount the key is a candidate in the condition and the chosen set afterwards."""
    assert (
        rule("choose: {pair: 2 in me.hand if pair.rank < 3}\ndo: move pair to me.shown").codes == []
    )
    body = "choose: {pair: 2 in me.hand}\ndo: gain pair.rank me.vp"
    assert rule(body).only()[:2] == ("RW301", "pair.rank")


def test_rules_of_pieces_know_owner_and_piece() -> None:
    """A rule that a piece brings has its holder as `owner` and itself by its kind."""
    pieces = SECTIONS["pieces"].replace(
        "lamp: {}",
        "lamp: {while held: {glow: {when: after act(owner), do: move item to owner.held}}}",
    )
    assert check(pieces=pieces).codes == []
    wrong = pieces.replace("move item to owner.held", "move item to me.held")
    assert check(pieces=wrong).only()[:2] == ("RW201", "me")


def test_together_in_the_flow_only_asks() -> None:
    """A simultaneous step asks the player of its clause and does nothing else."""
    flow = """
  game: {steps: [all_at_once]}
  all_at_once: {together: me in players, do: act(me)}"""
    assert check(flow=flow).only()[:2] == ("RW351", "act(me)")


def test_steps_name_steps_or_rules_without_parameters() -> None:
    """A rule with a parameter is no step."""
    assert check(flow="{game: {steps: [act]}}").only()[:2] == ("RW232", "act")
    assert check(flow="{game: {steps: [acct]}}").only()[0] == "RW204"


def test_modifiers_and_bans_fit_their_targets() -> None:
    """A modifier adds to numbers, and only actions are forbidden."""
    rules = SECTIONS["rules"] + "\n  worth(me): {is: me.ready}\n  more: {modify: worth(me), add: 1}"
    assert check(rules=rules).only()[0] == "RW355"
    assert rule("forbid: worht(me)\nif: me.ready", "ban").only()[0] == "RW204"


def test_everything_is_typed() -> None:
    """The facts know the type of each expression and the meaning of each name of a good game."""
    checked = check()
    assert checked.codes == []
    assert all(found is not None for found in checked.facts.types.values())
    assert checked.facts.params["rules.act"].keys() == {"me"}


@pytest.mark.parametrize(("times", "codes"), [("8", []), ("9", ["RW307"]), ("me_too", ["RW201"])])
def test_a_counter_of_passes_has_room_for_them(times: str, codes: list[str]) -> None:
    """A step that repeats more often than its counter can count is told where it says so."""
    flow = f"""
  game: {{repeat: round, times: {times}, counts: game.passes}}
  round: {{steps: [turn]}}
  turn: {{kind: turn, each: me in players, do: me must act}}"""
    counters = SECTIONS["counters"] + "\n  passes: {range: 0..8}"
    assert check(flow=flow, counters=counters).codes == codes
