"""The Markdown pages of the repository as data: their examples, and the parts that are made.

A made part stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->`. The tests compare it
with what the code says; `RULEWRIGHT_UPDATE=1 pytest` writes it anew, and a person reads the diff.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
UPDATE: Final = os.environ.get("RULEWRIGHT_UPDATE") == "1"


@dataclass(frozen=True, slots=True)
class Example:
    """A fenced block: what it says to be, where it stands, and its text."""

    page: str
    line: int
    what: str
    text: str

    @property
    def id(self) -> str:
        """How a test report names it."""
        return f"{self.page}:{self.line}:{self.what}"


def examples(page: str) -> list[Example]:
    """All fenced blocks of a page, in order; `page` is a path from the root."""
    found: list[Example] = []
    what, start, body = None, 0, []
    for number, line in enumerate((ROOT / page).read_text("utf-8").split("\n"), 1):
        if not line.startswith("```"):
            body.append(line)
        elif what is None:
            what, start, body = line[3:].strip(), number + 1, []
        else:
            found.append(Example(page, start, what, "\n".join(body) + "\n"))
            what = None
    return found


def made_part(page: str, name: str, wanted: str) -> tuple[str, str]:
    """The made part of that name as it stands and as it should stand; written anew on request."""
    path = ROOT / page
    text = path.read_text("utf-8")
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    match = re.search(f"{re.escape(begin)}\n(.*?){re.escape(end)}", text, re.DOTALL)
    assert match is not None, f"{page} has no part {name}"
    if UPDATE and match[1] != wanted:
        path.write_text(text[: match.start(1)] + wanted + text[match.end(1) :], "utf-8")
        return wanted, wanted
    return match[1], wanted
