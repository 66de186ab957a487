"""Environments of the peers, one each: they need different builds of the same libraries.

``python -m benchmarks.peers`` makes what is missing, with the versions that ``peers/NAME.txt``
pins. One that cannot be made leaves its reason behind, and its rows say so.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
HOME: Final = ROOT / "build" / "peers"
NAMES: Final = ("openspiel", "pettingzoo", "rlc", "pgx", "ludax")


def python_of(name: str) -> Path:
    """The Python of an environment, whether it exists or not."""
    return HOME / name / "bin" / "python"


def reason(name: str) -> str:
    """Why an environment cannot be used; empty where it can."""
    if python_of(name).exists() and _stamp(name).exists():
        return ""
    failed = HOME / f"{name}.failed"
    told = failed.read_text("utf-8").strip() if failed.exists() else ""
    return told or "not set up: `make bench` does"


def set_up(name: str) -> None:
    """Make an environment, unless it is there with the same pins."""
    stamp, failed = _stamp(name), HOME / f"{name}.failed"
    if stamp.exists():
        return
    HOME.mkdir(parents=True, exist_ok=True)
    pins = HERE / "peers" / f"{name}.txt"
    python = str(python_of(name))
    steps = (
        [sys.executable, "-m", "venv", "--clear", str(HOME / name)],
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(pins)],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines()
            why = next((line for line in reversed(lines) if line.startswith("ERROR")), "")
            failed.write_text(f"cannot be installed: {why or lines[-1:]}\n", "utf-8")
            return
    failed.unlink(missing_ok=True)
    stamp.write_text("", "utf-8")


def _stamp(name: str) -> Path:
    """A file that is there when the environment has been made with these very pins."""
    pins = (HERE / "peers" / f"{name}.txt").read_bytes()
    return HOME / name / f"ready-{hashlib.sha256(pins).hexdigest()[:16]}"


def main() -> None:
    """Make all of them."""
    for name in NAMES:
        set_up(name)
        print(f"{name}: {reason(name) or 'ready'}")


if __name__ == "__main__":
    main()
