"""A small made-up game for the tests of the checker: sections can be replaced one by one."""

from __future__ import annotations

from dataclasses import dataclass

from ruleset.checker import check_file
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.document import read
from ruleset.lints import check_game
from ruleset.loader import load_document
from ruleset.source import Source
from ruleset.syntax import GameFile
from ruleset.types import Facts

SECTIONS = {
    "players": "2..4",
    "flow": """
  game: {repeat: turn}
  turn: {kind: turn, each: me in players, do: me must act}""",
    "words": "{player: [me, other], space: [here]}",
    "kinds": "{colour: [red, green, blue]}",
    "options": "{}",
    "tables": "{stake: {2: 5, 3: 4, 4: 3}}",
    "map": """
  board: {kind: space, track: "loop start, c1..c5"}""",
    "zones": """
  hand:    {each: player, of: card, seen by: owner}
  shown:   {each: player, of: card, order: row}
  secret:  {of: card, order: pile, seen by: nobody}
  market:  {of: item}
  held:    {each: player, of: item, holds: 0..1}
  pawns:   {each: space}""",
    "counters": """
  vp:    {each: player, range: 0..9}
  round: {range: 1..5, start: 1}""",
    "marks": """
  ready:  {each: player, type: flag, start: false}
  led:    {type: colour or none, start: none}
  hue:    {each: player, type: colour, start: red}""",
    "pieces": """
  card:
    each: player
    starts: owner.hand
    fields: {rank: 1..3, suit: colour, play: effect(me)}
    defaults: {play: nothing}
    types: {low: {copies: 2, rank: 1, suit: red}, high: {rank: 3, suit: blue}}
  item:
    starts: market
    types: {lamp: {}, rope: {copies: 2}}
  pawn: {each: player, starts: start.pawns, stays in: space}""",
    "rules": """
  act(me):
    do: gain 1 me.vp
  over:
    when: after act(me)
    if: me.vp >= 5
    do: stop game won by me""",
    "result": "{by: stop game}",
    "invariants": "{}",
    "labels": "{}",
}


@dataclass(frozen=True)
class Checked:
    """A game file as checked."""

    text: str
    file: GameFile
    facts: Facts
    found: list[Diagnostic]

    @property
    def codes(self) -> list[str]:
        """The codes of what was found, by place."""
        return [diagnostic.code for diagnostic in self.found]

    def only(self) -> tuple[str, str, str]:
        """The one fault: its code, the text it stands on, its words."""
        assert len(self.found) == 1, [(d.code, d.message) for d in self.found]
        span = self.found[0].span
        assert span is not None
        return self.found[0].code, span.text, self.found[0].message


def game_text(**sections: str) -> str:
    """The small game with some sections replaced."""
    lines = ["game: small", "title: {en: Small}"]
    for name, text in {**SECTIONS, **sections}.items():
        lines.append(f"{name}: {text}" if not text.startswith("\n") else f"{name}:{text}")
    return "\n".join(lines) + "\n"


def check(*, whole: bool = False, **sections: str) -> Checked:
    """Check the small game with some sections replaced; ``whole``: as a game, too."""
    text = game_text(**sections)
    report = Report()
    root = read(Source("game.yaml", text), report)
    assert root is not None, report.diagnostics
    file = load_document(root, report)
    assert file is not None
    assert report.ok, [d.message for d in report.diagnostics]
    facts = check_file(file, report)
    if whole and report.ok:
        check_game(file, facts, report)
    return Checked(text, file, facts, report.sorted())


def rule(body: str, header: str = "probe(me)") -> Checked:
    """Check one rule more, written as the lines of its record."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    return check(rules=f"{SECTIONS['rules']}\n  {header}:\n{lines}")


def effect(text: str, header: str = "probe(me)") -> Checked:
    """Check effects, as the ``do`` of a rule."""
    lines = "\n".join(f"  {line}" for line in text.split("\n"))
    return rule(f"do: |\n{lines}", header)


def value(text: str, header: str = "probe(me)") -> Checked:
    """Check an expression, as the ``is`` of a value."""
    return rule(f"is: |\n  {text}", header)
