"""One state stepped from Python at the price of a small C extension.

Takes the module; gives the text of functions with CPython's fast-call signature, and makes Python
functions of their addresses. They keep the interpreter lock, and share one context. Elsewhere than
on CPython with a lock there are none, and the engine calls through ctypes.

    step(state, player, candidate)   the new state, or b"": not allowed, or the rules went wrong
    options(state, player)           the set of candidates; 0 if not asked, or the rules went wrong
    asked(state)                     the first player who is asked, or -1

Arguments are checked for type and size. What the bytes say is believed: a state must come from an
engine or have passed `check_state`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any, Final

from interpreter.ir.layout import FAULT, OVER, PENDING, STATUS, WAITING
from interpreter.native import context
from interpreter.native.module import Module
from interpreter.native.part import Part
from interpreter.native.text import Code

NAMES: Final = ("step", "options", "asked")
SYMBOLS: Final = (
    "PyBytes_AsStringAndSize",
    "PyBytes_FromStringAndSize",
    "PyBytes_AsString",
    "PyLong_AsLong",
    "PyLong_FromLong",
    "PyLong_FromUnsignedLongLong",
    "PyErr_Occurred",
    "PyErr_BadArgument",
    "Py_DecRef",
    "_PyLong_FromByteArray",
)
FASTCALL: Final = 0x80


def available() -> bool:
    """Whether this Python takes such functions."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    small = ctypes.sizeof(ctypes.c_long) == 8 and sys.byteorder == "little"
    return sys.implementation.name == "cpython" and bool(locked) and small


def symbols() -> dict[str, int]:
    """Where CPython's own functions lie."""
    return {
        name: int(ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0)
        for name in SYMBOLS
    }


class _Method(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class FastCalls:
    """The three functions, as Python calls them."""

    step: Callable[[bytes, int, int], bytes]
    options: Callable[[bytes, int], int]
    asked: Callable[[bytes], int]

    def __init__(self, addresses: dict[str, int]) -> None:
        self._methods: list[Any] = []
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        make.restype = ctypes.py_object
        for name in NAMES:
            method = _Method(name.encode(), addresses[f"py_{name}"], FASTCALL, None)
            self._methods.append(method)
            setattr(self, name, make(ctypes.addressof(method), None, None))


def fastcalls_text(module: Module) -> str:
    """The functions, and their context."""
    words = context.size(len(module.depths), module.linked.set_words)
    calls = _Calls(module)
    parts = [calls.state(), calls.number(), calls.step(), calls.options(), calls.asked()]
    lines = [
        f"@context = internal global [{words} x i64] zeroinitializer, align 16",
        "declare i32 @PyBytes_AsStringAndSize(ptr, ptr, ptr)",
        "declare ptr @PyBytes_FromStringAndSize(ptr, i64)",
        "declare ptr @PyBytes_AsString(ptr)",
        "declare i64 @PyLong_AsLong(ptr)",
        "declare ptr @PyLong_FromLong(i64)",
        "declare ptr @PyLong_FromUnsignedLongLong(i64)",
        "declare ptr @PyErr_Occurred()",
        "declare i32 @PyErr_BadArgument()",
        "declare void @Py_DecRef(ptr)",
        "declare ptr @_PyLong_FromByteArray(ptr, i64, i32, i32)",
    ]
    return "\n".join([*lines, *(line for code in parts for line in code.lines)])


class _Calls(Part):
    def state(self) -> Code:
        """The bytes of an argument; null, with an error set, where it is no state."""
        code = self.begin("internal ptr @py_state(ptr %object)")
        code.put("%data = alloca ptr")
        code.put("%size = alloca i64")
        got = code.op("call i32 @PyBytes_AsStringAndSize(ptr %object, ptr %data, ptr %size)")
        code.branch(code.compare("eq", got, "0"), "bytes", "wrong", likely=True)
        code.label("bytes")
        size = code.op("load i64, ptr %size")
        right = code.compare("eq", size, str(self.layout.size), "i64")
        code.branch(right, "good", "bad", likely=True)
        code.label("bad")
        code.op("call i32 @PyErr_BadArgument()")
        code.jump("wrong")
        code.label("wrong")
        code.put("ret ptr null")
        code.label("good")
        code.put(f"ret ptr {code.op('load ptr, ptr %data')}")
        return code.closed()

    def number(self) -> Code:
        """An argument as a number of 32 bits, or -1; -2 with an error set where it is none."""
        code = self.begin("internal i32 @py_number(ptr %object)")
        got = code.op("call i64 @PyLong_AsLong(ptr %object)")
        code.branch(code.compare("eq", got, "-1", "i64"), "odd", "some")
        code.label("odd")
        error = code.op("call ptr @PyErr_Occurred()")
        none = code.compare("eq", error, "null", "ptr")
        code.put(f"ret i32 {code.select(none, '-1', '-2')}")
        code.label("some")
        small = code.compare("ult", got, str(1 << 31), "i64")
        code.put(f"ret i32 {code.select(small, code.resize(got, 64, 32), '-1')}")
        return code.closed()

    def _begin(self, name: str, args: int) -> Code:
        code = self.begin(f"ptr @py_{name}(ptr %self, ptr %args, i64 %many)")
        code.branch(code.compare("eq", "%many", str(args), "i64"), "enough", "amiss", likely=True)
        code.label("amiss")
        code.op("call i32 @PyErr_BadArgument()")
        code.jump("wrong")
        code.label("wrong")
        code.put("ret ptr null")
        code.label("enough")
        first = code.op("load ptr, ptr %args")
        code.put(f"%S = call ptr @py_state(ptr {first})")
        code.branch(code.compare("ne", "%S", "null", "ptr"), "state", "wrong", likely=True)
        code.label("state")
        for k in range(1, args):
            each = code.op(f"load ptr, ptr {code.at(8 * k, '%args')}")
            code.put(f"%n{k} = call i32 @py_number(ptr {each})")
            code.branch(code.compare("ne", f"%n{k}", "-2"), f"ok{k}", "wrong", likely=True)
            code.label(f"ok{k}")
        return code

    def step(self) -> Code:
        """A copy of the state, stepped in place."""
        code = self._begin("step", 3)
        size = self.layout.size
        new = code.op(f"call ptr @PyBytes_FromStringAndSize(ptr null, i64 {size})")
        code.branch(code.compare("ne", new, "null", "ptr"), "room", "wrong", likely=True)
        code.label("room")
        home = code.op(f"call ptr @PyBytes_AsString(ptr {new})")
        code.put(
            f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {home}, ptr align 8 %S, "
            f"i64 {size}, i1 false)"
        )
        status = code.op(f"call i32 @step(ptr {home}, ptr @context, i32 %n1, i32 %n2)")
        waits = code.compare("eq", status, str(WAITING))
        over = code.compare("eq", status, str(OVER))
        code.branch(code.op(f"or i1 {waits}, {over}"), "well", "void", likely=True)
        code.label("well")
        code.put(f"ret ptr {new}")
        code.label("void")
        code.put(f"call void @Py_DecRef(ptr {new})")
        code.put(f"ret ptr {code.op('call ptr @PyBytes_FromStringAndSize(ptr null, i64 0)')}")
        return code.closed()

    def options(self) -> Code:
        """The set as a Python integer."""
        code = self._begin("options", 2)
        code.put(f"%out = alloca {code.sets}")
        status = code.op("call i32 @options(ptr %S, ptr @context, i32 %n1, ptr %out)")
        broken = code.compare("eq", status, str(FAULT))
        found = code.op(f"load {code.sets}, ptr %out, align 8")
        s = code.select(broken, "0", found, code.sets)
        if code.bits == 64:
            code.put(f"ret ptr {code.op(f'call ptr @PyLong_FromUnsignedLongLong(i64 {s})')}")
        else:
            code.put(f"store {code.sets} {s}, ptr %out, align 8")
            size = code.bits // 8
            made = f"call ptr @_PyLong_FromByteArray(ptr %out, i64 {size}, i32 1, i32 0)"
            code.put(f"ret ptr {code.op(made)}")
        return code.closed()

    def asked(self) -> Code:
        """The first of those who have not answered."""
        code = self._begin("asked", 1)
        waits = code.compare("eq", code.header(STATUS), str(WAITING))
        pending = code.load(64, code.at(8 * PENDING))
        first = code.op(f"zext i32 {code.lowest(pending, 64)} to i64")
        got = code.select(waits, first, "-1", "i64")
        code.put(f"ret ptr {code.op(f'call ptr @PyLong_FromLong(i64 {got})')}")
        return code.closed()
