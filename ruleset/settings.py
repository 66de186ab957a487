"""From the files of a game to checked rulesets: the base, and every setting of its rulings.

A setting is a reading for each ruling; its overlays are applied to the nodes of the game before
these are loaded and typed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Names
from dataclasses import replace

from ruleset.bundle import Bundle, read_bundle
from ruleset.check_cache import remember
from ruleset.checker import check_file
from ruleset.citations import check_citations
from ruleset.diagnostics.diagnostic import Diagnostic, Report, RulesetError
from ruleset.diagnostics.messages import rulings as messages
from ruleset.diagnostics.messages.extending import not_with_variant
from ruleset.document import Entry, Mapping, Sequence
from ruleset.lints import check_game
from ruleset.loader import load_document
from ruleset.mending import settled
from ruleset.model import Ruleset
from ruleset.option_values import option_text, value_fault
from ruleset.rulings import alone, check_rulings, overlays, read_rulings, setting_faults
from ruleset.shape import check_shape
from ruleset.source import Source, Span
from ruleset.syntax import EffectRule, GameFile, Rule
from ruleset.types import Facts
from ruleset.variants import SECTIONS, Overlay, apply, touched

# ------------------------------------------------------------------ checking


def check_path(path: str, *, keep: bool = False) -> Report:
    """Everything that can be said of a game without playing it, in one report.

    With ``keep`` the answer is kept for later runs, if all files of the game could be read.
    """
    first, bundle = _check(path, {})
    report = settled(first, lambda texts, quick: _check(path, texts, quick=quick)[0])
    if keep and bundle is not None and bundle.complete and bundle.path == path:
        remember(path, bundle.sources, report)
    return report


def check_without_readings(path: str) -> Report:
    """The same for the game as it stands, which is quicker; its rulings are only read."""
    first, _ = _check(path, {}, quick=True)
    return settled(first, lambda texts, _quick: _check(path, texts, quick=True)[0])


def _check(
    path: str, texts: Names[str, str], *, quick: bool = False
) -> tuple[Report, Bundle | None]:
    """One check; ``texts`` are read in the place of what files of these names say.

    A ``quick`` one leaves the readings out.
    """
    report = Report()
    bundle = read_bundle(path, report, texts)
    if bundle is not None:
        check_bundle(bundle, report, readings=not quick)
    return report, bundle


def check_bundle(bundle: Bundle, report: Report, *, readings: bool = True) -> None:
    """The base, the document, and every reading alone; two readings are compared by paths."""
    checked = _checked(bundle.root, bundle, report, whole=bundle.shaped and report.ok)
    files = [] if checked is None else [checked[0]]
    if bundle.statements is not None or bundle.root.get("document") is None:
        check_citations(
            bundle.root,
            bundle.rulings_root,
            bundle.statements,
            report,
            complete=bundle.complete and bundle.inherited is None,
        )
    check_rulings(bundle.rulings, bundle.root.get("options"), report)
    if not readings:
        return
    known = {_key(diagnostic) for diagnostic in report.diagnostics}
    base_ok = report.ok
    for ruling in bundle.rulings.values():
        for name, overlay in ruling.readings.items():
            setting = alone(bundle.rulings, ruling, name)
            for diagnostic in _reading_report(bundle, overlay, setting, files, base_ok):
                if (key := _key(diagnostic)) not in known:
                    known.add(key)
                    report.add(diagnostic)
    if report.ok:
        _check_over(files, _named_by_readings(bundle), report)


def _check_over(files: list[GameFile], others: set[str], report: Report) -> None:
    """What `over` names must exist with some reading; which one is no matter here."""
    rules = [rule for file in files for rule in _all_rules(file)]
    names = {rule.name for rule in rules} | others
    for rule in rules:
        for named in rule.over if isinstance(rule, EffectRule) else ():
            if named.name not in names:
                report.add(messages.over_nothing(named, names, rule.path))


def _named_by_readings(bundle: Bundle) -> set[str]:
    """Of a variant: what the readings that it leaves out would add."""
    if bundle.inherited is None or not isinstance(bundle.rulings_root, Sequence):
        return set()
    roots = [each for each in bundle.rulings_root.items if isinstance(each, Mapping)]
    rulings = [each for root in roots for each in read_rulings(root, Report()).values()]
    overlays_ = [overlay for ruling in rulings for overlay in ruling.readings.values()]
    return {edit.names[-1] for overlay in overlays_ for edit in overlay.edits}


def _all_rules(file: GameFile) -> Iterator[Rule]:
    yield from file.rules
    for piece in file.pieces:
        for each in piece.types:
            yield from each.while_held


def _reading_report(
    bundle: Bundle,
    overlay: Overlay,
    setting: Names[str, str],
    files: list[GameFile],
    base_ok: bool,
) -> list[Diagnostic]:
    """What a reading brings in faults; its game file goes to ``files``.

    Warnings about parts of the base are left to the base, as are errors while the base has some.
    """
    report = Report()
    root = bundle.root
    applied = overlays(bundle.rulings, setting)
    for each in applied:
        root = apply(root, each, report)
    own = {overlay.span.source}
    if report.ok and bundle.shaped and check_shape(_part(root, applied), report, "game"):
        checked = _checked(root, bundle, report, whole=base_ok)
        if checked is not None:
            files.append(checked[0])
    note = f"with the reading `{overlay.name}`"
    if bundle.inherited is not None and overlay.name.partition(".")[0] in bundle.inherited:
        found = [each for each in report.diagnostics if base_ok and each.severity == "error"]
        return [not_with_variant(each, overlay.name) for each in found]
    return [
        replace(diagnostic, within=diagnostic.within or f"rulings.{overlay.name}")
        if _in(diagnostic, own)
        else replace(diagnostic, notes=(*diagnostic.notes, note))
        for diagnostic in report.diagnostics
        if _in(diagnostic, own) or (base_ok and diagnostic.severity == "error")
    ]


def _in(diagnostic: Diagnostic, sources: set[Source]) -> bool:
    return diagnostic.span is not None and diagnostic.span.source in sources


def _key(diagnostic: Diagnostic) -> object:
    return diagnostic.code, diagnostic.message, diagnostic.span


def _part(root: Mapping, applied: list[Overlay]) -> Mapping:
    """The game with only those records that overlays touch, and one of each section else.

    The shape of the others was looked at with the base; this makes a reading quick to check.
    """
    records = {path for overlay in applied for path in touched(overlay)}
    kept = []
    for entry in root.entries:
        if entry.key.text not in SECTIONS or not isinstance(entry.value, Mapping):
            kept.append(entry)
            continue
        inner = entry.value
        names = {path[1] for path in records if path[0] == entry.key.text and len(path) > 1}
        whole = (entry.key.text,) in records
        some = [e for e in inner.entries if whole or e.key.text.partition("(")[0] in names]
        some = some or list(inner.entries[:1])
        kept.append(Entry(entry.key, Mapping(inner.span, tuple(some), inner.flow)))
    return Mapping(root.span, tuple(kept), root.flow)


def _checked(
    root: Mapping, bundle: Bundle, report: Report, *, whole: bool
) -> tuple[GameFile, Facts] | None:
    """Load and type a document; the game as a whole is looked at where nothing is wrong so far."""
    told = {diagnostic.span for diagnostic in report.diagnostics}
    base = {bundle.root.span.source}
    loaded, typed = Report(), Report()
    file = load_document(root, loaded, bundle.cache)
    _add_new(loaded, report, lambda span: span not in told)
    if file is None:
        return None
    facts = check_file(file, typed)
    # what has another shape, or did not parse, is one mistake: nothing else is told of it
    _add_new(typed, report, lambda span: span not in told and not bundle.cache.broken(span))
    if whole and report.ok:
        found = Report()
        check_game(file, facts, found, bundle.walks)
        for diagnostic in found.diagnostics:
            # a reading may take away what a label of the base stands for
            if root is bundle.root or diagnostic.code != "RW430" or not _in(diagnostic, base):
                report.add(diagnostic)
    return file, facts


def _add_new(found: Report, report: Report, new: Callable[[Span | None], bool]) -> None:
    for diagnostic in found.diagnostics:
        if new(diagnostic.span):
            report.add(diagnostic)


# ------------------------------------------------------------------ one setting


def load_path(path: str, options: Names[str, object]) -> Ruleset:
    """The ruleset of a game at a setting; raises `RulesetError` with all its faults."""
    report = Report()
    bundle = read_bundle(path, report)
    if bundle is None or not report.ok:
        raise RulesetError(report)
    return rule_set(bundle, options)


def rule_set(
    bundle: Bundle, options: Names[str, object], kept: Names[str, str] | None = None
) -> Ruleset:
    """One setting; ``kept`` are option values that hold where the game still has the option."""
    report = Report()
    texts = {name: option_text(value) for name, value in options.items()}
    readings = _readings(bundle, texts, report)
    if not report.ok:
        raise RulesetError(report)
    asked = {name: value for name, value in texts.items() if name not in bundle.rulings}
    key = frozenset({**readings, **(kept or {}), **asked}.items())
    if (made := bundle.made.get(key)) is not None:
        return made
    root = bundle.root
    for overlay in overlays(bundle.rulings, readings):
        root = apply(root, overlay, report)
    if report.ok and root is not bundle.root:
        check_shape(root, report, "game")
    checked = _checked(root, bundle, report, whole=True) if report.ok else None
    if checked is None or not report.ok:
        raise RulesetError(report)
    file, facts = checked
    values = _option_values(file, bundle, asked, kept or {}, report)
    if not report.ok:
        raise RulesetError(report)
    made = bundle.made[key] = Ruleset(
        file=file,
        facts=facts,
        statements=bundle.statements,
        rulings=bundle.rulings,
        readings=readings,
        option_values=values,
        path=bundle.path,
        sources=bundle.sources,
        fingerprint=_fingerprint(bundle, readings, values),
        bundle=bundle,
    )
    return made


def _readings(bundle: Bundle, texts: Names[str, str], report: Report) -> dict[str, str]:
    readings: dict[str, str] = {}
    for name, ruling in bundle.rulings.items():
        reading = readings[name] = texts.get(name, ruling.default)
        if reading not in ruling.names:
            report.add(messages.reading_unknown(reading, ruling))
    if report.ok:
        setting_faults(bundle.rulings, readings, report)
    return readings


def _option_values(
    file: GameFile,
    bundle: Bundle,
    asked: Names[str, str],
    kept: Names[str, str],
    report: Report,
) -> dict[str, str]:
    declared = {option.name: option for option in file.options}
    for name in asked:
        if name not in declared:
            report.add(messages.no_such_option(name, bundle.rulings, declared))
    values: dict[str, str] = {}
    for name, option in declared.items():
        value = values[name] = asked.get(name, kept.get(name, option.default))
        if name in asked and (fault := value_fault(file, option, value)) is not None:
            report.add(fault)
    return values


def _fingerprint(bundle: Bundle, readings: Names[str, str], values: Names[str, str]) -> str:
    digest = hashlib.sha256()
    for source in bundle.sources:
        digest.update(f"{len(source.text)}\n{source.text}\n".encode())
    for setting in (readings, values):
        for name, value in sorted(setting.items()):
            digest.update(f"{name}={value}\n".encode())
        digest.update(b"\n")
    return digest.hexdigest()
