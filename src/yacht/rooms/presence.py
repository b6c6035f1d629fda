"""Who is here: whoever plays in a room and has lately asked for its page, or has it open."""

from collections import Counter
from collections.abc import Callable, Collection, Generator
from contextlib import contextmanager
from typing import NamedTuple

from yacht.rooms.room import Room
from yacht.rooms.store import Store, Who

GRACE_SECONDS = 30.0
"""A shorter drop isn't shown."""
HELP_SECONDS = 120.0
"""After so long the others may skip somebody's turn, or have it played."""
FORGET_SECONDS = 86_400.0
"""After so long it is forgotten when somebody was seen."""


class Around(NamedTuple):
    """Who of a room is away: the seats, and whether the one on turn may be helped out."""

    away: frozenset[int] = frozenset()
    may_help: bool = False


ALL_HERE = Around()


class Presence:
    """When each player was last seen. Until it is told, everyone was here when it was made."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now, self._start = now, now()
        self.seen: dict[Who, float] = {}
        """By room and player, in Unix seconds."""
        self._met = 0.0
        self._waiting = Counter[Who]()

    def saw(self, room_id: str, viewer: str) -> None:
        """They asked for the room."""
        self.seen[room_id, viewer] = self._now()

    @contextmanager
    def here(self, room_id: str, viewer: str) -> Generator[None]:
        """While a stream of theirs waits: the others hear of it at each meeting.

        They were here until it ended. Whoever doesn't play wasn't seen before either.
        """
        self._waiting[room_id, viewer] += 1
        try:
            yield
        finally:
            self._waiting[room_id, viewer] -= 1
            if (room_id, viewer) in self.seen:
                self.saw(room_id, viewer)

    def heard(self, room_id: str, viewer: str, at: float) -> None:
        """Another process saw them."""
        self.seen[room_id, viewer] = max(at, self.seen.get((room_id, viewer), 0.0))

    async def meet(self, store: Store, rooms: Collection[str]) -> None:
        """Hear from other processes whom they saw in these rooms, and tell them who was here."""
        await self.ask(store, rooms)  # first: it works too where nothing can be written
        now = self._now()
        self._waiting = +self._waiting  # without those who have gone
        for room_id, viewer in self._waiting.keys() & self.seen.keys():  # not those who watch
            self.saw(room_id, viewer)
        forgotten = now - FORGET_SECONDS
        self.seen = {who: at for who, at in self.seen.items() if at >= forgotten}
        news = {who: at for who, at in self.seen.items() if at >= self._met}
        await store.saw(news)
        self._met = now

    async def ask(self, store: Store, rooms: Collection[str]) -> None:
        """Hear from other processes whom they saw in these rooms."""
        for who, at in (await store.seen(rooms)).items():
            self.heard(*who, at)

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

    def knows(self, room_id: str, room: Room) -> bool:
        """Whether anybody who plays there has been seen."""
        return any((room_id, owner) in self.seen for owner in room.owners)

    def _gone(self, room_id: str, room: Room, seat: int) -> float:
        """For how many seconds somebody hasn't been seen; they were here when they sat down."""
        sat_down = room.entries[room.seated[seat] - 1].at
        seen = self.seen.get((room_id, room.owners[seat]), self._start)
        return self._now() - max(seen, sat_down)
