"""Plays a game file and its OpenSpiel judge side by side, and compares all that can be seen.

Takes a `Peer`, which says how our options and chance are called over there. The same random choices
go to both sides. Compared at every step: whether the game is over, who moves, the set of legal
actions, the outcomes of chance with their probabilities; at the end what everybody gets.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import ruleset
from interpreter import ChanceMissing, Decision, Game, GameResult, Option, State

GAMES: Final = Path(__file__).parents[2] / "games"
CHANCE_PLAYER: Final = -1
RARE: Final = 0.2

Chain: TypeAlias = tuple[Option, ...]
Outcomes: TypeAlias = list[int]


def no_chance(label: str, member: int) -> str:
    """For games without chance."""
    raise AssertionError(f"chance is asked for {label} ({member}), and the peer names no outcome")


def all_or_nothing(result: GameResult, players: int) -> list[float]:
    """One point for the only winner, shared equally among the losers; a draw gives nothing."""
    if len(result.winners) != 1:
        return [0.0] * players
    return [1.0 if p in result.winners else -1 / (players - 1) for p in range(1, players + 1)]


@dataclass(frozen=True, slots=True)
class Peer:
    """A game file, its judge, and the way from our names to theirs.

    ``action`` takes the options of one player, one after another, and gives the name of the judge's
    action; None where more of our questions belong to that action. ``chance`` takes the label of
    a chance event and the member that came, and gives the judge's name of that outcome.
    """

    game: str
    judge: str
    action: Callable[[Chain], str | None]
    options: Mapping[str, str] = field(default_factory=dict)
    players: int = 2
    chance: Callable[[str, int], str] = no_chance
    returns: Callable[[GameResult, int], list[float]] = all_or_nothing
    plays_on: bool = False
    """Whether the judge makes the last choices, which have one answer each, by itself."""
    in_turn: bool = False
    """Whether the judge asks those one after another whom we ask all at once."""

    @property
    def id(self) -> str:
        """How a test report names it."""
        return f"{self.game}-{self.judge}"


@cache
def _game(name: str, players: int, options: tuple[tuple[str, str], ...]) -> Game:
    return Game(ruleset.load(str(GAMES / f"{name}.yaml")), players, dict(options), checks=True)


class Match:
    """One game on both sides, with the judge's state and ours."""

    def __init__(self, peer: Peer, judge: Any, seed: int) -> None:
        self.peer = peer
        self.judge = judge
        self.random = random.Random(seed)
        self.game = _game(peer.game, peer.players, tuple(peer.options.items()))
        self.choices = 0
        self.state = self._with_chance(partial(self.game.begin, seed))

    def play(self) -> None:
        """To the end. Raises `AssertionError` at the first difference."""
        while not self.state.over:
            self._skip_certain()
            if self.judge.is_terminal():
                self._catch_up()
            elif self.judge.is_simultaneous_node():
                self._together()
            else:
                self._one()
            assert not self.game.broken_invariants(self.state), self._said("a broken invariant")
            self.choices += 1
        self._skip_certain()
        assert self.judge.is_terminal(), self._said("only we say that it is over")
        result = self.state.result
        assert result is not None
        ours, theirs = self.peer.returns(result, self.peer.players), self.judge.returns()
        assert _close(ours, theirs), self._said(f"we give {ours}, the judge {theirs}")

    def _one(self) -> None:
        asked = {decision.player: decision for decision in self.state.pending}
        mover = self.judge.current_player() + 1
        said = f"we ask {list(asked)}, the judge {mover}"
        assert mover in asked and (len(asked) == 1 or self.peer.in_turn), self._said(said)
        chain, action = self._choice(asked[mover])
        self.judge.apply_action(action)
        self._answer(chain)

    def _together(self) -> None:
        asked = self.state.pending
        movers = [p + 1 for p in range(self.peer.players) if self.judge.legal_actions(p)]
        players = [decision.player for decision in asked]
        assert players == movers, self._said(f"we ask {players}, the judge {movers}")
        chosen = [self._choice(decision) for decision in asked]
        actions = dict(zip(players, (action for _, action in chosen), strict=True))
        self.judge.apply_actions([actions.get(p + 1, 0) for p in range(self.peer.players)])
        for chain, _ in chosen:
            self._answer(chain)

    def _catch_up(self) -> None:
        """Choices that the judge has made by itself."""
        alone = all(len(decision.options) == 1 for decision in self.state.pending)
        assert self.peer.plays_on and alone, self._said("the judge says that it is over")
        self._answer(tuple(decision.options[0] for decision in self.state.pending))

    def _skip_certain(self) -> None:
        """A chance event with one outcome is none on our side."""
        while self.judge.is_chance_node() and len(self.judge.chance_outcomes()) == 1:
            self.judge.apply_action(self.judge.chance_outcomes()[0][0])

    def _choice(self, decision: Decision) -> tuple[Chain, int]:
        """Compares what a player can do, and picks one of it."""
        player = decision.player - 1
        theirs = {
            self.judge.action_to_string(player, action): action
            for action in self.judge.legal_actions(player)
        }
        ours = self._chains(decision)
        more, fewer = sorted(ours.keys() - theirs.keys()), sorted(theirs.keys() - ours.keys())
        assert not more, self._said(f"only we allow {more}")
        assert not fewer, self._said(f"only the judge allows {fewer}")
        name = self.random.choice(self._some(ours))
        return ours[name], theirs[name]

    def _some(self, chains: dict[str, Chain]) -> list[str]:
        """All names; now and then only those of one action, so that rare actions come up, too."""
        names = sorted(chains)
        if self.random.random() >= RARE:
            return names
        wanted = self.random.choice(sorted({chain[-1].action for chain in chains.values()}))
        return [name for name in names if chains[name][-1].action == wanted]

    def _chains(self, decision: Decision) -> dict[str, Chain]:
        """All that a player can do, by the judge's names."""
        found: dict[str, Chain] = {}
        todo: list[tuple[Chain, Decision]] = [((), decision)]
        while todo:
            before, asked = todo.pop()
            for option in asked.options:
                chain = (*before, option)
                name = self.peer.action(chain)
                if name is not None:
                    found[name] = chain
                    continue
                state = asked.state.apply(option)
                todo += [(chain, d) for d in state.pending if d.player == option.player]
        return found

    def _answer(self, chain: Chain) -> None:
        """Gives the options of one player, one after another."""
        for option in chain:
            if option.decision.state is self.state:
                now = option
            else:
                asked = next(d for d in self.state.pending if d.player == option.player)
                now = asked.find(option.text)
            self.state = self._with_chance(partial(self._after, now))

    def _after(self, option: Option, outcomes: Outcomes) -> State:
        decision = option.decision
        return self.game.step(
            decision.state, option.player - 1, option.candidate, outcomes, decision.known_mask
        )

    def _with_chance(self, step: Callable[[Outcomes], State]) -> State:
        """Does a step anew with one more outcome, as long as chance is asked for one."""
        outcomes: Outcomes = []
        while True:
            try:
                return step(outcomes)
            except ChanceMissing as missing:
                outcomes.append(self._roll(missing))

    def _roll(self, missing: ChanceMissing) -> int:
        """Compares the outcomes of a chance event, and picks one of them."""
        self._skip_certain()
        assert self.judge.is_chance_node(), self._said(f"only we roll: {missing.label}")
        members = [k for k in range(missing.members.bit_length()) if missing.members >> k & 1]
        ours: Counter[str] = Counter(self.peer.chance(missing.label, k) for k in members)
        actions, theirs = {}, {}
        for action, probability in self.judge.chance_outcomes():
            name = self.judge.action_to_string(CHANCE_PLAYER, action)
            actions[name], theirs[name] = action, probability
        assert ours.keys() == theirs.keys(), self._said(f"we roll {ours}, the judge {theirs}")
        for name, count in ours.items():
            assert abs(count / len(members) - theirs[name]) < 1e-9, self._said(f"odds of {name}")
        member = self.random.choice(members)
        self.judge.apply_action(actions[self.peer.chance(missing.label, member)])
        return member

    def _said(self, what: str) -> str:
        past = self.judge.history_str()
        return f"{self.peer.id}: {what}\n{self.judge}\nafter the judge's actions {past}"


def _close(ours: list[float], theirs: list[float]) -> bool:
    return all(abs(a - b) < 1e-9 for a, b in zip(ours, theirs, strict=True))


def play(peer: Peer, spiel: Any, seed: int) -> int:
    """One game in lockstep; gives how many choices were compared. ``spiel`` is the module."""
    match = Match(peer, spiel.load_game(peer.judge).new_initial_state(), seed)
    match.play()
    return match.choices
