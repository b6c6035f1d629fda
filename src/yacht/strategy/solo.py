"""The exact value of every scorecard played alone, and of every choice on the way.

Points are only ever added up, so what is still to come depends on which boxes are open and on
nothing else: 4,096 sets for twelve boxes. They are solved from the full card backwards.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache, reduce
from threading import Lock
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
_DECIMALS, _DIGITS = 9, 12
"""Expected totals that agree to so many decimals, and chances to so many digits, are equal."""
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
    itself if it is to be scored; ``boxes`` has the place of the box to score it in. They are the
    choices that ``rank`` has first.
    """

    keeps: NDArray[np.signedinteger]
    boxes: NDArray[np.int8]


class _Turn(NamedTuple):
    """What can be had in a turn, with the keys of the open boxes.

    ``boxes`` has what each roll is worth once scored (boxes × rolls); ``stages[left - 1]`` what
    each keep is worth.
    """

    keys: list[str]
    boxes: Floats
    stages: list[Floats]


class Solver:
    """Best play of a ruleset alone, solved when it is made: within 0.1 s for the shipped ones.

    It takes any ruleset of up to 12 boxes that give no negative points (ValueError for others),
    and reads points through the engine alone. Expected points are exact but for rounding, about
    1e-12. A card that hasn't the ruleset's boxes raises ValueError everywhere.
    """

    def __init__(self, ruleset: Ruleset = CLASSIC) -> None:
        if len(ruleset.categories) > MOST_BOXES:
            raise ValueError(f"{len(ruleset.categories)} boxes: at most {MOST_BOXES} can be solved")
        self.ruleset = ruleset
        self.lattice = Lattice(ruleset.dice, ruleset.faces)
        boxes, rolls = ruleset.categories, self.lattice.keeps[self.lattice.rolls]
        self.points = np.array([[box.score(roll) for roll in rolls] for box in boxes])
        """What each box gives each roll (boxes × rolls)."""
        if self.points.min() < 0:
            raise ValueError("a box gives negative points")
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
        card order, then the keeps of more dice, of these the ones of higher faces. Raises
        IllegalMove for dice that can't be and for a full card, ValueError for rolls that can't be
        left.
        """
        choices = self._choices(self._turn(self._mask(card)), card.total, dice, rolls_left)
        return sorted(choices, key=lambda choice: -round(choice.worth, _DECIMALS))

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
        choices = self._choices(self._as_turn(*self._aimed(card, target)), 0, dice, rolls_left)
        return sorted(choices, key=lambda choice: -float(f"{choice.worth:.{_DIGITS}g}"))

    def endings(
        self, card: Scorecard, keep: Dice, rolls_left: int, target: int | None = None
    ) -> Floats:
        """How likely the turn ends with each roll in each open box, once these dice are held.

        That is under best play from a sorted keep to be rolled with so many rolls left, for the
        average or for ``target`` (open boxes in card order × rolls; the sum is 1).
        """
        turn, decimals = self._turn(self._mask(card)), _DECIMALS
        if target is not None:
            places, after = self._aimed(card, target)
            turn, decimals = self._as_turn(places, after + _SLIGHT * turn.boxes), _DIGITS
        weights = np.zeros((len(self.lattice.keeps), 1))
        weights[self.lattice.index[keep]] = 1
        self.lattice.spread(weights)
        final = turn.boxes.max(axis=0)[:, np.newaxis]
        for stage in turn.stages[: rolls_left - 1][::-1]:
            held = self._best_keeps(stage[:, np.newaxis], final, decimals)
            weights = self._held(weights, held.T)
        boxes = turn.boxes.round(decimals).argmax(axis=0)
        is_best = boxes == np.arange(len(turn.boxes))[:, np.newaxis]
        return np.where(is_best, weights[self.lattice.rolls, 0], 0)

    def distribution(
        self, card: Scorecard, dice: Sequence[int] = (), rolls_left: int = 0
    ) -> Floats:
        """The probability of each final total from 0 on, under best play for the average.

        In a turn, from the ``dice`` on the table with ``rolls_left``; raises what ``rank`` raises.
        """
        mask = self._mask(card)
        if not dice:
            return np.concatenate([np.zeros(card.total), self._further[mask]])
        if not mask:
            raise IllegalMove(Reason.GAME_OVER)
        weights = np.zeros((len(self.lattice.keeps), 1))
        weights[self._place(dice, rolls_left)] = 1
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
        shape = self.ruleset.rolls - 1, self._all + 1, self.points.shape[1]
        keeps = np.empty(shape, np.min_scalar_type(-len(self.lattice.keeps)))
        boxes = np.empty(shape[1:], np.int8)
        for masks in self._layers(self._all):
            places, worths = map(np.array, zip(*self.scored(masks), strict=True))
            first = worths.round(_DECIMALS).argmax(axis=0)
            boxes[masks] = np.take_along_axis(places, first.T, axis=0).T
            final = worths.max(axis=0).T
            values = self.lattice.turn(final, self.ruleset.rolls)
            for stage, worth in zip(keeps, values, strict=False):
                stage[masks] = self._best_keeps(worth, final, _DECIMALS).T
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

    def _best_keeps(self, worth: Floats, final: Floats, decimals: int) -> Ints:
        """The best keep of each roll (rolls × cases), the roll itself if it is to be scored.

        ``worth`` is that of the keeps, ``final`` that of the rolls once scored.
        """
        best = np.rint(worth * 10**decimals).astype(np.int64)
        best[self.lattice.rolls] = np.rint(final * 10**decimals)
        count = len(best)
        best *= count  # worth and place as one number, so that among equals the last place wins
        best += np.arange(count)[:, np.newaxis]
        self.lattice.choose(best)
        return best[self.lattice.rolls] % count

    def _held(self, weights: Floats, keeps: NDArray[np.signedinteger]) -> Floats:
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
        return _Turn(keys, after, [worth[:, 0].copy() for worth in values])

    def _choices(
        self, turn: _Turn, total: int, dice: Sequence[int], rolls_left: int
    ) -> list[Choice]:
        """The choices that a turn offers now; ``total`` is added to what each is worth."""
        at = self._place(dice, rolls_left)
        if not dice:
            return [Choice((), None, total + float(turn.stages[-1][at]))]
        scored = turn.boxes[:, at - self.lattice.rolls.start]
        choices = [
            Choice(None, key, total + worth)
            for key, worth in zip(turn.keys, scored.tolist(), strict=True)
        ]
        if rolls_left:
            keeps = self.lattice.contained(self.lattice.keeps[at])
            held = turn.stages[rolls_left - 1][keeps]
            choices += [
                Choice(self.lattice.keeps[keep], None, total + worth)
                for keep, worth in zip(keeps, held.tolist(), strict=True)
            ]
        return choices

    def _place(self, dice: Sequence[int], rolls_left: int) -> int:
        """The place in the lattice of the dice on the table, or of none before the first roll."""
        rolls = self.ruleset.rolls
        if rolls_left not in (range(rolls) if dice else (rolls,)):
            raise ValueError(f"{rolls_left} rolls left with {len(dice)} dice on the table")
        return self.lattice.index[tuple(sorted(self.ruleset.check(dice)))] if dice else 0

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


def solved(ruleset: Ruleset) -> Solver:
    """The solver of a ruleset, made at the first call; whoever asks meanwhile waits for it."""
    with _solving:
        return _solved(ruleset)


_solved = lru_cache(Solver)
_solving = Lock()


def _at_least(needed: int | Ints, points: Ints) -> Ints:
    """What is still to get after these points."""
    return np.maximum(needed - points, 0)
