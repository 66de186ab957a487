"""Files that mean harm, or are not what they seem: an answer in words, soon, and no traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GAMES = Path(__file__).parent.parent / "games"
GAME = GAMES / "tic_tac_toe.yaml"
BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)
)
TEXTS: dict[str, bytes] = {
    "empty": b"",
    "blanks": b"\n\n   \n",
    "binary": bytes(range(256)) * 20,
    "zeros": b"game: x\0\0\0\n",
    "not_utf8": "game: caf\xe9\n".encode("latin-1"),
    "utf16": "game: x\n".encode("utf-16"),
    "bomb": BOMB.encode(),
    "deep_brackets": b"game: " + b"[" * 10_000 + b"]" * 10_000 + b"\n",
    "deep_mappings": b"".join(b" " * i + b"a:\n" for i in range(1500)),
    "deep_parentheses": b"rules:\n  a():\n    is: " + b"(" * 10_000 + b"1" + b")" * 10_000 + b"\n",
    "long_name": b"game: " + b"a" * 10_000 + b"\n",
    "long_key": b"a" * 10_000 + b": 1\n",
    "thousand_errors": b"game: x\nplayers: 2\nrules:\n"
    + b"".join(b"  r%d(me):\n    do: gian 1 me.vp%d\n" % (i, i) for i in range(1000)),
    "tag": b"!!python/object/apply:os.system ['true']\n",
    "scalar": b"hello\n",
    "list": b"- 1\n- 2\n",
    "two_documents": b"game: x\n---\ngame: y\n",
    "open_quote": b'game: "x\n',
    "huge_number": b"game: x\nplayers: " + b"9" * 5000 + b"\n",
    "only_a_comment": b"# nothing\n",
    "truncated": GAME.read_bytes()[:400],
}
SECONDS = 60


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from playtest.cli import main; sys.exit(main())",
            *words,
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
        cwd=GAMES.parent,
    )


def _refused(result: subprocess.CompletedProcess[str]) -> None:
    told = result.stdout + result.stderr
    assert "Traceback" not in told
    assert "itself has a fault" not in told, told[:500]
    assert result.returncode in (1, 2), told[:500]
    assert told.strip()


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_files_that_are_no_game(tmp_path: Path, name: str) -> None:
    """`check` says what is wrong with each, and leaves the file as it was."""
    path = tmp_path / "game.yaml"
    path.write_bytes(TEXTS[name])
    _refused(_run("check", str(path)))
    assert path.read_bytes() == TEXTS[name]


@pytest.mark.parametrize("name", ["empty", "binary", "bomb", "deep_brackets", "list", "long_key"])
@pytest.mark.parametrize("command", ["test", "replay"])
def test_files_that_are_no_scenario_or_journal(tmp_path: Path, name: str, command: str) -> None:
    """`test` and `replay` say what is wrong with each."""
    path = tmp_path / "given.yaml"
    path.write_bytes(TEXTS[name])
    _refused(_run(command, str(path)))
    assert path.read_bytes() == TEXTS[name]


@pytest.mark.parametrize("command", ["check", "test", "replay", "play"])
def test_paths_that_lead_nowhere(tmp_path: Path, command: str) -> None:
    """A missing file and a name that no system takes are told."""
    for path in (str(tmp_path / "missing.yaml"), str(tmp_path / ("a" * 5000))):
        _refused(_run(command, path))


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    """A folder is told."""
    _refused(_run("check", str(tmp_path)))


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    """Sixty megabytes are refused before they are read."""
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(60_000_000)
    _refused(_run("check", str(path)))


def test_a_rulings_file_that_leads_out_of_the_folder(tmp_path: Path) -> None:
    """A game may not name files elsewhere."""
    path = tmp_path / "game.yaml"
    text = GAME.read_text(encoding="utf-8")
    path.write_text(text + "rulings: ../../etc/passwd\n", encoding="utf-8")
    _refused(_run("check", str(path)))
