"""Who is here: whoever plays in a room and has lately asked for its page, or has it open."""

from collections.abc import Callable
from typing import NamedTuple

from yacht.rooms.room import Room

GRACE_SECONDS = 30.0
"""A shorter drop isn't shown."""
HELP_SECONDS = 120.0
"""After so long the others may skip somebody's turn, or have it played."""


class Around(NamedTuple):
    """Who of a room is away: the seats, and whether the one on turn may be helped out."""

    away: frozenset[int] = frozenset()
    may_help: bool = False


ALL_HERE = Around()


class Presence:
    """When each player was last seen. Until it is told, everyone was here when it was made."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now, self._start = now, now()
        self.seen: dict[tuple[str, str], float] = {}
        """By room and player, in Unix seconds."""

    def saw(self, room_id: str, viewer: str) -> None:
        """They asked for the room, or a stream of theirs is open."""
        self.seen[room_id, viewer] = self._now()

    def heard(self, room_id: str, viewer: str, at: float) -> None:
        """Another process saw them."""
        self.seen[room_id, viewer] = max(at, self.seen.get((room_id, viewer), 0.0))

    def away(self, room_id: str, room: Room) -> frozenset[int]:
        """The seats whose players haven't been seen for a while."""
        if room.options is None or room.game.is_over:
            return frozenset()
        return frozenset(
            seat for seat in room.people if self._gone(room_id, room, seat) > GRACE_SECONDS
        )

    def is_long_away(self, room_id: str, room: Room) -> bool:
        """Whether the person on turn has been away for so long that others may help out."""
        return (
            room.options is not None
            and room.begun
            and not room.game.is_over
            and not room.computer
            and self._gone(room_id, room, room.game.seat) > HELP_SECONDS
        )

    def around(self, room_id: str, room: Room) -> Around:
        """Who is away of a room's players."""
        return Around(self.away(room_id, room), self.is_long_away(room_id, room))

    def forget(self, before: float) -> None:
        """Drop who was last seen before then."""
        self.seen = {who: at for who, at in self.seen.items() if at >= before}

    def _gone(self, room_id: str, room: Room, seat: int) -> float:
        """For how many seconds somebody hasn't been seen; they were here when they sat down."""
        sat_down = room.entries[room.seated[seat] - 1].at
        seen = self.seen.get((room_id, room.owners[seat]), self._start)
        return self._now() - max(seen, sat_down)
