"""What every set of open boxes is worth: the expected points still to come, played alone.

Points are only ever added up, so what is still to come depends on which boxes are open and on
nothing else: 4,096 sets for twelve boxes. They are solved from the full card backwards.
"""

from collections.abc import Iterator
from functools import cached_property, reduce

import numpy as np

from yacht.engine.game import Scorecard
from yacht.engine.rules import Ruleset
from yacht.strategy.lattice import Floats, Ints, Lattice

MOST_BOXES = 12
_CASES = 256
"""So many sets of open boxes at once stay in a processor's cache."""


class Values:
    """The sets of open boxes of a ruleset, as numbers: bit b for the b-th box; ``all`` has all.

    Raises ValueError for more than 12 boxes and for boxes that give negative points.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        if len(ruleset.categories) > MOST_BOXES:
            raise ValueError(f"{len(ruleset.categories)} boxes: at most {MOST_BOXES} can be solved")
        self.ruleset = ruleset
        self.lattice = Lattice(ruleset.dice, ruleset.faces)
        boxes, rolls = ruleset.categories, self.lattice.keeps[self.lattice.rolls]
        self.points = np.array([[box.score(roll) for roll in rolls] for box in boxes])
        """What each box gives each roll (boxes × rolls)."""
        if self.points.min() < 0:
            raise ValueError("a box gives negative points")
        self._worth = self.points.astype(np.float64)  # once, not at every addition
        self.all = (1 << len(boxes)) - 1
        self.values = np.zeros(self.all + 1)
        """The expected further points of each set."""
        for masks in self.layers(self.all):
            final = reduce(np.maximum, (worth for _, worth in self.scored(masks)))
            self.values[masks] = self.lattice.whole_turn(final.T, ruleset.rolls)

    def mask(self, card: Scorecard) -> int:
        """The set of open boxes of a card: bit b for the b-th box."""
        if len(card.boxes) != len(self.ruleset.categories):
            raise ValueError(f"a card of {len(card.boxes)} boxes in {self.ruleset.key}")
        return sum(1 << place for place, points in enumerate(card.boxes) if points is None)

    def layers(self, mask: int) -> Iterator[Ints]:
        """All sets of open boxes within ``mask`` but the empty one, small ones first, in groups."""
        masks = np.arange(1, mask + 1)
        masks = masks[masks & ~mask == 0]
        sizes = np.bitwise_count(masks)
        for size in range(1, mask.bit_count() + 1):
            layer = masks[sizes == size]
            for start in range(0, len(layer), _CASES):
                yield layer[start : start + _CASES]

    def places(self, masks: Ints) -> Ints:
        """The open boxes of sets of equal size (open boxes × cases)."""
        bits = masks[:, np.newaxis] >> np.arange(len(self.points)) & 1
        return np.nonzero(bits)[1].reshape(len(masks), -1).T

    def scored(self, masks: Ints) -> Iterator[tuple[Ints, Floats]]:
        """For each open box: its place, and each roll's worth once scored there (cases × rolls)."""
        for places in self.places(masks):
            further = self.values[masks ^ 1 << places]
            worth = self._worth[places]
            worth += further[:, np.newaxis]
            yield places, worth

    @cached_property
    def most(self) -> Ints:
        """The most points that each set of open boxes can give."""
        bits = np.arange(self.all + 1)[:, np.newaxis] >> np.arange(len(self.points)) & 1
        return bits @ self.points.max(axis=1)
