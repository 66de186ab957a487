"""One module a competitor: ``playing(game, way)`` gives a function that plays and tells its `Turn`.

A module that cannot run here raises ImportError, or `Missing` with a reason.
"""
