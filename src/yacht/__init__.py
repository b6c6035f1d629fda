"""Yacht: the classic five-dice game. Rules engine and records; everything public is here."""

from yacht.engine.game import Game, Keep, Rolled, Score, Scorecard, UndoScore, replay
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, RULESETS, SUM, score

__all__ = [
    "CLASSIC",
    "RULESETS",
    "SUM",
    "Game",
    "IllegalMove",
    "Keep",
    "Reason",
    "Rolled",
    "Score",
    "Scorecard",
    "UndoScore",
    "replay",
    "score",
]
