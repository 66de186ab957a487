"""What a candidate of a question means: an action and the values of its parameters.

Takes the question as lowering describes it and the values of the decision's arguments. Options are
written, compared, found and saved by this content, never by their number alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.runtime.naming import Names

if TYPE_CHECKING:
    from interpreter.lowering.compiled import Candidates, Compiled, Question

CHOOSE = "choose"
"""Stands for the action where a plain choice is made."""
PAY = {"en": "pay", "ja": "支払い"}
"""What a prompt says where the parts of a price are chosen."""
WORDS = {
    "pass": {"en": "pass", "ja": "パス"},
    "done": {"en": "done", "ja": "決定"},
    CHOOSE: {"en": "choose", "ja": "選択"},
}


@dataclass(frozen=True, slots=True)
class Value:
    """One parameter of an action: its name, its kind, the number of the member."""

    name: str
    kind: str
    value: int


@dataclass(frozen=True, slots=True)
class Content:
    """An action with its parameters, the player left out."""

    action: str
    values: tuple[Value, ...]

    def text(self, names: Names) -> str:
        """The canonical text with true names: ``put_stone(cell=b2)``, ``pass``."""
        return self.written([names.show(v.kind, v.value) for v in self.values])

    def written(self, shown: Sequence[str]) -> str:
        """The text with these names for the values."""
        if not self.values:
            return self.action
        inner = ", ".join(f"{v.name}={name}" for v, name in zip(self.values, shown, strict=True))
        return f"{self.action}({inner})"

    def worded(self, compiled: Compiled, labels: Sequence[str], lang: str) -> str:
        """The option in words: the action's label and those of its members."""
        said = action_label(compiled, self.action, lang)
        if not labels:
            return said
        shown = ", ".join(labels)
        return shown if self.action == CHOOSE else f"{said}: {shown}"


def action_label(compiled: Compiled, action: str, lang: str) -> str:
    """An action in the words of the file."""
    info = compiled.actions.get(action)
    if info is not None:
        return compiled.ruleset.label(info.path, lang)
    if action in compiled.stand_ins:
        return compiled.ruleset.label(compiled.stand_ins[action], lang)
    words = WORDS.get(action)
    return words.get(lang, words["en"]) if words else action.replace("_", " ")


def prompt_of(compiled: Compiled, question: Question, lang: str) -> str:
    """A question in words: the label at its path, or what can be done."""
    ruleset = compiled.ruleset
    path = question.path
    if path in ruleset.file.labels:
        return ruleset.label(path, lang)
    if ".costs." in path:
        return f"{PAY.get(lang, PAY['en'])}: {ruleset.label(path, lang)}"
    actions = dict.fromkeys(p.action for p in question.ranges if p.action not in ("", *WORDS))
    if actions:
        return " / ".join(action_label(compiled, action, lang) for action in actions)
    return f"{action_label(compiled, CHOOSE, lang)}: {ruleset.label(path, lang)}"


def range_of(question: Question, candidate: int) -> Candidates:
    """The range that a candidate lies in."""
    for part in question.ranges:
        if part.low <= candidate < part.low + part.size:
            return part
    raise IndexError(f"candidate {candidate} of {question.path}")


def member(part: Candidates, candidate: int) -> int:
    """The number of the member that a candidate of this range means."""
    return candidate - part.low + part.first


def fixed_values(
    compiled: Compiled, question: Question, part: Candidates, arguments: Sequence[int]
) -> tuple[Value, ...]:
    """The parameters that are settled before this stage: handed over, or chosen earlier."""
    values: list[Value] = []
    info = compiled.actions.get(part.action)
    if info is not None:
        values.extend(
            Value(name, kind, arguments[where])
            for (name, kind), where in zip(info.params[1:], part.given[1:], strict=False)
        )
    values.extend(
        Value(name, kind, arguments[where])
        for action, name, kind, where in question.taken
        if action in (part.action, "") and where < len(arguments)
    )
    return tuple(values)


def content(
    compiled: Compiled, question: Question, candidate: int, arguments: Sequence[int]
) -> Content:
    """What a candidate means."""
    part = range_of(question, candidate)
    fixed = fixed_values(compiled, question, part, arguments)
    if part.param:
        fixed = (*fixed, Value(part.param, part.kind, member(part, candidate)))
    return Content(part.action or CHOOSE, fixed)
