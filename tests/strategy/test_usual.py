"""What best play usually writes in a box."""

import random
from collections import Counter
from math import sqrt

import numpy as np
import pytest

from yacht.engine.rules import Dice
from yacht.strategy.solo import Solver

GAMES = 3_000


def test_what_is_written_adds_up_to_the_expected_total(classic: Solver, by_sum: Solver) -> None:
    """Every box is filled once a game, and all points together are the known expected totals."""
    for solver, expected in ((classic, 166.9550677046), (by_sum, 169.7738890526)):
        written = solver._outcomes.written
        assert np.allclose(written.sum(axis=1), 1)
        average = sum(points * p for (_, points), p in np.ndenumerate(written))
        assert average == pytest.approx(expected, abs=1e-9)


def test_played_games_write_as_often(solver: Solver) -> None:
    """In games played with thrown dice each box gets each number of points as often as computed.

    No count is further off than 5 standard deviations, and one for chance.
    """
    chance, counts = random.Random(5), Counter[tuple[int, int]]()
    for _ in range(GAMES):
        counts.update(_played(solver, chance))
    for (box, points), p in np.ndenumerate(solver._outcomes.written):
        off = abs(counts[box, points] - GAMES * p)
        assert off <= 5 * sqrt(GAMES * p * (1 - p)) + 1, (box, points)


def _played(solver: Solver, chance: random.Random) -> list[tuple[int, int]]:
    """A game of best play with thrown dice: the boxes and what was written in them."""
    lattice, mask, written = solver.lattice, solver.all, list[tuple[int, int]]()
    while mask:
        keep: Dice = ()
        roll = 0
        for left in (2, 1, 0):
            thrown = [chance.randint(1, 6) for _ in range(5 - len(keep))]
            roll = lattice.index[tuple(sorted((*keep, *thrown)))] - lattice.rolls.start
            if left:
                place = int(solver.policy.keeps[left - 1][mask, roll])
                keep = lattice.keeps[place]
        box = int(solver.policy.boxes[mask, roll])
        written.append((box, int(solver.points[box, roll])))
        mask ^= 1 << box
    return written


def test_usual_points_are_the_commonest_but_0(classic: Solver, by_sum: Solver) -> None:
    """A Yacht is met in a quarter of the games, so 0 is commoner: its usual points are 50 still."""
    for solver in (classic, by_sum):
        usual, written = solver.usual(), solver._outcomes.written
        for place, box in enumerate(solver.ruleset.categories):
            assert written[place, usual[box.key]] == written[place, 1:].max()
    assert classic.usual()["yacht"] == 50
    assert classic.usual()["four_of_a_kind"] == 24
