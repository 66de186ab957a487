"""The engine: takes a checked ruleset, plays it, and says why.

``Game(rules, players, options)`` gives states; a `State` gives decisions, options, views, reasons,
the ledger, a journal. Players count from 1. Errors are `GameError` and its kinds.
"""

from interpreter.runtime.content import Content, Value
from interpreter.runtime.errors import DataError, GameError, IllegalOption, RulesFault
from interpreter.runtime.events import LogEntry
from interpreter.runtime.files import read_text
from interpreter.runtime.game import Engine, Game
from interpreter.runtime.journal import ChanceOutcome, Journal, JournalStep
from interpreter.runtime.judging import Reason
from interpreter.runtime.ledger import Entry
from interpreter.runtime.options import Decision, Option, Options
from interpreter.runtime.replay import ChanceMissing
from interpreter.runtime.result import GameResult
from interpreter.runtime.saves import read_save, write_save
from interpreter.runtime.scramble import scrambled
from interpreter.runtime.state import State
from interpreter.runtime.waiting import Chance, Outcome
from interpreter.runtime.why import Why

__all__ = [
    "Chance",
    "ChanceMissing",
    "ChanceOutcome",
    "Content",
    "DataError",
    "Decision",
    "Engine",
    "Entry",
    "Game",
    "GameError",
    "GameResult",
    "IllegalOption",
    "Journal",
    "JournalStep",
    "LogEntry",
    "Option",
    "Options",
    "Outcome",
    "Reason",
    "RulesFault",
    "State",
    "Value",
    "Why",
    "read_save",
    "read_text",
    "scrambled",
    "write_save",
]
