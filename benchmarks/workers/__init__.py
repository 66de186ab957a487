"""One module a competitor: ``playouts(game)`` gives a function that plays one random game and
answers how many moves it took. A module that cannot run here raises ImportError."""
