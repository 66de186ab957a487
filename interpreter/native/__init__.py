"""Machine code from a Program: the same states as the reference engine, many times faster.

Needs the optional packages of ``rulewright[native]``; importing this folder needs none of them.
"""
