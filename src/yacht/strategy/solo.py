"""The exact worth of every choice played alone, for the average and for a target."""

from collections.abc import Sequence
from functools import lru_cache, partial
from threading import Lock
from typing import NamedTuple

import numpy as np

from yacht.engine.game import Scorecard
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Dice, Ruleset
from yacht.strategy.lattice import Floats, Ints
from yacht.strategy.outcomes import Outcomes, Policy
from yacht.strategy.reach import at_least, reachable
from yacht.strategy.values import Values

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


class _Turn(NamedTuple):
    """What can be had in a turn, with the keys of the open boxes.

    ``boxes`` has what each roll is worth once scored (boxes × rolls); ``stages[left - 1]`` what
    each keep is worth.
    """

    keys: list[str]
    boxes: Floats
    stages: list[Floats]


class Solver(Values):
    """Best play of a ruleset alone, solved when it is made: within 0.1 s for the shipped ones.

    It takes any ruleset of up to 12 boxes that give no negative points (ValueError for others),
    and reads points through the engine alone. Expected points are exact but for rounding, about
    1e-12. A card that hasn't the ruleset's boxes raises ValueError everywhere.
    """

    def __init__(self, ruleset: Ruleset = CLASSIC) -> None:
        super().__init__(ruleset)
        self._outcomes = Outcomes(self, _DECIMALS)
        self._turn = lru_cache(512)(self._solve_turn)
        self._reach = lru_cache(4)(partial(reachable, self))

    def value(self, card: Scorecard) -> float:
        """The points that the open boxes of a card bring on average under best play."""
        return float(self.values[self.mask(card)])

    def rank(self, card: Scorecard, dice: Sequence[int], rolls_left: int) -> list[Choice]:
        """Every distinct choice with its expected final total, the best first.

        Before the first roll of a turn, ``dice`` is empty. Among equals the boxes come first, in
        card order, then the keeps of more dice, of these the ones of higher faces. Raises
        IllegalMove for dice that can't be and for a full card, ValueError for rolls that can't be
        left.
        """
        choices = self._choices(self._turn(self.mask(card)), card.total, dice, rolls_left)
        return sorted(choices, key=lambda choice: -round(choice.worth, _DECIMALS))

    def chance(self, card: Scorecard, target: int) -> float:
        """The highest possible probability of a final total of ``target`` or more.

        That is another aim than the highest average: who needs a Yacht to get there plays for it,
        however much it costs on average. For an empty card it takes seconds.
        """
        mask, needed = self.mask(card), self._needed(card, target)
        return min(1.0, float(self._reach(mask, needed)[mask, needed]))  # rounding may end above

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
        turn, decimals = self._turn(self.mask(card)), _DECIMALS
        if target is not None:
            places, after = self._aimed(card, target)
            turn, decimals = self._as_turn(places, after + _SLIGHT * turn.boxes), _DIGITS
        weights = np.zeros((len(self.lattice.keeps), 1))
        weights[self.lattice.index[keep]] = 1
        self.lattice.spread(weights)
        final = turn.boxes.max(axis=0)[:, np.newaxis]
        for stage in turn.stages[: rolls_left - 1][::-1]:
            held = self.lattice.best_keeps(stage[:, np.newaxis], final, decimals)
            weights = self.lattice.hold(weights, held.T)
        boxes = turn.boxes.round(decimals).argmax(axis=0)
        is_best = boxes == np.arange(len(turn.boxes))[:, np.newaxis]
        return np.where(is_best, weights[self.lattice.rolls, 0], 0)

    def distribution(
        self, card: Scorecard, dice: Sequence[int] = (), rolls_left: int = 0
    ) -> Floats:
        """The probability of each final total from 0 on, under best play for the average.

        In a turn, from the ``dice`` on the table with ``rolls_left``; raises what ``rank`` raises.
        """
        mask = self.mask(card)
        if not dice:
            return np.concatenate([np.zeros(card.total), self._outcomes.further[mask]])
        if not mask:
            raise IllegalMove(Reason.GAME_OVER)
        further = self._outcomes.within(mask, self._place(dice, rolls_left), rolls_left)
        return np.concatenate([np.zeros(card.total), further])

    def usual(self) -> dict[str, int]:
        """The points, other than 0, that best play writes in each box most often.

        That is 4 for Twos: a pair is written there in 39 games of 100.
        """
        written = self._outcomes.written[:, 1:]
        keys = (box.key for box in self.ruleset.categories)
        return dict(zip(keys, (written.argmax(axis=1) + 1).tolist(), strict=True))

    @property
    def policy(self) -> Policy:
        """The choices that ``rank`` has first, as tables for many games at once."""
        return self._outcomes.policy

    def _needed(self, card: Scorecard, target: int) -> int:
        """The points to the target; never less than none, nor more than one that can't be had."""
        return min(max(target - card.total, 0), int(self.most[self.mask(card)]) + 1)

    def _aimed(self, card: Scorecard, target: int) -> tuple[Ints, Floats]:
        """The open boxes, and each roll's chance of the target once it is scored there."""
        mask, needed = self.mask(card), self._needed(card, target)
        reach = self._reach(mask, needed)
        places = self.places(np.array([mask]))[:, 0]
        after = [reach[mask ^ 1 << place, at_least(needed, self.points[place])] for place in places]
        return places, np.array(after)

    def _solve_turn(self, mask: int) -> _Turn:
        places = self.places(np.array([mask]))[:, 0]
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


def solved(ruleset: Ruleset) -> Solver:
    """The solver of a ruleset, made at the first call; whoever asks meanwhile waits for it."""
    with _solving:
        return _solved(ruleset)


_solved = lru_cache(Solver)
_solving = Lock()
