"""Advice: its numbers against brute force over games, its reasons against the rules."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

import msgspec
import pytest

from yacht.engine.game import Game, Keep, Move, Score, Scorecard
from yacht.engine.position import read_position
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, RULESETS, SUM, Category, Dice, Ruleset
from yacht.strategy.advice import Advice, Held, Option, Scored, Tip, advise

BOXES = [category.key for category in CLASSIC.categories]


def advised(
    dice: str,
    rolls_left: int,
    filled: str = "",
    ruleset: str = "classic",
    target: int | None = None,
) -> Advice:
    """Advice for what is typed."""
    at = read_position(dice, str(rolls_left), filled, ruleset)
    return advise(at.card, at.dice, at.rolls_left, at.ruleset, target)


def but(*open_boxes: str) -> str:
    """All boxes filled but these."""
    return ",".join(key for key in BOXES if key not in open_boxes)


def chances(advice: Advice) -> Mapping[str, float]:
    assert isinstance(advice.why, Held)
    return {prospect.box: prospect.chance for prospect in advice.why.prospects}


# ---- against brute force ----------------------------------------------------------------------

TOY = Ruleset(
    "toy",
    (
        Category("ones", lambda dice: 3 * dice.count(1), 1),
        Category("pair", lambda dice: 17 if dice[0] == dice[1] else 0),
        Category("squares", lambda dice: sum(face * face for face in dice)),
    ),
    dice=2,
    faces=3,
    rolls=3,
)


def _thrown(game: Game, keep: Keep) -> Iterator[Game]:
    for thrown in product(range(1, TOY.faces + 1), repeat=TOY.dice):
        yield game.play(game.rolled(keep, thrown))


@cache
def _worth(game: Game, move: Move) -> float:
    """The expected final total after a move, by trying everything."""
    if isinstance(move, Score):
        return _value(game.play(move))
    assert isinstance(move, Keep)
    values = [_value(after) for after in _thrown(game, move)]
    return sum(values) / len(values)


@cache
def _value(game: Game) -> float:
    if game.is_over:
        return game.cards[0].total
    game = Game(game.ruleset, game.cards, game.dice, rolls_used=game.rolls_used)  # no undo
    return max(_worth(game, move) for move in game.moves())


def _ends(game: Game, move: Move) -> Counter[tuple[str, Dice]]:
    """How likely best play ends the turn with which dice in which box; scores win ties."""
    if isinstance(move, Score):
        return Counter({(move.category, game.dice): 1.0})  # pyright: ignore[reportArgumentType]
    assert isinstance(move, Keep)
    ends, games = Counter[tuple[str, Dice]](), list(_thrown(game, move))
    for after in games:
        moves = sorted(after.moves(), key=lambda one: isinstance(one, Keep))
        best = max(moves, key=lambda one: round(_worth(after, one), 9))
        for end, chance in _ends(after, best).items():
            ends[end] += chance / len(games)  # pyright: ignore[reportArgumentType]
    return ends


CARDS = [Scorecard(boxes) for boxes in product((None, 2), repeat=3) if None in boxes]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: str(card.boxes))
@pytest.mark.parametrize("rolls_left", [0, 1, 2])
def test_brute_force(card: Scorecard, rolls_left: int):
    """Every choice has the worth that trying everything finds, and so has what it may lead to."""
    for dice in product(range(1, TOY.faces + 1), repeat=TOY.dice):
        game = Game(TOY, (card,), dice, rolls_used=TOY.rolls - rolls_left)
        expected = {
            (tuple(sorted(dice[place] for place in move.positions)), None)
            if isinstance(move, Keep)
            else (None, move.category): _worth(game, move)
            for move in game.moves()
            if isinstance(move, Keep | Score)
        }
        advice = advise(card, dice, rolls_left, TOY)
        choices = advice.ranking.choices
        found = {(choice.keep, choice.score): choice.expected_total for choice in choices}
        assert found == pytest.approx(expected, abs=1e-9)
        best = max(expected.values())
        assert advice.ranking.expected_total == pytest.approx(best, abs=1e-9)
        assert [choice.loss for choice in choices] == pytest.approx(
            [best - (choice.expected_total or 0) for choice in choices], abs=1e-9
        )
        if advice.ranking.best.keep is not None:
            _check_prospects(advice, _ends(game, game.holding(advice.ranking.best.keep)))


def _check_prospects(advice: Advice, ends: Mapping[tuple[str, Dice], float]) -> None:
    assert isinstance(advice.why, Held)
    for prospect in advice.why.prospects:
        score = TOY.categories[TOY.index(prospect.box)].score
        given = [(score(dice), chance) for (_, dice), chance in ends.items()]
        assert prospect.chance == pytest.approx(sum(c for points, c in given if points))
        assert prospect.points == pytest.approx(sum(points * c for points, c in given))
        written = sum(chance for (box, _), chance in ends.items() if box == prospect.box)
        assert prospect.written == pytest.approx(written)


# ---- facts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_four_in_a_row(ruleset: str):
    """2-3-4-5 and one roll meet each straight once in six, so a straight once in three."""
    advice = advised("23455", 1, ruleset=ruleset)
    assert advice.ranking.best.keep == (2, 3, 4, 5)
    met = chances(advice)
    assert met["little_straight"] == met["big_straight"] == pytest.approx(1 / 6)
    assert met["full_house"] == met["yacht"] == 0
    assert advice.tip is Tip.STRAIGHTS_EXACT


def test_a_gap():
    """1-3-4-5 and one roll meet one straight once in six, the other never."""
    advice = advised("13455", 1)
    assert advice.ranking.best.keep == (1, 3, 4, 5)
    met = chances(advice)
    assert met["little_straight"] == pytest.approx(1 / 6)
    assert met["big_straight"] == 0


def test_the_whole_turn_for_one_box():
    """With only Yacht open, three rolls meet it in 347,897 of 7,558,272 turns."""
    at = Scorecard(tuple(None if key == "yacht" else 0 for key in BOXES))
    assert chances(advise(at, (), 3)) == {"yacht": pytest.approx(347897 / 7558272)}


def test_number_boxes_expect_points():
    """With only Sixes open and two 6s held, each of three other dice shows one in 11 of 36."""
    advice = advised("66123", 2, but("sixes"))
    assert isinstance(advice.why, Held)
    (sixes,) = advice.why.prospects
    assert sixes.points == pytest.approx(12 + 3 * 6 * 11 / 36)
    assert (sixes.chance, sixes.written) == (1, 1)


@pytest.mark.parametrize("filled", ["", "ones,twos,choice:20", but("yacht", "choice")])
def test_more_rolls_are_never_worse(filled: str):
    """Advice for the same dice never falls as rolls left rise, for each of the 252 rolls."""
    for roll in CLASSIC.rolls_sorted():
        dice = "".join(map(str, roll))
        worths = [advised(dice, left, filled).ranking.expected_total or 0 for left in range(3)]
        assert worths[0] <= worths[1] + 1e-9
        assert worths[1] <= worths[2] + 1e-9


def test_points_already_scored_shift_every_total():
    """What is written adds to each expected total and changes no choice."""
    bare, rich = advised("12246", 2, "fours,choice"), advised("12246", 2, "fours:16,choice:20")
    for less, more in zip(bare.ranking.choices, rich.ranking.choices, strict=True):
        assert (less.keep, less.score) == (more.keep, more.score)
        assert more.expected_total == pytest.approx((less.expected_total or 0) + 36)


# ---- why --------------------------------------------------------------------------------------


def test_the_runner_up_closes_the_straights():
    """Holding 5-5 for the last roll instead of 2-3-4-5 rules out both straights."""
    advice = advised("23455", 1)
    assert advice.ranking.choices[1].keep == (5, 5)
    assert isinstance(advice.why, Held)
    assert advice.why.opens == ("little_straight", "big_straight")


def test_nothing_is_closed_while_dice_can_be_released():
    """With two rolls left a hold rules nothing out: its dice can be released after the first."""
    advice = advised("12246", 2)
    assert (advice.ranking.best.keep, advice.ranking.choices[1].keep) == ((6,), (4, 6))
    assert isinstance(advice.why, Held)
    assert advice.why.opens == ()


def test_scoring_closes_its_own_box():
    """A runner-up that scores closes the box that it fills, which a roll could still improve."""
    advice = advised("66112", 1, but("choice", "sixes"))
    runner_up = advice.ranking.choices[1]
    assert isinstance(advice.why, Held)
    expected = () if runner_up.score is None else (runner_up.score,)
    assert advice.why.opens == expected


def test_what_a_score_gives_and_a_zero_would_cost():
    """The reason for a score has each open box's points and loss, the cheapest zero among them."""
    advice = advised("44441", 0)
    assert isinstance(advice.why, Scored)
    assert (advice.why.best.box, advice.why.best.points) == ("four_of_a_kind", 16)
    assert (advice.why.others[0].box, advice.why.others[0].points) == ("fours", 16)
    losses = {choice.score: choice.loss for choice in advice.ranking.choices}
    assert {one.box: one.loss for one in (advice.why.best, *advice.why.others)} == losses
    given = {"fours": 16, "four_of_a_kind": 16, "choice": 17, "ones": 1}
    zeros = {box: loss for box, loss in losses.items() if box not in given}
    assert advice.why.zero
    assert advice.why.zero.loss == min(zeros.values())
    assert advice.why.zero.box == min(zeros, key=lambda box: zeros[box])


def test_no_zero_where_every_box_takes_the_dice():
    """If the dice give every open box points, none would be given up."""
    advice = advised("12345", 0, but("choice", "ones"))
    assert isinstance(advice.why, Scored)
    assert advice.why.zero is None


TIPS = [
    ("11122", 2, "", Tip.KEEP_OPEN),
    ("34612", 1, but("little_straight", "ones"), Tip.STRAIGHTS_EXACT),
    ("11236", 0, "", Tip.CHOICE_IS_INSURANCE),
    ("45566", 0, but("choice", "yacht", "full_house"), Tip.CHOICE_IS_INSURANCE),
    ("22446", 1, "full_house:20", Tip.FOUR_PAYS_HIGH),
    ("66661", 0, "", Tip.FOUR_PAYS_HIGH),
    ("11236", 0, but("fours", "four_of_a_kind", "yacht"), Tip.ZERO_CAN_BE_RIGHT),
    ("11134", 0, "choice:20,four_of_a_kind", Tip.LOOK_AT_EVERY_BOX),
    ("11345", 0, but("sixes"), None),
    ("66633", 0, "", None),
    ("12246", 2, "", None),
]


@pytest.mark.parametrize(("dice", "rolls_left", "filled", "tip"), TIPS)
def test_tips(dice: str, rolls_left: int, filled: str, tip: Tip | None):
    """Each tip has its example, and some choices are an example of none."""
    advice = advised(dice, rolls_left, filled)
    assert advice.tip is tip, advice.ranking.choices[:3]


def test_a_tip_is_true_of_its_choice():
    """For every roll and any rolls left, a tip's own words hold for the choice that it is with."""
    for roll, left in product(CLASSIC.rolls_sorted(), range(3)):
        for filled in ("", "choice,full_house"):
            advice = advised("".join(map(str, roll)), left, filled)
            best, why = advice.ranking.best, advice.why
            match advice.tip:
                case Tip.KEEP_OPEN | Tip.STRAIGHTS_EXACT:
                    assert best.keep
                case Tip.ZERO_CAN_BE_RIGHT:
                    assert isinstance(why, Scored)
                    assert why.best.points == 0
                case Tip.CHOICE_IS_INSURANCE:
                    assert "choice" not in filled
                case Tip.FOUR_PAYS_HIGH:
                    assert best.keep or best.score == "four_of_a_kind"
                case Tip.LOOK_AT_EVERY_BOX:
                    assert isinstance(why, Scored)
                    assert max(one.points for one in why.others) >= why.best.points
                case None:
                    pass


# ---- a target ---------------------------------------------------------------------------------


def test_a_target_is_another_aim():
    """Who needs 75 points from Yacht and Choice holds four alike; one die is left to match."""
    needed = advised("66665", 1, but("yacht", "choice"), target=75)
    assert needed.ranking.best.keep == (6, 6, 6, 6)
    assert needed.ranking.expected_total is None
    last = advised("66665", 1, but("yacht"), target=50)
    assert last.ranking.chance == pytest.approx(1 / 6)
    assert last.ranking.choices[1].loss == pytest.approx(
        1 / 6 - (last.ranking.choices[1].chance or 0)
    )


def test_equal_chances_are_ranked_by_points():
    """Once the target is sure or out of reach, the choices come as they do without one."""
    plain = [
        (one.keep, one.score) for one in advised("12246", 1, but("ones", "choice")).ranking.choices
    ]
    for target in 0, 999:
        aimed = advised("12246", 1, but("ones", "choice"), target=target)
        assert [(one.keep, one.score) for one in aimed.ranking.choices] == plain
        assert {one.chance for one in aimed.ranking.choices} == {1.0 if target == 0 else 0.0}


# ---- data -------------------------------------------------------------------------------------


def test_advice_is_plain_data():
    """All of it can be written as JSON, so nothing in it is NumPy's; a choice is keep or score."""
    for advice in (
        advised("12246", 2),
        advised("12246", 0),
        advised("12246", 1, but("ones"), target=9),
    ):
        told = msgspec.json.decode(msgspec.json.encode(advice))
        assert set(told) == {"ruleset", "dice", "ranking", "why", "tip"}
        for choice in told["ranking"]["choices"]:
            assert len({"keep", "score"} & set(choice)) == 1
            assert len({"expected_total", "chance"} & set(choice)) == 1
            assert choice["loss"] >= 0


def test_sum_pays_the_fifth_die():
    """Under sum four 6s and a 5 give 29 in Four of a Kind."""
    advice = advised("66665", 0, ruleset=SUM.key)
    assert isinstance(advice.why, Scored)
    written = {one.box: one.points for one in (advice.why.best, *advice.why.others)}
    assert written["four_of_a_kind"] == 29


def test_before_the_first_roll():
    """Without dice there is one thing to do; it is worth what the card is."""
    advice = advise(Scorecard((None,) * 12), (), 3)
    assert advice.ranking.choices == (
        Option((), None, expected_total=advice.ranking.expected_total, loss=0.0),
    )
    assert advice.ranking.expected_total == pytest.approx(166.9550677046, abs=1e-9)
    assert advice.tip is None


def test_what_cannot_be_is_refused():
    """A full card, wrong dice and impossible rolls are refused."""
    with pytest.raises(IllegalMove) as refused:
        advise(Scorecard((0,) * 12), (1, 2, 3, 4, 5), 1)
    assert refused.value.reason is Reason.GAME_OVER
    with pytest.raises(IllegalMove) as refused:
        advise(Scorecard((None,) * 12), (1, 2, 3, 4, 7), 1)
    assert refused.value.reason is Reason.FACE_OUT_OF_RANGE
    with pytest.raises(ValueError, match="3 rolls left"):
        advise(Scorecard((None,) * 12), (1, 2, 3, 4, 5), 3)


def test_its_shapes_need_no_numpy():
    """The site and the command know what advice looks like without loading NumPy."""
    code = (
        "import sys, yacht.strategy.advice, yacht.advising, yacht.web.app, yacht.cli.main;"
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
