"""The files of one game: the game itself, its rulings and its document, or a variant's chain.

Takes a path; gives a `Bundle` of nodes, with the shape of each file checked. Nothing is parsed
as language here.
"""

from __future__ import annotations

from collections.abc import Mapping as Names
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from ruleset.diagnostics.diagnostic import Report
from ruleset.diagnostics.messages import extending
from ruleset.diagnostics.messages import rulings as messages
from ruleset.document import Mapping, Scalar, Sequence, read
from ruleset.extending import Built, check_together, lineage, put_on
from ruleset.files import open_source
from ruleset.linting.walk import Walks
from ruleset.loader import Cache
from ruleset.rulings import Ruling, read_rulings
from ruleset.shape import check_shape
from ruleset.source import Source
from ruleset.statements import Statements, read_statements

if TYPE_CHECKING:
    from ruleset.model import Ruleset

What = Literal["game", "rulings", "statements"]


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """The files of a game as read, and what was made of them before."""

    path: str
    root: Mapping
    rulings_root: Mapping | Sequence | None
    rulings: Names[str, Ruling]
    statements: Statements | None
    sources: tuple[Source, ...]
    shaped: bool
    """Whether the game and its rulings have the right shape."""
    complete: bool
    """Whether the document has, too."""
    inherited: frozenset[str] | None = None
    """Of a variant: the rulings of the game that it extends."""
    cache: Cache = field(default_factory=Cache)
    walks: Walks = field(default_factory=dict)
    made: dict[frozenset[tuple[str, str]], Ruleset] = field(default_factory=dict)


def read_bundle(path: str, report: Report, texts: Names[str, str] | None = None) -> Bundle | None:
    """All files of the game at a path; None where the game itself cannot be read.

    A rulings file stands for the game that it belongs to. ``texts`` are taken for what files of
    these names say.
    """
    texts = texts or {}
    source = _instead(open_source(path, report), texts)
    if source is None:
        return None
    root = read(source, report)
    if not isinstance(root, Mapping):
        if root is not None:
            check_shape(root, report, "game")
        return None
    if root.get("rulings_of") is not None and root.get("game") is None:
        return _game_of(path, root, report, texts)
    return _bundle(path, source, root, report, texts)


def _instead(source: Source | None, texts: Names[str, str]) -> Source | None:
    if source is None or source.name not in texts:
        return source
    return Source(source.name, texts[source.name])


def _bundle(
    path: str, source: Source, root: Mapping, report: Report, texts: Names[str, str]
) -> Bundle | None:
    if root.get("extends") is not None:
        return _variant(path, source, root, report, texts)
    reader = _Files(Path(path).parent, report, [source], texts)
    reader.shaped = check_shape(root, report, "game")
    rulings_root = reader.named(root, "rulings", "rulings")
    shaped = reader.shaped
    document = reader.named(root, "document", "statements")
    if rulings_root is not None:
        _check_owner(rulings_root, root, report)
    return Bundle(
        path=path,
        root=root,
        rulings_root=rulings_root,
        rulings=read_rulings(rulings_root, report) if rulings_root else {},
        statements=read_statements(document, report) if document else None,
        sources=tuple(reader.sources),
        shaped=shaped,
        complete=reader.shaped,
    )


def _variant(
    path: str, source: Source, root: Mapping, report: Report, texts: Names[str, str]
) -> Bundle | None:
    """A game with the files that extend it; the document is that of the game."""
    layers = lineage(path, source, root, report, texts)
    shapes = [check_shape(each.root, report, "variant") for each in layers or () if each.below]
    if layers is None:
        check_shape(root, report, "variant")
        return None
    game, *variants = layers
    sources, complete = [source], all(shapes)
    built, roots = Built(game.root, {}), []
    inherited: frozenset[str] = frozenset()
    check_together(layers, game.root, report)
    for layer in (game, *variants):
        if layer is not game:
            built = put_on(built, layer, report)
            inherited = frozenset(built.rulings)
        reader = _Files(Path(layer.path).parent, report, [layer.source], texts)
        own = reader.named(layer.root, "rulings", "rulings")
        if own is not None:
            roots.append(own)
            _check_owner(own, layer.root, report)
            _add_rulings(built.rulings, read_rulings(own, report), report)
        sources.extend(each for each in reader.sources if each is not source)
        complete = complete and reader.shaped
    shaped = check_shape(built.root, report, "game") and complete
    reader = _Files(Path(game.path).parent, report, sources, texts)
    document = reader.named(game.root, "document", "statements")
    return Bundle(
        path=path,
        root=built.root,
        rulings_root=Sequence(root.span, tuple(roots)) if roots else None,
        rulings=built.rulings,
        statements=read_statements(document, report) if document else None,
        sources=tuple(sources),
        shaped=shaped,
        complete=shaped and reader.shaped,
        inherited=inherited,
    )


def _add_rulings(known: dict[str, Ruling], added: Names[str, Ruling], report: Report) -> None:
    for name, ruling in added.items():
        if name in known:
            report.add(extending.same_ruling(ruling.span, known[name].span, name))
        else:
            known[name] = ruling


@dataclass(slots=True)
class _Files:
    """The files that a game names, as they are read."""

    folder: Path
    report: Report
    sources: list[Source]
    texts: Names[str, str]
    shaped: bool = True

    def named(self, root: Mapping, key: str, what: What) -> Mapping | None:
        """The file whose path stands under a key."""
        node = root.get(key)
        if not isinstance(node, Scalar) or not node.text:
            return None
        path = PurePosixPath(node.text)
        if path.is_absolute() or ".." in path.parts or "\\" in node.text:
            self.report.add(messages.outside(node.span, node.text))
            return None
        source = open_source(str(self.folder / path), self.report, node.span)
        source = _instead(source, self.texts)
        if source is None:
            self.shaped = False
            return None
        self.sources.append(source)
        root_ = read(source, self.report)
        if root_ is None or not check_shape(root_, self.report, what):
            self.shaped = False
        return root_ if isinstance(root_, Mapping) else None


def _check_owner(rulings: Mapping, game: Mapping, report: Report) -> None:
    owner, name = rulings.get("rulings_of"), game.get("game")
    if isinstance(owner, Scalar) and isinstance(name, Scalar) and owner.text != name.text:
        report.add(messages.other_game(owner.span, owner.text, name.text))


def _game_of(path: str, rulings: Mapping, report: Report, texts: Names[str, str]) -> Bundle | None:
    """The game of a rulings file: one folder up, or beside it."""
    owner = rulings.get("rulings_of")
    if not isinstance(owner, Scalar) or PurePosixPath(owner.text).name != owner.text:
        check_shape(rulings, report, "rulings")
        return None
    folder = Path(path).parent
    tried = [folder.parent / f"{owner.text}.yaml", folder / f"{owner.text}.yaml"]
    found = next((each for each in tried if each.is_file() and not each.samefile(path)), None)
    if found is None:
        report.add(messages.game_not_found(owner.span, owner.text, map(str, tried)))
        return None
    source = _instead(open_source(str(found), report, owner.span), texts)
    root = read(source, report) if source else None
    if source is None or not isinstance(root, Mapping):
        return None
    bundle = _bundle(str(found), source, root, report, texts)
    if bundle and not any(Path(each.name).samefile(path) for each in bundle.sources):
        report.add(messages.not_named(owner.span, path, str(found)))
    return bundle
