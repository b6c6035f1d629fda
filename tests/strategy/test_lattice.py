"""The lattice of keeps: every sum and every choice beside a count of all throws."""

from math import comb

import numpy as np
import pytest

from tests.strategy.brute import becomes, contained
from yacht.engine.rules import CLASSIC, Dice
from yacht.strategy.lattice import Floats, Lattice

SIZES = pytest.mark.parametrize(("dice", "faces"), [(1, 1), (1, 6), (2, 3), (3, 4), (4, 2)])
CASES = 3


def some(rows: int) -> Floats:
    """Any numbers (rows × cases), some of them equal."""
    return np.random.default_rng(1).integers(0, 50, (rows, CASES)).astype(float)


@pytest.mark.parametrize(
    ("dice", "faces", "rolls", "keeps"),
    [(5, 6, 252, 462), (2, 3, 6, 10), (1, 1, 1, 2), (3, 1, 1, 4), (6, 4, 84, 210)],
)
def test_size(dice: int, faces: int, rolls: int, keeps: int):
    """There are as many rolls and keeps as there are multisets; the last ones are the rolls."""
    assert (comb(dice + faces - 1, dice), comb(dice + faces, dice)) == (rolls, keeps)
    lattice = Lattice(dice, faces)
    assert len(lattice.keeps[lattice.rolls]) == rolls
    assert len(lattice.keeps) == lattice.rolls.stop == keeps
    assert len(set(lattice.keeps)) == keeps
    assert all(keep == tuple(sorted(keep)) for keep in lattice.keeps)
    sizes = [len(keep) for keep in lattice.keeps]
    assert sizes == sorted(sizes)
    assert lattice.index == {keep: place for place, keep in enumerate(lattice.keeps)}


def test_rolls_are_the_engine_s():
    """The rolls are in the order in which the engine lists them."""
    lattice = Lattice(CLASSIC.dice, CLASSIC.faces)
    assert lattice.keeps[lattice.rolls] == CLASSIC.rolls_sorted()


@SIZES
def test_expect(dice: int, faces: int):
    """A keep is worth the mean over all throws of its other dice; a roll stays what it is."""
    lattice = Lattice(dice, faces)
    values = np.full((len(lattice.keeps), CASES), np.nan)
    values[lattice.rolls] = final = some(len(values[lattice.rolls]))
    lattice.expect(values)
    for keep, value in zip(lattice.keeps, values, strict=True):
        rolls = becomes(keep, dice, faces)
        mean = sum(
            count * final[lattice.index[roll] - lattice.rolls.start]
            for roll, count in rolls.items()
        )
        assert value == pytest.approx(mean / rolls.total(), abs=1e-12)


@SIZES
def test_choose(dice: int, faces: int):
    """A row gets the best of all that it contains, itself too, in every case by itself."""
    lattice = Lattice(dice, faces)
    before = some(len(lattice.keeps))
    values = before.copy()
    lattice.choose(values)
    for keep, value in zip(lattice.keeps, values, strict=True):
        held = [lattice.index[part] for part in contained(keep)]
        assert value.tolist() == before[held].max(axis=0).tolist()


@SIZES
def test_spread(dice: int, faces: int):
    """The weight of a keep goes to the rolls that it becomes, by their chances."""
    lattice = Lattice(dice, faces)
    weights = some(len(lattice.keeps))
    expected = np.zeros_like(weights)
    for keep, weight in zip(lattice.keeps, weights, strict=True):
        rolls = becomes(keep, dice, faces)
        for roll, count in rolls.items():
            expected[lattice.index[roll]] += weight * count / rolls.total()
    lattice.spread(weights)
    assert weights == pytest.approx(expected, abs=1e-12)


@SIZES
def test_turn(dice: int, faces: int):
    """With each roll more, a keep is worth the mean of the best that can follow."""
    lattice = Lattice(dice, faces)
    final = some(len(lattice.keeps[lattice.rolls]))
    rolled = dict(zip(lattice.keeps[lattice.rolls], final, strict=True))
    stages = [stage.copy() for stage in lattice.turn(final, 3)]
    assert len(stages) == 3
    best = rolled
    for stage in stages:
        worth = dict[Dice, Floats]()
        for keep, value in zip(lattice.keeps, stage, strict=True):
            rolls = becomes(keep, dice, faces)
            ways = np.array([*rolls.values()]) / rolls.total()
            worth[keep] = ways @ np.array([best[roll] for roll in rolls])
            assert value == pytest.approx(worth[keep], abs=1e-12)
        best = {
            roll: np.max([rolled[roll], *(worth[keep] for keep in contained(roll) - {roll})], 0)
            for roll in rolled
        }
    wholes = np.array([lattice.whole_turn(final, rolls) for rolls in (1, 2, 3)])
    assert wholes == pytest.approx(np.array([stage[0] for stage in stages]), abs=1e-12)


@SIZES
def test_contained(dice: int, faces: int):
    """What a roll contains is every part of it but itself, once, the last in the lattice first."""
    lattice = Lattice(dice, faces)
    for roll in lattice.keeps[lattice.rolls]:
        places = lattice.contained(roll)
        assert {lattice.keeps[place] for place in places} == contained(roll) - {roll}
        assert places == sorted(set(places), reverse=True)
