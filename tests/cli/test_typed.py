"""What can be typed in a game, and what it means."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.strategies import Walk, walks
from yacht.cli.typed import SHORT_NAMES, Ask, Hold, Unclear, read
from yacht.engine.game import Game, Keep, Rolled, Score, UndoScore
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC

START = Game.new()
GAME = START.play(Rolled(frozenset(), (4, 1, 4, 6, 4)))
LAST_ROLL = GAME.play(Rolled(frozenset({0}), (4, 2, 4, 6, 4))).play(
    Rolled(frozenset({0}), (4, 2, 3, 6, 4))
)


def held(*positions: int) -> frozenset[int]:
    return frozenset(positions)


@pytest.mark.parametrize("line", ["", "r", "R", " roll ", "\n"])
def test_enter_or_r_rolls(line: str):
    """Enter, r and roll throw the dice that aren't held."""
    assert read(line, GAME, held(0, 2)) == Keep(held(0, 2))


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        ("1 3", held(), held(0, 2)),
        ("13", held(), held(0, 2)),
        ("1, 3", held(), held(0, 2)),
        ("h 1 3", held(), held(0, 2)),
        ("h13", held(), held(0, 2)),
        ("hold 1", held(), held(0)),
        ("1", held(0, 1), held(1)),
        ("h 1 2", held(0), held(1)),
        ("12345", held(), held(0, 1, 2, 3, 4)),
    ],
)
def test_positions_hold_and_release(line: str, before: frozenset[int], after: frozenset[int]):
    """Positions, from 1, hold dice and release held ones."""
    assert read(line, GAME, before) == Hold(after)


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        ("k 4 4", held(), held(0, 2)),
        ("k 44", held(), held(0, 2)),
        ("k44", held(3), held(0, 2)),
        ("keep 6 4", held(), held(0, 3)),
        ("k 4", held(4), held(4)),
        ("k", held(0, 1), held()),
    ],
)
def test_faces_keep_dice(line: str, before: frozenset[int], after: frozenset[int]):
    """Faces hold as many dice that show them, held ones first, and release all others."""
    assert read(line, GAME, before) == Hold(after)


@pytest.mark.parametrize(
    ("line", "box"),
    [
        ("fours", "fours"),
        ("s fours", "fours"),
        ("score Fours", "fours"),
        ("s 4", "fours"),
        ("s4", "fours"),
        ("six", "sixes"),
        ("s six", "sixes"),
        ("full house", "full_house"),
        ("FULL", "full_house"),
        ("full_house", "full_house"),
        ("four of", "four_of_a_kind"),
        ("s 4k", "four_of_a_kind"),
        ("little", "little_straight"),
        ("b", "big_straight"),
        ("cho", "choice"),
        ("y", "yacht"),
    ],
)
def test_names_score(line: str, box: str):
    """A box's name, its key, its short name or what no other name begins with scores."""
    assert read(line, GAME, held()) == Score(box)


def test_every_box_has_a_short_name():
    """The short names beside the boxes score in them, with or without s."""
    keys = [category.key for category in CLASSIC.categories]
    assert sorted(SHORT_NAMES) == sorted(keys)
    for key, name in SHORT_NAMES.items():
        assert read(name, GAME, held()) == Score(key)
        assert read(f"s {name}", GAME, held()) == Score(key)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("u", UndoScore()),
        ("undo", UndoScore()),
        ("c", Ask.CARD),
        ("?", Ask.HELP),
        ("help", Ask.HELP),
        ("q", Ask.QUIT),
        ("quit", Ask.QUIT),
    ],
)
def test_other_commands(line: str, meaning: object):
    """Undo, card, help and quit have a letter and a word."""
    assert read(line, GAME, held()) == meaning


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("four", "“four” may be Fours or Four of a Kind. Type more of it."),
        ("t", "“t” may be Twos or Threes. Type more of it."),
        ("s f", "“f” may be Fours, Fives, Full House or Four of a Kind. Type more of it."),
        ("foo", "“foo” is neither a box nor a command. Type ? to see both."),
        ("s foo", "“foo” is neither a box nor a command. Type ? to see both."),
        ("s 7", "“7” is neither a box nor a command. Type ? to see both."),
        ("1.5", "“1.5” is neither a box nor a command. Type ? to see both."),
        ("-", "“-” is neither a box nor a command. Type ? to see both."),
        ("h", "Say which dice to hold by their positions: h 1 3."),
        ("h x", "Say which dice to hold by their positions: h 1 3."),
        ("1 1", "Name each position once. To hold by faces type k: k 4 4."),
        ("k x", "Say which faces to hold: k 4 4."),
        ("k 5", "No die shows 5."),
        ("k 6 6", "Only 1 die shows 6."),
        ("k 4 4 4 4", "Only 3 dice show 4."),
    ],
)
def test_unclear_lines_say_what_to_type(line: str, sentence: str):
    """A line that can't be taken is answered with one sentence."""
    with pytest.raises(Unclear) as unclear:
        read(line, GAME, held())
    assert unclear.value.sentence == sentence


@pytest.mark.parametrize(
    ("line", "game", "reason"),
    [
        ("6", GAME, Reason.NO_SUCH_DIE),
        ("0", GAME, Reason.NO_SUCH_DIE),
        ("s", GAME, Reason.NO_BOX_CHOSEN),
        ("1", START, Reason.NOTHING_TO_KEEP),
        ("k 4", START, Reason.NOTHING_TO_KEEP),
        ("1", LAST_ROLL, Reason.NO_ROLLS_LEFT),
        ("k 4", LAST_ROLL, Reason.NO_ROLLS_LEFT),
    ],
)
def test_holds_the_rules_refuse(line: str, game: Game, reason: Reason):
    """Dice that aren't there, or that can't be rolled again, can't be held."""
    with pytest.raises(IllegalMove) as illegal:
        read(line, game, held())
    assert illegal.value.reason is reason


@given(walks, st.text() | st.text("hkscurq? 1234567", max_size=12))
def test_any_line_is_taken_or_answered(walk: Walk, line: str):
    """Whatever is typed, at any moment of a game, is understood or answered with a sentence."""
    with contextlib.suppress(Unclear, IllegalMove):
        read(line, walk.game, walk.game.kept)
