"""The categories and the two rulesets. Every rule about points is here and nowhere else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement, groupby
from typing import cast

from yacht.engine.reasons import IllegalMove, Reason

Dice = tuple[int, ...]
"""Faces in table order, 1 to the ruleset's ``faces``; scoring ignores the order."""


@dataclass(frozen=True, slots=True)
class Category:
    """A box of the scorecard: a stable key and the points it gives for dice.

    ``face`` is the face a number box counts, None for a combination.
    """

    key: str
    score: Callable[[Dice], int]
    face: int | None = None


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A set of rules as a value: the boxes in the order the card lists them, and the dice."""

    key: str
    categories: tuple[Category, ...]
    dice: int = 5
    faces: int = 6
    rolls: int = 3

    def index(self, category: object) -> int:
        """The place of a category key on the card. Raises IllegalMove(UNKNOWN_CATEGORY)."""
        for place, known in enumerate(self.categories):
            if known.key == category:
                return place
        raise IllegalMove(Reason.UNKNOWN_CATEGORY, category=category)

    def check(self, dice: object) -> Dice:
        """The dice as a tuple, or IllegalMove naming the first thing that is wrong with them."""
        if not isinstance(dice, list | tuple | str):
            raise IllegalMove(Reason.DICE_NOT_A_LIST, value=dice)
        faces = cast("Sequence[object]", dice)
        if len(faces) != self.dice:
            raise IllegalMove(Reason.WRONG_DICE_COUNT, value=len(faces), dice=self.dice)
        return tuple(self._face(face) for face in faces)

    @property
    def sections(self) -> list[list[Category]]:
        """The boxes in card order, numbers and combinations apart."""
        return [list(boxes) for _, boxes in groupby(self.categories, lambda box: box.face is None)]

    def most(self, category: str) -> int:
        """The most points a box can give."""
        return max(self.given(category))

    def given(self, category: str) -> set[int]:
        """All the points that a box can give."""
        score = self.categories[self.index(category)].score
        return set(map(score, self.rolls_sorted()))

    def rolls_sorted(self) -> list[Dice]:
        """Every roll of all dice, once without regard to order: 252 for five dice."""
        return list(combinations_with_replacement(range(1, self.faces + 1), self.dice))

    def _face(self, face: object) -> int:
        if type(face) is not int:
            reason = _NOT_A_FACE.get(type(face), Reason.FACE_NOT_A_NUMBER)
            raise IllegalMove(reason, value=face, faces=self.faces)
        if not 1 <= face <= self.faces:
            raise IllegalMove(Reason.FACE_OUT_OF_RANGE, value=face, faces=self.faces)
        return face


_NOT_A_FACE: dict[type, Reason] = {
    bool: Reason.FACE_IS_BOOLEAN,
    float: Reason.FACE_IS_FRACTION,
    str: Reason.FACE_IS_TEXT,
}


def _number(face: int, dice: Dice) -> int:
    return face * dice.count(face)


def _alike(dice: Dice) -> tuple[int, int]:
    """How many dice show the commonest face, and that face."""
    return max((dice.count(face), face) for face in dice)


def _full_house(dice: Dice) -> int:
    return sum(dice) if sorted(map(dice.count, set(dice))) == [2, 3] else 0


def _four_times_the_face(dice: Dice) -> int:
    count, face = _alike(dice)
    return 4 * face if count >= 4 else 0


def _four_and_the_fifth(dice: Dice) -> int:
    count, _ = _alike(dice)
    return sum(dice) if count >= 4 else 0


def _straight(lowest: int, dice: Dice) -> int:
    return 30 if sorted(dice) == list(range(lowest, lowest + 5)) else 0


def _yacht(dice: Dice) -> int:
    return 50 if len(set(dice)) == 1 else 0


def _card(four_of_a_kind: Callable[[Dice], int]) -> tuple[Category, ...]:
    numbers = ("ones", "twos", "threes", "fours", "fives", "sixes")
    return (
        *(Category(key, partial(_number, face), face) for face, key in enumerate(numbers, 1)),
        Category("full_house", _full_house),
        Category("four_of_a_kind", four_of_a_kind),
        Category("little_straight", partial(_straight, 1)),
        Category("big_straight", partial(_straight, 2)),
        Category("choice", sum),
        Category("yacht", _yacht),
    )


CLASSIC = Ruleset("classic", _card(_four_times_the_face))
SUM = Ruleset("sum", _card(_four_and_the_fifth)[::-1])  # its card runs from Yacht down to Ones
RULESETS = {ruleset.key: ruleset for ruleset in (CLASSIC, SUM)}


def ruleset_named(key: object) -> Ruleset:
    """The shipped ruleset with this key. Raises IllegalMove(UNKNOWN_RULESET)."""
    for ruleset in RULESETS.values():
        if ruleset.key == key:
            return ruleset
    raise IllegalMove(Reason.UNKNOWN_RULESET, value=key)


def score(dice: object, category: object, ruleset: Ruleset = CLASSIC) -> int:
    """The points of five dice in a category, named by its key.

    Raises IllegalMove, with a reason of its own and the value in question, for a wrong number
    of dice, a face outside 1 to 6, a bool, a float, a string, and an unknown category.

    >>> score((5, 5, 5, 2, 1), "fives")
    15
    """
    checked = ruleset.check(dice)
    return ruleset.categories[ruleset.index(category)].score(checked)
