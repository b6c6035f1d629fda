"""``yacht review``."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Call

GOLDEN = Path(__file__).parents[1] / "golden" / "two-players.txt"
SOUND = GOLDEN.read_text("utf-8")
RUNNING = re.sub("seed: .*\n", "", SOUND).partition("2.1 ")[0]

SUM = re.compile(
    r"(?P<name>\w+): (?P<start>[\d.]+) expected, (?P<luck>[+−][\d.]+) luck, "
    r"(?P<loss>−[\d.]+) by choices = (?P<end>[\d.]+)(?P<now> expected now)?"
)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize(
    ("text", "ends"),
    [(SOUND, {"Ana": 86, "Ben": 146}), (RUNNING, {"Ana": None, "Ben": None})],
    ids=["finished", "running"],
)
def test_the_sum_is_right_on_paper(yacht: Call, text: str, ends: dict[str, float | None]):
    """Each player's line adds up to the total of the card, with the decimals that are shown."""
    ended = yacht("review", "-", typed=text)
    assert (ended.status, ended.err) == (0, "")
    found = [SUM.fullmatch(line) for line in ended.out.splitlines()]
    sums = {match["name"]: match for match in found if match}
    assert list(sums) == list(ends)
    for name, end in ends.items():
        start, luck, loss, total = (
            number(sums[name][part]) for part in ("start", "luck", "loss", "end")
        )
        assert start == 167.0
        assert start + luck + loss == pytest.approx(total, abs=1e-9)
        assert end in {None, total}
        assert bool(sums[name]["now"]) == (text is RUNNING)


def test_the_costliest_choice_is_told(yacht: Call):
    """Ana held the 6 of a Big Straight with two rolls left: the dice, and what was better."""
    out = " ".join(yacht("review", str(GOLDEN)).out.split())
    assert (
        "Turn 11, 2 rolls left. Dice: 2-4-6-3-5. Held 6. "
        "Better: write 30 points in Big Straight. Cost: 23.6."
    ) in out


def test_losses_by_box_and_luck_by_turn(yacht: Call):
    """Each box and each turn has its row with a number for each player."""
    rows = {" ".join(line.split()) for line in yacht("review", str(GOLDEN)).out.splitlines()}
    assert {"Box Ana Ben", "Turn Ana Ben"} <= rows
    told = json.loads(yacht("review", str(GOLDEN), "--json").out)
    for n in range(12):
        luck = [f"{seat['turns'][n]['luck']:+.1f}".replace("-", "−") for seat in told["seats"]]
        assert f"{n + 1} {luck[0]} {luck[1]}".replace("+0.0", "0.0").replace("−0.0", "0.0") in rows
    lost = next(turn["loss"] for turn in told["seats"][0]["turns"] if turn["box"] == "big_straight")
    assert any(row.startswith(f"Big Straight −{lost:.1f} ") for row in rows)


def test_json_has_every_step(yacht: Call):
    """Programs get exact numbers: start, luck and losses are the total to 1e-9."""
    told = json.loads(yacht("review", str(GOLDEN), "--json").out)
    assert (told["ruleset"], told["over"]) == ("classic", True)
    assert [seat["total"] for seat in told["seats"]] == [86, 146]
    for seat in told["seats"]:
        luck = sum(step["luck"] for step in seat["steps"])
        loss = sum(step["loss"] for step in seat["steps"])
        assert abs(seat["start"] + luck - loss - seat["total"]) < 1e-9


def test_what_cannot_be_reviewed(yacht: Call, tmp_path: Path):
    """No record, no file: one sentence and status 1."""
    for file in (str(tmp_path / "none"), "-"):
        ended = yacht("review", file, typed="x")
        assert (ended.status, ended.out, ended.err.count("\n")) == (1, "", 1)


def test_names_cannot_steer_the_terminal(yacht: Call):
    """Control signs in names are not written to the terminal."""
    ended = yacht("review", "-", typed=SOUND.replace('"Ana"', '"\\u001b[31mA\\u202en\\na"'))
    assert ended.status == 0
    assert set("\x1b\u202e").isdisjoint(ended.out)


def test_a_narrow_terminal(yacht: Call, monkeypatch: pytest.MonkeyPatch):
    """With 20 columns nothing is wider than the terminal."""
    monkeypatch.setenv("COLUMNS", "20")
    ended = yacht("review", str(GOLDEN))
    assert max(map(len, ended.out.splitlines())) <= 20
