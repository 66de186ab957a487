"""The token that did not fit -> the one diagnostic that helps most.

Takes the tokens of a logical line, the place of the bad one and a way to try others in its stead;
gives a diagnostic at the very word. Rules go from the particular to the general: a habit, a
missing bracket, a missing word, at last *expected X, found Y*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final
from unicodedata import normalize

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import blocks
from ruleset.diagnostics.messages import syntax as messages
from ruleset.diagnostics.suggest import nearest
from ruleset.parser_words import (
    ALIKE,
    ARROWS,
    CALLED,
    COMPARISONS,
    HABITS,
    OPERATORS,
    SIGNS,
    STATEMENTS,
    VERBS,
)
from ruleset.source import Span

# Missing words that are looked for by trying whether the text reads with them.
_INSERTS: Final = (*("THEN", "DO", "TO", "COMMA", "IN", "FROM", "TIMES", "OF", "WITH", "RPAR"),)
# Short scalars that are told as a whole.
_FORMS: Final = {
    "grid": "a grid such as `7 x 6` or `11 x 11 hex`",
    "span": "a number or a range such as `2..4`",
    "part": "a part of a price, `1 of ACTION(names).COST`",
}
_LOOK_AHEAD: Final = 100
_NOT_WORDS: Final = frozenset({"NAME", "INT", "SIGN", "TAB", "OTHER", "HABIT", "$END"})


@dataclass(frozen=True, slots=True)
class Trouble:
    """Where a parse stopped: ``tokens[index]`` did not fit, and ``accepts`` would have."""

    tokens: Sequence[Any]
    index: int
    start: str
    place: Callable[[Any], Span]
    accepts: Set[str]
    reach: Callable[[Sequence[str]], int]
    """How many tokens of these kinds could follow instead, one after the other."""
    has_block: bool = False

    @property
    def token(self) -> Any:
        """The token that did not fit."""
        return self.tokens[self.index]

    @property
    def span(self) -> Span:
        """Its place."""
        return self.place(self.token)

    def kind(self, index: int) -> str:
        """The kind of a token, counted from the bad one: -1 is the one before; else empty."""
        at = self.index + index
        return str(self.tokens[at].type) if 0 <= at < len(self.tokens) else ""


def explain(trouble: Trouble) -> Diagnostic:
    """The diagnostic for a parse that stopped."""
    for rule in _RULES:
        if found := rule(trouble):
            return found
    return _general(trouble)


# ------------------------------------------------------------------ signs and words from elsewhere


def _sign(t: Trouble) -> Diagnostic | None:
    text = str(t.token)
    match t.token.type:
        case "SIGN" if t.start == "road_line" and text in ARROWS:
            return messages.sign(t.span, text, ARROWS[text])
        case "SIGN":
            return messages.sign(t.span, text, SIGNS.get(text, "take it away"))
        case "EQUAL":
            return messages.equals(t.span)
        case "OTHER":
            return messages.sign(t.span, text, _instead_of(text))
        case "HABIT":
            if t.accepts <= {"NAME"} and t.kind(1) != "NAME":
                return messages.reserved(t.span, text)
            return messages.habit(t.span, text, HABITS[text])
        case _:
            return None


def _instead_of(text: str) -> str:
    """What to write for a sign from another keyboard: `（`, `≥`, `é`."""
    plain = ALIKE.get(text) or normalize("NFKC", text)
    if plain != text and plain.isascii():
        return f"write `{plain}`"
    if text.isalnum():
        return "names are written with the letters a to z, digits and `_`"
    return "take it away"


def _number(t: Trouble) -> Diagnostic | None:
    if t.kind(0) == "INT" and t.kind(-1) == "DOT" and t.kind(-2) == "INT":
        return messages.whole_numbers(t.place(t.tokens[t.index - 2]).to(t.span))
    return None


def _verb(t: Trouble) -> Diagnostic | None:
    """A line that begins with a verb of another language, or with one that is misspelt."""
    if t.start != "line" or t.index == 0 or t.kind(-1) != "NAME":
        return None
    if t.tokens[0].type == "DO" and t.index == 2:
        return blocks.do_is_no_verb(t.place(t.tokens[0]), str(t.tokens[1]))
    if t.index > 1 and t.kind(-2) not in {"THEN", "DO", "ELSE"}:
        return None
    word = t.tokens[t.index - 1]
    if t.kind(0) not in {"NAME", "INT", "LPAR"} and not (
        t.kind(0) in CALLED and t.kind(0) == "FOR"
    ):
        return None
    if str(word) in VERBS:
        return blocks.unknown_verb(t.place(word), str(word), VERBS[str(word)])
    near = nearest(str(word), [kind.lower() for kind in STATEMENTS])
    if near:
        return blocks.unknown_verb(t.place(word), str(word), f"did you mean `{near}`?")
    return None


# ------------------------------------------------------------------ forms written otherwise


def _range(t: Trouble) -> Diagnostic | None:
    """``n in 1 to 6``."""
    before = {token.type for token in t.tokens[: t.index]}
    if t.kind(0) != "TO" or before & {"DRAW", "MOVE"} or "IN" not in before:
        return None
    if "INT" not in {t.kind(-1), t.kind(1)}:
        return None
    helps = ["the numbers from A to B are `A..B`"]
    return messages.unexpected(t.span, ["`..`"], _found(t), None, helps)


def _domain(t: Trouble) -> Diagnostic | None:
    """``choose: {card: me.hand if C}`` without its ``in``."""
    before = {token.type for token in t.tokens[: t.index]}
    if t.start != "domain" or t.index == 0 or "IN" in before or t.kind(0) not in {"IF", "$END"}:
        return None
    source = t.place(t.tokens[0]).to(t.place(t.tokens[t.index - 1]))
    helps = [f"write `in {source.text}`: what is chosen is called like the key"]
    return messages.unexpected(source, ["`in`"], f"`{source.text}`", None, helps)


def _else(t: Trouble) -> Diagnostic | None:
    if t.start != "line" or t.kind(0) != "ELSE":
        return None
    before = {token.type for token in t.tokens[: t.index]}
    if "MAY" in before:
        return blocks.may_needs_no_else(t.span)
    return blocks.else_needs_a_line(t.span) if "THEN" in before else None


def _if_behind(t: Trouble) -> Diagnostic | None:
    """``x if c else y``, ``gain 1 me.vp if c``."""
    if t.kind(0) != "IF" or t.index == 0:
        return None
    later = {token.type for token in t.tokens[t.index :]}
    if "ELSE" in later and "THEN" not in later:
        return messages.value_if(t.span)
    if t.start == "line" and "THEN" not in later and "$END" in t.accepts:
        return messages.effect_if(t.span)
    return None


def _offers(t: Trouble) -> Diagnostic | None:
    """``must a``, ``p must a or b``."""
    if t.kind(0) in {"MUST", "MAY", "CHOOSES"} and "LET" in t.accepts:
        return blocks.nobody_asked(t.span, str(t.token))
    if t.kind(0) in {"OR", "COMMA"} and t.kind(-2) in {"MUST", "MAY"}:
        return blocks.several_offers(t.span, str(t.tokens[t.index - 2]))
    return None


def _block_word(t: Trouble) -> Diagnostic | None:
    if t.kind(0) == "$END" and t.has_block and t.kind(-1) in {"DO", "THEN"}:
        word = t.tokens[t.index - 1]
        return blocks.word_before_block(t.place(word), str(word))
    return None


def _amount(t: Trouble) -> Diagnostic | None:
    first = t.tokens[0]
    if first.type in {"GAIN", "LOSE", "PAY"} and t.kind(0) == "INT" and t.index > 1:
        return blocks.amount_first(t.span, str(t.token), str(first))
    return None


def _cost(t: Trouble) -> Diagnostic | None:
    verb = t.tokens[0].type in {"GAIN", "LOSE", "PAY"}
    if verb and t.kind(0) in {"TO", "FROM"} and "NAME" in t.accepts:
        what = f"`{t.tokens[0]} N me.vp`"
        helps = [f"write {what}: the counter stands behind its amount, by its owner"]
        return messages.unexpected(t.span, ["a counter"], _found(t), None, helps)
    if t.start == "cost" and t.kind(0) == "FROM":
        return messages.cost_from(t.span)
    if t.start == "cost" and t.kind(0) == "$END" and "PAY" in t.accepts:
        return messages.too_early(t.span, ["`pay`"], ["write `for x in LIST pay y in SET`"])
    return None


def _grid(t: Trouble) -> Diagnostic | None:
    return _general(t) if t.start in _FORMS else None


def _compared(t: Trouble) -> Diagnostic | None:
    if t.kind(0) not in COMPARISONS:
        return None
    depth = 0
    for token in reversed(t.tokens[: t.index]):
        depth += {"RPAR": 1, "LPAR": -1}.get(token.type, 0)
        if depth < 0 or token.type in {"AND", "OR", "IF", "THEN", "ELSE", "COMMA"}:
            return None
        if depth == 0 and token.type in COMPARISONS:
            return messages.compared_twice(t.span)
    return None


# ------------------------------------------------------------------ names, brackets, missing words


def _reserved(t: Trouble) -> Diagnostic | None:
    """A word of the language where a name would let the text go on."""
    kind = t.kind(0)
    if kind in _NOT_WORDS or not str(t.token).isalpha() or "NAME" not in t.accepts:
        return None
    following = t.kind(1) or "$END"
    joined = t.accepts <= {"NAME"} or following in {"DOT", "RPAR", "COMMA", "EQUAL", "IN", "IS"}
    if joined and t.reach(["NAME", following]) == 2:
        return messages.reserved(t.span, str(t.token))
    return None


def _bracket(t: Trouble) -> Diagnostic | None:
    opened: list[Any] = []
    for token in t.tokens[: t.index]:
        if token.type == "LPAR":
            opened.append(token)
        elif token.type == "RPAR" and opened:
            opened.pop()
    if t.kind(0) == "RPAR" and not opened:
        return messages.not_opened(t.span)
    rest = [token.type for token in t.tokens[t.index : t.index + _LOOK_AHEAD]]
    ends = t.kind(0) == "$END" or t.reach(["RPAR", *rest]) == len(rest) + 1
    if opened and ends and "RPAR" in t.accepts:
        return messages.not_closed(t.span, t.place(opened[-1]), _found(t))
    return None


def _two_effects(t: Trouble) -> Diagnostic | None:
    if t.start != "line":
        return None
    if t.kind(0) in STATEMENTS and "$END" in t.accepts:
        heads = {"IF": "THEN", "FOR": "DO", "REPEAT": "DO"}
        wanted = heads.get(t.tokens[0].type)
        if wanted is None or any(token.type == wanted for token in t.tokens[: t.index]):
            return blocks.two_effects(t.span)
    if {"MAY", "MUST"} <= t.accepts:
        if t.kind(-1) == "RPAR" and t.kind(0) == "NAME":
            return blocks.two_effects(t.span)
        if t.kind(0) in OPERATORS:
            return blocks.not_an_effect(t.place(t.tokens[0]).to(t.span))
    return None


def _query(t: Trouble) -> Diagnostic | None:
    """``all x in S`` without its bracket."""
    if t.accepts <= {"LPAR"} and t.kind(0) == "NAME":
        word = str(t.tokens[t.index - 1])
        helps = [f"write `{word}(x in S if C)`"]
        return messages.unexpected(t.span, ["`(`"], _found(t), None, helps)
    return None


def _missing(t: Trouble) -> Diagnostic | None:
    """A word is missing, or another stands in its place: the one with which most reads on."""
    if t.kind(0) == "$END" or t.index == 0 or t.start in {"pattern", "header", "hook"}:
        return None
    rest = [token.type for token in t.tokens[t.index : t.index + _LOOK_AHEAD]]
    best, most = None, 1
    for insert in _INSERTS:
        if insert in t.accepts:
            reached = max(t.reach([insert, *rest]), t.reach([insert, *rest[1:]]) + 1)
            if reached > most + (0 if best is None else 1):
                best, most = insert, reached
    if best is None:
        return None
    near = nearest(str(t.token), [CALLED[best].strip("`")]) if t.kind(0) == "NAME" else None
    return messages.unexpected(t.span, [CALLED[best]], _found(t), near)


# ------------------------------------------------------------------ anything else


def _found(t: Trouble) -> str:
    return "the end" if t.kind(0) == "$END" else f"`{t.token}`"


def _wanted(t: Trouble) -> list[str]:
    """At most three things, the most telling first."""
    accepts = set(t.accepts)
    words: list[str] = []
    if {"LET", "GAIN"} <= accepts:
        words.append("an effect")
        accepts -= STATEMENTS | {"NAME", "INT", "LPAR", "IF", "FOR", "DO", "ELSE", "NONE"}
    elif {"NAME", "INT", "LPAR"} <= accepts:
        words.append("a value")
        accepts -= {"NAME", "INT", "LPAR", "NONE", "IF"}
    elif "NAME" in accepts:
        words.append("a name")
    elif "INT" in accepts:
        words.append("a number")
    if "AT" in accepts and any(token.type == "UNTIL" for token in t.tokens):
        accepts.discard("AT")
        words.append("`at most N times`")
    words += [called for kind, called in CALLED.items() if kind in accepts and kind != "$END"]
    if "$END" in accepts:
        words.append("the end of the line" if t.start == "line" else "the end")
    if not words and accepts & OPERATORS:
        words.append("an operator")
    return words[:3] or ["the end of the line" if t.start == "line" else "the end"]


def _general(t: Trouble) -> Diagnostic:
    if t.start in _FORMS:
        body = t.place(t.tokens[0]).to(t.place(t.tokens[-1]))
        return messages.unexpected(body, [_FORMS[t.start]], f"`{body.text}`", None)
    wanted = _wanted(t)
    if t.kind(0) == "$END":
        return messages.too_early(t.span, wanted, ())
    near = None
    if t.kind(0) == "NAME":
        near = nearest(str(t.token), [kind.lower() for kind in t.accepts if kind.isalpha()])
    asks = {"MAY", "MUST"} <= t.accepts
    helps = ["an effect begins with a verb, with a player who is asked, or is a call"]
    return messages.unexpected(t.span, wanted, _found(t), near, helps if asks else ())


_RULES: Final[tuple[Callable[[Trouble], Diagnostic | None], ...]] = (
    _verb,
    _sign,
    _number,
    _range,
    _domain,
    _else,
    _if_behind,
    _offers,
    _block_word,
    _amount,
    _cost,
    _compared,
    _grid,
    _reserved,
    _bracket,
    _two_effects,
    _query,
    _missing,
)
