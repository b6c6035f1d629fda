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
        boxes = worths - best[:, :, np.newaxis]
        self._exp(boxes)
        scores = boxes.sum(axis=-1)
        keeps = list[Floats]()
        for values in lattice.turn(best.T, rolls - 1):
            options = values[self.options]
            options[self.starts] = best.T
            options -= np.maximum.reduceat(options, self.starts)[self.rolls]
            self._exp(options)
            options[self.starts] *= scores.T  # it weighs as much as all its boxes
            options /= np.add.reduceat(options, self.starts)[self.rolls]
            keeps.append(options)
        boxes /= scores[:, :, np.newaxis]
        return TurnOdds(keeps, boxes, np.stack([places for places, _ in scored]))

    def _exp(self, losses: Floats) -> None:
        """Turn what choices are worth less than the best, in points, into their weights."""
        losses /= self.temperature
        np.exp(losses, out=losses)
