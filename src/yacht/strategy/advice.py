"""What to do with the dice on a card, and why: keys and exact numbers, no sentence.

NumPy comes with the solver, at the first advice; the shapes here are known without it.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import msgspec

from yacht.engine.game import Scorecard
from yacht.engine.rules import CLASSIC, Dice, Ruleset, score

if TYPE_CHECKING:
    from yacht.strategy.lattice import Floats
    from yacht.strategy.solo import Solver

_STRAIGHTS = {"little_straight", "big_straight"}
_FOUR, _CHOICE = "four_of_a_kind", "choice"


class Tip(StrEnum):
    """The tips that the product teaches; each choice is an example of at most one."""

    KEEP_OPEN = "keep_open"
    STRAIGHTS_EXACT = "straights_exact"
    CHOICE_IS_INSURANCE = "choice_is_insurance"
    FOUR_PAYS_HIGH = "four_pays_high"
    ZERO_CAN_BE_RIGHT = "zero_can_be_right"
    LOOK_AT_EVERY_BOX = "look_at_every_box"


class Play(msgspec.Struct, frozen=True, omit_defaults=True):
    """Either the faces to hold, sorted, while the rest are rolled, or the box to score in."""

    keep: Dice | None = None
    score: str | None = None


class Option(Play, frozen=True, omit_defaults=True, kw_only=True):
    """A choice, what it is worth, and how much less that is than the best.

    It is worth an expected final total, or the chance of reaching a target.
    """

    expected_total: float | None = None
    chance: float | None = None
    loss: float


class Ranking(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Every distinct choice, the best first, and what the best one is worth."""

    best: Play
    expected_total: float | None = None
    chance: float | None = None
    choices: tuple[Option, ...]


class Prospect(msgspec.Struct, frozen=True):
    """What a box may hope for from the dice that a turn of best play ends with.

    ``chance`` is that they give it points at all: that a combination is met. ``points`` is what
    they give it on average, ``written`` the chance that it is the box they go into.
    """

    box: str
    chance: float
    points: float
    written: float


class Held(msgspec.Struct, frozen=True, tag="hold"):
    """Why to hold dice: the prospects of every open box, in card order, and boxes kept possible.

    ``opens`` are open boxes that may still get points this turn, and that the runner-up closes: it
    fills them, or holds dice that no last roll can turn into points there.
    """

    prospects: tuple[Prospect, ...]
    opens: tuple[str, ...]


class Written(msgspec.Struct, frozen=True):
    """A box that the dice can be scored in: its points, and what is lost against the best."""

    box: str
    points: int
    loss: float


class Scored(msgspec.Struct, frozen=True, tag="score"):
    """Why to score in a box: what it and the other open ones give and cost, the best first."""

    best: Written
    others: tuple[Written, ...]

    @property
    def zero(self) -> Written | None:
        """The box that costs least to give up, of those that the dice give nothing."""
        return next((one for one in (self.best, *self.others) if not one.points), None)


class Advice(msgspec.Struct, frozen=True):
    """A ranking for some dice, why the best is best, and the tip that it is an example of, if any.

    ``ruleset`` is a key. ``dice`` are as they were given, none before a turn's first roll.
    """

    ruleset: str
    dice: Dice
    ranking: Ranking
    why: Held | Scored
    tip: Tip | None


def advise(
    card: Scorecard,
    dice: Sequence[int],
    rolls_left: int,
    ruleset: Ruleset = CLASSIC,
    target: int | None = None,
) -> Advice:
    """The choices for these dice on this card: by expected total, or by the chance of a target.

    Without dice the turn is still to begin. Choices with equal chances of the target are ranked by
    expected total. The first advice under a ruleset solves it, in a tenth of a second; a target
    far from the end of a game takes seconds.

    Raises IllegalMove for dice that can't be and for a full card, ValueError for rolls that can't
    be left.
    """
    from yacht.strategy.solo import solved

    solver = solved(ruleset)
    options = _options(solver, card, dice, rolls_left, target)
    best, roll = options[0], tuple(sorted(dice))
    ranking = Ranking(
        best=Play(best.keep, best.score),
        expected_total=best.expected_total,
        chance=best.chance,
        choices=tuple(options),
    )
    if best.keep is None:
        why = _scored(ruleset, roll, options)
        tips = _tips_to_score(ruleset, roll, why)
    else:
        endings = solver.endings(card, best.keep, rolls_left, target)
        why = _held(ruleset, rolls_left, options, _prospects(solver, card, endings))
        tips = _tips_to_hold(ruleset, roll, best.keep, why)
    return Advice(ruleset.key, tuple(dice), ranking, why, next(tips, None))


def _options(
    solver: "Solver", card: Scorecard, dice: Sequence[int], rolls_left: int, target: int | None
) -> list[Option]:
    ranked = solver.rank(card, dice, rolls_left)
    if target is None:
        best = ranked[0].worth
        return [
            Option(keep, box, expected_total=worth, loss=max(best - worth, 0.0))
            for keep, box, worth in ranked
        ]
    place = {(keep, box): place for place, (keep, box, _) in enumerate(ranked)}
    chances = solver.rank_chance(card, dice, rolls_left, target)
    chances.sort(key=lambda one: (-round(one.worth, 9), place[one.keep, one.score]))
    best = chances[0].worth
    return [
        Option(keep, box, chance=worth, loss=max(best - worth, 0.0)) for keep, box, worth in chances
    ]


def _prospects(solver: "Solver", card: Scorecard, endings: "Floats") -> list[Prospect]:
    ended = endings.sum(axis=0)
    places = [place for place, points in enumerate(card.boxes) if points is None]
    return [
        Prospect(
            solver.ruleset.categories[place].key,
            _chance(ended[solver.points[place] > 0]),
            float(solver.points[place] @ ended),
            _chance(written),
        )
        for place, written in zip(places, endings, strict=True)
    ]


def _chance(shares: "Floats") -> float:
    """What the shares of chance add up to; rounding never makes it more than 1."""
    return min(float(shares.sum()), 1.0)


def _held(
    ruleset: Ruleset, rolls_left: int, options: Sequence[Option], prospects: Sequence[Prospect]
) -> Held:
    opens = list[str]()
    possible = [prospect.box for prospect in prospects if prospect.chance > 0]
    for other in options[1:2]:
        if other.keep is None:
            opens = [box for box in possible if box == other.score]
        elif rolls_left == 1:  # before that, dice can be released again
            still = _possible(ruleset, possible, other.keep)
            opens = [box for box in possible if box not in still]
    return Held(tuple(prospects), tuple(opens))


def _possible(ruleset: Ruleset, boxes: Iterable[str], keep: Dice) -> list[str]:
    """Those of the boxes to which some roll with all the dice of the keep gives points."""
    faces, others = range(1, ruleset.faces + 1), ruleset.dice - len(keep)
    rolls = [(*keep, *rest) for rest in combinations_with_replacement(faces, others)]
    categories = (ruleset.categories[ruleset.index(box)] for box in boxes)
    return [category.key for category in categories if any(map(category.score, rolls))]


def _scored(ruleset: Ruleset, roll: Dice, options: Sequence[Option]) -> Scored:
    best, *others = [
        Written(option.score, score(roll, option.score, ruleset), option.loss)
        for option in options
        if option.score is not None
    ]
    return Scored(best, tuple(others))


def _tips_to_hold(ruleset: Ruleset, roll: Dice, keep: Dice, held: Held) -> Iterator[Tip]:
    """The tips that holding these dice is an example of, the most telling one first.

    - straights_exact: all dice but one are held, and one more face makes an open straight;
    - four_pays_high: Four of a Kind is open, one face alone is held, twice or more, and a lower
      one that as many dice show is rolled;
    - keep_open: at least half of the boxes are open, two dice or more are held, and with all of
      them two open combinations or more can still be met, Choice not counted.
    """
    boxes = [prospect.box for prospect in held.prospects]
    possible = _possible(ruleset, boxes, keep)
    if len(keep) == ruleset.dice - 1 and not _STRAIGHTS.isdisjoint(possible):
        yield Tip.STRAIGHTS_EXACT
    if _FOUR in boxes and len(keep) > 1 and len(set(keep)) == 1:
        rolled = {face for face in roll if face < keep[0] and roll.count(face) == len(keep)}
        if rolled:
            yield Tip.FOUR_PAYS_HIGH
    combinations = [
        box
        for box in possible
        if box != _CHOICE and ruleset.categories[ruleset.index(box)].face is None
    ]
    if 2 * len(boxes) >= len(ruleset.categories) and len(keep) > 1 and len(combinations) > 1:
        yield Tip.KEEP_OPEN


def _tips_to_score(ruleset: Ruleset, roll: Dice, scored: Scored) -> Iterator[Tip]:
    """The tips that scoring here is an example of, the most telling one first.

    - zero_can_be_right: the box gets no points, and it isn't the only open one;
    - four_pays_high: Four of a Kind gets points, for a face of the higher half;
    - choice_is_insurance: Choice is open and would get more points than any other open box, or it
      is chosen and no other would get any;
    - look_at_every_box: another open box but Choice would get as many points or more.
    """
    best, others = scored.best, scored.others
    if not others:
        return
    if not best.points:
        yield Tip.ZERO_CAN_BE_RIGHT
    elif best.box == _FOUR and 2 * max(roll, key=roll.count) > ruleset.faces:
        yield Tip.FOUR_PAYS_HIGH
    given = {other.box: other.points for other in others}
    spared = given.pop(_CHOICE, 0)
    most = max(given.values(), default=0)
    if spared > max(best.points, most) or (best.box == _CHOICE and not most):
        yield Tip.CHOICE_IS_INSURANCE
    if most >= best.points:
        yield Tip.LOOK_AT_EVERY_BOX
