"""Playing a Program: the reference machine, and the Python face on top of it."""
