"""Values that somebody gives to an option of the table, looked at by the option's type."""

from __future__ import annotations

from ruleset.diagnostics.diagnostic import Diagnostic
from ruleset.diagnostics.messages import rulings as messages
from ruleset.syntax import CodeType, GameFile, NamedType, NumberType, OptionDecl


def option_text(value: object) -> str:
    """A value from Python as it would be written: ``true`` for True."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def value_fault(file: GameFile, option: OptionDecl, value: str) -> Diagnostic | None:
    """What is wrong with a value, or None."""
    match option.type:
        case NumberType(low=low, high=high):
            return (
                None
                if _is_number(value, low, high)
                else messages.option_value(option.name, value, _numbers(low, high))
            )
        case NamedType(name="flag"):
            return _one_of(option, value, ("true", "false"))
        case NamedType(name="player", shape=shape):
            if (shape == "or none" and value == "none") or _is_number(value, 1, file.max_players):
                return None
            return messages.option_value(
                option.name, value, f"the number of a player, {_numbers(1, file.max_players)}"
            )
        case NamedType(name=kind, shape="one" | "or none" as shape):
            members = _members(file, kind)
            if shape == "or none":
                members = (*members, "none")
            return _one_of(option, value, members) if members else None
        case NamedType() | CodeType():
            return None


def _one_of(option: OptionDecl, value: str, members: tuple[str, ...]) -> Diagnostic | None:
    if value in members:
        return None
    return messages.option_value(option.name, value, messages.listed(members, "or"), members)


def _members(file: GameFile, kind: str) -> tuple[str, ...]:
    for enumeration in file.enumerations:
        if enumeration.name == kind:
            return tuple(member.name for member in enumeration.members)
    for board in file.maps:
        if board.kind == kind:
            return tuple(space.name for space in board.spaces)
    return ()


def _is_number(value: str, low: int | None, high: int | None) -> bool:
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        return False
    number = int(value)
    return (low is None or number >= low) and (high is None or number <= high)


def _numbers(low: int | None, high: int | None) -> str:
    match low, high:
        case None, None:
            return "a whole number"
        case int(), None:
            return f"a number from {low}"
        case None, int():
            return f"a number up to {high}"
        case _:
            return f"{low} to {high}"
