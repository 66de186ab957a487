"""The names that are bound at one place of a rule. Scopes are values: binding gives a new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ruleset.checking.kinds import certain
from ruleset.source import Span
from ruleset.types import Type


@dataclass(frozen=True, slots=True)
class Binding:
    """A bound name: its type, where it was bound, and whether its type was declared."""

    type: Type
    span: Span | None = None
    declared: bool = True


@dataclass(frozen=True, slots=True)
class Scope:
    """Bound names, and what surrounds them."""

    names: Mapping[str, Binding] = field(default_factory=dict)
    replacing: bool = False
    """Whether ``do base`` has a meaning here."""

    broken: bool = False
    """Whether a name that is missing here may be missing because of a fault told already."""

    def bind(self, name: str, binding: Binding) -> Scope:
        """This scope and one name more."""
        return Scope({**self.names, name: binding}, self.replacing, self.broken)

    def knowing(self, names: Iterable[str]) -> Scope:
        """This scope where these names are known not to be none."""
        known = {
            name: replace(self.names[name], type=certain(self.names[name].type))
            for name in names
            if name in self.names
        }
        return replace(self, names={**self.names, **known}) if known else self

    def types(self) -> dict[str, Type]:
        """The types by name."""
        return {name: binding.type for name, binding in self.names.items()}
