"""The levels of computer players: what each comes to alone. How they play is in players.py."""

from yacht.engine.notation import LEVELS

AVERAGES: dict[str, int] = dict(zip(LEVELS, (167, 155, 140, 120), strict=True))
"""By a level's key the average total of its solo games, the best first; here without NumPy."""
