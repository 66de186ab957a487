"""What all parts of the checker share: the declarations, the facts found so far, the report.

The parts call each other through a context, so that none of them imports the dispatch above it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ruleset.checking.kinds import UNKNOWN, fits, is_unknown, maybe_none, unordered
from ruleset.checking.scope import Binding, Scope
from ruleset.diagnostics.diagnostic import Diagnostic, Report
from ruleset.diagnostics.messages import boards as say_boards
from ruleset.diagnostics.messages import checking as say
from ruleset.diagnostics.messages import names as say_names
from ruleset.source import Span
from ruleset.syntax import Call, Expr
from ruleset.types import Facts, FlagT, ListT, Ref, SetT, ThingT, Type
from ruleset.world import World

Infer = Callable[["Context", Expr, Scope, Type | None], Type]


@dataclass(slots=True)
class Context:
    """One run of the checker."""

    world: World
    facts: Facts
    report: Report
    infer_with: Infer
    path: str = ""
    """The record being checked."""
    under_way: list[str] = field(default_factory=list)
    """Value rules whose type is being found."""
    told_none: set[str] = field(default_factory=set)
    """Value rules of which it was told that they may be none."""
    value_of: Callable[[Context, str], Type] = lambda _context, _name: UNKNOWN

    # ------------------------------------------------------------------ types

    def infer(
        self, expr: Expr, scope: Scope, hint: Type | None = None, *, lists: bool = False
    ) -> Type:
        """The type of an expression; ``hint`` decides what a bare name means."""
        found = self.infer_with(self, expr, scope, hint)
        self.facts.types[expr] = found
        if isinstance(found, ListT) and not lists:
            self.add(say_boards.list_here(expr.span))
            return UNKNOWN
        return found

    def want(self, expr: Expr, scope: Scope, want: Type, role: str, *, maybe: bool = False) -> Type:
        """Check that an expression has a type, not none unless ``maybe``; Unknown where not."""
        found = self.infer(expr, scope, want)
        if is_unknown(found):
            return found
        if isinstance(want, FlagT) and not isinstance(found, FlagT):
            self.add(say.not_a_condition(expr.span, found, role))
            return UNKNOWN
        if not fits(found, want):
            self.add(say.mismatch(expr.span, want, found, role, self._type_of_that(found, want)))
            return UNKNOWN
        if maybe_none(found) and not maybe and not isinstance(want, SetT):
            self.may_be_none(expr, role)
            return UNKNOWN
        return found

    def want_set(
        self,
        expr: Expr,
        scope: Scope,
        role: str,
        hint: Type | None = None,
        *,
        lists: bool = False,
    ) -> Type:
        """Check that an expression is a set, a row, or a thing where a set is wanted."""
        found = self.infer(expr, scope, hint, lists=lists)
        if isinstance(found, FlagT) or kind_is_odd(found):
            self.add(say.not_a_set(expr.span, found, role))
            return UNKNOWN
        return found

    def may_be_none(self, expr: Expr, role: str) -> None:
        """Report a value that may be none; of a value rule once, not at each use."""
        if isinstance(expr, Call):
            self.told_none.add(expr.name)
        self.add(say.may_be_none(expr.span, role))

    def _type_of_that(self, found: Type, want: Type) -> bool:
        return (
            isinstance(found, ThingT)
            and isinstance(want, ThingT)
            and found.kind == f"{want.kind}.type"
        )

    # ------------------------------------------------------------------ names

    def bind(self, scope: Scope, name: str, span: Span, found: Type, *, own: bool = True) -> Scope:
        """A scope with one name more; reports a name that means something already."""
        if not name:  # what stood here did not parse
            return scope
        if name in scope.names:
            self.add(say_names.bound_twice(span, name, scope.names[name].span))
            found = UNKNOWN
        elif own and not self.check_new_name(name, span, found):
            found = UNKNOWN
        return scope.bind(name, Binding(unordered(found), span))

    def check_new_name(self, name: str, span: Span, found: Type) -> bool:
        """Whether a name is new; not where it is declared, or is a word for another kind."""
        world = self.world
        kind = world.word_kind(name)
        if kind is not None:
            here = found.kind if isinstance(found, ThingT | SetT) else ""
            if here != kind and not is_unknown(found) and name != "":
                self.add(say_names.word_of_other_kind(span, name, kind, found))
                return False
            return True
        what = self.declared_as(name)
        if what:
            self.add(say_names.name_taken(span, name, what[0], what[1]))
        return not what

    def declared_as(self, name: str) -> tuple[str, Span | None] | None:
        """What a name is declared as, in words, and where."""
        world = self.world
        tables: list[tuple[str, dict[str, object]]] = [
            ("a zone", dict(world.zones)),
            ("a counter", dict(world.counters)),
            ("a mark", dict(world.marks)),
            ("an option", dict(world.options)),
            ("a table", dict(world.tables)),
            ("a step of the flow", dict(world.steps)),
            ("a value", dict(world.values)),
            ("a rule", dict(world.rules)),
        ]
        for words, table in tables:
            if name in table:
                span = getattr(table[name], "name_span", None)
                return words, span if isinstance(span, Span) else None
        if name in world.sets:
            return "a set of spaces", world.sets[name][1].name_span
        if name in world.spaces:
            return say_names.member_in_words(world.spaces[name]), None
        if name in world.plurals:
            return f"the set of every {world.plurals[name]}", None
        if name in ("game", "box"):
            return "a word with a fixed meaning", None
        return self._declared_member(name)

    def _declared_member(self, name: str) -> tuple[str, Span | None] | None:
        for member in self.world.members.get(name, ()):
            sort = self.world.kinds[member.kind].sort
            if sort not in ("direction", "end", "action"):
                return say_names.member_in_words(member), None
        return None

    # ------------------------------------------------------------------ results

    def add(self, diagnostic: Diagnostic) -> None:
        """Report a fault of the record being checked."""
        self.report.add(replace(diagnostic, within=diagnostic.within or self.path))

    def refer(self, node: object, ref: Ref) -> None:
        """Keep what a name means."""
        self.facts.refs[node] = ref

    def keep_names(self, scope: Scope) -> None:
        """Add the names of a scope to those of the record."""
        kept = self.facts.params.setdefault(self.path, {})
        for name, found in scope.types().items():
            kept.setdefault(name, found)


def kind_is_odd(found: Type) -> bool:
    """Whether a type cannot be gone through: code, or the game itself."""
    return isinstance(found, ThingT | SetT) and found.kind in ("game", "box")
