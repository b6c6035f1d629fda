"""What it changes in a room when a seat is taken, or is empty again, before the game begins."""

from typing import TYPE_CHECKING

from yacht.engine.game import Game
from yacht.engine.reasons import IllegalMove, Reason
from yacht.rooms.entries import Joined
from yacht.rooms.options import check_levels

if TYPE_CHECKING:
    from yacht.rooms.room import Room


def taken(room: "Room", joined: Joined, seq: int) -> dict[str, object]:
    """What entry number ``seq`` changes, by which somebody takes the next empty seat."""
    if room.begun or room.options is None:
        raise TypeError(joined)
    seats = len(room.names) + 1
    if seats > room.options.places:
        raise IllegalMove(Reason.ROOM_FULL)
    check_levels((joined.computer,), 1)
    return {
        "names": (*room.names, joined.name),
        "owners": (*room.owners, joined.owner),
        "seated": (*room.seated, seq),
        "computers": (*room.computers, joined.computer),
        "salts": (*room.salts, joined.seat_bytes),
        "game": Game.new(room.ruleset, seats),
    }


def empty(room: "Room", seat: int) -> dict[str, object]:
    """What changes when somebody leaves a seat; those after it move up."""
    if room.begun:
        raise TypeError(seat)
    seats = {
        "names": room.names,
        "owners": room.owners,
        "seated": room.seated,
        "computers": room.computers,
        "salts": room.salts,
    }
    kept = {name: (*of[:seat], *of[seat + 1 :]) for name, of in seats.items()}
    return {**kept, "game": Game.new(room.ruleset, len(room.names) - 1)}
