"""The text form of a Program, which the reader reads back.

Takes a Program; gives lines. One instruction a line, ``word d operands``: registers are ``%name``,
blocks ``b0``, names of fields and functions stand as they are, and in quotes where they hold more
than letters, digits and ``_ . #``.

    function count (%me) "" @-1 0 (pure)
      types %me i %own s %k i
     b0:
      loadset %own stones %me
      size %k %own
      return %k
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

from interpreter.ir import nodes as n
from interpreter.ir.flow import ROLES, Node

PLAIN: Final = re.compile(r"[A-Za-z_][\w.#]*", re.ASCII)
BLOCKS: Final[dict[type, tuple[str, ...]]] = {
    n.Jump: ("to",),
    n.Branch: ("a", "b"),
    n.Switch: ("to", "other"),
    n.Decide: ("to",),
    n.Gather: ("to",),
    n.Enter: ("to",),
    n.Leave: ("to",),
}
"""The fields of terminators that hold numbers of blocks."""

WORDS: Final[dict[type, str]] = {kind: kind.__name__.lower() for kind in ROLES} | {
    n.CallFn: "call",
    n.StopRule: "stop",
}


def show(program: n.Program) -> str:
    """The whole program as text."""
    return "\n".join(_program(program)) + "\n"


def word(text: str) -> str:
    """A name as it stands in the text form."""
    return text if PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def register(name: str) -> str:
    """A register as it stands in the text form."""
    return "%" + word(name)


def _operand(a: n.Operand) -> str:
    return register(a) if isinstance(a, str) else str(a)


def instruction(node: Node) -> str:
    """One instruction or terminator as text."""
    kind = type(node)
    roles, blocks = ROLES[kind], BLOCKS.get(kind, ())
    out = [WORDS[kind]]
    for f in fields(node):
        value: Any = getattr(node, f.name)
        if f.name in blocks:
            many = value if isinstance(value, tuple) else None
            out.append(f"b{value}" if many is None else _list(f"b{k}" for k in many))
        elif roles.get(f.name) == "args":
            out.append(_list(map(_operand, value)))
        elif f.name in roles:
            out.append(_operand(value))
        elif f.name == "d":
            out.append(register(value))
        elif f.name == "site":
            if value != f.default:
                out.append(f"@{value}")
        else:
            out.append(word(value) if isinstance(value, str) else str(value))
    return " ".join(out)


def _list(items: Iterator[str] | map[str]) -> str:
    return "(" + " ".join(items) + ")"


def _numbers(values: tuple[int, ...]) -> str:
    return "(" + " ".join(map(str, values)) + ")"


def _program(p: n.Program) -> Iterator[str]:
    yield f"program {word(p.name)} {p.players} {word(p.main)} {p.fuel} {p.set_bits}"
    for f in p.fields.values():
        yield (
            f"field {word(f.name)} {f.n} {f.low} {f.high} {_numbers(f.init)} "
            f"{f.absent} {f.seen} {_numbers(f.viewers)}"
        )
    for g in p.set_fields.values():
        yield (
            f"setfield {word(g.name)} {g.n} {g.bits} {_numbers(g.init)} "
            f"{g.seen} {_numbers(g.viewers)}"
        )
    for t in p.tables.values():
        yield f"table {word(t.name)} {t.type} {_numbers(t.rows)} {t.absent}"
    for group in p.groups.values():
        yield (
            f"group {word(group.name)} {group.n} {_numbers(group.start)} "
            f"{_numbers(group.alike)} {_numbers(group.viewers)}"
        )
        for z in group.zones:
            flags = f"{int(z.ordered)} {int(z.keeps_gaps)}"
            yield f"  zone {word(z.name)} {z.index} {flags} {z.capacity} {z.seen} {z.viewer}"
    for plane in p.planes.values():
        yield (
            f"plane {word(plane.name)} {word(plane.group)} {plane.base} {plane.n} "
            f"{_numbers(plane.classes)}"
        )
    for d in p.decisions.values():
        yield f"decision {word(d.name)} {word(d.pending)}"
        for s in d.stages:
            yield f"  stage {word(s.name)} {s.size} {word(s.options)} {word(s.answers)}"
    r = p.result
    if r != n.Result():
        most, least = (_list(map(word, names)) for names in (r.most, r.least))
        yield f"result {int(r.by_stop)} {most} {least} {word(r.solo)}"
    for site in p.sites:
        cites = "(" + " ".join(map(word, site.cites)) + ")"
        yield f"site {word(site.rule)} {word(site.file)} {site.line} {site.column} {cites}"
    for function in p.functions.values():
        yield ""
        yield from _function(function)


def _function(f: n.Function) -> Iterator[str]:
    flags = [flag for flag in ("pure", "begins", "framed", "player_first") if getattr(f, flag)]
    params = _list(map(register, f.params))
    yield " ".join(
        [
            f"function {word(f.name)} {params} {word(f.rule)} @{f.site} {f.depth}",
            "(" + " ".join(flags) + ")",
        ]
    )
    types = "".join(f" {register(name)} {kind}" for name, kind in f.types.items())
    yield f"  types{types}"
    for k, block in enumerate(f.blocks):
        yield f" b{k}:"
        for node in block.code:
            yield "  " + instruction(node)
        if block.end is not None:
            yield "  " + instruction(block.end)
