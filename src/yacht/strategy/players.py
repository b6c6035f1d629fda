"""Computer players: levels that differ only in how much expected total they give away."""

from bisect import bisect
from dataclasses import dataclass
from itertools import accumulate
from math import exp

from yacht.engine.game import Game, Keep, Score
from yacht.strategy.solo import Choice, solved


@dataclass(frozen=True, slots=True)
class Level:
    """How well a computer plays: a choice worth ``temperature`` points less is e times as rare.

    With temperature 0 it always makes the best one.
    """

    key: str
    temperature: float


# The temperatures whose exact averages alone in classic are 155, 140 and 120, found by bisection:
# `python -m tests.strategy.averages` does it again. docs/players.md has what they come to.
LEVELS = {
    level.key: level
    for level in (
        Level("exact", 0.0),
        Level("strong", 0.638),
        Level("steady", 1.136),
        Level("easy", 1.968),
    )
}


def choose(game: Game, level: Level, chance: float) -> Keep | Score:
    """The move of the seat on turn at this level; ``chance``, from 0 to below 1, decides it.

    The choices lie on that range from the best to the worst, each as long as it is probable, so
    the same game, level and chance give the same move. Raises IllegalMove(GAME_OVER).
    """
    choices = solved(game.ruleset).rank(game.cards[game.seat], game.dice, game.rolls_left)
    choice = _drawn(choices, level.temperature, chance)
    if choice.score is not None:
        return Score(choice.score)
    return game.holding(choice.keep or ())


def _drawn(choices: list[Choice], temperature: float, chance: float) -> Choice:
    best = choices[0]
    if not temperature:
        return best
    ends = list(accumulate(exp((choice.worth - best.worth) / temperature) for choice in choices))
    return choices[bisect(ends, chance * ends[-1])]
