"""Times of a start, each in a fresh process: ``python -m benchmarks.startup ENGINE GAME``.

Prints the seconds of processor time until a game can play: all of it, and what making or loading
the machine code took. The cache is where the environment says.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time

from benchmarks.harness import Ratio, spread
from benchmarks.peers import ROOT


def child(engine: str, game: str, cache: str) -> dict[str, float]:
    """The figures of one start."""
    command = [sys.executable, "-m", "benchmarks.startup", engine, game]
    done = subprocess.run(
        command,
        env={**os.environ, "XDG_CACHE_HOME": cache},
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def starts(game: str, times: int) -> dict[str, Ratio]:
    """Figures of starting: ``cold`` is compiling alone, ``warm`` what a start from the cache takes
    more than one of the reference engine, ``all`` the whole of a warm start.
    """
    cold: list[float] = []
    warm: list[float] = []
    whole: list[float] = []
    # without a compiler library there is nothing to tell
    with contextlib.suppress(subprocess.CalledProcessError):
        for _ in range(times):
            with tempfile.TemporaryDirectory() as cache:
                child("reference", game, cache)  # the language's own tables are kept as well
                cold.append(child("native", game, cache)["engine"])
                for _ in range(2):
                    plain = child("reference", game, cache)["total"]
                    fast = child("native", game, cache)["total"]
                    warm.append(fast - plain)
                    whole.append(fast)
    found = {"cold": spread(cold), "warm": spread(warm), "all": spread(whole)}
    return {name: figure for name, figure in found.items() if figure}


def main() -> None:
    """One start."""
    begin = time.process_time()
    from benchmarks.workers.ours import load

    engine, game = sys.argv[1:3]
    made = load(game, "reference")
    ready = time.process_time()
    if engine == "native":
        from interpreter.native.engine import NativeMachine

        NativeMachine(made.compiled.program)
    end = time.process_time()
    print(json.dumps({"total": end - begin, "engine": end - ready}))


if __name__ == "__main__":
    main()
