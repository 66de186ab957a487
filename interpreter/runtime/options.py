"""What a player is asked, and what can be answered; all of it is worked out only on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, overload

from interpreter.ir.bitsets import members_of, nth
from interpreter.runtime.content import Content, Value, content, member, prompt_of, range_of
from interpreter.runtime.errors import GameError, IllegalOption
from interpreter.runtime.sight import Sight
from interpreter.runtime.step import Fault, NoState
from interpreter.runtime.typed import Match, match, ranges_for, take_apart

if TYPE_CHECKING:
    from interpreter.lowering.compiled import Candidates, Question
    from interpreter.runtime.state import State


class Decision:
    """A question that waits for a player's answer.

    ``player`` counts from 1. ``state`` is the state that asks.
    """

    __slots__ = ("_arguments", "_listed", "_mask", "_question", "_sights", "player", "state")

    def __init__(self, state: State, player: int) -> None:
        self.state = state
        self.player = player
        self._mask = -1
        self._question: Question | None = None
        self._arguments: tuple[int, ...] | None = None
        self._listed: list[int] | None = None
        self._sights: dict[tuple[int, bool], Sight] = {}

    @property
    def known_mask(self) -> int:
        """The mask, or -1 where nobody has asked for it yet."""
        if self._mask < 0 and self.state.masks is not None:
            self._mask = self.state.masks.get(self.player, -1)
        return self._mask

    @property
    def mask(self) -> int:
        """The candidates that are possible, as a set of bits; worked out once for a state."""
        if self._mask < 0:
            state = self.state
            known = state.masks
            if known is not None and self.player in known:
                self._mask = known[self.player]
                return self._mask
            try:
                self._mask = state.game.machine.options(state.data, self.player - 1)
            except Fault as fault:
                raise state.game.fault(fault.code, fault.site) from None
            except NoState as error:
                raise GameError(str(error)) from None
            if known is None:
                known = state.masks = {}
            known[self.player] = self._mask
        return self._mask

    @property
    def question(self) -> Question:
        """The stage of the decision as lowering describes it."""
        if self._question is None:
            game = self.state.game
            where = game.machine.decision(self.state.data, self.player - 1)
            self._question = game.compiled.questions[where]
        return self._question

    @property
    def arguments(self) -> tuple[int, ...]:
        """The values of the decision's arguments."""
        if self._arguments is None:
            state = self.state
            self._arguments = tuple(state.game.machine.arguments(state.data, self.player - 1))
        return self._arguments

    @property
    def id(self) -> str:
        """The stable path of the question: ``rules.put_stone.choose.cell``."""
        return self.question.path

    @property
    def options(self) -> Options:
        """What can be answered, in the order of declaration. Never empty.

        Pieces that the player does not see come after the others, by their places.
        """
        return Options(self)

    def sight(self, part: Candidates, openly: bool = False) -> Sight:
        """What the player calls the values of a range; see `Sight` for ``openly``."""
        found = self._sights.get((part.low, openly))
        if found is None:
            state, among = self.state, 0
            if part.kind in state.game.visibility.partly:
                offered = self.mask >> part.low & (1 << part.size) - 1
                among = offered << part.first
            found = Sight(state.game, state.data, self.player - 1, among, openly)
            self._sights[part.low, openly] = found
        return found

    @property
    def listed(self) -> list[int] | None:
        """The candidates in the order of the options; None where that is their own order."""
        if self._listed is not None:
            return self._listed
        partly = self.state.game.visibility.partly
        if not partly or not any(part.kind in partly for part in self.question.ranges):
            return None
        found: list[int] = []
        for part in self.question.ranges:
            offered = self.mask >> part.low & (1 << part.size) - 1
            members = [k + part.first for k in members_of(offered)]
            if part.kind in partly and part.param:
                members = self.sight(part).ordered(part.kind, members)
            found += [k - part.first + part.low for k in members]
        self._listed = found
        return found

    def prompt(self, lang: str = "en") -> str:
        """The question in words: the label at its path, or what can be done."""
        return prompt_of(self.state.game.compiled, self.question, lang)

    def find(self, text: str) -> Option:
        """The option that a text means: ``put_stone(cell=b2)``, ``put_stone b2``, ``play four``.

        A piece that the player does not see is named by its place: ``take p2.hand[3]``.
        Raises `IllegalOption`, which says why it is not possible.
        """
        option = self.look_up(text)
        if option is None:
            why = self.state.why(text, player=self.player)
            raise IllegalOption(str(why), why)
        return option

    def look_up(self, text: str, first: bool = False, openly: bool = False) -> Option | None:
        """The same, or None where it is not possible.

        With ``first`` the text may also give the choices that are asked after this one. With
        ``openly`` it may name hidden pieces by their ids, as journals and tests do.
        """
        typed = take_apart(text)
        if typed is None:
            return None
        compiled = self.state.game.compiled
        for part, rest in ranges_for(self.question, typed, partial(self.sight, openly=openly)):
            names = self.sight(part, openly)
            found = match(compiled, names, self.question, part, rest, self.arguments)
            if not isinstance(found, Match):
                continue
            possible = self.possible(found, openly)
            if not possible or (found.later and not first):
                continue
            if found.chosen:
                return self._one_of(part, possible)
            if len(possible) == 1:
                return Option(self, possible[0])
        return None

    def possible(self, found: Match, openly: bool = False) -> list[int]:
        """Those of the candidates that can be chosen, or pieces that cannot be told from them."""
        mask = self.mask
        possible = [k for k in found.candidates if mask >> k & 1]
        part = found.part
        game = self.state.game
        group = game.compiled.program.groups.get(part.kind)
        if possible or group is None or not part.param:
            return possible
        layout, data = game.machine.layout, self.state.data
        hidden = 0 if openly else self.sight(part).hidden(part.kind)
        wanted = {
            (group.alike[piece], layout.zone_of(data, group.name, piece))
            for piece in (member(part, k) for k in found.candidates)
            if not hidden >> piece & 1
        }
        return [
            k
            for k in members_of(mask)
            if part.low <= k < part.low + part.size
            and (group.alike[member(part, k)], layout.zone_of(data, group.name, member(part, k)))
            in wanted
        ]

    def _one_of(self, part: Candidates, possible: list[int]) -> Option | None:
        """A type's name means any of its pieces, but not those of different players."""
        names = self.state.game.names
        owners = {names.owner(part.kind, member(part, k)) for k in possible}
        mine = self.player - 1
        if len(owners) > 1 and mine in owners:
            possible = [k for k in possible if names.owner(part.kind, member(part, k)) == mine]
        elif len(owners) > 1:
            return None
        return Option(self, possible[0])

    def __repr__(self) -> str:
        return f"<Decision {self.id} of player {self.player}: {len(self.options)} options>"


class Option:
    """One answer to a decision, known by its content: the decision, the action, its parameters."""

    __slots__ = ("_content", "_names", "candidate", "decision")

    def __init__(self, decision: Decision, candidate: int) -> None:
        self.decision = decision
        self.candidate = candidate
        self._content: Content | None = None
        self._names: list[str] | None = None

    @property
    def content(self) -> Content:
        """The action and its values as numbers."""
        if self._content is None:
            decision = self.decision
            compiled = decision.state.game.compiled
            self._content = content(compiled, decision.question, self.candidate, decision.arguments)
        return self._content

    @property
    def player(self) -> int:
        """Who would answer, from 1."""
        return self.decision.player

    @property
    def decision_id(self) -> str:
        """The path of the question."""
        return self.decision.id

    @property
    def action(self) -> str:
        """The name of the action; ``choose`` for a plain choice, ``pass``, ``done``."""
        return self.content.action

    @property
    def params(self) -> Mapping[str, str]:
        """The values by name, as ids of members."""
        content = self.content
        shown = self._shown(content)
        return {v.name: name for v, name in zip(content.values, shown, strict=True)}

    @property
    def text(self) -> str:
        """The canonical text: ``put_stone(cell=b2)``; ``take(card=p2.hand[3])`` unseen."""
        content = self.content
        return content.written(self._shown(content))

    @property
    def record(self) -> str:
        """The text with true names, as a journal keeps it: not for players."""
        return self.content.text(self.decision.state.game.names)

    def label(self, lang: str = "en") -> str:
        """The option in the words of the file."""
        content = self.content
        return content.worded(self.decision.state.game.compiled, self.labels(lang), lang)

    def labels(self, lang: str = "en") -> list[str]:
        """The values in the words of the file, as the player knows them."""
        content, part = self.content, self._part()
        sight = self.decision.sight(part)
        last = len(content.values) - bool(part.param)
        return [
            sight.label(v.kind, v.value, lang, candidate=k == last)
            for k, v in enumerate(content.values)
        ]

    def sees(self, value: Value) -> bool:
        """Whether the player sees a value of the content."""
        return self.decision.sight(self._part()).sees(value.kind, value.value)

    def _shown(self, content: Content) -> list[str]:
        if self._names is not None:
            return self._names
        part = self._part()
        sight = self.decision.sight(part)
        shown = [sight.show(v.kind, v.value) for v in content.values]
        if part.param:
            chosen = content.values[-1]
            shown[-1] = sight.called(chosen.kind, chosen.value)
        self._names = shown
        return shown

    def _part(self) -> Candidates:
        return range_of(self.decision.question, self.candidate)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Option):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int, str, str]:
        return (self.player, self.decision_id, self.text)

    def __repr__(self) -> str:
        return f"<Option {self.text} of player {self.player}>"


class Options(Sequence[Option]):
    """The options of a decision: counted and decoded on demand."""

    __slots__ = ("_decision",)

    def __init__(self, decision: Decision) -> None:
        self._decision = decision

    def __len__(self) -> int:
        return self._decision.mask.bit_count()

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | Sequence[Option]:
        decision = self._decision
        mask = decision.mask
        listed = decision.listed
        if isinstance(index, slice):
            return [Option(decision, k) for k in (listed or members_of(mask))[index]]
        count = mask.bit_count()
        if index < 0:
            index += count
        if not 0 <= index < count:
            raise IndexError("no such option")
        return Option(decision, listed[index] if listed else nth(mask, index))

    def __iter__(self) -> Iterator[Option]:
        decision = self._decision
        return iter([Option(decision, k) for k in decision.listed or members_of(decision.mask)])

    def __contains__(self, item: object) -> bool:
        if isinstance(item, Option):
            if item.decision is self._decision:
                return bool(self._decision.mask >> item.candidate & 1)
            return any(item == option for option in self)
        return isinstance(item, str) and self._decision.look_up(item) is not None

    def __repr__(self) -> str:
        return f"<{len(self)} options of {self._decision.id}>"
