"""The registry of codes: merges what each stage's messages declare.

A code is never reused. Each has a page ``explanations/CODE.md``.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules

from ruleset.diagnostics import messages


@cache
def codes() -> dict[str, str]:
    """Every code with its title, in order."""
    found: dict[str, str] = {}
    for module in iter_modules(messages.__path__, f"{messages.__name__}."):
        declared: dict[str, str] = getattr(import_module(module.name), "CODES", {})
        for code, title in declared.items():
            assert found.setdefault(code, title) == title, f"{code} has two titles"
    return dict(sorted(found.items()))


def explanation(code: str) -> str | None:
    """The page of a code as Markdown; a code without a page gives its title; None if unknown."""
    code = code.upper()
    title = codes().get(code)
    if title is None:
        return None
    page = files("ruleset.diagnostics").joinpath("explanations", f"{code}.md")
    if page.is_file():
        return page.read_text(encoding="utf-8")
    return f"# {code}: {title}\n"
