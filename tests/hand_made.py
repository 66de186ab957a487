"""Two games made by hand as lowering makes them: three in a row, and hidden cards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ir_games import function, three_in_a_row

from interpreter.ir import nodes as n
from interpreter.ir.nodes import Block, Program
from interpreter.lowering import compiled as c
from interpreter.runtime.game import Game

WIDTH = 3
NO_BOX: Any = None


def rules(name: str, **labels: dict[str, str]) -> Any:
    """What a game needs of a ruleset, without files."""
    words = {path.replace("__", "."): said for path, said in labels.items()}

    def label(path: str, lang: str = "en") -> str:
        said = words.get(path, {})
        return said.get(lang) or said.get("en") or path.rpartition(".")[2].replace("_", " ")

    def zone(name: str, each: str = "") -> Any:
        return SimpleNamespace(name=name, each=SimpleNamespace(name=each) if each else None)

    zones = (zone("deck"), zone("hand", "player"), zone("played", "player"))
    file = SimpleNamespace(name=name, labels=words, zones=zones, min_players=2, max_players=2)
    return SimpleNamespace(
        file=file,
        label=label,
        fingerprint=f"hand made {name}",
        sources=(),
        facts=SimpleNamespace(params={}),
    )


def row_game() -> Game:
    """Three in a row with names; stones start in no group, so there are no zones."""
    program = three_in_a_row()
    program.sites.append(n.Site("rules.put_stone", "row.yaml", 7, 11, ("RW-001",)))
    program.functions["put.empty"] = function(
        "put.empty",
        "me cell",
        {"me": "i", "cell": "i", "free": "s", "ok": "i"},
        Block(
            [n.CallFn("free", "put.options", ("me",), "free"), n.Has("ok", "free", "cell")],
            n.Return("ok"),
        ),
        pure=True,
    )
    program.functions["put.owner"] = function(
        "put.owner",
        "me cell",
        {"me": "i", "cell": "i", "own": "s", "a": "i", "b": "i", "x": "i", "y": "i"},
        Block(
            [
                n.LoadSet("own", "stones", 0),
                n.Has("a", "own", "cell"),
                n.LoadSet("own", "stones", 1),
                n.Has("b", "own", "cell"),
                n.Select("x", "b", 1, -1),
                n.Select("y", "a", 0, "x"),
            ],
            n.Return("y"),
        ),
        pure=True,
    )
    cells = tuple(f"{'abc'[k % WIDTH]}{k // WIDTH + 1}" for k in range(9))
    condition = c.NamedCondition(
        "rules.put_stone.choose.cell",
        "not any(cell.stone)",
        "put.empty",
        ("me", "cell"),
        0,
        (c.Part("cell.stone.owner", "put.owner", "player"),),
    )
    action = c.ActionInfo(
        "put_stone",
        "rules.put_stone",
        (("me", "player"),),
        (("cell", "cell"),),
        (condition,),
    )
    question = c.Question(
        "rules.put_stone.choose.cell",
        "rules.put_stone",
        0,
        (c.Candidates(0, 9, "put_stone", "cell", "cell", (0,)),),
        ("me",),
        ("player",),
    )
    return Game.of_compiled(
        c.Compiled(
            rules("row", rules__put_stone={"en": "Put a stone", "ja": "石を置く"}),
            program,
            2,
            {},
            {"player": _players(), "cell": c.Kind("cell", cells, cells)},
            {("put", 0): question},
            {"put_stone": action},
            (c.CounterInfo("stones", "stones", "player", "set of cell", True),),
            (),
            c.ResultInfo(True, (), (), ""),
            {},
            NO_BOX,
        )
    )


def _players() -> c.Kind:
    return c.Kind("player", ("1", "2"), ("players.1", "players.2"))


CARDS = ("one#1", "one#2", "two#1", "two#2", "three", "four")
VALUES = (1, 1, 2, 2, 3, 4)
DECK, HAND, PLAYED = 1, 2, 4
END = 99


def card_program(rounds: int = 2) -> Program:
    """Two players draw two cards each and play them, both at once; a card gives its value."""
    p = Program("cards", 2, "main")
    p.sites += [
        n.Site("rules.score", "cards.yaml", 12, 5, ("CA-003",)),
        n.Site("rules.play", "cards.yaml", 9, 5),
    ]
    zones = (
        n.ZoneInstance("box", -1),
        n.ZoneInstance("deck", -1, seen="nobody"),
        n.ZoneInstance("hand", 0, seen="owner", viewer=0),
        n.ZoneInstance("hand", 1, seen="owner", viewer=1),
        n.ZoneInstance("played", 0),
        n.ZoneInstance("played", 1),
    )
    p.groups["card"] = n.Group("card", 6, zones, (DECK,) * 6, (0, 0, 2, 2, 4, 5))
    p.tables["value"] = n.Table("value", "i", VALUES)
    p.fields["counter.vp"] = n.Field("counter.vp", 2, 0, 20, (1, 0))
    p.fields["answers"] = n.Field("answers", 2, -1, 5, (-1, -1), seen="owner", viewers=(0, 1))
    p.fields["asked"] = n.Field("asked", 2, 0, 1, (0, 0))
    p.decisions["play"] = n.Decision("play", (n.Stage("card", 6, "play.options", "answers"),))
    p.functions["play.options"] = function(
        "play.options",
        "me",
        {"me": "i", "z": "i", "s": "s", "d": "s"},
        Block(
            [
                n.Bin("z", "add", "me", HAND),
                n.Contents("s", "card", "z"),
                n.Distinct("d", "card", "s"),
            ],
            n.Return("d"),
        ),
        pure=True,
    )
    p.functions["play.held"] = function(
        "play.held",
        "me card",
        {"me": "i", "card": "i", "z": "i", "s": "s", "ok": "i"},
        Block(
            [
                n.Bin("z", "add", "me", HAND),
                n.Contents("s", "card", "z"),
                n.Has("ok", "s", "card"),
            ],
            n.Return("ok"),
        ),
        pure=True,
    )
    p.functions["score"] = function(
        "score",
        "me card",
        {"me": "i", "card": "i", "v": "i", "z": "i"},
        Block(
            [
                n.Bin("z", "add", "me", PLAYED),
                n.Move("card", "card", "z", END, 1),
                n.Lookup("v", "value", "card"),
                n.Gain("counter.vp", "me", "v", 0),
            ],
            n.Return(0),
        ),
        rule="rules.score",
        begins=True,
        site=0,
    )
    p.functions["main"] = function(
        "main",
        "",
        {"k": "i", "more": "i", "s": "s", "x": "i", "z": "i", "r": "i"},
        Block([n.Copy("k", 0), n.Copy("r", 0)], n.Jump(1)),
        Block(
            [
                n.Fuel(),
                n.Contents("s", "card", DECK),
                n.Roll("x", "s", "draw deck"),
                n.Bin("z", "div", "k", 2),
                n.Bin("z", "add", "z", HAND),
                n.Move("card", "x", "z", END, 1),
                n.Bin("k", "add", "k", 1),
                n.Bin("more", "lt", "k", 4),
            ],
            n.Branch("more", 1, 2),
        ),
        Block([], n.Gather("play", 3, 3, "play")),
        Block(
            [
                n.Load("x", "answers", 0),
                n.CallFn("x", "score", (0, "x"), "score"),
                n.Load("x", "answers", 1),
                n.CallFn("x", "score", (1, "x"), "score"),
                n.Store("answers", 0, -1),
                n.Store("answers", 1, -1),
                n.Bin("r", "add", "r", 1),
                n.Bin("more", "lt", "r", rounds),
            ],
            n.Branch("more", 2, 4),
        ),
        Block([], n.End()),
    )
    return p


def card_game(rounds: int = 2) -> Game:
    """The game of hidden cards with names."""
    held = c.NamedCondition(
        "rules.play.needs.held", "card in me.hand", "play.held", ("me", "card"), 1
    )
    return Game.of_compiled(
        c.Compiled(
            rules(
                "cards",
                pieces__card={"en": "card", "ja": "札"},
                zones__hand={"en": "hand", "ja": "手札"},
                counters__vp={"en": "points", "ja": "点"},
            ),
            card_program(rounds),
            2,
            {},
            {"player": _players(), "card": c.Kind("card", CARDS, CARDS)},
            {
                ("play", 0): c.Question(
                    "rules.play.choose.card",
                    "rules.play",
                    1,
                    (c.Candidates(0, 6, "play", "card", "card", (0,)),),
                    ("me",),
                    ("player",),
                )
            },
            {
                "play": c.ActionInfo(
                    "play", "rules.play", (("me", "player"),), (("card", "card"),), (held,)
                )
            },
            (c.CounterInfo("vp", "counter.vp", "player", "number", False),),
            (),
            c.ResultInfo(False, ("vp",), (), ""),
            {"rules.score": ("player", "card")},
            NO_BOX,
            {"draw deck": "card"},
        )
    )
