"""How probable each choice is to a level, as arrays: a softmax over what the choices are worth."""

from typing import NamedTuple

import numpy as np

from yacht.strategy.lattice import Floats, Ints
from yacht.strategy.solo import Solver


class TurnOdds(NamedTuple):
    """The probabilities of a turn's choices for sets of open boxes, the cases.

    ``keeps[left - 1]`` has those of every option (options × cases), ``boxes`` those of every open
    box once the dice are to be scored (cases × rolls × open boxes), ``places`` says which box that
    is (open boxes × cases). Both sum to 1 for each roll.
    """

    keeps: list[Floats]
    boxes: Floats
    places: Ints


class Odds:
    """The probabilities for one solver and one temperature above 0.

    A roll's options are the keeps it contains and, first, itself: to be scored in any open box.
    ``options`` has the keep in the lattice, roll after roll; ``starts`` where each roll's begin.
    """

    def __init__(self, solver: Solver, temperature: float) -> None:
        self.solver, self.temperature = solver, temperature
        lattice = solver.lattice
        options = [
            [lattice.index[roll], *lattice.contained(roll)] for roll in lattice.keeps[lattice.rolls]
        ]
        sizes = np.array(list(map(len, options)))
        self.options = np.concatenate(options)
        self.starts = np.cumsum(sizes) - sizes
        self.rolls = np.repeat(np.arange(len(sizes)), sizes)
        """The roll that each option belongs to."""

    def turn(self, masks: Ints) -> TurnOdds:
        """The odds for sets of open boxes that have the same size."""
        lattice, rolls = self.solver.lattice, self.solver.ruleset.rolls
        scored = list(self.solver.scored(masks))
        worths = np.stack([worth for _, worth in scored], axis=-1)
        best = worths.max(axis=-1)
        boxes = np.exp((worths - best[:, :, np.newaxis]) / self.temperature)
        scores = boxes.sum(axis=-1)
        keeps = list[Floats]()
        for values in lattice.turn(best.T, rolls - 1):
            worth = values[self.options]
            worth[self.starts] = best.T
            keeps.append(self._softmax(worth, scores.T))
        boxes /= scores[:, :, np.newaxis]
        return TurnOdds(keeps, boxes, np.stack([places for places, _ in scored]))

    def _softmax(self, worth: Floats, scores: Floats) -> Floats:
        """The probabilities of options; the first of a roll weighs as much as all its boxes."""
        worth -= np.maximum.reduceat(worth, self.starts)[self.rolls]
        weights = np.exp(worth / self.temperature)
        weights[self.starts] *= scores
        weights /= np.add.reduceat(weights, self.starts)[self.rolls]
        return weights
