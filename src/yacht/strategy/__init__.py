"""How to play well: exact values, and what follows from them. NumPy over the engine's scores."""
