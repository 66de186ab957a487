"""The pages of the checker's codes: their examples show the fault, and its repair."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest
from small_game import SECTIONS, check
from test_lints import WHOLE

import ruleset.diagnostics

PAGES = Path(ruleset.diagnostics.__file__).parent / "explanations"
MODULES = ("names", "checking", "calls", "hooks", "changes", "boards", "seats", "game")
CODES = sorted(
    code
    for module in MODULES
    for code in import_module(f"ruleset.diagnostics.messages.{module}").CODES
)


def found(kind: str, text: str, whole: bool) -> set[str]:
    """The codes that an example gives inside the small game."""
    sections = WHOLE if whole else {}
    rules = sections.get("rules", SECTIONS["rules"])
    indented = "\n".join(f"  {line}" for line in text.split("\n"))
    match kind:
        case "rules":
            return codes({**sections, "rules": f"{rules}\n{indented}"}, whole)
        case "effects" | "expr":
            key = "do" if kind == "effects" else "is"
            record = "\n".join(f"      {line}" for line in text.split("\n"))
            rules = f"{rules}\n  probe(me):\n    {key}: |\n{record}"
            return codes({**sections, "rules": rules}, whole)
        case _:
            given = dict(re.findall(r"^(\w+):(.*?)(?=^\w|\Z)", text, re.M | re.S))
            if "rules" in given:
                given["rules"] = rules + given["rules"].rstrip()
            return codes({**sections, **{k: v.strip(" ") for k, v in given.items()}}, whole)


def codes(sections: dict[str, str], whole: bool) -> set[str]:
    """The codes of the small game with these sections."""
    return set(check(whole=whole, **sections).codes)


@pytest.mark.parametrize("code", CODES)
def test_a_page_shows_the_fault_and_its_repair(code: str) -> None:
    """What stands under `Not so` gives the code, what stands under `but` does not."""
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {code}: ")
    whole = code.startswith("RW4")
    parts = re.findall(r"^(Not so|but):\n\n```(\w+)\n(.*?)\n```", page, re.M | re.S)
    assert parts or code == "RW219"
    for heading, kind, text in parts:
        assert (code in found(kind, text, whole)) is (heading == "Not so"), text
