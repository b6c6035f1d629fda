"""The lessons: every number by brute force, and all that the tips say of them."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from tests.strategy.brute import becomes, contained
from yacht.engine.game import Scorecard
from yacht.engine.rules import CLASSIC, RULESETS, SUM, Dice, Ruleset
from yacht.strategy.advice import Tip
from yacht.strategy.lessons import _LESSONS, Lesson, chance_of, lessons
from yacht.strategy.solo import solved

BOTH = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
STRAIGHTS = ("little_straight", "big_straight")


@cache
def told(ruleset: Ruleset) -> Mapping[Tip, tuple[Lesson, ...]]:
    return lessons(ruleset)


def points(lesson: Lesson, box: str) -> int:
    """What the dice on the table give in a box."""
    ruleset = lesson.at.ruleset
    return ruleset.categories[ruleset.index(box)].score(lesson.at.dice)


def open_boxes(lesson: Lesson) -> list[str]:
    boxes = zip(lesson.at.ruleset.categories, lesson.at.card.boxes, strict=True)
    return [box.key for box, written in boxes if written is None]


def loss(lesson: Lesson, choice: Dice | str) -> float:
    """What a choice costs, among all of them."""
    [lost] = [one.loss for one in lesson.advice.ranking.choices if choice in (one.keep, one.score)]
    return lost


# ---- numbers ----------------------------------------------------------------------------------


@cache
def best(ruleset: Ruleset, card: Scorecard, dice: Dice, rolls_left: int) -> float:
    """The expected final total of sorted dice, with the solver's value of the turns after this."""
    scored = max(
        written(ruleset, card, dice, box.key)
        for box, at in zip(ruleset.categories, card.boxes, strict=True)
        if at is None
    )
    if not rolls_left:
        return scored
    return max(scored, *(held(ruleset, card, keep, rolls_left) for keep in contained(dice)))


@cache
def held(ruleset: Ruleset, card: Scorecard, keep: Dice, rolls_left: int) -> float:
    """The mean over every throw of the other dice."""
    rolls = becomes(keep, ruleset.dice, ruleset.faces)
    total = sum(n * best(ruleset, card, dice, rolls_left - 1) for dice, n in rolls.items())
    return total / sum(rolls.values())


def written(ruleset: Ruleset, card: Scorecard, dice: Dice, box: str) -> float:
    place = ruleset.index(box)
    given = ruleset.categories[place].score(dice)
    after = Scorecard((*card.boxes[:place], given, *card.boxes[place + 1 :]))
    return after.total + solved(ruleset).value(after)


@BOTH
@pytest.mark.parametrize("tip", Tip)
def test_every_worth_is_that_of_trying_everything(ruleset: Ruleset, tip: Tip) -> None:
    """The expected totals are those of all throws that can follow in the turn."""
    for lesson in told(ruleset)[tip]:
        card, left = lesson.at.card, lesson.at.rolls_left
        dice = tuple(sorted(lesson.at.dice))
        for option, *_ in lesson.compared:
            worth = (
                written(ruleset, card, dice, option.score)
                if option.score
                else held(ruleset, card, option.keep or (), left)
            )
            assert option.expected_total == pytest.approx(worth, abs=1e-9)
            assert option.loss == pytest.approx(best(ruleset, card, dice, left) - worth, abs=1e-9)


@pytest.mark.parametrize(
    ("keep", "boxes", "chance"),
    [
        ((2, 3, 4, 5), STRAIGHTS, Fraction(1, 3)),
        ((1, 3, 4, 5), STRAIGHTS, Fraction(1, 6)),
        ((3, 4, 5), STRAIGHTS, Fraction(1, 9)),
        ((5, 5), STRAIGHTS, Fraction(0)),
        ((6, 6), ("four_of_a_kind",), Fraction(2, 27)),
        ((), ("yacht",), Fraction(6, 7776)),
    ],
)
@BOTH
def test_chances_of_one_roll(
    ruleset: Ruleset, keep: Dice, boxes: tuple[str, ...], chance: Fraction
) -> None:
    """They are what one counts on paper."""
    assert chance_of(keep, boxes, ruleset) == chance


def test_a_straight_is_counted_over_every_throw() -> None:
    """Of the throws of the dice that aren't held, so many make 1-2-3-4-5 or 2-3-4-5-6."""
    for keep in contained((1, 3, 4, 5, 5)) | contained((2, 3, 4, 5, 6)):
        thrown = [sorted((*keep, *rest)) for rest in product(range(1, 7), repeat=5 - len(keep))]
        met = sum(dice in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]) for dice in thrown)
        assert chance_of(keep, STRAIGHTS, CLASSIC) == Fraction(met, len(thrown))


# ---- what the tips say ------------------------------------------------------------------------


@BOTH
def test_the_best_of_all_choices_comes_first(ruleset: Ruleset) -> None:
    """Each lesson compares what it is written to compare; its first choice is the best there is."""
    assert set(told(ruleset)) == set(Tip)
    for tip, sets in _LESSONS.items():
        for lesson, one in zip(told(ruleset)[tip], sets, strict=True):
            assert lesson.compared[0].option == lesson.advice.ranking.choices[0]
            assert len(lesson.compared) == len(one.choices)
            losses = [compared.option.loss for compared in lesson.compared]
            assert losses == sorted(losses)


@BOTH
def test_held_dice_lie_first(ruleset: Ruleset) -> None:
    """The page draws the dice to hold together: they are the first ones on the table."""
    for lesson in sum(told(ruleset).values(), ()):
        keep = lesson.advice.ranking.best.keep or ()
        assert tuple(sorted(lesson.at.dice[: len(keep)])) == keep


@BOTH
def test_each_tip_has_an_example_that_the_advice_calls_one(ruleset: Ruleset) -> None:
    """In a game, too, one of the positions of each tip would be told as its example."""
    for tip, shown in told(ruleset).items():
        assert tip in {lesson.advice.tip for lesson in shown}


@BOTH
def test_three_alike_are_held_alone(ruleset: Ruleset) -> None:
    """Any die held beside them costs something; three combinations can still come of them."""
    lesson = told(ruleset)[Tip.KEEP_OPEN][0]
    assert lesson.advice.ranking.best.keep == (5, 5, 5)
    assert min(loss(lesson, (1, 5, 5, 5)), loss(lesson, (2, 5, 5, 5))) > 1
    chances = {prospect.box: prospect.chance for prospect in lesson.prospects}
    assert set(chances) == {"full_house", "four_of_a_kind", "yacht"}
    assert 0.9 * (11 / 36) ** 2 < chances["yacht"] <= (11 / 36) ** 2  # if only 5s were held
    assert 0.9 * (1 - (25 / 36) ** 2) < chances["four_of_a_kind"] <= 1 - (25 / 36) ** 2
    assert chances["full_house"] > 0


@BOTH
def test_a_run_among_two_pairs_is_worth_more(ruleset: Ruleset) -> None:
    """The pairs could make a Full House; the run can make either straight and is worth more."""
    lesson = told(ruleset)[Tip.KEEP_OPEN][1]
    assert lesson.advice.ranking.best.keep == (3, 4, 5)
    assert sorted(lesson.at.dice) == [3, 3, 4, 4, 5]
    assert chance_of((3, 3, 4, 4), ("full_house",), ruleset) == Fraction(1, 3)
    assert loss(lesson, (3, 3, 4, 4)) > 0
    assert {prospect.box for prospect in lesson.prospects} == set(STRAIGHTS)
    assert all(prospect.chance > 0 for prospect in lesson.prospects)


@BOTH
def test_it_matters_which_four_are_held(ruleset: Ruleset) -> None:
    """2-3-4-5 is completed at either end, 1-3-4-5 by the one face in its gap."""
    both, one = told(ruleset)[Tip.STRAIGHTS_EXACT]
    assert both.compared[0].option.keep == (2, 3, 4, 5)
    assert (both.compared[0].chance, both.compared[0].faces) == (Fraction(1, 3), (1, 6))
    assert one.compared[0].option.keep == (1, 3, 4, 5)
    assert (one.compared[0].chance, one.compared[0].faces) == (Fraction(1, 6), (2,))
    for lesson in both, one:
        assert {points(lesson, box) for box in STRAIGHTS} == {0}  # one face lies there twice
        assert not any(compared.faces for compared in lesson.compared[1:])
    assert not chance_of((1, 3, 4, 5), ("big_straight",), ruleset)


@BOTH
def test_choice_is_for_high_sums(ruleset: Ruleset) -> None:
    """A low sum gives most in Choice and yet belongs elsewhere; a high one belongs there."""
    low, high = told(ruleset)[Tip.CHOICE_IS_INSURANCE]
    for lesson in low, high:
        boxes = open_boxes(lesson)
        assert len(boxes) == len(ruleset.categories)
        others = [points(lesson, box) for box in boxes if box != "choice"]
        assert points(lesson, "choice") > max(others)
    assert low.advice.ranking.best.score == "ones"
    assert low.compared[-1].option.score == "choice"
    assert high.advice.ranking.best.score == "choice"


@BOTH
def test_the_higher_pair_is_held(ruleset: Ruleset) -> None:
    """Both pairs are as likely to become four alike; the higher one is worth more."""
    lesson = told(ruleset)[Tip.FOUR_PAYS_HIGH][0]
    high, low = lesson.compared
    assert (high.option.keep, low.option.keep) == ((6, 6), (3, 3))
    assert high.chance == low.chance == Fraction(2, 27)
    assert low.option.loss > 1


def test_the_fifth_die_counts_in_sum_alone() -> None:
    """With a roll left, rolling it makes no difference in classic and pays in sum."""
    classic = told(CLASSIC)[Tip.FOUR_PAYS_HIGH][1]
    assert classic.at.dice == (4, 4, 4, 4, 1)
    assert classic.at.rolls_left == 1
    assert [one.option.loss for one in classic.compared] == pytest.approx([0, 0], abs=1e-9)
    summed = told(SUM)[Tip.FOUR_PAYS_HIGH][1]
    assert summed.advice.ranking.best.keep == (4, 4, 4, 4)
    assert loss(summed, "four_of_a_kind") == pytest.approx(3.5 - 1)  # a die's mean, and the 1


@BOTH
def test_the_hardest_box_gets_the_zero(ruleset: Ruleset) -> None:
    """Yacht is given up, which the fewest rolls meet, though Sixes would get points now."""
    lesson = told(ruleset)[Tip.ZERO_CAN_BE_RIGHT][0]
    assert lesson.advice.ranking.best.score == "yacht"
    assert points(lesson, "yacht") == 0 < points(lesson, "sixes")
    rolls = list(product(range(1, 7), repeat=5))
    met = {
        box: sum(ruleset.categories[ruleset.index(box)].score(dice) > 0 for dice in rolls)
        for box in open_boxes(lesson)
    }
    assert min(met, key=lambda box: met[box]) == "yacht"
    assert met["yacht"] == 6


@BOTH
def test_the_box_that_can_give_least_gets_the_zero(ruleset: Ruleset) -> None:
    """Ones are given up, which can give the least of all that is open."""
    lesson = told(ruleset)[Tip.ZERO_CAN_BE_RIGHT][1]
    assert lesson.advice.ranking.best.score == "ones"
    assert points(lesson, "ones") == 0 < points(lesson, "sixes")
    most = {box: ruleset.most(box) for box in open_boxes(lesson)}
    assert min(most, key=lambda box: most[box]) == "ones"


@BOTH
def test_most_points_are_not_always_best(ruleset: Ruleset) -> None:
    """Of the boxes that take four 4s the best is not the one that gives the most now."""
    lesson = told(ruleset)[Tip.LOOK_AT_EVERY_BOX][0]
    assert sorted(lesson.at.dice) == [1, 4, 4, 4, 4]
    assert points(lesson, "yacht") == 0
    given = {box: points(lesson, box) for box in open_boxes(lesson)}
    best_box = lesson.advice.ranking.best.score
    assert best_box
    assert 0 < given[best_box] < max(given.values())
    assert sum(given[box] > 1 for box in ("fours", "four_of_a_kind", "choice")) == 3


@BOTH
def test_a_low_full_house_is_written_as_a_number(ruleset: Ruleset) -> None:
    """It would give more points now; but most rolls that meet Full House give more than these."""
    lesson = told(ruleset)[Tip.LOOK_AT_EVERY_BOX][1]
    assert lesson.advice.ranking.best.score == "threes"
    assert sorted(lesson.at.dice) == [2, 2, 3, 3, 3]
    assert points(lesson, "full_house") > points(lesson, "threes")
    box = ruleset.categories[ruleset.index("full_house")]
    met = [box.score(dice) for dice in product(range(1, 7), repeat=5) if box.score(dice)]
    assert sum(given > points(lesson, "full_house") for given in met) > len(met) / 2
