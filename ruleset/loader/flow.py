"""Steps of the flow, the result and the invariants."""

from __future__ import annotations

from typing import Literal

from ruleset.document import Entry, Mapping, Node
from ruleset.loader.reading import Reader, get, head, ident, idents, text
from ruleset.source import Span
from ruleset.syntax import Ident, Invariant, Name, Result, Step

StepKind = Literal["", "set-up", "round", "phase", "turn", "scoring"]


def step(reader: Reader, entry: Entry, path: str) -> Step | None:
    """One step of the flow."""
    body = entry.value
    if not isinstance(body, Mapping):
        return None
    each, together = reader.order(body.get("each")), reader.order(body.get("together"))
    # without its order a step has no names: what it does would only seem wrong
    nameless = (each or together) is None and (body.get("each") or body.get("together")) is not None
    do = reader.block(body.get("do"))
    return Step(
        **head(entry, f"{path}.{entry.key.text}"),
        kind=_kind(text(body.get("kind"))),
        steps=idents(body.get("steps")),
        repeat=ident(body.get("repeat")),
        times=reader.maybe(body.get("times")),
        until=reader.maybe(body.get("until")),
        counts=reader.maybe(body.get("counts")),
        each=each,
        together=together,
        live=text(body.get("order")) == "live",
        conditions=reader.conditions(body.get("if")),
        do=() if nameless else do,
    )


def _kind(written: str) -> StepKind:
    match written:
        case "set-up" | "round" | "phase" | "turn" | "scoring":
            return written
        case _:
            return ""


def result(reader: Reader, entry: Entry | None, place: Span) -> Result:
    """How the game is decided; without a word about it, by ``stop game``."""
    if entry is None:
        return Result(
            span=place,
            name="result",
            name_span=place,
            path="result",
            by_stop=True,
            most=(),
            least=(),
            shared=False,
            solo=None,
        )
    body = entry.value
    most, least = idents(get(body, "most")), idents(get(body, "least"))
    return Result(
        **head(entry, "result"),
        by_stop=get(body, "by") is not None or not (most or least),
        most=most,
        least=least,
        shared=text(get(body, "tie")) == "shared",
        solo=reader.maybe(get(get(body, "solo"), "needs")),
    )


def invariant(reader: Reader, entry: Entry, path: str) -> Invariant:
    """What always holds."""
    body = entry.value
    moment, at = _moment(reader, get(body, "checked"))
    holds = get(body, "holds")
    return Invariant(
        **head(entry, f"{path}.{entry.key.text}"),
        holds=Name(body.span, "") if holds is None else reader.expr(holds),
        moment=moment,
        step=at,
    )


def _moment(
    reader: Reader, node: Node | None
) -> tuple[Literal["", "before", "after"], Ident | None]:
    hook = None if node is None else reader.hook(node)
    if hook is None or hook.when == "instead of":
        return "", None
    return hook.when, Ident(hook.name_span, hook.name)
