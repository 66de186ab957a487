"""Messages about types: RW30x."""

from __future__ import annotations

from typing import Final

from ruleset.checking.kinds import in_words, kind_in_words, kind_of
from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages.build import error, listed, warning
from ruleset.source import Span
from ruleset.syntax import (
    Attribute,
    Binary,
    Call,
    Conditional,
    Default,
    Name,
    Zone,
)
from ruleset.types import NumberT, SetT, Type

CODES: Final[dict[str, str]] = {
    "RW301": "a value of another type than is wanted",
    "RW302": "two kinds that are never equal",
    "RW303": "a thing that may be none where it must be there",
    "RW304": "a condition that is none",
    "RW305": "a comparison of what is no number",
    "RW306": "a set of what does not belong together",
    "RW307": "a number outside its range",
    "RW308": "a comparison that always has the same result",
    "RW309": "a value that needs itself",
    "RW310": "a set where one thing is wanted, or the other way round",
    "RW311": "a built-in function where it has no meaning",
    "RW312": "an order that nobody knows",
    "RW313": "two branches of different types",
}


def mismatch(span: Span, want: Type, found: Type, role: str, is_type: bool) -> Diagnostic:
    """A value that does not fit."""
    kind = kind_of(want)
    helps: tuple[str, ...] = ()
    if is_type:
        helps = (f"`{span.text}` is a type of {kind}; the type of a piece is `x.type`",)
    elif isinstance(found, SetT) and kind_of(found) == kind:
        helps = ("`first(...)` is one of them, `for x in ...` goes through them",)
    return error(
        "RW301", span, f"{role}: expected {in_words(want)}, found {in_words(found)}", *helps
    )


def not_a_condition(span: Span, found: Type, role: str) -> Diagnostic:
    """Something that is not true or false where a condition is wanted."""
    helps: tuple[str, ...] = ()
    if isinstance(found, SetT) or kind_of(found) not in ("", "number"):
        helps = (f"`any({span.text})` asks whether there is one",)
    return error("RW304", span, f"{role}: expected a condition, found {in_words(found)}", *helps)


def or_wants_a_condition(expr: Binary, left: Binary) -> Diagnostic:
    """``x is a or b``."""
    a, b, x = left.b.span.text, expr.b.span.text, left.a.span.text
    helps = [f"write `{x} {left.op} {a} {expr.op} {x} {left.op} {b}`"]
    if expr.op == "or" and left.op == "is":
        helps.append(f"or `{x} in ({a}, {b})`")
    return error(
        "RW304", expr.b.span, f"the right side of `{expr.op}` must be a condition too", *helps
    )


def may_be_none(span: Span, role: str) -> Diagnostic:
    """A value that can be none where it is acted on."""
    verb = role.strip("`").isalpha() and role.startswith("`")
    why = f"and {role} needs what is there" if verb else f"as {role}"
    return error(
        "RW303",
        span,
        f"`{_short(span)}` may be none here, {why}",
        "make sure that it is there: a name under `with`, `for x in E`, `(E else F)`,"
        " or a `let` name that is tested",
        label="may be none",
    )


def _short(span: Span) -> str:
    text = " ".join(span.text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def never_none(expr: Binary) -> Diagnostic:
    """A test for none of what never is."""
    same = "false" if expr.op == "is" else "true"
    return warning("RW308", expr.span, f"this is never none, so the test is always {same}")


def never_equal(expr: Binary, a: Type, b: Type) -> Diagnostic:
    """Two kinds that are compared."""
    helps: list[str] = []
    for piece, other, side in ((a, b, expr.a), (b, a, expr.b)):
        if kind_of(other) == f"{kind_of(piece)}.type":
            helps.append(f"a piece is never its type: write `{side.span.text}.type`")
        elif isinstance(piece, NumberT) and isinstance(side, Name) and _is_printed(other):
            helps.append(
                f"`{side.name}` has no kind, so it is a number; give it one:"
                f" `words: {{{kind_of(other)}: [{side.name}]}}`"
            )
    return error(
        "RW302", expr.span, f"{_noun(a)} is never {_noun(b)}: two kinds are never equal", *helps
    )


def _is_printed(found: Type) -> bool:
    """Whether it is a type or a side of a kind of piece."""
    return kind_of(found).endswith((".type", ".side"))


def _noun(found: Type) -> str:
    kind = kind_of(found)
    if isinstance(found, SetT) or not kind:
        return in_words(found)
    return kind_in_words(kind)


def never_member(expr: Binary, a: Type, b: Type) -> Diagnostic:
    """``x in S`` where S holds another kind."""
    helps: tuple[str, ...] = ()
    kind = kind_of(b)
    if kind_of(a) == f"{kind}.type":
        name, source = expr.a.span.text, expr.b.span.text
        helps = (f"write `any({kind} in {source} if {kind}.type is {name})`",)
    return error("RW302", expr.span, f"{in_words(a)} is never in {in_words(b)}", *helps)


def compares_numbers(span: Span, found: Type) -> Diagnostic:
    """``<`` with something that is no number."""
    helps = (f"`count({span.text})` is how many there are",) if isinstance(found, SetT) else ()
    return error("RW305", span, f"a comparison wants numbers, this is {in_words(found)}", *helps)


def no_arithmetic(span: Span, op: str, found: Type) -> Diagnostic:
    """``+`` with something that cannot be added."""
    return error("RW305", span, f"`{op}` wants numbers or sets, this is {in_words(found)}")


def not_a_set(span: Span, found: Type, role: str) -> Diagnostic:
    """Something that cannot be gone through."""
    return error("RW310", span, f"{role}: expected a set, found {in_words(found)}")


def any_of_a_flag(span: Span, kind: str) -> Diagnostic:
    """``any(C)`` of a condition."""
    return error(
        "RW310",
        span,
        f"`{kind}` wants a set, this is a condition",
        f"write the condition alone, or `{kind}(x in S if C)`",
    )


def all_without_condition(span: Span) -> Diagnostic:
    """``all(x in S)`` without anything to be so."""
    return error("RW310", span, "`all` says nothing of them", "write `all(x in S if C)`")


def one_wanted(span: Span, role: str, found: Type) -> Diagnostic:
    """A set where one thing is wanted."""
    return error(
        "RW310",
        span,
        f"{role}: expected one thing, found {in_words(found)}",
        "`for x in S` does it for each of them",
    )


def flag_of_a_set(node: Attribute) -> Diagnostic:
    """A flag or code of each of a set."""
    s, f = node.of.span.text, node.name
    return error(
        "RW310",
        node.name_span,
        f"`{f}` of a set is no value",
        f"write `any(x in {s} if x.{f})`, `all(...)` or `count(...)`",
    )


def lines_in_clause(span: Span) -> Diagnostic:
    """Lines somewhere else than in a clause."""
    return error(
        "RW311",
        span,
        "lines can only be gone through",
        "write `any(line in lines(n) if ...)` or `for line in lines(n)`",
    )


def not_in_a_set(span: Span, found: Type) -> Diagnostic:
    """Something that no set can hold."""
    return error("RW306", span, f"a set cannot hold {in_words(found)}")


def mixed_set(span: Span, kind: Type, found: Type) -> Diagnostic:
    """A set of several kinds."""
    return error(
        "RW306", span, f"{in_words(found)} does not belong in {in_words(kind)}: one kind a set"
    )


def reach_differs(span: Span, found: Type, step: Type) -> Diagnostic:
    """A step of ``reach`` that leads to another kind."""
    return error("RW306", span, f"`reach` from {in_words(found)} leads to {in_words(step)}")


def empty_range(span: Span, low: int, high: int) -> Diagnostic:
    """A range the wrong way round."""
    return error("RW307", span, f"no number is in `{low}..{high}`", f"write `{high}..{low}`")


def out_of_range(span: Span, found: NumberT, declared: NumberT, what: str) -> Diagnostic:
    """A number that is never in the declared range."""
    return error(
        "RW307",
        span,
        f"{range_in_words(found)} is outside the range of {what}, {range_in_words(declared)}",
    )


def range_in_words(found: NumberT) -> str:
    """A range as it is written: ``2..4``, ``3``."""
    if found.low is not None and found.low == found.high:
        return str(found.low)
    low = "" if found.low is None else str(found.low)
    return f"`{low}..{'' if found.high is None else found.high}`"


def always_so(expr: Binary, sure: bool, a: NumberT, b: NumberT) -> Diagnostic:
    """A comparison whose result is known."""
    return warning(
        "RW308",
        expr.span,
        f"this is always {'true' if sure else 'false'}:"
        f" {range_in_words(a)} {expr.op} {range_in_words(b)}",
    )


def needs_itself(span: Span, circle: list[str]) -> Diagnostic:
    """A value that is computed from itself."""
    return error("RW309", span, f"a value that needs itself: {' -> '.join(circle)}")


def branches_differ(expr: Conditional, a: Type, b: Type) -> Diagnostic:
    """``if C then A else B`` of two types."""
    return error(
        "RW313", expr.b.span, f"after `then` stands {in_words(a)}, after `else` {in_words(b)}"
    )


def default_differs(expr: Default, a: Type, b: Type) -> Diagnostic:
    """``(A else B)`` of two types."""
    return error(
        "RW313", expr.b.span, f"before `else` stands {in_words(a)}, after it {in_words(b)}"
    )


def bounds_of_no_number(span: Span, name: str, found: Type) -> Diagnostic:
    """``at least`` of a value that is no number."""
    return error("RW301", span, f"`{name}` has bounds and is {in_words(found)}, not a number")


def function_arity(node: Call, shape: str, wants: int, has: int) -> Diagnostic:
    """A built-in function with another number of arguments."""
    return error("RW311", node.span, f"`{shape}` takes {wants}, this gives {has}")


def not_for(node: Call, found: Type, does: str) -> Diagnostic:
    """A built-in function of a thing for which it has no meaning."""
    return error(
        "RW311",
        node.args[0].span,
        f"there is no `{node.name}` of {in_words(found)}",
        f"`{node.name}` is {does}",
    )


def not_on_this_map(
    node: Call, kind: str, board: str, shape: str, wants: tuple[str, ...]
) -> Diagnostic:
    """A function that this shape of map does not have."""
    return error(
        "RW311",
        node.name_span,
        f"`{board}` is made of {shape}, and there is no `{node.name}` of its {kind}",
        f"`{node.name}` wants a map made of {listed(list(wants))}",
    )


def no_such_map(node: Call, shape: str) -> Diagnostic:
    """A function of a map that the game lacks."""
    return error("RW311", node.name_span, f"`{node.name}` wants a map with `{shape}`")


def needs_a_row(span: Span) -> Diagnostic:
    """A function of a row that is given a set without an order."""
    return error(
        "RW310",
        span,
        "expected a row, found a set without an order",
        "a zone with `order`, `players`, `ahead(x)` and `ray(x, d)` are rows",
        "a name and a value keep a set, not its order: write the row itself here",
    )


def hidden_order(span: Span, which: str, zone: Zone) -> Diagnostic:
    """``first`` of a pile whose order nobody knows."""
    return error(
        "RW312",
        span,
        f"nobody knows the {which} of `{zone.name}`: it is a pile seen by nobody",
        f"`draw 1 from {zone.name} to ...` takes the top one where somebody sees it",
    )
