"""Diagnostics as text, JSON and SARIF."""

from __future__ import annotations

import json
import re
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleset.diagnostics.codes import codes, explanation
from ruleset.diagnostics.diagnostic import Diagnostic, Label, Report, RulesetError
from ruleset.diagnostics.render import MAX_WIDTH, RenderStyle, render_report, summary, width
from ruleset.source import Source, Span

_TEXT = """\
game: 遊び
zones:
  stone: {owner: player}
  a: 1
  b: 2
  c: 3
  d: |
      stone.onwer is mover
    次の手 x
"""
_SOURCE = Source("games/x.yaml", _TEXT)


def _span(word: str, source: Source = _SOURCE) -> Span:
    start = source.text.index(word)
    return Span(source, start, start + len(word))


def _report(*diagnostics: Diagnostic) -> Report:
    report = Report()
    for diagnostic in diagnostics:
        report.add(diagnostic)
    return report


_UNKNOWN = Diagnostic(
    "RW201",
    "error",
    "unknown field `onwer`",
    (
        Label(_span("onwer"), "`stone` has no field `onwer`"),
        Label(_span("stone"), "`stone` is declared here"),
    ),
    ("did you mean `owner`?",),
    ("fields are declared under `pieces`",),
    "rules.connect",
)


def _full(*diagnostics: Diagnostic) -> str:
    return render_report(_report(*diagnostics))


def test_full_form() -> None:
    """Headline, place, record, excerpt with both labels and a gap, help, note, count."""
    assert _full(_UNKNOWN) == dedent(
        """\
        error[RW201]: unknown field `onwer`
         --> games/x.yaml:8:13 in `rules.connect`
          |
        3 |   stone: {owner: player}
          |   ----- `stone` is declared here
          ...
        8 |       stone.onwer is mover
          |             ^^^^^ `stone` has no field `onwer`
          |
          = help: did you mean `owner`?
          = note: fields are declared under `pieces`

        1 error in 1 file"""
    )


def test_wide_characters() -> None:
    """Marks stand below the characters of East Asian scripts, which are two columns wide."""
    shown = _full(Diagnostic("RW203", "warning", "m", (Label(_span("手"), "here"),)))
    assert "9 |     次の手 x\n  |         ^^ here" in shown
    assert shown.startswith("warning[RW203]: m\n --> games/x.yaml:9:7\n")
    assert shown.endswith("1 warning in 1 file")


def test_several_lines() -> None:
    """A place of several lines is marked in its first and its last, the words at the last."""
    start, end = _TEXT.index("{owner"), _TEXT.index("c: 3") + 4
    shown = _full(Diagnostic("RW202", "error", "m", (Label(Span(_SOURCE, start, end), "all"),)))
    assert (
        dedent(
            """\
        3 |   stone: {owner: player}
          |          ^^^^^^^^^^^^^^^
          ...
        6 |   c: 3
          |   ^^^^ all
        """
        )
        in shown + "\n"
    )


def test_two_labels_in_one_line() -> None:
    """Each label has a row of its own, the primary one first."""
    labels = (Label(_span("owner"), "one"), Label(_span("{"), "two"))
    shown = _full(Diagnostic("RW202", "error", "m", labels))
    assert (
        "3 |   stone: {owner: player}\n  |           ^^^^^ one\n  |          - two\n"
    ) in shown + "\n"


def test_other_file() -> None:
    """A label in another file has its own place and excerpt."""
    other = Source("other.yaml", "first: 1\n")
    labels = (Label(_span("b: 2"), "here"), Label(_span("first", other), "and there"))
    shown = _full(Diagnostic("RW202", "error", "m", labels))
    assert " ::: other.yaml:1:1\n  |\n1 | first: 1\n  | ----- and there" in shown


def test_end_of_file_and_no_place() -> None:
    """A caret stands after the last character; without a place there is the headline alone."""
    end = Span(_SOURCE, len(_SOURCE), len(_SOURCE))
    shown = _full(Diagnostic("RW202", "error", "m", (Label(end),)))
    assert "10 |\n   | ^" in shown
    assert _full(Diagnostic("RW001", "error", "gone")) == "error[RW001]: gone\n\n1 error"


@pytest.mark.parametrize("at", [0, 90, 150, 700, 1_000_000, 1_999_999])
@pytest.mark.parametrize("letter", ["b", "あ"])
def test_long_lines_are_cut_around_the_place(at: int, letter: str) -> None:
    """Of a line of two million letters a window is shown, and the mark stands below its letter."""
    source = Source("l.yaml", letter * at + "Q" + letter * (1_999_999 - at))
    label = Label(Span(source, at, at + 1), "here")
    lines = _full(Diagnostic("RW202", "error", "m", (label,))).split("\n")
    assert all(width(line) <= MAX_WIDTH + 20 for line in lines)
    text, mark = lines[3][4:], lines[4][4:]
    assert width(text[: text.index("Q")]) == mark.index("^")


def test_terminal_codes_are_harmless() -> None:
    """What would steer a terminal is shown as a sign, in the message and in the excerpt."""
    source = Source("e\x1b[31m.yaml", "a: \x1b[31m\u202eb\ttab\n")
    label = Label(Span(source, 3, 4), "\x1b[0m")
    styles: tuple[RenderStyle, ...] = ("full", "line")
    for style in styles:
        shown = render_report(
            _report(Diagnostic("RW004", "error", "m \x1b]0;x\x07", (label,))),
            style,
        )
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", shown)


def test_colour_changes_nothing_else() -> None:
    """Without its colours the coloured form is the plain one."""
    coloured = render_report(_report(_UNKNOWN), colour=True)
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == render_report(_report(_UNKNOWN))


def test_a_thousand_errors_stay_readable() -> None:
    """Fifty are shown, the others counted."""
    many = [Diagnostic("RW202", "error", f"m{i}", (Label(_span("a: 1")),)) for i in range(1000)]
    shown = _full(*many)
    assert shown.count("error[RW202]") == 50
    assert "... 950 more are not shown here" in shown
    assert shown.endswith("1,000 errors in 1 file")
    assert len(render_report(_report(*many), "line").split("\n")) == 1000


def test_line_form() -> None:
    """One line a diagnostic: path, line, column, severity, code, message."""
    shown = render_report(_report(_UNKNOWN, Diagnostic("RW001", "error", "gone")), "line")
    assert shown.split("\n") == [
        "error[RW001]: gone",
        "games/x.yaml:8:13: error[RW201]: unknown field `onwer`",
    ]


def test_json_form() -> None:
    """All that a diagnostic says, as data."""
    first, second = json.loads(
        render_report(_report(_UNKNOWN, Diagnostic("RW001", "error", "gone")), "json")
    )
    assert (first["file"], first["line"], first["code"]) == (None, None, "RW001")
    assert second == {
        "file": "games/x.yaml",
        "line": 8,
        "column": 13,
        "end": {"line": 8, "column": 18},
        "code": "RW201",
        "severity": "error",
        "message": "unknown field `onwer`",
        "within": "rules.connect",
        "helps": ["did you mean `owner`?"],
        "notes": ["fields are declared under `pieces`"],
        "labels": second["labels"],
    }
    assert [label["line"] for label in second["labels"]] == [8, 3]


def test_sarif_form() -> None:
    """A run with its rules and results; columns count characters, paths are URIs."""
    source = Source("ein spiel.yaml", "a: 1\n")
    place = Diagnostic("RW020", "warning", "m", (Label(Span(source, 0, 1), "x"),))
    log = json.loads(render_report(_report(_UNKNOWN, place), "sarif"))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["RW020", "RW201"]
    first, second = run["results"]
    assert first["level"] == "warning"
    location = first["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "ein%20spiel.yaml"
    assert location["region"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 2}
    assert second["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 3


def test_nothing_to_say() -> None:
    """An empty report is an empty text, an empty list, or a run without results."""
    assert render_report(Report()) == ""
    assert render_report(Report(), "line") == ""
    assert json.loads(render_report(Report(), "json")) == []
    assert summary([]) == "no errors"


def test_the_error_shows_its_report() -> None:
    """The exception for embedders reads like the report that it carries."""
    assert str(RulesetError(_report(_UNKNOWN))) == _full(_UNKNOWN)


@given(st.text(), st.data())
def test_any_text_is_rendered(text: str, data: st.DataObject) -> None:
    """Whatever the file and the place: a text comes out, in every form."""
    source = Source("f.yaml", text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    report = _report(Diagnostic("RW010", "error", text, (Label(Span(source, start, end), text),)))
    assert render_report(report) and render_report(report, "line")
    json.loads(render_report(report, "json"))
    json.loads(render_report(report, "sarif"))


def test_codes_have_titles_and_pages() -> None:
    """Every code has the form RWnnn, a title, and something to read."""
    assert "RW020" in codes()
    for code, title in codes().items():
        assert re.fullmatch(r"RW[0-69]\d\d", code)
        assert title and not title[0].isupper()
        assert explanation(code)
    assert explanation("RW999x") is None
