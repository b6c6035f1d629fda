"""How likely each player is to win, if all play for points from here on."""

from functools import lru_cache
from threading import Lock

import numpy as np

from yacht.engine.game import Game
from yacht.strategy.lattice import Floats
from yacht.strategy.solo import solved

_counting = Lock()  # tables that many ask for at once are made once
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)  # exact for as many as 8 seats


def win_chances(game: Game) -> tuple[float, ...]:
    """Each seat's chance to win, from the exact distributions of what is left to each.

    Everyone is taken to play for the highest average, as the solver does, not for the win; so it
    says how the game stands, and is not what the best play for the win would reach. A shared win
    is shared: the chances add up to 1. The first call makes the solver's tables, in a second.
    """
    with _counting:
        return _win_chances(game)


@lru_cache(1024)
def _win_chances(game: Game) -> tuple[float, ...]:
    solver = solved(game.ruleset)
    totals = [
        solver.distribution(card, game.dice, game.rolls_left)
        if seat == game.seat and game.dice
        else solver.distribution(card)
        for seat, card in enumerate(game.cards)
    ]
    size = max(map(len, totals))
    exactly = np.array([np.pad(one, (0, size - len(one))) for one in totals])
    below = np.cumsum(exactly, axis=1) - exactly
    return tuple(float(_shared(exactly, below, seat)) for seat in range(len(totals)))


def _shared(exactly: Floats, below: Floats, seat: int) -> float:
    """A seat's chance to have the highest total, a tie of n counted as one n-th.

    The others are each below it or, with weight x, level with it: the mean over x from 0 to 1 of
    the product of their chances gives every tie its share.
    """
    others = np.arange(len(exactly)) != seat
    share = np.zeros(exactly.shape[1])
    for node, weight in zip((_NODES + 1) / 2, _WEIGHTS / 2, strict=True):
        share += weight * np.prod(below[others] + node * exactly[others], axis=0)
    return float(exactly[seat] @ share)
