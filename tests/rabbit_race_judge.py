"""Race for the Rabbit by hand: the default rules as plain Python, to judge the game file by.

Written from the statements and default readings in ``games/documents/rabbit_race.yaml``, not from
the game file. Spaces are numbers: 0 is start, 1 to 11 follow clockwise. Players count from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

SPACES = 12
MARKED = frozenset({"pit", "hawk", "gust"})
ITEMS = {
    "booster_space": "booster",
    "gyro_space": "gyro",
    "helmet_space": "helmet",
    "bumper_space": "bumper",
}


@dataclass
class Runner:
    """A player with all that lies in front of them."""

    at: int = 0
    vp: int = 1
    life: int = 3
    item: str = ""
    mine: int = 0
    hand: list[int] = field(default_factory=lambda: [2, 2, 3, 3, 4])
    used: list[int] = field(default_factory=list)
    has_left: bool = False


class Race:
    """A race after set-up; ``course[0]`` is the start card."""

    def __init__(self, course: Sequence[str], mines: Sequence[int], carrot: int = 0) -> None:
        self.course = list(course)
        self.runners = [Runner(mine=space) for space in mines]
        self.carrot = carrot
        self.winner: int | None = None

    def phase(self, cards: list[int], choose: Callable[[int, list[int]], int]) -> None:
        """All three steps. ``choose(who, whom)`` is asked whom a headbutt pushes."""
        for runner, card in zip(self.runners, cards, strict=True):
            runner.hand.remove(card)
            runner.used.append(card)
        count = len(self.runners)
        for who in [(self.carrot + k) % count for k in range(count)]:
            if self.winner is None:
                self._run(who, cards, choose)
        for runner in self.runners:
            if len(runner.hand) == 1:
                runner.hand += runner.used
                runner.used = []

    def distance(self, who: int, cards: list[int]) -> int:
        """How far a card goes."""
        runner = self.runners[who]
        bats = cards.count(cards[who]) > 1
        far = cards[who]
        far -= 1 if bats and runner.item != "gyro" else 0
        far -= 1 if runner.life == 0 else 0
        far += 1 if runner.item == "booster" else 0
        return max(far, 0)

    def _run(self, who: int, cards: list[int], choose: Callable[[int, list[int]], int]) -> None:
        far = self.distance(who, cards)
        for _ in range(far):
            self._forward(who)
        if far:
            self._stop(who, "own", choose)

    def _forward(self, who: int) -> None:
        if self.winner is not None:
            return
        runner = self.runners[who]
        leaves = runner.at == 0
        runner.at = (runner.at + 1) % SPACES
        if leaves and runner.has_left:
            if runner.vp == 6:
                self.winner = who
            else:
                runner.vp += 1
        runner.has_left = runner.has_left or leaves

    def _others(self, who: int) -> list[int]:
        """Whoever stands in the way of a stop: nobody that has not left start yet."""
        here = self.runners[who].at
        return [k for k, r in enumerate(self.runners) if k != who and r.at == here and r.has_left]

    def _stop(self, who: int, how: str, choose: Callable[[int, list[int]], int]) -> None:
        if self.winner is not None:
            return
        others = self._others(who)
        if others and self.runners[who].item == "bumper":
            for other in others:
                self._push(other, choose)
        elif others:
            self._forward(who)
            self._stop(who, how, choose)
            return
        if self.winner is None:
            self._act(who, how, choose)

    def _act(self, who: int, how: str, choose: Callable[[int, list[int]], int]) -> None:
        here = self.runners[who].at
        mines = [k for k, r in enumerate(self.runners) if r.mine == here]
        if mines:
            for owner in mines:
                if owner != who:
                    self.runners[owner].vp = min(self.runners[owner].vp + 1, 6)
                    self._hurt(who)
            return
        event = self.course[here]
        if how == "own" or event in MARKED:
            self._event(who, event, choose)

    def _event(self, who: int, event: str, choose: Callable[[int, list[int]], int]) -> None:
        runner = self.runners[who]
        if event in ("start_card", "carrot_patch"):
            self.carrot = who
        elif event in ITEMS:
            for other in self.runners:
                other.item = "" if other.item == ITEMS[event] else other.item
            runner.item = ITEMS[event]
        elif event == "clover":
            runner.life = min(runner.life + 1, 3)
        elif event in ("pit", "hawk"):
            self._hurt(who)
        elif event == "gust":
            self._forward(who)
            self._stop(who, "moved", choose)
        elif event == "headbutt":
            for ahead in range(1, SPACES):
                space = (runner.at + ahead) % SPACES
                found = [k for k, r in enumerate(self.runners) if r.at == space]
                if found:
                    self._push(choose(who, found), choose)
                    return

    def _push(self, who: int, choose: Callable[[int, list[int]], int]) -> None:
        self._forward(who)
        self._stop(who, "moved", choose)

    def _hurt(self, who: int) -> None:
        runner = self.runners[who]
        if runner.item != "helmet":
            runner.life = max(runner.life - 1, 0)
