"""Which names a step of the flow knows from the steps around it.

Takes a ``GameFile``; gives for each step the names that every way from the start binds on the way
to it. Only names whose kind is declared are handed on: words, and kinds by their own name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleset.syntax import GameFile, Ident, Step

Names = tuple[Ident, ...]
"""Names with the places where they are bound, the outermost first."""


def names_around(file: GameFile) -> Mapping[str, Names]:
    """For each step the names that are bound around it."""
    steps = {step.name: step for step in file.flow}
    declared = _declared(file)
    found: dict[str, Names] = {"game": ()}
    changed = True
    while changed:
        changed = False
        for name, names in list(found.items()):
            step = steps.get(name)
            for below in _below(step) if step is not None else ():
                inside = (*names, *(n for n in _own(step, declared) if n not in names))
                before = found.get(below)
                kept = inside if before is None else _both(before, inside)
                if below != "game" and kept != before:
                    found[below] = kept
                    changed = True
    return {name: found.get(name, ()) for name in steps}


def _below(step: Step) -> Iterator[str]:
    yield from (ident.name for ident in step.steps)
    if step.repeat is not None:
        yield step.repeat.name


def _own(step: Step | None, declared: set[str]) -> Iterator[Ident]:
    if step is not None and step.each is not None:
        clause = step.each.clause
        if clause.name in declared:
            yield Ident(clause.name_span, clause.name)


def _both(a: Names, b: Names) -> Names:
    known = {ident.name for ident in b}
    return tuple(ident for ident in a if ident.name in known)


def _declared(file: GameFile) -> set[str]:
    kinds = {
        *(enumeration.name for enumeration in file.enumerations),
        *(board.kind for board in file.maps),
        *(piece.name for piece in file.pieces),
        *(place.name for place in file.places),
    }
    return {"player", *(file.words.types or ("me",)), *kinds}
