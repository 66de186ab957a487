"""What the terminal itself says, in English and Japanese; games bring their own words."""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = ("en", "ja")

_PHRASES: Final[dict[str, tuple[str, str]]] = {
    "player": ("player {0}", "プレイヤー{0}"),
    "of_player": ("{1} of player {0}", "プレイヤー{0}の{1}"),
    "hidden": ("{0} hidden", "非公開{0}"),
    "revealed": ("{0} known", "{0}は公開"),
    "nothing": ("-", "-"),
    "yes": ("yes", "はい"),
    "shown": ("{0} is shown", "{0}を公開"),
    "asked": ("{0} — {1}", "{0} — {1}"),
    "choice": ("your choice (a number, `help`): ", "選択（番号、または help）: "),
    "handover": (
        "Hand the screen to player {0}, who presses Enter.",
        "プレイヤー{0}に画面を渡し、Enterを押してください。",
    ),
    "result": ("result", "結果"),
    "won_by": ("won by {0}", "勝者: {0}"),
    "nobody": ("nobody wins", "勝者なし"),
    "drawn": ("drawn", "引き分け"),
    "lost": ("lost", "敗北"),
    "ranking": ("{0}. {1}", "{0}位: {1}"),
    "ends": ("the game ends", "ゲーム終了"),
    "seed": ("seed {0}", "乱数の種 {0}"),
    "saved": ("saved: {0}", "保存しました: {0}"),
    "no_path": ("say where: `save PATH`", "保存先を指定してください: save PATH"),
    "undone": ("undone: {0}", "取り消しました: {0}"),
    "no_undo": (
        "this cannot be undone: somebody has learned something since, or it was not your choice",
        "取り消せません: その後に誰かが新しい情報を得たか、あなたの選択ではありません",
    ),
    "no_such": ("there is no option {0}; expected 1 to {1}", "{0}番はありません（1～{1}）"),
    "hidden_answer": (
        "the answer depends on something that is hidden from you",
        "非公開の情報に関わるため答えられません",
    ),
    "quit": ("stopped after {0} choices", "{0}回の選択の後に終了しました"),
    "no_input": (
        "there is no more input; the game stops after {0} choices",
        "入力が終わりました。{0}回の選択の後に終了します",
    ),
    "too_long": (
        "the game goes on after {0} choices; it stops here",
        "{0}回の選択でも終わらないため、ここで止めます",
    ),
    "help": (
        "a number or an option     choose it (`2`, `put_stone b2`, or `b2` alone)\n"
        "why OPTION                why an option is possible or not\n"
        "undo                      take back your last choice, if nobody has learned anything\n"
        "save [PATH]               write the game to a file; `play PATH` goes on with it\n"
        "state                     show the table again\n"
        "log                       all that has happened, as far as you may know\n"
        "legend                    what the short signs on the map stand for\n"
        "? EXPRESSION              the value of an expression, as `? p1.vp`\n"
        "help                      this list\n"
        "quit                      stop",
        "番号または選択肢          それを選ぶ（2、put_stone b2、または b2）\n"
        "why 選択肢                できる・できない理由\n"
        "undo                      直前の選択を取り消す（新しい情報がない場合）\n"
        "save [PATH]               ファイルに保存。play PATH で再開\n"
        "state                     盤面をもう一度表示\n"
        "log                       これまでの出来事（公開されているもの）\n"
        "legend                    マップの略号の意味\n"
        "? 式                      式の値。例: ? p1.vp\n"
        "help                      この一覧\n"
        "quit                      終了",
    ),
}


def phrase(key: str, lang: str, *values: object) -> str:
    """A phrase with its values put in."""
    english, japanese = _PHRASES[key]
    return (japanese if lang == "ja" else english).format(*values)
