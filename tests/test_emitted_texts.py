"""The emitter writes the same text for the same program, in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import test_machine

from interpreter.runtime.machine import Machine

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)

from native_lockstep import both

HERE = Path(__file__).parent


def test_the_text_is_the_same_in_each_process() -> None:
    """Sets of names come in another order in each process; no program is emitted otherwise."""
    found = []
    for seed in ("0", "1"):
        ran = subprocess.run(
            [sys.executable, "emitted_texts.py"],
            cwd=HERE,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.append(ran.stdout.splitlines())
    assert len(found[0]) > 40
    assert found[0] == found[1]


def test_a_round_may_ask_what_is_under_way() -> None:
    """A loop whose rule asks for a frame with any arguments, or with some, is left as it is."""
    made = test_machine.program("""
        function fits (%x) "" @-1 0 (pure)
          types %x i %w i %v i
         b0:
          within %w outer ()
          within %v outer (%x)
          bin %w sub %w %v
          return %w
        function outer (%k) "" @0 0 (framed)
          types %k i %left s %x i %c i %s s %n i %u i
         b0:
          copy %left 63
          copy %s 0
          jump b1
         b1:
          first %x %left
          bin %c lt %x 0
          branch %c b4 b2
         b2:
          without %left %left %x
          call %c fits (%x) fits
          branch %c b3 b1
         b3:
          with %s %s %x
          jump b1
         b4:
          size %n %s
          call %u log (%n) log
          without %s %s 1
          first %n %s
          call %u log (%n) log
          return 0
        function main () "" @0 0 ()
          types %u i
         b0:
          call %u outer (0) one
          call %u outer (9) two
          return 0
    """)
    for machine in both(made):
        assert isinstance(machine, Machine)
        assert test_machine.log(machine, machine.start(0).state) == [5, 2, 6, 0]
