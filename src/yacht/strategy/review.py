"""What a game's dice gave and what its choices cost: luck and losses add up to the final total.

Each seat is judged as if it played alone for points, against best play for the average. The data
needs no NumPy; only making it does.
"""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from yacht.engine.game import Event, Game, Rolled, Score, UndoScore
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import Ruleset, score
from yacht.strategy.advice import Advice, Play, advise

if TYPE_CHECKING:
    from yacht.strategy.solo import Choice, Solver

_MOST_COSTLY = 3
_NOTHING = 1e-9
"""Worths that differ by less are equal but for rounding."""


class Weighed(Play, frozen=True, omit_defaults=True, kw_only=True):
    """A choice, the ``points`` it writes if it is a score, and what it is worth.

    ``expected_total`` is the final total to expect under best play from there on.
    """

    points: int | None = None
    expected_total: float


class Step(msgspec.Struct, frozen=True):
    """A choice, and the roll that followed if it wasn't a score.

    ``dice`` lay on the table when it was made: none before a turn's first roll, where there is
    nothing to choose. ``loss`` is what the best choice would have been worth more, never below 0.
    ``luck`` is what the roll to ``rolled`` (in table order) changed, 0 for a score.
    ``expected_total`` is the final total to expect after all that.
    """

    turn: int
    dice: list[int]
    rolls_left: int
    chosen: Weighed
    best: Weighed
    loss: float
    rolled: list[int] | None
    luck: float
    expected_total: float


class TurnSum(msgspec.Struct, frozen=True):
    """What a turn brought and cost; ``box`` and ``points`` are None until it is scored."""

    turn: int
    box: str | None
    points: int | None
    luck: float
    loss: float
    expected_total: float


class SeatReview(msgspec.Struct, frozen=True):
    """A seat's game: ``start + luck - loss`` is ``expected_total``, the ``total`` once it is over.

    ``costliest`` has the places in ``steps`` of at most three choices that weren't the best, the
    one that cost most first; ``advice`` has the two best ones there, and
    why the first is.
    """

    start: float
    luck: float
    loss: float
    expected_total: float
    total: int
    costliest: list[int]
    advice: list[Advice]
    turns: list[TurnSum]
    steps: list[Step]


class Review(msgspec.Struct, frozen=True):
    """The review of every seat. Turns count from 0; ``over`` says that no box is open.

    ``chances`` has each seat's chance to win, from the start on and after each roll and score,
    for a game of several: as :func:`yacht.strategy.winning.win_chances` tells it.
    """

    ruleset: str
    over: bool
    seats: list[SeatReview]
    chances: list[tuple[float, ...]]


def reviewed(
    ruleset: Ruleset, seats: int, events: Iterable[Event], *, chances: bool = True
) -> Review:
    """The review of a game so far; of a score that was taken back only the dice remain.

    Raises IllegalMove if the events don't make a game, ValueError if the ruleset can't be solved.
    The first review of a ruleset solves it, in 0.1 s, and for several seats makes the tables of the
    chances to win, in a second.
    """
    from yacht.strategy.solo import solved
    from yacht.strategy.winning import win_chances

    solver = solved(ruleset)
    games = [Game.new(ruleset, seats)]
    start = solver.value(games[0].cards[0])
    played = [list[tuple[Game, Step]]() for _ in range(seats)]
    for event in _standing(events):
        game = games[-1]
        games.append(game.play(event))
        played[game.seat].append((game, _step(solver, game, event, games[-1])))
    totals = [card.total for card in games[-1].cards]
    judged = [_seat(start, total, of) for total, of in zip(totals, played, strict=True)]
    won = list(map(win_chances, games)) if chances and seats > 1 else []
    return Review(ruleset.key, games[-1].is_over, judged, won)


def _step(solver: "Solver", game: Game, event: Rolled | Score, after: Game) -> Step:
    """The choice that an event shows, made in ``game``, and what came ``after`` it."""
    ranked = _ranked(solver, game)
    keep = box = rolled = None
    if isinstance(event, Rolled):
        keep, rolled = tuple(sorted(game.dice[place] for place in event.kept)), event.dice
    else:
        box = event.category
    chosen = next(choice for choice in ranked if (choice.keep, choice.score) == (keep, box))
    expected = _ranked(solver, after)[0].worth if rolled else chosen.worth
    return Step(
        game.turn,
        list(game.dice),
        game.rolls_left,
        _weighed(chosen, game),
        _weighed(ranked[0], game),
        max(ranked[0].worth - chosen.worth, 0.0),
        None if rolled is None else list(rolled),
        expected - chosen.worth,
        expected,
    )


def _ranked(solver: "Solver", game: Game) -> "list[Choice]":
    return solver.rank(game.cards[game.seat], game.dice, game.rolls_left)


def _weighed(choice: "Choice", game: Game) -> Weighed:
    keep, key, worth = choice
    given = None if key is None else score(game.dice, key, game.ruleset)
    return Weighed(keep, key, points=given, expected_total=worth)


def _standing(events: Iterable[Event]) -> list[Rolled | Score]:
    """The events without the scores that were taken back. Raises IllegalMove."""
    left = list[Rolled | Score]()
    for event in events:
        if not isinstance(event, UndoScore):
            left.append(event)
        elif left and isinstance(left[-1], Score):
            left.pop()
        else:
            raise IllegalMove(Reason.NOTHING_TO_UNDO)
    return left


def _seat(start: float, total: int, played: Sequence[tuple[Game, Step]]) -> SeatReview:
    steps = [step for _, step in played]
    turns = [list[Step]() for _ in {step.turn for step in steps}]
    for step in steps:
        turns[step.turn].append(step)
    dear = [place for place, step in enumerate(steps) if step.loss > _NOTHING]
    dear = sorted(dear, key=lambda place: -steps[place].loss)[:_MOST_COSTLY]
    return SeatReview(
        start,
        fsum(step.luck for step in steps),
        fsum(step.loss for step in steps),
        steps[-1].expected_total if steps else start,
        total,
        dear,
        [_advice(played[place][0]) for place in dear],
        list(map(_turn, turns)),
        steps,
    )


def _advice(game: Game) -> Advice:
    full = advise(game.cards[game.seat], game.dice, game.rolls_left, game.ruleset)
    return replace(full, ranking=replace(full.ranking, choices=full.ranking.choices[:2]))


def _turn(steps: Sequence[Step]) -> TurnSum:
    last = steps[-1]
    return TurnSum(
        last.turn,
        last.chosen.score,
        last.chosen.points,
        fsum(step.luck for step in steps),
        fsum(step.loss for step in steps),
        last.expected_total,
    )
