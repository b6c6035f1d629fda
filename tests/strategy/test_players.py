"""Computer players: always legal, reproducible, the best one exact."""

from collections import Counter
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.strategies import TO_THE_END, Walk, rulesets, walk, walks
from yacht.engine.game import Game, Keep, Rolled, Score
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import Ruleset
from yacht.strategy.players import LEVELS, Level, choose
from yacht.strategy.solo import Choice, solved

EXACT, EASY = LEVELS["exact"], LEVELS["easy"]
levels = st.sampled_from(list(LEVELS.values()))
chances = st.floats(0, 1, exclude_max=True)


def ranked(game: Game) -> list[Choice]:
    return solved(game.ruleset).rank(game.cards[game.seat], game.dice, game.rolls_left)


def named(game: Game, move: Keep | Score) -> tuple[tuple[int, ...] | None, str | None]:
    """A move as a choice names it: the faces that are kept, or the box."""
    if isinstance(move, Score):
        return None, move.category
    return tuple(sorted(game.dice[position] for position in move.positions)), None


@given(walks, levels, chances)
def test_every_choice_is_legal(walk: Walk, level: Level, chance: float):
    """At every level, at any moment of a game of any seats, the move is one of ``moves()``."""
    if not walk.game.is_over:
        assert choose(walk.game, level, chance) in set(walk.game.moves())


@given(walks, chances)
def test_exact_makes_the_best_choice(walk: Walk, chance: float):
    """The strongest level makes the first choice of the solver's ranking, whatever the chance."""
    if not walk.game.is_over:
        best = ranked(walk.game)[0]
        assert named(walk.game, choose(walk.game, EXACT, chance)) == (best.keep, best.score)


@given(walks, levels)
def test_without_chance_the_best_choice(walk: Walk, level: Level):
    """The best choice lies first on the range of chances, so chance 0 makes it at any level."""
    if not walk.game.is_over:
        assert choose(walk.game, level, 0) == choose(walk.game, EXACT, 0)


def test_choices_are_as_probable_as_their_losses_say():
    """Over an even range of chances each choice comes up by the softmax of its loss."""
    game = Game.new().play(Rolled(frozenset(), (1, 2, 2, 4, 6)))
    choices, steps = ranked(game), 4000
    weights = [exp((choice.worth - choices[0].worth) / EASY.temperature) for choice in choices]
    made = Counter(named(game, choose(game, EASY, step / steps)) for step in range(steps))
    for choice, weight in zip(choices, weights, strict=True):
        share = made[choice.keep, choice.score] / steps
        assert share == pytest.approx(weight / sum(weights), abs=1.01 / steps)


@given(rulesets, levels)
def test_a_turn_starts_with_all_dice(ruleset: Ruleset, level: Level):
    """Before the first roll there is one move: roll all."""
    assert choose(Game.new(ruleset, 3), level, 0.99) == Keep()


def test_a_finished_game_has_no_move():
    """A game that is over is refused like any move in it."""
    over = walk(Game.new(), 1, TO_THE_END).game
    with pytest.raises(IllegalMove) as refused:
        choose(over, EASY, 0.5)
    assert refused.value.reason is Reason.GAME_OVER
