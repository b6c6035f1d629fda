"""What page, terminal and downloaded records say of a review."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from yacht import advising, words
from yacht.i18n import N_, Language
from yacht.strategy.review import Review, SeatReview, Step, Weighed

Draw = Callable[[Sequence[int]], str]
"""Dice as markup."""

_LEAST_SHOWN = 0.05

_SUM = N_("{start} expected, {luck} luck, {choices} by choices = {total}")
_SUM_SO_FAR = N_("{start} expected, {luck} luck, {choices} by choices = {total} expected now")
_DID = (N_("Held {dice}"), N_("Rolled all dice again"), N_("Wrote {points} in {box}"))
_BETTER = (
    N_("Better: hold {dice}"),
    N_("Better: roll all dice again"),
    N_("Better: write {points} in {box}"),
)


class Account(NamedTuple):
    """A seat's game as a sum that is right on paper: luck takes what rounding leaves over."""

    start: float
    luck: float
    choices: float
    end: float


def account(seat: SeatReview) -> Account:
    """The sum of a seat to one decimal: ``start + luck + choices == end``."""
    start, choices, end = round(seat.start, 1), -round(seat.loss, 1), round(seat.expected_total, 1)
    return Account(start, round(end - start - choices, 1), choices, end)


def end(seat: SeatReview, language: Language, *, over: bool) -> str:
    """The total of a game that is over, or what may be expected of one that isn't."""
    return language.number(seat.total) if over else language.decimal(seat.expected_total)


def identity(seat: SeatReview, language: Language, *, over: bool) -> str:
    """The sum in a line: “167.0 expected, +21.4 luck, −9.4 by choices = 179”."""
    of = account(seat)
    return language(
        _SUM if over else _SUM_SO_FAR,
        start=language.decimal(of.start),
        luck=language.change(of.luck),
        choices=language.change(of.choices),
        total=end(seat, language, over=over),
    )


def costliest(seat: SeatReview) -> list[Step]:
    """The choices that cost most, as far as a number with one decimal shows it."""
    steps = (seat.steps[place] for place in seat.costliest)
    return [step for step in steps if step.loss >= _LEAST_SHOWN]


def why(seat: SeatReview, place: int, language: Language) -> str:
    """Why the better choice was better, for one of the costliest."""
    return advising.reason(seat.advice[place], language)


def when(step: Step, language: Language) -> str:
    left = words.rolls_left(step.rolls_left, language)
    return language("Turn {n}, {left}", n=step.turn + 1, left=left)


def did(step: Step, language: Language, draw: Draw | None = None) -> str:
    """What was chosen, as in “Held 2-2”."""
    return _told(_DID, step.chosen, language, draw)


def better(step: Step, language: Language, draw: Draw | None = None) -> str:
    """What would have been best, as in “Better: hold 2-2-2”."""
    return _told(_BETTER, step.best, language, draw)


def decision(step: Step, language: Language) -> str:
    """A choice that cost something, the better one, and what lies between them."""
    return language(
        "{when}. Dice: {dice}. {did}. {better}. Cost: {n}.",
        when=when(step, language),
        dice=words.held(step.dice),
        did=did(step, language),
        better=better(step, language),
        n=language.decimal(step.loss),
    )


def lines(told: Review, names: Sequence[str], language: Language) -> Iterator[str]:
    """The sum of each seat, each followed by its costliest choices."""
    for name, seat in zip(names, told.seats, strict=True):
        total = identity(seat, language, over=told.over)
        yield language("{name}: {sum}", name=name, sum=total)
        for step in costliest(seat):
            yield decision(step, language)


def _told(
    messages: tuple[str, str, str], choice: Weighed, language: Language, draw: Draw | None
) -> str:
    held, rolled, wrote = messages
    if choice.score is not None:
        given = words.points(choice.points or 0, language)
        return language(wrote, points=given, box=words.box(choice.score, language))
    if not choice.keep:
        return language(rolled)
    if draw:
        return language.html(held, dice=draw(choice.keep))
    return language(held, dice=words.held(choice.keep))
