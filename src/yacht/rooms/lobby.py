"""Before a game of friends: what sitting down, getting up and beginning write down.

Raises IllegalMove for what is refused; nothing is written for what was done already.
"""

from collections.abc import Sequence

from yacht.engine.dice import check_seat_bytes
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.entries import Begun, Entry, Joined, Left
from yacht.rooms.names import clean_name
from yacht.rooms.options import FEWEST_FRIENDS
from yacht.rooms.room import Room


def join(room: Room, viewer: str, name: str, seat_bytes: bytes) -> Sequence[Entry]:
    """Sit down in the next empty seat; whoever plays here already stays where they are."""
    if room.options and room.belongs_to(viewer):
        return ()
    _check_open(room)
    check_seat_bytes([seat_bytes])
    name = clean_name(name)
    entries = _possible(room, Entry(viewer, Joined(name, viewer, seat_bytes)))
    if name.casefold() in map(str.casefold, room.names):
        raise IllegalMove(Reason.NAME_TAKEN, value=name)
    return entries


def seat_computer(room: Room, viewer: str, name: str, level: str) -> Sequence[Entry]:
    """Give the next empty seat to a computer."""
    _check_open(room, Reason.SEATS_FIXED)
    room.check_owner(viewer)
    return _possible(room, Entry(viewer, Joined(clean_name(name), computer=level)))


def leave(room: Room, viewer: str, seat: int) -> Sequence[Entry]:
    """Free one's own seat, or a computer's; whoever opened the room frees any."""
    _check_open(room, Reason.SEATS_FIXED)
    room.check_owner(viewer)
    if not 0 <= seat < len(room.names):
        raise IllegalMove(Reason.BAD_SEAT, value=seat)
    if viewer != room.host and room.owners[seat] not in (viewer, ""):
        raise IllegalMove(Reason.NOT_YOURS)
    if room.people == frozenset({seat}):
        raise IllegalMove(Reason.LAST_PERSON)
    return [Entry(viewer, Left(seat))]


def begin(room: Room, viewer: str) -> Sequence[Entry]:
    """Begin the game, once two seats are taken."""
    room.check_owner(viewer)
    if room.begun:
        return ()
    if len(room.names) < FEWEST_FRIENDS:
        raise IllegalMove(Reason.TOO_FEW)
    return [Entry(viewer, Begun())]


def _check_open(room: Room, begun: Reason = Reason.ALREADY_BEGUN) -> None:
    """Raise unless friends still sit down; ``begun`` if the game has."""
    if not room.options:
        raise IllegalMove(Reason.ONE_DEVICE)
    if room.begun:
        raise IllegalMove(begun)
    room.check_length()


def _possible(room: Room, entry: Entry) -> Sequence[Entry]:
    room.after(entry)  # refuses what can't be
    return [entry]
