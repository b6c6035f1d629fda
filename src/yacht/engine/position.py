"""A moment of a turn, to be thought about: a card, the dice, the rolls left; and how to type it.

Dice are ``1-2-2-4-6`` or ``12246``. Filled boxes are ``fours:16,ones`` or ``fours=16,ones``; the
points of one that has none count as 0.
"""

import re
from dataclasses import dataclass

from yacht.engine.game import Game, Scorecard
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Dice, Ruleset, ruleset_named


@dataclass(frozen=True, slots=True)
class Position:
    """Dice on the table of somebody with this card, and how often they may still be rolled."""

    ruleset: Ruleset
    card: Scorecard
    dice: Dice
    rolls_left: int

    @property
    def game(self) -> Game:
        """A game of one that has come here."""
        rolled = self.ruleset.rolls - self.rolls_left
        return Game(self.ruleset, (self.card,), self.dice, rolls_used=rolled)


def read_position(
    dice: str, rolls_left: str, filled: str = "", ruleset: str = CLASSIC.key
) -> Position:
    """The position that was typed, with something left to decide.

    Raises IllegalMove naming the first thing that can't be.
    """
    rules = ruleset_named(ruleset)
    card = read_card(filled, rules)
    if None not in card.boxes:
        raise IllegalMove(Reason.ALL_FILLED)
    return Position(rules, card, read_dice(dice, rules), read_rolls(rolls_left, rules))


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


def read_dice(typed: str, ruleset: Ruleset) -> Dice:
    """Dice that were typed. Raises IllegalMove."""
    faces = list(typed) if re.fullmatch("[0-9]*", typed) else typed.split("-")
    return ruleset.check([read_face(face) for face in faces])


def read_rolls(typed: str, ruleset: Ruleset) -> int:
    """The rolls that are left with dice on the table. Raises IllegalMove(BAD_ROLLS_LEFT)."""
    if not re.fullmatch("[0-9]", typed) or int(typed) >= ruleset.rolls:
        raise IllegalMove(Reason.BAD_ROLLS_LEFT, value=typed, most=ruleset.rolls - 1)
    return int(typed)


def read_card(typed: str, ruleset: Ruleset) -> Scorecard:
    """The filled boxes that were typed, as a card. Raises IllegalMove."""
    boxes: list[int | None] = [None] * len(ruleset.categories)
    for named in filter(None, typed.split(",")):
        key, *points = re.split("[:=]", named, maxsplit=1)
        place = ruleset.index(key)
        if boxes[place] is not None:
            raise IllegalMove(Reason.BOX_TWICE, category=key)
        boxes[place] = _points(points[0], place, ruleset) if points else 0
    return Scorecard(tuple(boxes))


def _points(typed: str, place: int, ruleset: Ruleset) -> int:
    category = ruleset.categories[place]
    if not re.fullmatch("[0-9]{1,3}", typed) or int(typed) not in ruleset.given(category.key):
        raise IllegalMove(Reason.BAD_POINTS, category=category.key, value=typed)
    return int(typed)
