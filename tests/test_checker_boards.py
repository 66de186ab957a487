"""Places, lists, prices of one piece for each, parts of prices: what they are, what is refused."""

from __future__ import annotations

import pytest
from small_game import SECTIONS, Checked, check
from test_lints import WHOLE

from ruleset.syntax import Action, CostEach, EffectRule, Ident, Substitute
from ruleset.types import (
    BuiltIn,
    FieldRef,
    Local,
    Member,
    Members,
    NumberT,
    PlacesOf,
    Ref,
    RuleRef,
    SetT,
    TableRef,
    ThingT,
    Type,
)

BOARD = {
    "kinds": "{colour: [red, green, blue]}",
    "words": "{player: [me, other], space: [here, goal]}",
    "map": """
  board:
    kind: space
    track: "loop start, c1..c5"
    sets:
      docks: {of: [c1, c2]}
      far:   {where: space is not start}
    places: {harbour: c3}
    drawing: |
      start c1 c2
      c5    c4 c3""",
    "places": """
  slot:
    each: player
    fields: {hue: colour, lock: colour or none}
    defaults: {lock: none}
    types: {open: {hue: red}, shut: {hue: green, lock: green, copies: 2}}
    total: 3
  reward:
    each: docks
    fields: {worth: 0..9}
    types: {top: {at: c1, worth: 5}, low: {copies: 2, worth: 1}}
  gate: {each: space}""",
    "zones": SECTIONS["zones"]
    + """
  kept:    {each: slot, of: card, holds: 0..1}
  filled:  {each: reward, of: item, holds: 0..2}""",
    "pieces": """
  card:
    each: player
    starts: owner.hand
    fields: {rank: 1..3, suit: colour, takes: list of colour, face: list of action}
    defaults: {face: ()}
    types:
      low:  {copies: 2, rank: 1, suit: red, takes: [red, red], face: [sell, act, sell]}
      high: {rank: 3, suit: blue, takes: "(blue, green)"}
  item:
    starts: market
    in play: stake
    types: {lamp: {copies: 5}, rope: {copies: 5}}
  pawn: {each: player, starts: start.pawns, stays in: space}""",
    "rules": SECTIONS["rules"]
    + """
  sell(me):
    choose: {item: in market}
    do: move item to box
  build(me):
    costs:
      stones: for colour in colours pay card in me.hand if card.suit is colour to me.shown
      fee: 1 me.vp
    do: nothing
  cheaper: {replace: 1 of build(me).stones, by: 2 me.vp, if: me.ready}
""",
}


def board(**sections: str) -> Checked:
    """The small game with boards, lists and prices, and some sections replaced."""
    return check(whole=False, **{**BOARD, **sections})


def rule(body: str, header: str = "probe(me)") -> Checked:
    """One rule more in that game."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return board(rules=f"{BOARD['rules']}\n  {header}:\n{lines}")


def test_the_game_has_no_fault() -> None:
    """Places, lists, prices and parts of prices check clean."""
    assert board().found == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("nth(me.slots, 2)", ThingT("slot", True)),
        ("players.slots", SetT("slot")),
        ("slots", SetT("slot")),
        ("first(me.slots).hue", ThingT("colour", True)),
        ("first(me.slots).lock", ThingT("colour", True)),
        ("first(me.slots).owner", ThingT("player", True)),
        ("me.slots.kept", SetT("card")),
        ("first(me.hand).slot", ThingT("slot", True)),
        ("first(me.hand).slot.owner.vp", NumberT(0, 9, True)),
        ("nth(c1.rewards, 1)", ThingT("reward", True)),
        ("c5.rewards.worth", SetT("number")),
        ("first(rewards).space", ThingT("space", True)),
        ("count(me.slots)", NumberT(0, 12)),
        ("count(rewards)", NumberT(0, 5)),
        ("count(gates)", NumberT(0, 6)),
        ("harbour", ThingT("space")),
        ("count(first(me.hand).takes)", NumberT(0, 2)),
        ("first(first(me.hand).takes)", ThingT("colour", True)),
        ("those(c in first(me.hand).takes if c is red)", SetT("colour")),
        ("sum(1 for c in first(me.hand).takes)", NumberT(0)),
        ("count(a in first(me.hand).face if a is sell)", NumberT(0, 3)),
    ],
)
def test_the_type_of_an_expression(text: str, found: Type) -> None:
    """Attributes of places and lists have the types that their declarations give them."""
    checked = rule(f"is: {text}")
    assert checked.codes == []
    assert checked.facts.values["probe"] == found


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("me.slots", PlacesOf("slot")),
        ("slots", Members("slot")),
        ("first(slots).owner", BuiltIn("owner")),
        ("first(rewards).space", BuiltIn("space_of")),
        ("first(slots).hue", FieldRef("slot", "hue")),
        ("harbour", Member("space", "c3")),
    ],
)
def test_what_a_name_refers_to(text: str, ref: Ref) -> None:
    """Names of places, and of spaces with a second name, have references of their own."""
    checked = rule(f"is: {text}")
    value = checked.file.rules[-1]
    assert checked.facts.refs[value.value] == ref  # type: ignore[union-attr]


def test_records_of_places() -> None:
    """A place record keeps whose it is, its copies, its values, and the space it is on."""
    checked = board()
    slot, reward, gate = checked.file.places
    assert (slot.plural, slot.each.name, slot.total) == ("slots", "player", 3)
    assert [(t.name, t.copies) for t in slot.types] == [("open", 1), ("shut", 2)]
    assert [t.at.name if t.at else None for t in reward.types] == ["c1", None]
    assert [(t.name, t.copies) for t in gate.types] == [("gate", 1)]
    assert checked.facts.refs[reward.types[0].at] == Member("space", "c1")


def test_lists_are_names_however_they_are_written() -> None:
    """A list in YAML's brackets and one in round brackets give the same: names with a meaning."""
    checked = board()
    low, high = checked.file.pieces[0].types
    for each, names in ((low, ["red", "red"]), (high, ["blue", "green"])):
        value = each.values["takes"].value
        assert isinstance(value, tuple)
        assert [item.name for item in value if isinstance(item, Ident)] == names
        assert [checked.facts.refs[item] for item in value] == [Member("colour", n) for n in names]
    face = low.values["face"].value
    assert isinstance(face, tuple)
    assert checked.facts.refs[face[1]] == Member("action", "act")
    assert checked.codes == []


def test_an_action_of_a_list_can_be_offered() -> None:
    """`me may action` refers to the bound name."""
    checked = rule("do: for action in card.face do me may action", "probe(me, card)")
    assert checked.codes == []
    offers = [node for node in checked.facts.refs if isinstance(node, Action)]
    assert [checked.facts.refs[node] for node in offers if node.name == "action"] == [Local()]


def test_prices_and_their_parts() -> None:
    """A price for each of several keeps two clauses; what replaces a part keeps its action."""
    checked = board()
    build = next(r for r in checked.file.rules if r.name == "build")
    assert isinstance(build, EffectRule)
    (way,) = build.costs[0].ways
    assert isinstance(way, CostEach)
    assert (way.item.name, way.piece.name) == ("colour", "card")
    cheaper = checked.file.rules[-1]
    assert isinstance(cheaper, Substitute)
    assert (cheaper.target.name, cheaper.cost.name) == ("build", "stones")
    assert cheaper.amount is not None
    assert checked.facts.patterns[cheaper.target] == RuleRef("build")
    item = checked.file.pieces[1]
    assert item.in_play is not None
    assert checked.facts.refs[item.in_play] == TableRef("stake")


def test_a_piece_can_replace_a_part_of_a_price() -> None:
    """`replace` may stand under `while held`, where `owner` is bound; `all of` has no number."""
    pieces = BOARD["pieces"].replace(
        "lamp: {copies: 5}",
        "lamp: {copies: 5, while held: {cheap: {replace: all of build(owner).stones, "
        'by: [1 owner.vp, "1 x in market"]}}}',
    )
    checked = board(pieces=pieces)
    assert checked.codes == []
    (held,) = checked.file.pieces[1].types[0].while_held
    assert isinstance(held, Substitute)
    assert (held.amount, len(held.ways), held.held_by) == (None, 2, "item.lamp")


def test_drawings_are_rows() -> None:
    """A drawing gives rows of spaces; a dot is a gap."""
    checked = board(map=BOARD["map"].replace("c5    c4 c3", "c5 c4 .  # the last\n      . c3"))
    (town,) = checked.file.maps
    assert [[space.name if space else "" for space in row] for row in town.drawing] == [
        ["start", "c1", "c2"],
        ["c5", "c4", ""],
        ["", "c3"],
    ]


PLACES = [
    ("slot: {each: card}", "RW367", "card", "cannot lie on `card`"),
    ("slot: {each: spaces}", "RW367", "spaces", "did you mean `space`?"),
    ("slot: {each: dokcs}", "RW367", "dokcs", "did you mean `docks`?"),
    ("slot: {each: far}", "RW367", "far", "found by a condition"),
    ("slot: {each: player, types: {a: {at: c1}}}", "RW367", "c1", "`at` names a space"),
    ("reward: {each: docks, types: {a: {at: c3}}}", "RW367", "c3", "has no places `reward`"),
    ("slot: {each: player, fields: {worth: 0..9}}", "RW362", "slot", "`worth`"),
    (
        "slot: {each: player, fields: {owner: flag}, defaults: {owner: true}}",
        "RW213",
        "flag",
        "has `owner` already",
    ),
    (
        "slot: {each: space, fields: {space: flag}, defaults: {space: true}}",
        "RW213",
        "flag",
        "has `space` already",
    ),
    ("slot: {each: player, plural: hand}", "RW213", "slot", "called `hand` already"),
    ("slot: {each: player, fields: {hue: colour}, types: {a: {hue: redd}}}", "RW201", "redd", ""),
    ("slot: {each: player, fields: {hue: color}, types: {a: {hue: red}}}", "RW204", "color", ""),
    ("card: {each: player}", "RW213", "card", "declared"),
]


@pytest.mark.parametrize(("text", "code", "at", "words"), PLACES)
def test_faults_of_places(text: str, code: str, at: str, words: str) -> None:
    """Places that cannot be are told once, at the very word."""
    checked = check(
        places=f"\n  {text}", map=BOARD["map"], words=SECTIONS["words"], zones=SECTIONS["zones"]
    )
    found = checked.only()
    assert found[:2] == (code, at)
    assert words in found[2] + " ".join(checked.found[0].helps)


def test_totals_of_places() -> None:
    """A total of places is for each player or space."""
    places = "\n  slot: {each: player, types: {a: {copies: 2}}, total: 3}"
    checked = check(whole=True, **{**WHOLE, "places": places})
    assert ("RW420", "2 are listed for each player, the total says 3") in [
        (d.code, d.message) for d in checked.found
    ]


DRAWINGS = [
    ("start c1 c2\n      c5 c4", "RW286", "lacks `c3`"),
    ("start c1 c2\n      c5 c4 c33", "RW281", "no space `c33`"),
    ("start c1 c2\n      c5 c4 c4", "RW282", "`c4` comes twice"),
]


@pytest.mark.parametrize(("text", "code", "words"), DRAWINGS)
def test_faults_of_drawings(text: str, code: str, words: str) -> None:
    """A drawing has each space once; a wrong name is one fault."""
    from ruleset.diagnostics.diagnostic import Report
    from ruleset.document import read
    from ruleset.loader import load_document
    from ruleset.source import Source

    report = Report()
    board_text = BOARD["map"].replace("start c1 c2\n      c5    c4 c3", text)
    root = read(Source("game.yaml", f"game: g\nmap:{board_text}\n"), report)
    assert root is not None
    load_document(root, report)
    (fault,) = report.diagnostics
    assert fault.code == code
    assert words in fault.message


LISTS = [
    ("is: red in card.takes", "RW366", "card.takes", "is a list"),
    ("is: card.takes is (red, red)", "RW366", "card.takes", "is a list"),
    ("do: let x = card.takes", "RW366", "card.takes", "those(x in card.takes)"),
    ("do: me chooses x in card.takes else nothing", "RW366", "card.takes", "is a list"),
    ("do: for x in card.takes chosen by me do nothing", "RW366", "card.takes", "is a list"),
    ("do: roll x in card.takes", "RW366", "card.takes", "is a list"),
    ("is: me.hand.takes", "RW366", "takes", "is a set"),
    ("is: stretch(x in card.takes if x is red)", "RW366", "card.takes", "is a list"),
    ("do: for x in card.takes do gain 1 x.vp", "RW202", "vp", ""),
    (
        "do: for action in card.face do me must one of action, sell",
        "RW371",
        "action",
        "other offers",
    ),
    ("do: for action in card.face do me may action(card)", "RW371", "action(card)", "no arguments"),
    ("is: any(a in card.face if me can a)", "RW371", "a", "after `can`"),
    ("do: for action in card.face do sell(me)", "RW223", "sell(me)", ""),
]


@pytest.mark.parametrize(("text", "code", "at", "words"), LISTS)
def test_faults_of_lists(text: str, code: str, at: str, words: str) -> None:
    """A list where it has no meaning is told once, with the way out."""
    checked = rule(text, "probe(me, card)")
    found = checked.only()
    assert found[:2] == (code, at)
    assert words in found[2] + " ".join(checked.found[0].helps)


FIELDS = [
    ("face: [sel, act]", "RW369", "sel", "did you mean `sell`?"),
    ("face: [over]", "RW369", "over", "is a hook"),
    ("face: [turn]", "RW369", "turn", "is a step of the flow"),
    ("face: [worth]", "RW369", "worth", "is a value"),
    ("face: [stow]", "RW369", "stow", "takes the player and nothing else"),
    ("takes: [red, bleu]", "RW204", "bleu", "did you mean `blue`?"),
    ("takes: 3", "RW366", "3", "expected a list of colour"),
    ("takes: (red, me.hue)", "RW366", "(red, me.hue)", "expected a list of colour"),
]


@pytest.mark.parametrize(("text", "code", "at", "words"), FIELDS)
def test_faults_of_listed_names(text: str, code: str, at: str, words: str) -> None:
    """A name that cannot stand in a list is told at the name."""
    name, _, value = text.partition(": ")
    first = "[red, red]" if name == "takes" else "[sell, act, sell]"
    if "(" in value:
        value = f'"{value}"'
    more = "  worth(me): {is: 1}\n  stow(me, card): {do: nothing}\n"
    checked = board(pieces=BOARD["pieces"].replace(first, value), rules=BOARD["rules"] + more)
    code_, at_, message = checked.only()
    assert (code_, at_.strip('"')) == (code, at)
    assert words in message + " ".join(checked.found[0].helps)


TYPES = [
    ("marks", "plan: {type: set of action, start: ()}", "RW219", "set of action"),
    ("marks", "plan: {type: list of colour, start: ()}", "RW366", "list of colour"),
    ("options", "mode: {type: list of colour, default: red}", "RW366", "list of colour"),
]


@pytest.mark.parametrize(("section", "text", "code", "at"), TYPES)
def test_only_fields_are_lists(section: str, text: str, code: str, at: str) -> None:
    """A mark or an option can neither be a list nor an action."""
    own = SECTIONS[section] if SECTIONS[section] != "{}" else ""
    assert board(**{section: f"{own}\n  {text}"}).only()[:2] == (code, at)


PRICES = [
    ("for c in colours pay x in players", "RW343", "players"),
    ("for c in colours pay card in me.hand if card.suit is me", "RW302", "card.suit is me"),
    ("for c in colours pay card in me.hand to market", "RW342", "market"),
    ("for c in me.vip pay card in me.hand", "RW202", "vip"),
]


@pytest.mark.parametrize(("text", "code", "at"), PRICES)
def test_faults_of_prices(text: str, code: str, at: str) -> None:
    """A price of one piece for each member wants a set, and pieces."""
    found = rule(f"costs: {{p: {text}}}\ndo: nothing").only()
    assert found[:2] == (code, at)


PARTS = [
    ("{replace: 1 of bild(me).stones, by: 1 me.vp}", "RW204", "bild", "did you mean `build`?"),
    ("{replace: 1 of stake(me).stones, by: 1 me.vp}", "RW204", "stake", ""),
    ("{replace: 1 of over(me).stones, by: 1 me.vp}", "RW232", "over", "paid otherwise"),
    ("{replace: 1 of build(me).stone, by: 1 me.vp}", "RW370", "stone", "did you mean `stones`?"),
    ("{replace: 1 of build(me).fee, by: 1 me.vp}", "RW370", "fee", "not paid in pieces"),
    ("{replace: 0 of build(me).stones, by: 1 me.vp}", "RW370", "0", "replaces nothing"),
    ("{replace: 1 of build(me).stones, by: 1 other.vp}", "RW201", "other", ""),
    ("{replace: 1 of build.stones, by: 1 me.vp}", "RW331", "build", ""),
    (
        "{replace: 1 of build(me).stones, by: for c in colours pay card in me.hand}",
        "RW370",
        "for c in colours pay card in me.hand",
        "by one price",
    ),
]


@pytest.mark.parametrize(("text", "code", "at", "words"), PARTS)
def test_faults_of_parts_of_prices(text: str, code: str, at: str, words: str) -> None:
    """A part of a price that cannot be replaced is told at the name that is wrong."""
    checked = board(rules=f"{BOARD['rules']}  probe: {text}\n")
    found = checked.only()
    assert found[:2] == (code, at)
    assert words in found[2] + " ".join(checked.found[0].helps)


IN_PLAY = [
    ("in play: stak", "RW204", "did you mean `stake`?"),
    ("in play: stake, types: {lamp: {copies: 4}}", "RW368", "puts 5 of each type in play"),
    ("in play: few, types: {lamp: {}}", "RW368", "expected 0 or more"),
]


@pytest.mark.parametrize(("text", "code", "words"), IN_PLAY)
def test_faults_of_pieces_in_play(text: str, code: str, words: str) -> None:
    """A table of pieces in play exists and asks for no more than there are."""
    checked = check(
        tables="{stake: {2: 5, 3: 4, 4: 3}, few: {2: 1, 3: 0, 4: -1}}",
        pieces=f"{SECTIONS['pieces'].split('  item:')[0]}  item: {{starts: market, {text}}}\n"
        "  pawn: {each: player, starts: start.pawns, stays in: space}",
    )
    found = checked.only()
    assert found[0] == code
    assert words in found[2]


def test_pieces_in_play_start_somewhere() -> None:
    """Pieces that are in play by a table need a zone to start in."""
    pieces = BOARD["pieces"].replace("    starts: market\n", "")
    assert board(pieces=pieces).only()[:2] == ("RW368", "stake")


@pytest.mark.parametrize("where", ["step", "effect"])
def test_a_secret_choice_takes_one_thing(where: str) -> None:
    """An action that chooses several cannot be asked of players together."""
    rules = BOARD["rules"] + "  bid(me):\n    choose: {card: 2 in me.hand}\n    do: nothing\n"
    flow = SECTIONS["flow"]
    if where == "step":
        flow += "\n  bids: {together: me in players, do: me must bid}"
    else:
        rules += "  bids: {do: together me in players do me must bid}\n"
    checked = board(flow=flow, rules=rules)
    code, at, message = checked.only()
    assert (code, at) == ("RW219", "bid")
    assert "chooses several at once" in message


@pytest.mark.parametrize(("asked", "beside"), [(2, 1), (1, 2)])
def test_what_counts_as_a_secret_choice_asks_one_thing_too(asked: int, beside: int) -> None:
    """Where another action counts as it, neither may ask two things in secret."""
    choices = ["{card: in me.hand}", "{card: in me.hand, second: in me.hand}"]
    rules = BOARD["rules"] + (
        f"  bid(me):\n    choose: {choices[asked - 1]}\n    do: nothing\n"
        f"  call(me):\n    counts as: bid(me)\n    choose: {choices[beside - 1]}\n    do: nothing\n"
    )
    flow = SECTIONS["flow"] + "\n  bids: {together: me in players, do: me must bid}"
    code, at, message = board(flow=flow, rules=rules).only()
    assert (code, at) == ("RW219", "bid")
    assert f"`{'bid' if asked == 2 else 'call'}`, which asks 2 things" in message
