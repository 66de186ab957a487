"""Nodes -> whether their keys and values have the shape that ``schema.json`` asks for.

Takes a tree of nodes and the name of a definition in the schema; gives diagnostics. What a scalar
says in the language is not looked at; the keyword ``lang`` only tells who reads it later.
Each fault of the validator becomes one message at the node that it is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, TypeAlias

from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.messages import document as document_messages
from ruleset.diagnostics.messages import shape as messages
from ruleset.diagnostics.suggest import nearest
from ruleset.document import Entry, Mapping, Node, Scalar
from ruleset.document import Sequence as List
from ruleset.schema import What, keys_of_forms, validator
from ruleset.source import Span

Path: TypeAlias = tuple[str | int, ...]

MAX_NAME: Final = 60
MAX_FAULTS: Final = 1000
"""Further faults of one file are not told: it is no game file at all."""

_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_TRUTHS: Final = frozenset({"yes", "no", "on", "off", "true", "false"})
_NUMBER_TRAPS: Final = (
    (re.compile(r"[-+]?[0-9]+(:[0-5]?[0-9])+"), "a time or a number of base 60 for YAML"),
    (re.compile(r"[-+]?0[0-7_]+|0o[0-7]+"), "an octal number for YAML"),
    (re.compile(r"[-+]?0x[0-9a-fA-F_]+"), "a hexadecimal number for YAML"),
    (re.compile(r"[-+]?0b[01_]+"), "a binary number for YAML"),
    (re.compile(r"[-+]?[0-9][0-9_]*"), "written with signs that numbers here do not have"),
    (re.compile(r"[-+]?(\.[0-9_]+|[0-9][0-9_]*\.[0-9_]*)([eE][-+]?[0-9]+)?"), "a fraction"),
    (re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+"), "a fraction"),
)
_OF_MAPPINGS: Final = frozenset({"oneOf", "anyOf", "not"})
_OF_RULINGS: Final = ("from", "asks", "default", "excludes", "requires")
"""The keys of a ruling that name no reading."""
_FORMS: Final = ("is", "modify", "forbid", "replace")
_NOT_YET: Final = {
    ("a game file", "teams"): "name them under `kinds`, and say who is in which under `seats`",
}


def check_shape(node: Node, report: Report, what: What = "game") -> bool:
    """Whether the tree has the shape of a ``what``; every fault goes to ``report``."""
    checker = _Checker(node)
    checker.run(validator(what))
    for diagnostic in checker.found:
        report.add(diagnostic)
    return not checker.found


def _plain(node: Node) -> Any:
    """The data that the validator sees; truth values are what YAML 1.1 takes for them."""
    match node:
        case Mapping():
            return {entry.key.text: _plain(entry.value) for entry in node.entries}
        case List():
            return [_plain(item) for item in node.items]
        case Scalar(style="plain"):
            if not node.text:
                return None
            if _NUMBER.fullmatch(node.text):
                return int(node.text)
            if node.text.lower() in _TRUTHS:
                return node.text.lower() in ("yes", "on", "true")
            return node.text
        case _:
            return node.text


@dataclass(slots=True)
class _Checker:
    root: Node
    found: dict[Diagnostic, None] = field(default_factory=dict)
    """In the order in which they are met."""
    meant: set[tuple[Path, str]] = field(default_factory=set)
    """Keys that a misspelt one was meant to be; they are not missed a second time."""
    index: dict[int, dict[str, Node]] = field(default_factory=dict)
    """The values of the mappings met, by the mapping's id."""

    def run(self, validator: Any) -> None:
        for key in _keys(self.root):
            if key.style == "plain" and key.text.lower() in _TRUTHS:
                fault = messages.trap(
                    key.text,
                    key.span,
                    "a truth value for other readers of YAML",
                    "a name",
                    [f"call it otherwise, or put it in quotes: `'{key.text}'`"],
                )
                self.found[fault] = None
        errors = list(islice(validator.iter_errors(_plain(self.root)), MAX_FAULTS))
        later = ("required", "oneOf", "anyOf", "dependentRequired")
        errors.sort(key=lambda error: error.validator in later)
        for error in errors:
            path: Path = tuple(error.absolute_path)
            for diagnostic in self.explain(error, path):
                if len(self.found) < MAX_FAULTS:
                    self.found[replace(diagnostic, within=_record_path(path))] = None

    def explain(self, error: Any, path: Path) -> Iterator[Diagnostic]:
        if "propertyNames" in error.absolute_schema_path:
            yield from self.key_name(error, path)
            return
        if error.validator in _OF_MAPPINGS and not isinstance(error.instance, dict):
            return  # the validator lets any other value pass; its type is told of already
        node = self.node(path)
        record = error.schema.get("record", "")
        expected = error.schema.get("what") or (f"{record} (a mapping)" if record else "a mapping")
        record = record or expected
        match error.validator:
            case "type":
                yield from self.kind(error, path, node, expected)
            case "additionalProperties":
                yield from self.unknown(error, path, node, record)
            case "required":
                yield from self.required(error, path, record)
            case "oneOf" | "anyOf":
                yield from self.one_of(error, path, node, record)
            case "not":
                first, second = error.validator_value["required"]
                yield self.together(node, first, second, record)
            case "dependentRequired":
                yield from self.beside(error, path, node)
            case "enum" | "const":
                possible = error.validator_value
                possible = [possible] if error.validator == "const" else possible
                found = node.text if isinstance(node, Scalar) else _found(node)
                if _blank(node):
                    yield messages.no_value(self.name(path), _words(possible), node.span, "")
                else:
                    near = nearest(found, possible)
                    yield messages.wrong_word(self.name(path), found, possible, near, node.span)
            case "pattern":
                yield self.text(error, node, expected)
            case "minProperties" | "minItems":
                yield messages.empty_value(
                    expected, node.span, error.validator_value, len(error.instance)
                )
            case "maxProperties":
                yield messages.too_many_entries(expected, node.span, error.validator_value)
            case "minimum":
                yield messages.out_of_range(error.instance, node.span, error.validator_value, None)
            case "maximum":
                yield messages.out_of_range(error.instance, node.span, None, error.validator_value)
            case _:
                yield messages.not_as_expected(expected, _found(node), node.span)

    # -------------------------------------------------------------- single faults

    def kind(self, error: Any, path: Path, node: Node, expected: str) -> Iterator[Diagnostic]:
        types = error.validator_value
        types = [types] if isinstance(types, str) else types
        if error.schema.get("record") == "a reading" and not _blank(node):
            near = nearest(str(path[-1]), _OF_RULINGS)
            if near is not None and self.node((*path[:-1], near)) is self.node(path[:-1]):
                self.meant.add((path[:-1], near))
                yield messages.unknown_key(str(path[-1]), self.place(path), "a ruling", near, ())
                return
        if self.out_of_record(path):
            yield from self.too_far_left(path)
            return
        if _blank(node):
            parent = self.node(path[:-1]) if path else node
            name = self.name(path)
            if path and isinstance(parent, Mapping):
                entry = parent.entry(str(path[-1]))
                if entry and _left_over(parent, entry):
                    if not _left_over_before(parent, entry):
                        yield document_messages.comma_left_over(entry.key.span, name)
                    return
            optional = types == ["object"] and not (
                error.schema.get("required") or error.schema.get("minProperties")
            )
            yield messages.no_value(name, expected, self.place(path), "{}" if optional else "")
            return
        if isinstance(node, Scalar) and node.style == "plain":
            if "integer" in types or "string" in types:
                for pattern, taken_for in _NUMBER_TRAPS:
                    if types == ["integer"] and pattern.fullmatch(node.text):
                        helps = ["write a whole number with digits alone, such as `12`"]
                        yield messages.trap(node.text, node.span, taken_for, expected, helps)
                        return
            if isinstance(error.instance, bool) and "string" in types:
                helps = [f"call it otherwise, or put it in quotes: `'{node.text}'`"]
                taken_for = "a truth value for YAML"
                yield messages.trap(node.text, node.span, taken_for, expected, helps)
                return
        helps = []
        if isinstance(node, Scalar):
            if types == ["integer"] and _NUMBER.fullmatch(node.text.strip()):
                helps.append("write the number without quotes")
            elif types == ["array"]:
                helps.append(f"write a list: `[{node.text}]`" if len(node.text) < 40 else "")
        elif isinstance(node, Mapping) and node.flow and "lang" in error.schema:
            helps.append("a value that begins with `{` goes in quotes")
        yield messages.wrong_kind(expected, _found(node), node.span, [h for h in helps if h])

    def out_of_record(self, path: Path) -> bool:
        """Whether a key of a rule stands among the rules."""
        return len(path) == 2 and path[0] == "rules" and path[1] in keys_of_forms()

    def too_far_left(self, path: Path) -> Iterator[Diagnostic]:
        parent = self.node(path[:1])
        if isinstance(parent, Mapping):
            names = [entry.key.text for entry in parent.entries]
            at = names.index(str(path[1]))
            if at:
                self.meant.update(((path[0], names[at - 1]), key) for key in keys_of_forms())
            belongs = names[at - 1] if at else None
            yield messages.too_far_left(str(path[1]), self.key(parent, str(path[1])), belongs)

    def unknown(self, error: Any, path: Path, node: Node, record: str) -> Iterator[Diagnostic]:
        if not isinstance(node, Mapping):
            return
        known = list(error.schema.get("properties", {}))
        patterns = [re.compile(pattern) for pattern in error.schema.get("patternProperties", {})]
        for entry in node.entries[:MAX_FAULTS]:
            key = entry.key.text
            if key in known or any(pattern.search(key) for pattern in patterns):
                continue
            if _left_over(node, entry):
                if not _left_over_before(node, entry):
                    yield document_messages.comma_left_over(entry.key.span, key)
                continue
            if (record, key) in _NOT_YET:
                yield messages.not_yet(key, entry.key.span, _NOT_YET[record, key])
                continue
            if key in keys_of_forms() and "rule" in record:
                yield from self.other_form(node, entry)
                continue
            near = nearest(key, known)
            if near is None and record == "a rule":
                near = nearest(key, sorted(keys_of_forms()))
            if near:
                self.meant.add((path, near))
            yield messages.unknown_key(key, entry.key.span, record, near, known)

    def other_form(self, node: Mapping, entry: Entry) -> Iterator[Diagnostic]:
        key = entry.key.text
        for form in _FORMS:
            made = node.entry(form)
            if made:
                yield messages.key_of_other_form(key, entry.key.span, form, made.key.span)
                return
        other = {"at least": "is", "at most": "is", "by": "replace"}.get(key, "modify")
        yield messages.missing_beside(key, other, entry.key.span)

    def required(self, error: Any, path: Path, record: str) -> Iterator[Diagnostic]:
        wanted = error.validator_value
        missing = [k for k in wanted if k not in error.instance and (path, k) not in self.meant]
        others: Sequence[str] = ()
        if record == "a rule":
            if any(f in error.instance for f in ("add", "times", "becomes", "at least", "by")):
                return  # said at that key
            others = ("do", *_FORMS)
        if missing:
            yield messages.missing_keys(missing, record, self.place(path), others)

    def one_of(self, error: Any, path: Path, node: Node, record: str) -> Iterator[Diagnostic]:
        keys = [key for choice in error.validator_value for key in _required(choice)]
        here = [key for key in keys if key in error.instance]
        if len(here) > 1:
            yield self.together(node, here[0], here[1], record)
        elif not any((path, key) in self.meant for key in keys):
            yield messages.missing_one_of(keys, record, self.place(path))

    def beside(self, error: Any, path: Path, node: Node) -> Iterator[Diagnostic]:
        for key, others in error.validator_value.items():
            for other in others:
                if other in error.instance or (path, other) in self.meant:
                    continue
                if key in error.instance:
                    yield messages.missing_beside(key, other, self.key(node, key))

    def together(self, node: Node, first: str, second: str, record: str) -> Diagnostic:
        a, b = self.key(node, first), self.key(node, second)
        if b.start < a.start:
            first, second, a, b = second, first, b, a
        return messages.do_not_go_together(second, b, first, a, record)

    def key_name(self, error: Any, path: Path) -> Iterator[Diagnostic]:
        key = str(error.instance)
        parent = self.node(path)
        if isinstance(parent, Mapping):
            entry = parent.entry(key)
            if entry and entry.key.text.lower() in _TRUTHS and entry.key.style == "plain":
                return
            if entry and _left_over(parent, entry):
                if not _left_over_before(parent, entry):
                    yield document_messages.comma_left_over(entry.key.span, key)
                return
        span = self.key(parent, key)
        expected = error.schema.get("what", "a name")
        if expected.startswith("a name"):
            yield _name_fault(key, span, error.schema["pattern"])
        else:
            yield messages.not_as_expected(expected, key, span)

    def text(self, error: Any, node: Node, expected: str) -> Diagnostic:
        found = str(error.instance)
        if expected.startswith("a name"):
            return _name_fault(found, node.span, error.validator_value)
        helps = []
        if expected.startswith("an id"):
            helps.append("an id looks like `AB-012`")
        return messages.not_as_expected(expected, _short(found), node.span, helps)

    # -------------------------------------------------------------- places

    def node(self, path: Path) -> Node:
        """The node at a path of the data."""
        node = self.root
        for step in path:
            match node:
                case Mapping():
                    if id(node) not in self.index:
                        self.index[id(node)] = {e.key.text: e.value for e in node.entries}
                    node = self.index[id(node)].get(str(step), node)
                case List() if isinstance(step, int):
                    node = node.items[step]
                case _:
                    pass
        return node

    def name(self, path: Path) -> str:
        """The key that a path ends at; of an item of a list, the key of the list."""
        for step in reversed(path):
            if isinstance(step, str):
                return step
        return "the file"

    def place(self, path: Path) -> Span:
        """The key of the value at a path: a short place for what concerns the whole value."""
        if path and isinstance(path[-1], str):
            return self.key(self.node(path[:-1]), path[-1])
        span = self.node(path).span
        return Span(span.source, span.start, min(span.end, span.start + 1))

    def key(self, node: Node, name: str) -> Span:
        entry = node.entry(name) if isinstance(node, Mapping) else None
        return entry.key.span if entry else node.span


def _keys(node: Node) -> Iterator[Scalar]:
    match node:
        case Mapping():
            for entry in node.entries:
                yield entry.key
                yield from _keys(entry.value)
        case List():
            for item in node.items:
                yield from _keys(item)
        case Scalar():
            pass


def _required(choice: Any) -> list[str]:
    if "required" in choice:
        return list(choice["required"])
    return [key for part in choice.get("anyOf", ()) for key in _required(part)]


def _blank(node: Node) -> bool:
    return isinstance(node, Scalar) and node.style == "plain" and not node.text


def _left_over(node: Mapping, entry: Entry) -> bool:
    """Whether an entry is what a comma inside ``{ }`` cut off: a key without even a colon."""
    source, end = entry.key.span.source, entry.key.span.end
    colon = source.text[end : end + 40].lstrip().startswith(":")
    return node.flow and _blank(entry.value) and not colon


def _left_over_before(node: Mapping, entry: Entry) -> bool:
    """Whether the entry before it is left over too, so that this one is said already."""
    at = node.entries.index(entry)
    return at > 0 and _left_over(node, node.entries[at - 1])


def _words(words: Sequence[str]) -> str:
    return " or ".join(f"`{word}`" for word in words)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else line[:37] + "..."


def _found(node: Node) -> str:
    match node:
        case Mapping():
            return "a mapping" if node.entries else "an empty mapping"
        case List():
            return "a list" if node.items else "an empty list"
        case Scalar():
            if not node.text:
                return "nothing" if node.style == "plain" else "an empty text"
            if node.style == "plain" and _NUMBER.fullmatch(node.text):
                return f"the number {node.text}"
            return f"`{_short(node.text)}`"


def _name_fault(found: str, span: Span, pattern: str) -> Diagnostic:
    bare = found.split("(")[0].strip()
    if len(bare) > MAX_NAME:
        return messages.long_name(bare, span, MAX_NAME)
    capitals = "A-Z" in pattern
    better = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", found)
    better = better if capitals else better.lower()
    head, bracket, rest = better.partition("(")
    better = re.sub(r"[-\s.]+(?=\w)", "_", head) + bracket + rest
    fits = better != found and re.search(pattern, better)
    return messages.bad_name(_short(found), span, better if fits else None, capitals)


def _record_path(path: Path) -> str:
    """The record that a path lies in, as ``rules.drive``: without parameters."""
    depth = 4 if len(path) >= 4 and path[0] == "pieces" and path[2] == "types" else 2
    names = [str(step).split("(")[0].strip() for step in path[:depth]]
    if path[:1] == ("result",):
        return "result"
    return ".".join(names) if len(path) >= 2 else ""
