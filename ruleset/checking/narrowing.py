"""Which names are known not to be none where a condition holds, or where it does not.

Only names: a name never changes, so a test on it stays true. A test on a path does not.
"""

from __future__ import annotations

from ruleset.syntax import Binary, Expr, Name, Nothing, Test, Unary


def known_if(condition: Expr, truth: bool) -> frozenset[str]:
    """The names that are not none if the condition is ``truth``."""
    match condition:
        case Unary(op="not", a=a):
            return known_if(a, not truth)
        case Binary(op="and" | "or" as op, a=a, b=b):
            both = known_if(a, truth), known_if(b, truth)
            return both[0] | both[1] if (op == "and") == truth else both[0] & both[1]
        case Binary(op="is" | "is not" as op, a=Name(name=name), b=Nothing()):
            return frozenset({name}) if (op == "is not") == truth else frozenset()
        case Binary(op="is" | "is not" as op, a=Nothing(), b=Name(name=name)):
            return frozenset({name}) if (op == "is not") == truth else frozenset()
        case Test(kind="any", source=Name(name=name)) if truth:
            return frozenset({name})
        case _:
            return frozenset()
