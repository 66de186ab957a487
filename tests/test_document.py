"""YAML texts and what is read of them: nodes with their places, or faults with theirs."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleset import document
from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.suggest import distance, nearest
from ruleset.document import Mapping, Node, Scalar, Sequence, read
from ruleset.files import MAX_BYTES, open_source
from ruleset.source import Source


def _read(text: str) -> tuple[Node | None, Report]:
    report = Report()
    return read(Source("f.yaml", text), report), report


def _faults(text: str) -> list[tuple[str, int, int, str]]:
    """Code, line, column and marked text of every fault."""
    _, report = _read(text)
    return [(d.code, d.span.line, d.span.column, d.span.text) for d in report.sorted() if d.span]


def _mapping(text: str) -> Mapping:
    node, report = _read(text)
    assert not report.diagnostics
    assert isinstance(node, Mapping)
    return node


def _scalar(text: str, key: str = "a") -> Scalar:
    node = _mapping(text).get(key)
    assert isinstance(node, Scalar)
    return node


@pytest.mark.parametrize(
    ("text", "style", "span", "body", "value"),
    [
        ("a: b c\n", "plain", "b c", "b c", "b c"),
        ("a: 'b'\n", "single", "'b'", "b", "b"),
        ('a: "b"\n', "double", '"b"', "b", "b"),
        ("a: |\n  x\n  y\n\n# z\nb: 1", "block", "|\n  x\n  y", "  x\n  y", "x\ny\n"),
        ("a: |-\r\n  x\r\n", "block", "|-\r\n  x", "  x", "x"),
        ("a: >-\n  x\n  y\n", "folded", ">-\n  x\n  y", "  x\n  y", "x y"),
        ("a: x\n  y # z\n", "plain", "x\n  y", "x\n  y", "x y"),
        ("a:\n\nb: 1\n", "plain", "", "", ""),
        ("a: 山札 # z\n", "plain", "山札", "山札", "山札"),
    ],
)
def test_scalar_keeps_its_place(text: str, style: str, span: str, body: str, value: str) -> None:
    """A scalar knows the whole as written, the part that is the author's text, and its value."""
    node = _scalar(text)
    assert (node.style, node.span.text, node.body.text, node.text) == (style, span, body, value)


def test_empty_value_stands_after_its_colon() -> None:
    """The place of a value that is not there is right after the colon."""
    assert _scalar("a:   \n\n\nb: 1\n").span.start == 2


def test_scalars_are_text() -> None:
    """Nothing is resolved: numbers, truth values and times come as they are written."""
    node = _mapping("{a: 012, b: yes, c: 1:30, d: 1.0}")
    values = [entry.value for entry in node.entries]
    assert [v.text for v in values if isinstance(v, Scalar)] == ["012", "yes", "1:30", "1.0"]


def test_blocks_end_with_their_last_value() -> None:
    """A mapping or list in block style does not reach into the blank lines below it."""
    node = _mapping("a:\n  b: 1\n  c: [x, y]\n\n# end\nd:\n  - u\n  - v\n\n")
    a, d = node.get("a"), node.get("d")
    assert isinstance(a, Mapping) and isinstance(d, Sequence)
    assert a.span.text == "b: 1\n  c: [x, y]"
    assert d.span.text == "- u\n  - v"
    assert node.span.text.endswith("- v")


def test_escapes_are_known() -> None:
    """A scalar tells whether its body differs from its value by escapes."""
    assert _scalar('a: "b\\tc"').has_escapes
    assert _scalar("a: 'it''s'").has_escapes
    assert not _scalar("a: b\\tc").has_escapes
    assert not _scalar('a: "bc"').has_escapes


_FAULTS = [
    ("a: &x 1", [("RW012", 1, 4, "&x")]),
    ("a: &x 1\nb: *x", [("RW012", 1, 4, "&x"), ("RW012", 2, 4, "*x")]),
    ("<<: {b: 1}", [("RW012", 1, 1, "<<")]),
    ("a: !t x\nb: !u {c: 1}", [("RW011", 1, 4, "!t"), ("RW011", 2, 4, "!u")]),
    ("a: 1\nb: 2\na: 3", [("RW013", 3, 1, "a")]),
    ("a: {b: 1, b: 2}", [("RW013", 1, 11, "b")]),
    ("---\na: 1\n---\nb: 1", [("RW014", 3, 1, "---")]),
    ("# nothing\n", [("RW015", 1, 1, "")]),
    ("a: 1\n[b]: 2", [("RW016", 2, 1, "[b]")]),
    ("a: ~\nb: null", [("RW017", 1, 4, "~"), ("RW017", 2, 4, "null")]),
    ("a: \x00", [("RW004", 1, 4, "\x00")]),
    ("a: b\x85c", [("RW004", 1, 5, "\x85")]),
    ("a: b\rc: d", [("RW004", 1, 5, "\r")]),
    ("\ufeffa: 1", [("RW004", 1, 1, "\ufeff")]),
    ("a: {event: take(me, x), b: 1}", [("RW009", 1, 12, "take(me, x)")]),
    ("a: [f(x, g(y, z)), b]", [("RW009", 1, 5, "f(x, g(y, z))")]),
    ("a: {put(me, x): {do: y}}", [("RW009", 1, 5, "put(me, x)")]),
]

_SYNTAX_FAULTS = [
    ("if: me.vp >= 6: win(me)", ("RW008", 1, 15, ":")),
    ("a: b: c", ("RW008", 1, 5, ":")),
    ("a: 1\n b: 2", ("RW006", 2, 2, "b: 2")),
    ("a:\n    b: 1\n  c: 2", ("RW006", 3, 3, "c: 2")),
    ("a: 1\n- b", ("RW006", 2, 1, "- b")),
    ('a: "b" c', ("RW006", 1, 8, "c")),
    ('a: "x\nb: 1', ("RW007", 1, 4, '"')),
    ("a: 'x\n", ("RW007", 1, 4, "'")),
    ('a: "x\nb: "y"\nc: 1', ("RW007", 1, 4, '"')),
    ("a: [x, y\nb: 1", ("RW007", 1, 4, "[")),
    ("a: {x: 1\nb: 1", ("RW007", 1, 4, "{")),
    ("a: ]", ("RW007", 1, 4, "]")),
    ("a: [1, 2]]", ("RW007", 1, 10, "]")),
    ("a: {b: 1, , c: 2}", ("RW010", 1, 11, ",")),
    ("a: {b: : 1}", ("RW010", 1, 8, ":")),
    ("a: & b", ("RW010", 1, 4, "&")),
    ("a: @x", ("RW010", 1, 4, "@")),
    ("a: `x`", ("RW010", 1, 4, "`")),
    ("a: %x", ("RW010", 1, 4, "%")),
    ("a: | x\n  y", ("RW010", 1, 6, "x")),
    ("a: 1\nfoo\nb: 1", ("RW018", 2, 1, "foo")),
    ("a: 1\nb:2\nc: 3", ("RW018", 2, 1, "b:2")),
    ("a: 1\n\tb: 2", ("RW005", 2, 1, "\t")),
    ("a:\n\tb: 2", ("RW005", 2, 1, "\t")),
]


@pytest.mark.parametrize(("text", "expected"), _FAULTS)
def test_what_is_refused(text: str, expected: list[tuple[str, int, int, str]]) -> None:
    """What YAML has and this project does not read is told at its place, all in one run."""
    assert _faults(text) == expected


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@pytest.mark.parametrize(("text", "expected"), _SYNTAX_FAULTS)
def test_text_that_is_not_yaml(
    text: str, expected: tuple[str, int, int, str], loader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What YAML cannot read gives one fault in our own words, with either of its parsers."""
    if not hasattr(yaml, loader):
        pytest.skip("PyYAML is installed without its C parser")
    monkeypatch.setattr(document, "_LOADER", getattr(yaml, loader))
    assert _faults(text) == [expected]


def test_a_value_cut_by_commas_is_put_together() -> None:
    """After the message the value is read as it was meant, so nothing else is told of it."""
    node, report = _read("a: {event: take(me, f(x, y)), last: z}\nb: [f(a, b), c]")
    assert isinstance(node, Mapping)
    a, b = node.get("a"), node.get("b")
    assert isinstance(a, Mapping) and isinstance(b, Sequence)
    event, last = a.get("event"), a.get("last")
    assert isinstance(event, Scalar) and isinstance(last, Scalar)
    assert (event.text, last.text) == ("take(me, f(x, y))", "z")
    assert [item.span.text for item in b.items] == ["f(a, b)", "c"]
    assert [d.code for d in report.diagnostics] == ["RW009", "RW009"]
    assert report.diagnostics[0].helps == ('put the value in quotes: `"take(me, f(x, y))"`',)


def test_colon_of_the_language_gets_its_own_advice() -> None:
    """In a line of the language the message says how the language writes it."""
    _, report = _read("a:\n  if: me.vp >= 6: win(me)")
    assert report.diagnostics[0].helps == (
        "write `if C then X`, or an indented block below `if C`",
    )
    _, other = _read("a:\n  note: b: c")
    assert "quotes" in other.diagnostics[0].helps[0]


def test_first_of_two_keys_is_shown_and_kept() -> None:
    """A key that comes twice points at the first, whose value stays."""
    node, report = _read("a: 1\nb: 2\na: 3")
    assert isinstance(node, Mapping)
    value = node.get("a")
    assert isinstance(value, Scalar) and value.text == "1"
    assert [label.span.line for label in report.diagnostics[0].labels] == [3, 1]


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100,
        "{a: " * 100,
        "- " * 100 + "x",
        "[" * 60 + "]" * 60,
        "a: [" + "x, " * 200_001 + "]",
        "x" * 2_000_001,
    ],
)
def test_limits(text: str) -> None:
    """Too deep, too many or too long is one fault, and no tree."""
    node, report = _read(text)
    assert node is None
    assert [d.code for d in report.diagnostics] in (["RW003"], ["RW007"])


def test_an_expansion_bomb_does_nothing() -> None:
    """Aliases of aliases are refused one by one and never expanded."""
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    node, report = _read("\n".join(lines))
    assert node is None
    assert {d.code for d in report.diagnostics} == {"RW012"}


def test_thousands_of_faults_come_to_an_end() -> None:
    """A file of nothing but faults tells of a thousand of them."""
    _, report = _read("a: 1\n" * 5000)
    assert len(report.diagnostics) == 1000


def _check_places(node: Node, source: Source) -> None:
    assert node.span.source is source
    assert 0 <= node.span.start <= node.span.end <= len(source)
    match node:
        case Scalar():
            assert node.span.start <= node.body.start <= node.body.end <= node.span.end
            if node.style == "plain" and "\n" not in node.span.text:
                assert node.span.text == node.text
        case Sequence():
            for item in node.items:
                assert node.span.start <= item.span.start <= item.span.end <= node.span.end
                _check_places(item, source)
        case Mapping():
            for entry in node.entries:
                assert node.span.start <= entry.key.span.start
                assert entry.value.span.end <= node.span.end
                _check_places(entry.key, source)
                _check_places(entry.value, source)


_SIGNS = ["b: ", "\n  ", "\n    ", "- ", ", ", "&x ", "*x", "!t ", "# ", "? ", "---\n", "...\n"]
_WORDS = ["f(x, y)", "%Y", "<<: ", "\r\n", "\ufeff", "\u2028", "\x00", "字", "😀"]
_PIECES = st.one_of(
    st.sampled_from(_SIGNS), st.sampled_from(_WORDS), st.sampled_from("ab:\n[]{}'\"|>\t\\~@`")
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join)))
def test_any_text_gives_nodes_or_faults(text: str) -> None:
    """Whatever the text is: no exception, and every place lies inside it."""
    source, report = Source("f.yaml", text), Report()
    node = read(source, report)
    assert node is not None or not report.ok
    if node is not None:
        _check_places(node, source)
    for diagnostic in report.diagnostics:
        assert diagnostic.labels
        for label in diagnostic.labels:
            assert 0 <= label.span.start <= label.span.end <= len(source)


# ------------------------------------------------------------------ files


def _open(path: Path) -> tuple[Source | None, Report]:
    report = Report()
    return open_source(path, report), report


def test_a_file_is_opened_under_its_path(tmp_path: Path) -> None:
    """The source has the name that the user gave and the text of the file, line ends and all."""
    path = tmp_path / "a.yaml"
    path.write_bytes("a: 字\r\n".encode())
    source, report = _open(path)
    assert source is not None and report.ok
    assert (source.name, source.text) == (str(path), "a: 字\r\n")


def test_a_missing_file_names_one_like_it(tmp_path: Path) -> None:
    """A file that is not there is told with the name of one that is."""
    (tmp_path / "cards.yaml").write_text("a: 1")
    for name in ("crads.yaml", "cards"):
        source, report = _open(tmp_path / name)
        assert source is None
        assert report.diagnostics[0].code == "RW001"
        assert report.diagnostics[0].helps == (f"did you mean `{tmp_path / 'cards.yaml'}`?",)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder, a text in another encoding, a huge file and an impossible name are all told."""
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"a: 1\nb: \xe9\n")
    huge = tmp_path / "huge.yaml"
    huge.write_bytes(b"#" * (MAX_BYTES + 1))
    found = [_open(path) for path in (tmp_path, latin, huge, tmp_path / "a\0b")]
    assert all(source is None for source, _ in found)
    codes = [[d.code for d in report.diagnostics] for _, report in found]
    assert codes == [["RW001"], ["RW002"], ["RW003"], ["RW001"]]
    assert "byte 0xe9 in line 2" in found[1][1].diagnostics[0].message


# ------------------------------------------------------------------ near names


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("onwer", ["power", "owner", "other"], "owner"),
        ("zonse", ["zones", "rules"], "zones"),
        ("hnd", ["hand", "had"], "hand"),
        ("knockOut", ["knock_out"], "knock_out"),
        ("x", ["y", "z"], None),
        ("do", ["to", "is"], "to"),
        ("apple", ["grape"], None),
        ("a" * 200, ["a" * 199], None),
        ("same", ["same"], None),
    ],
)
def test_nearest(name: str, candidates: list[str], expected: str | None) -> None:
    """The nearest name is found by letters added, dropped, changed or swapped."""
    assert nearest(name, candidates) == expected


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_distance_is_symmetric(a: str, b: str) -> None:
    """It is as far from a to b as back, and no distance only from a name to itself."""
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
