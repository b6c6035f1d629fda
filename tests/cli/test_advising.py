"""``yacht advise``: the ranking for programs and for people, and what it refuses."""

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import Call, Ended
from yacht.engine.position import read_position
from yacht.strategy.advice import advise

ALL_BUT_YACHT = (
    "ones,twos,threes,fours,fives,sixes,full_house,four_of_a_kind,"
    "little_straight,big_straight,choice"
)


def lines(ended: Ended) -> list[str]:
    return [" ".join(line.split()) for line in ended.out.splitlines()]


def test_json_has_every_choice(yacht: Call):
    """The JSON has the best choice, its expected total, and all others with what they lose."""
    ended = yacht("advise", "--dice", "1-2-2-4-6", "--rolls-left", "2", "--json")
    assert (ended.status, ended.err) == (0, "")
    told = json.loads(ended.out)
    assert list(told) == ["best", "expected_total", "choices"]
    assert told["best"] == {"keep": [6]}
    keeps = [choice["keep"] for choice in told["choices"] if "keep" in choice]
    assert len(keeps) == len({tuple(keep) for keep in keeps}) == 2 * 3 * 2 * 2 - 1
    assert len([choice for choice in told["choices"] if "score" in choice]) == 12
    for choice in told["choices"]:
        assert set(choice) in (
            {"keep", "expected_total", "loss"},
            {"score", "expected_total", "loss"},
        )
        lost = told["expected_total"] - choice["expected_total"]
        assert choice["loss"] == pytest.approx(lost, abs=1e-9)
    assert told["choices"][0] == {
        **told["best"],
        "expected_total": told["expected_total"],
        "loss": 0,
    }


def test_json_scores(yacht: Call):
    """A best choice that scores is told by its box, with the points that are already written."""
    options = ("--rolls-left", "0", "--filled", "fours=16,choice=20", "--json")
    told = json.loads(yacht("advise", "--dice", "66633", *options).out)
    assert told["best"] == {"score": "full_house"}
    bare = json.loads(
        yacht("advise", "--dice", "66633", *options[:2], "--filled", "fours,choice", "--json").out
    )
    assert told["expected_total"] == pytest.approx(bare["expected_total"] + 36)


def test_json_with_a_target(yacht: Call):
    """With a target, choices have the chance of reaching it in place of an expected total."""
    options = ("--rolls-left", "1", "--filled", ALL_BUT_YACHT, "--target", "50", "--json")
    told = json.loads(yacht("advise", "--dice", "6-6-6-6-5", *options).out)
    assert list(told) == ["best", "chance", "choices"]
    assert told["best"] == {"keep": [6, 6, 6, 6]}
    assert told["chance"] == pytest.approx(1 / 6)
    assert set(told["choices"][1]) == {"keep", "chance", "loss"}


def test_the_ruleset_counts(yacht: Call):
    """Under sum a game is worth more: its Four of a Kind counts the fifth die."""
    totals = [
        json.loads(
            yacht("advise", "--dice", "66612", "--rolls-left", "2", "--ruleset", key, "--json").out
        )["expected_total"]
        for key in ("classic", "sum")
    ]
    assert totals[0] < totals[1]


def test_people_get_a_reason_and_a_table(yacht: Call):
    """Without --json: the dice, what to do, why, and the ten best choices with one decimal."""
    ended = yacht("advise", "--dice", "2-3-4-5-5", "--rolls-left", "1")
    assert (ended.status, ended.err) == (0, "")
    shown = lines(ended)
    assert "Hold 2-3-4-5" in shown
    assert "Straights are exact: hold four of the five and roll the odd die." in shown
    assert "Little Straight 16.7%, Big Straight 16.7%." in " ".join(shown)
    at = read_position("23455", "1")
    best, second = advise(at.card, at.dice, 1).ranking.choices[:2]
    assert f"Hold 2-3-4-5 {best.expected_total:.1f} 0.0" in shown
    assert f"Hold 5-5 {second.expected_total:.1f} {second.loss:.1f}" in shown
    assert sum(line.startswith(("Hold ", "Score ", "Roll ")) for line in shown) == 1 + 10


@pytest.mark.parametrize("columns", ["20", "30", "80"])
def test_it_fits_any_terminal(yacht: Call, monkeypatch: pytest.MonkeyPatch, columns: str):
    """Nothing is wider than the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    ended = yacht("advise", "--dice", "44441", "--rolls-left", "0")
    assert max(map(len, ended.out.splitlines())) <= int(columns)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--dice 1-2-2-4-7", "“7” isn’t a face. Faces are 1 to 6."),
        ("--dice 1-2-2-4", "Yacht needs 5 dice, not 4."),
        ("--dice 1-2-2-4-x", "A face is a number from 1 to 6, not the text “x”."),
        ("--rolls-left 3", "The number of rolls left must be from 0 to 2, not “3”."),
        ("--rolls-left x", "The number of rolls left must be from 0 to 2, not “x”."),
        ("--filled fours=17", "Fours can’t give “17”."),
        ("--filled fours,fours=16", "Fours is named twice."),
        ("--filled sevens", "There is no box “sevens” on the card."),
        ("--filled \x1b[31m", "There is no box “\ufffd[31m” on the card."),
        (f"--filled {ALL_BUT_YACHT},yacht", "Every box is filled, so there is nothing to decide."),
        ("--ruleset house", "There is no ruleset “house”. Choose classic or sum."),
        ("--target x", "A target is a number of points, such as 200, not “x”."),
        ("--target -5", "A target is a number of points, such as 200, not “-5”."),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_cannot_be_is_named(yacht: Call, arguments: str, sentence: str, form: tuple[str, ...]):
    """Wrong dice, boxes, points and numbers end with status 2 and one sentence about them."""
    ended = yacht("advise", "--dice", "12246", "--rolls-left", "1", *form, *arguments.split())
    assert (ended.status, ended.out, ended.err) == (2, "", f"{sentence}\n")


def test_what_is_missing_is_named(yacht: Call):
    """Without dice or rolls left the command says which it needs."""
    ended = yacht("advise", "--dice", "12246")
    assert ended.status == 2
    assert "--rolls-left" in ended.err


def test_json_loads_no_more_than_it_needs():
    """For JSON neither Rich nor Babel nor any part of the server is loaded: it starts at once."""
    code = (
        "import sys; from yacht.cli import main;"
        "main('advise --dice 12246 --rolls-left 2 --json'.split());"
        "print({'rich', 'babel', 'litestar', 'jinja2', 'sqlite3', 'asyncio'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.endswith(b"\nset()\n")
