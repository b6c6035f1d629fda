"""What best play for the average comes to: its choices as tables, and how totals are spread."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yacht.strategy.lattice import Floats, Ints
from yacht.strategy.values import Values


class Policy(NamedTuple):
    """Best play as tables: by the set of open boxes and the roll, both as the solver counts them.

    ``keeps[left - 1]`` has the keep in the lattice that is best with ``left`` rolls left, the roll
    itself if it is to be scored; ``boxes`` has the place of the box to score it in. They are the
    choices that ``rank`` has first.
    """

    keeps: NDArray[np.signedinteger]
    boxes: NDArray[np.int8]


class Outcomes:
    """Best play once the values are known; totals that agree to ``decimals`` are equal."""

    def __init__(self, values: Values, decimals: int) -> None:
        self._values, self._decimals = values, decimals

    @cached_property
    def policy(self) -> Policy:
        """Best play as tables, for many games at once."""
        values, lattice = self._values, self._values.lattice
        shape = values.ruleset.rolls - 1, values.all + 1, values.points.shape[1]
        keeps = np.empty(shape, np.min_scalar_type(-len(lattice.keeps)))
        boxes = np.empty(shape[1:], np.int8)
        for masks in values.layers(values.all):
            places, worths = map(np.array, zip(*values.scored(masks), strict=True))
            first = worths.round(self._decimals).argmax(axis=0)
            boxes[masks] = np.take_along_axis(places, first.T, axis=0).T
            final = worths.max(axis=0).T
            turn = lattice.turn(final, values.ruleset.rolls)
            for stage, worth in zip(keeps, turn, strict=False):
                stage[masks] = lattice.best_keeps(worth, final, self._decimals).T
        return Policy(keeps, boxes)

    @cached_property
    def further(self) -> Floats:
        """The probability of each number of further points, by the set of open boxes."""
        values = self._values
        further = np.zeros((values.all + 1, int(values.most[-1]) + 1))
        further[0, 0] = 1
        for masks in values.layers(values.all):
            for (box, gained), chance in self._turns(masks):
                here = masks[chance > 0]
                shifted = further[here ^ 1 << box, : further.shape[1] - gained]
                further[here, gained:] += chance[chance > 0, np.newaxis] * shifted
        return further

    @cached_property
    def written(self) -> Floats:
        """The probability of each number of points in each box of a full card (boxes × points).

        That is of a card that was played well from the start: its open boxes are followed from all
        of them on, each set passing the probability of being met on to the smaller ones.
        """
        values = self._values
        written = np.zeros((len(values.points), int(values.points.max()) + 1))
        met = np.zeros(values.all + 1)
        met[values.all] = 1
        for masks in reversed(list(values.layers(values.all))):
            for (box, gained), chance in self._turns(masks):
                here = masks[chance > 0]
                passed = met[here] * chance[chance > 0]
                met[here ^ 1 << box] += passed
                written[box, gained] += passed.sum()
        return written

    def within(self, mask: int, at: int, rolls_left: int) -> Floats:
        """The probability of each number of further points in a turn, from the roll ``at``."""
        lattice, points = self._values.lattice, self._values.points
        weights = np.zeros((len(lattice.keeps), 1))
        weights[at] = 1
        for stage in self.policy.keeps[:rolls_left][::-1]:
            weights = lattice.hold(weights, stage[[mask]])
        further = np.zeros(self.further.shape[1])
        for place, weight in enumerate(weights[lattice.rolls, 0].tolist()):
            if weight:
                box = int(self.policy.boxes[mask, place])
                gained = points[box, place]
                rest = self.further[mask ^ 1 << box, : len(further) - gained]
                further[gained:] += weight * rest
        return further

    def _turns(self, masks: Ints) -> Iterator[tuple[tuple[int, int], Floats]]:
        """What a turn may come to, box and points, and the chance of it at each set."""
        lattice, points = self._values.lattice, self._values.points
        weights = np.zeros((len(lattice.keeps), len(masks)))
        weights[0] = 1
        lattice.spread(weights)
        for stage in self.policy.keeps[::-1]:
            weights = lattice.hold(weights, stage[masks])
        ended = weights[lattice.rolls]
        boxes, rolls = self.policy.boxes[masks].T, np.arange(len(ended))[:, np.newaxis]
        radix = int(points.max()) + 1
        pairs = boxes.astype(np.intp) * radix + points[boxes, rolls]
        chances = np.zeros((int(pairs.max()) + 1, len(masks)))
        flat = pairs * len(masks) + np.arange(len(masks))
        chances.ravel()[:] = np.bincount(flat.ravel(), ended.ravel(), chances.size)
        for pair in np.flatnonzero(chances.any(axis=1)).tolist():
            yield divmod(pair, radix), chances[pair]
