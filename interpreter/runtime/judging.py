"""The reasons why one option is not possible: the conditions that fail, or why none can be met.

Takes a decision and what a text means there; asks the conditions that lowering made the options
from. Names are those of the player who is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from interpreter.ir.words import SET_OF
from interpreter.runtime.content import action_label, fixed_values, member
from interpreter.runtime.options import Decision
from interpreter.runtime.sight import Sight
from interpreter.runtime.step import Fault
from interpreter.runtime.typed import Match, Typed

if TYPE_CHECKING:
    from interpreter.lowering.compiled import ActionInfo, Candidates, NamedCondition
    from interpreter.runtime.state import State

ReasonKind = Literal["condition", "not asked", "unknown", "which", "no way on", "over"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason. ``path`` names the condition: ``rules.drive.needs.no_token``.

    ``values`` are the parts of the condition with what they are now; ``place`` is
    ``file:line:column``; ``cites`` are statements of the game's document.
    """

    kind: ReasonKind
    text: str
    path: str = ""
    condition: str = ""
    values: tuple[tuple[str, str], ...] = ()
    place: str = ""
    cites: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [self.text]
        lines.extend(f"  {part} is {shown}" for part, shown in self.values)
        if self.place:
            cited = f" ({', '.join(self.cites)})" if self.cites else ""
            lines.append(f"  --> {self.place}{cited}")
        return "\n".join(lines)


def judged(
    state: State, decision: Decision, found: Match, names: Sight, openly: bool
) -> list[Reason] | None:
    """None where the option is possible, else the reasons."""
    game, part = state.game, found.part
    possible = decision.possible(found, openly)
    given, later = found.chosen, dict(found.later)
    if possible and not (given and later):
        owners = {names.owner(part.kind, member(part, k)) for k in possible}
        clear = len(owners) == 1 or decision.player - 1 in owners
        if (given and clear) or len(possible) == 1:
            return None
        return [_which(names, part, possible)]
    info = game.compiled.actions.get(part.action)
    if info is None:
        return [_plain(decision, found, names)]
    fixed = fixed_values(game.compiled, decision.question, part, decision.arguments)
    known = {value.name: value.value for value in fixed}
    if info.params and part.given:
        known[info.params[0][0]] = decision.arguments[part.given[0]]
    judge = _Judge(state, names, info)
    if part.param and part.param in judge.several:
        return judge.of_several(known, decision, found)
    if not given and part.param:
        return judge.failing(known) or [judge.no_way(known, part.param)]
    if part.param:
        known[part.param] = _meant(judge, decision, found, known | later, possible)
    reasons = judge.failing(known | later)
    if reasons:
        return reasons
    if possible:
        return None
    waiting = [name for name, _ in info.choices if name not in known | later]
    if waiting:
        return [judge.no_way(known | later, waiting[0])]
    return [Reason("no way on", f"`{info.name}` cannot be done or paid for in any way", info.path)]


def hindered(state: State, player: int, typed: Typed, openly: bool) -> list[Reason]:
    """What stands in the way of an action that a player (from 1) is not asked for now.

    An action that ``may`` be done is not asked for at all where it cannot be done.
    """
    info = state.game.compiled.actions.get(typed.word)
    if info is None or not info.params:
        return []
    names = Sight(state.game, state.data, player - 1, openly=openly)
    wanted = dict((*info.params[1:], *info.choices))
    order = list(wanted)
    if len(typed.places) <= len(info.choices):
        order = [name for name, _ in info.choices]
    given = {**dict(zip(order, typed.places, strict=False)), **dict(typed.named)}
    known = {info.params[0][0]: player - 1}
    for name, text in given.items():
        meant = names.alike(wanted[name], text) if name in wanted else []
        if meant:
            known[name] = meant[0]
    judge = _Judge(state, names, info)
    reasons = judge.failing(known)
    left = [name for name, _ in info.choices if name not in known]
    if not reasons and left and len(info.params) == 1 and not judge.possible(player):
        return [judge.no_way(known, left[0])]
    return reasons


def _meant(
    judge: _Judge,
    decision: Decision,
    found: Match,
    known: Mapping[str, int],
    possible: Sequence[int],
) -> int:
    """Of the members that a text can mean the one that comes nearest to being possible."""
    part = found.part
    numbers = [member(part, k) for k in possible or found.candidates]
    if len(numbers) == 1:
        return numbers[0]
    return min(
        numbers,
        key=lambda number: (
            len(judge.failing({**known, part.param: number})),
            judge.names.owner(part.kind, number) != decision.player - 1,
        ),
    )


def _which(names: Sight, part: Candidates, possible: Sequence[int]) -> Reason:
    """The text fits several options."""
    shown = [names.called(part.kind, member(part, k)) for k in possible[:8]]
    rest = " ..." if len(possible) > 8 else ""
    return Reason("which", f"which `{part.param}`? expected one of {', '.join(shown)}{rest}")


def _plain(decision: Decision, found: Match, names: Sight) -> Reason:
    """A plain choice has a set to choose from; the reason is that the member is not in it."""
    part = found.part
    _, place, cites = decision.state.game.names.site(decision.question.site)
    options = ", ".join(f"`{option.text}`" for option in decision.options[:8])
    if not part.param:
        text = f"`{part.action}` is not possible yet; possible: {options}"
    else:
        wanted = names.called(part.kind, member(part, found.candidates[0]))
        text = f"`{wanted}` is not among the choices for `{part.param}`; possible: {options}"
    return Reason("condition", text, decision.id, place=place, cites=cites)


class _Judge:
    """The conditions of one action in one state."""

    def __init__(self, state: State, names: Sight, info: ActionInfo) -> None:
        self.state = state
        self.game = state.game
        self.names = names
        self.info = info
        self.several = {name for name, kind in info.choices if kind.startswith(SET_OF)}
        """The choices of which several members are chosen."""

    def possible(self, player: int) -> bool:
        """Whether an action that takes only the player (from 1) could be offered."""
        function = f"{self.info.name}?"
        if function not in self.game.machine.program.functions:
            return True
        return self.game.value(self.state, function, [player - 1]) != 0

    def failing(self, known: Mapping[str, int], only: str = "") -> list[Reason]:
        """The conditions whose names are all known and that fail; perhaps of one path only."""
        return [
            self._reason(condition, known)
            for condition in self.info.conditions
            if only in ("", condition.path)
            and all(name in known for name in condition.args)
            and self._holds(condition, known) is False
        ]

    def of_several(
        self, known: Mapping[str, int], decision: Decision, found: Match
    ) -> list[Reason]:
        """Why a member cannot be added to those that are chosen already."""
        part = found.part
        name, question = part.param, decision.question
        so_far = decision.arguments[-1] if question.names[-1:] == (name,) else 0
        if not found.chosen:
            return self.failing(known) or [self.no_way(known, name)]
        number = member(part, found.candidates[0])
        alone, grown = {**known, name: 1 << number}, {**known, name: so_far | 1 << number}
        reasons = self.failing(known) or self.failing(alone, f"{self.info.path}.choose.{name}")
        if reasons:
            return reasons
        if grown[name].bit_count() >= self._most(name, known):
            reasons = self.failing(grown)
        return reasons or [self._no_set(name, self.names.called(part.kind, number))]

    def _most(self, name: str, known: Mapping[str, int]) -> int:
        """How many members are chosen at most."""
        function, args = next((f, a) for n, f, a in self.info.amounts if n == name)
        return self.game.value(self.state, function, [known.get(arg, 0) for arg in args])

    def _no_set(self, name: str, held: str) -> Reason:
        domain = f"{self.info.path}.choose.{name}"
        asked = [c.path for c in self.info.conditions if c.args[-1:] == (name,)]
        wanted = [f"holds `{held}`"] if held else []
        if conditions := " and ".join(f"`{path}`" for path in asked if path != domain):
            wanted.append(f"meets {conditions}")
        that = f" that {' and '.join(wanted)}" if wanted else ""
        return Reason("no way on", f"no set for `{name}`{that} is left", domain)

    def _holds(self, condition: NamedCondition, known: Mapping[str, int]) -> bool | None:
        """Whether a condition is met; None where an earlier one that it relies on is not."""
        arguments = [known[name] for name in condition.args]
        try:
            return self.game.machine.evaluate(self.state.data, condition.function, arguments) != 0
        except (ValueError, Fault):
            return None

    def _reason(self, condition: NamedCondition, known: Mapping[str, int]) -> Reason:
        ruleset = self.game.compiled.ruleset
        arguments = [known[name] for name in condition.args]
        values = []
        for part in condition.parts:
            try:
                value = self.game.machine.evaluate(self.state.data, part.function, arguments)
            except Fault:
                continue  # a part that makes no sense here explains nothing
            values.append((part.text, self.names.show(part.kind, value)))
        _, place, cites = self.game.names.site(condition.site)
        text = f"`{condition.path}` is not met: {condition.text}"
        if ".choose." not in condition.path and condition.path in ruleset.file.labels:
            text = f"{ruleset.label(condition.path)} ({text})"
        return Reason(
            "condition", text, condition.path, condition.text, tuple(values), place, cites
        )

    def no_way(self, known: Mapping[str, int], name: str) -> Reason:
        """No member can be chosen for a name: which conditions stand in the way, and of what.

        Where some member meets all that is asked of it, the fault lies with the choice after it.
        """
        kind = dict(self.info.choices)[name].removeprefix(SET_OF)
        members = self.game.names.kind(kind)
        path = f"{self.info.path}.choose.{name}"
        stopped: dict[str, list[int]] = {}
        fits: list[int] = []
        for number in range(len(members.ids) if members else 0):
            value = 1 << number if name in self.several else number
            only = path if name in self.several else ""
            failing = self.failing({**known, name: value}, only)
            for reason in failing:
                stopped.setdefault(reason.path, []).append(number)
            if not failing:
                fits.append(number)
        label = action_label(self.game.compiled, self.info.name, "en")
        if fits and name in self.several:
            return self._no_set(name, "")
        if fits:
            now = {**known, name: fits[0]}
            waiting = [other for other, _ in self.info.choices if other not in now]
            if waiting:
                return self.no_way(now, waiting[0])
            text = f"no `{name}` leads to a way to do or pay for `{label}`"
            return Reason("no way on", text, path)
        values = tuple(
            (f"`{failed}`", f"not met by {listed}")
            for failed, numbers in sorted(stopped.items(), key=lambda item: -len(item[1]))
            if (listed := self._listed(kind, numbers))
        )
        return Reason("no way on", f"there is no `{name}` for `{label}`", path, values=values)

    def _listed(self, kind: str, numbers: Sequence[int]) -> str:
        """Some members by name, copies of a type once, hidden pieces left out."""
        hidden = self.names.hidden(kind)
        seen = [k for k in numbers if not hidden >> k & 1]
        shown = list(dict.fromkeys(self.names.show(kind, k).partition("#")[0] for k in seen))
        return ", ".join(shown[:6]) + (" ..." if len(shown) > 6 else "")
