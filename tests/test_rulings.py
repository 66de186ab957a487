"""Games with rulings and a document: settings, clashes, citations, `check` and `load`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruleset
from ruleset.diagnostics.codes import explanation
from ruleset.diagnostics.diagnostic import Report, RulesetError
from ruleset.diagnostics.messages import citations, loading, variants
from ruleset.diagnostics.messages import rulings as rulings_messages
from ruleset.document import read
from ruleset.source import Source

GAMES = sorted((Path(__file__).parent.parent / "games").glob("*.yaml"))
GAME = """\
game: small
title: {en: Small game, ja: 小}
document: documents/small.yaml
rulings: rulings/small.yaml
players: 2..3
settled: [XX-A03]
information: [XX-003]
flow:
  game: {repeat: turn, cites: [XX-001]}
  turn: {kind: turn, each: me in players, do: me must take}
words: {player: [me]}
options:
  prize: {type: 1..3, default: 1, cites: [XX-002]}
  easy: {type: flag, default: false}
  beginner: {type: player, default: 1}
counters:
  vp: {each: player, range: 0..9}
rules:
  take(me):
    choose: {n: in 1..2}
    do: |
      gain n me.vp
      if easy and me is beginner then gain prize me.vp
      if me.vp >= goal() then stop game won by me
  goal: {is: 5, assumed: [XX-F01]}
result: {by: stop game}
labels:
  rules.take: {en: Take some, ja: 取る}
  rules.goal: {en: Goal}
"""
RULINGS = """\
rulings_of: small
rulings:
  target:
    from: XX-A01
    asks: How many points win?
    default: five
    three: {change: {rules.goal.is: 3}}
    shared: {change: {rules.take.choose.n: in 1..3}}
  most:
    from: XX-A02
    asks: How many may be taken?
    default: two
    one: {change: {rules.take.choose.n: in 1..1}}
    excludes: [target.shared]
"""
DOCUMENT = """\
document: The small rules
prefix: XX
statements:
  XX-001: {kind: S, says: Players take turns.}
  XX-002: {kind: R, says: There is a prize.}
  XX-003: {kind: S, says: The game is fun.}
assumptions:
  XX-F01: Five points win.
questions:
  XX-A01: How many points win?
  XX-A02: {says: How many may be taken?}
  XX-A03: Who begins?
"""


def write(folder: Path, game: str = GAME, rulings: str = RULINGS, document: str = DOCUMENT) -> Path:
    """The files of a game in a folder."""
    for name, text in (
        ("small.yaml", game),
        ("rulings/small.yaml", rulings),
        ("documents/small.yaml", document),
    ):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return folder / "small.yaml"


def faults(report: Report) -> list[tuple[str, str]]:
    """Codes with the words under the caret, in the order of files and places."""
    return [(d.code, d.span.text if d.span else "") for d in report.sorted()]


def check(path: Path, **texts: str) -> list[tuple[str, str]]:
    """What `check` says of the game with some of its texts replaced."""
    return faults(ruleset.check(write(path, **texts)))


# ------------------------------------------------------------------ loading


def test_a_good_game_has_nothing_to_tell(tmp_path: Path) -> None:
    """The game above, its rulings and its document are without faults."""
    assert check(tmp_path) == []


def test_the_base_has_all_defaults(tmp_path: Path) -> None:
    """Without options every ruling has its default, every option too."""
    rules = ruleset.load(write(tmp_path))
    assert rules.readings == {"target": "five", "most": "two"}
    assert rules.option_values == {"prize": "1", "easy": "false", "beginner": "1"}
    assert rules.option_names() == ("target", "most", "prize", "easy", "beginner")
    assert rules.rulings["target"].names == ("five", "three", "shared")
    assert rules.statements is not None
    assert rules.statements.says("XX-A02") == "How many may be taken?"


def test_a_setting_changes_the_file(tmp_path: Path) -> None:
    """A reading is applied, and its part points into the rulings file."""
    rules = ruleset.load(write(tmp_path), {"target": "three", "easy": True, "prize": 2})
    goal = next(rule for rule in rules.file.rules if rule.name == "goal")
    assert goal.span.source.name.endswith("small.yaml")
    value = getattr(goal, "value")  # noqa: B009, the form of the rule is known here
    assert (value.value, value.span.source.name) == (3, str(tmp_path / "rulings/small.yaml"))
    assert rules.option_values["easy"] == "true"


def test_configure_goes_on_from_a_setting(tmp_path: Path) -> None:
    """What is not named stays as it is; one setting is made once; fingerprints tell them apart."""
    base = ruleset.load(write(tmp_path), {"prize": "3"})
    other = base.configure({"target": "three"})
    assert (other.option_values["prize"], other.readings["target"]) == ("3", "three")
    assert base.configure({"target": "three"}) is other
    assert other.configure({"target": "five"}).fingerprint == base.fingerprint
    assert other.fingerprint != base.fingerprint


def test_labels_and_titles(tmp_path: Path) -> None:
    """A label falls back to English, then to the last part of its path."""
    rules = ruleset.load(write(tmp_path))
    assert (rules.title("ja"), rules.title("fr")) == ("小", "Small game")
    assert rules.label("rules.take", "ja") == "取る"
    assert rules.label("rules.goal", "ja") == "Goal"
    assert rules.label("rules.take.choose.top_card") == "top card"


@pytest.mark.parametrize(
    ("options", "code", "words", "help"),
    [
        ({"tarqet": "three"}, "RW530", "no option and no ruling `tarqet`", "`target`"),
        ({"target": "tree"}, "RW531", "no reading `tree`", "`three`"),
        ({"prize": 4}, "RW531", "expected 1 to 3, found `4`", ""),
        ({"easy": "yes"}, "RW531", "expected `true` or `false`", ""),
        ({"beginner": 4}, "RW531", "the number of a player, 1 to 3", ""),
        ({"target": "shared", "most": "one"}, "RW532", "exclude each other", "default"),
    ],
)
def test_options_with_faults(
    tmp_path: Path, options: dict[str, object], code: str, words: str, help: str
) -> None:
    """A name or a value that the game does not have is refused, with what it has."""
    path = write(tmp_path)
    for act in (lambda: ruleset.load(path, options), lambda: ruleset.load(path).configure(options)):
        with pytest.raises(RulesetError) as caught:
            act()
        [diagnostic] = caught.value.report.diagnostics
        assert diagnostic.code == code
        assert words in diagnostic.message
        assert help in " ".join(diagnostic.helps)
        assert words in str(caught.value)


def test_a_reading_that_needs_another(tmp_path: Path) -> None:
    """A reading with `requires` is refused without the other one."""
    rulings = RULINGS.replace("excludes: [target.shared]", "requires: [target.three]").replace(
        "shared: {change: {rules.take.choose.n: in 1..3}}", ""
    )
    path = write(tmp_path, rulings=rulings)
    assert ruleset.check(path).ok
    ruleset.load(path, {"most": "one", "target": "three"})
    with pytest.raises(RulesetError) as caught:
        ruleset.load(path, {"most": "one"})
    assert faults(caught.value.report) == [("RW533", "target.three")]


def test_a_reading_may_change_what_it_requires(tmp_path: Path) -> None:
    """A required reading is applied first, wherever it stands, and so can be built upon."""
    rulings = RULINGS.replace("{rules.goal.is: 3}", "{rules.bonus.is: 2}").replace(
        "three: {change", "three: {requires: [most.one], change"
    )
    rulings = rulings.replace(
        "{change: {rules.take.choose.n: in 1..1}}", "{add: {rules.bonus: BONUS}}"
    )
    rulings = rulings.replace("BONUS", "{is: 1, spare: for another reading}")
    rulings = rulings.replace("    excludes: [target.shared]\n", "")
    path = write(tmp_path, rulings=rulings)
    assert faults(ruleset.check(path)) == []
    rules = ruleset.load(path, {"target": "three", "most": "one"})
    bonus = next(rule for rule in rules.file.rules if rule.name == "bonus")
    assert getattr(bonus, "value").value == 2  # noqa: B009, the form of the rule is known here


def test_over_names_a_rule_of_some_reading(tmp_path: Path) -> None:
    """`over` may name what only another reading has, but not what no reading has."""
    game = GAME.replace(
        "  goal: {", "  other: {when: instead of take(me), OVER, do: do base}\n  goal: {"
    )
    rulings = RULINGS.replace("three: {change: {rules.goal.is: 3}}", "three: {add: {RULE}}")
    rulings = rulings.replace(
        "RULE", "rules.third: {when: instead of take(me), over: other, do: do base}"
    )
    assert check(tmp_path, game=game.replace("OVER", "over: third"), rulings=rulings) == []
    assert check(tmp_path, game=game.replace("OVER", "over: thrid"), rulings=rulings) == [
        ("RW535", "thrid")
    ]


def test_load_raises_with_all_faults(tmp_path: Path) -> None:
    """A game with faults is not loaded, and the error shows them."""
    with pytest.raises(RulesetError) as caught:
        ruleset.load(write(tmp_path, game=GAME.replace("is: 5", "is: 5 +")))
    assert not caught.value.report.ok
    assert "small.yaml" in str(caught.value)
    with pytest.raises(RulesetError):
        ruleset.load(tmp_path / "missing.yaml")


# ------------------------------------------------------------------ rulings


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("excludes: [target.shared]", "", [("RW526", "rules.take.choose.n")]),
        ("target.shared]", "target.sharde]", [("RW524", "target.sharde")]),
        ("target.shared]", "target.shared, most.one]", [("RW525", "most.one")]),
        ("default: five", "default: three", [("RW520", "three")]),
        ("one: {change: {rules.take.choose.n: in 1..1}}", "", [("RW521", "most")]),
        ("rulings_of: small", "rulings_of: smal", [("RW527", "smal")]),
        ("  target:", "  prize:", [("RW523", "prize"), ("RW524", "target.shared")]),
        ("rules.goal.is: 3", "rules.gaol.is: 3", [("RW501", "gaol")]),
        ("rules.goal.is: 3", "rules.goal.is: 5", [("RW504", "rules.goal.is")]),
        ("from: XX-A01", "from: XX-A04", [("RW550", "XX-A04")]),
        ("from: XX-A01", "from: XX-001", [("RW551", "XX-001")]),
        ("from: XX-A01", "from: XX-A03", [("RW555", "XX-A03")]),
    ],
)
def test_faults_of_rulings(
    tmp_path: Path, old: str, new: str, expected: list[tuple[str, str]]
) -> None:
    """Each fault of a rulings file is told once, at its place."""
    assert old in RULINGS
    found = check(tmp_path, rulings=RULINGS.replace(old, new))
    assert sorted(code for code, _ in found) == sorted(code for code, _ in expected)
    assert {pair for pair in expected if pair[1]} <= set(found)


def test_faults_inside_a_reading_are_told_once(tmp_path: Path) -> None:
    """A reading is parsed and typed like the game itself; the base's faults are not repeated."""
    game = GAME.replace("gain n me.vp", "gain n me.vq")
    rulings = RULINGS.replace("rules.goal.is: 3", "rules.goal.is: 3 +")
    found = check(tmp_path, game=game, rulings=rulings)
    assert len(found) == 2
    assert [code[:3] for code, _ in found].count("RW1") == 1


def test_what_is_wrong_already_is_told_once(tmp_path: Path) -> None:
    """A zone without a kind, a broken set and a broken header leave no trail of other faults."""
    game = GAME.replace("counters:", "zones: {heap: {each: player}}\ncounters:", 1)
    assert [code for code, _ in check(tmp_path, game=game)] == ["RW284"]
    game = GAME.replace("{n: in 1..2}", "{n: in 1..}")
    assert [code[:3] for code, _ in check(tmp_path, game=game)] == ["RW1"]
    game = GAME.replace("take(me):", "take(me:):")
    assert [code for code, _ in check(tmp_path, game=game)] == ["RW024"]


def test_a_reading_with_a_wrong_shape(tmp_path: Path) -> None:
    """An unknown key that a reading adds is told in the rulings file."""
    rulings = RULINGS.replace("change: {rules.goal.is: 3}", "add: {rules.goal.at mots: 3}")
    report = ruleset.check(write(tmp_path, rulings=rulings))
    [diagnostic] = report.diagnostics
    assert diagnostic.code == "RW020"
    assert diagnostic.span is not None
    assert diagnostic.span.source.name == str(tmp_path / "rulings/small.yaml")


def test_a_rulings_file_stands_for_its_game(tmp_path: Path) -> None:
    """`check` of a rulings file checks the game with it."""
    write(tmp_path, game=GAME.replace("is: 5", "is: 5 +"))
    report = ruleset.check(tmp_path / "rulings/small.yaml")
    assert not report.ok
    assert {d.span.source.name for d in report.diagnostics if d.span} == {
        str(tmp_path / "small.yaml")
    }


def test_a_rulings_file_without_its_game(tmp_path: Path) -> None:
    """A rulings file whose game is not there, or does not name it, says so."""
    write(tmp_path, game=GAME.replace("rulings: rulings/small.yaml\n", "open: [XX-A01, XX-A02]\n"))
    path = tmp_path / "rulings/small.yaml"
    assert faults(ruleset.check(path)) == [("RW534", "small")]
    (tmp_path / "small.yaml").unlink()
    assert faults(ruleset.check(path)) in ([("RW529", "small")], [("RW534", "small")])


# ------------------------------------------------------------------ the document


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("cites: [XX-001]", "cites: [XX-010]", [("RW550", "XX-010")]),
        ("cites: [XX-001]", "cites: [XX-001, XX-F01]", [("RW551", "XX-F01")]),
        ("settled: [XX-A03]", "settled: []", [("RW554", "XX-A03")]),
        ("information: [XX-003]", "information: []", [("RW553", "XX-003")]),
        ("document: documents/small.yaml", "", [("RW552", "XX-A03")]),
        ("document: documents/", "document: documens/", [("RW001", "documens/small.yaml")]),
        ("document: documents/", "document: ../", [("RW528", "../small.yaml")]),
    ],
)
def test_citations(tmp_path: Path, old: str, new: str, expected: list[tuple[str, str]]) -> None:
    """Ids that the document lacks, and sentences that nothing names."""
    assert old in GAME
    assert sorted(check(tmp_path, game=GAME.replace(old, new))) == sorted(expected)


def test_ids_of_a_document(tmp_path: Path) -> None:
    """An id has the prefix of its document and names one sentence."""
    document = DOCUMENT.replace("  XX-F01:", "  XX-001: Twice.\n  YY-F01: Other.\n  XX-F01:")
    assert check(tmp_path, document=document) == [("RW556", "XX-001"), ("RW556", "YY-F01")]


# ------------------------------------------------------------------ anything at all


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_check_never_raises(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever is cut out of the files or put into them, `check` gives diagnostics in place."""
    texts = {"game": GAME, "rulings": RULINGS, "document": DOCUMENT}
    which = data.draw(st.sampled_from(sorted(texts)))
    text = texts[which]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 12))
        other = data.draw(st.integers(0, len(GAME)))
        put = data.draw(st.sampled_from(["", GAME[other : other + 9], "(", ":", "- ", "0", "\n"]))
        text = text[:start] + put + text[end:]
    folder = tmp_path_factory.mktemp("any")
    report = ruleset.check(write(folder, **{**texts, which: text}))
    for diagnostic in report.diagnostics:
        for label in diagnostic.labels:
            assert 0 <= label.span.start <= label.span.end <= len(label.span.source.text)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_games_have_no_faults(path: Path) -> None:
    """Every game of the collection passes, with all readings of its rulings."""
    assert [str(d.span) + d.message for d in ruleset.check(path).diagnostics] == []


@pytest.mark.parametrize(
    ("code", "title"),
    [
        pair
        for module in (loading, variants, rulings_messages, citations)
        for pair in module.CODES.items()
    ],
)
def test_codes_have_pages(code: str, title: str) -> None:
    """Each code of the loader, of overlays, rulings and citations has a page with YAML in it."""
    page = explanation(code)
    assert page is not None
    assert page.startswith(f"# {code}: {title}\n")
    blocks = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        report = Report()
        assert read(Source("page", block), report) is not None
        assert report.ok
