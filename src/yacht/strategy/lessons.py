"""Positions that show what each tip says, with the exact numbers of the choices it is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from yacht.engine.position import Position, read_position
from yacht.engine.rules import Dice, Ruleset
from yacht.strategy.advice import Advice, Held, Option, Prospect, Tip, advise


class Compared(NamedTuple):
    """A choice among others: ``chance`` is that the next roll alone meets one of the boxes.

    ``faces`` are those that do so where a single die is rolled.
    """

    option: Option
    chance: Fraction | None
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position, the advice for it, and the choices to compare, the best of all first.

    ``prospects`` are those of some boxes, in card order, where the best choice is to hold.
    """

    at: Position
    advice: Advice
    compared: tuple[Compared, ...]
    prospects: tuple[Prospect, ...]


class _Set(NamedTuple):
    """A lesson as it is written down: held dice come first, and choices are typed.

    ``meets`` are the boxes whose chance is told of each choice, ``grows`` those that the best
    choice may end in.
    """

    dice: str
    rolls_left: int
    choices: tuple[str, ...]
    open_boxes: tuple[str, ...] = ()
    meets: tuple[str, ...] = ()
    grows: tuple[str, ...] = ()


_STRAIGHTS = ("little_straight", "big_straight")
_FOUR = "four_of_a_kind"

_LESSONS: Mapping[Tip, tuple[_Set, ...]] = {
    Tip.KEEP_OPEN: (
        _Set("55512", 2, ("555", "2555", "55"), grows=("full_house", _FOUR, "yacht")),
        _Set("34534", 2, ("345", "44", "3344"), grows=_STRAIGHTS),
    ),
    Tip.STRAIGHTS_EXACT: (
        _Set("23455", 1, ("2345", "55"), meets=_STRAIGHTS),
        _Set("13455", 1, ("1345", "345", "55"), meets=_STRAIGHTS),
    ),
    Tip.CHOICE_IS_INSURANCE: (
        _Set("11245", 0, ("ones", "twos", "choice")),
        _Set("66554", 0, ("choice", "fives", "sixes")),
    ),
    Tip.FOUR_PAYS_HIGH: (
        _Set("66331", 2, ("66", "33"), (_FOUR, "choice", "yacht"), meets=(_FOUR,)),
        _Set("44441", 1, (_FOUR, "4444"), (_FOUR, "choice")),
    ),
    Tip.ZERO_CAN_BE_RIGHT: (
        _Set("12256", 0, ("yacht", "sixes", "full_house"), ("sixes", "full_house", "yacht")),
        _Set(
            "22456",
            0,
            ("ones", "fives", "sixes", "big_straight"),
            ("ones", "fives", "sixes", "big_straight"),
        ),
    ),
    Tip.LOOK_AT_EVERY_BOX: (
        _Set("44441", 0, (_FOUR, "fours", "choice", "yacht")),
        _Set(
            "33322",
            0,
            ("threes", "full_house", "yacht", "choice"),
            ("threes", "full_house", "yacht", "choice"),
        ),
    ),
}

_LATE = {
    "ones": 3,
    "twos": 6,
    "threes": 9,
    "fours": 12,
    "fives": 15,
    "sixes": 18,
    "full_house": 23,
    "four_of_a_kind": 16,
    "little_straight": 30,
    "big_straight": 0,
    "choice": 22,
    "yacht": 0,
}
"""What stands in the boxes of a card on which few are open."""


def lessons(ruleset: Ruleset) -> Mapping[Tip, tuple[Lesson, ...]]:
    """The lessons of every tip. The first ones under a ruleset solve it."""
    return {tip: tuple(_lesson(one, ruleset) for one in sets) for tip, sets in _LESSONS.items()}


def chance_of(keep: Dice, boxes: tuple[str, ...], ruleset: Ruleset) -> Fraction:
    """How likely rolling the dice that aren't held gives points in one of the boxes."""
    rest = list(product(range(1, ruleset.faces + 1), repeat=ruleset.dice - len(keep)))
    met = sum(_meets((*keep, *rolled), boxes, ruleset) for rolled in rest)
    return Fraction(met, len(rest))


def _meets(dice: Dice, boxes: tuple[str, ...], ruleset: Ruleset) -> bool:
    return any(ruleset.categories[ruleset.index(box)].score(dice) for box in boxes)


def _lesson(one: _Set, ruleset: Ruleset) -> Lesson:
    filled = [
        f"{key}:{points}"
        for key, points in _LATE.items()
        if one.open_boxes and key not in one.open_boxes
    ]
    at = read_position(one.dice, str(one.rolls_left), ",".join(filled), ruleset.key)
    advice = advise(at.card, at.dice, at.rolls_left, ruleset)
    compared = [
        _compared(option, one.meets, ruleset)
        for option in advice.ranking.choices
        if (option.score or "".join(map(str, option.keep or ()))) in one.choices
    ]
    held = advice.why.prospects if isinstance(advice.why, Held) else ()
    prospects = [prospect for prospect in held if prospect.box in one.grows]
    return Lesson(at, advice, tuple(compared), tuple(prospects))


def _compared(option: Option, boxes: tuple[str, ...], ruleset: Ruleset) -> Compared:
    if option.keep is None or not boxes:
        return Compared(option, None, ())
    faces = tuple(
        face
        for face in range(1, ruleset.faces + 1)
        if len(option.keep) == ruleset.dice - 1 and _meets((*option.keep, face), boxes, ruleset)
    )
    return Compared(option, chance_of(option.keep, boxes, ruleset), faces)
