"""A scorecard of real dice: which can be written down, and what follows from one."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, RULESETS, SUM
from yacht.rooms.sheet import Player, Sheet

FACES = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}


def sheet(*boxes: dict[str, int | None], ruleset: str = "classic") -> Sheet:
    names = ("Ana", "Ben", "Cleo", "Dan")
    return Sheet(ruleset, tuple(Player(*one) for one in zip(names, boxes, strict=False)))


def refused(bad: Sheet) -> Reason:
    with pytest.raises(IllegalMove) as illegal:
        bad.checked()
    return illegal.value.reason


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """Any sheet that can be kept, in whatever order it was filled."""
    rules = draw(st.sampled_from([CLASSIC, SUM]))
    column = st.fixed_dictionaries(
        {},
        optional={
            box.key: st.sampled_from([None, *sorted(rules.given(box.key))])
            for box in rules.categories
        },
    )
    players = draw(st.lists(column, min_size=1, max_size=8))
    return Sheet(rules.key, tuple(Player(f"P{n}", boxes) for n, boxes in enumerate(players)))


@given(sheets())
def test_a_sheet_comes_back(one: Sheet):
    """What is checked and written down is read back as it was, and checks again."""
    checked = one.checked()
    read = msgspec.json.decode(msgspec.json.encode(checked), type=Sheet)
    assert read == checked == read.checked()
    assert read.cards == one.cards


@given(sheets())
def test_totals_and_ranks(one: Sheet):
    """A total is the sum of what is written; a rank counts those with more."""
    totals = [sum(filter(None, player.boxes.values())) for player in one.players]
    standings = sorted(one.game.standings, key=lambda standing: standing.seat)
    assert [standing.total for standing in standings] == totals
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    assert [standing.rank for standing in standings] == ranks


@pytest.mark.parametrize("ruleset", RULESETS)
@given(st.integers(-5, 60))
def test_numbers_in_boxes(ruleset: str, points: int):
    """A number box takes up to five of its face, a straight 0 or 30, Yacht 0 or 50."""
    fits = {key: points in {face * n for n in range(6)} for key, face in FACES.items()}
    fits |= dict.fromkeys(("little_straight", "big_straight"), points in {0, 30})
    fits |= {"yacht": points in {0, 50}, "choice": 5 <= points <= 30}
    for key, possible in fits.items():
        bad = sheet({key: points}, ruleset=ruleset)
        if possible:
            assert bad.checked().players[0].boxes == {key: points}
        else:
            assert refused(bad) is Reason.BAD_POINTS


def test_rulesets_differ_in_four_of_a_kind():
    """17 can stand there by sum alone, 6 by both: of 1-1-1-1-2 it is 4 or 6."""
    assert refused(sheet({"four_of_a_kind": 17})) is Reason.BAD_POINTS
    assert sheet({"four_of_a_kind": 17}, ruleset="sum").checked()
    assert refused(sheet({"four_of_a_kind": 6})) is Reason.BAD_POINTS
    assert sheet({"four_of_a_kind": 4}).checked()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (sheet({}, ruleset="house"), Reason.UNKNOWN_RULESET),
        (sheet({"sevens": 7}), Reason.UNKNOWN_CATEGORY),
        (sheet({"sevens": None}), Reason.UNKNOWN_CATEGORY),
        (Sheet("sum", (Player(" ", {}),)), Reason.BAD_NAME),
        (Sheet("sum", (Player("A\u202e", {}),)), Reason.BAD_NAME),
    ],
)
def test_what_cant_be(bad: Sheet, reason: Reason):
    """The first thing that can't be is named."""
    assert refused(bad) is reason


def test_whose_turn_it_is():
    """The first of those with the fewest filled boxes, zeros too, whatever was out of order."""
    assert sheet({}, {}).seat == 0
    assert sheet({"ones": 0}, {}).seat == 1
    assert sheet({"ones": 0}, {"twos": 2}, {}).seat == 2
    assert sheet({"ones": 0}, {"twos": 2}).seat == 0
    assert sheet({"ones": 0, "twos": 2}, {"twos": None}, {"yacht": 0}).seat == 1


def test_over_once_all_is_filled():
    """One open box, anywhere, and it goes on."""
    full: dict[str, int | None] = {box.key: 0 for box in CLASSIC.categories}
    full["choice"] = 5
    assert sheet(full, full).is_over
    assert not sheet({**full, "ones": None}, full).is_over
    assert not sheet(full, {**full, "yacht": None}).is_over
