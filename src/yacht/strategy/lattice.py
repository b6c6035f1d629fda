"""The keeps of a ruleset's dice, ordered by how many dice they hold: 462 for five dice.

What a keep is worth is the mean over its next die; what a roll is worth is the best of itself and
of what it becomes without one of its dice. So both walk the lattice one die at a time, and nothing
is enumerated but the keeps and their neighbours.

Arrays over the lattice have a row for each keep and a column for each case, so that a step copies
whole rows.
"""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from yacht.engine.rules import Dice

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


class Lattice:
    """All multisets of at most ``dice`` faces, the smallest first; the last ones are the rolls."""

    def __init__(self, dice: int, faces: int) -> None:
        self.dice, self.faces = dice, faces
        sized = [
            list(combinations_with_replacement(range(1, faces + 1), size))
            for size in range(dice + 1)
        ]
        self.keeps: list[Dice] = [keep for keeps in sized for keep in keeps]
        self.index = {keep: place for place, keep in enumerate(self.keeps)}
        self._rows = list[slice]()
        for keeps in sized:
            start = self._rows[-1].stop if self._rows else 0
            self._rows.append(slice(start, start + len(keeps)))
        self.rolls = self._rows[-1]
        self._more = [
            np.array([self._with_one_more(keep) for keep in keeps]) for keeps in sized[:-1]
        ]
        self._fewer = [
            np.array([self._with_one_less(keep) for keep in keeps]) for keeps in sized[1:]
        ]
        weights = np.zeros((len(self.keeps), 1))
        weights[0] = 1
        self.spread(weights)
        self._thrown = weights[self.rolls, 0]
        """The probability of each roll of all the dice."""

    def whole_turn(self, final: Floats, rolls: int) -> Floats:
        """What a turn of ``rolls`` rolls is worth before the first one (cases).

        ``final`` has what each roll is worth after the last one (rolls × cases).
        """
        values = np.empty((len(self.keeps), final.shape[1]))
        values[self.rolls] = final
        for _ in range(1, rolls):
            self.expect(values)
            self.choose(values)
        return self._thrown @ values[self.rolls]

    def turn(self, final: Floats, rolls: int) -> Iterator[Floats]:
        """What every keep is worth with 1, 2, … ``rolls`` rolls left, one after the other.

        ``final`` is that of ``whole_turn``. Each array that is yielded (keeps × cases) is valid
        until the next one. The rows of the rolls are a roll behind: what each is worth with one
        roll fewer.
        """
        values = np.empty((len(self.keeps), final.shape[1]))
        values[self.rolls] = final
        for left in range(1, rolls + 1):
            self.expect(values)
            yield values
            if left < rolls:
                self.choose(values)

    def expect(self, values: Floats) -> None:
        """Give every keep the mean over its next die; rolls stay."""
        for rows, more in zip(self._rows[-2::-1], self._more[::-1], strict=True):
            mean, taken = values[rows], np.empty_like(values[rows])
            np.take(values, more[:, 0], axis=0, out=mean, mode="clip")  # "raise" would copy
            for face in range(1, self.faces):
                mean += np.take(values, more[:, face], axis=0, out=taken, mode="clip")
            mean /= self.faces

    def choose(self, values: Floats | Ints) -> None:
        """Raise every row to the best of itself and of all keeps it contains."""
        for rows, fewer in zip(self._rows[1:], self._fewer, strict=True):
            best, taken = values[rows], np.empty_like(values[rows])
            for place in range(fewer.shape[1]):
                np.take(values, fewer[:, place], axis=0, out=taken, mode="clip")
                np.maximum(best, taken, out=best)

    def spread(self, weights: Floats) -> None:
        """Pass the weight of every keep on to the rolls it becomes; only rolls have weight then."""
        for rows, more in zip(self._rows[:-1], self._more, strict=True):
            share = weights[rows] / self.faces
            for face in range(self.faces):
                weights[more[:, face]] += share  # a face takes no two keeps to the same
            weights[rows] = 0

    def best_keeps(self, worth: Floats, final: Floats, decimals: int) -> Ints:
        """The best keep of each roll (rolls × cases), the roll itself if it is to be scored.

        ``worth`` is that of the keeps, ``final`` that of the rolls once scored.
        """
        best = np.rint(worth * 10**decimals).astype(np.int64)
        best[self.rolls] = np.rint(final * 10**decimals)
        count = len(best)
        best *= count  # worth and place as one number, so that among equals the last place wins
        best += np.arange(count)[:, np.newaxis]
        self.choose(best)
        return best[self.rolls] % count

    def hold(self, weights: Floats, keeps: NDArray[np.signedinteger]) -> Floats:
        """The rolls' weights after the next roll; ``keeps`` (cases × rolls) says what is held."""
        held = np.zeros_like(weights)
        np.add.at(held, (keeps.T, np.arange(len(keeps))), weights[self.rolls])
        self.spread(held)
        return held

    def contained(self, roll: Dice) -> list[int]:
        """The keeps of a sorted roll that hold fewer dice than it has, the last ones first."""
        keeps = {keep for size in range(self.dice) for keep in combinations(roll, size)}
        return sorted((self.index[keep] for keep in keeps), reverse=True)

    def _with_one_more(self, keep: Dice) -> list[int]:
        return [self.index[tuple(sorted((*keep, face)))] for face in range(1, self.faces + 1)]

    def _with_one_less(self, keep: Dice) -> list[int]:
        return [self.index[keep[:place] + keep[place + 1 :]] for place in range(len(keep))]
