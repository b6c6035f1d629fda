"""The totals of many games in a few plain numbers."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

_PARTS = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Summary:
    """``quantiles`` has, for a part of the games, the total that this part doesn't exceed.

    ``standard_error`` is that of the mean; a single game has none. ``counts`` has how many games
    ended with each total, those that occurred.
    """

    games: int
    mean: float
    standard_deviation: float
    standard_error: float | None
    quantiles: dict[float, int]
    counts: dict[int, int]


def summed_up(totals: NDArray[np.int32]) -> Summary:
    """The summary of one game or more."""
    games, deviation = len(totals), float(totals.std())
    reached, counts = np.unique_counts(totals)
    return Summary(
        games=games,
        mean=float(totals.mean()),
        standard_deviation=deviation,
        standard_error=deviation / sqrt(games - 1) if games > 1 else None,
        quantiles={part: int(np.quantile(totals, part, method="inverted_cdf")) for part in _PARTS},
        counts=dict(zip(reached.tolist(), counts.tolist(), strict=True)),
    )
