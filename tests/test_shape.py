"""The shape of files: every fault of keys and values, at its place, with a way out."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ruleset.diagnostics.codes import codes, explanation
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.document import read
from ruleset.schema import What, schema
from ruleset.shape import check_shape
from ruleset.source import Source

_GAME = """\
game: g
title: {en: G}
players: 2..4
flow:
  game: {do: nothing}
result: {by: stop game}
"""


def _check(text: str, what: What = "game") -> list[Diagnostic]:
    report = Report()
    node = read(Source("f.yaml", text), report)
    assert node is not None
    assert check_shape(node, report, what) == report.ok
    return report.sorted()


def _faults(text: str, what: What = "game") -> list[tuple[str, str, str]]:
    """Code, marked text and record of every fault."""
    return [(d.code, d.span.text, d.within) for d in _check(text, what) if d.span]


def test_a_whole_game_has_the_right_shape() -> None:
    """A file with one of everything passes."""
    text = (
        _GAME
        + """\
status: s
source: a rulebook
words: {player: [me, owner], card: [prize]}
kinds: {colour: [red, Blue], lady: {members: [ann], plural: ladies}}
options: {short: {type: flag, default: false}}
tables: {hand_size: {2: 7, 3: 6}}
map:
  town: {kind: place, flags: {t: toll}, roads: {ring: A1 = A2 > A3}, places: {home: A1}}
  board: {kind: cell, grid: 7 x 6, sets: {low: {where: cell.row is 1}, few: {of: [a1]}}}
  course:
    kind: space
    track: loop start, c1..c5
    fields: {toll: 0..3, fee: {type: 0..3, values: {c1: 1}, default: 0}}
    values: {toll: {c2: 1}}
    defaults: {toll: 0}
zones: {deck: {of: card, order: pile, seen by: nobody}, hand: {each: player, holds: 0..1}}
counters: {vp: {each: player, range: 0.., start: 3, resets: game}}
marks: {moved: {each: player, type: flag, start: false, seen by: owner}}
pieces:
  stone: {each: player, count: 5, starts: owner.supply, stays in: cell, sides: [up, down]}
  card:
    fields: {value: 1..9, event: effect(me)}
    defaults: {event: nothing}
    total: 3
    types:
      two: {copies: 2, value: 2, gained: nothing, lost: nothing}
      Joker: {value: 1, event: gain 1 me.vp, while held: {more: {modify: worth(owner), add: 1}}}
rules:
  deal: {do: shuffle deck, spare: not yet}
  worth(me): {is: 3, at least: 0, at most: 5}
  play(me, card):
    kind: turn
    with: {here: me.cell}
    choose: {goal: in cells}
    needs: {free: not any(goal.stone)}
    costs: {price: 1 me.vp, toll: [1 me.vp, 2 card in me.hand]}
    if: {ready: me.moved}
    counts as: deal
    do: |
      nothing
    depth: 3
  hook: {when: [before deal, after deal], if: true, over: [deal], do: nothing}
  hook_two: {when: instead of deal, over: chosen by me, do: nothing}
  no_way: {forbid: play(me), if: me.moved}
invariants: {kept: {holds: true, checked: before game}}
labels: {pieces.card: {en: card, ja: カード}}
"""
    )
    assert _faults(text) == []


_BROKEN = [
    ("zonse: {}", "RW020", "zonse", ""),
    ("zones:\n  hand: {ech: player}", "RW020", "ech", "zones.hand"),
    ("pieces:\n  p: {types: {a: {while held: {r: {du: x}}}}}", "RW020", "du", "pieces.p.types.a"),
    ("counters:\n  c: {start: 1}", "RW021", "c", "counters.c"),
    ("rules:\n  r: {}", "RW021", "r", "rules.r"),
    ("rules:\n  r(me): {cites: [AB-001]}", "RW021", "r(me)", "rules.r"),
    ("map:\n  m: {kind: cell}", "RW021", "m", "map.m"),
    ("rules:\n  r: {add: 1}", "RW021", "add", "rules.r"),
    ("rules:\n  r: {modify: v(x)}", "RW021", "r", "rules.r"),
    ("zones: [hand]", "RW022", "[hand]", ""),
    ("zones:\n  hand: 3", "RW022", "3", "zones.hand"),
    ("pieces:\n  p: {count: many}", "RW022", "many", "pieces.p"),
    ("pieces:\n  p: {count: '3'}", "RW022", "'3'", "pieces.p"),
    ("rules:\n  r: {do: [x]}", "RW022", "[x]", "rules.r"),
    ("rules:\n  r: {do: x, cites: AB-001}", "RW022", "AB-001", "rules.r"),
    ("zones:\n  z: {seen by: onwer}", "RW023", "onwer", "zones.z"),
    ("rules:\n  r: {kind: round, do: x}", "RW023", "round", "rules.r"),
    ("rules:\n  knockOut(x): {do: x}", "RW024", "knockOut(x)", ""),
    ("zones:\n  Hand: {}", "RW024", "Hand", ""),
    ("zones:\n  " + "x" * 61 + ": {}", "RW024", "x" * 61, ""),
    ("zones:\n  z: {each: Player}", "RW024", "Player", "zones.z"),
    ("zones:\n  hand:", "RW025", "hand", "zones.hand"),
    ("zones:\n  z: {holds: }", "RW025", "holds", "zones.z"),
    ("kinds:\n  k: []", "RW025", "[]", "kinds.k"),
    ("rules:\n  r: {do: x, if: {}}", "RW025", "{}", "rules.r"),
    ("rules:\n  r: {do: x, costs: {p: [1 me.c]}}", "RW025", "[1 me.c]", "rules.r"),
    ("rules:\n  r: {is: 1, do: x}", "RW026", "do", "rules.r"),
    ("rules:\n  r: {forbid: a(x), needs: {a: x}}", "RW026", "needs", "rules.r"),
    ("pieces:\n  p: {count: 2, types: {a: {}}}", "RW026", "types", "pieces.p"),
    ("map:\n  m: {kind: c, grid: 3 x 3, spaces: a}", "RW026", "spaces", "map.m"),
    ("pieces:\n  p: {count: 012}", "RW027", "012", "pieces.p"),
    ("pieces:\n  p: {count: 1_000}", "RW027", "1_000", "pieces.p"),
    ("pieces:\n  p: {count: .5}", "RW027", ".5", "pieces.p"),
    ("pieces:\n  p: {count: 1.0}", "RW027", "1.0", "pieces.p"),
    ("pieces:\n  p: {count: 1:30}", "RW027", "1:30", "pieces.p"),
    ("kinds:\n  k: [on]", "RW027", "on", "kinds.k"),
    ("zones:\n  no: {}", "RW027", "no", ""),
    ("pieces:\n  p: {count: -1}", "RW028", "-1", "pieces.p"),
    ("rules:\n  r: {do: x, depth: 0}", "RW028", "0", "rules.r"),
    ("map:\n  m: {kind: c, grid: 3 by 3}", "RW029", "3 by 3", "map.m"),
    ("rules:\n  r: {do: x, cites: [x1]}", "RW029", "x1", "rules.r"),
    ("document: {prefix: AB}", "RW022", "{prefix: AB}", ""),
    ("document: rules.txt", "RW029", "rules.txt", ""),
    ("teams: {red: [1, 3]}", "RW030", "teams", ""),
    ("rules:\n  r: {replace: 1 of x.y}", "RW021", "r", "rules.r"),
    ("rules:\n  r: {by: 1 me.vp}", "RW021", "by", "rules.r"),
    ("rules:\n  r: {replace: 1 of x.y, by: 1 me.vp, do: nothing}", "RW026", "do", "rules.r"),
    ("places:\n  slot: {count: 2}", "RW021", "slot", "places.slot"),
    ("places:\n  slot: {each: player, zone: a}", "RW020", "zone", "places.slot"),
    ("places:\n  slot: {each: player, types: {a: {}}, count: 2}", "RW026", "count", "places.slot"),
    ("labels:\n  a.b: {en: one, two, three}", "RW009", "two", "labels.a.b"),
    ("map:\n  m: {kind: k, track: loop a, b, c}", "RW009", "b", "map.m"),
]


@pytest.mark.parametrize(("text", "code", "marked", "within"), _BROKEN)
def test_one_mistake_is_one_fault(text: str, code: str, marked: str, within: str) -> None:
    """Each slip gives one diagnostic with its code, on the very word, and names the record."""
    assert _faults(_GAME + text) == [(code, marked, within)]


@pytest.mark.parametrize(
    ("flow", "expected"),
    [
        ("steps: [a], do: x", [("RW026", "do")]),
        ("each: p in players, together: p in players, do: x", [("RW026", "together")]),
        ("repeat: a, times: 3, until: x", []),
        ("if: x", [("RW021", "game")]),
        ("do: x, times: 3", [("RW021", "times")]),
        ("do: x, order: live", [("RW021", "order")]),
        ("stpes: [a]", [("RW020", "stpes")]),
        ("repaet: a, times: 3", [("RW020", "repaet")]),
    ],
)
def test_forms_of_a_step(flow: str, expected: list[tuple[str, str]]) -> None:
    """A step is one of three things, and what belongs to one of them stands with it."""
    found = _faults(_GAME.replace("do: nothing", flow))
    assert [(code, text) for code, text, _ in found] == expected


def test_missing_keys_of_the_file() -> None:
    """All keys that a game needs and lacks are named in one message."""
    (found,) = _check("game: g")
    assert found.message == (
        "the keys `title`, `players`, `flow` and `result` are missing in a game file"
    )


def test_helps() -> None:
    """Messages say what was meant, what is possible, and how to write it."""
    found = _check(_GAME + "zones:\n  z: {ech: player}\n  deck:\nrules:\n  knockOut(x): {do: y}")
    assert found[0].helps == ("did you mean `each`?",)
    assert found[0].notes[0].startswith("possible here: `cites`, `assumed`, `each`")
    assert found[1].helps == ("write `deck: {}` if there is nothing to say",)
    assert found[2].helps == ("write `knock_out(x)`",)


@pytest.mark.parametrize("root", ["[a]", "word", "3", "{}"])
def test_a_root_that_is_no_file(root: str) -> None:
    """A list, a word or nothing in place of a game is told as such."""
    assert _check(root)


_OTHER: list[tuple[What, str, list[tuple[str, str]]]] = [
    ("rulings", "rulings_of: g\nrulings: {}", []),
    (
        "rulings",
        "rulings_of: g\nrulings:\n  a: {from: AB-A01, asks: x, default: y, z: {change: {a.b: c}}}",
        [],
    ),
    (
        "rulings",
        "rulings_of: g\nrulings:\n  a: {from: AB-A01, asks: x, default: y, z: {chnage: {a: b}}}",
        [("RW020", "chnage")],
    ),
    ("rulings", "rulings_of: g\nrulings:\n  a: {from: AB-A01, asks: x}", [("RW021", "a")]),
    (
        "statements",
        "document: D\nprefix: AB\nstatements: {AB-001: {kind: S, says: x}}\n"
        "assumptions: {AB-F01: x}\nquestions: {AB-A01: {says: x}}",
        [],
    ),
    (
        "statements",
        "document: D\nprefix: AB\nstatements: {AB-001: {kind: Q, says: x}}",
        [("RW023", "Q")],
    ),
    (
        "statements",
        "document: D\nprefix: AB\nstatements: {x: {kind: S, says: x}}",
        [("RW029", "x")],
    ),
    (
        "scenario",
        "scenario: s\ngame: a/b.yaml\nplayers: 2\nsetup: [{1: put a1}]\ngiven: |\n  nothing\n"
        "when:\n  - 1: put a2\nrefused:\n  - {player: 1, option: put a1, because: x}\n"
        "then:\n  - true\nwinners: [1]\nover: true",
        [],
    ),
    ("scenario", "game: a.yaml\nscenarios:\n  - scenario: s\n    whne: []", [("RW020", "whne")]),
    ("scenario", "game: a.yaml\nscenario: s\nwhen: [{x: put}]", [("RW029", "x")]),
]


@pytest.mark.parametrize(("what", "text", "expected"), _OTHER)
def test_other_files(what: What, text: str, expected: list[tuple[str, str]]) -> None:
    """Files of rulings, statements and scenarios have shapes of their own."""
    assert [(code, marked) for code, marked, _ in _faults(text, what)] == expected


_PAGES = sorted(page for page in codes() if page < "RW100")


@pytest.mark.parametrize("code", _PAGES)
def test_explanations_show_the_fault_and_its_repair(code: str) -> None:
    """Each page has its title; its first example has that fault alone, its second has none."""
    page = explanation(code)
    assert page is not None and page.startswith(f"# {code}: {codes()[code]}\n\n")
    found = re.findall(r"```(\w+)\n(.*?)```", page, re.DOTALL)
    for (kind, text), expected in zip(found, ([code], []), strict=bool(found)):
        report = Report()
        text = _GAME + text if kind == "records" else text
        node = read(Source("f.yaml", text), report)
        if node is not None and kind == "records":
            check_shape(node, report)
        assert [d.code for d in report.diagnostics] == expected


def test_the_schema_is_a_schema() -> None:
    """What is published for editors is valid, and every reference in it leads somewhere."""
    Draft202012Validator.check_schema(schema())
    text = json.dumps(schema())
    for name in {part.split('"')[0] for part in text.split("#/$defs/")[1:]}:
        assert name in schema()["$defs"]


_WORDS = ["zones", "pieces", "rules", "flow", "a", "b(x)", "is", "do", "each", "types", "result"]
_DATA = st.recursive(
    st.sampled_from(["x", "1", "-3", "''", "no", "012", "~x", "[]", "{}", "'1'", ""]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(st.sampled_from(_WORDS), inner, max_size=4).map(
            lambda d: "{" + ", ".join(f"{key}: {value}" for key, value in d.items()) + "}"
        ),
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(st.sampled_from(_WORDS), _DATA, min_size=1),
    st.sampled_from(["game", "rulings", "statements", "scenario"]),
)
def test_any_data_gives_faults_with_places(data: dict[str, str], what: What) -> None:
    """Whatever the data is: no exception, and each fault has a place inside the file."""
    source, report = Source("f.yaml", "\n".join(f"{k}: {v}" for k, v in data.items())), Report()
    node = read(source, report)
    if node is not None:
        check_shape(node, report, what)
    for diagnostic in report.diagnostics:
        assert diagnostic.labels
        for label in diagnostic.labels:
            assert 0 <= label.span.start <= label.span.end <= len(source)
