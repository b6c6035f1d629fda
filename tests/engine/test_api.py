"""The public names of the package and what they are."""

import doctest
import inspect
from dataclasses import FrozenInstanceError

import pytest

import yacht
from yacht.engine import rules

PUBLIC = {
    "CLASSIC",
    "SUM",
    "RULESETS",
    "Game",
    "Keep",
    "Score",
    "UndoScore",
    "Rolled",
    "Scorecard",
    "IllegalMove",
    "Reason",
    "replay",
    "score",
}


def test_public_names():
    """The package has these names for others, and no more."""
    assert set(yacht.__all__) == PUBLIC
    assert len(yacht.__all__) == len(PUBLIC)
    assert {name for name in PUBLIC if not hasattr(yacht, name)} == set()


def test_score_is_classic_unless_told_otherwise():
    """``score`` counts as in the classic ruleset unless it is given another."""
    assert list(inspect.signature(yacht.score).parameters) == ["dice", "category", "ruleset"]
    assert yacht.score((4, 4, 4, 4, 1), "four_of_a_kind") == 16
    assert yacht.score((4, 4, 4, 4, 1), "four_of_a_kind", yacht.SUM) == 17
    assert yacht.score((4, 4, 4, 4, 1), "four_of_a_kind", ruleset=yacht.CLASSIC) == 16


def test_rulesets():
    """Both rulesets are found by their keys, the classic one first."""
    assert list(yacht.RULESETS.items()) == [("classic", yacht.CLASSIC), ("sum", yacht.SUM)]


def test_a_turn_by_public_names():
    """A game can be played with the public names alone."""
    game = yacht.Game.new(yacht.CLASSIC, seats=2)
    events = (
        yacht.Rolled(frozenset(), (5, 5, 2, 1, 6)),
        yacht.Rolled(frozenset({0, 1}), (5, 5, 5, 2, 1)),
        yacht.Score("fives"),
        yacht.UndoScore(),
    )
    assert yacht.Keep(frozenset({0, 1})) in set(game.play(events[0]).moves())
    assert yacht.replay(game, events[:3]).cards[0].total == 15
    assert yacht.replay(game, events) == yacht.replay(game, events[:2])
    assert yacht.Game.new() == yacht.Game.new(yacht.CLASSIC, 1)


def test_keep_without_positions():
    """A keep of no positions is the one that rolls all dice."""
    assert yacht.Keep() == yacht.Keep(frozenset())


@pytest.mark.parametrize(
    "value",
    [
        yacht.CLASSIC,
        yacht.CLASSIC.categories[0],
        yacht.Game.new(),
        yacht.Scorecard((None,)),
        yacht.Keep(),
        yacht.Score("ones"),
        yacht.Rolled(frozenset(), (1, 2, 3, 4, 5)),
        yacht.UndoScore(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_never_change(value: object):
    """Rulesets, games, moves and events are values: they never change and have a hash."""
    assert isinstance(hash(value), int)
    name = next(iter(getattr(value, "__dataclass_fields__", {"anything": None})), "anything")
    with pytest.raises((FrozenInstanceError, TypeError)):
        setattr(value, name, None)


def test_illegal_move():
    """A refusal is a ValueError with a reason and the values it is about, and says both."""
    refused = yacht.IllegalMove(yacht.Reason.FACE_OUT_OF_RANGE, value=7, faces=6)
    assert isinstance(refused, ValueError)
    assert refused.reason is yacht.Reason.FACE_OUT_OF_RANGE
    assert refused.values == {"value": 7, "faces": 6}
    assert str(refused) == "face_out_of_range: value=7, faces=6"
    assert str(yacht.IllegalMove(yacht.Reason.GAME_OVER)) == "game_over"


def test_reasons_are_keys():
    """A reason's value is its name in small letters, which serves as a key for translation."""
    assert {reason.value for reason in yacht.Reason} == {
        name.lower() for name in yacht.Reason.__members__
    }


def test_examples_in_docstrings():
    """The examples in the documentation of the rules are true."""
    outcome = doctest.testmod(rules)
    assert outcome.attempted > 0
    assert outcome.failed == 0
