"""The examples of the documentation are read by the code that they describe."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, Literal, cast

import pytest
from documents import ROOT, Example, examples, made_part

import ruleset
from playtest.scenario_files import read_scenarios
from playtest.scenarios import Runner
from ruleset import document, shape
from ruleset.diagnostics.codes import codes
from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.render import render_report
from ruleset.loader import load_document
from ruleset.parser import parse_text
from ruleset.parser_words import HABITS
from ruleset.source import Source

LANGUAGE: Final = "docs/language.md"
PAGES: Final = [
    str(page.relative_to(ROOT))
    for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))
    if page.name != "author-guide.md"  # followed to the letter by a test of its own
]
EXAMPLES: Final = [example for page in PAGES for example in examples(page)]
BASE: Final = {
    "game": "game: example\n",
    "title": "title: {en: Example}\n",
    "players": "players: 2..4\n",
    "flow": "flow: {game: {do: nothing}}\n",
    "result": "result: {by: stop game}\n",
}
UNREAD: Final = {"", "console", "json", "sh", "text"}


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    """A test for each example of these kinds."""
    found = [example for example in EXAMPLES if example.what in kinds]
    return pytest.mark.parametrize("example", found, ids=[example.id for example in found])


def expect_clean(report: Report) -> None:
    """No diagnostics at all; shows them where there are some."""
    assert not report.diagnostics, "\n" + render_report(report)


def test_every_example_says_what_it_is() -> None:
    """Each fenced block has a kind that is read here, or one that is known to be prose."""
    known = UNREAD | {"js", "python", "yaml", "records", "effects", "expr"}
    known |= {"statements", "rulings", "variant", "scenario"}
    assert [example.id for example in EXAMPLES if example.what not in known] == []


@of_kind("yaml")
def test_whole_games_check_clean(example: Example, tmp_path: Path) -> None:
    """A whole game in the documentation has no fault and no warning."""
    path = tmp_path / "example.yaml"
    path.write_text(example.text, "utf-8")
    expect_clean(ruleset.check(path))


@of_kind("scenario")
def test_scenarios_hold(example: Example, tmp_path: Path) -> None:
    """A scenario in the documentation holds in the first whole game of its page."""
    page = example.id.split(":")[0]
    game = next(e for e in EXAMPLES if e.what == "yaml" and e.id.startswith(page))
    (tmp_path / "tic_tac_toe.yaml").write_text(game.text, "utf-8")
    path = tmp_path / "scenario.yaml"
    path.write_text(example.text, "utf-8")
    report = Report()
    found = read_scenarios(str(path), report)
    expect_clean(report)
    for scenario in found:
        for fault in Runner().run(scenario).faults:
            report.add(fault)
    expect_clean(report)
    assert found


@of_kind("records")
def test_sections_have_the_right_shape_and_parse(example: Example) -> None:
    """Sections of a game fit the schema, and all of their language parses."""
    own = set(re.findall(r"^([a-z]+):", example.text, re.MULTILINE))
    text = "".join(line for key, line in BASE.items() if key not in own) + example.text
    report = Report()
    node = document.read(Source(example.id, text), report)
    assert node is not None, render_report(report)
    shape.check_shape(node, report, "game")
    load_document(node, report)
    expect_clean(report)


@of_kind("effects", "expr")
def test_pieces_of_the_language_parse(example: Example) -> None:
    """An expression or a block of effects parses."""
    report = Report()
    start = cast(Literal["effects", "expr"], example.what)
    assert parse_text(start, example.text, report, example.id) is not None or report.diagnostics
    expect_clean(report)


@of_kind("statements", "rulings", "variant")
def test_other_files_have_the_right_shape(example: Example) -> None:
    """A statements file, a rulings file or a variant fits the schema."""
    report = Report()
    node = document.read(Source(example.id, example.text), report)
    assert node is not None, render_report(report)
    shape.check_shape(node, report, cast(Literal["statements", "rulings", "variant"], example.what))
    expect_clean(report)


@of_kind("python")
def test_python_examples_run(example: Example, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each Python example runs as it stands, from the root of the repository."""
    monkeypatch.chdir(ROOT)
    exec(compile(example.text, example.id, "exec"), {"__name__": "example"})


def test_the_reference_lists_the_reserved_words() -> None:
    """The reserved words of the reference are the words that are terminals of the grammar."""
    grammar = (ROOT / "ruleset" / "grammar.lark").read_text("utf-8")
    section = (ROOT / LANGUAGE).read_text("utf-8").split("## 22 Reserved words")[1]
    listed = re.findall(r"`(\w+)`", section.split("\n\n")[2])
    assert listed == sorted(re.findall(r'^[A-Z_]+: "([a-z]+)"$', grammar, re.MULTILINE))


def test_the_reference_lists_the_words_that_are_refused_as_names() -> None:
    """Words from habit, which are never names, stand in the reference with the reserved words."""
    section = (ROOT / LANGUAGE).read_text("utf-8").split("## 22 Reserved words")[1]
    listed = re.findall(r"`(\w+)`", section.split("\n\n")[4])
    assert listed == sorted(HABITS, key=lambda word: (word.lower(), word))


def test_the_reference_lists_the_codes() -> None:
    """The table of codes in the reference is the registry of codes."""
    rows = "".join(f"| {code} | {title} |\n" for code, title in codes().items())
    there, wanted = made_part(LANGUAGE, "codes", f"| code | title |\n| --- | --- |\n{rows}")
    assert there == wanted


def test_the_readme_shows_a_real_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message in the README is what `check` says of the game in the README with two slips."""
    (game,) = (e for e in EXAMPLES if e.page == "README.md" and e.what == "yaml")
    text = game.text.replace("{cell: in cells ", "{cell: in cels ").replace(
        ".owner is", ".onwer is"
    )
    monkeypatch.chdir(tmp_path)
    Path("tic_tac_toe.yaml").write_text(text, "utf-8")
    shown = render_report(ruleset.check("tic_tac_toe.yaml")).strip()
    there, wanted = made_part("README.md", "slips", f"```text\n{shown}\n```\n")
    assert there == wanted


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Every link to a file or to a heading of a page leads to one that exists."""
    text = (ROOT / page).read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if target.startswith("http"):
            continue
        name, _, anchor = target.partition("#")
        path = (ROOT / page).parent / name if name else ROOT / page
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path), target


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and others make them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
