"""The exact average of each level, by the solver's recursion with a level's odds in it.

``python -m tests.strategy.averages`` finds the temperatures again and prints what they come to.
"""

from functools import cache
from math import sqrt

import numpy as np

from yacht.engine.rules import CLASSIC, RULESETS, Ruleset
from yacht.strategy.odds import Odds
from yacht.strategy.players import LEVELS
from yacht.strategy.solo import solved

AIMS = {"strong": 155, "steady": 140, "easy": 120}
"""Points on average, alone, in classic."""


@cache
def average(ruleset: Ruleset, temperature: float) -> tuple[float, float]:
    """The mean and the standard deviation of the final total."""
    solver = solved(ruleset)
    lattice = solver.lattice
    odds = Odds(solver, temperature)
    further = np.zeros((2, solver.all + 1))  # the mean and the mean square of what is to come
    for masks in solver.layers(solver.all):
        turn = odds.turn(masks)
        after = further[:, masks ^ 1 << turn.places][..., np.newaxis]  # by box and case
        points = solver.points[turn.places]
        moments = np.stack([points + after[0], points**2 + 2 * points * after[0] + after[1]])
        scored = np.einsum("cro,mocr->rmc", turn.boxes, moments)
        values = np.empty((len(lattice.keeps), scored[0].size))
        values[lattice.rolls] = scored.reshape(len(scored), -1)
        for chances in turn.keeps:
            lattice.expect(values)
            options = values[odds.options].reshape(-1, *scored[0].shape)
            options[odds.starts] = scored
            options *= chances[:, np.newaxis]
            rolled = np.add.reduceat(options, odds.starts)
            values[lattice.rolls] = rolled.reshape(len(rolled), -1)
        lattice.expect(values)
        further[:, masks] = values[0].reshape(2, -1)
    mean, square = further[:, -1].tolist()
    return mean, sqrt(square - mean**2)


def temperature_for(aim: float) -> float:
    """The temperature, to a thousandth, whose average in classic is nearest to the aim."""
    low, high = 0.1, 10.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (middle, high) if average(CLASSIC, middle)[0] > aim else (low, middle)
    return round((low + high) / 2, 3)


if __name__ == "__main__":
    for key, aim in AIMS.items():
        temperature = temperature_for(aim)
        print(f"{key}: temperature {temperature}, shipped {LEVELS[key].temperature}")
        for ruleset in RULESETS.values():
            mean, spread = average(ruleset, temperature)
            print(f"  {ruleset.key}: mean {mean:.2f}, standard deviation {spread:.2f}")
