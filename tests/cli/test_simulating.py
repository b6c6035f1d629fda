"""``yacht simulate``: figures that agree with each other and with the true mean."""

import json
import os
import pty
import re
import signal
import subprocess
import time
from typing import Any

import pytest

from tests.cli.conftest import YACHT, Call


def told(yacht: Call, *arguments: str) -> dict[str, Any]:
    ended = yacht("simulate", "--json", *arguments)
    assert (ended.status, ended.err) == (0, "")
    return json.loads(ended.out)


@pytest.mark.parametrize(("ruleset", "value"), [("classic", 166.95507), ("sum", 169.77389)])
def test_json_sums_the_games_up(yacht: Call, ruleset: str, value: float):
    """Counts add up to the games and make the mean; the median is where half of them end."""
    games = 50_000
    seen = told(yacht, "--games", str(games), "--seed", "4", "--ruleset", ruleset)
    assert (seen["level"], seen["ruleset"], seen["seed"]) == ("exact", ruleset, 4)
    counts = {int(total): count for total, count in seen["counts"].items()}
    assert sum(counts.values()) == seen["games"] == games
    assert sum(total * count for total, count in counts.items()) / games == seen["mean"]
    assert abs(seen["mean"] - value) < 4 * seen["standard_error"]
    assert seen["standard_error"] == pytest.approx(seen["standard_deviation"] / games**0.5, 1e-4)
    for part, quantile in seen["quantiles"].items():
        below = sum(count for total, count in counts.items() if total < quantile)
        assert below < float(part) * games <= below + counts[quantile]


def test_the_same_seed_plays_the_same_games(yacht: Call):
    """The seed that is told plays the same games again; without one it is another each time."""
    first, other = told(yacht, "--games", "100"), told(yacht, "--games", "100")
    assert first != other
    assert told(yacht, "--games", "100", "--seed", str(first["seed"])) == first


def test_levels_differ(yacht: Call):
    """An easy computer ends far below the exact one."""
    exact, easy = (
        told(yacht, "--games", "300", "--level", level)["mean"] for level in ("exact", "easy")
    )
    assert exact - easy > 30


def test_a_single_game_has_no_standard_error(yacht: Call):
    """One game has a mean and every quantile, and nothing to say about how sure that is."""
    seen = told(yacht, "--games", "1")
    assert seen["standard_error"] is None
    assert set(seen["quantiles"].values()) == {seen["mean"]}
    assert yacht("simulate", "--games", "1").out.startswith("1 solo game, Classic, level exact.\n")


def test_people_get_figures_and_a_histogram(yacht: Call):
    """The table has the exact mean, and the rows of the histogram add up to all games."""
    ended = yacht("simulate", "--games", "20000", "--seed", "4")
    assert (ended.status, ended.err) == (0, "")
    assert re.search(r"^Exact mean of best play +166.96$", ended.out, re.MULTILINE)
    rows = re.findall(r"^ *(\d+)–(\d+) +([0-9.]+)% +(█+|·)?", ended.out, re.MULTILINE)
    assert sum(float(share) for _, _, share, _ in rows) == pytest.approx(100, abs=1.5)
    assert [int(low) for low, *_ in rows[1:]] == [int(high) + 1 for _, high, *_ in rows[:-1]]
    longest = max(rows, key=lambda row: float(row[2]))
    assert longest[3] == "█" * 50
    assert "Seed 4 plays the same games again." in ended.out


@pytest.mark.parametrize("columns", ["20", "40", "80"])
def test_the_histogram_fits(yacht: Call, columns: str, monkeypatch: pytest.MonkeyPatch):
    """No line is wider than the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    lines = yacht("simulate", "--games", "1000").out.splitlines()
    assert max(len(line.rstrip()) for line in lines) <= int(columns)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--games 0", "The number of games must be from 1 to 10,000,000, not “0”."),
        ("--games 10000001", "The number of games must be from 1 to 10,000,000, not “10000001”."),
        ("--games=-5", "The number of games must be from 1 to 10,000,000, not “-5”."),
        ("--games 1e6", "The number of games must be from 1 to 10,000,000, not “1e6”."),
        ("--games ٣", "The number of games must be from 1 to 10,000,000, not “٣”."),
        ("--games \x1b[2J", "The number of games must be from 1 to 10,000,000, not “\ufffd[2J”."),
        ("--seed=-1", "A seed is a number of at most 9 digits, not “-1”."),
        ("--seed=", "A seed is a number of at most 9 digits, not “”."),
        ("--seed 1000000000", "A seed is a number of at most 9 digits, not “1000000000”."),
        ("--level hard", "There is no computer “hard”. Choose exact, strong, steady or easy."),
        ("--ruleset poker", "There is no ruleset “poker”. Choose classic or sum."),
    ],
)
def test_bad_input_is_refused(yacht: Call, arguments: str, sentence: str):
    """A value that can't be ends with status 2 and one sentence."""
    for options in ((), ("--json",)):
        ended = yacht("simulate", *arguments.split(" "), *options)
        assert (ended.status, ended.out, ended.err) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize("level", ["exact", "easy"])
def test_ctrl_c_ends_at_once(data: object, level: str):
    """A terminal sees a bar while games are played; Ctrl+C ends them with status 130."""
    screen, terminal = pty.openpty()
    process = subprocess.Popen(
        [*YACHT, "simulate", "--games", "10000000", "--level", level],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm-256color"},
    )
    os.close(terminal)
    drawn = b""
    while b"Playing" not in drawn:
        drawn += os.read(screen, 10_000)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    out, _ = process.communicate(timeout=30)
    os.close(screen)
    assert (process.returncode, out) == (130, b"")
    assert time.monotonic() - start < 5
