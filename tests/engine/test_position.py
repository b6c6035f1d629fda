"""Positions as they are typed, on a command line or in an address."""

import pytest

from yacht.engine.game import Game, Scorecard
from yacht.engine.position import Position, read_face, read_position, read_target
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, SUM

OPEN = (None,) * 12


def test_a_position():
    """Dice, rolls left, boxes with and without points, and the ruleset are what was typed."""
    at = read_position("1-2-2-4-6", "2", "fours=16,ones,choice:20")
    boxes = (0, None, None, 16, None, None, None, None, None, None, 20, None)
    assert at == Position(CLASSIC, Scorecard(boxes), (1, 2, 2, 4, 6), 2)
    assert read_position("64221", "0", ruleset="sum") == Position(
        SUM, Scorecard(OPEN), (6, 4, 2, 2, 1), 0
    )


def test_a_position_is_a_moment_of_a_game():
    """Its game offers what can be done then: with rolls left holds and scores, without scores."""
    game = read_position("12246", "1").game
    assert game == Game(CLASSIC, (Scorecard(OPEN),), (1, 2, 2, 4, 6), rolls_used=2)
    assert game.rolls_left == 1
    assert len(list(game.moves())) == 31 + 12
    assert len(list(read_position("12246", "0", "ones").game.moves())) == 11


ALL = ",".join(category.key for category in CLASSIC.categories)


@pytest.mark.parametrize(
    ("typed", "reason", "value"),
    [
        (("", "1"), Reason.WRONG_DICE_COUNT, 0),
        (("1224", "1"), Reason.WRONG_DICE_COUNT, 4),
        (("1-2-2-4-6-6", "1"), Reason.WRONG_DICE_COUNT, 6),
        (("1-2-2-4-7", "1"), Reason.FACE_OUT_OF_RANGE, 7),
        (("12240", "1"), Reason.FACE_OUT_OF_RANGE, 0),
        (("1-2-2-4-12", "1"), Reason.FACE_OUT_OF_RANGE, 12),
        (("1-2-2-4-x", "1"), Reason.FACE_IS_TEXT, "x"),
        (("1-2-2-4-1.5", "1"), Reason.FACE_IS_FRACTION, 1.5),
        (("1-2-2-4-٣", "1"), Reason.FACE_IS_TEXT, "٣"),
        (("12246", "3"), Reason.BAD_ROLLS_LEFT, "3"),
        (("12246", "-1"), Reason.BAD_ROLLS_LEFT, "-1"),
        (("12246", ""), Reason.BAD_ROLLS_LEFT, ""),
        (("12246", "1.0"), Reason.BAD_ROLLS_LEFT, "1.0"),
        (("12246", "²"), Reason.BAD_ROLLS_LEFT, "²"),
        (("12246", "1", "fours=17"), Reason.BAD_POINTS, "17"),
        (("12246", "1", "choice:4"), Reason.BAD_POINTS, "4"),
        (("12246", "1", "yacht:-50"), Reason.BAD_POINTS, "-50"),
        (("12246", "1", "ones:"), Reason.BAD_POINTS, ""),
        (("12246", "1", "ones:1:2"), Reason.BAD_POINTS, "1:2"),
        (("12246", "1", "four_of_a_kind:17"), Reason.BAD_POINTS, "17"),
        (("12246", "1", "ones,ones:3"), Reason.BOX_TWICE, None),
        (("12246", "1", "sevens"), Reason.UNKNOWN_CATEGORY, None),
        (("12246", "1", "Ones"), Reason.UNKNOWN_CATEGORY, None),
        (("12246", "1", ALL), Reason.ALL_FILLED, None),
        (("12246", "1", "", "house"), Reason.UNKNOWN_RULESET, "house"),
    ],
)
def test_what_cannot_be(typed: tuple[str, ...], reason: Reason, value: object):
    """Each thing that can't be has a reason that carries it."""
    with pytest.raises(IllegalMove) as refused:
        read_position(*typed)
    assert refused.value.reason is reason
    assert refused.value.values.get("value") == value


@pytest.mark.parametrize("key", ALL.split(","))
def test_points_are_those_that_a_box_can_give(key: str):
    """Of 0 to 60 points a box takes exactly those that some roll gives it."""
    taken = set[int]()
    for points in range(61):
        try:
            read_position("12246", "1", f"{key}:{points}")
        except IllegalMove:
            continue
        taken.add(points)
    score = CLASSIC.categories[CLASSIC.index(key)].score
    assert taken == {score(roll) for roll in CLASSIC.rolls_sorted()}


def test_targets():
    """A target is a whole number without a sign."""
    assert read_target("200") == 200
    for typed in ("", "-1", "1.5", "x", "20000", "٣"):
        with pytest.raises(IllegalMove) as refused:
            read_target(typed)
        assert refused.value.reason is Reason.BAD_TARGET


def test_faces_that_are_no_number_stay_text():
    """What is typed for a die becomes a number only if it is one."""
    assert [read_face(typed) for typed in ("6", "-1", "1.5", ".5", "x", "1e3")] == [
        6,
        -1,
        1.5,
        0.5,
        "x",
        "1e3",
    ]
