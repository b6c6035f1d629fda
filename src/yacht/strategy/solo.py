"""The exact value of every scorecard played alone, and of every choice on the way.

Points are only ever added up, so what is still to come depends on which boxes are open and on
nothing else: 4,096 sets for twelve boxes. They are solved from the full card backwards.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache, reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yacht.engine.game import Scorecard
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Dice, Ruleset
from yacht.strategy.lattice import Floats, Ints, Lattice

MOST_BOXES = 12
_CASES = 256
"""So many sets of open boxes at once stay in a processor's cache."""
_SLIGHT = 1e-9
"""The weight of a point against a chance of 1: it decides between equal chances alone."""


class Choice(NamedTuple):
    """Hold the dice of ``keep`` (sorted) and roll the rest, or score in ``score``; one is None.

    ``worth`` is the expected final total, or the chance of reaching a target.
    """

    keep: Dice | None
    score: str | None
    worth: float


class Policy(NamedTuple):
    """Best play as tables: by the set of open boxes and the roll, both as the solver counts them.

    ``keeps[left - 1]`` has the keep in the lattice that is best with ``left`` rolls left, the roll
    itself if it is to be scored; ``boxes`` has the place of the box to score it in.
    """

    keeps: NDArray[np.int16]
    boxes: NDArray[np.int8]


class _Turn(NamedTuple):
    """A turn: the worth of each open box by roll, and of each keep by the rolls left."""

    boxes: list[tuple[str, list[float]]]
    stages: list[list[float]]


class Solver:
    """Best play of a ruleset alone, solved when it is made: within 0.1 s for the shipped ones.

    It takes any ruleset of up to 12 boxes, and reads points through the engine alone. Expected
    points are exact but for rounding, about 1e-12.
    """

    def __init__(self, ruleset: Ruleset = CLASSIC) -> None:
        if len(ruleset.categories) > MOST_BOXES:
            raise ValueError(f"{len(ruleset.categories)} boxes: at most {MOST_BOXES} can be solved")
        self.ruleset = ruleset
        self.lattice = Lattice(ruleset.dice, ruleset.faces)
        boxes, rolls = ruleset.categories, self.lattice.keeps[self.lattice.rolls]
        self.points = np.array([[box.score(roll) for roll in rolls] for box in boxes])
        """What each box gives each roll (boxes × rolls)."""
        self._all = (1 << len(boxes)) - 1
        self._values = np.zeros(self._all + 1)
        for masks in self._layers(self._all):
            final = reduce(np.maximum, (worth for _, worth in self.scored(masks)))
            for values in self.lattice.turn(final.T, ruleset.rolls):
                self._values[masks] = values[0]
        self._turn = lru_cache(512)(self._solve_turn)
        self._reach = lru_cache(4)(self._solve_reach)

    def value(self, card: Scorecard) -> float:
        """The points that the open boxes of a card bring on average under best play."""
        return float(self._values[self._mask(card)])

    def rank(self, card: Scorecard, dice: Sequence[int], rolls_left: int) -> list[Choice]:
        """Every distinct choice with its expected final total, the best first.

        Before the first roll of a turn, ``dice`` is empty. Among equals the boxes come first, in
        card order, then the keeps of more dice. Raises IllegalMove for dice that can't be and for
        a full card, ValueError for rolls that can't be left.
        """
        return self._ranked(self._turn(self._mask(card)), card.total, dice, rolls_left)

    def chance(self, card: Scorecard, target: int) -> float:
        """The highest possible probability of a final total of ``target`` or more.

        That is another aim than the highest average: who needs a Yacht to get there plays for it,
        however much it costs on average. For an empty card it takes seconds.
        """
        mask, needed = self._mask(card), self._needed(card, target)
        return float(self._reach(mask, needed)[mask, needed])

    def rank_chance(
        self, card: Scorecard, dice: Sequence[int], rolls_left: int, target: int
    ) -> list[Choice]:
        """Every distinct choice with its chance of a final total of ``target`` or more.

        Like ``rank``, for the aim of ``chance``.
        """
        return self._ranked(self._as_turn(*self._aimed(card, target)), 0, dice, rolls_left)

    def endings(
        self, card: Scorecard, keep: Dice, rolls_left: int, target: int | None = None
    ) -> Floats:
        """How likely the turn ends with each roll in each open box, once these dice are held.

        That is under best play from a sorted keep to be rolled with so many rolls left, for the
        average or for ``target`` (open boxes in card order × rolls; the sum is 1).
        """
        turn = self._turn(self._mask(card))
        if target is not None:
            places, after = self._aimed(card, target)
            worth = np.array([worth for _, worth in turn.boxes])
            turn = self._as_turn(places, after + _SLIGHT * worth)
        rolls = self.lattice.rolls
        weights = np.zeros((len(self.lattice.keeps), 1))
        weights[self.lattice.index[keep]] = 1
        self.lattice.spread(weights)
        chosen = np.empty(weights.shape, np.intp)
        for left in range(rolls_left - 1, 0, -1):
            self.lattice.choose(np.array(turn.stages[left - 1])[:, np.newaxis], chosen)
            rolled, weights = weights[rolls], np.zeros_like(weights)
            np.add.at(weights, chosen[rolls, 0], rolled)
            self.lattice.spread(weights)
        boxes = np.argmax([worth for _, worth in turn.boxes], axis=0)
        return np.where(boxes == np.arange(len(turn.boxes))[:, np.newaxis], weights[rolls, 0], 0)

    def distribution(
        self, card: Scorecard, dice: Sequence[int] = (), rolls_left: int = 0
    ) -> Floats:
        """The probability of each final total from 0 on, under best play for the average.

        In a turn, from the ``dice`` on the table with ``rolls_left``.
        """
        mask = self._mask(card)
        if not dice:
            return np.concatenate([np.zeros(card.total), self._further[mask]])
        roll = self.lattice.index[tuple(sorted(self.ruleset.check(dice)))]
        weights = np.zeros((len(self.lattice.keeps), 1))
        weights[roll] = 1
        for stage in self.policy.keeps[:rolls_left][::-1]:
            weights = self._held(weights, stage[[mask]])
        totals = np.zeros(card.total + self._further.shape[1])
        for place, weight in enumerate(weights[self.lattice.rolls, 0].tolist()):
            if weight:
                box = int(self.policy.boxes[mask, place])
                start = card.total + self.points[box, place]
                totals[start:] += weight * self._further[mask ^ 1 << box][: len(totals) - start]
        return totals

    @cached_property
    def policy(self) -> Policy:
        """Best play as tables, for many games at once."""
        rolls = self.points.shape[1]
        keeps = np.empty((self.ruleset.rolls - 1, self._all + 1, rolls), np.int16)
        boxes = np.empty((self._all + 1, rolls), np.int8)
        for masks in self._layers(self._all):
            scored = self.scored(masks)
            place, final = next(scored)
            box = np.broadcast_to(place[:, np.newaxis], final.shape).copy()
            for place, worth in scored:
                np.copyto(box, place[:, np.newaxis], where=worth > final)
                np.maximum(final, worth, out=final)
            boxes[masks] = box
            chosen = np.empty((len(self.lattice.keeps), len(masks)), np.intp)
            values = self.lattice.turn(final.T, self.ruleset.rolls)
            for stage, worth in zip(keeps, values, strict=False):
                self.lattice.choose(worth.copy(), chosen)
                stage[masks] = chosen[self.lattice.rolls].T
        return Policy(keeps, boxes)

    @cached_property
    def _further(self) -> Floats:
        """The probability of each number of further points, by the set of open boxes."""
        further = np.zeros((self._all + 1, int(self._most[-1]) + 1))
        further[0, 0] = 1
        for masks in self._layers(self._all):
            for (box, gained), chance in self._outcomes(masks):
                here = masks[chance > 0]
                shifted = further[here ^ 1 << box, : further.shape[1] - gained]
                further[here, gained:] += chance[chance > 0, np.newaxis] * shifted
        return further

    def _outcomes(self, masks: Ints) -> Iterator[tuple[tuple[int, int], Floats]]:
        """What a turn of best play may come to, box and points, and its chance at each set."""
        weights = np.zeros((len(self.lattice.keeps), len(masks)))
        weights[0] = 1
        self.lattice.spread(weights)
        for stage in self.policy.keeps[::-1]:
            weights = self._held(weights, stage[masks])
        ended = weights[self.lattice.rolls]
        boxes, rolls = self.policy.boxes[masks].T, np.arange(len(ended))[:, np.newaxis]
        radix = int(self.points.max()) + 1
        pairs = boxes.astype(np.intp) * radix + self.points[boxes, rolls]
        chances = np.zeros((int(pairs.max()) + 1, len(masks)))
        flat = pairs * len(masks) + np.arange(len(masks))
        chances.ravel()[:] = np.bincount(flat.ravel(), ended.ravel(), chances.size)
        for pair in np.flatnonzero(chances.any(axis=1)).tolist():
            yield divmod(pair, radix), chances[pair]

    def _held(self, weights: Floats, keeps: NDArray[np.int16]) -> Floats:
        """The rolls' weights after the next roll; ``keeps`` (cases × rolls) says what is held."""
        held = np.zeros_like(weights)
        np.add.at(held, (keeps.T, np.arange(len(keeps))), weights[self.lattice.rolls])
        self.lattice.spread(held)
        return held

    def _mask(self, card: Scorecard) -> int:
        """The set of open boxes of a card: bit b for the b-th box."""
        if len(card.boxes) != len(self.ruleset.categories):
            raise ValueError(f"a card of {len(card.boxes)} boxes in {self.ruleset.key}")
        return sum(1 << place for place, points in enumerate(card.boxes) if points is None)

    def _layers(self, mask: int) -> Iterator[Ints]:
        """All sets of open boxes within ``mask`` but the empty one, small ones first, in groups."""
        masks = np.arange(1, mask + 1)
        masks = masks[masks & ~mask == 0]
        sizes = np.bitwise_count(masks)
        for size in range(1, mask.bit_count() + 1):
            layer = masks[sizes == size]
            for start in range(0, len(layer), _CASES):
                yield layer[start : start + _CASES]

    def _places(self, masks: Ints) -> Ints:
        """The open boxes of sets of equal size (open boxes × cases)."""
        bits = masks[:, np.newaxis] >> np.arange(len(self.points)) & 1
        return np.nonzero(bits)[1].reshape(len(masks), -1).T

    def scored(self, masks: Ints) -> Iterator[tuple[Ints, Floats]]:
        """For each open box: its place, and each roll's worth once scored there (cases × rolls)."""
        for places in self._places(masks):
            further = self._values[masks ^ 1 << places]
            yield places, self.points[places] + further[:, np.newaxis]

    @cached_property
    def _most(self) -> Ints:
        """The most points that each set of open boxes can give."""
        bits = np.arange(self._all + 1)[:, np.newaxis] >> np.arange(len(self.points)) & 1
        return bits @ self.points.max(axis=1)

    def _needed(self, card: Scorecard, target: int) -> int:
        """The points to the target; never less than none, nor more than one that can't be had."""
        return min(max(target - card.total, 0), int(self._most[self._mask(card)]) + 1)

    def _aimed(self, card: Scorecard, target: int) -> tuple[Ints, Floats]:
        """The open boxes, and each roll's chance of the target once it is scored there."""
        mask, needed = self._mask(card), self._needed(card, target)
        reach = self._reach(mask, needed)
        places = self._places(np.array([mask]))[:, 0]
        after = [
            reach[mask ^ 1 << place, _at_least(needed, self.points[place])] for place in places
        ]
        return places, np.array(after)

    def _solve_turn(self, mask: int) -> _Turn:
        places = self._places(np.array([mask]))[:, 0]
        after = np.array([worth[0] for _, worth in self.scored(np.array([mask]))])
        return self._as_turn(places, after)

    def _as_turn(self, places: Ints, after: Floats) -> _Turn:
        """A turn from what each roll is worth once scored in each open box (boxes × rolls)."""
        if not len(places):
            raise IllegalMove(Reason.GAME_OVER)
        keys = [self.ruleset.categories[int(place)].key for place in places]
        values = self.lattice.turn(after.max(axis=0)[:, np.newaxis], self.ruleset.rolls)
        stages = [worth[:, 0].tolist() for worth in values]
        return _Turn(list(zip(keys, after.tolist(), strict=True)), stages)

    def _ranked(
        self, turn: _Turn, total: int, dice: Sequence[int], rolls_left: int
    ) -> list[Choice]:
        """The choices that a turn offers now; ``total`` is added to what each is worth."""
        if not 0 <= rolls_left < self.ruleset.rolls + (not dice) or not (dice or rolls_left):
            raise ValueError(f"{rolls_left} rolls left with {len(dice)} dice on the table")
        if not dice:
            return [Choice((), None, total + turn.stages[rolls_left - 1][0])]
        roll = tuple(sorted(self.ruleset.check(dice)))
        place = self.lattice.index[roll] - self.lattice.rolls.start
        choices = [Choice(None, key, total + worth[place]) for key, worth in turn.boxes]
        if rolls_left:
            stage = turn.stages[rolls_left - 1]
            keeps = self.lattice.contained(roll)
            choices += [
                Choice(self.lattice.keeps[keep], None, total + stage[keep]) for keep in keeps
            ]
        return sorted(choices, key=_best_first)

    def _solve_reach(self, start: int, needed: int) -> Floats:
        """The highest chance to get at least so many points from each set of boxes (sets × points).

        For the sets within ``start``, and where the points already scored leave that many to get.
        """
        reach = np.zeros((start + 1, needed + 1))
        reach[:, 0] = 1
        scores = [np.unique(points, return_inverse=True) for points in self.points]
        for mask in (mask for masks in self._layers(start) for mask in masks.tolist()):
            least = max(1, needed - int(self._most[start ^ mask]))
            needs = np.arange(least, min(needed, int(self._most[mask])) + 1)
            if not len(needs):
                continue
            after = (
                reach[mask ^ 1 << place][_at_least(needs, points[:, np.newaxis])][of_roll]
                for place, (points, of_roll) in enumerate(scores)
                if mask >> place & 1
            )
            for values in self.lattice.turn(reduce(np.maximum, after), self.ruleset.rolls):
                reach[mask, needs] = values[0]
        return reach


@lru_cache
def solved(ruleset: Ruleset) -> Solver:
    """The solver of a ruleset, made at the first call."""
    return Solver(ruleset)


def _at_least(needed: "int | Ints", points: Ints) -> Ints:
    """What is still to get after these points."""
    return np.maximum(needed - points, 0)


def _best_first(choice: Choice) -> float:
    """Worths that differ by rounding alone are equal."""
    return -round(choice.worth, 9)
