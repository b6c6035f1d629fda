"""What luck gave and choices cost, against sums by hand, brute force and the identity."""

import random
import subprocess
import sys
from functools import lru_cache
from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.strategies import TO_THE_END, Walk, rulesets, walk
from yacht.engine.game import Event, Game, Keep, Rolled, Score, UndoScore, replay
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import CLASSIC, Category, Ruleset
from yacht.strategy.review import Review, SeatReview, reviewed

TOY = Ruleset(
    "toy",
    (
        Category("twos", lambda dice: 2 * dice.count(2), 2),
        Category("pair", lambda dice: 7 if dice[0] == dice[1] else 0),
        Category("chance", sum),
    ),
    dice=2,
    faces=3,
    rolls=2,
)

walks = st.builds(
    walk,
    st.builds(Game.new, rulesets, st.integers(1, 4)),
    st.integers(0, 2**32 - 1),
    st.just(TO_THE_END) | st.integers(0, 100),
)


def of_walk(played: Walk) -> Review:
    return reviewed(played.start.ruleset, len(played.start.cards), played.events)


def last_turn(*events: Event) -> SeatReview:
    """The review of a game in which Choice alone was open when these events began."""
    game, played = Game.new(CLASSIC), list[Event]()
    for box in CLASSIC.categories:
        if box.key != "choice":
            played += [Rolled(frozenset(), (1, 2, 2, 4, 6)), Score(box.key)]
    assert replay(game, played).open_boxes == ("choice",)
    (seat,) = reviewed(CLASSIC, 1, [*played, *events]).seats
    return seat


# ---- the sum ----------------------------------------------------------------------------------


@given(walks)
def test_luck_and_losses_add_up_to_the_total(played: Walk) -> None:
    """At any moment each seat's start, luck and losses make what it may expect, and its total."""
    told = of_walk(played)
    assert told.over == played.game.is_over
    for seat, card in zip(told.seats, played.game.cards, strict=True):
        assert seat.start == pytest.approx(
            {"classic": 166.9550677046, "sum": 169.7738890526}[told.ruleset], abs=1e-9
        )
        assert seat.total == card.total
        assert abs(seat.start + seat.luck - seat.loss - seat.expected_total) < 1e-9
        assert abs(sum(turn.luck for turn in seat.turns) - seat.luck) < 1e-9
        assert abs(sum(turn.loss for turn in seat.turns) - seat.loss) < 1e-9
        if told.over:
            assert abs(seat.expected_total - seat.total) < 1e-9


@given(walks)
def test_every_step_goes_on_where_the_last_one_ended(played: Walk) -> None:
    """A choice loses what it is worth less than the best one; then a roll changes that worth."""
    for seat in of_walk(played).seats:
        before = seat.start
        for step in seat.steps:
            assert abs(step.best.expected_total - before) < 1e-9
            assert step.loss >= 0
            assert abs(before - step.loss - step.chosen.expected_total) < 1e-9
            assert abs(step.chosen.expected_total + step.luck - step.expected_total) < 1e-9
            assert step.dice or not step.loss
            assert step.rolled or not step.luck
            before = step.expected_total
        losses = [seat.steps[place].loss for place in seat.costliest]
        assert losses == sorted((s.loss for s in seat.steps if s.loss > 1e-9), reverse=True)[:3]


@given(walks)
def test_turns_have_the_boxes_of_the_card(played: Walk) -> None:
    """The boxes and points of a seat's turns are those of its card; the last turn may lack them."""
    for seat, card in zip(of_walk(played).seats, played.game.cards, strict=True):
        written = {turn.box: turn.points for turn in seat.turns if turn.box}
        boxes = zip(played.start.ruleset.categories, card.boxes, strict=True)
        assert written == {box.key: points for box, points in boxes if points is not None}
        assert [turn.turn for turn in seat.turns] == list(range(len(seat.turns)))
        assert all(turn.box for turn in seat.turns[:-1])


# ---- by hand ----------------------------------------------------------------------------------


def test_luck_and_loss_by_hand() -> None:
    """With Choice alone a die is worth 3.5 with one roll left, 4.25 with two, 14/3 with three.

    So 1-2-3-4-5 is worth 5 + 4 × 4.25 by holding the 5, and 5 × 4.25 by rolling all.
    """
    seat = last_turn(
        Rolled(frozenset(), (5, 4, 3, 2, 1)),
        Rolled(frozenset(), (6, 6, 4, 1, 3)),
        Rolled(frozenset({0, 1}), (6, 6, 2, 5, 1)),
        Score("choice"),
    )
    first, second, third, score = seat.steps[-4:]
    so_far = seat.total - 20
    assert first.luck == pytest.approx(22 - 70 / 3)
    assert first.loss == 0
    assert second.best.keep == (5,)
    assert second.chosen.keep == ()
    assert second.loss == pytest.approx(0.75)
    assert second.luck == pytest.approx(16 + 2 * 3.5 - 21.25)  # the 4 is held too
    assert third.best.keep == (4, 6, 6)
    assert third.loss == pytest.approx(0.5)
    assert third.luck == pytest.approx(20 - (12 + 3 * 3.5))
    assert (score.loss, score.luck) == (0, 0)
    assert score.chosen == score.best
    assert (score.chosen.score, score.chosen.points) == ("choice", 20)
    assert score.expected_total == so_far + 20
    turn = seat.turns[-1]
    assert turn.loss == pytest.approx(1.25)
    assert turn.luck == pytest.approx(20 - 70 / 3 + 1.25)


def test_a_score_too_early_by_hand() -> None:
    """To write 1-1-1-1-1 in Choice with two rolls left costs what five dice would still bring."""
    seat = last_turn(Rolled(frozenset(), (1, 1, 1, 1, 1)), Score("choice"))
    score = seat.steps[-1]
    assert score.loss == pytest.approx(5 * 4.25 - 5)
    assert score.best.keep == ()
    assert seat.costliest[0] in range(len(seat.steps))


def test_a_score_taken_back_leaves_the_dice_alone() -> None:
    """A score that was undone is as if it hadn't been; the turn goes on with its rolls."""
    roll, again = Rolled(frozenset(), (5, 4, 3, 2, 1)), Rolled(frozenset({0}), (5, 6, 6, 6, 6))
    plain = last_turn(roll, again, Score("choice"))
    assert last_turn(roll, Score("choice")) != plain
    assert reviewed(
        CLASSIC, 2, [roll, Score("ones"), UndoScore(), again, Score("choice")]
    ) == reviewed(CLASSIC, 2, [roll, again, Score("choice")])
    with pytest.raises(IllegalMove) as refused:
        reviewed(CLASSIC, 1, [roll, UndoScore()])
    assert refused.value.reason is Reason.NOTHING_TO_UNDO


# ---- by brute force ---------------------------------------------------------------------------


@lru_cache(None)
def worth(game: Game) -> float:
    """The final total of a game alone under best play: every move and every throw looked at."""
    if game.is_over:
        return game.cards[0].total
    return max(after(game, move) for move in game.moves() if move != UndoScore())


def after(game: Game, move: object) -> float:
    """What is to be expected after a move."""
    if isinstance(move, Score):
        played = game.play(move)
        return worth(Game(played.ruleset, played.cards))
    assert isinstance(move, Keep)
    throws = list(product(range(1, 4), repeat=2))
    return sum(worth(game.play(game.rolled(move, thrown))) for thrown in throws) / len(throws)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_losses_and_luck_by_brute_force(chance_seed: int, seats: int) -> None:
    """On a toy ruleset every choice and roll is judged as by looking at all that can follow."""
    played = toy_walk(chance_seed, seats)
    told = reviewed(TOY, seats, played)
    left = [list(seat.steps) for seat in told.seats]
    game = Game.new(TOY, seats)
    for event in played:
        alone = Game(TOY, (game.cards[game.seat],), game.dice, game.kept, game.rolls_used)
        step = left[game.seat].pop(0)
        move = Keep(event.kept) if isinstance(event, Rolled) else event
        assert step.loss == pytest.approx(worth(alone) - after(alone, move), abs=1e-9)
        if isinstance(event, Rolled):
            luck = worth(alone.play(event)) - after(alone, move)
            assert step.luck == pytest.approx(luck, abs=1e-9)
        game = game.play(event)
    assert not any(left)


def toy_walk(chance_seed: int, seats: int) -> list[Rolled | Score]:
    """A whole toy game of random moves and throws, none of them an undo."""
    chance, game, events = random.Random(chance_seed), Game.new(TOY, seats), list[Rolled | Score]()
    while not game.is_over:
        move = chance.choice([move for move in game.moves() if not isinstance(move, UndoScore)])
        thrown = tuple(chance.choices(range(1, 4), k=2))
        events.append(game.rolled(move, thrown) if isinstance(move, Keep) else move)
        game = game.play(events[-1])
    return events


# ---- data -------------------------------------------------------------------------------------


@given(walks)
def test_a_review_is_plain_data(played: Walk) -> None:
    """JSON carries all of it, so nothing of NumPy is in it."""
    told = of_walk(played)
    assert msgspec.json.decode(msgspec.json.encode(told), type=Review) == told


def test_the_data_needs_no_numpy() -> None:
    """A server that nobody asks for a review hasn't loaded NumPy."""
    code = "import sys, yacht.cli.main, yacht.web.app; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
