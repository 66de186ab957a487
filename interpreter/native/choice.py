"""Which engine takes the steps: machine code where it is wanted and there is some.

Takes a program; gives a machine. Without llvmlite, or for a program that machine code refuses, the
reference engine does it all, and a warning says so once.
"""

from __future__ import annotations

import warnings

from interpreter.ir.nodes import Program
from interpreter.native.compiler import NativeMissing
from interpreter.native.engine import NativeMachine, TooDeep

_said: set[str] = set()


def native_machine(program: Program) -> NativeMachine | None:
    """The native engine for a program; none (and one warning) where there cannot be one."""
    try:
        return NativeMachine(program)
    except (NativeMissing, TooDeep) as error:
        if str(error) not in _said:
            _said.add(str(error))
            warnings.warn(f"{error}; the reference engine plays", RuntimeWarning, stacklevel=3)
        return None
