"""Faults as values: what they say, how they are shown, what their codes mean."""
