"""The rules of points: counts over all rolls, every example, every trap, every refusal."""

from functools import cache
from itertools import product
from math import nan

import pytest

from yacht.engine.game import Game, Rolled, Score
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, RULESETS, SUM, Dice, Ruleset, ruleset_named, score

NUMBERS = ("ones", "twos", "threes", "fours", "fives", "sixes")
STRAIGHTS = ("little_straight", "big_straight")
KEYS = (*NUMBERS, "full_house", "four_of_a_kind", *STRAIGHTS, "choice", "yacht")
ROLLS = tuple(product(range(1, 7), repeat=5))
BOTH = pytest.mark.parametrize("ruleset", [CLASSIC, SUM], ids=lambda ruleset: ruleset.key)


def faces(text: str) -> Dice:
    return tuple(map(int, text))


@cache
def table(ruleset: Ruleset, category: str) -> dict[Dice, int]:
    """The points of every ordered roll in a category."""
    return {dice: score(dice, category, ruleset) for dice in ROLLS}


COUNTS_AND_SUMS = [
    *((key, 4651, 6480 * face, 6480 * face) for face, key in enumerate(NUMBERS, 1)),
    ("full_house", 300, 5250, 5250),
    ("four_of_a_kind", 156, 2184, 2730),
    ("little_straight", 120, 3600, 3600),
    ("big_straight", 120, 3600, 3600),
    ("choice", 7776, 136_080, 136_080),
    ("yacht", 6, 300, 300),
]


@pytest.mark.parametrize(("category", "count", "classic", "with_fifth"), COUNTS_AND_SUMS)
def test_counts_and_sums(category: str, count: int, classic: int, with_fifth: int):
    """Of all 7,776 rolls so many give points in a category, and together they give this sum."""
    for ruleset, total in ((CLASSIC, classic), (SUM, with_fifth)):
        points = table(ruleset, category).values()
        assert len(points) == 7776
        assert sum(given > 0 for given in points) == count
        assert sum(points) == total


def rolls_that_give(ruleset: Ruleset, category: str) -> dict[Dice, int]:
    """The rolls that meet a category, sorted, made from what its rule says; not by looking."""
    one_to_six = range(1, 7)
    if category in NUMBERS:
        face = NUMBERS.index(category) + 1
        others = [dice for dice in product(one_to_six, repeat=4) if face not in dice]
        given = {
            tuple(sorted((face,) * alike + dice[alike - 1 :])): face * alike
            for dice in others
            for alike in (1, 2, 3, 4)
        }
        return given | {(face,) * 5: face * 5}
    made: dict[str, dict[Dice, int]] = {
        "full_house": {
            tuple(sorted((three,) * 3 + (two,) * 2)): 3 * three + 2 * two
            for three in one_to_six
            for two in one_to_six
            if three != two
        },
        "four_of_a_kind": {
            tuple(sorted((four,) * 4 + (fifth,))): 4 * four + (fifth if ruleset is SUM else 0)
            for four in one_to_six
            for fifth in one_to_six
        },
        "little_straight": {(1, 2, 3, 4, 5): 30},
        "big_straight": {(2, 3, 4, 5, 6): 30},
        "choice": {tuple(sorted(dice)): sum(dice) for dice in ROLLS},
        "yacht": {(face,) * 5: 50 for face in one_to_six},
    }
    return made[category]


@BOTH
@pytest.mark.parametrize("category", KEYS)
def test_every_roll_in_every_category(category: str, ruleset: Ruleset):
    """The rolls that meet a category, in any order of the dice, give its points; others give 0."""
    given = rolls_that_give(ruleset, category)
    assert table(ruleset, category) == {dice: given.get(tuple(sorted(dice)), 0) for dice in ROLLS}


EXAMPLES = [
    # dice, category, points in classic, points in sum
    ("55521", "fives", 15, 15),
    ("44441", "four_of_a_kind", 16, 17),
    ("66666", "four_of_a_kind", 24, 30),
    *((str(face) * 5, "full_house", 0, 0) for face in range(1, 7)),  # five of a kind is none
    *((str(face) * 5, "yacht", 50, 50) for face in range(1, 7)),
    ("12345", "little_straight", 30, 30),
    ("53142", "little_straight", 30, 30),
    ("23456", "big_straight", 30, 30),
    ("64253", "big_straight", 30, 30),
    ("12345", "big_straight", 0, 0),
    ("23456", "little_straight", 0, 0),
    *(
        (dice, straight, 0, 0)
        for dice in ("12346", "13456", "11234", "12334", "34466")
        for straight in STRAIGHTS
    ),
    ("14444", "full_house", 0, 0),
    ("22446", "full_house", 0, 0),
    ("14444", "four_of_a_kind", 16, 17),
    ("14444", "fours", 16, 16),
    ("14444", "choice", 17, 17),
    ("33333", "ones", 0, 0),
    ("33333", "twos", 0, 0),
    ("33333", "threes", 15, 15),
    ("33333", "fours", 0, 0),
    ("33333", "fives", 0, 0),
    ("33333", "sixes", 0, 0),
    ("33333", "four_of_a_kind", 12, 15),
    ("33333", "little_straight", 0, 0),
    ("33333", "big_straight", 0, 0),
    ("33333", "choice", 15, 15),
    *((f"6666{fifth}", "four_of_a_kind", 24, 24 + fifth) for fifth in range(1, 6)),
    *((f"555{fifth}5", "four_of_a_kind", 20, 20 + fifth) for fifth in (1, 2, 3, 4, 6)),
    *((f"{fifth}4444", "four_of_a_kind", 16, 16 + fifth) for fifth in (2, 3, 5, 6)),
    ("66655", "full_house", 28, 28),
    ("55665", "full_house", 27, 27),
    ("11111", "choice", 5, 5),
    ("66665", "yacht", 0, 0),
]


@pytest.mark.parametrize(("dice", "category", "classic", "with_fifth"), EXAMPLES)
def test_examples(dice: str, category: str, classic: int, with_fifth: int):
    """Every example and every trap of the rules gives the points they say."""
    assert score(faces(dice), category) == classic
    assert score(faces(dice), category, CLASSIC) == classic
    assert score(faces(dice), category, SUM) == with_fifth
    assert score(list(faces(dice)), category, SUM) == with_fifth


MOST = [
    *((key, 5 * face, 5 * face) for face, key in enumerate(NUMBERS, 1)),
    ("full_house", 28, 28),
    ("four_of_a_kind", 24, 30),
    ("little_straight", 30, 30),
    ("big_straight", 30, 30),
    ("choice", 30, 30),
    ("yacht", 50, 50),
]


@pytest.mark.parametrize(("category", "classic", "with_fifth"), MOST)
def test_most_a_box_can_give(category: str, classic: int, with_fifth: int):
    """The most a box can give is the most that any roll gives."""
    assert CLASSIC.most(category) == max(table(CLASSIC, category).values()) == classic
    assert SUM.most(category) == max(table(SUM, category).values()) == with_fifth


def solo_total(ruleset: Ruleset, rolls: dict[str, Dice]) -> int:
    """The total of a game of one player that rolls these dice, once a turn, for these boxes."""
    game = Game.new(ruleset)
    for category, dice in rolls.items():
        game = game.play(Rolled(frozenset(), dice)).play(Score(category))
    assert game.is_over
    return game.cards[0].total


@pytest.mark.parametrize(("ruleset", "highest"), [(CLASSIC, 297), (SUM, 303)])
def test_highest_total(ruleset: Ruleset, highest: int):
    """The highest total is the sum of the most that each box can give, and a game reaches it."""
    best = {key: max(ROLLS, key=table(ruleset, key).__getitem__) for key in KEYS}
    assert sum(max(table(ruleset, key).values()) for key in KEYS) == highest
    assert sum(ruleset.most(key) for key in KEYS) == highest
    assert solo_total(ruleset, best) == highest


@BOTH
def test_lowest_total(ruleset: Ruleset):
    """The lowest total is 5: Choice gives at least that, any other box can get 0."""
    least = {key: min(table(ruleset, key).values()) for key in KEYS}
    worst = {key: min(ROLLS, key=table(ruleset, key).__getitem__) for key in KEYS}
    assert least == dict.fromkeys(KEYS, 0) | {"choice": 5}
    assert solo_total(ruleset, worst) == 5


@BOTH
def test_no_roll_is_forced_to_nothing(ruleset: Ruleset):
    """While Choice is open, no roll is forced to 0."""
    assert min(table(ruleset, "choice").values()) > 0


@pytest.mark.parametrize(
    ("held", "little", "big"),
    [
        ("2345", {1}, {6}),
        ("1345", {2}, set[int]()),
        ("1234", {5}, set[int]()),
        ("3456", set[int](), {2}),
        ("2234", set[int](), set[int]()),
    ],
)
def test_faces_that_complete_a_straight(held: str, little: set[int], big: set[int]):
    """Beside 2-3-4-5 two faces make a straight, beside 1-3-4-5 one; a duplicate leaves none."""
    completing = [
        {face for face in range(1, 7) if score((*faces(held), face), straight)}
        for straight in STRAIGHTS
    ]
    assert completing == [little, big]


@BOTH
def test_boxes(ruleset: Ruleset):
    """Both rulesets have the same twelve boxes, five dice, six faces and three rolls."""
    assert sorted(category.key for category in ruleset.categories) == sorted(KEYS)
    assert (ruleset.dice, ruleset.faces, ruleset.rolls) == (5, 6, 3)


def test_order_of_the_card():
    """The classic card runs from Ones to Yacht, that of the other ruleset from Yacht to Ones."""
    assert tuple(category.key for category in CLASSIC.categories) == KEYS
    assert tuple(category.key for category in SUM.categories) == KEYS[::-1]


def test_number_boxes():
    """A number box knows the face it counts, a combination has none."""
    counted = {category.key: category.face for category in CLASSIC.categories}
    assert counted == dict.fromkeys(KEYS) | dict(zip(NUMBERS, range(1, 7), strict=True))


def test_rolls_sorted():
    """Without regard to order there are 252 rolls of five dice."""
    assert sorted(CLASSIC.rolls_sorted()) == sorted({tuple(sorted(dice)) for dice in ROLLS})
    assert len(CLASSIC.rolls_sorted()) == 252


def test_example_turn_told_right():
    """The turn that the rules tell: twos held, then fours, and what 1-4-4-4-4 is worth."""
    for ruleset, four_of_a_kind in ((CLASSIC, 16), (SUM, 17)):
        game = Game.new(ruleset)
        for event in (
            Rolled(frozenset(), faces("22446")),
            Score("full_house"),
            Rolled(frozenset(), faces("12246")),
            Rolled(frozenset({1, 2}), faces("42246")),
            Rolled(frozenset({0, 3}), faces("41444")),
        ):
            game = game.play(event)
        assert game.cards[0].boxes[ruleset.index("full_house")] == 0
        assert game.rolls_left == 0
        assert "full_house" not in game.open_boxes
        worth = {key: score(game.dice, key, ruleset) for key in game.open_boxes}
        assert {key: points for key, points in worth.items() if points} == {
            "four_of_a_kind": four_of_a_kind,
            "fours": 16,
            "choice": 17,
            "ones": 1,
        }
        for key, points in worth.items():
            assert game.play(Score(key)).cards[0].total == points
        with pytest.raises(IllegalMove) as refused:
            game.play(Score("full_house"))
        assert refused.value.reason is Reason.BOX_FILLED


class Spot(int):
    """A number that isn't plainly an int."""


BAD_DICE = [
    # dice, reason, the value it names
    ((), Reason.WRONG_DICE_COUNT, 0),
    ((1, 2, 3, 4), Reason.WRONG_DICE_COUNT, 4),
    ((1, 2, 3, 4, 5, 6), Reason.WRONG_DICE_COUNT, 6),
    ((1, 2, 3, 4, 5, 6, 1), Reason.WRONG_DICE_COUNT, 7),
    ("", Reason.WRONG_DICE_COUNT, 0),
    ((0, 2, 3, 4, 5), Reason.FACE_OUT_OF_RANGE, 0),
    ((1, 2, 3, 4, 7), Reason.FACE_OUT_OF_RANGE, 7),
    ((1, 2, -1, 4, 5), Reason.FACE_OUT_OF_RANGE, -1),
    ((1, 10**400, 3, 4, 5), Reason.FACE_OUT_OF_RANGE, 10**400),
    ((True, 2, 3, 4, 5), Reason.FACE_IS_BOOLEAN, True),
    ((1, 2, 3, 4, False), Reason.FACE_IS_BOOLEAN, False),
    ((1, 1.5, 3, 4, 5), Reason.FACE_IS_FRACTION, 1.5),
    ((1, 2.0, 3, 4, 5), Reason.FACE_IS_FRACTION, 2.0),
    ((1, 2, nan, 4, 5), Reason.FACE_IS_FRACTION, nan),
    ((1, 2, 3, 4, "6"), Reason.FACE_IS_TEXT, "6"),
    ("12345", Reason.FACE_IS_TEXT, "1"),
    ((None, 2, 3, 4, 5), Reason.FACE_NOT_A_NUMBER, None),
    ((1, 2, 3, 4, [5]), Reason.FACE_NOT_A_NUMBER, [5]),
    ((1, 2, 3, 4, b"5"), Reason.FACE_NOT_A_NUMBER, b"5"),
    ((1, 2, 3, Spot(4), 5), Reason.FACE_NOT_A_NUMBER, Spot(4)),
    ((1, 7, True, "4", 5.0), Reason.FACE_OUT_OF_RANGE, 7),
    (None, Reason.DICE_NOT_A_LIST, None),
    (12345, Reason.DICE_NOT_A_LIST, 12345),
    ({1, 2, 3, 4, 5}, Reason.DICE_NOT_A_LIST, {1, 2, 3, 4, 5}),
    ({"dice": 5}, Reason.DICE_NOT_A_LIST, {"dice": 5}),
    (b"\x01\x02\x03\x04\x05", Reason.DICE_NOT_A_LIST, b"\x01\x02\x03\x04\x05"),
]


@BOTH
@pytest.mark.parametrize(("dice", "reason", "value"), BAD_DICE)
def test_bad_dice(dice: object, reason: Reason, value: object, ruleset: Ruleset):
    """Bad dice are refused with the reason for the first thing that is wrong, and its value."""
    with pytest.raises(IllegalMove) as refused:
        score(dice, "choice", ruleset)
    assert refused.value.reason is reason
    assert refused.value.values["value"] is value or refused.value.values["value"] == value
    assert type(refused.value.values["value"]) is type(value)


@pytest.mark.parametrize(
    ("dice", "values"),
    [
        ((1, 2, 3, 4), {"value": 4, "dice": 5}),
        ((1, 2, 3, 4, 7), {"value": 7, "faces": 6}),
        ((1, 2, 3, 4, "5"), {"value": "5", "faces": 6}),
    ],
)
def test_what_would_be_right(dice: object, values: dict[str, object]):
    """With the value that is refused comes what the ruleset has instead."""
    with pytest.raises(IllegalMove) as refused:
        score(dice, "choice")
    assert refused.value.values == values


@BOTH
@pytest.mark.parametrize(
    "category", ["", "Ones", "ones ", "sevens", "undo", "YACHT", None, 0, True, ["ones"], {}]
)
def test_unknown_category(category: object, ruleset: Ruleset):
    """A category is known by its exact key; anything else is refused and named."""
    with pytest.raises(IllegalMove) as refused:
        score((1, 2, 3, 4, 5), category, ruleset)
    assert refused.value.reason is Reason.UNKNOWN_CATEGORY
    assert refused.value.values == {"category": category}


def test_rulesets_by_key():
    """A ruleset is found by its exact key; any other is refused and named."""
    assert RULESETS == {"classic": CLASSIC, "sum": SUM}
    assert ruleset_named("classic") is CLASSIC
    assert ruleset_named("sum") is SUM
    for key in ("", "Classic", "poker", None, 1, ["sum"]):
        with pytest.raises(IllegalMove) as refused:
            ruleset_named(key)
        assert refused.value.reason is Reason.UNKNOWN_RULESET
        assert refused.value.values == {"value": key}
