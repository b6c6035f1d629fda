"""What is agreed before a game: how many play, by what clock, if with hints, what computers."""

from collections.abc import Sequence

import msgspec

from yacht.engine.game import MOST_SEATS
from yacht.engine.notation import LEVELS
from yacht.engine.reasons import IllegalMove, Reason

FEWEST_FRIENDS = 2
DAY = 86_400
CLOCKS = (0, 30, 60, 90, *(days * DAY for days in (1, 2, 3, 5, 7)))
"""The seconds that a turn clock may give: none, for a decision, or days for a turn."""


class Options(msgspec.Struct, frozen=True):
    """What is agreed in a room of friends: how many may play, by what clock, and if with hints."""

    places: int
    clock: int = 0
    hints: bool = False

    @property
    def by_turn(self) -> bool:
        """Whether the clock is a whole turn's, not a decision's."""
        return self.clock >= DAY


def check_levels(computers: Sequence[str], seats: int) -> None:
    if computers and len(computers) != seats:
        raise IllegalMove(Reason.LEVEL_COUNT, value=len(computers), seats=seats)
    for level in filter(None, computers):
        if level not in LEVELS:
            raise IllegalMove(Reason.UNKNOWN_LEVEL, value=level)


def check_options(options: Options) -> None:
    if not FEWEST_FRIENDS <= options.places <= MOST_SEATS:
        raise IllegalMove(Reason.BAD_PLACES, value=options.places, most=MOST_SEATS)
    if options.clock not in CLOCKS:
        raise IllegalMove(Reason.BAD_CLOCK, value=options.clock)
