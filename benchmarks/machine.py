"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path


def description() -> dict[str, str]:
    """Words about the machine and the programs; nothing that names its place or owner."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "load": f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "C": _first_line(["gcc", "--version"]),
        "llvmlite": _version("llvmlite"),
        "numpy": _version("numpy"),
    }


def busy() -> bool:
    """Whether so much else runs that figures will spread, and two threads have no core each."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > 0.5


def _processor() -> str:
    """The name that the system gives, and which model of its maker."""
    facts = Path("/proc/cpuinfo")
    if not facts.exists():
        return platform.processor()
    lines = (line.partition(":") for line in facts.read_text("utf-8").splitlines())
    found = {key.strip(): value.strip() for key, _, value in lines}
    return f"{found.get('model name', '')}, model {found.get('model', '?')}"


def _first_line(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "none"
    return done.stdout.partition("\n")[0]


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "none"
