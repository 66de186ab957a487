"""From a checked ruleset to a Program.

``lower`` takes a ruleset without faults, the number of players and the options, and gives a
Program with the names that its numbers stand for. Nothing here can fail for what a user wrote:
the checker has been before.
"""

from interpreter.lowering.adhoc import lower_effects, lower_expression
from interpreter.lowering.compiled import Compiled
from interpreter.lowering.program import lower

__all__ = ["Compiled", "lower", "lower_effects", "lower_expression"]
