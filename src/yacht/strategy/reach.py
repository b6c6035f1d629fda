"""The highest chance to get at least so many points: another aim than the highest average."""

from functools import reduce

import numpy as np

from yacht.strategy.lattice import Floats, Ints
from yacht.strategy.values import Values


def reachable(values: Values, start: int, needed: int) -> Floats:
    """The highest chance to get at least so many points from each set of boxes (sets × points).

    For the sets within ``start``, and where the points already scored leave that many to get.
    """
    reach = np.zeros((start + 1, needed + 1))
    reach[:, 0] = 1
    scores = [np.unique(points, return_inverse=True) for points in values.points]
    for mask in (mask for masks in values.layers(start) for mask in masks.tolist()):
        least = max(1, needed - int(values.most[start ^ mask]))
        needs = np.arange(least, min(needed, int(values.most[mask])) + 1)
        if not len(needs):
            continue
        after = (
            reach[mask ^ 1 << place][at_least(needs, points[:, np.newaxis])][of_roll]
            for place, (points, of_roll) in enumerate(scores)
            if mask >> place & 1
        )
        final = reduce(np.maximum, after)
        reach[mask, needs] = values.lattice.whole_turn(final, values.ruleset.rolls)
    return reach


def at_least(needed: int | Ints, points: Ints) -> Ints:
    """What is still to get after these points."""
    return np.maximum(needed - points, 0)
