"""The peers of the card games and of liar's dice: how our options are called in OpenSpiel."""

from __future__ import annotations

from typing import Final

from interpreter import GameResult
from lockstep.harness import Chain, Peer

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"
BIDS: Final = (
    *("ace", "two", "three", "four", "five", "six", "seven"),
    *("eight", "nine", "ten", "jack", "queen", "king"),
)
WAYS: Final = ("No Pass", "Left", "Across", "Right")
HIGHEST: Final = 26
"""Theirs counts down from the points of a whole hand, so that more is better."""


def stake(chain: Chain) -> str:
    """To bet and to call are one action over there."""
    return "Pass" if chain[-1].action == "pass" else "Bet"


def dealt(label: str, member: int) -> str:
    """Jack, queen and king are 0, 1 and 2."""
    assert label == "draw deck", label
    return f"Deal:{member}"


def chips(result: GameResult, players: int) -> list[float]:
    """What each has won or lost."""
    return [float(result.scores["chips"][p]) for p in range(1, players + 1)]


def bid_card(chain: Chain) -> str:
    """They number players from 0."""
    option = chain[-1]
    rank = option.params["card"].split(".")[-1]
    return f"[P{option.player - 1}]Bid: {BIDS.index(rank) + 1}"


def prize(label: str, member: int) -> str:
    """The next prize."""
    assert label == "draw prizes", label
    return f"Deal {member + 1}"


def win_or_lose(result: GameResult, players: int) -> list[float]:
    """One point for the winners together, one lost by the others; none where all are equal."""
    won, others = len(result.winners), players - len(result.winners)
    if not others:
        return [0.0] * players
    return [1 / won if p in result.winners else -1 / others for p in range(1, players + 1)]


def claim(chain: Chain) -> str | None:
    """A number of dice and a face are one action over there."""
    option = chain[-1]
    if option.action == "challenge":
        return "Liar"
    if "value" not in option.params:
        return None
    return f"{option.params['number']}-{option.params['value']}"


def thrown(label: str, member: int) -> str:
    """A die shows a number."""
    assert label == "rules.throw_dice.die", label
    return f"Roll {member + 1}"


def card_name(name: str) -> str:
    """``c10`` is ``TC``."""
    rank = "T" if name[1:] == "10" else name[1:].upper()
    return rank + name[0].upper()


def give_or_play(chain: Chain) -> str:
    """The card that was named last."""
    return card_name(list(chain[-1].params.values())[-1])


def way_or_card(label: str, member: int) -> str:
    """Where the cards are passed, or a card that is dealt: by rank, then by suit."""
    if label == "rules.deal_all.n":
        return WAYS[member]
    assert label == "draw deck", label
    return RANKS[member // 4] + SUITS[member % 4]


def penalties(result: GameResult, players: int) -> list[float]:
    """Few points are good."""
    return [float(HIGHEST - result.scores["score"][p]) for p in range(1, players + 1)]


def kuhn_poker() -> Peer:
    """Kuhn poker, as in the article."""
    return Peer(game="kuhn_poker", judge="kuhn_poker", action=stake, chance=dealt, returns=chips)


def goofspiel(players: int) -> Peer:
    """Goofspiel. Theirs plays the last cards without asking."""
    return Peer(
        game="goofspiel",
        judge=f"goofspiel(players={players})",
        action=bid_card,
        players=players,
        chance=prize,
        returns=win_or_lose,
        plays_on=True,
    )


def liars_dice(dice: int = 1, face_first: bool = False) -> Peer:
    """Liar's dice for two."""
    rule = "reset-quantity" if face_first else "reset-face"
    options = {"dice_each": str(dice), "face_first": str(face_first).lower()}
    return Peer(
        game="liars_dice",
        judge=f"liars_dice(numdice={dice},bidding_rule={rule})",
        action=claim,
        options=options,
        chance=thrown,
    )


def hearts(queen_breaks: bool = True) -> Peer:
    """One hand of hearts. Theirs throws for the way of the pass, and asks in turn for its cards."""
    return Peer(
        game="hearts",
        judge="hearts" if queen_breaks else "hearts(qs_breaks_hearts=False)",
        action=give_or_play,
        options={
            "limit": "1",
            "random_pass": "true",
            "queen_breaks": str(queen_breaks).lower(),
        },
        players=4,
        chance=way_or_card,
        returns=penalties,
        in_turn=True,
    )


PEERS: Final = (
    kuhn_poker(),
    goofspiel(players=2),
    goofspiel(players=4),
    liars_dice(),
    liars_dice(dice=3),
    liars_dice(dice=2, face_first=True),
    hearts(),
    hearts(queen_breaks=False),
)
