"""A level's odds as arrays agree with its choices."""

from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.strategies import Walk, walks
from yacht.strategy.odds import Odds
from yacht.strategy.solo import solved


@given(walks, st.sampled_from([0.1, 1.0, 20.0]))
def test_odds_are_a_softmax_over_the_ranking(walk: Walk, temperature: float):
    """Each choice of the solver's ranking is as probable as its loss says, early scores too."""
    game = walk.game
    if game.is_over or not game.dice:
        return
    solver, card = solved(game.ruleset), game.cards[game.seat]
    choices = solver.rank(card, game.dice, game.rolls_left)
    weights = [exp((choice.worth - choices[0].worth) / temperature) for choice in choices]

    odds = Odds(solver, temperature)
    turn = odds.turn(np.array([solver.mask(card)]))
    lattice = solver.lattice
    whole = lattice.index[tuple(sorted(game.dice))]
    roll = whole - lattice.rolls.start
    places = [game.ruleset.index(key) for key in game.open_boxes]
    assert turn.places[:, 0].tolist() == places
    held = {whole: 1.0}
    if game.rolls_left:
        stage = turn.keeps[game.rolls_left - 1][:, 0]
        held = {int(odds.options[at]): stage[at] for at in np.flatnonzero(odds.rolls == roll)}
    boxes = dict(zip(game.open_boxes, turn.boxes[0, roll], strict=True))
    for choice, weight in zip(choices, weights, strict=True):
        if choice.score is not None:
            chance = held[whole] * boxes[choice.score]
        else:
            chance = held[lattice.index[choice.keep or ()]]
        assert chance == pytest.approx(weight / sum(weights), rel=1e-6, abs=1e-300)
