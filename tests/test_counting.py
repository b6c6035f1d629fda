"""Everything that is said of a ruleset is said of each, and of each of its boxes."""

from dataclasses import fields, replace

import pytest

from yacht import counting, words
from yacht.engine.rules import RULESETS, SUM, Category, Ruleset
from yacht.i18n import ENGLISH

BOXES = [(box, ruleset) for ruleset in RULESETS.values() for box in ruleset.categories]


def test_each_ruleset_is_told() -> None:
    """None lacks a sentence, and none is told that isn't there."""
    assert counting.RULESETS.keys() == RULESETS.keys()
    for told in counting.RULESETS.values():
        assert all(getattr(told, field.name) for field in fields(told))


@pytest.mark.parametrize("key", RULESETS)
def test_its_combinations_are_told(key: str) -> None:
    """What is told has the card's own combinations, each under a name of its own."""
    combinations = {box.key for box in RULESETS[key].categories if not box.face}
    assert counting.RULESETS[key].boxes.keys() == combinations
    assert {box.key for box in RULESETS[key].categories} <= words.BOXES.keys()


@pytest.mark.parametrize(("box", "ruleset"), BOXES, ids=lambda one: one.key)
def test_what_a_box_counts(box: Category, ruleset: Ruleset) -> None:
    """It is said in a sentence, and on the card in no more words than that."""
    told = counting.counts(box, ruleset, ENGLISH)
    assert told.sentence.endswith(".")
    assert 0 < len(told.reminder) <= len(told.sentence)
    assert "{" not in "".join(told)


@pytest.mark.parametrize(
    ("key", "four", "example"),
    [("classic", "four times", "gives 16."), ("sum", "all five", "gives 17.")],
)
def test_the_fifth_die_is_told_alike_everywhere(key: str, four: str, example: str) -> None:
    """Whichever sentence one reads, four alike count their face or all five dice are added."""
    ruleset = RULESETS[key]
    box = ruleset.categories[ruleset.index("four_of_a_kind")]
    assert all(four in text for text in counting.counts(box, ruleset, ENGLISH))
    assert four in counting.RULESETS[key].tip
    difference = counting.difference(key, ENGLISH)
    assert four in difference
    assert difference.endswith(example)


def test_a_ruleset_that_is_not_told_is_no_other() -> None:
    """It is an error, rather than what another ruleset's box counts."""
    with pytest.raises(KeyError):
        counting.counts(SUM.categories[0], replace(SUM, key="house"), ENGLISH)
