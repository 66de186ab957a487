"""A machine of Hypothesis plays every game on both engines at once, in any way that is possible.

Steps, refusals, copies, loads from bytes, given chance and answers in another order are mixed; a
failure comes back as the shortest such play. ``RULEWRIGHT_SOAK`` is how many plays are tried.
"""

from __future__ import annotations

import os
import random
from functools import cache

import pytest
from documents import ROOT
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed: pip install 'rulewright[native]'"
)

from native_lockstep import masks_agree, options

from interpreter import Game, GameError, RulesFault, State
from interpreter.ir.bitsets import members_of
from interpreter.lowering import lower
from interpreter.native.engine import NativeMachine
from interpreter.runtime.machine import Machine
from interpreter.runtime.step import IllegalCandidate
from playtest.drawn_settings import drawn
from ruleset import Ruleset, load

PLAYS = int(os.environ.get("RULEWRIGHT_SOAK", "0"))
FILES = sorted([*(ROOT / "games").glob("*.yaml"), *(ROOT / "games" / "cookbook").glob("*.yaml")])
SMALL = [path for path in FILES if path.stem not in ("trash_rush", "rabbit_race")]
"""What compiles in a moment; the large ones are played where there is time."""
SETTINGS = 4 if PLAYS else 2


@cache
def ruleset_of(k: int) -> Ruleset:
    """The rules in a file."""
    return load(FILES[k] if PLAYS else SMALL[k])


@cache
def engines(k: int, players: int, setting: int) -> tuple[Game, Game]:
    """A game on the reference and in machine code; setting 0 is the default one."""
    rules = ruleset_of(k)
    if setting:
        rules = rules.configure(drawn(rules, {}, random.Random(setting)))
    values = {**rules.readings, **rules.option_values}
    compiled = lower(rules, players, values)
    one, other = (Game.of_compiled(compiled, engine="reference") for _ in range(2))
    other.machine = NativeMachine(compiled.program, setting % 3)
    return one, other


def refused(machine: Machine, state: bytes, player: int, candidate: int) -> str:
    """How an engine refuses an answer; empty where it takes it."""
    try:
        machine.apply(state, player, candidate)
    except IllegalCandidate as error:
        return str(error)
    return ""


class BothEngines(RuleBasedStateMachine):
    """One play; `one` is the state of the reference, `other` that of machine code."""

    @initialize(
        k=st.integers(0, (len(FILES) if PLAYS else len(SMALL)) - 1),
        players=st.integers(0, 9),
        setting=st.integers(0, SETTINGS - 1),
        seed=st.integers(0, 1000),
    )
    def begin(self, k: int, players: int, setting: int, seed: int) -> None:
        """A game of some players under some readings."""
        rules = ruleset_of(k)
        low, high = rules.file.min_players, rules.file.max_players
        self.games = engines(k, low + players % (high - low + 1), setting)
        self.machines = tuple(game.machine for game in self.games)
        self.kept: list[tuple[State, State]] = []
        self.one, self.other = (game.start(seed) for game in self.games)

    @precondition(lambda self: not self.one.over)
    @rule(who=st.integers(0, 9), what=st.integers(0, 10_000))
    def answer(self, who: int, what: int) -> None:
        """Somebody who is asked chooses something that is offered."""
        decisions = self.one.pending
        decision = decisions[who % len(decisions)]
        chosen = decision.options[what % len(decision.options)]
        before = self.one.data
        found = self.other.pending[who % len(decisions)].options[what % len(decision.options)]
        assert (found.text, found.player) == (chosen.text, chosen.player)
        try:
            self.one = self.one.apply(chosen)
        except RulesFault as fault:
            with pytest.raises(RulesFault) as caught:
                self.other.apply(found)
            assert caught.value.diagnostic == fault.diagnostic
            return
        self.other = self.other.apply(found)
        assert self.games[0].machine.rolled == self.games[1].machine.rolled
        given = [member for _, member in self.games[0].machine.rolled]
        args = (before, chosen.player - 1, chosen.candidate, given)
        wanted, got = (machine.apply(*args) for machine in self.machines)
        assert wanted == got

    @precondition(lambda self: len(self.one.pending) > 1)
    @rule(what=st.integers(0, 10_000), order=st.randoms(use_true_random=False))
    def answer_in_any_order(self, what: int, order: random.Random) -> None:
        """Answers to a simultaneous choice that come in another order lead to the same bytes."""
        reference, native = self.machines
        state = self.one.data
        stages = {player: reference.decision(state, player) for player in self.asked()}
        answers = {}
        for player in stages:
            allowed = options(reference, state, player)
            if not isinstance(allowed, int) or not allowed:
                return
            members = members_of(allowed)
            answers[player] = members[what % len(members)]
        if any(native.program.decisions[name].pending for name, _ in stages.values()):
            return  # each answers several times, and what is left to answer depends on it
        ends = []
        for machine in (reference, native, native):
            at = state
            players = list(answers)
            order.shuffle(players)
            for player in players:
                out = machine.apply(at, player, answers[player])
                if out.fault is not None:
                    ends.append(out.fault[0].encode())
                    break
                at = out.state
            else:
                ends.append(at)
        assert ends[0] == ends[1] == ends[2]

    def asked(self) -> list[int]:
        """The players who are asked, from 0."""
        return members_of(self.machines[0].pending(self.one.data))

    @rule(player=st.integers(-3, 9), candidate=st.integers(-(2**33), 2**33) | st.integers(-2, 200))
    def answer_anything(self, player: int, candidate: int) -> None:
        """What is not offered both refuse with the same words."""
        state = self.one.data
        found = [refused(machine, state, player, candidate) for machine in self.machines]
        assert found[0] == found[1]
        assert self.machines[1].options(state, player) == self.machines[0].options(state, player)

    @rule()
    def keep(self) -> None:
        """Remember where we are."""
        self.kept.append((self.one, self.other))

    @precondition(lambda self: bool(self.kept))
    @rule(which=st.integers(0, 99))
    def go_back(self, which: int) -> None:
        """Go on from a state of before, which nothing has touched."""
        self.one, self.other = self.kept[which % len(self.kept)]

    @rule(swap=st.booleans())
    def load_from_bytes(self, swap: bool) -> None:
        """Each engine takes up the other's bytes, and saves by name are alike."""
        one, other = self.one.to_bytes(), self.other.to_bytes()
        assert self.one.save() == self.other.save()
        if swap:
            one, other = other, one
        self.one = self.games[0].from_bytes(one)
        self.other = self.games[1].from_bytes(other)

    @rule(at=st.integers(0, 10**6), value=st.integers(0, 255))
    def load_damaged_bytes(self, at: int, value: int) -> None:
        """Bytes with a fault in them both refuse, or both play on alike."""
        data = bytearray(self.one.to_bytes())
        data[at % len(data)] = value
        found = []
        for game in self.games:
            try:
                state = game.from_bytes(bytes(data))
            except GameError as error:
                found.append(str(error))
                continue
            asked = members_of(game.machine.pending(state.data))
            found.append(str([options(game.machine, state.data, p) for p in asked]))
        assert found[0] == found[1]

    @rule(seed=st.integers(0, 99), most=st.integers(0, 60))
    def play_at_random(self, seed: int, most: int) -> None:
        """A whole game of random play ends alike."""
        ends = []
        for machine in self.machines:
            try:
                many: object = machine.playout(seed, most)
                ends.append((many, bytes(machine._buffer)))
            except Exception as error:
                ends.append((type(error).__name__, str(error).encode()))
        assert ends[0] == ends[1]

    @invariant()
    def all_is_the_same(self) -> None:
        """Bytes, status, who is asked what, options, views and result."""
        if not hasattr(self, "one"):
            return
        assert self.one.data == self.other.data
        state = self.one.data
        assert self.one.over == self.other.over
        masks_agree(self.machines[0], self.machines[1], state)
        assert self.one.result == self.other.result
        asked = [(d.player, d.id, [o.text for o in d.options]) for d in self.one.pending]
        assert asked == [(d.player, d.id, [o.text for o in d.options]) for d in self.other.pending]
        for decision in self.one.pending[:1]:
            assert self.one.view(decision.player) == self.other.view(decision.player)


TestBothEngines = BothEngines.TestCase
TestBothEngines.settings = settings(
    max_examples=PLAYS or 40,
    stateful_step_count=60 if PLAYS else 25,
    deadline=None,
    derandomize=not PLAYS,
    suppress_health_check=list(HealthCheck),
)
