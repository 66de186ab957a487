"""The guide for authors is followed to the letter, from an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from documents import ROOT

from playtest.cli import run

GUIDE = (ROOT / "docs" / "author-guide.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\S+)(?: ([^\n]*))?\n(.*?)^```$", re.S | re.M)


def changed(text: str, change: str) -> str:
    """A file with the lines of a block that begin with ``-`` replaced by those with ``+``."""
    lines = change.splitlines()
    old = "".join(f"{line[2:]}\n" for line in lines if line.startswith("-"))
    new = "".join(f"{line[2:]}\n" for line in lines if line.startswith("+"))
    assert text.count(old) == 1, f"{text.count(old)} times:\n{old}"
    return text.replace(old, new)


def under(text: str, section: str, lines: str) -> str:
    """A file with more lines at the end of a section."""
    head, rest = text.split(f"\n{section}:\n", 1)
    found = re.search(r"^\S", rest, re.M)
    end = found.start() if found else len(rest)
    return f"{head}\n{section}:\n{rest[:end].rstrip()}\n{lines}\n{rest[end:]}"


def follows(expected: list[str], found: list[str]) -> str | None:
    """The first expected line that does not come; ``...`` stands for anything, also in a line."""
    at = 0
    free = False
    for line in expected:
        if line == "...":
            free = True
            continue
        pattern = re.compile(".*".join(map(re.escape, line.split("..."))) + r"\s*$")
        while at < len(found) and not pattern.match(found[at]):
            if not free and found[at].strip():
                return line
            at += 1
        if at == len(found):
            return line
        at, free = at + 1, False
    return None


def console(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Runs the commands of a block and looks at what they say."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, *expected = part.splitlines()
        program, *arguments = shlex.split(command)
        assert program == "rulewright"
        capsys.readouterr()
        run(arguments)
        said = capsys.readouterr()
        missing = follows(expected, (said.out + said.err).splitlines())
        assert missing is None, f"$ {command}\nexpected: {missing}\nfound:\n{said.out}{said.err}"


def test_the_guide_can_be_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each block in turn: files are written, added to and changed, commands say what is shown."""
    monkeypatch.chdir(tmp_path)
    for kind, rest, body in BLOCK.findall(GUIDE):
        words = rest.split()
        match kind, words:
            case "yaml", [name]:
                Path(name).write_text(body, "utf-8")
            case "yaml", ["add", "to", name]:
                old = Path(name).read_text("utf-8")
                Path(name).write_text(f"{old}\n{body}", "utf-8")
            case "yaml", ["under", section, "of", name]:
                old = Path(name).read_text("utf-8")
                Path(name).write_text(under(old, section, body), "utf-8")
            case "change", [name]:
                Path(name).write_text(changed(Path(name).read_text("utf-8"), body), "utf-8")
            case "excerpt", [name]:
                assert body in (ROOT / name).read_text("utf-8"), body
            case "console", []:
                console(body, capsys)
            case _:
                raise AssertionError(f"a block of a kind that nobody knows: {kind} {rest}")
