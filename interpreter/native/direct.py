"""Functions of machine code that CPython calls without ceremony: one state stepped from Python.

Takes their addresses; gives Python functions, see `FastCalls`. The code of them is made by
`interpreter.native.fastcalls`. Elsewhere than on CPython with an interpreter lock there are none.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable
from typing import Any, Final

NAMES: Final = ("start", "step", "options", "candidates", "asked", "finish", "winners")
SYMBOLS: Final = (
    "PyBytes_FromStringAndSize",
    "PyErr_Occurred",
    "PyList_New",
    "PyList_SetItem",
    "PyLong_AsLong",
    "PyLong_AsUnsignedLongLongMask",
    "PyLong_FromLong",
    "PyLong_FromUnsignedLongLong",
    "PyObject_CallFunctionObjArgs",
    "PyType_GenericAlloc",
    "Py_DecRef",
    "_PyLong_FromByteArray",
)
FASTCALL: Final = 0x80
HASH: Final = 8
"""Bytes before the content of a bytes object at which CPython keeps its hash."""
CONTENT: Final = bytes.__basicsize__ - 1
"""Where the content of a bytes object begins."""


def available() -> bool:
    """Whether this Python takes such functions."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    small = ctypes.sizeof(ctypes.c_long) == 8 and sys.byteorder == "little"
    known = CONTENT == 32 and all(hasattr(ctypes.pythonapi, name) for name in SYMBOLS)
    return sys.implementation.name == "cpython" and bool(locked) and small and known


def symbols() -> dict[str, int]:
    """Where CPython's own functions lie."""
    return {
        name: int(ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0)
        for name in SYMBOLS
    }


def state_type() -> type[bytes]:
    """A kind of bytes for the states of one machine; only the machine makes any.

    So the type says that the bytes have been looked at, and machine code need not do it again.
    Copies, slices and what is pickled are plain bytes.
    """

    class KnownState(bytes):
        __slots__ = ()

        def __new__(cls, *_: object) -> KnownState:
            raise TypeError("states come from an engine, or from its `admit`")

        def __reduce__(self) -> tuple[type[bytes], tuple[bytes]]:
            return bytes, (bytes(memoryview(self)),)

    return KnownState


class _Method(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class FastCalls:
    """One state stepped at the price of a small C extension.

    ``start(seed)``: the first state. ``step(state, player, candidate)``: the new state, or ``b""``
    where the candidate is not allowed or the rules go wrong. ``options(state, player)``: the
    candidates as a set of bits; 0 where the player is not asked or the rules go wrong.
    ``candidates(state, player)``: the same as a list, smallest first.
    ``finish(state, seed, most)``: the state after random choices to the end, or after ``most``;
    ``b""`` where the rules go wrong. ``winners(state)``: who has won, once the game is over.
    ``asked(state)``: the first player who is asked, or ``first - 1``. Players count from ``first``.

    A state that the engine gave is taken as it is. Other bytes are looked at first, each time,
    which takes long: `admit` does it once. Bytes that are no state are a `ValueError`.
    """

    __slots__ = (
        "_kept",
        "admit",
        "asked",
        "candidates",
        "finish",
        "options",
        "start",
        "step",
        "winners",
    )

    start: Callable[[int], bytes]
    step: Callable[[bytes, int, int], bytes]
    options: Callable[[bytes, int], int]
    candidates: Callable[[bytes, int], list[int]]
    asked: Callable[[bytes], int]
    finish: Callable[[bytes, int, int], bytes]
    winners: Callable[[bytes], list[int]]
    admit: Callable[[bytes], bytes]
    """The same bytes as a state that need not be looked at again."""

    def __init__(
        self,
        addresses: dict[str, int],
        states: type[bytes],
        admit: Callable[[bytes], bytes],
        first: int,
    ) -> None:
        self.admit = admit

        def start(seed: int, /) -> bytes:
            return self.start(seed)

        def step(state: bytes, player: int, candidate: int, /) -> bytes:
            return self.step(admit(state), player, candidate)

        def options(state: bytes, player: int, /) -> int:
            return self.options(admit(state), player)

        def candidates(state: bytes, player: int, /) -> list[int]:
            return self.candidates(admit(state), player)

        def finish(state: bytes, seed: int, most: int, /) -> bytes:
            return self.finish(admit(state), seed, most)

        def winners(state: bytes, /) -> list[int]:
            return self.winners(admit(state))

        def asked(state: bytes, /) -> int:
            return self.asked(admit(state))

        slow: dict[str, Callable[..., Any]] = {
            "start": start,
            "step": step,
            "options": options,
            "candidates": candidates,
            "asked": asked,
            "finish": finish,
            "winners": winners,
        }
        make = ctypes.PYFUNCTYPE(
            ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p
        )(("PyCFunction_NewEx", ctypes.pythonapi))
        self._kept: list[Any] = [states]
        for name in NAMES:
            method = _Method(name.encode(), addresses[f"py_{name}"], FASTCALL, None)
            # what the code is given as ``self``: the type it takes, who else to ask, the first
            given = struct.pack("QQq", id(states), id(slow[name]), first)
            self._kept += [method, slow[name], given]
            setattr(self, name, make(ctypes.addressof(method), given, None))
