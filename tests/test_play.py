"""Play in the terminal: what is asked and typed, what is told and drawn, and what stays hidden."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import pytest
from documents import ROOT, UPDATE
from rich.cells import cell_len

import ruleset
from interpreter import Game, State
from playtest.cli import run
from playtest.drawing import WIDTH
from playtest.labels import Labels, brief, fit
from playtest.peeking import answer
from playtest.seats import Bots, SeatError, seats_of
from playtest.stages import in_set_up, steps_under_way
from playtest.story import Story
from playtest.table import table
from playtest.wrapping import wrap

GAMES = sorted((ROOT / "games").glob("*.yaml"))
SMALL = str(ROOT / "games" / "tic_tac_toe.yaml")
SECRET = str(ROOT / "tests" / "secret.yaml")
DEMO = ("games/rabbit_race.yaml", "--players", "3", "--seats", "random,random,random")


@cache
def game(path: str, players: int) -> Game:
    """A game, lowered once."""
    return Game(ruleset.load(path), players)


def typed(
    text: str,
    *arguments: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    status: int = 0,
) -> str:
    """What the terminal shows when a person types these lines."""
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    found = run(["play", *arguments])
    out, err = capsys.readouterr()
    assert found == status, out + err
    assert "Traceback" not in err
    return out + err


# ------------------------------------------------------------------ a whole game


def test_a_game_of_programs_tells_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One game from beginning to end reads as a person left it (RULEWRIGHT_UPDATE=1 rewrites)."""
    monkeypatch.chdir(ROOT)
    assert run(["play", *DEMO, "--seed", "7"]) == 0
    text = capsys.readouterr().out
    path = ROOT / "tests" / "golden" / "rabbit_race_seed7.txt"
    if UPDATE:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_the_same_seed_is_the_same_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game of programs depends on its seed alone."""
    monkeypatch.chdir(ROOT)
    texts = []
    for seed in ("1", "1", "2"):
        assert run(["play", SMALL, "--seats", "random", "--seed", seed]) == 0
        texts.append(capsys.readouterr().out.split("\n", 2)[2])
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_game_is_told_within_the_page(path: Path, lang: str) -> None:
    """Maps and tables are at most 80 columns wide, whatever the game and the language."""
    rules = ruleset.load(str(path))
    played = Game(rules, rules.file.min_players)
    labels = Labels(played, lang)
    bots = Bots(("random",) * played.players, 5)
    state = played.start(5)
    story = Story(played, labels)
    for _ in range(12):
        told = story.tell(state)
        assert all(line.text for line in told)
        for line in table(played, state.view(1, lang), labels):
            assert cell_len(line) <= WIDTH, line
        if state.over:
            break
        state = state.apply(bots.choose(state, state.pending[0].player))


# ------------------------------------------------------------------ a person plays


def test_a_person_wins(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers and texts are choices, in any mixture; the end names the winner."""
    text = typed(
        "put_stone b2\n1\nput_stone(cell=c2)\nput_stone b1\nput_stone a2\n",
        SMALL,
        "--seats",
        "human",
        monkeypatch=monkeypatch,
        capsys=capsys,
    )
    assert "result: won by player 1" in text


def test_what_can_be_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command answers; what is wrong is said, and the game goes on."""
    lines = [
        "help",
        "z2",
        "99",
        "0",
        "put_stone z9",
        "put_stone b2",
        "why put_stone b2",
        "why 1",
        "? count(cells.stone)",
        "? count(cells.stne)",
        "?",
        "",
        "state",
        "log",
        "save",
        "quit",
    ]
    text = typed(
        "\n".join(lines) + "\n",
        SMALL,
        "--seats",
        "human,first",
        "--seed",
        "1",
        monkeypatch=monkeypatch,
        capsys=capsys,
    )
    assert "there is no option 99; expected 1 to 9" in text
    assert "there is no option 0; expected 1 to 9" in text
    assert "there is no cell `z9`" in text
    assert "`put_stone b2` is not possible" in text
    assert "is possible\n" in text
    assert "\n2\n" in text
    assert "did you mean `stone`?" in text
    assert "say where: `save PATH`" in text
    assert "stopped after 2 choices" in text


def test_undo_takes_back_what_taught_nobody(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After another player's choice the own one stands."""
    market = str(ROOT / "tests" / "market.yaml")
    text = typed(
        "undo\npass\nundo\nquit\n",
        market,
        "--players",
        "1",
        "--seed",
        "1",
        monkeypatch=monkeypatch,
        capsys=capsys,
    )
    assert text.count("cannot be undone") == 1
    assert "undone: pass" in text
    text = typed(
        "put_stone b2\nundo\nquit\n",
        SMALL,
        "--seed",
        "1",
        monkeypatch=monkeypatch,
        capsys=capsys,
    )
    assert "cannot be undone" in text


def test_a_game_is_saved_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `save` wrote is played on, with the same seats."""
    target = str(tmp_path / "game.json")
    first = typed(
        f"put_stone b2\nsave {target}\nquit\n",
        SMALL,
        "--seats",
        "human,first",
        monkeypatch=monkeypatch,
        capsys=capsys,
    )
    assert f"saved: {target}" in first
    text = typed("put_stone b2\nquit\n", target, monkeypatch=monkeypatch, capsys=capsys)
    assert "player 1: human, player 2: first" in text
    assert "`put_stone b2` is not possible" in text


def test_the_screen_changes_hands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where something is hidden, each person sits down to a screen that was cleared."""
    text = typed("\nquit\n", SECRET, "--seats", "human", monkeypatch=monkeypatch, capsys=capsys)
    assert "Hand the screen to player 1" in text
    text = typed("quit\n", SMALL, "--seats", "human", monkeypatch=monkeypatch, capsys=capsys)
    assert "Hand the screen" not in text


def test_japanese_is_spoken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--lang ja` the terminal and the game speak Japanese."""
    text = typed("help\nquit\n", SMALL, "--lang", "ja", monkeypatch=monkeypatch, capsys=capsys)
    assert "三目並べ" in text
    assert "プレイヤー1" in text
    assert "選択" in text


# ------------------------------------------------------------------ what stays hidden


def test_a_question_about_hidden_things_has_no_answer() -> None:
    """An expression is answered where no hidden thing makes a difference."""
    path = str(ROOT / "games" / "rabbit_race.yaml")
    state = game(path, 3).start(7)
    assert answer(state, 1, "p1.vp") == (True, 1)
    assert answer(state, 1, "count(p2.hand)") == (True, 5)
    assert answer(state, 1, "count(p1.hand)") == (True, 5)
    while in_set_up(state):
        state = state.apply(state.pending[0].options[0])
    for decision in state.pending:
        card = decision.options[decision.player % 2]
        state = state.apply(card.text, decision.player)
    assert answer(state, 2, "p1.played") == (True, ["p1.three#1"])
    assert answer(state, 2, "p1.hand")[0] is False
    secret = game(SECRET, 2).start(1)
    assert answer(secret, 2, "p1.hand")[0] is False


def test_the_story_tells_a_player_what_they_may_know() -> None:
    """A piece dealt to another hand has no name in the story of a player."""
    path = str(ROOT / "tests" / "market.yaml")
    state = game(path, 2).start(4)
    mine = game(path, 2).evaluate(state, "p1.hand")
    full = Story(state.game, Labels(state.game, "en")).tell(state)
    own = Story(state.game, Labels(state.game, "en"), 1).tell(state)
    other = Story(state.game, Labels(state.game, "en"), 2).tell(state)
    assert mine
    assert full != own
    assert own != other


# ------------------------------------------------------------------ parts


def test_seats_are_read_and_checked() -> None:
    """One kind is for all; the number must fit; an unknown kind gets the nearest."""
    assert seats_of("random", 3) == ("random",) * 3
    assert seats_of("human, first", 2) == ("human", "first")
    assert seats_of(None, 3) == ("human", "random", "random")
    with pytest.raises(SeatError, match="expected 3 seats, found 2"):
        seats_of("human,first", 3)
    with pytest.raises(SeatError, match="did you mean `random`"):
        seats_of("randm", 1)


def test_texts_fit_their_columns() -> None:
    """Wide characters count twice; what is too long is cut with a sign."""
    assert fit("abc", 5) == "abc  "
    assert cell_len(fit("スタートマス", 7)) == 7
    assert fit("abcdef", 4) == "abc…"
    assert brief("clover: gain a chip") == "clover"
    assert brief("(a)") == "(a)"
    assert list(wrap("aa bb cc", 5)) == ["aa bb", "cc"]
    assert list(wrap("あいうえお", 4)) == ["あい", "うえ", "お"]


def test_steps_under_way_are_known() -> None:
    """The steps of the flow from the outermost on, and whether the set-up goes on."""
    path = str(ROOT / "games" / "rabbit_race.yaml")
    state: State = game(path, 3).start(7)
    assert steps_under_way(state) == ["game", "set_up", "lay_mines"]
    assert in_set_up(state)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_large_map_fits_on_a_screen(lang: str) -> None:
    """A table of roads, boards and tokens takes less than 36 lines of 100 columns, in any state."""
    played = game(str(ROOT / "games" / "trash_rush.yaml"), 2)
    labels = Labels(played, lang)
    bots = Bots(("random",) * 2, 5)
    state = played.start(5)
    for step in range(120):
        if state.over:
            break
        if step % 20 == 0:
            lines = table(played, state.view(1, lang), labels, 100)
            assert len(lines) <= 36, "\n".join(lines)
            assert all(cell_len(line) <= 100 for line in lines)
        state = state.apply(bots.choose(state, state.pending[0].player))


def test_roads_are_drawn_between_spaces() -> None:
    """Arrows, flags and tokens stand on the borders; what crosses a corner is named below."""
    played = game(str(ROOT / "games" / "trash_rush.yaml"), 2)
    text = "\n".join(table(played, played.start(5).view(1), Labels(played, "en"), 100))
    for sign in ("↔", "→", "←", "↕", "↓p", "╲", "╱", "A5 ↔ B6 r"):
        assert sign in text, sign


def test_sides_are_drawn_on_a_grid() -> None:
    """Pieces with two sides are black and white on the board, and the legend says which."""
    played = game(str(ROOT / "games" / "othello.yaml"), 2)
    lines = table(played, played.start(1).view(1), Labels(played, "en"))
    assert any("● ○" in line or "○ ●" in line for line in lines)
    assert any("● disc black" in line for line in lines)


def test_an_option_tells_the_side_of_its_piece(tmp_path: Path) -> None:
    """Dice that are offered are told apart by what lies up."""
    path = tmp_path / "dice.yaml"
    path.write_text(
        "game: dice\ntitle: {en: Dice}\nplayers: 1\n"
        "flow: {game: {each: me in players, do: me may keep}}\n"
        "zones: {tray: {each: player, of: die}}\n"
        "pieces: {die: {each: player, count: 2, sides: [blank, hit], starts: owner.tray}}\n"
        "rules: {keep(me): {choose: {die: in me.tray}, do: flip die to hit}}\n"
        "result: {by: stop game}\n"
    )
    state = game(str(path), 1).start(seed=1)
    labels = Labels(state.game, "en")
    found = [labels.option(option) for option in state.pending[0].options]
    assert found == ["keep: die (blank)", "keep: die (blank)", "pass"]


def test_a_value_alone_is_a_choice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What an option picks is enough where it can mean one option."""
    text = typed(
        "b2\nlegend\nquit\n", SMALL, "--seats", "human", monkeypatch=monkeypatch, capsys=capsys
    )
    assert "stopped after 1 choices" in text
