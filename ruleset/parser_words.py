"""What people write from habit, and what to write instead; how kinds of words are called.

Only tables: ``HABITS`` and ``SIGNS`` are never right anywhere, ``VERBS`` are looked up only where
a line begins with one of them and is wrong (they may be names elsewhere).
"""

from __future__ import annotations

from typing import Final

_FOR: Final = "write `for x in S`"
_ME: Final = "name the player, for example `me`"
_THING: Final = "name the thing"
_IS: Final = "write `is`"
_COUNTER: Final = "a counter changes by `gain 1 me.vp` or `lose 1 me.vp`"
_MOVE: Final = "write `move x to ZONE`"

HABITS: Final[dict[str, str]] = {
    "the": "the language has no articles: leave it out",
    "each": _FOR,
    "every": _FOR,
    "foreach": _FOR,
    "where": "write `if`: `x in S if C`",
    "while": "write `repeat until C at most N times`",
    "when": "a condition is `if`; `when` is a key of a hook",
    "unless": "write `if not ...`",
    "otherwise": "write `else`",
    "elif": "write `else if`",
    "elsif": "write `else if`",
    "elseif": "write `else if`",
    "return": "`stop NAME` ends a rule; a value is written under `is`",
    "choose": "say who chooses: `me chooses x in S`, or `me must ACTION`",
    "has": "write `any(S)`",
    "have": "write `any(S)`",
    "are": _IS,
    "was": _IS,
    "were": _IS,
    "equals": _IS,
    "gains": "write `gain 1 me.vp`",
    "loses": "write `lose 1 me.vp`",
    "pays": "write `pay 1 me.coins`",
    "moves": _MOVE,
    "draws": "write `draw 1 from ZONE to ZONE`",
    "than": "write `<`, `<=`, `>` or `>=`",
    "no": "write `not any(...)`, or `false`",
    "yes": "write `true`",
    "null": "write `none`",
    "nil": "write `none`",
    "None": "write `none`",
    "True": "write `true`",
    "False": "write `false`",
    "len": "write `count(S)`",
    "self": _ME,
    "you": _ME,
    "your": "write `me.` and what is meant",
    "this": _THING,
    "it": _THING,
    "its": _THING,
}

SIGNS: Final[dict[str, str]] = {
    "==": _IS,
    "===": _IS,
    "!=": "write `is not`",
    "!==": "write `is not`",
    "<>": "write `is not`",
    "=>": "write `>=`",
    "&&": "write `and`",
    "||": "write `or`",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`",
    ":": "the language has no colon: write `if C then X`, or an indented block",
    "+=": _COUNTER,
    "-=": _COUNTER,
    "*=": _COUNTER,
    "/=": _COUNTER,
    "++": _COUNTER,
    "--": _COUNTER,
    ":=": "write `let n = ...`, or `set a.f to ...` for a mark",
    "->": "write `to`",
    "**": "there are no powers: multiply",
    "//": "write `/`, which rounds down; a comment begins with `#`",
    "...": "write `..`",
    "'s": "write a dot: `me.hand`",
    "[": "there are no brackets but `( )`: `those(x in S if C)`, `first(S)`, `nth(S, 2)`",
    "]": "there are no brackets but `( )`: `those(x in S if C)`, `first(S)`, `nth(S, 2)`",
    "{": "there are no brackets but `( )`: a set is `(a, b)` or `those(x in S if C)`",
    "}": "there are no brackets but `( )`: a set is `(a, b)` or `those(x in S if C)`",
    ";": "put each effect on a line of its own",
    "?": "write `if C then A else B`",
    "'": "names need no quotes",
    '"': "names need no quotes",
}

ARROWS: Final[dict[str, str]] = {
    "->": "a road that leads one way is `>`",
    "=>": "a road that leads one way is `>`",
    "<>": "a road that leads both ways is `=`",
    "==": "a road that leads both ways is `=`",
    "--": "a road that leads both ways is `=`",
}
"""Signs between spaces on a map, and what to write."""

VERBS: Final[dict[str, str]] = {
    "add": _COUNTER,
    "ask": "say who is asked: `me must ACTION` or `me may ACTION`",
    "break": "`stop NAME` ends the rule or step of that name",
    "call": "to do a rule write its name with brackets: `NAME()`",
    "continue": "put the rest under an `if`",
    "deal": "write `draw N from ZONE to ZONE`",
    "decrease": _COUNTER,
    "discard": "write `move x to ZONE`, for example `move x to discards`",
    "end": "`stop NAME` ends the rule or step of that name",
    "exit": "`stop NAME` ends the rule or step of that name",
    "give": _MOVE,
    "increase": _COUNTER,
    "pass": "write `nothing`",
    "place": "write `move x to ZONE`, or `draw N from ZONE to ZONE` for alike pieces",
    "play": _MOVE,
    "put": _MOVE,
    "remove": "write `move x to box` for a piece, `lose N me.vp` for a counter",
    "score": "write `gain N me.vp`",
    "skip": "write `nothing`",
    "subtract": _COUNTER,
    "take": _MOVE,
    "turn": "write `flip x to SIDE`",
    "win": "write `stop game won by p`",
}

# How a kind of word is called where it is expected, in the order in which they are told.
CALLED: Final[dict[str, str]] = {
    "THEN": "`then`",
    "DO": "`do`",
    "TO": "`to`",
    "IN": "`in`",
    "FROM": "`from`",
    "TIMES": "`times`",
    "UNTIL": "`until`",
    "AT": "`at`",
    "WITH": "`with`",
    "BY": "`by`",
    "AS": "`as`",
    "OF": "`of`",
    "FOR": "`for`",
    "MAY": "`may`",
    "MUST": "`must`",
    "CHOOSES": "`chooses`",
    "BEFORE": "`before`",
    "AFTER": "`after`",
    "INSTEAD": "`instead of`",
    "RPAR": "`)`",
    "LPAR": "`(`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "MORE": "`>`",
    "ELSE": "`else`",
    "IF": "`if`",
    "DOTS": "`..`",
    "NONE": "`none`",
    "$END": "the end",
}

STATEMENTS: Final = frozenset(
    {
        *("LET", "SET", "GAIN", "LOSE", "PAY", "MOVE", "DRAW", "SHUFFLE", "REVEAL", "FLIP"),
        *("SWAP", "ROLL", "STOP", "ELIMINATE", "NOTHING", "REPEAT", "TOGETHER"),
    }
)
"""The words that only ever begin an effect."""

COMPARISONS: Final = frozenset({"IS", "LESS", "MORE", "AT_MOST", "AT_LEAST"})
OPERATORS: Final = COMPARISONS | {"PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "AND", "OR"}

ALIKE: Final[dict[str, str]] = {
    "≥": ">=",
    "≤": "<=",
    "≠": "is not",
    "−": "-",
    "–": "-",
    "×": "*",
    "÷": "/",
    "…": "..",
    "、": ",",
    "。": ".",
}
"""Signs of a rulebook, and the sign of the language that each stands for."""
