"""The machine code behind `interpreter.native.direct`: functions of CPython's fast-call signature.

Takes the module; gives text. They keep the interpreter lock and share one context.

The first argument of each is a bytes object that holds an address of a type, the address of a
Python function, and the number of the first player. A state of another type than this one, or a
wrong number of arguments, is left to the Python function, which looks at it or says what is wrong.
"""

from __future__ import annotations

from typing import Final

from interpreter.ir.layout import FAULT, OVER, PENDING, STATUS, WAITING
from interpreter.native import context
from interpreter.native.direct import CONTENT, HASH
from interpreter.native.module import Module
from interpreter.native.part import Part
from interpreter.native.text import Code

TYPE: Final = 8
"""Where an object says its type."""


def fastcalls_text(module: Module) -> str:
    """The functions, and their context."""
    words = context.size(len(module.depths), module.linked.set_words)
    calls = _Calls(module)
    parts = [
        calls.number(),
        calls.start(),
        calls.step(),
        calls.options(),
        calls.candidates(),
        calls.asked(),
        calls.finish(),
        calls.winners(),
    ]
    lines = [
        f"@context = internal global [{words} x i64] zeroinitializer, align 16",
        "declare ptr @PyBytes_FromStringAndSize(ptr, i64)",
        "declare ptr @PyErr_Occurred()",
        "declare i64 @PyLong_AsLong(ptr)",
        "declare i64 @PyLong_AsUnsignedLongLongMask(ptr)",
        "declare ptr @PyLong_FromLong(i64)",
        "declare ptr @PyLong_FromUnsignedLongLong(i64)",
        "declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)",
        "declare ptr @PyType_GenericAlloc(ptr, i64)",
        "declare ptr @PyList_New(i64)",
        "declare i32 @PyList_SetItem(ptr, i64, ptr)",
        "declare void @Py_DecRef(ptr)",
        "declare ptr @_PyLong_FromByteArray(ptr, i64, i32, i32)",
    ]
    return "\n".join([*lines, *(line for code in parts for line in code.lines)])


class _Calls(Part):
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

    def _head(self, name: str, args: int) -> Code:
        """The head: the number of arguments is right, or else the Python function says so."""
        code = self.begin(f"ptr @py_{name}(ptr %self, ptr %args, i64 %many)")
        code.put(f"%type = load ptr, ptr {code.at(CONTENT, '%self')}")
        code.branch(code.compare("eq", "%many", str(args), "i64"), "enough", "amiss", likely=True)
        code.label("amiss")
        slow = code.op(f"load ptr, ptr {code.at(CONTENT + 8, '%self')}")
        nothing = f"call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr {slow}, ptr null)"
        code.put(f"ret ptr {code.op(nothing)}")
        code.label("wrong")
        code.put("ret ptr null")
        code.label("enough")
        return code

    def _begin(self, name: str, args: int) -> Code:
        """The same; ``%S`` is the state; ``%n1`` the player, from 0; ``%n2`` the candidate."""
        code = self._head(name, args)
        self._state(code, args)
        for k in range(1, args):
            each = code.op(f"load ptr, ptr {code.at(8 * k, '%args')}")
            code.put(f"%g{k} = call i32 @py_number(ptr {each})")
            code.branch(code.compare("ne", f"%g{k}", "-2"), f"ok{k}", "wrong", likely=True)
            code.label(f"ok{k}")
            from_ = code.resize("%first", 64, 32) if k == 1 else "0"
            code.put(f"%n{k} = sub i32 %g{k}, {from_}")
        return code

    def _state(self, code: Code, args: int) -> None:
        """``%S`` is the state, ``%first`` the number of the first player; a state of another type
        is left to the Python function."""
        first = code.op("load ptr, ptr %args")
        found = code.op(f"load ptr, ptr {code.at(TYPE, first)}")
        code.branch(code.compare("eq", found, "%type", "ptr"), "state", "other", likely=True)
        code.label("other")
        slow = code.op(f"load ptr, ptr {code.at(CONTENT + 8, '%self')}")
        given = [code.op(f"load ptr, ptr {code.at(8 * k, '%args')}") for k in range(args)]
        every = ", ".join(f"ptr {each}" for each in (slow, *given, "null"))
        asked = f"call ptr (ptr, ...) @PyObject_CallFunctionObjArgs({every})"
        code.put(f"ret ptr {code.op(asked)}")
        code.label("state")
        code.put(f"%S = getelementptr i8, ptr {first}, i64 {CONTENT}")
        code.put(f"%first = load i64, ptr {code.at(CONTENT + 16, '%self')}")

    def _room(self, code: Code) -> tuple[str, str]:
        """A new object for a state, and where its content lies."""
        new = code.op(f"call ptr @PyType_GenericAlloc(ptr %type, i64 {self.layout.size})")
        code.branch(code.compare("ne", new, "null", "ptr"), "room", "wrong", likely=True)
        code.label("room")
        code.put(f"store i64 -1, ptr {code.at(CONTENT - HASH, new)}")
        return new, code.at(CONTENT, new)

    def _copied(self, code: Code) -> tuple[str, str]:
        """A new object with the same state."""
        new, home = self._room(code)
        code.put(
            f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {home}, ptr align 8 %S, "
            f"i64 {self.layout.size}, i1 false)"
        )
        return new, home

    def _end(self, code: Code, status: str, new: str) -> Code:
        """The new state, or nothing where the step has come to nothing."""
        waits = code.compare("eq", status, str(WAITING))
        over = code.compare("eq", status, str(OVER))
        code.branch(code.op(f"or i1 {waits}, {over}"), "well", "void", likely=True)
        code.label("well")
        code.put(f"ret ptr {new}")
        code.label("void")
        code.put(f"call void @Py_DecRef(ptr {new})")
        code.put(f"ret ptr {code.op('call ptr @PyBytes_FromStringAndSize(ptr null, i64 0)')}")
        return code.closed()

    def start(self) -> Code:
        """The first state."""
        code = self._head("start", 1)
        object_ = code.op("load ptr, ptr %args")
        seed = code.op(f"call i64 @PyLong_AsUnsignedLongLongMask(ptr {object_})")
        code.branch(code.compare("eq", seed, "-1", "i64"), "odd", "good")
        code.label("odd")
        error = code.op("call ptr @PyErr_Occurred()")
        code.branch(code.compare("eq", error, "null", "ptr"), "good", "wrong")
        code.label("good")
        new, home = self._room(code)
        status = code.op(f"call i32 @start(ptr {home}, ptr @context, i64 {seed})")
        return self._end(code, status, new)

    def step(self) -> Code:
        """A copy of the state, stepped in place."""
        code = self._begin("step", 3)
        new, home = self._copied(code)
        status = code.op(f"call i32 @step(ptr {home}, ptr @context, i32 %n1, i32 %n2)")
        return self._end(code, status, new)

    def _allowed(self, code: Code) -> str:
        """The candidates of the player, none where the rules go wrong; also behind ``%out``."""
        code.put(f"%out = alloca {code.sets}")
        status = code.op("call i32 @options(ptr %S, ptr @context, i32 %n1, ptr %out)")
        broken = code.compare("eq", status, str(FAULT))
        found = code.op(f"load {code.sets}, ptr %out, align 8")
        return code.select(broken, "0", found, code.sets)

    def candidates(self) -> Code:
        """The members of the set as a list."""
        code = self._begin("candidates", 2)
        self._list(code, self._allowed(code), code.bits, "0")
        return code.closed()

    def winners(self) -> Code:
        """The winners as a list."""
        code = self._begin("winners", 1)
        code.put("call void @reset(ptr @context)")
        over = code.compare("eq", code.header(STATUS), str(OVER))
        found = code.op("call i64 @winners(ptr %S, ptr @context)")
        first = code.resize("%first", 64, 32)
        self._list(code, code.select(over, found, "0", "i64"), 64, first)
        return code.closed()

    def _list(self, code: Code, s: str, bits: int, first: str) -> None:
        """Answer the members of a set, counted from a number on."""
        size = code.resize(code.count(s, bits), 32, 64)
        new = code.op(f"call ptr @PyList_New(i64 {size})")
        code.put("%next = alloca i64")
        code.put("store i64 0, ptr %next")
        code.branch(code.compare("ne", new, "null", "ptr"), "list", "wrong", likely=True)
        code.label("list")
        with code.members(s, bits) as m:
            number = code.resize(code.op(f"add i32 {m}, {first}"), 32, 64)
            item = code.op(f"call ptr @PyLong_FromLong(i64 {number})")
            well, bad = code.name("well"), code.name("bad")
            code.branch(code.compare("ne", item, "null", "ptr"), well, bad, likely=True)
            code.label(bad)
            code.put(f"call void @Py_DecRef(ptr {new})")
            code.put("ret ptr null")
            code.label(well)
            k = code.op("load i64, ptr %next")
            code.op(f"call i32 @PyList_SetItem(ptr {new}, i64 {k}, ptr {item})")
            code.put(f"store i64 {code.op(f'add i64 {k}, 1')}, ptr %next")
        code.put(f"ret ptr {new}")

    def options(self) -> Code:
        """The set as a Python integer."""
        code = self._begin("options", 2)
        s = self._allowed(code)
        if code.bits == 64:
            code.put(f"ret ptr {code.op(f'call ptr @PyLong_FromUnsignedLongLong(i64 {s})')}")
        else:
            code.put(f"store {code.sets} {s}, ptr %out, align 8")
            size = code.bits // 8
            made = f"call ptr @_PyLong_FromByteArray(ptr %out, i64 {size}, i32 1, i32 0)"
            code.put(f"ret ptr {code.op(made)}")
        return code.closed()

    def finish(self) -> Code:
        """A copy of the state, played on at random."""
        code = self._head("finish", 3)
        self._state(code, 3)
        numbers = []
        for k in (1, 2):
            object_ = code.op(f"load ptr, ptr {code.at(8 * k, '%args')}")
            number = code.op(f"call i64 @PyLong_AsUnsignedLongLongMask(ptr {object_})")
            odd, good = code.name("odd"), code.name("good")
            code.branch(code.compare("eq", number, "-1", "i64"), odd, good)
            code.label(odd)
            error = code.op("call ptr @PyErr_Occurred()")
            code.branch(code.compare("eq", error, "null", "ptr"), good, "wrong")
            code.label(good)
            numbers.append(number)
        new, home = self._copied(code)
        given = f"i64 {numbers[0]}, i64 {numbers[1]}"
        status = code.op(f"call i32 @finish(ptr {home}, ptr @context, {given})")
        return self._end(code, status, new)

    def asked(self) -> Code:
        """The first of those who have not answered."""
        code = self._begin("asked", 1)
        waits = code.compare("eq", code.header(STATUS), str(WAITING))
        pending = code.load(64, code.at(8 * PENDING))
        first = code.op(f"zext i32 {code.lowest(pending, 64)} to i64")
        got = code.op(f"add i64 %first, {code.select(waits, first, '-1', 'i64')}")
        code.put(f"ret ptr {code.op(f'call ptr @PyLong_FromLong(i64 {got})')}")
        return code.closed()
