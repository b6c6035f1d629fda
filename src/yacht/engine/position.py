"""A moment of a turn, to be thought about: a card, the dice, the rolls left; and how to type it.

Dice are ``1-2-2-4-6`` or ``12246``. Filled boxes are ``fours:16,ones`` or ``fours=16,ones``; the
points of one that has none count as 0.
"""

import re
from dataclasses import dataclass

from yacht.engine.game import Scorecard
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Dice, Ruleset, ruleset_named


@dataclass(frozen=True, slots=True)
class Position:
    """Dice on the table and a card with an open box: something is left to decide."""

    ruleset: Ruleset
    card: Scorecard
    dice: Dice
    rolls_left: int

    @property
    def filled(self) -> str:
        """The filled boxes as they are typed."""
        return ",".join(
            f"{category.key}:{points}" if points else category.key
            for category, points in zip(self.ruleset.categories, self.card.boxes, strict=True)
            if points is not None
        )


def read_position(
    dice: str, rolls_left: str, filled: str = "", ruleset: str = CLASSIC.key
) -> Position:
    """The position that was typed. Raises IllegalMove naming the first thing that can't be."""
    rules = ruleset_named(ruleset)
    return Position(rules, _card(filled, rules), _dice(dice, rules), _rolls(rolls_left, rules))


def read_target(typed: str) -> int:
    """A number of points that was typed. Raises IllegalMove(BAD_TARGET)."""
    if not re.fullmatch(r"[0-9]{1,4}", typed):
        raise IllegalMove(Reason.BAD_TARGET, value=typed)
    return int(typed)


def read_face(typed: str) -> int | float | str:
    """The number that was typed, or the text if it is none: the rules say what is wrong with it."""
    if re.fullmatch(r"-?[0-9]{1,18}", typed):
        return int(typed)
    if re.fullmatch(r"-?([0-9]+\.[0-9]*|\.[0-9]+)", typed):
        return float(typed)
    return typed


def _dice(typed: str, ruleset: Ruleset) -> Dice:
    faces = list(typed) if re.fullmatch("[0-9]*", typed) else typed.split("-")
    return ruleset.check([read_face(face) for face in faces])


def _rolls(typed: str, ruleset: Ruleset) -> int:
    if not re.fullmatch("[0-9]", typed) or int(typed) >= ruleset.rolls:
        raise IllegalMove(Reason.BAD_ROLLS_LEFT, value=typed, most=ruleset.rolls - 1)
    return int(typed)


def _card(typed: str, ruleset: Ruleset) -> Scorecard:
    boxes: list[int | None] = [None] * len(ruleset.categories)
    for named in filter(None, typed.split(",")):
        key, *points = re.split("[:=]", named, maxsplit=1)
        place = ruleset.index(key)
        if boxes[place] is not None:
            raise IllegalMove(Reason.BOX_TWICE, category=key)
        boxes[place] = _points(points[0], place, ruleset) if points else 0
    if None not in boxes:
        raise IllegalMove(Reason.ALL_FILLED)
    return Scorecard(tuple(boxes))


def _points(typed: str, place: int, ruleset: Ruleset) -> int:
    category = ruleset.categories[place]
    if not re.fullmatch("[0-9]{1,3}", typed) or int(typed) not in ruleset.given(category.key):
        raise IllegalMove(Reason.BAD_POINTS, category=category.key, value=typed)
    return int(typed)
