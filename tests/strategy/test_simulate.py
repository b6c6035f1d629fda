"""The simulator plays what the solver knows, and the same seed plays the same games."""

import os
import re
from functools import cache
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.strategy.averages import AIMS, average
from yacht.engine.game import Game
from yacht.engine.rules import CLASSIC, RULESETS, SUM, Category, Ruleset
from yacht.strategy.players import LEVELS, Level
from yacht.strategy.simulate import simulate
from yacht.strategy.solo import Solver, solved

DOCS = (Path(__file__).parents[2] / "docs" / "players.md").read_text(encoding="utf-8")
EXACT, EASY = LEVELS["exact"], LEVELS["easy"]
MANY, FEW = 200_000, 5_000

TOY = (
    Category("ones", lambda dice: dice.count(1)),
    Category("alike", lambda dice: 5 if len(set(dice)) == 1 else 0),
    Category("choice", sum),
)
TWO_ROLLS = Ruleset("two_rolls", TOY, dice=2, faces=3, rolls=2)
ONE_ROLL = Ruleset("one_roll", TOY, dice=3, faces=4, rolls=1)

VALUES = {"classic": 166.9550677046, "sum": 169.7738890526}


@cache
def played(ruleset: Ruleset, level: Level = EXACT, games: int = MANY) -> NDArray[np.int32]:
    return simulate(level, games, 20, ruleset)


def standard_errors(totals: NDArray[np.int32], mean: float) -> float:
    """How many standard errors the totals' mean is away."""
    return abs(float(totals.mean()) - mean) / (float(totals.std()) / sqrt(len(totals)))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_exact_play_averages_its_value(ruleset: Ruleset):
    """The mean lies within 4 standard errors of the true value of the empty card."""
    assert standard_errors(played(ruleset), VALUES[ruleset.key]) < 4


@pytest.mark.parametrize("ruleset", [TWO_ROLLS, ONE_ROLL], ids=lambda ruleset: ruleset.key)
@pytest.mark.parametrize("temperature", [0, 1e-3, 1.0])
def test_any_rules_can_be_played(ruleset: Ruleset, temperature: float):
    """Other dice, faces, rolls and boxes are played as well, whether exactly or by odds."""
    totals = played(ruleset, Level("", temperature))
    best = Solver(ruleset).value(Game.new(ruleset).cards[0])
    assert standard_errors(totals, average(ruleset, temperature or 1e-3)[0]) < 4
    assert (standard_errors(totals, best) < 4) == (temperature < 1)


@pytest.mark.parametrize("key", AIMS)
def test_levels_average_what_they_aim_at(key: str):
    """A level's exact average is near its aim and in the documentation; games have it, too.

    The mean of 5,000 is within 4 standard errors of what the level's odds say.
    """
    level = LEVELS[key]
    mean, spread = average(CLASSIC, level.temperature)
    assert mean == pytest.approx(AIMS[key], abs=0.5)
    written = re.findall(rf"^\| {key} \| ([0-9.]+) \| classic \| ([0-9.]+) \|", DOCS, re.MULTILINE)
    assert written == [(str(level.temperature), f"{mean:.2f}")]
    totals = played(CLASSIC, level, FEW)
    assert standard_errors(totals, mean) < 4
    assert totals.std() == pytest.approx(spread, rel=0.05)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_totals_are_distributed_as_the_solver_says(ruleset: Ruleset):
    """Among the totals that are expected at all, a chi-square within 4 of its deviations."""
    expected = MANY * solved(ruleset).distribution(Game.new(ruleset).cards[0])
    totals = played(ruleset)
    counts = np.bincount(totals, minlength=len(expected))
    assert not counts[expected == 0].any()
    common = expected > 5
    rest = np.array([counts[~common].sum()]), np.array([expected[~common].sum()])
    seen, due = (
        np.append(all_[common], few) for all_, few in zip((counts, expected), rest, strict=True)
    )
    chi_square, freedom = float(((seen - due) ** 2 / due).sum()), len(due) - 1
    assert abs(chi_square - freedom) < 4 * sqrt(2 * freedom)


@pytest.mark.parametrize(
    ("ruleset", "level", "most"), [(CLASSIC, EXACT, 297), (SUM, EXACT, 303), (CLASSIC, EASY, 297)]
)
def test_every_total_is_possible(ruleset: Ruleset, level: Level, most: int):
    """No total is below 5 or above the most that the boxes can give together."""
    totals = played(ruleset, level, MANY if level is EXACT else FEW)
    assert totals.min() >= 5
    assert totals.max() <= most


@pytest.mark.parametrize(("ruleset", "level"), [(CLASSIC, EXACT), (TWO_ROLLS, EASY)])
def test_the_same_seed_plays_the_same_games(
    ruleset: Ruleset, level: Level, monkeypatch: pytest.MonkeyPatch
):
    """Neither the processors nor how many games follow change a total; another seed does."""
    totals = simulate(level, 100_000, 7, ruleset)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    fewer = simulate(level, 95_000, 7, ruleset)
    assert fewer.tolist() == totals[:95_000].tolist()
    assert simulate(level, 1_000, 8, ruleset).tolist() != totals[:1_000].tolist()


def test_progress_adds_up():
    """All turns of all games are told, little by little."""
    told = list[int]()
    simulate(EXACT, 70_000, 1, progress=told.append)
    assert sum(told) == 70_000 * 12
    assert len(told) > 12
