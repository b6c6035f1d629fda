"""The chances to win: fair at the start, certain at the end, shared in a tie, right in between."""

from itertools import product

import pytest

from yacht.engine.game import Game, Rolled, Score, Scorecard
from yacht.engine.rules import CLASSIC, RULESETS, Ruleset
from yacht.strategy.solo import solved
from yacht.strategy.winning import win_chances


def card(total: int, *open_boxes: str) -> Scorecard:
    """A card whose closed boxes come to this total."""
    boxes: list[int | None] = [
        None if category.key in open_boxes else 0 for category in CLASSIC.categories
    ]
    boxes[boxes.index(0) if 0 in boxes else 0] = total
    return Scorecard(tuple(boxes))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
@pytest.mark.parametrize("seats", range(1, 9))
def test_the_start_is_fair(ruleset: Ruleset, seats: int):
    """Before the first roll everyone has the same chance, and all of them add up to 1."""
    assert win_chances(Game.new(ruleset, seats)) == pytest.approx([1 / seats] * seats)


@pytest.mark.parametrize(
    ("totals", "chances"),
    [
        ((200, 180), (1, 0)),
        ((180, 180), (1 / 2, 1 / 2)),
        ((150, 200, 200, 120), (0, 1 / 2, 1 / 2, 0)),
        ((7,) * 8, (1 / 8,) * 8),
    ],
)
def test_the_end_is_certain(totals: tuple[int, ...], chances: tuple[float, ...]):
    """After the end who won has won; a tie of n is a share of one n-th."""
    assert win_chances(Game(CLASSIC, tuple(map(card, totals)))) == pytest.approx(chances)


def test_one_box_against_totals():
    """Who has Yacht left and is 50 behind draws level with one; 49 behind, that one wins."""
    yacht = 347897 / 7558272
    for behind, wins in ((50, yacht / 2), (49, yacht), (51, 0)):
        game = Game(CLASSIC, (card(100, "yacht"), card(100 + behind)))
        assert win_chances(game) == pytest.approx([wins, 1 - wins])


def test_three_by_all_their_outcomes():
    """With a few boxes left to each, the chances are those of all outcomes taken together."""
    cards = (card(90, "yacht", "ones"), card(95, "ones", "twos"), card(93, "ones", "twos"))
    totals = [solved(CLASSIC).distribution(one) for one in cards]
    expected = [0.0] * 3
    reached = [[(t, p) for t, p in enumerate(one.tolist()) if p] for one in totals]
    for outcome in product(*reached):
        best = max(total for total, _ in outcome)
        winners = [seat for seat, (total, _) in enumerate(outcome) if total == best]
        chance = outcome[0][1] * outcome[1][1] * outcome[2][1]
        for seat in winners:
            expected[seat] += chance / len(winners)
    assert win_chances(Game(CLASSIC, cards)) == pytest.approx(expected)


def test_dice_on_the_table_count():
    """Five Sixes on the first roll make a win likelier, a poor roll less likely."""
    start = Game.new(CLASSIC, 2)
    good = start.play(Rolled(frozenset(), (6, 6, 6, 6, 6)))
    poor = start.play(Rolled(frozenset(), (1, 2, 3, 4, 6)))
    assert win_chances(poor)[0] < 0.5 < win_chances(good)[0]
    assert win_chances(good.play(Score("yacht")))[0] == pytest.approx(win_chances(good)[0])
