"""``schema.json`` as data, and the validators made of it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

What: TypeAlias = Literal["game", "variant", "rulings", "statements", "scenario"]
"""The kinds of file; each is a definition in the schema."""


@cache
def schema() -> dict[str, Any]:
    """The schema as published."""
    text = files("ruleset").joinpath("schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def validator(what: What) -> Any:
    """The validator of one kind of file."""
    from jsonschema import Draft202012Validator  # takes 60 ms to import

    return Draft202012Validator(_resolved(schema()["$defs"][what], {}))


def _resolved(part: Any, done: dict[str, Any]) -> Any:
    """The schema with each reference put in: looking them up takes most of a validation's time."""
    match part:
        case {"$ref": str(ref)}:
            name = ref.removeprefix("#/$defs/")
            if name not in done:
                done[name] = _resolved(schema()["$defs"][name], done)
            return done[name]
        case dict():
            return {key: _resolved(value, done) for key, value in part.items()}
        case list():
            return [_resolved(value, done) for value in part]
        case _:
            return part


@cache
def keys_of_forms() -> frozenset[str]:
    """Every key that some form of rule has."""
    definitions = schema()["$defs"]
    names = ("value", "modifier", "forbid", "substitute", "rule")
    return frozenset(key for name in names for key in definitions[name]["properties"])
