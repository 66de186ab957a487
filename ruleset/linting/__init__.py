"""Checks of a game as a whole, one concern a module."""
