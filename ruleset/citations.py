"""Who cites what: ids that the document lacks, statements and questions that nothing names.

Takes the nodes of a game and of its rulings, so that a citation counts wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Names
from typing import Final

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import citations as messages
from ruleset.document import Mapping, Node, Scalar, Sequence
from ruleset.statements import IN_PLAY, Statement, Statements
from ruleset.syntax import Ident

_SORTS: Final = {
    "cites": "statement",
    "information": "statement",
    "assumed": "assumption",
    "from": "question",
    "settled": "question",
    "open": "question",
}
"""The keys that name ids, and what sort of sentence each wants."""
_ARTICLES: Final = {"statement": "a", "assumption": "an", "question": "a"}
_INSTEAD: Final = {
    "statement": "name it under `cites`",
    "assumption": "name it under `assumed`",
    "question": "a question is answered by a ruling (`from`), or named under `settled` or `open`",
}


def check_citations(
    game: Node,
    rulings: Node | None,
    statements: Statements | None,
    report: Report,
    *,
    complete: bool,
) -> None:
    """All citations of a game and its rulings against the document.

    What nothing names is told only where all files could be read (``complete``).
    """
    named = [*_named(game), *(_named(rulings) if rulings is not None else ())]
    if statements is None:
        if named:
            report.add(messages.no_document(named[0][1], len(named) - 1))
        return
    parts = {
        "statement": statements.statements,
        "assumption": statements.assumptions,
        "question": statements.questions,
    }
    used: set[str] = set()
    answers: dict[str, Ident] = {}
    wrong: list[tuple[Ident, str]] = []
    for key, id in named:
        used.add(id.name)
        sort = _SORTS[key]
        if id.name not in parts[sort]:
            wrong.append((id, sort))
        elif sort == "question" and (first := answers.setdefault(id.name, id)) is not id:
            report.add(messages.answered_twice(id, first))
    for id, sort in wrong:
        # the one that nothing names is the likeliest to be meant
        known = sorted(parts[sort].items(), key=lambda item: item[0] in used)
        _wrong(id, sort, {**parts, sort: dict(known)}, report)
    if complete:
        _left_over(statements, used, report)


def _wrong(id: Ident, sort: str, parts: Names[str, Names[str, Statement]], report: Report) -> None:
    for other, known in parts.items():
        if id.name in known:
            report.add(
                messages.other_sort(
                    id,
                    f"{_ARTICLES[sort]} {sort}",
                    f"{_ARTICLES[other]} {other}",
                    known[id.name].span,
                    _INSTEAD[other],
                )
            )
            return
    report.add(messages.unknown_id(id, sort, parts[sort]))


def _left_over(statements: Statements, used: set[str], report: Report) -> None:
    for statement in statements.statements.values():
        if statement.kind in IN_PLAY and statement.id not in used:
            report.add(messages.uncited(statement))
    for question in statements.questions.values():
        if question.id not in used:
            report.add(messages.unanswered(question))


def _named(node: Node) -> Iterator[tuple[str, Ident]]:
    """All ids with the key that names each, in the order of the file."""
    waiting: list[Node] = [node]
    while waiting:
        match waiting.pop():
            case Mapping(entries=entries):
                for entry in entries:
                    if entry.key.text in _SORTS:
                        for id in _ids(entry.value):
                            yield entry.key.text, id
                waiting.extend(entry.value for entry in reversed(entries))
            case Sequence(items=items):
                waiting.extend(reversed(items))
            case Scalar():
                pass


def _ids(node: Node) -> Iterable[Ident]:
    items = node.items if isinstance(node, Sequence) else (node,)
    for item in items:
        # a field of a piece may be called `from`, too: an id has a hyphen
        if isinstance(item, Scalar) and "-" in item.text:
            yield Ident(item.span, item.text)
