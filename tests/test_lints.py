"""Checks of a game as a whole."""

from __future__ import annotations

import pytest
from small_game import SECTIONS, Checked, check

RULES = SECTIONS["rules"]
WHOLE = {
    "zones": "{hand: {each: player, of: card, seen by: owner}, pawns: {each: space}}",
    "counters": "{vp: {each: player, range: 0..9}}",
    "marks": "{ready: {each: player, type: flag, start: false}}",
    "tables": "{}",
    "words": "{player: [me]}",
    "kinds": "{colour: [red, green, blue]}",
    "pieces": """
  card:
    each: player
    starts: owner.hand
    fields: {rank: 1..3, suit: colour}
    total: 3
    types: {low: {copies: 2, rank: 1, suit: red}, high: {rank: 3, suit: blue}}
  pawn: {each: player, starts: start.pawns, stays in: space}""",
    "rules": """
  act(me):
    do: |
      gain 1 me.vp
      if any(me.hand) then set me.ready to true
  over:
    when: after act(me)
    if: me.vp >= 5 and me.ready
    do: stop game won by me""",
}


def whole(**sections: str) -> Checked:
    """A small game that has no fault as a whole, with some sections replaced."""
    return check(whole=True, **{**WHOLE, **sections})


def more(text: str, **sections: str) -> Checked:
    """The same with more rules."""
    return whole(rules=WHOLE["rules"] + "\n" + text, **sections)


def codes(checked: Checked) -> list[tuple[str, str]]:
    """Codes with the text that they stand on."""
    return [(d.code, d.span.text if d.span else "") for d in checked.found]


def test_a_good_game_has_no_fault() -> None:
    """The game that these tests change is clean."""
    assert codes(whole()) == []


@pytest.mark.parametrize(
    ("section", "text", "code", "at"),
    [
        ("players", "2..40", "RW407", "2..40"),
        ("players", "0..3", "RW407", "0..3"),
        ("labels", "{rules.axt: {en: Act}}", "RW430", "rules.axt"),
        ("counters", "{vp: {each: player, range: 0..9}, gold: {}}", "RW402", "gold"),
        ("kinds", "{colour: [red, green, blue], shape: [round_one]}", "RW402", "shape"),
        ("tables", "{stake: {2: 5, 3: 4, 4: 3}}", "RW402", "stake"),
        ("words", "{player: [me, rival]}", "RW402", "rival"),
    ],
)
def test_small_faults_of_the_whole(section: str, text: str, code: str, at: str) -> None:
    """Ranges of players, labels, and what nothing uses."""
    assert codes(whole(**{section: text})) == [(code, at)]


def test_totals_must_add_up() -> None:
    """The copies are counted against the stated total."""
    found = whole(pieces=WHOLE["pieces"].replace("copies: 2", "copies: 3")).only()
    assert found == ("RW420", "3", "4 are listed, the total says 3")


def test_zones_hold_what_starts_in_them() -> None:
    """More pieces than a zone holds at the start is a fault."""
    zones = WHOLE["zones"].replace("seen by: owner", "seen by: owner, holds: 0..2")
    assert [c for c, _ in codes(whole(zones=zones, marks=WHOLE["marks"]))][:1] == ["RW421"]


def test_zones_that_hold_one_everywhere_need_the_pieces() -> None:
    """Six spaces that hold one each want six pieces."""
    zones = WHOLE["zones"].replace("pawns: {each: space}", "pawns: {each: space, holds: 1..2}")
    assert ("RW422", "pawns") in codes(whole(zones=zones, players="2"))


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("  idle(me): {do: gain 1 me.vp}", "RW401", "idle"),
        ("  worth(me): {is: me.vp}", "RW401", "worth"),
        (
            "  late: {when: after idle(me), do: gain 1 me.vp}\n  idle(me): {do: nothing}",
            "RW401",
            "idle",
        ),
    ],
)
def test_what_nothing_reaches(text: str, code: str, at: str) -> None:
    """A rule or value that nothing leads to is a warning; what hangs on it is not told."""
    assert codes(more(text)) == [(code, at)]


def test_spare_rules_are_meant() -> None:
    """A rule that says why it is kept is not told."""
    assert codes(more("  idle(me): {do: gain 1 me.vp, spare: for later}")) == []


def test_a_circle_of_rules_needs_a_depth() -> None:
    """Rules that lead to themselves, also through hooks and pieces, are told with the way."""
    text = "  more:\n    when: after act(me)\n    if: me.vp < 3\n    do: act(me)"
    code, _, words = more(text).only()
    assert code == "RW403"
    assert "act -> more -> act" in words
    assert codes(more(text + "\n    depth: 4")) == []


def test_a_value_that_needs_itself_through_a_modifier() -> None:
    """A modifier may not need the value that it modifies."""
    text = """
  worth(me): {is: 1}
  plus: {modify: worth(me), add: worth(me)}
  use: {when: after act(me), do: "gain worth(me) me.vp"}"""
    assert "RW309" in [c for c, _ in codes(more(text))]


def test_a_step_that_repeats_needs_an_end() -> None:
    """Something that a repeated step reaches must stop it."""
    rules = "\n  act(me):\n    do: if any(me.hand) and me.vp > 1 then set me.ready to me.ready"
    found = codes(whole(rules=rules))
    assert ("RW404", "turn") in found
    assert ("RW404", "turn") not in codes(
        whole(rules=rules, flow="{game: {repeat: turn, times: 9}, "
              "turn: {kind: turn, each: me in players, do: me must act}}")
    )  # fmt: skip


def test_two_replacements_want_an_order() -> None:
    """Two rules instead of one event need `over`."""
    text = """
  first_way: {when: instead of act(me), if: me.ready, do: nothing}
  other_way: {when: instead of act(me), if: me.vp is 2, do: nothing}"""
    code, at, words = more(text).only()
    assert (code, at) == ("RW405", "instead of act(me)")
    assert "`first_way` and `other_way` both replace `act`" in words
    assert codes(more(text.replace("if: me.vp is 2", "if: me.vp is 2, over: [first_way]"))) == []
    assert codes(more(text.replace("if: me.vp is 2", "if: me.vp is 2, over: chosen by me"))) == []


def test_two_writers_of_one_mark() -> None:
    """Hooks at one moment that set the same mark are a warning."""
    text = """
  one_way: {when: after act(me), do: set me.ready to true}
  two_way: {when: after act(me), do: set me.ready to false}"""
    assert [c for c, _ in codes(more(text))] == ["RW408"]


def test_a_frame_that_is_never_under_way() -> None:
    """`stop` and `within` of what cannot be under way here are warnings."""
    text = "  idle(me): {do: gain 1 me.vp, spare: x}\n  note: {when: after act(me), do: stop idle}"
    assert codes(more(text)) == [("RW406", "idle")]
    text = "  note: {when: after act(me), if: within idle(me), do: nothing}\n"
    text += "  idle(me): {do: nothing, spare: x}"
    assert codes(more(text)) == [("RW406", "idle")]


TAKE = "  take(me):\n    choose: {card: in me.hand}\n    do: move card to me.hand"


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("me chooses here in spaces\n        move me.pawn to here.pawns", False),
        (
            "me chooses here in spaces if here is not start\n        move me.pawn to here.pawns",
            False,
        ),
        ("me chooses here in neighbours(me.pawn.space)\n        move me.pawn to here.pawns", False),
        ("me chooses n in 1..3\n        gain n me.vp", False),
        ("me chooses n in 1..me.vp\n        gain n me.vp", True),
        ("me chooses n in 1..me.vp else nothing\n        gain n me.vp", False),
        ("me chooses card in me.hand\n        move card to me.hand", True),
        ("me chooses up to 2 card in me.hand as them\n        move them to me.hand", False),
        ("me chooses 2 card in me.hand as them\n        move them to me.hand", True),
        ("me chooses p in players if p is not me\n        gain 1 p.vp", False),
    ],
)
def test_choices_that_must_be_made(text: str, empty: bool) -> None:
    """A plain choice wants a proof that there is something to choose."""
    rules = WHOLE["rules"].replace(
        "gain 1 me.vp\n", f"gain 1 me.vp\n      if me.ready\n        {text}\n"
    )
    assert ("RW410" in [c for c, _ in codes(whole(rules=rules))]) is empty


def test_offers_to_players_together() -> None:
    """Where players are asked together the way out is who is asked, since `else` is refused."""
    flow = """
  game: {repeat: turn}
  turn: {together: me in players, do: "me must one of take, other"}"""
    other = "\n  other(me):\n    needs: {some: me.vp > 2}\n    do: act(me)"
    [fault] = more(TAKE + other, flow=flow).found
    assert fault.code == "RW410"
    assert "`together me in S if me can take`" in fault.helps[0]


def test_offers_that_must_be_taken() -> None:
    """An offer is proved by an action that is always possible or by an invariant."""
    flow = """
  game: {repeat: turn}
  turn: {kind: turn, each: me in players, do: "me must one of take, other"}"""
    other = "\n  other(me):\n    needs: {some: me.vp > 2}\n    do: act(me)"
    checked = more(TAKE + other, flow=flow)
    assert [c for c, _ in codes(checked)] == ["RW410"]
    promise = "{cards: {holds: all(p in players if any(p.hand)), checked: before turn}}"
    assert codes(more(TAKE + other, flow=flow, invariants=promise)) == []
    late = promise.replace("before turn", "before other")
    assert [c for c, _ in codes(more(TAKE + other, flow=flow, invariants=late))] == ["RW410"]
    free = other.replace("\n    needs: {some: me.vp > 2}", "")
    assert codes(more(TAKE + free, flow=flow)) == []


def test_a_name_is_asked_for_once_in_a_rule() -> None:
    """Two choices of one rule under one name could not be told apart."""
    lines = ["if me.ready", "  me chooses here in spaces", "else", "  me chooses here in spaces"]
    text = "\n".join(f"      {line}" for line in lines)
    found = codes(more(f"  twice:\n    when: after act(me)\n    do: |\n{text}"))
    assert ("RW411", "here") in found


def test_a_step_inside_itself() -> None:
    """Steps that contain each other are told as such."""
    flow = "{game: {steps: [one]}, one: {steps: [two]}, two: {steps: [one, act_all]}, "
    flow += "act_all: {each: me in players, do: me must act}}"
    found = whole(flow=flow).found
    assert [d.message for d in found if d.code == "RW403"] == [
        "a step cannot be inside itself: one -> two -> one"
    ]


def test_offers_read_only_what_the_player_sees() -> None:
    """A need may not look into another player's hand; how many cards lie there it may ask."""
    need = "  look(me):\n    needs: {seen: NEED}\n    do: gain 1 me.vp\n"
    ask = "  ask: {when: after act(me), do: me may look}"
    hidden = "any(card in next(me).hand if card.rank > 2)"
    assert codes(more(need.replace("NEED", hidden) + ask)) == [("RW431", "next(me).hand")]
    assert codes(more(need.replace("NEED", "count(next(me).hand) > 2") + ask)) == []
    assert codes(more(need.replace("NEED", "any(card in me.hand if card.rank > 2)") + ask)) == []


def test_a_result_that_is_never_given() -> None:
    """Where `stop game` decides, something that is reached must say it."""
    rules = "\n  act(me):\n    do: if any(me.hand) and me.vp > 1 then set me.ready to true"
    flow = "{game: {steps: [turn]}, turn: {kind: turn, each: me in players, do: me must act}}"
    assert [c for c, _ in codes(whole(rules=rules, flow=flow))] == ["RW432"]


def test_all_faults_in_one_run() -> None:
    """Several faults of one file are all told, by place."""
    checked = more("  idle(me): {do: nothing}", counters="{vp: {each: player}, gold: {}}")
    assert {c for c, _ in codes(checked)} == {"RW401", "RW402"}


@pytest.mark.parametrize("name", ["rabbit_race", "tic_tac_toe", "connect_four"])
def test_the_games_are_clean(name: str) -> None:
    """The games of this repository have no fault of names, types or as a whole."""
    from pathlib import Path

    import ruleset

    path = Path(__file__).parent.parent / "games" / f"{name}.yaml"
    found = [d for d in ruleset.check(str(path)).sorted() if d.code[:3] in ("RW2", "RW3", "RW4")]
    assert [(d.code, d.message) for d in found] == []


PILE = """
  hand: {each: player, of: card, seen by: owner}
  deck: {of: card, order: pile, seen by: nobody}
  pawns: {each: space}"""
DEALING = """
  deal(me): {do: draw 1 from deck to me.hand}
  dealing: {when: before act(me), do: deal(me)}"""


def dealt(
    zones: str = PILE, more_rules: str = "", copies: str = "high: {rank: 3, suit: blue}"
) -> Checked:
    """A game that draws from a pile."""
    pieces = (
        WHOLE["pieces"].replace("owner.hand", "deck").replace("high: {rank: 3, suit: blue}", copies)
    )
    return more(
        (DEALING + more_rules).lstrip("\n"),
        zones=zones,
        pieces=pieces.replace("    total: 3\n", "").replace(
            "    each: player\n    starts: deck", "    starts: deck"
        ),
    )


def test_a_hidden_pile_that_nothing_shuffles_gets_a_warning() -> None:
    """It is dealt in the order of the file, which is told at the first draw."""
    code, text, message = dealt().only()
    assert (code, text) == ("RW433", "deck")
    assert message.startswith("nothing shuffles `deck`")


@pytest.mark.parametrize(
    ("zones", "more_rules", "copies"),
    [
        (PILE, "\n  mix: {when: before game, do: shuffle deck}", "high: {rank: 3, suit: blue}"),
        (PILE.replace("pile", "bag"), "", "high: {rank: 3, suit: blue}"),
        (PILE.replace(", seen by: nobody", ""), "", "high: {rank: 3, suit: blue}"),
        (PILE, "", "high: {rank: 3, suit: blue, starts: box}"),
    ],
    ids=["shuffled", "bag", "open", "alike"],
)
def test_piles_that_are_dealt_as_is_meant(zones: str, more_rules: str, copies: str) -> None:
    """A pile that is shuffled, a bag, an open pile, and a pile of alike pieces are fine."""
    assert codes(dealt(zones, more_rules, copies)) == []


ASKING = """
  take(me):
    costs:
      fee:
        - 1 me.vp
        - 1 card in me.hand
    do: |
      me chooses card in me.hand else nothing
      move card to box
  rest(me): {do: nothing}
  offers:
    when: after act(me)
    do: |
      me may one of take, rest
      together player in players do player may rest"""


def test_ids_of_questions_are_paths_of_labels() -> None:
    """What `dump` and the interpreter call a question can have a label; so can a price."""
    paths = (
        *("rules.take.costs.fee", "rules.take.fee", "rules.take.fee.way", "rules.take.card"),
        *("rules.offers.may.take|rest", "rules.offers.together.rest", "flow.turn.must.act"),
    )
    labels = "{" + ", ".join(f"{path}: {{en: Which}}" for path in paths) + "}"
    assert codes(more(ASKING.lstrip("\n"), labels=labels)) == []
    wrong = "{rules.offers.may.take|rust: {en: Which}}"
    found = more(ASKING.lstrip("\n"), labels=wrong).only()
    assert found[0] == "RW430"
    assert "rules.offers.may.take|rest" in found[2]


SECRET = """
  ready: {each: player, type: flag, start: false}
  aim: {each: player, type: 0..6, start: 0, seen by: owner}"""
CASTING = """
  cast(me):
    do: |
      roll n in 1..6
      set me.aim to n + 0
  casting: {when: after act(me), do: cast(me)}
  told: {when: before act(me), if: me.aim > 3, do: gain 1 me.vp}"""


def test_a_secret_that_is_rolled_openly_gets_a_warning() -> None:
    """A number that chance gives is seen by all, so a mark that keeps it is no secret."""
    code, text, message = more(CASTING.lstrip("\n"), marks=SECRET).only()
    assert (code, text) == ("RW434", "n")
    assert "`aim` is no secret" in message
    assert codes(more(CASTING.lstrip("\n"), marks=SECRET.replace(", seen by: owner", ""))) == []
