"""What the reference says that happens, one sentence a case, in the files ``*.yaml`` beside this.

A case: ``says`` (the sentence), ``do`` (what the only step does), ``rules``, ``players``,
``answers``, ``box`` (sections of the game instead of those of `small_world`, or ``more_NAME``),
``checks``. Expected: ``trace``, ``then`` (conditions), ``fault`` and ``line``, ``asked``,
``options``, ``refused``, ``over``, ``winners``, ``ended``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from small_world import asked, get, options, play, trace

from interpreter import GameError, IllegalOption, State

HERE = Path(__file__).parent
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['says']}")
    for path in sorted(HERE.glob("*.yaml"))
    for case in yaml.safe_load(path.read_text(encoding="utf-8"))
]


def played(case: dict[str, Any]) -> State:
    """The state after the answers of a case."""
    return play(
        case.get("do", ""),
        *map(str, case.get("answers", ())),
        rules=case.get("rules", ""),
        players=case.get("players", 2),
        seed=case.get("seed", 1),
        settings=tuple((k, str(v)) for k, v in case.get("settings", {}).items()),
        checks=case.get("checks", False),
        **case.get("box", {}),
    )


@pytest.mark.parametrize("case", CASES)
def test_semantics(case: dict[str, Any]) -> None:
    """The engine does what the sentence says."""
    if "fault" in case:
        with pytest.raises(GameError, match=case["fault"]) as caught:
            played(case)
        if "line" in case:
            assert case["line"] in caught.value.diagnostic.span.source.line(  # type: ignore[attr-defined]  # a RulesFault
                caught.value.diagnostic.span.line  # type: ignore[attr-defined]
            )
        return
    state = played(case)
    if "trace" in case:
        assert trace(state) == case["trace"]
    for condition in case.get("then", ()):
        assert get(state, condition) is True, condition
    if "asked" in case:
        assert [f"{player}: {path}" for player, path in asked(state)] == case["asked"]
    if "options" in case:
        assert options(state) == case["options"]
    if "refused" in case:
        with pytest.raises(IllegalOption, match=case.get("because", "")):
            state.apply(case["refused"])
    assert state.over is case.get("over", "asked" not in case and "options" not in case)
    if state.result is not None:
        if "winners" in case:
            assert list(state.result.winners) == case["winners"]
        if "ended" in case:
            assert state.result.ended == case["ended"]
