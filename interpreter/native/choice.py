"""Which engine takes the steps: machine code where it is wanted and there is some.

Takes a program; gives a machine, at once or when it is ready. Without llvmlite, or for a program
that machine code refuses, the reference engine does it all, and a warning says so once.

A program is compiled in a process of its own, so that play goes on meanwhile at full speed; it is
ended with this one. Where there can be no such process, a thread does it.
"""

from __future__ import annotations

import atexit
import pickle
import sys
import threading
import warnings
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from interpreter.ir.linker import Linked
from interpreter.ir.nodes import Program
from interpreter.native.cache import digest
from interpreter.native.compiler import NativeMissing
from interpreter.native.engine import NativeMachine
from interpreter.native.recipe import Recipe, TooDeep

if TYPE_CHECKING:
    import subprocess

_said: set[str] = set()
_children: weakref.WeakSet[subprocess.Popen[bytes]] = weakref.WeakSet()
_threads: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
DIGEST: Final = len(digest(b""))
CHILD: Final = """import sys; sys.path[:] = {path!r}
from interpreter.native.apart import main; main()"""


def native_machine(program: Program, linked: Linked | None = None) -> NativeMachine | None:
    """The native engine for a program; none (and one warning) where there cannot be one."""
    try:
        return NativeMachine(Recipe(program, None, linked))
    except (NativeMissing, TooDeep) as error:
        _warn(str(error))
        return None


def _warn(text: str) -> None:
    if text not in _said:
        _said.add(text)
        warnings.warn(f"{text}; the reference engine plays", RuntimeWarning, stacklevel=4)


class Coming:
    """Machine code that is on its way. ``machine`` is none until it is `ready`, or for ever.

    Code that is on disk is there at once. Else nothing is compiled before `begin`.
    """

    def __init__(self, program: Program, linked: Linked | None = None) -> None:
        self.machine: NativeMachine | None = None
        self.failed = False
        """Whether there will never be any."""
        self._code: bytes | None = None
        self._reason = ""
        self._worker: threading.Thread | None = None
        try:
            self._recipe = Recipe(program, None, linked)
            code = self._recipe.found()
            if code is not None:
                self._load(code)
        except (NativeMissing, TooDeep) as error:
            self._fail(str(error))

    def begin(self) -> None:
        """Compile, if nobody does yet."""
        if self._worker is None and self.machine is None and not self.failed:
            self._worker = threading.Thread(target=self._work, daemon=True)
            self._worker.start()

    def ready(self) -> NativeMachine | None:
        """The machine, if it is there now; never waits."""
        worker = self._worker
        if worker is not None and not worker.is_alive():
            self.wait()
        return self.machine

    def wait(self) -> NativeMachine | None:
        """The machine, when it is there; none where there cannot be one."""
        self.begin()
        worker, self._worker = self._worker, None
        if worker is not None:
            try:
                worker.join()
            except BaseException:  # an interrupt: it goes on all the same
                self._worker = worker
                raise
            if self._code is not None:
                self._load(self._code)
            else:
                self._fail(f"no machine code could be made ({self._reason})")
        return self.machine

    def _load(self, code: bytes) -> None:
        try:
            self.machine = NativeMachine(self._recipe, code=code)
        except NativeMissing as error:
            self._fail(str(error))

    def _fail(self, text: str) -> None:
        self.failed = True
        _warn(text)

    def _work(self) -> None:
        self._code = self._from_child()
        if self._code is None:
            _threads.add(threading.current_thread())
            try:
                self._code = self._recipe.make()
            except Exception as error:
                self._reason = f"{type(error).__name__}: {error}"

    def _from_child(self) -> bytes | None:
        """What a child has made, if its digest is right."""
        import subprocess  # not for those who find the code

        given = pickle.dumps((self._recipe.program, self._recipe.level))
        try:
            child = subprocess.Popen(
                [sys.executable, "-c", CHILD.format(path=sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # an interrupt is not for it
            )
            _children.add(child)
            out, _ = child.communicate(given)
        except (OSError, ValueError):
            return None
        code = out[DIGEST:]
        return code if code and out[:DIGEST] == digest(code) else None


@atexit.register
def _end() -> None:
    """End the children; wait for threads: none may be in the compiler when all is torn down."""
    for child in list(_children):
        with suppress(OSError):
            child.kill()
    for thread in list(_threads):
        thread.join()
