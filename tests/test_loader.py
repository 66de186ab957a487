"""Documents become the records of a game file: every section, defaults, and faults on the way."""

from __future__ import annotations

from typing import TypeVar

import pytest

from ruleset import syntax as s
from ruleset.diagnostics.diagnostic import Report
from ruleset.document import read
from ruleset.loader import Cache, load_document
from ruleset.source import Source

R = TypeVar("R", bound=s.Record)

GAME = """\
game: small
title: {en: A small game, ja: 小さなゲーム}
status: made up
players: 2..4
settled: [XX-A01]
open: [XX-A02]
information: [XX-003]
flow:
  game: {steps: [set_up, rounds]}
  set_up: {kind: set-up, do: shuffle deck, cites: [XX-001]}
  rounds: {repeat: round, times: 3, counts: game.round}
  round:
    kind: round
    each: me in players from leader
    order: live
    if: {still_on: not game.closed}
    do: me must take
  show: {together: me in players, do: me must take}
words:
  player: [me, owner]
kinds:
  colour: [red, green]
  stage: {members: [early, late], plural: stages_of_play}
options:
  leader: {type: player, default: 1}
tables:
  prizes: {2: 5, 3: 4, 4: 3, cites: [XX-002]}
map:
  ring:
    kind: space
    track: loop start, b1..b3
    sets: {far: {of: [b2..b3]}, near: {where: space is start}}
    places: {gate: b1}
zones:
  hand: {each: player, of: card, seen by: owner}
  deck: {of: card, order: pile, seen by: nobody}
  tiles: {each: space}
  top: {of: card, holds: 0..1}
  shown: {each: player, of: tile, holds: 2, live: true}
counters:
  vp: {each: player, range: 0..}
  round: {range: 1..3}
  debt: {range: -5..-1, start: -2, resets: round}
marks:
  closed: {type: flag, start: false}
  led: {type: colour or none, start: none, seen by: nobody}
pieces:
  card:
    starts: deck
    fields: {value: 1..9, act: effect(me), fits: condition(me), hues: set of colour}
    defaults: {act: nothing, fits: true}
    total: 5
    types:
      low: {copies: 3, value: 1, hues: [red, green]}
      high:
        copies: 2
        value: 9
        act: gain 1 me.vp
        starts: top
        while held:
          extra(me): {when: after take(owner), do: nothing}
          more: {modify: worth(owner), add: 1}
        gained: gain 1 owner.vp
  tile: {each: player, count: 3, sides: [up, down], stays in: space}
rules:
  take(me):
    cites: [XX-001]
    assumed: [XX-F01]
    with: {tile: first(me.shown)}
    choose: {card: in deck, pair: 2 in me.hand if card.value > 1}
    needs: {open: not game.closed}
    costs: {fee: 1 me.vp, either: [1 me.vp, 1 card in me.hand to deck]}
    do: |
      move card to me.hand
      gain 1 me.vp
    depth: 4
  worth(me): {is: me.vp, at least: 0, at most: 9, spare: kept for a variant}
  watch:
    when: [after take(me), after gain vp(me)]
    if: me.vp > 3
    over: [take]
    do: nothing
  ordered(me): {when: instead of take(me), over: chosen by me, do: do base}
  again(me): {counts as: take(me), do: nothing}
  closed: {forbid: take(me), if: game.closed}
result: {most: [vp], least: [debt], tie: shared, solo: {needs: game.round is 3}}
invariants:
  kept: {holds: true, checked: before round}
  whole: {holds: true}
labels:
  rules.take: {en: Take a card, ja: カードを取る}
"""


def load(text: str) -> tuple[s.GameFile, Report]:
    """A game file and what was said about it."""
    report = Report()
    root = read(Source("game.yaml", text), report)
    assert root is not None
    file = load_document(root, report)
    assert file is not None
    return file, report


@pytest.fixture(scope="module")
def game() -> s.GameFile:
    """The game above, which has no faults."""
    file, report = load(GAME)
    assert not report.diagnostics
    return file


def named(records: tuple[R, ...], name: str) -> R:
    """The record of a name."""
    return next(record for record in records if record.name == name)


def words(idents: tuple[s.Ident, ...]) -> list[str]:
    """The names in a list."""
    return [ident.name for ident in idents]


def test_head_of_the_file(game: s.GameFile) -> None:
    """Name, titles, players and the lists of ids stand in the game file."""
    assert (game.name, game.titles["en"], game.status) == ("small", "A small game", "made up")
    assert (game.min_players, game.max_players) == (2, 4)
    assert words(game.settled + game.open + game.information) == ["XX-A01", "XX-A02", "XX-003"]
    assert {name: kind.name for name, kind in game.words.types.items()} == {
        "me": "player",
        "owner": "player",
    }
    assert game.labels["rules.take"]["ja"] == "カードを取る"


def test_steps(game: s.GameFile) -> None:
    """Steps know what they repeat, whose turn it is, and their named conditions."""
    rounds, round_ = named(game.flow, "rounds"), named(game.flow, "round")
    assert words(named(game.flow, "game").steps) == ["set_up", "rounds"]
    assert rounds.repeat is not None
    assert rounds.repeat.name == "round"
    assert isinstance(rounds.times, s.Number)
    assert isinstance(rounds.counts, s.Attribute)
    assert round_.each is not None
    assert isinstance(round_.each.start, s.Name)
    assert round_.live
    assert [condition.name for condition in round_.conditions] == ["still_on"]
    assert named(game.flow, "show").together is not None
    assert named(game.flow, "set_up").kind == "set-up"


def test_kinds_options_tables(game: s.GameFile) -> None:
    """A kind is a list or says its plural; a table is numbers by number of players."""
    colour, stage = game.enumerations
    assert (words(colour.members), colour.plural) == (["red", "green"], "colours")
    assert (words(stage.members), stage.plural) == (["early", "late"], "stages_of_play")
    assert game.options[0].default == "1"
    assert game.tables[0].values == {2: 5, 3: 4, 4: 3}


def test_a_track(game: s.GameFile) -> None:
    """Ranges of spaces are written out, also in sets."""
    ring = game.maps[0]
    assert (ring.shape, ring.loop, ring.kind, ring.plural) == ("track", True, "space", "spaces")
    assert words(ring.spaces) == ["start", "b1", "b2", "b3"]
    far, near = ring.sets
    assert far.of is not None
    assert words(far.of) == ["b2", "b3"]
    assert near.of is None
    assert near.where is not None
    assert ring.places["gate"].name == "b1"


def test_zones(game: s.GameFile) -> None:
    """A zone says its kind or bears its name or plural; what it holds has bounds."""
    hand, deck, tiles, top, shown = game.zones
    assert [zone.of.name for zone in game.zones] == ["card", "card", "tile", "card", "tile"]
    assert (hand.seen_by, deck.order, tiles.order) == ("owner", "pile", "set")
    assert [(zone.low, zone.high) for zone in (tiles, top, shown)] == [(0, None), (0, 1), (2, 2)]
    assert isinstance(shown.live, s.Truth)


def test_counters_and_marks(game: s.GameFile) -> None:
    """A counter without a start begins at 0 or as near to it as its range allows."""
    vp, round_, debt = game.counters
    assert isinstance(vp.start, s.Number)
    assert isinstance(round_.start, s.Number)
    assert (vp.start.value, round_.start.value) == (0, 1)
    assert (debt.low, debt.high) == (-5, -1)
    assert debt.resets is not None
    assert debt.resets.name == "round"
    closed, led = game.marks
    assert isinstance(closed.start, s.Truth)
    assert isinstance(led.type, s.NamedType)
    assert (led.type.shape, led.seen_by) == ("or none", "nobody")


def test_pieces_with_types(game: s.GameFile) -> None:
    """Types have values by field, each read as its field wants it."""
    card = game.pieces[0]
    low, high = card.types
    assert (low.copies, high.copies, card.total, card.plural) == (3, 2, 5, "cards")
    assert isinstance(low.values["value"].value, s.Number)
    hues = low.values["hues"].value
    assert isinstance(hues, tuple)
    assert [ident.name for ident in hues if isinstance(ident, s.Ident)] == ["red", "green"]
    act = high.values["act"].value
    assert isinstance(act, tuple)
    assert isinstance(act[0], s.Gain)
    assert isinstance(card.defaults["act"].value, tuple)
    assert isinstance(card.defaults["fits"].value, s.Truth)
    assert high.gained is not None
    assert high.lost is None


def test_rules_of_a_held_piece(game: s.GameFile) -> None:
    """A rule that a piece brings knows the piece type, and its path goes through it."""
    extra, more = game.pieces[0].types[1].while_held
    assert isinstance(extra, s.EffectRule)
    assert isinstance(more, s.Modifier)
    assert extra.held_by == more.held_by == "card.high"
    assert extra.path == "pieces.card.types.high.while held.extra"
    assert (more.target.name, words(more.target.params)) == ("worth", ["owner"])


def test_a_kind_without_types(game: s.GameFile) -> None:
    """Such a kind has one type of its own name with all its copies."""
    tile = game.pieces[1]
    assert [(each.name, each.copies, each.path) for each in tile.types] == [
        ("tile", 3, "pieces.tile")
    ]
    assert words(tile.sides) == ["up", "down"]
    assert tile.each is not None
    assert tile.stays_in is not None


def test_an_action(game: s.GameFile) -> None:
    """All fields of an action are there, in their order."""
    take = named(game.rules, "take")
    assert isinstance(take, s.EffectRule)
    assert take.is_action
    assert (take.path, words(take.params), take.depth) == ("rules.take", ["me"], 4)
    assert (words(take.cites), words(take.assumed)) == (["XX-001"], ["XX-F01"])
    assert [name.name for name, _ in take.with_] == ["tile"]
    card, pair = take.choose
    assert (card.name, card.amount) == ("card", None)
    assert pair.amount is not None
    assert pair.clause.name == "pair"
    assert [condition.name for condition in take.needs] == ["open"]
    assert [(entry.name, len(entry.ways)) for entry in take.costs] == [("fee", 1), ("either", 2)]
    assert [type(effect) for effect in take.do] == [s.Move, s.Gain]
    assert take.name_span.text == "take"


def test_the_other_forms_of_rules(game: s.GameFile) -> None:
    """A rule is told by its fields."""
    worth, watch = named(game.rules, "worth"), named(game.rules, "watch")
    assert isinstance(worth, s.ValueRule)
    assert worth.spare
    assert isinstance(watch, s.EffectRule)
    assert [(hook.when, hook.subject, hook.name) for hook in watch.when] == [
        ("after", "rule", "take"),
        ("after", "gain", "vp"),
    ]
    assert words(watch.over) == ["take"]
    ordered = named(game.rules, "ordered")
    assert isinstance(ordered, s.EffectRule)
    assert isinstance(ordered.over_chosen_by, s.Name)
    again = named(game.rules, "again")
    assert isinstance(again, s.EffectRule)
    assert again.counts_as is not None
    closed = named(game.rules, "closed")
    assert isinstance(closed, s.Forbid)
    assert closed.target.name == "take"


def test_result_and_invariants(game: s.GameFile) -> None:
    """What decides the game, and what always holds."""
    result = game.result
    assert (words(result.most), words(result.least)) == (["vp"], ["debt"])
    assert (result.by_stop, result.shared) == (False, True)
    assert result.solo is not None
    kept, whole = game.invariants
    assert kept.step is not None
    assert (kept.moment, kept.step.name, whole.moment, whole.step) == ("before", "round", "", None)


# ------------------------------------------------------------------ maps

HEAD = """\
game: small
title: {en: Small}
players: 2
flow: {game: {do: stop game}}
result: {by: stop game}
"""


def board(text: str) -> tuple[s.MapDecl, Report]:
    """A map alone in its game."""
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    file, report = load(f"{HEAD}map:\n  town:\n    kind: site\n{indented}")
    return file.maps[0], report


def test_a_grid_is_named_by_column_and_row() -> None:
    """Cells come row by row from the bottom left, and columns go on after z with aa."""
    small, report = board("grid: 3 x 2")
    assert not report.diagnostics
    assert words(small.spaces) == ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert (small.shape, small.columns, small.rows) == ("grid", 3, 2)
    wide, _ = board("grid: 28 x 1 hex")
    assert words(wide.spaces)[-3:] == ["z1", "aa1", "ab1"]
    assert wide.shape == "hex"


def test_roads_declare_their_spaces() -> None:
    """Without a list of spaces those of the roads count, in the order in which they come."""
    town, report = board("roads:\n  streets: |\n    A1 = A2 > A3\n    A3 >p A1\nflags: {p: purple}")
    assert not report.diagnostics
    assert words(town.spaces) == ["A1", "A2", "A3"]
    assert [(road.a, road.b, road.one_way, road.flags) for road in town.roads] == [
        ("A1", "A2", False, ()),
        ("A2", "A3", True, ()),
        ("A3", "A1", True, ("p",)),
    ]


def test_fields_of_spaces() -> None:
    """A field has values by space, beside it or under `values`, and a default."""
    text = "spaces: a, b, c\nfields: {depth: 0..5, size: {a: 2, c: 4}}\n"
    town, report = board(f"{text}values: {{depth: {{b: 3}}}}\ndefaults: {{depth: 1}}")
    assert not report.diagnostics
    assert list(town.fields) == ["depth", "size"]
    size = town.fields["size"]
    assert isinstance(size, s.NumberType)
    assert (size.low, size.high) == (0, 4)
    assert {name: list(values) for name, values in town.values.items()} == {
        "depth": ["b"],
        "size": ["a", "c"],
    }
    assert list(town.defaults) == ["depth"]


# ------------------------------------------------------------------ faults


def faults(report: Report) -> list[tuple[str, str]]:
    """Codes with the words under the caret."""
    return [(d.code, d.span.text if d.span else "") for d in report.sorted()]


@pytest.mark.parametrize(
    ("text", "code", "under"),
    [
        ("spaces: a, b\nroads: {one: a = c}", "RW281", "c"),
        ("spaces: a, b\nsets: {far: {of: [a, d]}}", "RW281", "d"),
        ("spaces: a, b\nplaces: {gate: x}", "RW281", "x"),
        ("spaces: a, b\nfields: {size: {a: 1, e: 2}}", "RW281", "e"),
        ("spaces: a, b\nvalues: {size: {a: 1}}", "RW280", "size"),
        ("spaces: a, b, a", "RW282", "a"),
        ("roads: {one: a =q b}", "RW283", "q"),
        ("roads: {one: a > b = c, two: b > a}", "RW289", "b > a"),
    ],
)
def test_faults_of_maps(text: str, code: str, under: str) -> None:
    """A name that a map does not have is told once, at its place."""
    [(found, caret)] = faults(board(text)[1])
    assert (found, caret) == (code, under)


def test_a_field_that_a_kind_does_not_have() -> None:
    """A misspelt key of a type is compared with fields and with the keys of types."""
    text = "pieces: {card: {fields: {value: 1..9}, types: {low: {vlaue: 1, copeis: 2, odd: 3}}}}\n"
    _, report = load(HEAD + text)
    assert faults(report) == [("RW280", "vlaue"), ("RW280", "copeis"), ("RW280", "odd")]
    helps = [diagnostic.helps[0] for diagnostic in report.sorted()]
    assert helps[:2] == ["did you mean `value`?", "did you mean `copies`?"]
    assert "declare it" in helps[2]


def test_a_zone_of_nothing() -> None:
    """A zone whose name is no kind of piece must say what it holds."""
    _, report = load(HEAD + "pieces: {card: {count: 3}}\nzones: {hand: {each: player}}\n")
    assert faults(report) == [("RW284", "hand")]
    assert report.diagnostics[0].helps[0].endswith("`of: card`")


def test_players_need_an_end() -> None:
    """A number of players without a largest is told."""
    _, report = load(HEAD.replace("players: 2", "players: 2.."))
    assert faults(report) == [("RW285", "2..")]


def test_faults_do_not_stop_the_loading() -> None:
    """What does not parse leaves its record in place, and all faults are told."""
    text = "rules:\n  a: {is: 1 +}\n  b: {do: gain}\n  c: {is: 2}\n"
    file, report = load(HEAD + text)
    assert [rule.name for rule in file.rules] == ["a", "b", "c"]
    assert len(report.diagnostics) == 2
    broken = file.rules[0]
    assert isinstance(broken, s.ValueRule)
    assert isinstance(broken.value, s.Name)
    assert broken.value.name == ""


@pytest.mark.parametrize("wrong", ["3", "[a, b]", "{a: {b: [c]}}", ""])
@pytest.mark.parametrize(
    "section", ["flow", "rules", "pieces", "zones", "map", "marks", "words", "labels", "result"]
)
def test_wrong_shapes_never_raise(section: str, wrong: str) -> None:
    """A section of another shape (told by the shape check) is skipped."""
    load(f"game: small\n{section}: {wrong}\n")


def test_a_cache_reads_each_text_once() -> None:
    """Loading a document again with a cache shares all records."""
    report, cache = Report(), Cache()
    root = read(Source("game.yaml", GAME), report)
    assert root is not None
    first, second = (load_document(root, report, cache) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.rules[0] is second.rules[0]
    assert first.zones[0].live is second.zones[0].live


def test_a_cache_tells_faults_again() -> None:
    """A record from the cache brings its faults into the report of the moment."""
    cache = Cache()
    root = read(Source("game.yaml", HEAD + "rules: {a: {is: 1 +}}\n"), Report())
    assert root is not None
    told = []
    for _ in range(2):
        report = Report()
        load_document(root, report, cache)
        told.append([diagnostic.code for diagnostic in report.diagnostics])
    assert told[0] == told[1] != []
