"""The levels of computer players: what each comes to alone. How they play is in players.py."""

AVERAGES = {"exact": 167, "strong": 155, "steady": 140, "easy": 120}
"""By a level's key the average total of its solo games, the best first; here without NumPy."""
