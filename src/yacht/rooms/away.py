"""When somebody on turn doesn't play: their turn is completed, or a computer plays for them."""

from collections.abc import Sequence

from yacht.engine.game import Keep, Score
from yacht.engine.reasons import IllegalMove, Reason
from yacht.engine.rules import score
from yacht.rooms.entries import CLOCK, SKIPPED, Back, Entry, StoodIn
from yacht.rooms.table import Table


def skip(table: Table, viewer: str, seq: int) -> Sequence[Entry]:
    """Complete the turn of somebody away; that they are is the host's to know."""
    _check_help(table, viewer, seq)
    return _plain_turn(table, SKIPPED)


def stand_in(table: Table, viewer: str, seq: int) -> Sequence[Entry]:
    """Let a computer play for somebody away, until they come back."""
    _check_help(table, viewer, seq)
    return [Entry(viewer, StoodIn(table.room.game.seat))]


def come_back(table: Table, viewer: str) -> Sequence[Entry]:
    """Take back the seats that are played for."""
    room = table.room
    back = () if room.game.is_over else sorted(room.stand_ins & room.seats_of(viewer))
    return [Entry(viewer, Back(seat)) for seat in back]


def expire(table: Table, now: float) -> Sequence[Entry]:
    """Complete the turn whose time is over; nothing if it isn't."""
    due = table.room.due
    return () if due is None or now < due else _plain_turn(table, CLOCK)


def _check_help(table: Table, viewer: str, seq: int) -> None:
    """Raise unless the viewer may help out the person on turn, who is another player."""
    room = table.room
    room.check_owner(viewer)
    table.at(seq)
    if not (room.options and room.begun) or room.game.is_over or room.computer:
        raise IllegalMove(Reason.NOT_AWAY)
    if room.options.clock or room.game.seat in room.seats_of(viewer):
        raise IllegalMove(Reason.NOT_AWAY)


def _plain_turn(table: Table, by: str) -> Sequence[Entry]:
    """The turn of whoever doesn't play: roll if nothing is, write the box that pays most."""
    entries = list[Entry]()
    if not table.room.game.dice:
        entries += [Entry(by, event) for event in table.events(Keep(), ())]
        table = table.after(entries)
    game = table.room.game
    best = max(game.open_boxes, key=lambda box: score(game.dice, box, game.ruleset))
    return [*entries, Entry(by, Score(best))]
