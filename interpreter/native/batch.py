"""Many games side by side as numpy arrays: what a learner steps.

Takes a game; gives lanes. One action a lane and step; a lane that is over begins a new game by
itself. An action is a number: decisions in the order of the program, stages in order, then the
candidates of each; `Batch.meaning` says which, `Batch.text` and `Batch.number` say it in words. A
number means something only together with the fingerprint of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from interpreter.native.context import ENDED, REFUSED, WENT_WRONG
from interpreter.native.numbering import bases_of, numbered
from interpreter.native.observing import Observation, Observer, asked
from interpreter.native.outcomes import rewards, scores
from interpreter.native.stepping import Arrays, InMachineCode, OnReference, Stepper, seeds_from
from interpreter.runtime.errors import DataError, GameError, IllegalOption
from interpreter.runtime.options import Decision, Option
from interpreter.runtime.state import State
from ruleset.diagnostics.messages import play as say

if TYPE_CHECKING:
    from interpreter.runtime.game import Game


@dataclass(frozen=True, slots=True)
class BatchStep:
    """What a step gave, lane by lane.

    ``rewards``: (n, players): for each player 1 won, -1 not, 0 where nobody or everybody has won or
    the game goes on. ``done``: the game of the lane is over, and a new one has begun. ``wrong``:
    the rules went wrong, and a new game has begun; or they cannot even begin, and nothing has
    changed.
    """

    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    wrong: NDArray[np.bool_]


class Batch:
    """``n`` games under way.

    Lane k begins with the seed ``seed + k``; its next game has a seed that is larger by ``n``. The
    same seed and actions give the same arrays, whatever engine and however many threads there are.
    Machine code takes over from the reference engine as soon as it is compiled.

    The arrays follow the games and cannot be written to:

    states    (n, bytes of a state), uint8
    finals    (n, bytes of a state): the last state of the game that ended last in each lane
    sets      (n, words), uint64: the candidates of what is asked
    bases     (n,), int32: the action number of candidate 0

    They take ``nbytes`` in all: a lane takes two states, 17 bytes, 8 for each word of its
    set, and 4 for each player.
    """

    def __init__(self, game: Game, n: int, seed: int = 0, threads: int = 1) -> None:
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise GameError(f"expected a number of lanes from 1 on, found {n!r}")
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise GameError(f"expected a number of threads from 1 on, found {threads!r}")
        self.game, self.n = game, n
        machine = game.machine
        self._threads = threads
        self._table = numbered(machine.program)
        self.actions = self._table[-1].high if self._table else 0
        """How many action numbers there are."""
        size, words = machine.layout.size, machine.linked.set_words
        self._arrays = Arrays(n, size, words, game.players, seed)
        self.states = _read_only(self._arrays.states)
        self.finals = _read_only(self._arrays.finals)
        self.sets = _read_only(self._arrays.sets)
        self.bases = _read_only(self._arrays.bases)
        self._slow = OnReference(
            self._arrays, machine, bases_of(machine.program), partial(rewards, game)
        )
        self._fast: InMachineCode | None = None
        self._observer: Observer | None = None
        self._torn = False
        self._stepped(None)

    @property
    def _stepper(self) -> Stepper:
        if self._fast is None:
            native = self.game.native_now()
            if native is None:
                return self._slow
            self._fast = InMachineCode(self._arrays, native, self._threads)
        return self._fast

    def _stepped(self, actions: NDArray[np.int32] | None) -> None:
        self._torn = True
        self._stepper.step(actions)
        self._torn = False

    @property
    def engine(self) -> str:
        """Who takes the steps now: ``native`` or ``reference``."""
        return "reference" if self._fast is None else "native"

    # ------------------------------------------------------------------ playing

    @property
    def players(self) -> NDArray[np.int32]:
        """(n,): who acts next in each lane, from 1; 0 where a game cannot even begin.

        Of several who are asked at once the first one acts; the next one in the next step, without
        seeing what the first one did.
        """
        return self._arrays.players + np.int32(1)

    @property
    def pending(self) -> NDArray[np.bool_]:
        """(n, players): all who are asked and have not answered."""
        return asked(self._arrays.states, self.game.players)

    def step(self, actions: NDArray[Any] | Sequence[int]) -> BatchStep:
        """One action in each lane.

        Raises `IllegalOption` for an action that is not allowed, ``ValueError`` or ``TypeError``
        for an array of another shape or type; then nothing has changed.
        """
        if self._torn:
            raise GameError("a step of this batch was interrupted half way: `restart` it")
        given = self._checked(actions)
        self._stepped(given)
        ended = self._arrays.ended
        done = ended == ENDED
        failed = ended == WENT_WRONG
        if failed.any():  # what lies there depends on the engine
            self._arrays.finals[failed] = 0
        return BatchStep(self._arrays.rewards.copy(), done, failed | (ended == REFUSED))

    def _checked(self, actions: NDArray[Any] | Sequence[int]) -> NDArray[np.int32]:
        found = np.asarray(actions)
        if found.shape != (self.n,):
            raise ValueError(
                f"expected {self.n} actions, one a lane; found an array of shape {found.shape}"
            )
        if not np.issubdtype(found.dtype, np.integer):
            raise TypeError(f"expected integers as actions, found {found.dtype}")
        given = np.ascontiguousarray(found, np.int32)
        lane = self._stepper.illegal(given)
        if not np.can_cast(found.dtype, np.int32):
            outside = np.flatnonzero(found != given)
            lane = int(outside[0]) if len(outside) else lane
        if lane >= 0:
            raise IllegalOption(self._refusal(lane, int(found[lane])))
        return given

    def _refusal(self, lane: int, action: int) -> str:
        player = int(self.players[lane])
        if not 0 <= action < self.actions:
            return f"lane {lane}: there is no action {action}; expected 0 to {self.actions - 1}"
        name, stage, candidate = self.meaning(action)
        asked_, stage_, _ = self.meaning(int(self.bases[lane]))
        if (name, stage) != (asked_, stage_):
            return (
                f"lane {lane}: action {action} answers `{name}` (stage {stage}); player {player} "
                f"is asked `{asked_}` (stage {stage_})"
            )
        return (
            f"lane {lane}: action {action} (candidate {candidate} of `{name}`) is not among the "
            f"options of player {player}"
        )

    def restart(self, seed: int | None = None) -> None:
        """New games in all lanes; with a seed as in a new batch, else with the next seeds."""
        many = np.uint64(self.n)
        if seed is None:
            self._arrays.seeds += many
        else:
            self._arrays.seeds[:] = seeds_from(seed, self.n)
        self._stepped(None)

    def put(self, lanes: Sequence[int], states: Sequence[bytes | State]) -> None:
        """States into lanes. They are looked at first, which takes long.

        Raises `DataError` for bytes that are no state, `GameError` for a game that is over; then
        nothing has changed.
        """
        if len(lanes) != len(states):
            raise ValueError(f"expected {len(lanes)} states, one a lane; found {len(states)}")
        found: list[tuple[int, bytes]] = []
        for lane, given in zip(lanes, states, strict=True):
            self._check_lane(lane)
            data = given.to_bytes() if isinstance(given, State) else bytes(given)
            reason = self.game.machine.check_state(data)
            if reason is not None:
                raise DataError(say.no_state(reason))
            if not self.game.machine.pending(data):
                raise GameError(f"lane {lane}: nobody is asked anything in this state")
            found.append((lane, data))
        for lane, data in found:
            self._arrays.states[lane] = np.frombuffer(data, np.uint8)
            self._slow.ask(lane, data)

    def mask(self) -> NDArray[np.bool_]:
        """(n, actions): the action numbers that are allowed."""
        out = np.zeros((self.n, self.actions), np.bool_)
        members = self.candidates()
        for _, _, low, high in self._table:
            here = self.bases == low
            if here.any():
                out[here, low:high] = members[here, : high - low]
        return out

    def candidates(self) -> NDArray[np.bool_]:
        """(n, bits of a set): the candidates that are allowed, whatever is asked."""
        words = self.sets.astype("<u8").view(np.uint8)
        return np.unpackbits(words, axis=1, bitorder="little").view(np.bool_)

    def random_actions(self, random: np.random.Generator) -> NDArray[np.int32]:
        """(n,): an allowed action in each lane, all alike likely; any where nothing is."""
        out: NDArray[np.int32] = np.empty(self.n, np.int32)
        self._stepper.pick(out, int(random.integers(1 << 63)))
        return out

    # ------------------------------------------------------------------ reading

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of `observe`; see `Observer` for what they mean."""
        return self._observers.columns

    @property
    def zones(self) -> Mapping[str, tuple[str, ...]]:
        """Kind of piece to its zones, by the numbers that columns ``at`` hold."""
        return self._observers.zones

    @property
    def _observers(self) -> Observer:
        if self._observer is None:
            self._observer = Observer(self.game)
        return self._observer

    def observe(self, player: int | None = None) -> Observation:
        """What a player may see in each lane, as `State.view` shows it; 0 is a spectator.

        Without a player, what the one sees who acts next.
        """
        if player is None:
            viewers = self._arrays.players.astype(np.intp)
        else:
            if player != 0:
                self.game.check_player(player)
            viewers = np.full(self.n, player - 1, np.intp)
        return self._observers.look(self._arrays.states, viewers)

    def scores(self) -> dict[str, NDArray[np.int32]]:
        """Counter that decides to (n, players): in the last state of each lane's last game."""
        return scores(self.game, self._arrays.finals)

    def field(self, name: str) -> NDArray[Any]:
        """(n, length): a field of the program in all lanes, as a view that follows the states.

        All of it, whoever may see it.
        """
        cells = self.game.machine.layout.fields[name]
        raw = self.states[:, cells.offset : cells.offset + cells.width * cells.n]
        return raw.view(np.int16 if cells.width == 2 else np.int32)

    def state(self, lane: int) -> bytes:
        """The state of a lane; `Game.from_bytes` takes it."""
        self._check_lane(lane)
        return bytes(self.states[lane].tobytes())

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return self._arrays.nbytes

    # ------------------------------------------------------------------ numbers of actions

    def text(self, lane: int, action: int) -> str:
        """What an action means in a lane: the text of the option, as `State.apply` takes it.

        Raises `IllegalOption` where it is not allowed; `GameError` where nobody is asked.
        """
        decision, low = self._decision(lane)
        candidate = action - low
        if candidate < 0 or not decision.mask >> candidate & 1:
            raise IllegalOption(self._refusal(lane, action))
        return Option(decision, candidate).text

    def number(self, lane: int, text: str) -> int:
        """The action number of the text of an option.

        Raises `IllegalOption`, with the reasons; `GameError` where nobody is asked.
        """
        decision, low = self._decision(lane)
        return low + decision.find(text).candidate

    def _decision(self, lane: int) -> tuple[Decision, int]:
        """What is asked in a lane, and the number of its first candidate."""
        self._check_lane(lane)
        player = int(self.players[lane])
        if not player:
            raise GameError(f"lane {lane}: nobody is asked anything")
        return Decision(State(self.game, self.state(lane)), player), int(self.bases[lane])

    def _check_lane(self, lane: int) -> None:
        if not 0 <= lane < self.n:
            raise GameError(f"expected a lane from 0 to {self.n - 1}, found {lane}")

    def action(self, decision: str, candidate: int, stage: int = 0) -> int:
        """The action number of a candidate of a decision's stage; ``ValueError`` for none."""
        for name, number, low, high in self._table:
            if (name, number) == (decision, stage) and 0 <= candidate < high - low:
                return low + candidate
        raise ValueError(f"no candidate {candidate} of `{decision}` at stage {stage}")

    def meaning(self, action: int) -> tuple[str, int, int]:
        """Decision, stage and candidate of an action number; ``ValueError`` for none."""
        for name, number, low, high in self._table:
            if low <= action < high:
                return name, number, action - low
        raise ValueError(f"no action {action}: expected 0 to {self.actions - 1}")

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch of {self.n} x {self.game.name}>"


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view that cannot be written through: what machine code reads has been looked at."""
    view = array.view()
    view.flags.writeable = False
    return view
