"""``yacht score``, by the examples of the rules."""

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import Call

NAMES = {
    "ones": "Ones",
    "twos": "Twos",
    "threes": "Threes",
    "fours": "Fours",
    "fives": "Fives",
    "sixes": "Sixes",
    "full_house": "Full House",
    "four_of_a_kind": "Four of a Kind",
    "little_straight": "Little Straight",
    "big_straight": "Big Straight",
    "choice": "Choice",
    "yacht": "Yacht",
}

EXAMPLES = {
    "5 5 5 2 1": {"ones": 1, "twos": 2, "fives": 15, "choice": 18},
    "3 3 3 3 3": {"threes": 15, "four_of_a_kind": 12, "choice": 15, "yacht": 50},
    "1 4 4 4 4": {"ones": 1, "fours": 16, "four_of_a_kind": 16, "choice": 17},
    "2 2 4 4 6": {"twos": 4, "fours": 8, "sixes": 6, "choice": 18},
    "5 4 3 2 1": dict(zip(NAMES, (1, 2, 3, 4, 5), strict=False))
    | {"little_straight": 30, "choice": 15},
    "2 2 3 3 3": {"twos": 4, "threes": 9, "full_house": 13, "choice": 13},
}
"""Boxes that aren't named give 0."""


@pytest.mark.parametrize("dice", EXAMPLES)
def test_json_has_every_box(yacht: Call, dice: str):
    """The JSON names the ruleset, the dice and the points of all twelve boxes by their keys."""
    ended = yacht("score", *dice.split(), "--json")
    assert (ended.status, ended.err) == (0, "")
    assert json.loads(ended.out) == {
        "ruleset": "classic",
        "dice": [int(face) for face in dice.split()],
        "scores": dict.fromkeys(NAMES, 0) | EXAMPLES[dice],
    }


@pytest.mark.parametrize("dice", EXAMPLES)
def test_table_has_every_box(yacht: Call, dice: str):
    """The table has each box by name with its points."""
    ended = yacht("score", *dice.split())
    shown = [" ".join(line.split()) for line in ended.out.splitlines()]
    points = dict.fromkeys(NAMES, 0) | EXAMPLES[dice]
    assert ended.status == 0
    assert {f"{NAMES[key]} {points[key]}" for key in NAMES} <= set(shown)


@pytest.mark.parametrize(
    ("dice", "classic", "by_sum"), [("4 4 4 4 1", 16, 17), ("6 6 6 6 6", 24, 30)]
)
def test_rulesets_differ_in_four_of_a_kind(yacht: Call, dice: str, classic: int, by_sum: int):
    """Four of a Kind counts four times the face, or all dice under ``--ruleset sum``."""
    scores = [
        json.loads(yacht("score", *dice.split(), "--ruleset", key, "--json").out)["scores"]
        for key in ("classic", "sum")
    ]
    assert [score.pop("four_of_a_kind") for score in scores] == [classic, by_sum]
    assert scores[0] == scores[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "Yacht needs 5 dice, not 0."),
        ("1 2 3 4", "Yacht needs 5 dice, not 4."),
        ("1 2 3 4 5 6", "Yacht needs 5 dice, not 6."),
        ("1 2 3 4 7", "“7” isn’t a face. Faces are 1 to 6."),
        ("0 2 3 4 5", "“0” isn’t a face. Faces are 1 to 6."),
        ("-1 2 3 4 5", "“-1” isn’t a face. Faces are 1 to 6."),
        ("1 2 3 4 -1", "“-1” isn’t a face. Faces are 1 to 6."),
        ("1 2 3 4 1.5", "A face is a whole number, and “1.5” has a decimal point."),
        ("1 2 3 4 -1.5", "A face is a whole number, and “-1.5” has a decimal point."),
        ("1 2 3 4 1.0", "A face is a whole number, and “1.0” has a decimal point."),
        ("1 2 3 4 x", "A face is a number from 1 to 6, not the text “x”."),
        ("1 2 3 4 ٣", "A face is a number from 1 to 6, not the text “٣”."),
        ("1 2 3 4 1e0", "A face is a number from 1 to 6, not the text “1e0”."),
        ("1 2 3 4 \x1b[31m", "A face is a number from 1 to 6, not the text “\ufffd[31m”."),
        ("1 2 3 4 5 --ruleset poker", "There is no ruleset “poker”. Choose classic or sum."),
    ],
)
def test_wrong_dice_are_refused(yacht: Call, arguments: str, sentence: str):
    """Wrong dice end with status 2, one sentence that says what is wrong, and nothing else."""
    for options in ((), ("--json",)):
        ended = yacht("score", *arguments.split(), *options)
        assert (ended.status, ended.out, ended.err) == (2, "", f"{sentence}\n")


def test_huge_dice_are_refused_in_a_short_sentence(yacht: Call):
    """A die of five thousand digits is named by its first ones."""
    ended = yacht("score", "1", "2", "3", "4", "9" * 5000)
    assert ended.status == 2
    assert len(ended.err) < 150


def test_scoring_loads_neither_server_nor_store():
    """No web framework and no database is loaded to count five dice, so it starts at once."""
    code = (
        "import sys; from yacht.cli import main; main(['score', '5', '5', '5', '2', '1']);"
        "print({'litestar', 'uvicorn', 'jinja2', 'sqlite3', 'asyncio'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.endswith(b"\nset()\n")
