"""Tools around a ruleset: the command line, play in the terminal, scenarios, random play."""
