"""An object file for WebAssembly as a module that runs: no linker is needed.

Takes the object file of one LLVM module and the names to export; gives the module. LLVM has filled
in all addresses and indices as they are when such an object is linked alone at address 0; each of
them is compared here, and what is not understood is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

MAGIC: Final = b"\0asm\1\0\0\0"
CUSTOM, IMPORTS, GLOBALS, EXPORTS, CODE, DATA = 0, 2, 6, 7, 10, 11
FUNCTION, TABLE, MEMORY, GLOBAL = 0, 1, 2, 3
GIVEN: Final = {
    ("env", "memcpy"): FUNCTION,
    ("env", "memset"): FUNCTION,
    ("env", "__linear_memory"): MEMORY,
    ("env", "__stack_pointer"): GLOBAL,
}
"""What whoever runs the module gives it."""
INIT_FUNCTIONS, SYMBOLS = 6, 8
"""Parts of the section `linking`."""
UNDEFINED, NAMED = 0x10, 0x40
"""Flags of a symbol."""
FUNCTION_LEB, ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_32, GLOBAL_LEB = 0, 3, 4, 5, 7
"""The relocations that are understood."""


class NotUnderstood(ValueError):  # noqa: N818 - said where the module is built
    """The object file holds something that this way of linking does not know."""


@dataclass(frozen=True, slots=True)
class WasmModule:
    """A module, and where its data end: from there on the memory is free."""

    code: bytes
    data_end: int


@dataclass(slots=True)
class _Symbol:
    """A function or global by its index, or data by its segment and the place in it."""

    kind: int
    name: str = ""
    index: int = -1
    offset: int = 0


@dataclass(slots=True)
class _Object:
    sections: list[tuple[int, bytes]]
    symbols: list[_Symbol] = field(default_factory=list)
    relocations: list[tuple[int, bytes]] = field(default_factory=list)
    """Number of the section and the entries."""
    segments: list[int] = field(default_factory=list)
    """Where each piece of data begins."""
    data_end: int = 0


class _Reader:
    """A walk through bytes."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    @property
    def more(self) -> bool:
        return self.at < len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """A number without sign, 7 bits in a byte."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self) -> int:
        """The same with a sign."""
        start = self.at
        value = self.number()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> bits - 1 else value

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def bytes(self) -> bytes:
        return self.take(self.number())

    def text(self) -> str:
        return self.bytes().decode()


def number(value: int) -> bytes:
    """A number without sign as the format writes it."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def module_of(data: bytes, exports: Sequence[str]) -> WasmModule:
    """The module that exports these functions. Raises `NotUnderstood`."""
    found = _read(data)
    for section, entries in found.relocations:
        _check(found, section, _Reader(entries))
    indices = {s.name: s.index for s in found.symbols if s.kind == FUNCTION}
    missing = [name for name in exports if name not in indices]
    if missing:
        raise NotUnderstood(f"the object file has no `{missing[0]}`")
    listed = b"".join(
        number(len(name)) + name.encode() + bytes([FUNCTION]) + number(indices[name])
        for name in exports
    )
    body = number(len(exports)) + listed
    out, done = bytearray(MAGIC), False
    for kind, content in found.sections:
        if kind == CUSTOM:
            continue
        if kind > GLOBALS and not done:
            out += bytes([EXPORTS]) + number(len(body)) + body
            done = True
        out += bytes([kind]) + number(len(content)) + content
    return WasmModule(bytes(out), found.data_end)


def _read(data: bytes) -> _Object:
    if data[:8] != MAGIC:
        raise NotUnderstood("this is no object file for WebAssembly")
    reader, found = _Reader(data, 8), _Object([])
    while reader.more:
        kind = reader.byte()
        found.sections.append((kind, reader.bytes()))
    for kind, content in found.sections:
        part = _Reader(content)
        if kind == IMPORTS:
            _imports(part)
        elif kind == EXPORTS:
            raise NotUnderstood("the object file has exports already")
        elif kind == DATA:
            _data(found, part)
        elif kind == CUSTOM:
            name = part.text()
            if name == "linking":
                _linking(found, part)
            elif name in ("reloc.CODE", "reloc.DATA"):
                found.relocations.append((part.number(), part.data[part.at :]))
            elif name.startswith("reloc."):
                raise NotUnderstood(f"the object file has a section `{name}`")
    return found


def _imports(part: _Reader) -> None:
    """Only what the one who runs the module can give."""
    for _ in range(part.number()):
        module, name, kind = part.text(), part.text(), part.byte()
        if GIVEN.get((module, name)) != kind:
            raise NotUnderstood(f"the object file wants `{name}` from outside")
        if kind == FUNCTION:
            part.number()
        elif kind == GLOBAL:
            part.take(2)
        elif part.number():  # a memory that has a limit
            part.number(), part.number()
        else:
            part.number()


def _data(found: _Object, part: _Reader) -> None:
    for _ in range(part.number()):
        if part.number() != 0 or part.byte() != 0x41:  # in memory 0, at a constant
            raise NotUnderstood("data lie at no constant place")
        start = part.signed()
        if part.byte() != 0x0B:
            raise NotUnderstood("data lie at no constant place")
        if start < found.data_end:
            raise NotUnderstood("data lie on other data")
        found.segments.append(start)
        found.data_end = start + len(part.bytes())


def _linking(found: _Object, part: _Reader) -> None:
    version = part.number()
    if version != 2:
        raise NotUnderstood(f"the object file is of version {version}")
    while part.more:
        kind, inner = part.byte(), _Reader(part.bytes())
        if kind == INIT_FUNCTIONS and inner.number():
            raise NotUnderstood("a function wants to run at the start")
        if kind == SYMBOLS:
            found.symbols = [_symbol(inner) for _ in range(inner.number())]


def _symbol(part: _Reader) -> _Symbol:
    kind, flags = part.byte(), part.number()
    symbol = _Symbol(-1)
    if kind in (0, 2, 4, 5):  # function, global, tag, table
        index = part.number()
        name = part.text() if not flags & UNDEFINED or flags & NAMED else ""
        if kind in (0, 2):
            symbol = _Symbol(FUNCTION if kind == 0 else GLOBAL, name, index)
    elif kind == 1:
        symbol = _Symbol(MEMORY, part.text())
        if not flags & UNDEFINED:
            symbol.index, symbol.offset = part.number(), part.number()
            part.number()
    elif kind == 3:  # a section
        part.number()
    else:
        raise NotUnderstood(f"a symbol is of kind {kind}")
    return symbol


def _check(found: _Object, section: int, part: _Reader) -> None:
    """Each place that depends on where things lie holds what it must hold."""
    content = found.sections[section][1]
    for _ in range(part.number()):
        kind, place, symbol = part.byte(), part.number(), found.symbols[part.number()]
        at = _Reader(content, place)
        if kind in (FUNCTION_LEB, GLOBAL_LEB):
            wanted = FUNCTION if kind == FUNCTION_LEB else GLOBAL
            right = symbol.kind == wanted and at.number() == symbol.index
        elif kind in (ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_32):
            addend = part.signed()
            if symbol.kind != MEMORY or symbol.index < 0:
                raise NotUnderstood(f"`{symbol.name}` lies nowhere")
            address = found.segments[symbol.index] + symbol.offset + addend
            if kind == ADDRESS_32:
                written = int.from_bytes(at.take(4), "little")
            else:
                written = at.number() if kind == ADDRESS_LEB else at.signed()
            right = written == address
        else:
            raise NotUnderstood(f"a relocation is of kind {kind}")
        if not right:
            raise NotUnderstood(f"a place that means `{symbol.name}` holds something else")
