"""A state of a game: immutable, equal by its bytes; says all that a table wants to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.ir.bitsets import members_of
from interpreter.ir.layout import OVER
from interpreter.runtime.errors import GameError, IllegalOption
from interpreter.runtime.events import LogEntry, log_of, reveals_nothing
from interpreter.runtime.history import Past, Step, steps_of
from interpreter.runtime.journal import Journal, journal_of
from interpreter.runtime.ledger import Entry, ledger_of
from interpreter.runtime.options import Decision, Option
from interpreter.runtime.result import GameResult, result_of
from interpreter.runtime.saves import save_of
from interpreter.runtime.view import view_of
from interpreter.runtime.waiting import Chance, Outcome, Waiting, chance_of, outcome_of
from interpreter.runtime.why import Why, explain

if TYPE_CHECKING:
    from interpreter.runtime.game import Game

_NO_PAST = (
    "the past of this state is not known: it was made from bytes or from a save; "
    "replay the game's journal to have it"
)


class State:
    """One moment of a game at which somebody is asked, or at which it is over.

    Players count from 1. Two states are equal when their games have the same rules and number of
    players and their bytes are equal; how they came about does not matter.
    """

    __slots__ = ("data", "explicit", "game", "masks", "past", "waiting")

    def __init__(
        self,
        game: Game,
        data: bytes,
        past: Past | None = None,
        explicit: bool = False,
        waiting: Waiting | None = None,
    ) -> None:
        self.game = game
        self.data = data
        """The bytes; where chance is asked, those before the step."""
        self.past = past
        self.explicit = explicit
        """Whether outcomes of chance are given from outside."""
        self.waiting = waiting
        """The step that waits for an outcome, or none."""
        self.masks: dict[int, int] | None = None
        """What each player can answer, where that was asked already; `Decision` keeps it."""

    # ------------------------------------------------------------------ play

    @property
    def over(self) -> bool:
        """Whether the game has ended; then nothing is pending."""
        return self.game.machine.status(self.data) == OVER

    @property
    def pending(self) -> tuple[Decision, ...]:
        """One decision for each player who is asked now; several where a choice is simultaneous.

        None where chance is asked.
        """
        if self.waiting is not None:
            return ()
        pending = self.game.machine.pending(self.data)
        if pending & (pending - 1):
            return tuple([Decision(self, player + 1) for player in members_of(pending)])
        return (Decision(self, pending.bit_length()),) if pending else ()

    @property
    def chance(self) -> Chance | None:
        """What chance is asked, in a game with ``chance="explicit"``; None where a player is."""
        return chance_of(self) if self.waiting is not None else None

    def apply(self, option: Option | Outcome | str, player: int | None = None) -> State:
        """The state after an answer; this state stays as it is.

        Takes an option of this state or an equal one of another, or its text (with ``player``
        where several are asked); a text may give several choices of one action at once, which
        are as many steps. Where chance is asked: an outcome, or its text. Raises `IllegalOption`
        where it is not possible here, with the reasons, and `RulesFault` where the rules cannot
        go on.
        """
        if self.waiting is not None:
            if isinstance(option, Option):
                raise IllegalOption(f"chance is asked for `{self.waiting.label}`, and no player")
            outcome = outcome_of(self, option) if isinstance(option, str) else option
            return self.game.unforced(self.game.roll(self, outcome.member))
        if isinstance(option, Outcome):
            raise IllegalOption("a player is asked here, not chance")
        if not isinstance(option, Option) or option.decision.state is not self:
            if isinstance(option, str) and (whole := self._at_once(option, player)):
                return whole
            option = self._found(option, player)
        decision = option.decision
        after = self.game.step(
            self, decision.player - 1, option.candidate, None, decision.known_mask
        )
        return self.game.unforced(after) if self.game.auto_forced else after

    def _at_once(self, text: str, player: int | None) -> State | None:
        """The state after a text that gives more than is asked now; None where it does not."""
        for decision in self.pending:
            if player not in (None, decision.player) or decision.look_up(text) is not None:
                continue
            option = decision.look_up(text, first=True)
            if option is not None:
                after = self.apply(option)
                return after if after.waiting is not None else after.apply(text, decision.player)
        return None

    def _found(self, option: Option | str, player: int | None) -> Option:
        if isinstance(option, Option):
            text, player, asked = option.text, option.player, option.decision_id
        else:
            text, asked = option, ""
        decisions = [d for d in self.pending if player in (None, d.player)]
        for decision in decisions:
            found = decision.look_up(text)
            if found is not None and asked in ("", decision.id):
                return found
        why = self.why(text, player)
        if why.offered and decisions:
            raise IllegalOption(
                f"`{text}` answers `{asked}`; player {decisions[0].player} is asked "
                f"`{decisions[0].id}` now"
            )
        raise IllegalOption(str(why), why)

    def why(self, option: Option | str, player: int | None = None, openly: bool = False) -> Why:
        """Whether an option is possible, and if not, every condition that fails.

        With ``openly`` a text may name hidden pieces by their ids, as journals and tests do.
        """
        if isinstance(option, Option):
            return explain(self, option.text, option.player if player is None else player, openly)
        return explain(self, option, player, openly)

    @property
    def result(self) -> GameResult | None:
        """Who won and how; None while the game runs."""
        return result_of(self.game, self.data) if self.over else None

    # ------------------------------------------------------------------ what can be seen

    def view(self, player: int | None, lang: str = "en") -> Mapping[str, Any]:
        """What a player may see, as plain data by names; for None what a spectator sees."""
        if player is not None:
            self.game.check_player(player)
        return view_of(self, player, lang)

    def resample(self, player: int, seed: int) -> State:
        """A state that agrees with all that a player has seen, and is drawn by chance otherwise.

        The others' choices are as they were; their secret answers to a choice that is still open
        are drawn from what is legal. Costs as much as playing the game again. Raises `GameError`
        where the past is not known, or where no such state is found.
        """
        from interpreter.runtime.resample import resampled  # it makes states

        return resampled(self, player, seed)

    @property
    def events(self) -> Sequence[LogEntry]:
        """What happened in the last step, in order, each entry with its cause."""
        return log_of(self.game, self._known_past(), self.data)

    def log(self) -> Sequence[LogEntry]:
        """What happened since the beginning."""
        past = self._known_past()
        start, steps = steps_of(past)
        entries: list[LogEntry] = []
        moments: list[Past] = [start, *steps]
        ends = [step.before for step in steps] + [self.data]
        for moment, after in zip(moments, ends, strict=True):
            entries.extend(log_of(self.game, moment, after))
        return entries

    def ledger(self, counter: str, player: int | None = None) -> Sequence[Entry]:
        """Every change of a counter with its cause, oldest first; they sum to its value.

        With ``player`` the entries of that player's counter only. Raises `GameError` for a
        counter that the game does not have, and where the past is not known.
        """
        return ledger_of(self.game, self._known_past(), self.data, counter, player)

    # ------------------------------------------------------------------ the past

    def _known_past(self) -> Past:
        if self.past is None:
            raise GameError(_NO_PAST)
        return self.past

    @property
    def steps(self) -> int:
        """How many answers led here."""
        return self._known_past().number

    def at(self, steps: int) -> State:
        """The state after the first ``steps`` answers of this game."""
        past = self._known_past()
        data = self.data
        if not 0 <= steps <= past.number:
            raise GameError(f"this game has {past.number} steps; there is no step {steps}")
        while past.number > steps and isinstance(past, Step):
            data, past = past.before, past.previous
        return State(self.game, data, past, self.explicit)

    def undoable_to(self, steps: int) -> bool:
        """Whether nobody has learned anything since the first ``steps`` answers.

        That is so when one player alone has answered since, chance was not asked, and nothing
        hidden came to be seen.
        """
        past = self._known_past()
        players = set()
        while past.number > steps and isinstance(past, Step):
            players.add(past.player)
            if past.rolled or past.effects or not reveals_nothing(self.game, past):
                return False
            past = past.previous
        return len(players) <= 1

    def journal(self) -> Journal:
        """All that is needed to play this game again."""
        self._known_past()
        return journal_of(self)

    # ------------------------------------------------------------------ as data

    def to_bytes(self) -> bytes:
        """The whole state, also in the middle of an effect; for `Game.from_bytes`."""
        return self.data if self.waiting is None else self.data + self.waiting.to_bytes()

    def save(self) -> dict[str, Any]:
        """The state by names, for `Game.load`: it survives an edit of rules that it is not in."""
        saved = save_of(self.game, self.data)
        return saved if self.waiting is None else {**saved, "step": self.waiting.plain()}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (
            self.data == other.data
            and self.waiting == other.waiting
            and self.game.identity == other.game.identity
        )

    def __hash__(self) -> int:
        return hash(self.data) if self.waiting is None else hash((self.data, self.waiting))

    def __repr__(self) -> str:
        if self.waiting is not None:
            return f"<State of {self.game.name}: chance: {self.waiting.label}>"
        asked = "over" if self.over else ", ".join(f"{d.player}: {d.id}" for d in self.pending)
        return f"<State of {self.game.name}: {asked}>"
