"""Makes a game from a few lines, plays given answers, and reads values.

``play("gain 1 ann.vp", "rest", rules=...)`` gives the state after the answers. The made-up box
below is always there; a section is replaced by its name, or added to with ``more_NAME``. In ``do``,
``ann`` is player 1 and ``bob`` player 2. The rule ``note(n)`` writes a digit behind those in
``game.trace``, so a trace tells what happened in order.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import ruleset
from interpreter import Game, State

SECTIONS = {
    "flow": """
  game: {do: "main(first(players), next(first(players)))"}""",
    "words": "{player: [me, owner, ann, bob, p, q], cell: [here], card: [c], space: [post]}",
    "kinds": "{colour: [red, green, blue]}",
    "options": "{goal: {type: 1..9, default: 4}}",
    "tables": "{share: {1: 7, 2: 5, 3: 4, 4: 3}}",
    "map": """
  board: {kind: cell, grid: 3 x 3}
  ring: {kind: space, track: "loop s0, s1..s4"}""",
    "zones": """
  deck:   {of: card, order: pile, seen by: nobody}
  open:   {of: card, order: pile}
  heap:   {of: card}
  sack:   {of: card, order: bag, seen by: nobody}
  line:   {of: card, order: row}
  slots:  {of: card, order: slots, holds: 0..4}
  hand:   {each: player, of: card}
  played: {each: player, of: card, order: row}
  one:    {each: player, of: card, holds: 0..1}
  full:   {of: card, holds: 0..2}
  spot:     {each: cell, of: pawn, holds: 0..1}
  base:   {each: player, of: pawn}
  dice:   {of: die}""",
    "counters": """
  vp:    {each: player, range: 0..9}
  coins: {each: player, range: 0..20, start: 5}
  oil:   {each: player, range: 0..9}
  debt:  {each: player, range: -5..5}
  pot:   {range: 0..99}""",
    "marks": """
  trace: {type: 0.., start: 0}
  ready: {each: player, type: flag, start: false}
  mate:  {each: player, type: player or none, start: none}
  hue:   {type: colour or none, start: none}
  seen:  {type: set of cell, start: ()}
  bid:   {type: 0..9, start: 0}""",
    "pieces": """
  card:
    starts: heap
    fields: {value: 0..9, tint: colour, play: effect(me), fits: condition(me)}
    defaults: {tint: red, play: nothing, fits: true}
    types:
      ace:  {value: 1, tint: red}
      two:  {value: 2, tint: green}
      trey: {value: 3, tint: blue}
      four: {value: 4, tint: red}
      five: {copies: 2, value: 5, tint: green}
  pawn: {each: player, count: 2, starts: owner.base}
  die:  {count: 2, sides: [blank, hit], starts: dice}""",
    "result": "{by: stop game}",
    "invariants": "{}",
    "labels": "{}",
}
NOTE = "  note(n): {do: set game.trace to game.trace * 10 + n}\n"


def game_text(do: str, rules: str, sections: dict[str, str], players: str = "1..4") -> str:
    """The text of a game whose only step does ``main``, which is ``do``."""
    body = "\n".join(f"      {line}" for line in do.strip("\n").split("\n"))
    whole = dict(SECTIONS)
    for name, text in sections.items():
        if name.startswith("more_"):
            whole[name[5:]] = whole[name[5:]] + text
        else:
            whole[name] = text
    lines = ["game: small", "title: {en: Small}", "source: made up", f"players: {players}"]
    for name, text in whole.items():
        lines.append(f"{name}: {text}" if not text.startswith("\n") else f"{name}:{text}")
    main = f"  main(ann, bob):\n    do: |\n{body}\n" if do else ""
    more = "".join(f"  {line}\n" for line in rules.strip("\n").split("\n") if line)
    return "\n".join(lines) + f"\nrules:\n{main}{NOTE}{more}"


@cache
def made(text: str, players: int, options: tuple[tuple[str, str], ...], checks: bool) -> Game:
    """The game of a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.yaml"
        path.write_text(text, encoding="utf-8")
        return Game(ruleset.load(path), players, dict(options) or None, checks=checks)


def play(
    do: str,
    *answers: str,
    rules: str = "",
    players: int = 2,
    seed: int = 1,
    settings: tuple[tuple[str, str], ...] = (),
    checks: bool = False,
    **sections: str,
) -> State:
    """The state after the answers: ``2: take ace`` is player 2's, ``take ace`` anybody's."""
    text = game_text(do, rules, sections)
    state = made(text, players, settings, checks).start(seed)
    for answer in answers:
        state = answered(state, answer)
    return state


def answered(state: State, answer: str) -> State:
    """The state after one more answer."""
    player, colon, text = answer.partition(": ")
    return state.apply(text, int(player)) if colon else state.apply(answer)


def get(state: State, text: str) -> Any:
    """The value of an expression; ``p1``, ``p2`` ... are the players."""
    return state.game.evaluate(state, text)


def trace(state: State) -> int:
    """What happened, as digits."""
    found = get(state, "game.trace")
    assert isinstance(found, int)
    return found


def options(state: State) -> list[str]:
    """What the player who is asked can answer."""
    (decision,) = state.pending
    return [option.text for option in decision.options]


def asked(state: State) -> list[tuple[int, str]]:
    """Who is asked, and the ids of the questions."""
    return [(d.player, d.id) for d in state.pending]
