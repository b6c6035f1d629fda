"""Advice in words: short, exact, about the boxes of this card."""

import pytest
from msgspec.structs import replace

from yacht import advising
from yacht.engine.game import Scorecard
from yacht.engine.position import read_position
from yacht.engine.rules import CLASSIC
from yacht.i18n import ENGLISH, Language
from yacht.strategy.advice import Advice, Tip, advise


def advised(dice: str, rolls_left: str, filled: str = "", *, target: int | None = None) -> Advice:
    at = read_position(dice, rolls_left, filled)
    return advise(at.card, at.dice, at.rolls_left, at.ruleset, target)


ALMOST = "ones,twos,threes,fours,fives,sixes,full_house,four_of_a_kind,choice"

SAID = [
    (
        ("23455", "1"),
        "Hold 2-3-4-5",
        (
            "By the turn’s end: Little Straight 16.7%, Big Straight 16.7%. "
            "Next best: Hold 5-5, 3.5 less, but that rules out Little Straight, Big Straight."
        ),
    ),
    (
        ("12246", "2"),
        "Hold 6",
        (
            "By the turn’s end: Sixes 10.4 on average, Full House 11.7%, Four of a Kind 10.3%. "
            "Next best: Hold 4-6, 0.2 less."
        ),
    ),
    (
        ("44441", "0"),
        "Score 16 in Four of a Kind",
        "The cheapest box to give up is Twos: 12.0 less. Next best: Score 16 in Fours, 0.5 less.",
    ),
    (
        ("11236", "0", f"{ALMOST},big_straight"),
        "Score 0 in Yacht",
        "Next best: Score 0 in Little Straight, 3.6 less.",
    ),
    (("12346", "0", f"{ALMOST},big_straight,yacht"), "Score 0 in Little Straight", ""),
]


@pytest.mark.parametrize(("position", "to_do", "why"), SAID)
def test_what_is_said(position: tuple[str, ...], to_do: str, why: str):
    """What to do is told in the game's words; the reason names this card's boxes and numbers."""
    advice = advised(*position)
    assert advising.play(advice.ranking.best, advice, ENGLISH) == to_do
    assert advising.reason(advice, ENGLISH) == why


def test_numbers_alone():
    """With nothing but numbers open, the reason is the points that the held face may expect."""
    filled = "full_house,four_of_a_kind,little_straight,big_straight,choice,yacht"
    advice = advised("66123", "2", f"{filled},ones,twos,threes,fours,fives")
    assert advising.play(advice.ranking.best, advice, ENGLISH) == "Hold 6-6"
    said = advising.reason(advice, ENGLISH)
    assert said.startswith("By the turn’s end: Sixes 17.5 on average. Next best: ")


def test_equal_choices_are_called_so():
    """A runner-up that gives nothing away is just as good."""
    advice = advised("12346", "0", f"{ALMOST},yacht")
    assert advising.reason(advice, ENGLISH) == "Just as good: Score 0 in Big Straight."


@pytest.mark.parametrize(("lost", "said"), [(0.049, "Nearly as good: "), (0.051, "Next best: ")])
def test_nobody_is_told_that_nothing_is_less(lost: float, said: str):
    """What a runner-up gives away is told from the first tenth of a point on."""
    advice = advised("66123", "2", "")
    first, second, *others = advice.ranking.choices
    choices = (first, replace(second, loss=lost), *others)
    advice = replace(advice, ranking=replace(advice.ranking, choices=choices))
    assert said in advising.reason(advice, ENGLISH)


def test_before_the_first_roll():
    """Before the first roll there is one thing to do."""
    advice = advise(Scorecard((None,) * 12), (), 3)
    assert advising.play(advice.ranking.best, advice, ENGLISH) == "Roll all five dice"
    assert advising.reason(advice, ENGLISH).startswith("By the turn’s end: Four of a Kind 19.2%")


def test_chances_are_percentages():
    """With a target, worth and loss are told as percentages with one decimal."""
    others = ",".join(key.key for key in CLASSIC.categories if key.key != "yacht")
    advice = advised("66665", "1", others, target=50)
    choices = advice.ranking.choices
    assert advising.worth(choices[0], ENGLISH) == "16.7%"
    assert advising.worth(choices[0], Language("sv")) == "16,7\xa0%"
    assert advising.loss(0.25, advice, ENGLISH) == "25.0%"


def test_every_tip_has_a_sentence():
    """Each tip is told under both rulesets, truly: only classic pays four times the face."""
    said = {
        (tip, ruleset): advising.tip(_with(tip, ruleset), ENGLISH)
        for tip in Tip
        for ruleset in ("classic", "sum")
    }
    assert all(said.values())
    four = Tip.FOUR_PAYS_HIGH
    assert "four times" in said[four, "classic"]
    assert "all five dice" in said[four, "sum"]
    assert advising.tip(_with(None, "classic"), ENGLISH) == ""


def _with(tip: Tip | None, ruleset: str) -> Advice:
    advice = advised("12246", "2")
    return Advice(ruleset, advice.dice, advice.ranking, advice.why, tip)
