"""The same card game written by hand, as simply as possible: the judge of its game file.

Takes what was dealt and what everybody picks; gives hands, tables and points.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

NIGIRI: Final = {"egg": 1, "salmon": 2, "squid": 3}
MAKI: Final = {"maki_one": 1, "maki_two": 2, "maki_three": 3}
DUMPLINGS: Final = (0, 1, 3, 6, 10, 15)
ROUNDS: Final = 3


@dataclass(slots=True)
class Guest:
    """One player: cards by the names of their types, in the order in which they were laid down."""

    hand: list[str]
    table: list[str] = field(default_factory=list)
    puddings: int = 0
    points: int = 0

    def has_chopsticks(self) -> bool:
        """Whether a second card can be picked this turn."""
        return "chopsticks_card" in self.table and len(self.hand) > 1

    def dipped(self) -> list[str]:
        """The nigiri that went onto wasabi: each onto the first free one."""
        free = 0
        found = []
        for card in self.table:
            if card == "wasabi_card":
                free += 1
            elif card in NIGIRI and free:
                free -= 1
                found.append(card)
        return found

    def own_points(self) -> int:
        """What a table is worth without its maki rolls."""
        count = Counter(self.table)
        points = 5 * (count["tempura_card"] // 2) + 10 * (count["sashimi_card"] // 3)
        points += DUMPLINGS[min(5, count["dumpling_card"])]
        points += sum(NIGIRI.get(card, 0) for card in self.table)
        return points + 2 * sum(NIGIRI[card] for card in self.dipped())

    def rolls(self) -> int:
        """How many maki rolls lie on the table."""
        return sum(MAKI.get(card, 0) for card in self.table)


class Meal:
    """A game; guests are numbered from 0."""

    def __init__(self, players: int) -> None:
        self.guests = [Guest([]) for _ in range(players)]
        self.rounds = 0

    def deal(self, hands: list[list[str]]) -> None:
        """A new round."""
        self.rounds += 1
        for guest, hand in zip(self.guests, hands, strict=True):
            guest.hand, guest.table = list(hand), []

    def turn(self, picks: list[list[str]]) -> None:
        """Everybody lays down one card or two, then the hands go round."""
        for guest, picked in zip(self.guests, picks, strict=True):
            for card in picked:
                guest.hand.remove(card)
            if len(picked) > 1:
                guest.table.remove("chopsticks_card")
                guest.hand.append("chopsticks_card")
            for card in picked:
                if card == "pudding_card":
                    guest.puddings += 1
                else:
                    guest.table.append(card)
        hands = [guest.hand for guest in self.guests]
        for guest, hand in zip(self.guests, hands[-1:] + hands[:-1], strict=True):
            guest.hand = hand
        if not any(hands):
            self._score()

    def _score(self) -> None:
        for guest in self.guests:
            guest.points += guest.own_points()
        best, second = ([*sorted({guest.rolls() for guest in self.guests} - {0})[::-1], 0, 0])[:2]
        makers = [guest for guest in self.guests if best and guest.rolls() == best]
        followers = [guest for guest in self.guests if second and guest.rolls() == second]
        for guest in makers:
            guest.points += 6 // len(makers)
        if len(makers) == 1:
            for guest in followers:
                guest.points += 3 // len(followers)
        if self.rounds == ROUNDS:
            self._desserts()
        for guest in self.guests:
            guest.table = []

    def _desserts(self) -> None:
        counts = [guest.puddings for guest in self.guests]
        if len(set(counts)) == 1:
            return
        most = [guest for guest in self.guests if guest.puddings == max(counts)]
        fewest = [guest for guest in self.guests if guest.puddings == min(counts)]
        for guest in most:
            guest.points += 6 // len(most)
        if len(self.guests) > 2:
            for guest in fewest:
                guest.points -= 6 // len(fewest)

    def winners(self) -> list[int]:
        """Who has most points, and of these most puddings; players from 1."""
        keys = [(guest.points, guest.puddings) for guest in self.guests]
        return [k for k, key in enumerate(keys, 1) if key == max(keys)]
