"""Ranges of numbers: what is known of a result from what is known of its parts."""

from __future__ import annotations

from ruleset.syntax import BinaryOp
from ruleset.types import NumberT


def negated(a: NumberT) -> NumberT:
    """The range of ``-a``."""
    return NumberT(
        None if a.high is None else -a.high,
        None if a.low is None else -a.low,
    )


def combined(op: BinaryOp, a: NumberT, b: NumberT) -> NumberT:
    """The range of ``a op b`` for ``+ - * / %``."""
    match op:
        case "+":
            return NumberT(_plus(a.low, b.low), _plus(a.high, b.high))
        case "-":
            return combined("+", a, negated(b))
        case "*":
            return _product(a, b)
        case "%" if b.low is not None and b.low > 0:
            return NumberT(0, None if b.high is None else b.high - 1)
        case "/" if a.low is not None and a.low >= 0 and b.low is not None and b.low > 0:
            return NumberT(0, a.high)
        case _:
            return NumberT()


def least(items: list[NumberT]) -> NumberT:
    """The range of ``min(...)``."""
    return negated(greatest([negated(item) for item in items]))


def greatest(items: list[NumberT]) -> NumberT:
    """The range of ``max(...)``."""
    lows = [item.low for item in items if item.low is not None]
    highs = [item.high for item in items]
    high = None if None in highs else max((h for h in highs if h is not None), default=None)
    return NumberT(max(lows, default=None), high)


def apart(a: NumberT, b: NumberT) -> bool:
    """Whether no number is in both ranges."""
    return _below(a, b) or _below(b, a)


def always(op: BinaryOp, a: NumberT, b: NumberT) -> bool | None:
    """Whether a comparison is always true, or always false; None where that depends."""
    match op:
        case "<":
            return True if _below(a, b) else False if _not_above(b, a) else None
        case ">":
            return always("<", b, a)
        case "<=":
            return True if _not_above(a, b) else False if _below(b, a) else None
        case ">=":
            return always("<=", b, a)
        case "is":
            return False if apart(a, b) else None
        case "is not":
            return True if apart(a, b) else None
        case _:
            return None


def _below(a: NumberT, b: NumberT) -> bool:
    return a.high is not None and b.low is not None and a.high < b.low


def _not_above(a: NumberT, b: NumberT) -> bool:
    return a.high is not None and b.low is not None and a.high <= b.low


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _product(a: NumberT, b: NumberT) -> NumberT:
    if a.low is None or b.low is None or a.low < 0 or b.low < 0:
        return NumberT()
    high = None if a.high is None or b.high is None else a.high * b.high
    return NumberT(a.low * b.low, high)
