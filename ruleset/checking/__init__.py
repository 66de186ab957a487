"""The checker, split by construct: expressions, effects, records."""
