"""The document that a game follows: its statements, assumptions and questions.

Takes the nodes of a statements file; gives `Statements`. Assumes that the shape was looked at
before, and skips what has another one.
"""

from __future__ import annotations

from collections.abc import Mapping as Names
from dataclasses import dataclass, field
from typing import Final

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import citations as messages
from ruleset.document import Mapping, Node, Scalar
from ruleset.source import Span

IN_PLAY: Final = ("S", "R", "D")
"""The kinds of statements that some part of a game must cite."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of the document; ``kind`` is empty for assumptions and questions."""

    id: str
    kind: str
    says: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Statements:
    """A whole document."""

    title: str
    prefix: str
    statements: Names[str, Statement]
    assumptions: Names[str, Statement]
    questions: Names[str, Statement]
    span: Span = field(compare=False)

    def says(self, id: str) -> str:
        """The sentence behind an id of any sort; empty where there is none."""
        for part in (self.statements, self.assumptions, self.questions):
            if id in part:
                return part[id].says
        return ""


def read_statements(root: Mapping, report: Report) -> Statements:
    """The sentences of a document; ids without its prefix and ids used twice are told."""
    prefix = _text(root.get("prefix"))
    taken: dict[str, Statement] = {}
    return Statements(
        title=_text(root.get("document")),
        prefix=prefix,
        statements=_part(root.get("statements"), prefix, taken, report),
        assumptions=_part(root.get("assumptions"), prefix, taken, report),
        questions=_part(root.get("questions"), prefix, taken, report),
        span=root.span,
    )


def _part(
    node: Node | None, prefix: str, taken: dict[str, Statement], report: Report
) -> dict[str, Statement]:
    found: dict[str, Statement] = {}
    for entry in node.entries if isinstance(node, Mapping) else ():
        id, body = entry.key.text, entry.value
        kind, says = "", body
        if isinstance(body, Mapping):
            kind, says = _text(body.get("kind")), body.get("says") or body
        if id in taken or (prefix and not id.startswith(f"{prefix}-")):
            report.add(messages.foreign_id(id, entry.key.span, prefix, taken))
        statement = Statement(id, kind, _text(says), entry.key.span)
        found.setdefault(id, statement)
        taken.setdefault(id, statement)
    return found


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
