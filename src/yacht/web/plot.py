"""A game's course as lines on ruled paper, one a player; all places are in percent."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from yacht.reviewing import costliest
from yacht.strategy.review import Review, SeatReview, Step

_APART = (5, 10, 20, 25, 50, 100)
_MOST_RULED = 5
_EVERY = 3
_LABEL = 8
"""The height of the label at a line's end; half of it stays free above and below them all."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place, from the left and the top, and the number that stands there."""

    x: float
    y: float
    n: int


@dataclass(frozen=True, slots=True)
class Line:
    """A seat's line: its points in a box of 100 by 100, where it ends, and its label beside that.

    ``dear`` marks where its costliest choices were made, numbered from 1.
    """

    points: str
    end: float
    label: float
    dear: Sequence[Mark]


@dataclass(frozen=True, slots=True)
class Plot:
    """The lines of all seats, over ruled lines at round totals and some turns' ends."""

    lines: Sequence[Line]
    ruled: Sequence[Mark]
    turns: Sequence[Mark]


def drawn(told: Review, turns: int, rolls: int) -> Plot:
    """The plot of a review: turns are equally wide, and so are the steps within a turn."""
    courses = [_course(seat, rolls) for seat in told.seats]
    totals = [total for course in courses for _, total in course]
    apart = next(n for n in _APART if (max(totals) - min(totals)) / n < _MOST_RULED)
    low, high = apart * floor(min(totals) / apart), apart * ceil(max(totals) / apart)
    dear = [
        [(*_chosen(step, rolls), n) for n, step in enumerate(costliest(seat), 1)]
        for seat in told.seats
    ]
    return _plotted(courses, dear, turns, range(low, max(high, low + apart) + 1, apart))


def won(told: Review, turns: int) -> Plot:
    """The plot of everyone's chances to win, in percent, with a step for each roll and score."""
    steps, done = len(told.chances) - 1, max(len(seat.turns) for seat in told.seats)
    courses = [
        [(done * step / max(steps, 1), 100 * chance) for step, chance in enumerate(chances)]
        for chances in zip(*told.chances, strict=True)
    ]
    return _plotted(courses, [()] * len(courses), turns, range(0, 101, 25))


def _plotted(
    courses: Sequence[Sequence[tuple[float, float]]],
    dear: Sequence[Sequence[tuple[float, float, int]]],
    turns: int,
    ruled: range,
) -> Plot:
    """Lines through times, in turns, and values; ``dear`` are places of theirs with a number."""
    low, high = ruled[0], ruled[-1]

    def mark(time: float, value: float, n: int = 0) -> Mark:
        return Mark(100 * time / turns, 100 * (high - value) / (high - low), n)

    placed = [[mark(*at) for at in course] for course in courses]
    labels = _spread([course[-1].y for course in placed])
    lines = [
        Line(
            " ".join(f"{at.x:.2f},{at.y:.2f}" for at in course),
            course[-1].y,
            label,
            [mark(*at) for at in marks],
        )
        for course, label, marks in zip(placed, labels, dear, strict=True)
    ]
    named = range(_EVERY, turns + 1, _EVERY)
    return Plot(lines, [mark(0, n, n) for n in ruled], [mark(n, low, n) for n in named])


def _course(seat: SeatReview, rolls: int) -> list[tuple[float, float]]:
    """Time, in turns, and the expected total: at each choice and at the end."""
    end = (float(len(seat.turns)), seat.expected_total)
    return [*(_chosen(step, rolls) for step in seat.steps), end]


def _chosen(step: Step, rolls: int) -> tuple[float, float]:
    """When a choice was made, and the expected total just before it."""
    return step.turn + (rolls - step.rolls_left) / (rolls + 1), step.best.expected_total


def _spread(ends: Sequence[float]) -> list[float]:
    """Places for labels beside these ends, in their order, none on top of another."""
    order = sorted(range(len(ends)), key=ends.__getitem__)
    placed = dict[int, float]()
    for lower, place in enumerate(order):
        above = placed[order[lower - 1]] + _LABEL if lower else _LABEL / 2
        placed[place] = max(ends[place], above)
    below = 100 + _LABEL / 2
    for place in reversed(order):
        below = placed[place] = min(placed[place], below - _LABEL)
    return [placed[place] for place in range(len(ends))]
